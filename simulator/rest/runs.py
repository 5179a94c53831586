"""What takes longer than an answer may: asked for with POST, and polled."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from core.api import parameters
from core.api.addresses import public_base
from core.api.errors import Problem, RequestRefused, not_found, problem_json
from core.api.ids import as_uuid
from core.api.representations import InstantField
from core.feed.moment import read_moment
from simulator.explanations import explanations
from simulator.models import Run
from simulator.rest.asking import Question, fresh, json_of
from simulator.rest.clients import client_of
from simulator.rest.openapi import plan_input_schema, plan_report_schema, run_schema, sweep_report_schema
from simulator.runs import KINDS, WAITING_OF_ONE_MAX, TooManyWait, ahead_of, cancel, start_run

POLL_SECONDS = 1
COME_BACK_SECONDS = 60


class PlanSimulation(Question):
    """Plan the fewest racks, or the lowest cost, for the accelerators wanted: 202, and the address to poll.

    What is asked for while the same is being planned gets the same run. A run is kept for a day.
    """

    @extend_schema(
        operation_id="simulator_plan",
        request={"application/json": plan_input_schema()},
        responses={(202, "application/json"): run_schema(plan_report_schema())},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        parameters.only_known(request.GET, ())
        return started(request, "plan", json_of(request))


class RunItem(Question):
    """A calculation of the worker: its state, how far it is, and its report once it is done.

    Poll until `ended_at` is not null.
    """

    @extend_schema(
        operation_id="simulator_run",
        parameters=[OpenApiParameter("key", str, OpenApiParameter.PATH, description="The id of the run.")],
        responses={(200, "application/json"): run_schema(plan_report_schema(), sweep_report_schema())},
    )
    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        parameters.only_known(request.GET, ())
        at = read_moment().at
        run = _run(key, at=at)
        response = fresh(_shown(run, explanations(at=at) if run.report else {}))
        if run.ended_at is None:
            response["Retry-After"] = str(POLL_SECONDS)
        return response

    @extend_schema(
        operation_id="simulator_run_cancel",
        parameters=[OpenApiParameter("key", str, OpenApiParameter.PATH, description="The id of the run.")],
        responses={(200, "application/json"): run_schema(plan_report_schema(), sweep_report_schema())},
    )
    def delete(self, request: HttpRequest, key: str) -> HttpResponse:
        """End a calculation that waits or is being done: `state` is then `cancelled`. Only who asked for it may.

        One that has ended stays as it is.
        """
        parameters.only_known(request.GET, ())
        at = read_moment().at
        run = _run(key, at=at)
        if run.client != client_of(request):
            raise RequestRefused(403, [Problem(None, "not_yours", "Only who asked for a run may cancel it.")])
        run = cancel(run)
        return fresh(_shown(run, explanations(at=at) if run.report else {}))


def _run(key: str, *, at: datetime) -> Run:
    identifier = as_uuid(key)
    run = Run.objects.visible(at).filter(pk=identifier).first() if identifier else None
    if run is None:
        raise not_found("There is no such run, or its day is over; ask again.")
    return run


def started(request: HttpRequest, kind: str, data: Any) -> HttpResponse:
    """Let the worker do it, and answer 202 with the address to poll; 429 where too many wait."""
    try:
        run = start_run(kind, data, client=client_of(request))
    except TooManyWait as error:
        code, message = "too_many_wait", f"Too many calculations wait; ask again in {COME_BACK_SECONDS} seconds."
        if error.of_client:
            code = "too_many_of_yours"
            message = f"{WAITING_OF_ONE_MAX} calculations of yours have not ended; poll them, and ask when one has."
        refusal = problem_json(429, [Problem(None, code, message)])
        refusal["Retry-After"] = str(COME_BACK_SECONDS)
        return refusal
    response = fresh(_shown(run), status=202)
    response["Location"] = public_base(request) + reverse("simulator-run", args=[run.pk])
    response["Retry-After"] = str(POLL_SECONDS)
    return response


def _shown(run: Run, articles: Mapping[str, UUID] = {}) -> dict[str, Any]:
    instant = InstantField().to_representation
    instants = ("created_at", "started_at", "ended_at", "expires_at")
    return {
        "id": str(run.pk),
        "kind": run.kind,
        "state": run.state,
        "ahead_count": ahead_of(run),
        **{name: instant(value) if (value := getattr(run, name)) else None for name in instants},
        "engine_version": run.engine_version,
        "progress": run.progress if run.state == Run.State.RUNNING else None,
        "report": KINDS[run.kind].explain(run.report, articles) if run.report else None,
        "errors": run.problems,
    }

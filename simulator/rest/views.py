"""The simulator over REST: run a rack, draw one, read the saved ones."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

from django.core.exceptions import ValidationError
from django.db.models import TextField
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from core.api import parameters
from core.api.errors import Problem, RequestRefused, bad_request, problems_of
from core.api.keyset import BY_SLUG
from core.feed import conditional
from core.feed.views import Filter, ItemView, ListView, PublicView
from simulator.engine.inputs import LINES_MAX
from simulator.models import Scenario
from simulator.plots.elevation import STYLE_CSP, rack_elevation
from simulator.rest import serializers
from simulator.rest.asking import simulated
from simulator.rest.openapi import input_schema, report_schema
from simulator.services import run_rack


class RackSimulation(APIView):
    """Run a rack: `POST` its devices and conditions, and get space, power, weight, feed, cooling, warnings and trace.

    Nothing is stored. A total with an unknown part is null; `at_least` beside it has the sum of what is known.
    """

    @extend_schema(
        operation_id="simulator_rack",
        request={"application/json": input_schema()},
        responses={(200, "application/json"): report_schema()},
    )
    def post(self, request: Request) -> HttpResponse:
        return simulated(request, lambda data: run_rack(data).data)


class RackElevation(PublicView):
    """Draw the elevation of a rack as SVG: `?items=nvidia-dgx-h100:4,nvidia-qm9700:2`."""

    kinds = ("device", "manufacturer")
    media_type = "image/svg+xml"

    def known_parameters(self) -> set[str]:
        return {"items", "units"}

    def describe_parameters(self) -> list[OpenApiParameter]:
        """Return the parameters, for OpenAPI."""
        return [
            OpenApiParameter("items", str, required=True, description="Devices and quantities: slug:n,slug:n."),
            OpenApiParameter("units", int, default=42, description="Height of the rack in units, 1 to 100."),
        ]

    @extend_schema(operation_id="simulator_rack_svg", responses={(200, "image/svg+xml"): {"type": "string"}})
    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self.dispatch(request, **kwargs)

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> dict[str, Any]:
        if "items" not in asked:
            raise bad_request("items", "required", "items is missing: say what to draw, as in items=nvidia-dgx-h100:4.")
        data: dict[str, Any] = {"items": _read_items(asked["items"])}
        if "units" in asked:
            data["rack"] = {"units": parameters.read_int("units", asked["units"])}
        return data

    def body(self, request: HttpRequest, question: dict[str, Any], at: datetime, etag: str) -> HttpResponse:
        try:
            run = run_rack(question)
        except ValidationError as error:
            _refuse_parameters(error)
        drawing = rack_elevation(run.given, run.report).encode()
        tags = [*self.kinds, *(f"{kind}:{pk}" for kind, pk, _ in run.made_of)]
        response = conditional.answer(drawing, etag, tags=tags, media_type=self.media_type)
        # Opened by itself, the drawing is a page, and its style is all that it needs.
        response["Content-Security-Policy"] = f"default-src 'none'; style-src {STYLE_CSP}"
        return response


def _read_items(text: str) -> list[dict[str, Any]]:
    """Read `slug:n,slug:n`. Raises RequestRefused."""
    parts = text.split(",")
    if len(parts) > LINES_MAX:
        raise bad_request("items", "too_many", f"items has {len(parts)} devices; {LINES_MAX} is the most.")
    found = []
    for part in parts:
        slug, _, quantity = part.strip().partition(":")
        if not slug or not quantity.isascii() or not quantity.isdigit() or len(quantity) > 6:
            message = f"items is written slug:n,slug:n with whole numbers; {part[:60]!r} is not."
            raise bad_request("items", "malformed_items", message)
        found.append({"device": slug, "quantity": int(quantity)})
    return found


def _refuse_parameters(error: ValidationError) -> NoReturn:
    """Raise what is wrong with an input as being wrong with the parameter that it came from."""
    names = {"rack.units": "units"}
    problems = [
        Problem(names.get(problem.field or "", "items"), problem.code, problem.message)
        for problem in problems_of(error)
    ]
    raise RequestRefused(400, problems) from error


class ScenarioList(ListView):
    """Saved runs."""

    representation = serializers.ScenarioSummary
    source = staticmethod(Scenario.objects.visible)
    kinds = ("scenario",)
    orders = BY_SLUG
    filters = {
        "device": Filter(
            parameters.read_text,
            lambda rows, slug: rows.using_device(slug),
            TextField(),
            "Slug of a device that was simulated.",
            kinds=("device",),
        ),
    }


class ScenarioItem(ItemView):
    """One saved run: its input and its report."""

    representation = serializers.ScenarioRepresentation
    source = staticmethod(Scenario.objects.visible)
    kinds = ("scenario",)

"""Calculations that the worker does: they are asked for, done, read for a day, and thrown away."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from core.api.errors import problems_of
from core.publishing.services import database_now
from simulator.engine import ENGINE_VERSION
from simulator.explanations import explained_plan, explained_quantities
from simulator.models import Run
from simulator.services import read_plan, run_plan
from simulator.sweeping import read_sweep, run_sweep

logger = logging.getLogger("plenum.simulator")

KEPT = timedelta(days=1)
WAITING_MAX = 50
"""A worker does one at a time, and none takes longer than a minute: the last in the line waits for most of an hour."""
LONGEST = timedelta(minutes=5)
"""What runs longer has lost its worker."""


class TooManyWait(Exception):  # noqa: N818 - it reads as what happened
    """So many runs wait that another would not be done soon."""


@dataclass(frozen=True)
class RunKind:
    """What can be asked for: `check` raises ValidationError on the input, `perform` returns the report as JSON.

    `explain` puts the ids of the articles that explain its numbers into a report, when it is read.
    """

    check: Callable[[Any], Any]
    perform: Callable[[Any], dict[str, Any]]
    explain: Callable[[Mapping[str, Any], Mapping[str, UUID]], dict[str, Any]]


KINDS = {
    "plan": RunKind(check=read_plan, perform=run_plan, explain=explained_plan),
    "sweep": RunKind(check=read_sweep, perform=run_sweep, explain=explained_quantities),
}


def start_run(kind: str, data: Any) -> Run:
    """Let the worker do a calculation, and return it; one that was asked for and has not ended is not begun again.

    Raises ValidationError with every problem of the input, and TooManyWait.
    """
    from simulator.tasks import perform_run  # The task calls this module.

    KINDS[kind].check(data)
    asked = {"kind": kind, "input": data, "engine_version": ENGINE_VERSION}
    digest = sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    with transaction.atomic():
        with connection.cursor() as cursor:
            # One at a time, so that the count is exact and like ones meet; for the length of two inserts.
            cursor.execute("select pg_advisory_xact_lock(hashtext('simulator_run'))")
        same = Run.objects.open().filter(sha256=digest).first()
        if same is not None:
            return same
        if Run.objects.open().count() >= WAITING_MAX:
            raise TooManyWait
        run = Run.objects.create(
            kind=kind,
            input=data,
            sha256=digest,
            engine_version=ENGINE_VERSION,
            expires_at=database_now() + KEPT,
        )
        perform_run.defer(run_id=str(run.pk))
        run.refresh_from_db()
        return run


def perform(run_id: str) -> None:
    """Do a calculation that waits. What goes wrong is written into it: nobody waits for an answer for ever."""
    now = database_now()
    if not Run.objects.filter(pk=run_id, state=Run.State.WAITING).update(state=Run.State.RUNNING, started_at=now):
        return
    run = Run.objects.get(pk=run_id)
    try:
        report = KINDS[run.kind].perform(run.input)
    except ValidationError as error:
        # A device that was there when it was asked for may be gone.
        _end(run, Run.State.FAILED, problems=[problem._asdict() for problem in problems_of(error)])
    except Exception:
        logger.exception("The run %s of kind %s failed.", run.pk, run.kind)
        message = "The calculation failed; it has been logged."
        _end(run, Run.State.FAILED, problems=[{"field": None, "code": "server_error", "message": message}])
    else:
        _end(run, Run.State.DONE, report=report)


def ahead_of(run: Run) -> int:
    """Return how many runs are to be done before a run that waits."""
    if run.state != Run.State.WAITING:
        return 0
    return Run.objects.open().filter(created_at__lt=run.created_at).count()


def keep_runs(now: datetime | None = None) -> None:
    """End the runs that lost their worker, and throw away those whose day is over."""
    now = now or database_now()
    lost = Run.objects.filter(state=Run.State.RUNNING, started_at__lt=now - LONGEST)
    message = "The worker ended before it was done; ask again."
    problems = [{"field": None, "code": "worker_lost", "message": message}]
    lost.update(state=Run.State.FAILED, ended_at=now, problems=problems)
    Run.objects.filter(expires_at__lt=now).delete()


def _end(run: Run, state: Run.State, *, report: Any = None, problems: Any = ()) -> None:
    Run.objects.filter(pk=run.pk, state=Run.State.RUNNING).update(
        state=state, report=report, problems=list(problems), ended_at=database_now()
    )

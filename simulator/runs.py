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
from procrastinate.contrib.django.models import ProcrastinateJob

from core.api.errors import problems_of
from core.publishing.services import database_now
from simulator import models
from simulator.engine import ENGINE_VERSION
from simulator.explanations import explained_plan, explained_quantities
from simulator.models import Run
from simulator.services import read_plan, run_plan
from simulator.sweeping import read_sweep, run_sweep

logger = logging.getLogger("plenum.simulator")

KEPT = timedelta(days=1)
WAITING_MAX = 50
"""A worker does one at a time, and none takes longer than a minute: the last in the line waits for most of an hour."""
WAITING_OF_ONE_MAX = 5
"""Of one client, so that nobody fills the line for all others."""
LONGEST = timedelta(minutes=5)
"""What runs longer hangs, or has lost its worker."""
TRIES_MAX = 2
"""A calculation that ended its worker twice (out of memory, a crash of the solver) would end the third one too."""


WORKER_LOST = {
    "field": None,
    "code": models.WORKER_LOST,
    "message": "The worker ended before it was done, more than once; ask for less, or again.",
}


class TooManyWait(Exception):  # noqa: N818 - it reads as what happened
    """So many runs wait that another would not be done soon; `of_client` where they are all of who asks."""

    def __init__(self, *, of_client: bool) -> None:
        super().__init__()
        self.of_client = of_client


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


def start_run(kind: str, data: Any, *, client: str) -> Run:
    """Let the worker do a calculation, and return it; one that was asked for and has not ended is not begun again.

    `client` tells those who ask apart, and says nothing else of them.

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
        if Run.objects.open().filter(client=client).count() >= WAITING_OF_ONE_MAX:
            raise TooManyWait(of_client=True)
        if Run.objects.open().count() >= WAITING_MAX:
            raise TooManyWait(of_client=False)
        run = Run.objects.create(
            kind=kind,
            input=data,
            sha256=digest,
            client=client,
            engine_version=ENGINE_VERSION,
            expires_at=database_now() + KEPT,
        )
        perform_run.defer(run_id=str(run.pk))
        run.refresh_from_db()
        return run


def perform(run_id: str) -> None:
    """Do a calculation that waits. What goes wrong is written into it: nobody waits for an answer for ever.

    One that runs already has lost its worker, for the job comes again only then: it is begun anew.
    """
    run = _begun(run_id)
    if run is None:
        return
    try:
        report = KINDS[run.kind].perform(run.input)
        with transaction.atomic():  # What no database takes is a failure of ours too.
            _end(run, Run.State.DONE, report=report)
    except ValidationError as error:
        # A device that was there when it was asked for may be gone.
        _end(run, Run.State.FAILED, problems=[problem._asdict() for problem in problems_of(error)])
    except Exception:
        logger.exception("The run %s of kind %s failed.", run.pk, run.kind)
        message = "The calculation failed; it has been logged."
        _end(run, Run.State.FAILED, problems=[{"field": None, "code": "server_error", "message": message}])


@transaction.atomic
def _begun(run_id: str) -> Run | None:
    """Return the run as begun; None where it has ended, or lost as many workers as it may."""
    run = Run.objects.open().select_for_update().filter(pk=run_id).first()
    if run is None:
        return None
    if run.state == Run.State.RUNNING:
        if run.tries >= TRIES_MAX:
            _end(run, Run.State.FAILED, problems=[WORKER_LOST])
            return None
        run.tries += 1
    run.state, run.started_at = Run.State.RUNNING, database_now()
    run.save(update_fields=["state", "started_at", "tries"])
    return run


def ahead_of(run: Run) -> int:
    """Return how many runs are to be done before a run that waits."""
    if run.state != Run.State.WAITING:
        return 0
    return Run.objects.open().filter(created_at__lt=run.created_at).count()


def keep_runs(now: datetime | None = None) -> None:
    """Hand runs that have no job any more to a worker again, end those that hang, and throw away those of yesterday.

    The job of a worker that was killed comes again by itself (`config.tasks`); one that failed before it had begun, or
    that somebody deleted, does not, and its run would wait until its day is over.
    """
    now = now or database_now()
    hanging = Run.objects.filter(state=Run.State.RUNNING, started_at__lt=now - LONGEST)
    hanging.update(state=Run.State.FAILED, ended_at=now, problems=[WORKER_LOST])
    Run.objects.filter(expires_at__lt=now).delete()
    with transaction.atomic():
        # Locked first: a run that is open then has a job that has not ended, if it has one.
        waiting = list(Run.objects.open().select_for_update(skip_locked=True))
        with_job = _runs_with_job() if waiting else frozenset()
        for run in waiting:
            if str(run.pk) not in with_job:
                _again(run)


def _again(run: Run) -> None:
    from simulator.tasks import perform_run  # The task calls this module.

    if run.tries >= TRIES_MAX:
        _end(run, Run.State.FAILED, problems=[WORKER_LOST])
        return
    run.state, run.started_at, run.tries = Run.State.WAITING, None, run.tries + 1
    run.save(update_fields=["state", "started_at", "tries"])
    perform_run.defer(run_id=str(run.pk))


def _runs_with_job() -> frozenset[str]:
    jobs = ProcrastinateJob.objects.filter(task_name="simulator.tasks.perform_run", status__in=("todo", "doing"))
    return frozenset(jobs.values_list("args__run_id", flat=True))


def _end(run: Run, state: Run.State, *, report: Any = None, problems: Any = ()) -> None:
    Run.objects.open().filter(pk=run.pk).update(
        state=state, report=report, problems=list(problems), ended_at=database_now()
    )

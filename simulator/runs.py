"""Calculations that the worker does: they are asked for, done, read for a day, and thrown away."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
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
from simulator.engine.numbers import plain, rounded
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
LOOK_SECONDS = 1.0
DIGITS = 9
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


class RunWasEnded(Exception):  # noqa: N818 - it reads as what happened
    """Somebody cancelled the run, or it took so long that it was given up: nobody waits for its report."""


class Watch:
    """The clock of a run: each second it writes how far the run is, and ends it where nobody waits for it any more."""

    def __init__(self, run: Run) -> None:
        self._run, self._begun = run, time.monotonic()
        self._looked = self._begun
        self._best: Decimal | None = None
        self._bound: float | None = None

    def clock(self) -> float:
        """Return seconds, from any moment on. Raises RunWasEnded."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            self._look(now - self._begun)
        return now

    def tell(self, best: Decimal | None, bound: float | None) -> None:
        """Hear of a better answer, or of what none can be better than. Raises RunWasEnded."""
        self._best = self._best if best is None else best
        self._bound = self._bound if bound is None else max(bound, self._bound or 0.0)
        self.clock()

    def _look(self, elapsed_s: float) -> None:
        best = None if self._best is None else plain(self._best)
        gap = None
        if best and self._bound is not None:
            gap = max(0.0, round((best - self._bound) / best, 6))
        bound = None if self._bound is None else plain(rounded(Decimal(repr(self._bound)), DIGITS))
        told = {"best": best, "bound": bound, "gap_fraction": gap, "elapsed_s": int(elapsed_s)}
        if not Run.objects.open().filter(pk=self._run.pk).update(progress=told):
            raise RunWasEnded


@dataclass(frozen=True)
class RunKind:
    """What can be asked for: `check` raises ValidationError on the input, `perform` returns the report as JSON.

    While it works it may look at the clock of its `Watch`, and tell it how far it is.
    `explain` puts the ids of the articles that explain its numbers into a report, when it is read.
    """

    check: Callable[[Any], Any]
    perform: Callable[[Any, Watch], dict[str, Any]]
    explain: Callable[[Mapping[str, Any], Mapping[str, UUID]], dict[str, Any]]


KINDS = {
    "plan": RunKind(check=read_plan, perform=lambda data, watch: run_plan(data, watch=watch), explain=explained_plan),
    "sweep": RunKind(
        check=read_sweep,
        perform=lambda data, watch: run_sweep(data, look=watch.clock),
        explain=explained_quantities,
    ),
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
        report = KINDS[run.kind].perform(run.input, Watch(run))
        with transaction.atomic():  # What no database takes is a failure of ours too.
            _end(run, Run.State.DONE, report=report)
    except RunWasEnded:
        return
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


def cancel(run: Run) -> Run:
    """End a run that waits or is being done, and return it as it then is; one that has ended stays as it is.

    Its worker notices within a second or two.
    """
    _end(run, Run.State.CANCELLED)
    run.refresh_from_db()
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

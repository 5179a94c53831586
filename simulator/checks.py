"""Scenarios compared with a run of today, by the worker: after each change of what they are made of, by each engine.

One that is new, or saved of other records than before, is compared once, too: what changed in them while it was being
saved found no scenario to ask for.

What it finds stands beside the scenario (`ScenarioDrift`) until an editor saves, which accepts it. Any number of
workers may do it at once, and one that is killed loses nothing: a due check is deleted with what came of it. One whose
comparison ended three workers is put aside, which its drift says, until it, a record of it or the engine changes.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Min

from catalog.models import Device, RackType
from core.api.representations import InstantField
from core.publishing.models import Reference
from core.publishing.services import database_now
from simulator.drift import Drift, Refused, cannot_run, drift_of
from simulator.engine import ENGINE_VERSION, as_data
from simulator.models import WORKER_LOST, BegunCheck, DueCheck, Scenario, ScenarioCheck, ScenarioDrift

logger = logging.getLogger("plenum.simulator")

AT_ONCE = 200
"""How many are looked up together."""
TRIES_MAX = 3
"""A comparison that ended so many workers (out of memory, a crash) would end the next one too."""
FAILED = Refused(None, "server_error", "The run failed; it has been logged.")
LOST = Refused(
    None,
    WORKER_LOST,
    f"Its run ended the worker {TRIES_MAX} times, as one does that takes too much memory. Ask for less (shorter "
    "ranges, fewer devices) and save it. It is also tried again when one of its records or the engine changes.",
)
_RECORDS: dict[str, Any] = {"device": Device, "rack_type": RackType}


def check_due() -> int:
    """Compare every scenario that is due, and return how many were compared.

    Those that another worker has in hand, or an editor is saving, are left: they stay due. What ended a worker comes
    last, so that it keeps no other from being compared.
    """
    count = 0
    seen: set[UUID] = set()
    lost: list[UUID] = []
    while ids := [pk for pk in _due(seen) if pk not in seen]:
        seen.update(ids)
        tried = set(BegunCheck.objects.filter(pk__in=ids).values_list("pk", flat=True))
        lost += [pk for pk in ids if pk in tried]
        count += sum(check_scenario(pk) for pk in ids if pk not in tried)
    return count + sum(check_scenario(pk) for pk in lost)


def _due(seen: set[UUID]) -> list[UUID]:
    """Return the next that are due: after changes of the catalogue, the oldest first; then what is new."""
    changed = DueCheck.objects.exclude(scenario_id__in=seen).values("scenario_id").annotate(first=Min("at"))
    ids = [row["scenario_id"] for row in changed.order_by("first")[:AT_ONCE]]
    if ids:
        return ids
    rows = Scenario.objects.unchecked(ENGINE_VERSION).exclude(pk__in=seen).order_by("pk")
    return list(rows.values_list("pk", flat=True)[:AT_ONCE])


def check_scenario(pk: UUID) -> bool:
    """Compare a scenario with a run of today and keep what moved; False where somebody else has it in hand.

    So is what was just saved while somebody has one of its records in hand. That it began is kept first: what ends the
    worker leaves nothing else behind.
    """
    with _alone(pk) as is_ours:
        if not is_ours or not (tries := _begun(pk)):
            return False
        return _ended(pk, is_put_aside=tries > TRIES_MAX)


@contextmanager
def _alone(pk: UUID) -> Iterator[bool]:
    """Keep other workers from a scenario, over more than one transaction; False where one has it already.

    The lock is that of the connection, and so goes with a worker that is killed.
    """
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(hashtext('simulator_check'), hashtext(%s))", [str(pk)])
        (is_ours,) = cursor.fetchone()
        try:
            yield is_ours
        finally:
            if is_ours:
                cursor.execute("select pg_advisory_unlock(hashtext('simulator_check'), hashtext(%s))", [str(pk)])


@transaction.atomic
def _begun(pk: UUID) -> int:
    """Keep that a comparison begins, and return how often it did since one ended; 0 where it cannot begin now."""
    scenario = Scenario.objects.select_for_update(skip_locked=True).filter(pk=pk).first()
    if scenario is None:
        if not Scenario.objects.filter(pk=pk).exists():
            DueCheck.objects.filter(scenario_id=pk).delete()
        return 0
    is_new = not ScenarioCheck.objects.filter(scenario=scenario).exists()
    if is_new and not _are_settled(scenario):
        return 0
    begun, _ = BegunCheck.objects.get_or_create(scenario=scenario)
    begun.tries += 1
    begun.save()
    return begun.tries


@transaction.atomic
def _ended(pk: UUID, *, is_put_aside: bool) -> bool:
    """Compare a scenario, or put it aside, and keep what came of it; False where an editor is saving it."""
    scenario = Scenario.objects.select_for_update(skip_locked=True).filter(pk=pk).first()
    BegunCheck.objects.filter(pk=pk).delete()
    if scenario is None:
        return False
    # Read before the run: what commits after this stays due.
    due = dict(DueCheck.objects.filter(scenario_id=pk).values_list("id", "at"))
    now = database_now()
    told = InstantField().to_representation(min(due.values(), default=now))
    drift = cannot_run(scenario, LOST, at=told) if is_put_aside else _drift(scenario, at=told)
    store_drift(scenario, drift, at=now)
    DueCheck.objects.filter(pk__in=due).delete()
    return True


def _are_settled(scenario: Scenario) -> bool:
    """Return whether nobody has a record in hand that a scenario is made of.

    A change that is not committed yet asked for its scenarios when this one was none of them: it is waited for.
    """
    named = Reference.objects.filter(holder_kind="scenario", holder_id=scenario.pk)
    count = free = 0
    with transaction.atomic():
        for kind, model in _RECORDS.items():
            rows = model.objects.filter(pk__in=list(named.filter(target_kind=kind).values_list("target_id", flat=True)))
            free += len(rows.select_for_update(skip_locked=True).order_by("pk").values_list("pk"))
            count += rows.count()
        transaction.set_rollback(True)  # Who begins now finds the scenario, and need not wait for us.
    return free == count


def _drift(scenario: Scenario, *, at: str) -> Drift:
    try:
        with transaction.atomic():
            return drift_of(scenario, at=at)
    except Exception:
        # One that cannot be compared must not keep the others from being so.
        logger.exception("The scenario %s could not be compared.", scenario.pk)
        return cannot_run(scenario, FAILED, at=at)


def store_drift(scenario: Scenario, drift: Drift, *, at: datetime) -> None:
    """Keep what was found of a scenario at `at`, or that nothing moved. What is known already is not written again."""
    checked = ScenarioCheck.objects.filter(scenario=scenario, engine_version=ENGINE_VERSION)
    if not checked.exists():
        ScenarioCheck.objects.update_or_create(scenario=scenario, defaults={"engine_version": ENGINE_VERSION})
    if not drift.is_any:
        ScenarioDrift.objects.filter(scenario=scenario).delete()
        return
    known = ScenarioDrift.objects.filter(scenario=scenario).first() or ScenarioDrift(scenario=scenario)
    data = as_data(drift)
    if known.data != data:
        known.engine_version = ENGINE_VERSION
        known.since = drift.since or at
        known.data = data
        known.save()

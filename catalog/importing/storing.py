"""The import itself: everything that was read is planned, then written in one short transaction, or nothing is."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from catalog.importing.claims import plan_claims
from catalog.importing.columns import device_columns, module_columns, rack_columns
from catalog.importing.plan import COMPONENT_COLUMNS, ComponentRecord, ComponentRow, Plan, TypeRow
from catalog.importing.problems import Notice, Refusal
from catalog.importing.reading import Reading
from catalog.importing.records import DeviceType
from catalog.importing.rows import (
    COMPONENTS,
    assign_sections,
    load_known,
    load_manufacturers,
    plan_components,
    plan_row,
)
from catalog.models import Device, Manufacturer, ModuleType, RackType
from core.api.ids import uuid7
from core.facts.models import Claim, Fact, Source
from core.facts.services import settle_choices

# One import at a time: the second waits, and finds what the first wrote. Any number that no other lock uses.
IMPORT_LOCK = 7_305_001
ATTEMPTS = 3
BATCH = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """`is_written` is false after a dry run, after a refusal without `keep_going`, and where nothing was to do."""

    plan: Plan
    refusals: tuple[Refusal, ...]
    notices: tuple[Notice, ...]
    is_written: bool


class ChangedMeanwhileError(Exception):
    """An editor saved a row between our reading and our writing it."""


def import_types(reading: Reading, *, update: bool = False, keep_going: bool = False, dry_run: bool = False) -> Outcome:
    """Bring what was read into the catalogue, all in one transaction, and return what was done or would be.

    Without `keep_going` one refusal keeps all of it out. Without `update` what is stored stays: unknown values are
    filled in, new records and claims added, differences only told. A second run writes nothing.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with transaction.atomic():
                return _import(reading, update, keep_going, dry_run)
        except ChangedMeanwhileError:
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("The last attempt returns or raises.")


def _import(reading: Reading, update: bool, keep_going: bool, dry_run: bool) -> Outcome:
    if not dry_run:
        with connection.cursor() as cursor:
            cursor.execute("select pg_advisory_xact_lock(%s)", [IMPORT_LOCK])
    plan = make_plan(reading, update=update)
    refusals = tuple(sorted((*reading.refusals, *plan.refusals)))
    notices = tuple(sorted((*reading.notices, *plan.notices)))
    is_written = not (dry_run or plan.is_empty or (refusals and not keep_going))
    if is_written:
        write(plan)
    return Outcome(plan, refusals, notices, is_written)


def make_plan(reading: Reading, *, update: bool) -> Plan:
    """Compare what was read with what is stored. The number of statements does not grow with either."""
    with connection.cursor() as cursor:
        cursor.execute("select statement_timestamp()")
        plan = Plan(update=update, at=cursor.fetchone()[0])
    makers = load_manufacturers(plan, reading.records)

    # The library first: of two readers that name one device, its texts are kept.
    devices = sorted(reading.devices, key=lambda record: record.origin != "library")
    known = load_known(Device, devices)
    found: list[tuple[Device, DeviceType]] = []
    for device in devices:
        columns = device_columns(device, reading.source)
        row = plan_row(plan, known, device, columns, makers[device.identity[0]])
        if isinstance(row, Device):
            found.append((row, device))
            if device.origin == "library":
                plan_components(plan, known, row, device)
    assign_sections(plan)
    plan_claims(plan, found)

    known = load_known(ModuleType, reading.modules)
    for module in reading.modules:
        row = plan_row(plan, known, module, module_columns(module, reading.source), makers[module.identity[0]])
        if row is not None:
            plan_components(plan, known, row, module)

    known = load_known(RackType, reading.racks)
    for rack in reading.racks:
        plan_row(plan, known, rack, rack_columns(rack, reading.source), makers[rack.identity[0]])

    # A maker of refused or unchanged records only is not made.
    rows = [*plan.new_rows, *(changed.row for changed in plan.changed_rows.values())]
    used = {row.manufacturer_id for row in rows}
    plan.manufacturers = [maker for maker in plan.manufacturers if maker.pk in used]
    return plan


def write(plan: Plan) -> None:
    """Write the plan, in the order of its foreign keys. Raises ChangedMeanwhileError."""
    Manufacturer.objects.bulk_create(plan.manufacturers)
    for model in (Device, ModuleType, RackType):
        _of(model).bulk_create([row for row in plan.new_rows if isinstance(row, model)], batch_size=BATCH)
        _update_rows(plan, model)
    for component_model, ids in plan.old_components.items():
        _of(component_model).filter(pk__in=ids).delete()
    _write_components(plan)
    Source.objects.bulk_create(plan.sources)
    Fact.objects.bulk_create(plan.facts, batch_size=BATCH)
    Claim.objects.bulk_create(plan.new_claims, batch_size=BATCH)
    Claim.objects.bulk_update(plan.changed_claims, ["value", "unit", "confidence", "note"], batch_size=BATCH)
    if plan.touched_facts:
        settle_choices(plan.touched_facts.values())


def _of(model: type[Any]) -> Any:
    """Return the manager of one of several tables, whose rows share no type."""
    return model._default_manager


def _update_rows(plan: Plan, model: type[TypeRow]) -> None:
    changed = {pk: each for pk, each in plan.changed_rows.items() if isinstance(each.row, model)}
    if not changed:
        return
    locked = _of(model).select_for_update().filter(pk__in=changed).order_by("pk")
    today = dict(locked.values_list("pk", "updated_at"))
    if any(today.get(pk) != each.read_at for pk, each in changed.items()):
        raise ChangedMeanwhileError
    columns = sorted(set().union(*(each.columns for each in changed.values())))
    _of(model).bulk_update([each.row for each in changed.values()], columns, batch_size=500)


def _write_components(plan: Plan) -> None:
    for model, rows in plan.new_components.items():
        _copy(model, rows)
    for model in {type(component) for component in plan.changed_components}:
        changed = [component for component in plan.changed_components if type(component) is model]
        _of(model).bulk_update(changed, list(COMPONENT_COLUMNS), batch_size=500)


def _copy(model: type[ComponentRecord], rows: list[tuple[UUID, ComponentRow]]) -> None:
    """Write new components by COPY, which takes a tenth of the time of INSERT for the thousands that a library has."""
    owner = next(found for known, found in COMPONENTS.values() if known is model)
    columns = ", ".join(connection.ops.quote_name(name) for name in ("id", owner, *COMPONENT_COLUMNS))
    statement = f"copy {connection.ops.quote_name(model._meta.db_table)} ({columns}) from stdin"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for owner_id, (*scalars, extra) in rows:
            copy.write_row((uuid7(), owner_id, *scalars, json.dumps(extra)))

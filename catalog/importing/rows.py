"""Which stored row a record is, and what of it is new, filled in or different."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Q

from catalog.importing.columns import SECTIONS, component_rows
from catalog.importing.plan import COMPONENT_COLUMNS, Change, ComponentRecord, ComponentRow, Plan, TypeRow
from catalog.importing.problems import Notice, Refusal
from catalog.importing.records import DeviceType, ModuleType, TypeRecord
from catalog.models import Device, DeviceComponent, Manufacturer, ModuleComponent, Section
from catalog.models import ModuleType as ModuleRow

COMPONENTS: dict[type[Any], tuple[type[ComponentRecord], str]] = {
    Device: (DeviceComponent, "device_id"),
    ModuleRow: (ModuleComponent, "module_type_id"),
}


@dataclass(slots=True)
class Known:
    """The stored rows of one table that records of this run may be, and those that the run adds."""

    model: type[Any]
    by_slug: dict[str, TypeRow]
    by_model: dict[tuple[str, str], TypeRow]
    taken_slugs: set[str]
    components: dict[UUID, list[tuple[UUID, ComponentRow]]] = field(default_factory=dict)

    def add(self, row: TypeRow) -> None:
        self.by_slug[row.slug] = row
        self.by_model[row.manufacturer.slug, row.model] = row
        self.taken_slugs.add(row.slug)


def load_known(model: type[Any], records: Sequence[TypeRecord]) -> Known:
    """Load what the records may be: rows of their slugs, or of their makers and models. Three statements."""
    makers = {record.identity[0] for record in records}
    names = {record.model for record in records}
    wanted = Q(slug__in={record.slug for record in records}) | Q(manufacturer__slug__in=makers, model__in=names)
    rows = model.objects.filter(wanted).select_related("manufacturer")
    if model is Device:
        rows = rows.defer("search")
    known = Known(model, {}, {}, set(model.objects.values_list("slug", flat=True)))
    for row in rows:
        known.add(row)
    if model in COMPONENTS:
        component_model, owner = COMPONENTS[model]
        ids = [row.pk for row in known.by_slug.values()]
        stored = component_model.objects.filter(**{f"{owner}__in": ids})
        for pk, owner_id, *columns in stored.values_list("pk", owner, *COMPONENT_COLUMNS):
            known.components.setdefault(owner_id, []).append((pk, tuple(columns)))
    return known


def load_manufacturers(plan: Plan, records: Iterable[TypeRecord]) -> dict[str, Manufacturer]:
    """Return the makers of the records by slug; those that are new are in the plan, under the name that comes first."""
    names: dict[str, str] = {}
    for record in records:
        names.setdefault(record.identity[0], record.manufacturer)
    makers = {maker.slug: maker for maker in Manufacturer.objects.filter(slug__in=names)}
    for slug, name in names.items():
        if slug not in makers:
            makers[slug] = Manufacturer(slug=slug, name=name)
            plan.manufacturers.append(makers[slug])
    return makers


def plan_row(
    plan: Plan, known: Known, record: TypeRecord, columns: dict[str, Any], maker: Manufacturer
) -> TypeRow | None:
    """Return the row that `record` is, stored or new, with what it adds; None where it would be two rows at once.

    What is unknown in the row is filled in. What differs is a change, which is written only by an update. The systems
    file changes nothing of a device that the library has: of two texts the library's stays, whatever the order.
    """
    # A module has no slug of its own: two models may come to one (PSU-2, PSU-2+), and are still two.
    by_slug = None if isinstance(record, ModuleType) else known.by_slug.get(record.slug)
    by_model = known.by_model.get(record.identity)
    if by_slug is not None and by_model is not None and by_slug is not by_model:
        message = f"The address {record.slug} is that of {by_slug}, and {by_model} has the address {by_model.slug}."
        _refuse(plan, record, "two_records", message)
        return None
    row = by_slug or by_model
    origin = record.origin if isinstance(record, DeviceType) else "library"
    if row is None:
        row = known.model(slug=_free_slug(record.slug, known.taken_slugs), manufacturer=maker)
        for name, value in columns.items():
            plan.change_column(row, name, value)
        plan.change_column(row, "extra.origin", origin)
        plan.new_rows.append(row)
        known.add(row)
        return row
    is_owner = origin == "library" or row.extra.get("origin") != "library"
    if is_owner and row.extra.get("origin") != origin:
        plan.change_column(row, "extra.origin", origin)
    if row.slug != record.slug and is_owner and not isinstance(record, ModuleType):
        message = f"The file calls it {record.slug}; its address stays {row.slug}, so that links to it hold."
        plan.notices.append(Notice(record.place.file, record.place.line, "slug", "address_kept", message))
    for name, value in columns.items():
        old = _value(row, name)
        if old in (None, "") or (name == "is_whole_rack" and old is False):
            plan.change_column(row, name, value)
        elif not _is_same(old, value) and is_owner:
            _change(plan, row, record, name, old, value)
    if row.manufacturer.slug != maker.slug and is_owner:
        _change(plan, row, record, "manufacturer", row.manufacturer, maker)
    return row


def plan_components(plan: Plan, known: Known, row: TypeRow, record: DeviceType | ModuleType) -> None:
    """Add the components of a row that has none; where they differ from the file, change them by an update only."""
    model, owner = COMPONENTS[known.model]
    wanted = {columns[:2]: columns for columns in component_rows(record.components)}
    stored = {columns[:2]: (pk, columns) for pk, columns in known.components.get(row.pk, [])}
    new = [columns for key, columns in wanted.items() if key not in stored]
    changed = [(pk, wanted[key]) for key, (pk, old) in stored.items() if key in wanted and wanted[key] != old]
    gone = [(pk, columns) for key, (pk, columns) in stored.items() if key not in wanted]
    if stored:
        _tell_components(plan, row, record, stored, new, changed, gone)
    if plan.update or not stored:
        plan.new_components.setdefault(model, []).extend((row.pk, columns) for columns in new)
        plan.old_components.setdefault(model, []).extend(pk for pk, _ in gone)
        for pk, columns in changed:
            fields = dict(zip(COMPONENT_COLUMNS, columns, strict=True))
            plan.changed_components.append(model(pk=pk, **{owner: row.pk}, **fields))


def _tell_components(
    plan: Plan,
    row: TypeRow,
    record: TypeRecord,
    stored: Iterable[tuple[str, str]],
    new: list[ComponentRow],
    changed: list[tuple[UUID, ComponentRow]],
    gone: list[tuple[UUID, ComponentRow]],
) -> None:
    """Tell the difference of each list that has one, in numbers: a switch may have 326 ports."""
    before = Counter(kind for kind, _ in stored)
    added = Counter(columns[0] for columns in new)
    altered = Counter(columns[0] for _, columns in changed)
    removed = Counter(columns[0] for _, columns in gone)
    for kind in sorted(added.keys() | altered.keys() | removed.keys()):
        text = f"{added[kind]} new, {altered[kind]} changed, {removed[kind]} removed"
        plan.changes.append(Change(record.place.file, record.place.line, str(row), kind, str(before[kind]), text))


def assign_sections(plan: Plan) -> None:
    """Put new devices into the section of their kind, where the publication has one of that name."""
    sections = {section.slug: section for section in Section.objects.filter(slug__in=set(SECTIONS.values()))}
    for row in plan.new_rows:
        if isinstance(row, Device) and row.device_kind in SECTIONS:
            row.section = sections.get(SECTIONS[row.device_kind])


def _change(plan: Plan, row: TypeRow, record: TypeRecord, name: str, old: Any, new: Any) -> None:
    place = record.place
    plan.changes.append(Change(place.file, place.line, str(row), name, _shown(old), _shown(new)))
    if plan.update:
        plan.change_column(row, name, new)


def _refuse(plan: Plan, record: TypeRecord, code: str, message: str) -> None:
    plan.refusals.append(Refusal(record.place.file, record.place.line, "slug", code, message))


def _value(row: TypeRow, name: str) -> Any:
    return row.extra.get(name.removeprefix("extra.")) if name.startswith("extra.") else getattr(row, name)


def _is_same(old: Any, new: Any) -> bool:
    if isinstance(new, Decimal) or isinstance(old, Decimal):
        return Decimal(old) == Decimal(new)
    return bool(old == new)


def _shown(value: Any) -> str:
    text = f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _free_slug(slug: str, taken: set[str]) -> str:
    free, number = slug, 1
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return free

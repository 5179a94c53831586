"""What an import will do to the database, worked out before anything is written."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeAlias
from uuid import UUID

from catalog.importing.problems import Notice, Refusal
from catalog.models import Device, DeviceComponent, Manufacturer, ModuleComponent, ModuleType, RackType
from core.facts.models import Claim, Fact, Source

TypeRow: TypeAlias = Device | ModuleType | RackType
ComponentRecord: TypeAlias = DeviceComponent | ModuleComponent
# One component as a row has it: kind, name, position in its list, label, type, maximum and allocated draw, the rest.
ComponentRow: TypeAlias = tuple[str, str, int, str, str, Decimal | None, Decimal | None, dict[str, Any]]
COMPONENT_COLUMNS = (
    "component_kind",
    "name",
    "position",
    "label",
    "type",
    "maximum_draw_w",
    "allocated_draw_w",
    "extra",
)


@dataclass(frozen=True, slots=True)
class Change:
    """A value of the catalogue that a file has otherwise. It is written only when the import was asked to update."""

    file: str
    line: int
    subject: str
    field: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.subject}: {self.field}: {self.old} → {self.new}"


@dataclass(slots=True)
class ChangedRow:
    """A stored row with new values in `columns`. `read_at` is its `updated_at` when the plan was made."""

    row: TypeRow
    read_at: datetime
    columns: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Plan:
    """`changes` are differences from what is stored; without `update` they are shown and left alone.

    `at` is the instant of the database at which new claims are made. `new_components` go by the id of their owner.
    """

    update: bool
    at: datetime
    manufacturers: list[Manufacturer] = field(default_factory=list)
    new_rows: list[TypeRow] = field(default_factory=list)
    changed_rows: dict[UUID, ChangedRow] = field(default_factory=dict)
    new_components: dict[type[ComponentRecord], list[tuple[UUID, ComponentRow]]] = field(default_factory=dict)
    changed_components: list[ComponentRecord] = field(default_factory=list)
    old_components: dict[type[ComponentRecord], list[UUID]] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    new_claims: list[Claim] = field(default_factory=list)
    changed_claims: list[Claim] = field(default_factory=list)
    touched_facts: dict[UUID, Fact] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return not self.written()

    def written(self) -> Counter[str]:
        """Count what is to be written, by a name that a person reads."""
        names = {Device: "devices", ModuleType: "module types", RackType: "rack types"}
        counts: Counter[str] = Counter()
        for row in self.new_rows:
            counts[f"new {names[type(row)]}"] += 1
        for changed in self.changed_rows.values():
            counts[f"changed {names[type(changed.row)]}"] += 1
        counts["new manufacturers"] = len(self.manufacturers)
        counts["new components"] = sum(map(len, self.new_components.values()))
        counts["changed components"] = len(self.changed_components)
        counts["removed components"] = sum(map(len, self.old_components.values()))
        counts["new sources"] = len(self.sources)
        counts["new facts"] = len(self.facts)
        counts["new claims"] = len(self.new_claims)
        counts["changed claims"] = len(self.changed_claims)
        return +counts

    def change_column(self, row: TypeRow, name: str, value: Any) -> None:
        """Set a column of a row, new or stored, so that it is written."""
        if name.startswith("extra."):
            row.extra = {**row.extra, name.removeprefix("extra."): value}
            name = "extra"
        else:
            setattr(row, name, value)
        if not row._state.adding:
            changed = self.changed_rows.setdefault(row.pk, ChangedRow(row, row.updated_at))
            changed.columns.add(name)

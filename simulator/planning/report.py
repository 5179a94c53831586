"""What came of a plan. `as_data` of the engine turns it into plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.report import RackReport
from simulator.planning.candidates import Unusable


@dataclass(frozen=True, slots=True)
class Item:
    device: str
    quantity: int


@dataclass(frozen=True, slots=True)
class LimitUse:
    """How much of a limit is taken, by the name of the input, in `unit`.

    `is_binding`: no device that could be used fits into what is left.
    """

    limit: str
    unit: str
    used: Decimal
    given: Decimal
    left: Decimal
    is_binding: bool


@dataclass(frozen=True, slots=True)
class PlannedRack:
    """`count` racks that are alike: what stands in each, what of its limits is taken, and what the simulator says.

    `input` is what `simulator/rack/` takes: it answers with `report`.
    """

    count: int
    items: tuple[Item, ...]
    accelerators: int
    price: Decimal | None
    limits: tuple[LimitUse, ...]
    input: Mapping[str, Any]
    report: RackReport


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """`count` rows that are alike: how many of each kind of rack, in the order of `racks`.

    `power_at_least_kw` is the sum of what is known, where the power is not.
    """

    count: int
    racks: tuple[int, ...]
    power_kw: Decimal | None
    power_at_least_kw: Decimal | None


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A limit that stands in the way: what was given, and what no layout can do with less of.

    It does so alone, or with the limits `with_others`, of which there must be more too. `needed` is null where that was
    not found out: for a limit of each rack, and where there are others. `message` says what to do.
    """

    limit: str
    given: Decimal
    needed: Decimal | None
    with_others: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class PlanReport:
    """`status`: optimal (proven), feasible (a layout, with a gap), infeasible (proven), not_found (time, or rows).

    `bound` is what no layout can go below, in racks or in money; `gap_fraction` is how far `objective_value` lies above
    it. The powers are those of `basis`; where one is unknown, `power_at_least_kw` is the sum of what is known.
    `limits` are those of the site; each of `racks` has its own. `most_accelerators` is what an infeasible plan can give
    at the most. Nothing here depends on the machine unless the time limit ended the search.
    """

    status: str
    objective: str
    objective_value: Decimal | None
    bound: Decimal | None
    gap_fraction: Decimal | None
    accelerators: int
    racks_count: int
    rows_count: int | None
    power_kw: Decimal | None
    power_at_least_kw: Decimal | None
    cost: Decimal | None
    basis: str
    racks: tuple[PlannedRack, ...]
    rows: tuple[PlannedRow, ...]
    limits: tuple[LimitUse, ...]
    most_accelerators: int | None
    shortfalls: tuple[Shortfall, ...]
    unusable: tuple[Unusable, ...]
    assumptions: tuple[str, ...]

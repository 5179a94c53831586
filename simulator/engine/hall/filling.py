"""Racks into rows, rows into a hall: places, power and heat are capped at each, and one cap binds first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.counts import (
    ManyCounts,
    either,
    fitted,
    how_often,
    is_never,
    least,
    named,
    over_rows,
    spread,
    the_one,
)
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

POSITIONS = Range("positions", low=1, high=1000, step=Decimal(1))
ROWS = Range("rows", low=1, high=10_000, step=Decimal(1))
KW = Range("kW", above=0, high=10_000_000)

RACKS_PLACED = Quantity("racks_placed_count", "", "racks that find a place under every cap", "First fit, hottest first")
RACKS_LEFT = Quantity("racks_left_count", "", "racks_asked_count − racks_placed_count", "Arithmetic")
RACKS_ASKED = Quantity("racks_asked_count", "", "Σ count", "Arithmetic")
POSITIONS_EMPTY = Quantity(
    "positions_empty_count", "", "rows · row_positions − racks_placed_count", "Arithmetic; stranded by power or heat"
)
RACKS_PER_ROW = Quantity(
    "full_power_racks_per_row", "", "min(row_positions, row_kw_max / rack_kw)", "Definition of a cap", False
)


@dataclass(frozen=True, slots=True)
class Caps:
    """What a hall allows; None is no cap. Power in kW on the basis of the racks, heat in kW."""

    rows: int
    row_positions: int
    rack_kw: Decimal | None = None
    row_kw: Decimal | None = None
    hall_kw: Decimal | None = None
    air_kw: Decimal | None = None
    liquid_kw: Decimal | None = None
    floor_kg_m2: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Like racks: what each takes, and where its heat goes, in kW."""

    name: str
    count: int
    kw: Decimal
    air_kw: Decimal
    liquid_kw: Decimal
    floor_kg_m2: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Filling:
    """How many racks of each group were placed, in how many rows, and which cap kept out the first that were not."""

    placed: dict[str, int]
    rows_used: int
    binding: str | None


Rows = tuple[int, int, Decimal]
"""How many rows are alike, the racks in each, and the power in each, in kW."""


def racks_per_row(rack_kw: Decimal, *, row_kw: Decimal | None, row_positions: int) -> Decimal:
    """Return how many racks at full power a row takes: min(positions, row_kw / rack_kw), a fraction included.

    The fraction is the part of a rack's power that is left over: ten racks of 140 kW need 1,400 kW of a row that has
    1,360. Valid for a power above zero. Source: definition of a cap.
    """
    require(rack_kw=(rack_kw, KW), row_positions=(Decimal(row_positions), POSITIONS))
    return Decimal(row_positions) if row_kw is None else min(Decimal(row_positions), row_kw / rack_kw)


def fill(groups: Sequence[Group], caps: Caps) -> Filling:
    """Return where like racks go: the hottest group first, then by name, each row as full as its caps allow.

    A rack goes to the first row with a place and power for it, if the hall has power and cooling left. First fit in
    falling order needs at most 11/9 of the fewest rows and two thirds of one more; of equal racks it needs the fewest.
    Rows in the same state are taken together, so that the work grows with groups and not with racks. Valid for up to
    10,000 rows of 1,000 positions. Source: Johnson 1973 (11/9); Dósa, The tight bound of first fit decreasing
    bin-packing, 2007 (two thirds).
    """
    rows: list[Rows] = [(caps.rows, 0, Decimal(0))]
    caps_of_hall = {"hall_kw_max": caps.hall_kw, "air_kw_max": caps.air_kw, "liquid_kw_max": caps.liquid_kw}
    left = {name: cap for name, cap in caps_of_hall.items() if cap is not None}
    placed: dict[str, int] = {}
    # A cap by its name, which may differ from point to point of a sweep; "" as long as none binds.
    binding: Any = ""
    for group in sorted(groups, key=lambda each: (-each.kw, each.name)):
        if caps.rack_kw is not None and group.kw > caps.rack_kw:
            placed[group.name], binding = 0, either(binding, "rack_kw_max")
            continue
        if caps.floor_kg_m2 is not None and group.floor_kg_m2 is not None and group.floor_kg_m2 > caps.floor_kg_m2:
            placed[group.name], binding = 0, either(binding, "floor_kg_m2_max")
            continue
        allowed, cap = _within_hall(group, left)
        rows, count, row_cap = _into_rows(rows, group.kw, allowed, caps)
        placed[group.name] = count
        for name in left:
            left[name] -= count * _takes(group, name)
        binding = either(binding, either(named(allowed - count, row_cap), cap))
    used = sum(over_rows(many * least(racks, 1)) for many, racks, _ in rows)
    return Filling(placed, used, the_one(binding) or None)


def _takes(group: Group, cap: str) -> Decimal:
    return {"hall_kw_max": group.kw, "air_kw_max": group.air_kw, "liquid_kw_max": group.liquid_kw}[cap]


def _within_hall(group: Group, left: Mapping[str, Decimal]) -> tuple[int, Any]:
    """Return how many racks the power and the cooling that are left let in, and which of them keeps out the others."""
    allowed, cap = group.count, ""
    for name, available in left.items():
        if (each := _takes(group, name)) > 0:
            fits = how_often(each, available)
            cap = either(named(allowed - fits, name), cap)
            allowed = least(allowed, fits)
    return allowed, cap


def _into_rows(rows: Sequence[Rows], kw: Decimal, wanted: int, caps: Caps) -> tuple[list[Rows], int, Any]:
    """Return the rows with as many of `wanted` racks as they take, how many that are, and what ends them."""
    placed, after, rooms = 0, [], []
    is_capped = caps.row_kw is not None and kw > 0
    for row in rows:
        many, racks, row_kw = row
        room = places = caps.row_positions - racks
        if is_capped:
            room = least(places, how_often(kw, caps.row_kw - row_kw))  # type: ignore[operator]
            rooms.append((many, places, room))
        if is_never(room):
            after.append(row)
            continue
        here = fitted(wanted - placed, many * room)
        placed += over_rows(here)
        full, rest = spread(here, room)
        begun = least(rest, 1)
        for count, more in ((full, room), (begun, rest), (many - full - begun, 0)):
            if not is_never(count):
                after.append((count, racks + more, row_kw + more * kw))
    if isinstance(placed, ManyCounts):
        after = placed.packed(after)
    if is_never(wanted - placed):
        return after, placed, ""
    # Places for which there is no power.
    dark = sum(over_rows(many * (places - room)) for many, places, room in rooms)
    return after, placed, either(named(dark, "row_kw_max"), "positions")

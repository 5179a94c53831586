"""Racks into rows, rows into a hall: places, power and heat are capped at each, and one cap binds first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

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
    rows = [(caps.rows, 0, Decimal(0))]  # (how many rows, racks in each, kW in each)
    left = {"hall_kw_max": caps.hall_kw, "air_kw_max": caps.air_kw, "liquid_kw_max": caps.liquid_kw}
    placed: dict[str, int] = {}
    binding: str | None = None
    for group in sorted(groups, key=lambda each: (-each.kw, each.name)):
        if caps.rack_kw is not None and group.kw > caps.rack_kw:
            placed[group.name], binding = 0, binding or "rack_kw_max"
            continue
        if caps.floor_kg_m2 is not None and group.floor_kg_m2 is not None and group.floor_kg_m2 > caps.floor_kg_m2:
            placed[group.name], binding = 0, binding or "floor_kg_m2_max"
            continue
        allowed, cap = _within_hall(group, left)
        rows, count, row_cap = _into_rows(rows, group, min(group.count, allowed), caps)
        placed[group.name] = count
        for name, each in _takes(group).items():
            available = left[name]
            if available is not None:
                left[name] = available - count * each
        if count < group.count and binding is None:
            binding = row_cap if count < min(group.count, allowed) else cap
    used = sum(count for count, racks, _ in rows if racks)
    return Filling(placed, used, binding)


def _takes(group: Group) -> dict[str, Decimal]:
    return {"hall_kw_max": group.kw, "air_kw_max": group.air_kw, "liquid_kw_max": group.liquid_kw}


def _within_hall(group: Group, left: dict[str, Decimal | None]) -> tuple[int, str | None]:
    """Return how many racks the power and the cooling that are left let in, and which of them ends first."""
    allowed, cap = group.count, None
    for name, each in _takes(group).items():
        available = left[name]
        if available is not None and each > 0 and int(available / each) < allowed:
            allowed, cap = int(available / each), name
    return allowed, cap


def _into_rows(
    rows: list[tuple[int, int, Decimal]], group: Group, wanted: int, caps: Caps
) -> tuple[list[tuple[int, int, Decimal]], int, str]:
    """Return the rows with as many of `wanted` racks as they take, how many that are, and what ends them."""
    placed, after, cap = 0, [], "positions"
    for count, racks, kw in rows:
        room = caps.row_positions - racks
        if caps.row_kw is not None and group.kw > 0:
            by_power = int((caps.row_kw - kw) / group.kw)
            if by_power < room:
                room, cap = by_power, "row_kw_max"
        here = min(wanted - placed, room * count)
        full, rest = divmod(here, room or 1)
        placed += here
        for many, more in ((full, room), (1 if rest else 0, rest), (count - full - (rest > 0), 0)):
            if many:
                after.append((many, racks + more, kw + more * group.kw))
    return after, placed, cap

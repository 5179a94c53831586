"""The ladder layer: chip, node, rack, hall, campus, grid; the power of each rung and what it adds to the one below."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.campus.energy import PUE
from simulator.engine.errors import Problem
from simulator.engine.layers import Layer, QuantityRange
from simulator.engine.notices import Notice
from simulator.engine.numbers import Range, exact, precise
from simulator.engine.parameters import check, choice, number, whole
from simulator.engine.supply.stages import EFFICIENCY
from simulator.engine.trace import Quantity, Trace, TraceEntry

CHIP_W = Range("W", above=0, high=100_000)
KW = Range("kW", above=0, high=10_000)
OTHER_KW = Range("kW", low=0, high=100_000_000)
COUNT = Range("", low=1, high=10_000, step=Decimal(1))
RACKS = Range("racks", low=1, high=10_000_000, step=Decimal(1))

RUNGS = ("chip", "node", "rack", "hall", "campus", "grid")

_FORMULAS = {
    "chip": "chip_w / 1000",
    "node": "node_kw",
    "rack": "nodes_per_rack · node_kw + rack_other_kw",
    "hall": "racks · rack + hall_other_kw (network, storage, management)",
    "campus": "hall · pue",
    "grid": "campus / chain_efficiency_fraction (what lies before the meter of the PUE)",
}
_SOURCE = "Energy balance; ISO/IEC 30134-2 for the campus"
RUNG_KW = {
    rung: Quantity(f"{rung}_kw", "kW", formula, _SOURCE, False) for rung, formula in _FORMULAS.items() if rung != "grid"
}
GRID_KW = Quantity("ladder_grid_kw", "kW", _FORMULAS["grid"], _SOURCE, False)
PER_CHIP = {
    rung: Quantity(f"{rung}_kw_per_chip", "kW", f"{rung} power / chips below it", "Definition of an average", False)
    for rung in RUNGS
}
ADDED = {
    rung: Quantity(
        f"{rung}_added_fraction",
        "",
        f"power of the {rung} / chips and all that stands below it − 1",
        "Definition",
        False,
    )
    for rung in RUNGS[1:]
}
GRID_OVER_CHIPS = Quantity("grid_over_chips", "", "grid power / (chips · chip_w)", "Definition of a ratio", False)
CHIPS = Quantity("chips_count", "", "chips_per_node · nodes_per_rack · racks", "Arithmetic")

LADDER_WARNINGS = {
    "node_below_chips": "The node takes less than its chips: they cannot all run at that power.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderInput:
    """One design from the chip to the grid. All powers are on one `basis` of the three; they are not mixed.

    Raises InvalidParameters with every problem at once.
    """

    chip_w: Decimal = number(CHIP_W)
    chips_per_node: int = whole(COUNT, 8)
    node_kw: Decimal = number(KW)
    nodes_per_rack: int = whole(COUNT, is_stepped=False)
    rack_other_kw: Decimal = number(OTHER_KW, 0, "Switches, shelves and fans of the rack.")
    racks: int = whole(RACKS, is_stepped=False)
    hall_other_kw: Decimal = number(OTHER_KW, 0, "Network, storage and management of the hall.")
    pue: Decimal = number(PUE)
    chain_efficiency_fraction: Decimal = number(EFFICIENCY, 1, "Before the meter: high-voltage transformer, line.")
    basis: str = choice(("nameplate", "typical", "idle"), "nameplate")

    def __post_init__(self) -> None:
        check(self, self._too_many)

    def _too_many(self) -> Problem | None:
        chips = self.chips_per_node * self.nodes_per_rack * self.racks
        if chips <= 10**9:
            return None
        return Problem("racks", "out_of_range", f"{chips} chips; {10**9} is the most.")


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung: how many there are in all, what one takes, all of them together, and what that is for each chip."""

    rung: str
    count: int
    each_kw: Decimal | None
    total_kw: Decimal | None
    kw_per_chip: Decimal | None
    added_fraction: Decimal | None


@dataclass(frozen=True, slots=True)
class LadderReport:
    """The rungs from below. `added_fraction` is what a rung adds to the total of the rung below; None for the chip."""

    basis: str
    chips_count: Decimal | None
    rungs: tuple[Rung, ...]
    grid_over_chips: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_ladder(given: LadderInput) -> LadderReport:
    """Return the ladder of a design."""
    with precise():
        return _report(given)


def _report(given: LadderInput) -> LadderReport:
    trace = Trace()
    nodes = given.nodes_per_rack * given.racks
    chips = given.chips_per_node * nodes
    chip = given.chip_w / 1000
    rack = given.nodes_per_rack * given.node_kw + given.rack_other_kw
    hall = given.racks * rack + given.hall_other_kw
    campus = hall * given.pue
    grid = campus / given.chain_efficiency_fraction
    counts = {"chip": chips, "node": nodes, "rack": given.racks, "hall": 1, "campus": 1, "grid": 1}
    powers = {"chip": chip, "node": given.node_kw, "rack": rack, "hall": hall, "campus": campus, "grid": grid}
    inputs: dict[str, dict[str, Decimal | int | None]] = {
        "chip": {"chip_w": given.chip_w},
        "node": {"node_kw": given.node_kw},
        "rack": {
            "nodes_per_rack": given.nodes_per_rack,
            "node_kw": given.node_kw,
            "rack_other_kw": given.rack_other_kw,
        },
        "hall": {"racks": given.racks, "rack_kw": rack, "hall_other_kw": given.hall_other_kw},
        "campus": {"hall_kw": hall, "pue": given.pue},
        "grid": {"campus_kw": campus, "chain_efficiency_fraction": given.chain_efficiency_fraction},
    }
    trace.put(
        CHIPS,
        chips,
        chips_per_node=given.chips_per_node,
        nodes_per_rack=given.nodes_per_rack,
        racks=given.racks,
    )
    rungs, below = [], None
    for rung in RUNGS:
        whole_kw = counts[rung] * powers[rung]
        added = None
        if below is not None:
            added = trace.put(ADDED[rung], whole_kw / below - 1, total_kw=whole_kw, below_kw=below)
        rungs.append(
            Rung(
                rung,
                counts[rung],
                trace.put(RUNG_KW.get(rung, GRID_KW), powers[rung], **inputs[rung]),
                RUNG_KW.get(rung, GRID_KW).presented(whole_kw),
                trace.put(PER_CHIP[rung], whole_kw / chips, total_kw=whole_kw, chips_count=chips),
                added,
            )
        )
        below = whole_kw
    ratio = trace.put(GRID_OVER_CHIPS, grid / (chips * chip), grid_kw=grid, chips_count=chips, chip_w=given.chip_w)
    warnings = []
    if given.node_kw < given.chips_per_node * chip:
        message = f"{given.chips_per_node} chips of {given.chip_w} W take more than the {given.node_kw} kW of a node."
        warnings.append(Notice("node_below_chips", message))
    return LadderReport(given.basis, exact(chips), tuple(rungs), ratio, tuple(warnings), tuple(trace.entries))


LADDER = Layer("ladder", LadderInput, run_ladder)

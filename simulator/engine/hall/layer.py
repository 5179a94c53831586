"""The hall layer: racks and caps in; what finds a place, which cap binds, and what cooling takes, out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from simulator.engine.air import air_density_kg_m3, air_pressure_pa
from simulator.engine.air import airflow_m3_h as air_for
from simulator.engine.amounts import Total, total, unless_unknown
from simulator.engine.counts import first
from simulator.engine.errors import Problem, raise_for
from simulator.engine.hall import cooling, filling
from simulator.engine.hall.inputs import HallInput, HallRack
from simulator.engine.layers import POINTS_MAX, Layer, QuantityRange, Span, replaced
from simulator.engine.notices import LITTLE_GIVEN, LITTLE_GIVEN_ABOUT, Notice
from simulator.engine.numbers import exact, precise
from simulator.engine.run import lower_bound
from simulator.engine.trace import Quantity, Trace, TraceEntry

HALL_IT = Quantity("it_kw", "kW", "Σ racks placed · power on the basis", "Arithmetic")
HALL_AIR = Quantity("air_kw", "kW", "Σ racks placed · power · (1 − liquid_fraction)", "First law of thermodynamics")
HALL_LIQUID = Quantity("liquid_kw", "kW", "Σ racks placed · power · liquid_fraction", "First law of thermodynamics")
HALL_AIRFLOW = Quantity(
    "hall_airflow_m3_h",
    "m³/h",
    "air_kw · 1000 / (density · 1005 · air_rise_k) · 3600",
    "Steady-flow energy balance",
    False,
)
HALL_GPUS = Quantity("hall_gpus_count", "", "Σ racks placed · gpus_count", "Arithmetic")
HALL_WARNINGS = {
    "racks_left": "Some racks find no place under the caps.",
    "positions_stranded": "Positions stay empty since power or cooling ends first.",
    "rack_power_unknown": "The power of some racks is unknown on the basis; they are not placed.",
    "rack_over_cap": "A rack takes more than one rack may.",
    "fans_unknown": "Fans count as IT by definition; the share of them is not given.",
    LITTLE_GIVEN: LITTLE_GIVEN_ABOUT,
}


@dataclass(frozen=True, slots=True)
class PlacedRacks:
    """How many racks of one entry found a place."""

    name: str
    asked_count: int
    placed_count: int


@dataclass(frozen=True, slots=True)
class HallAtLeast:
    """Sums of what is known, beside racks of which something is not."""

    it_kw: Decimal | None
    hall_gpus_count: Decimal | None


@dataclass(frozen=True, slots=True)
class HallReport:
    """`binding_limit` is the cap that kept out the first rack that found no place. None is unknown."""

    basis: str
    placed: tuple[PlacedRacks, ...]
    racks_asked_count: Decimal | None
    racks_placed_count: Decimal | None
    racks_left_count: Decimal | None
    positions_empty_count: Decimal | None
    rows_used: int
    binding_limit: str | None
    full_power_racks_per_row: Decimal | None
    hall_gpus_count: Decimal | None
    it_kw: Decimal | None
    air_kw: Decimal | None
    liquid_kw: Decimal | None
    cdus_needed_count: Decimal | None
    cdus_installed_count: Decimal | None
    racks_per_cdu_count: Decimal | None
    hall_airflow_m3_h: Decimal | None
    heat_rejected_kw: Decimal | None
    cooling_kw: Decimal | None
    loss_kw: Decimal | None
    facility_load_kw: Decimal | None
    pue: Decimal | None
    pue_fans_as_cooling: Decimal | None
    wue_l_per_kwh: Decimal | None
    at_least: HallAtLeast | None
    unknown: tuple[str, ...]
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_hall(given: HallInput) -> HallReport:
    """Return the report of a hall: what finds a place, which cap binds, heat, air, PUE and WUE at that load."""
    with precise():
        return _report(given)


def _report(given: HallInput) -> HallReport:
    trace = Trace()
    known = [rack for rack in given.racks if rack.kw(given.basis) is not None]
    unknown = tuple(sorted({rack.name for rack in given.racks} - {rack.name for rack in known}))
    caps = filling.Caps(
        given.rows,
        given.row_positions,
        given.rack_kw_max,
        given.row_kw_max,
        given.hall_kw_max,
        given.air_kw_max,
        given.liquid_kw_max,
        given.floor_kg_m2_max,
    )
    filled = filling.fill([_group(rack, given.basis) for rack in known], caps)
    placed = tuple(PlacedRacks(rack.name, rack.count, filled.placed.get(rack.name, 0)) for rack in given.racks)
    asked, here = sum(each.asked_count for each in placed), sum(each.placed_count for each in placed)
    empty = given.rows * given.row_positions - here
    # Before the rest is computed, as the points of a sweep part here.
    warnings = tuple(_warnings(given, placed, unknown, filled.binding, empty))

    def summed(of: Callable[[HallRack], Decimal | None]) -> Total:
        """The sum over placed racks; racks of unknown power are unknown parts."""
        return total(
            (rack.name, None if rack.name in unknown else unless_unknown(lambda each, n=count: each * n, of(rack)))
            for rack, count in ((rack, filled.placed.get(rack.name, 0)) for rack in given.racks)
        )

    it = summed(lambda rack: rack.kw(given.basis))
    air = summed(lambda rack: unless_unknown(lambda kw: kw * (1 - rack.liquid_fraction), rack.kw(given.basis)))
    liquid = summed(lambda rack: unless_unknown(lambda kw: kw * rack.liquid_fraction, rack.kw(given.basis)))
    gpus = summed(lambda rack: None if rack.gpus_count is None else exact(rack.gpus_count))
    lacking = tuple(sorted({*it.unknown, *gpus.unknown}))
    hottest = max((rack.kw(given.basis) or Decimal(0) for rack in known), default=Decimal(0))
    density = air_density_kg_m3(air_pressure_pa(given.altitude_m), given.inlet_c)
    flow = unless_unknown(lambda kw: air_for(kw, density_kg_m3=density, rise_k=given.air_rise_k), air.value)
    per_row = None
    if hottest > 0:
        per_row = filling.racks_per_row(hottest, row_kw=given.row_kw_max, row_positions=given.row_positions)
    return HallReport(
        basis=given.basis,
        placed=placed,
        racks_asked_count=trace.put(
            filling.RACKS_ASKED, asked, **{f"{rack.name}.count": rack.count for rack in given.racks}
        ),
        racks_placed_count=trace.put(
            filling.RACKS_PLACED,
            None if unknown else here,
            rows=given.rows,
            row_positions=given.row_positions,
            rack_kw_max=given.rack_kw_max,
            row_kw_max=given.row_kw_max,
            hall_kw_max=given.hall_kw_max,
            air_kw_max=given.air_kw_max,
            liquid_kw_max=given.liquid_kw_max,
            floor_kg_m2_max=given.floor_kg_m2_max,
        ),
        racks_left_count=trace.put(
            filling.RACKS_LEFT, None if unknown else asked - here, racks_asked_count=asked, racks_placed_count=here
        ),
        positions_empty_count=trace.put(
            filling.POSITIONS_EMPTY, None if unknown else empty, rows=given.rows, row_positions=given.row_positions
        ),
        rows_used=filled.rows_used,
        binding_limit=filled.binding,
        full_power_racks_per_row=trace.put(
            filling.RACKS_PER_ROW,
            per_row,
            row_positions=given.row_positions,
            row_kw_max=given.row_kw_max,
            rack_kw=hottest,
        ),
        hall_gpus_count=trace.put(HALL_GPUS, gpus.value, **_gpus(given, filled)),
        it_kw=trace.put(HALL_IT, it.value, **_parts(given, filled)),
        air_kw=trace.put(HALL_AIR, air.value, it_kw=it.value),
        liquid_kw=trace.put(HALL_LIQUID, liquid.value, it_kw=it.value),
        **cooling.cdus_told(given, known, liquid.value, trace),
        hall_airflow_m3_h=trace.put(
            HALL_AIRFLOW, flow, air_kw=air.value, air_density_kg_m3=density, air_rise_k=given.air_rise_k
        ),
        **cooling.plant_told(given, it.value, air.value, liquid.value, trace),
        at_least=HallAtLeast(lower_bound(HALL_IT, it), lower_bound(HALL_GPUS, gpus)) if lacking else None,
        unknown=lacking,
        warnings=warnings,
        trace=tuple(trace.entries),
    )


def _group(rack: HallRack, basis: str) -> filling.Group:
    kw = rack.kw(basis) or Decimal(0)
    liquid = kw * rack.liquid_fraction
    return filling.Group(rack.name, rack.count, kw, kw - liquid, liquid, rack.floor_load_kg_m2)


def _parts(given: HallInput, filled: filling.Filling) -> dict[str, Decimal | int | None]:
    found: dict[str, Decimal | int | None] = {}
    for rack in given.racks:
        found[f"{rack.name}.placed_count"] = filled.placed.get(rack.name, 0)
        found[f"{rack.name}.{given.basis}_kw"] = rack.kw(given.basis)
    return found


def _gpus(given: HallInput, filled: filling.Filling) -> dict[str, Decimal | int | None]:
    found: dict[str, Decimal | int | None] = {}
    for rack in given.racks:
        found[f"{rack.name}.placed_count"] = filled.placed.get(rack.name, 0)
        found[f"{rack.name}.gpus_count"] = rack.gpus_count
    return found


def _warnings(
    given: HallInput, placed: tuple[PlacedRacks, ...], unknown: tuple[str, ...], binding: str | None, empty: int
) -> list[Notice]:
    found = []
    if binding is not None:
        # Asking of which racks some are left would part the points of a sweep: the text is of the first.
        left = [(first(each.asked_count - each.placed_count), each) for each in placed if each.name not in unknown]
        counts = ", ".join(f"{count} of {each.asked_count} {each.name}" for count, each in left if count)
        found.append(Notice("racks_left", f"No place for {counts}: {binding} binds first."))
    over = [
        rack.name
        for rack in given.racks
        if given.rack_kw_max is not None and (rack.kw(given.basis) or 0) > given.rack_kw_max
    ]
    if over:
        found.append(Notice("rack_over_cap", f"More than {given.rack_kw_max} kW a rack: {', '.join(over)}."))
    if binding not in (None, "positions") and empty:
        found.append(Notice("positions_stranded", f"{empty} positions stay empty, since {binding} ends first."))
    if unknown:
        found.append(Notice("rack_power_unknown", f"The {given.basis} power is unknown of {', '.join(unknown)}."))
    if given.server_fan_fraction is None:
        found.append(Notice("fans_unknown", "The PUE counts the fans inside servers as IT; their share is not given."))
    if all(getattr(given, name) is None for name in _OVERHEADS):
        message = f"What cools and feeds the hall is not given, so its PUE is unknown: give {', '.join(_OVERHEADS)}."
        found.append(Notice(LITTLE_GIVEN, message))
    return found


_OVERHEADS = ("air_transport_fraction", "liquid_transport_fraction", "distribution_loss_fraction")
_PLACING = (
    "rows",
    "row_positions",
    "rack_kw_max",
    "row_kw_max",
    "hall_kw_max",
    "air_kw_max",
    "liquid_kw_max",
    "floor_kg_m2_max",
)


def turns(given: HallInput, spans: Mapping[str, Span]) -> Mapping[str, Sequence[Decimal]]:
    """Say every count of racks where some find no place, and refuse ranges of what is no count there.

    The power of what was placed is a saw-tooth of the power of a rack: it rises with it, and falls by a rack where one
    finds no place any more. Corners do not bound that; of counts each is computed. Where all racks are placed at every
    corner, there are no teeth, and every quantity moves one way with each input.
    """
    counts = [path for path in spans if path.endswith("].count")]
    numbers = [path for path in spans if path.startswith("racks[") and not path.endswith("].gpus_count")]
    placing = [*numbers, *(path for path in spans if path in _PLACING)]
    message = _teeth(given, spans, placing)
    if message is None:
        return {}
    steep = [path for path in placing if path not in counts and not spans[path].is_stepped]
    # From 1 to 1,600 are as many points as there may be.
    wide = [path for path in counts if spans[path].high - spans[path].low >= POINTS_MAX]
    raise_for([Problem(path, "range_not_allowed", message) for path in steep or wide])
    return {path: [*map(Decimal, range(int(spans[path].low), int(spans[path].high)))] for path in counts}


def _teeth(given: HallInput, spans: Mapping[str, Span], placing: Sequence[str]) -> str | None:
    """Return why corners do not bound what is placed, if they do not."""
    if placing and len(given.racks) > 1 and given.row_kw_max is not None:
        # First fit has anomalies: even where all are placed at every corner, that is not certain between them.
        return "With several kinds of racks under row_kw_max, give one number each: how they fill rows has no range."
    for ends in product(*((spans[path].low, spans[path].high) for path in placing)):
        corner = given
        for path, value in zip(placing, ends, strict=True):
            corner = replaced(corner, path, value)
        if _report(corner).racks_left_count:
            message = "Some racks find no place within this range; the power of those that do then has no bounds."
            return f"{message} Ask for single values."
    return None


HALL = Layer("hall", HallInput, run_hall, turns, lines=lambda given: len(given.racks))

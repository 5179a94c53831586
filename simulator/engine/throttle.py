"""When a chip lowers its clock: how warm it gets, and the inlet, flow and power at which that is its limit."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.air import (
    AIR_HEAT_CAPACITY_J_KG_K,
    AIR_TEMPERATURE_C,
    ALTITUDE_M,
    air_density_kg_m3,
    air_pressure_pa,
)
from simulator.engine.layers import Layer, QuantityRange
from simulator.engine.notices import Notice
from simulator.engine.numbers import Range, precise, require
from simulator.engine.parameters import check, number
from simulator.engine.trace import Quantity, Trace, TraceEntry
from simulator.engine.units import convert

CHIP_W = Range("W", above=0, high=100_000)
UPSTREAM_W = Range("W", low=0, high=1_000_000)
RESISTANCE_K_W = Range("K/W", above=0, high=100)
FLOW_M3_H = Range("m³/h", low=Decimal("0.1"), high=100_000)
LIMIT_C = Range("°C", low=20, high=150)

H100_LIMIT_C = Decimal(83)
"""The default of the trade for an H100: forums and operators watch for 83 °C. It is no figure of a data sheet; give the
limit of your chip."""

_MODEL = "Thermal resistance of a heat sink in forced air, falling with mass flow to the power 0.8 (Incropera, ch. 7-8)"

CHIP_C = Quantity(
    "chip_c",
    "°C",
    "inlet_c + upstream_w / (ρ·cp·V) + chip_w · resistance_k_w · (rated mass flow / mass flow)^0.8",
    _MODEL,
    False,
)
THROTTLE_INLET = Quantity(
    "throttle_inlet_c", "°C", "limit_c − (chip_c − inlet_c), at the density of this inlet", _MODEL, False
)
THROTTLE_POWER = Quantity(
    "throttle_power_w", "W", "(limit_c − inlet_c − preheat) / resistance at this flow", _MODEL, False
)
THROTTLE_AIRFLOW = Quantity(
    "throttle_airflow_m3_h", "m³/h", "the flow at which chip_c is limit_c", _MODEL + "; by Newton's method", False
)
CHIP_MARGIN = Quantity("chip_margin_k", "K", "limit_c − chip_c", "Definition", False)

THROTTLE_WARNINGS = {
    "throttles": "The chip reaches its limit and lowers its clock.",
    "no_airflow_is_enough": "No flow keeps the chip below its limit at this inlet temperature.",
    "limit_is_of_the_trade": "The limit of 83 °C is the default of the trade for an H100, from no data sheet.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleInput:
    """A chip in a stream of air. `resistance_k_w` is from chip to air, at `rated_airflow_m3_h` of air of 1.2 kg/m³.

    `upstream_w` is what heats the same air before it reaches the chip. Raises InvalidParameters.
    """

    chip_w: Decimal = number(CHIP_W)
    resistance_k_w: Decimal = number(RESISTANCE_K_W, about="From chip to air, at the rated flow.")
    rated_airflow_m3_h: Decimal = number(FLOW_M3_H)
    airflow_m3_h: Decimal = number(FLOW_M3_H, about="What passes this chip.")
    upstream_w: Decimal = number(UPSTREAM_W, 0)
    inlet_c: Decimal = number(AIR_TEMPERATURE_C, 25)
    altitude_m: Decimal = number(ALTITUDE_M, 0)
    limit_c: Decimal = number(LIMIT_C, H100_LIMIT_C)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class ThrottleReport:
    """`throttle_airflow_m3_h` is None where no flow is enough."""

    chip_c: Decimal | None
    chip_margin_k: Decimal | None
    throttles: bool
    throttle_inlet_c: Decimal | None
    throttle_power_w: Decimal | None
    throttle_airflow_m3_h: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


_STANDARD_DENSITY = Decimal("1.2")
NEWTON_STEPS = 20
"""Eight from one end of the range to the other, and six that bring one digit to more than fifty."""


def resistance_at_flow_k_w(resistance_k_w: Decimal, *, mass_ratio: Decimal) -> Decimal:
    """Return the resistance in K/W at another mass flow: R · ratio^−0.8, ratio being flow over rated flow.

    Valid for turbulent forced air over fins (the exponent of Dittus and Boelter) and a ratio from 0.001 to 1,000; the
    part that is in the metal does not fall with flow, so a high flow is judged too well. Source: Incropera et al.,
    ch. 8.
    """
    require(
        resistance_k_w=(resistance_k_w, RESISTANCE_K_W),
        mass_ratio=(mass_ratio, Range("", low=Decimal("0.000001"), high=1_000_000)),
    )
    return resistance_k_w * mass_ratio ** Decimal("-0.8")


def preheat_k(upstream_w: Decimal, *, airflow: Decimal, density_kg_m3: Decimal) -> Decimal:
    """Return by how many kelvin air is warmed before it reaches the chip: upstream / (ρ · cp · V), V in m³/h.

    Valid for all of that heat in this stream. Source: steady-flow energy balance.
    """
    require(airflow=(airflow, FLOW_M3_H), upstream_w=(upstream_w, UPSTREAM_W))
    return upstream_w / (convert(airflow, "m3_h", "m3_s") * density_kg_m3 * AIR_HEAT_CAPACITY_J_KG_K)


def chip_c(given: ThrottleInput, airflow: Decimal) -> Decimal:
    """Return the temperature in °C of the chip in `airflow` m³/h: inlet + preheat + power · resistance.

    It falls with flow and rises with altitude, inlet and power. Valid where `preheat_k` and `resistance_at_flow_k_w`
    are. Source: steady heat balance.
    """
    density = air_density_kg_m3(air_pressure_pa(given.altitude_m), given.inlet_c)
    return (
        given.inlet_c
        + preheat_k(given.upstream_w, airflow=airflow, density_kg_m3=density)
        + given.chip_w * _resistance(given, airflow)
    )


def _resistance(given: ThrottleInput, airflow: Decimal) -> Decimal:
    density = air_density_kg_m3(air_pressure_pa(given.altitude_m), given.inlet_c)
    ratio = airflow * density / (given.rated_airflow_m3_h * _STANDARD_DENSITY)
    return resistance_at_flow_k_w(given.resistance_k_w, mass_ratio=ratio)


def throttle_airflow(given: ThrottleInput) -> Decimal | None:
    """Return the least flow in m³/h at which the chip is not above its limit; None if none within range is enough.

    With s = V^−0.8 the balance is convex in s: preheat₁ · s^1.25 + power · resistance₁ · s = limit − inlet, where ₁ is
    at 1 m³/h. Newton's method comes down to its root from the s of the least flow of the range, and never passes it; it
    falls to a fifth or faster until it doubles its digits. Valid from 0.1 to 100,000 m³/h, where `chip_c` is.
    Source: `chip_c`.
    """
    low, high = Decimal("0.1"), Decimal(100_000)
    if chip_c(given, high) > given.limit_c:
        return None
    if chip_c(given, low) <= given.limit_c:
        return low
    density = air_density_kg_m3(air_pressure_pa(given.altitude_m), given.inlet_c)
    preheat = preheat_k(given.upstream_w, airflow=Decimal(1), density_kg_m3=density)
    chip = given.chip_w * _resistance(given, Decimal(1))
    rise = given.limit_c - given.inlet_c
    share = low ** Decimal("-0.8")
    for _ in range(NEWTON_STEPS):
        root = share.sqrt().sqrt()
        share = (rise + preheat * share * root / 4) / (chip + preheat * root * 5 / 4)
    return share ** Decimal("-1.25")


def run_throttle(given: ThrottleInput) -> ThrottleReport:
    """Return the temperature of a chip, and where it would throttle."""
    with precise():
        return _report(given)


def _report(given: ThrottleInput) -> ThrottleReport:
    trace = Trace()
    density = air_density_kg_m3(air_pressure_pa(given.altitude_m), given.inlet_c)
    warmed = preheat_k(given.upstream_w, airflow=given.airflow_m3_h, density_kg_m3=density)
    resistance = _resistance(given, given.airflow_m3_h)
    reached = chip_c(given, given.airflow_m3_h)
    least = throttle_airflow(given)
    inputs: dict[str, Decimal | int | None] = {
        "chip_w": given.chip_w,
        "resistance_k_w": given.resistance_k_w,
        "rated_airflow_m3_h": given.rated_airflow_m3_h,
        "airflow_m3_h": given.airflow_m3_h,
        "upstream_w": given.upstream_w,
        "inlet_c": given.inlet_c,
        "air_density_kg_m3": density,
        "limit_c": given.limit_c,
    }
    warnings = []
    if reached > given.limit_c:
        warnings.append(Notice("throttles", f"It would reach {reached:,.1f} °C; its limit is {given.limit_c} °C."))
    if least is None:
        warnings.append(Notice("no_airflow_is_enough", THROTTLE_WARNINGS["no_airflow_is_enough"]))
    if given.limit_c == H100_LIMIT_C:
        warnings.append(Notice("limit_is_of_the_trade", THROTTLE_WARNINGS["limit_is_of_the_trade"]))
    power = max(Decimal(0), (given.limit_c - given.inlet_c - warmed) / resistance)
    return ThrottleReport(
        chip_c=trace.put(CHIP_C, reached, **inputs),
        chip_margin_k=trace.put(CHIP_MARGIN, given.limit_c - reached, limit_c=given.limit_c, chip_c=reached),
        throttles=reached > given.limit_c,
        throttle_inlet_c=trace.put(THROTTLE_INLET, given.limit_c - (reached - given.inlet_c), **inputs),
        throttle_power_w=trace.put(THROTTLE_POWER, power, **inputs),
        throttle_airflow_m3_h=trace.put(THROTTLE_AIRFLOW, least, **inputs),
        warnings=tuple(warnings),
        trace=tuple(trace.entries),
    )


THROTTLE = Layer("throttle", ThrottleInput, run_throttle)

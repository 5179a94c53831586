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
from simulator.engine.air import fan_power_fraction as fan_law
from simulator.engine.cold_plate import COOLANT_LIMIT, chip_on_plate_c, coolant_max_c
from simulator.engine.coolant import COOLANT_TEMPERATURE_C
from simulator.engine.errors import Problem
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
"""The default of the trade for an H100: operators and guides watch for 83 °C (some say 84 or 85). It is no figure of a
data sheet; give the limit of your chip, which `nvidia-smi -q -d TEMPERATURE` prints."""

_MODEL = "Thermal resistance of a heat sink in forced air, falling with mass flow to the power 0.8 (Incropera, ch. 7-8)"

CHIP_C = Quantity(
    "chip_c",
    "°C",
    "inlet_c + upstream_w / (ρ·cp·V) + chip_w · resistance_k_w · (rated mass flow / mass flow)^0.8; on a cold plate "
    "coolant_c + chip_w · resistance_k_w",
    _MODEL,
    False,
)
THROTTLE_INLET = Quantity(
    "throttle_inlet_c", "°C", "limit_c − (chip_c − inlet_c), at the density of this inlet", _MODEL, False
)
THROTTLE_POWER = Quantity(
    "throttle_power_w",
    "W",
    "(limit_c − inlet_c − preheat) / resistance at this flow; on a cold plate (limit_c − coolant_c) / resistance_k_w",
    _MODEL,
    False,
)
THROTTLE_AIRFLOW = Quantity(
    "throttle_airflow_m3_h", "m³/h", "the flow at which chip_c is limit_c", _MODEL + "; by Newton's method", False
)
FAN_POWER = Quantity(
    "throttle_fan_power_fraction",
    "",
    "(throttle_airflow_m3_h / airflow_m3_h)³: power of the fans at the least flow over that at this one",
    "Fan laws, ASHRAE Handbook, HVAC Systems and Equipment, ch. 21",
    False,
)
CHIP_MARGIN = Quantity("chip_margin_k", "K", "limit_c − chip_c", "Definition", False)

THROTTLE_WARNINGS = {
    "throttles": "The chip reaches its limit and lowers its clock.",
    "no_airflow_is_enough": "No flow keeps the chip below its limit at this inlet temperature.",
    "limit_is_of_the_trade": "The limit of 83 °C is the default of the trade for an H100, from no data sheet.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrottleInput:
    """A chip in a stream of air, or on a cold plate where `coolant_c` is given.

    In air `resistance_k_w` is from chip to air, at `rated_airflow_m3_h` of air of 1.2 kg/m³, and `upstream_w` is what
    heats the same air before it reaches the chip. On a plate it is from chip to the coolant as it arrives, at the flow
    of the plate, and there are no flows of air. Raises InvalidParameters.
    """

    chip_w: Decimal = number(CHIP_W)
    resistance_k_w: Decimal = number(RESISTANCE_K_W, about="From chip to air at the rated flow, or to coolant.")
    rated_airflow_m3_h: Decimal | None = number(FLOW_M3_H, None, "Required without coolant_c.")
    airflow_m3_h: Decimal | None = number(FLOW_M3_H, None, "What passes this chip; required without coolant_c.")
    coolant_c: Decimal | None = number(COOLANT_TEMPERATURE_C, None, "What reaches the cold plate of the chip.")
    upstream_w: Decimal = number(UPSTREAM_W, 0)
    inlet_c: Decimal = number(AIR_TEMPERATURE_C, 25)
    altitude_m: Decimal = number(ALTITUDE_M, 0)
    limit_c: Decimal = number(LIMIT_C, H100_LIMIT_C)

    def __post_init__(self) -> None:
        check(self, lambda: self._flow("rated_airflow_m3_h"), lambda: self._flow("airflow_m3_h"), self._upstream)

    def _flow(self, name: str) -> Problem | None:
        given, on_plate = getattr(self, name) is not None, self.coolant_c is not None
        if given is not on_plate:
            return None
        if on_plate:
            return Problem(
                name, "conflict", f"{name} is of air, and coolant_c puts the chip on a cold plate; give one."
            )
        return Problem(name, "required", f"{name} is missing; give it, or coolant_c for a chip on a cold plate.")

    def _upstream(self) -> Problem | None:
        if self.coolant_c is None or not self.upstream_w:
            return None
        message = (
            "upstream_w heats air, and coolant_c puts the chip on a cold plate; give the coolant as it arrives there."
        )
        return Problem("upstream_w", "conflict", message)


@dataclass(frozen=True, slots=True)
class ThrottleReport:
    """`throttle_airflow_m3_h` is None where no flow is enough. On a cold plate inlet and airflow are None, in air the
    coolant is.
    """

    chip_c: Decimal | None
    chip_margin_k: Decimal | None
    throttles: bool
    throttle_inlet_c: Decimal | None
    throttle_power_w: Decimal | None
    throttle_airflow_m3_h: Decimal | None
    throttle_fan_power_fraction: Decimal | None
    throttle_coolant_c: Decimal | None
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
        mass_ratio=(mass_ratio, Range("", above=0)),
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
    assert given.rated_airflow_m3_h is not None  # The input asks for it in air.
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
        return _report(given) if given.coolant_c is None else _on_plate(given, given.coolant_c)


def _report(given: ThrottleInput) -> ThrottleReport:
    trace = Trace()
    flow = given.airflow_m3_h
    assert flow is not None  # The input asks for it in air.
    density = air_density_kg_m3(air_pressure_pa(given.altitude_m), given.inlet_c)
    warmed = preheat_k(given.upstream_w, airflow=flow, density_kg_m3=density)
    resistance = _resistance(given, flow)
    reached = chip_c(given, flow)
    least = throttle_airflow(given)
    inputs: dict[str, Decimal | int | None] = {
        "chip_w": given.chip_w,
        "resistance_k_w": given.resistance_k_w,
        "rated_airflow_m3_h": given.rated_airflow_m3_h,
        "airflow_m3_h": flow,
        "upstream_w": given.upstream_w,
        "inlet_c": given.inlet_c,
        "air_density_kg_m3": density,
        "limit_c": given.limit_c,
    }
    warnings = _of_limit(given, reached)
    if least is None:
        warnings.append(Notice("no_airflow_is_enough", THROTTLE_WARNINGS["no_airflow_is_enough"]))
    # A fan that would have to run more than twice as fast is another fan.
    fan = None if least is None or least > 2 * flow else fan_law(least / flow)
    power = max(Decimal(0), (given.limit_c - given.inlet_c - warmed) / resistance)
    return ThrottleReport(
        chip_c=trace.put(CHIP_C, reached, **inputs),
        chip_margin_k=trace.put(CHIP_MARGIN, given.limit_c - reached, limit_c=given.limit_c, chip_c=reached),
        throttles=reached > given.limit_c,
        throttle_inlet_c=trace.put(THROTTLE_INLET, given.limit_c - (reached - given.inlet_c), **inputs),
        throttle_power_w=trace.put(THROTTLE_POWER, power, **inputs),
        throttle_airflow_m3_h=trace.put(THROTTLE_AIRFLOW, least, **inputs),
        throttle_fan_power_fraction=trace.put(FAN_POWER, fan, throttle_airflow_m3_h=least, airflow_m3_h=flow),
        throttle_coolant_c=None,
        warnings=tuple(warnings),
        trace=tuple(trace.entries),
    )


def _of_limit(given: ThrottleInput, reached: Decimal) -> list[Notice]:
    found = []
    if reached > given.limit_c:
        found.append(Notice("throttles", f"It would reach {reached:,.1f} °C; its limit is {given.limit_c} °C."))
    if given.limit_c == H100_LIMIT_C:
        found.append(Notice("limit_is_of_the_trade", THROTTLE_WARNINGS["limit_is_of_the_trade"]))
    return found


def _on_plate(given: ThrottleInput, coolant_c: Decimal) -> ThrottleReport:
    trace = Trace()
    reached = chip_on_plate_c(coolant_c, given.chip_w, given.resistance_k_w)
    warmest = coolant_max_c(given.limit_c, given.chip_w, given.resistance_k_w)
    inputs = {"chip_w": given.chip_w, "resistance_k_w": given.resistance_k_w, "coolant_c": coolant_c}
    limit = {**inputs, "limit_c": given.limit_c}
    power = max(Decimal(0), (given.limit_c - coolant_c) / given.resistance_k_w)
    return ThrottleReport(
        chip_c=trace.record_from(CHIP_C, reached, inputs),
        chip_margin_k=trace.put(CHIP_MARGIN, given.limit_c - reached, limit_c=given.limit_c, chip_c=reached),
        throttles=reached > given.limit_c,
        throttle_inlet_c=None,
        throttle_power_w=trace.put(THROTTLE_POWER, power, **limit),
        throttle_airflow_m3_h=None,
        throttle_fan_power_fraction=None,
        throttle_coolant_c=trace.put(COOLANT_LIMIT, warmest, **limit),
        warnings=tuple(_of_limit(given, reached)),
        trace=tuple(trace.entries),
    )


THROTTLE = Layer("throttle", ThrottleInput, run_throttle)

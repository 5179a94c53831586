"""Liquid coolants, and how much of one carries the heat away."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from simulator.engine.air import HEAT_KW
from simulator.engine.errors import Problem, raise_for
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

COOLANT_RISE_K = Range("K", low=Decimal("0.1"), high=60)

COOLANT_FLOW = Quantity(
    "coolant_l_min",
    "l/min",
    "liquid_heat_kw · 1000 / (density_kg_m3 · heat_capacity_j_kg_k · coolant_rise_k) · 60000",
    "Steady-flow energy balance (Çengel & Boles, Thermodynamics, ch. 5)",
    False,
)


@dataclass(frozen=True, slots=True)
class Coolant:
    """A coolant at the temperature where its properties were taken; both fall or rise by about 1 % in 20 K."""

    name: str
    density_kg_m3: Decimal
    heat_capacity_j_kg_k: Decimal
    source: str

    def __post_init__(self) -> None:
        require(
            density_kg_m3=(self.density_kg_m3, Range("kg/m³", above=0, high=3000)),
            heat_capacity_j_kg_k=(self.heat_capacity_j_kg_k, Range("J/(kg·K)", above=0, high=10_000)),
        )


COOLANTS = {
    coolant.name: coolant
    for coolant in (
        Coolant(
            "pg25",
            Decimal("1009.91"),
            Decimal("3968.6"),
            "25 % propylene glycol by mass at 40 °C, CoolProp (INCOMP::MPG), as in OCP OAI System Liquid Cooling "
            "Guidelines, 1.3",
        ),
        Coolant("water", Decimal(997), Decimal(4181), "Water at 25 °C, IAPWS-IF97"),
    )
}


COOLANT_TEMPERATURE_C = Range("°C", low=5, high=80)

_PROPERTIES: dict[str, tuple[str, tuple[tuple[int, str, str], ...]]] = {
    "pg25": (
        "25 % propylene glycol by mass, CoolProp (INCOMP::MPG), between its values at 5 to 80 °C",
        (
            (5, "1024.48", "3884.2"),
            (10, "1022.94", "3896.3"),
            (20, "1019.28", "3920.5"),
            (30, "1014.90", "3944.6"),
            (40, "1009.91", "3968.6"),
            (50, "1004.38", "3992.4"),
            (60, "998.40", "4015.7"),
            (70, "992.05", "4038.5"),
            (80, "985.43", "4060.7"),
        ),
    ),
    "water": (
        "Water at 101,325 Pa, IAPWS-95, between its values at 5 to 80 °C",
        (
            (5, "999.97", "4205.0"),
            (10, "999.70", "4195.2"),
            (20, "998.21", "4184.1"),
            (30, "995.65", "4179.8"),
            (40, "992.22", "4179.4"),
            (50, "988.04", "4181.3"),
            (60, "983.20", "4185.0"),
            (70, "977.76", "4190.1"),
            (80, "971.79", "4196.8"),
        ),
    ),
}
"""Look-up: density in kg/m³ and heat capacity in J/(kg·K) by temperature in °C."""


BEST_PG25_C = Decimal(50)
"""Where density · heat capacity of the look-up's PG25 is greatest: density falls, heat capacity rises."""


def coolant_at(name: str, temperature_c: Decimal) -> Coolant:
    """Return a coolant with its properties at a temperature, straight between the values of the look-up.

    Density and heat capacity are off by less than 0.05 % between two values. Valid from 5 to 80 °C.
    Source: CoolProp (pg25), IAPWS-95 (water). Raises InvalidParameters for a name that is not in it.
    """
    require(temperature_c=(temperature_c, COOLANT_TEMPERATURE_C))
    if name not in _PROPERTIES:
        raise_for([Problem("coolant", "not_a_choice", f"coolant is {name}; choose one of {', '.join(_PROPERTIES)}.")])
    source, rows = _PROPERTIES[name]
    for (low, *before), (high, *after) in pairwise(rows):
        if temperature_c <= high:
            part = (temperature_c - low) / (high - low)
            density, capacity = (
                Decimal(a) + part * (Decimal(b) - Decimal(a)) for a, b in zip(before, after, strict=True)
            )
            return Coolant(name, density, capacity, f"{source}, at {temperature_c.normalize():f} °C")
    raise AssertionError  # The last value is the end of the range.


def coolant_flow_l_min(heat_kw: Decimal, *, coolant: Coolant, rise_k: Decimal) -> Decimal:
    """Return the coolant in l/min that leaves `rise_k` warmer with the heat: Q / (ρ · cp · ΔT).

    Valid for a rise of 0.1 to 60 K and one liquid phase. Source: steady-flow energy balance.
    """
    require(heat_kw=(heat_kw, HEAT_KW), rise_k=(rise_k, COOLANT_RISE_K))
    m3_s = convert(heat_kw, "kw", "w") / (coolant.density_kg_m3 * coolant.heat_capacity_j_kg_k * rise_k)
    return convert(m3_s, "m3_s", "l_min")

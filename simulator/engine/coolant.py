"""Liquid coolants, and how much of one carries the heat away."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.air import HEAT_KW
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


def coolant_flow_l_min(heat_kw: Decimal, *, coolant: Coolant, rise_k: Decimal) -> Decimal:
    """Return the coolant in l/min that leaves `rise_k` warmer with the heat: Q / (ρ · cp · ΔT).

    Valid for a rise of 0.1 to 60 K and one liquid phase. Source: steady-flow energy balance.
    """
    require(heat_kw=(heat_kw, HEAT_KW), rise_k=(rise_k, COOLANT_RISE_K))
    m3_s = convert(heat_kw, "kw", "w") / (coolant.density_kg_m3 * coolant.heat_capacity_j_kg_k * rise_k)
    return convert(m3_s, "m3_s", "l_min")

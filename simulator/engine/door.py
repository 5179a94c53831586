"""A rear door as a curve: what it takes out of the air, for the flows and temperatures that it gets."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.air import AIR_HEAT_CAPACITY_J_KG_K, AIRFLOW_M3_H
from simulator.engine.coolant import COOLANT_TEMPERATURE_C, coolant_at
from simulator.engine.numbers import Range, require
from simulator.engine.parameters import check, number
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

CONDUCTANCE_KW_K = Range("kW/K", above=0, high=100)
WATER_L_MIN = Range("l/min", above=0, high=10_000)
DEW_POINT_C = Range("°C", low=-50, high=60)
RATE_KW_K = Range("kW/K", above=0, high=100_000)

DEW_POINT_MARGIN_K = Decimal(2)
"""Coolnet, 2026, citing HPE's QuickSpecs: the water at least 2 °C above the highest dew point to be expected."""

DOOR_CAPACITY = Quantity(
    "rear_door_capacity_kw",
    "kW",
    "ε · min(C_air, C_water) · (inlet_c + air_rise_k − water_in_c), ε of a counterflow exchanger",
    "Effectiveness and NTU (Incropera et al., Fundamentals of Heat and Mass Transfer, ch. 11)",
    False,
)


@dataclass(frozen=True, slots=True)
class RearDoor:
    """A rear-door heat exchanger with water. `conductance_kw_k` (UA) follows from one point of its data sheet.

    Raises InvalidParameters.
    """

    conductance_kw_k: Decimal = number(CONDUCTANCE_KW_K)
    water_in_c: Decimal = number(COOLANT_TEMPERATURE_C)
    water_l_min: Decimal = number(WATER_L_MIN)
    dew_point_c: Decimal | None = number(DEW_POINT_C, None)

    def __post_init__(self) -> None:
        check(self)


def effectiveness(conductance_kw_k: Decimal, hot_kw_k: Decimal, cold_kw_k: Decimal) -> Decimal:
    """Return the share of the greatest possible heat that a counterflow exchanger moves, in (0, 1).

    With NTU = UA / C_min and c = C_min / C_max: (1 − e^(−NTU·(1−c))) / (1 − c·e^(−NTU·(1−c))), NTU / (1 + NTU) for c
    of 1. A cross-flow coil of several rows is a little below. Valid for constant UA. Source: Incropera et al., ch. 11.
    """
    require(
        conductance_kw_k=(conductance_kw_k, CONDUCTANCE_KW_K),
        hot_kw_k=(hot_kw_k, RATE_KW_K),
        cold_kw_k=(cold_kw_k, RATE_KW_K),
    )
    least, most = sorted((hot_kw_k, cold_kw_k))
    units, ratio = conductance_kw_k / least, least / most
    if ratio > Decimal("0.999999"):
        return units / (1 + units)
    decay = (-units * (1 - ratio)).exp()
    return (1 - decay) / (1 - ratio * decay)


def door_capacity_kw(door: RearDoor, *, airflow: Decimal, density_kg_m3: Decimal, air_c: Decimal) -> Decimal:
    """Return the heat in kW that a door takes from `airflow`, in m³/h, which reaches it at `air_c`.

    ε · C_min · (air − water in), 0 where the water is not colder than the air. More air and more water never take less.
    Valid for dry coils: the water stays above the dew point. Source: effectiveness and NTU, Incropera et al., ch. 11.
    """
    require(airflow=(airflow, AIRFLOW_M3_H))
    if air_c <= door.water_in_c:
        return Decimal(0)
    air_kw_k = convert(convert(airflow, "m3_h", "m3_s") * density_kg_m3 * AIR_HEAT_CAPACITY_J_KG_K, "w", "kw")
    water = coolant_at("water", door.water_in_c)
    water_m3_s = convert(door.water_l_min, "l_min", "m3_s")
    water_kw_k = convert(water_m3_s * water.density_kg_m3 * water.heat_capacity_j_kg_k, "w", "kw")
    moved = effectiveness(door.conductance_kw_k, air_kw_k, water_kw_k) * min(air_kw_k, water_kw_k)
    return moved * (air_c - door.water_in_c)

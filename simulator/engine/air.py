"""Air: its density where the rack stands, and how much of it carries the heat away."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, power, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

ALTITUDE_M = Range("m", low=-500, high=11_000)
AIR_TEMPERATURE_C = Range("°C", low=-20, high=60)
AIR_RISE_K = Range("K", low=Decimal("0.1"), high=60)
AIRFLOW_M3_H = Range("m³/h", low=1, high=1_000_000)
HEAT_KW = Range("kW", low=0, high=1_000_000_000_000)
"""The most racks of a hall at the most power of each give less."""
_DENSITY = Range("kg/m³", above=0, high=5)
_PRESSURE = Range("Pa", above=0, high=200_000)
_HEAT_CAPACITY = Range("J/(kg·K)", above=0, high=10_000)

_ISA = "International Standard Atmosphere, ISO 2533:1975"
_BALANCE = "Steady-flow energy balance (Çengel & Boles, Thermodynamics, ch. 5)"

AIR_HEAT_CAPACITY_J_KG_K = Decimal(1005)
"""Dry air at 300 K and constant pressure, Çengel & Boles, Thermodynamics, table A-2; it moves by 0.2 % up to 60 °C."""

AIR_PRESSURE_PA = Quantity("air_pressure_pa", "Pa", "101325 · (1 − 2.25577e-5 · altitude_m)^5.25588", _ISA, False)
AIR_DENSITY = Quantity(
    "air_density_kg_m3", "kg/m³", "air_pressure_pa / (287.05 · (inlet_c + 273.15))", "Ideal gas law, dry air", False
)
AIRFLOW = Quantity(
    "airflow_m3_h", "m³/h", "air_heat_kw · 1000 / (air_density_kg_m3 · 1005 · air_rise_k) · 3600", _BALANCE, False
)
AIRFLOW_CFM = Quantity(
    "airflow_cfm", "ft³/min", "airflow_m3_h / (0.3048³ · 60)", "NIST Special Publication 811, appendix B", False
)


def air_pressure_pa(altitude_m: Decimal) -> Decimal:
    """Return the pressure of the standard atmosphere in Pa: 101325 · (1 − 2.25577·10⁻⁵ · h)^5.25588, h in m.

    Valid in the troposphere, from 500 m below the sea to 11,000 m. Source: ISO 2533:1975, the barometric formula.
    """
    require(altitude_m=(altitude_m, ALTITUDE_M))
    return Decimal(101_325) * power(1 - Decimal("2.25577e-5") * altitude_m, Decimal("5.25588"))


def air_density_kg_m3(pressure_pa: Decimal, temperature_c: Decimal) -> Decimal:
    """Return the density of dry air in kg/m³: p / (287.05 · T), T in K.

    Valid from −20 to 60 °C near atmospheric pressure. Humid air is lighter, by 0.378 · vapour pressure / p: up to 1.6 %
    at 30 °C, more where it is hotter. Source: ideal gas law, with the gas constant of dry air, 287.05 J/(kg·K).
    """
    require(pressure_pa=(pressure_pa, _PRESSURE), temperature_c=(temperature_c, AIR_TEMPERATURE_C))
    return pressure_pa / (Decimal("287.05") * (temperature_c + Decimal("273.15")))


def airflow_m3_h(
    heat_kw: Decimal,
    *,
    density_kg_m3: Decimal,
    rise_k: Decimal,
    heat_capacity_j_kg_k: Decimal = AIR_HEAT_CAPACITY_J_KG_K,
) -> Decimal:
    """Return the air in m³/h, at inlet conditions, that leaves `rise_k` warmer with the heat: Q / (ρ · cp · ΔT).

    Valid for a rise of 0.1 to 60 K and steady sensible heat (no condensation). Source: steady-flow energy balance.
    """
    require(
        heat_kw=(heat_kw, HEAT_KW),
        density_kg_m3=(density_kg_m3, _DENSITY),
        rise_k=(rise_k, AIR_RISE_K),
        heat_capacity_j_kg_k=(heat_capacity_j_kg_k, _HEAT_CAPACITY),
    )
    m3_s = convert(heat_kw, "kw", "w") / (density_kg_m3 * heat_capacity_j_kg_k * rise_k)
    return convert(m3_s, "m3_s", "m3_h")


def heat_carried_kw(airflow: Decimal, *, density_kg_m3: Decimal, rise_k: Decimal) -> Decimal:
    """Return the heat in kW that `airflow`, in m³/h, carries at a rise of `rise_k`: ρ · cp · ΔT · V.

    The inverse of `airflow_m3_h`, with its range. Valid for a flow of 1 to 1,000,000 m³/h and a rise of 0.1 to 60 K.
    Source: steady-flow energy balance.
    """
    require(airflow_m3_h=(airflow, AIRFLOW_M3_H), density_kg_m3=(density_kg_m3, _DENSITY), rise_k=(rise_k, AIR_RISE_K))
    watts = convert(airflow, "m3_h", "m3_s") * density_kg_m3 * AIR_HEAT_CAPACITY_J_KG_K * rise_k
    return convert(watts, "w", "kw")


FLOW_FRACTION = Range("", low=0, high=2)


def fan_power_fraction(flow_fraction: Decimal) -> Decimal:
    """Return the power of a fan at another flow, as a fraction of what it takes at the first: flow fraction cubed.

    Flow goes with speed, pressure with its square, power with its cube. Valid from standstill to twice the flow, for
    one fan on one duct whose resistance goes with the square of flow, at one density and efficiency (motors and drives
    lose more below a third). Source: fan laws, ASHRAE Handbook, HVAC Systems and Equipment, ch. 21.
    """
    require(flow_fraction=(flow_fraction, FLOW_FRACTION))
    return flow_fraction * flow_fraction * flow_fraction


def fan_pressure_fraction(flow_fraction: Decimal) -> Decimal:
    """Return the pressure of a fan at another flow, as a fraction of the first: flow fraction squared.

    Valid as `fan_power_fraction` is. Source: fan laws, ASHRAE Handbook, HVAC Systems and Equipment, ch. 21.
    """
    require(flow_fraction=(flow_fraction, FLOW_FRACTION))
    return flow_fraction * flow_fraction


HUMIDITY = Range("", above=0, high=1)


def dew_point_c(temperature_c: Decimal, humidity_fraction: Decimal) -> Decimal:
    """Return the dew point in °C of air of a relative humidity: b · γ / (a − γ), γ = ln RH + a · T / (b + T).

    Magnus' formula over water with a = 17.625, b = 243.04 °C; within 0.4 % of the vapour pressure from −40 to 50 °C.
    Valid from −20 to 60 °C and above no humidity. Source: Alduchov & Eskridge, Improved Magnus Form Approximation of
    Saturation Vapor Pressure, J. Appl. Meteor. 35, 1996.
    """
    require(temperature_c=(temperature_c, AIR_TEMPERATURE_C), humidity_fraction=(humidity_fraction, HUMIDITY))
    a, b = Decimal("17.625"), Decimal("243.04")
    gamma = humidity_fraction.ln() + a * temperature_c / (b + temperature_c)
    return b * gamma / (a - gamma)


def warming_k_per_min(heat_kw: Decimal, volume_m3: Decimal, density_kg_m3: Decimal) -> Decimal:
    """Return by how many kelvin a minute the air of a room warms when its cooling stops: Q / (ρ · V · cp) · 60.

    Of the air alone: racks, walls and coils take up heat too, so a hall warms more slowly. Valid for air that mixes, in
    the first minutes. Source: energy balance of a closed system (Çengel & Boles, Thermodynamics, ch. 4).
    """
    require(
        heat_kw=(heat_kw, HEAT_KW),
        volume_m3=(volume_m3, Range("m³", above=0, high=10_000_000)),
        density_kg_m3=(density_kg_m3, _DENSITY),
    )
    return convert(heat_kw, "kw", "w") * 60 / (density_kg_m3 * volume_m3 * AIR_HEAT_CAPACITY_J_KG_K)

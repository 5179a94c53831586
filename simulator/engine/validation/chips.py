"""Answers to published values of chips on cold plates, of fans and pumps, of air and of chilled water."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import (
    air_density_kg_m3,
    air_pressure_pa,
    airflow_m3_h,
    dew_point_c,
    fan_power_fraction,
    fan_pressure_fraction,
    heat_carried_kw,
    warming_k_per_min,
)
from simulator.engine.amounts import fraction
from simulator.engine.cold_plate import chip_on_plate_c, coolant_max_c, plate_resistance_k_w
from simulator.engine.hall.plant import pump_power_kw, tank_lasts_s
from simulator.engine.validation.answers import answers

_CHIP = (
    "chip_c",
    "case_c",
    "junction_c",
    "die_c",
    "case_temperature_c",
    "junction_temperature_c",
    "chip_temperature_c",
    "gpu_temperature_c",
    "tcase_c",
    "t_case_c",
    "tj_c",
    "t_junction_c",
    "gpu_c",
)


@answers("cooling", *_CHIP)
def chip(coolant_c: Decimal, chip_w: Decimal, thermal_resistance_k_per_w: Decimal) -> Decimal:
    return chip_on_plate_c(coolant_c, chip_w, thermal_resistance_k_per_w)


@answers("cooling", "max_coolant_c", "max_inlet_c", "max_supply_c", "max_coolant_supply_c", "coolant_max_c")
def warmest_coolant(chip_limit_c: Decimal, chip_w: Decimal, thermal_resistance_k_per_w: Decimal) -> Decimal:
    return coolant_max_c(chip_limit_c, chip_w, thermal_resistance_k_per_w)


@answers("cooling", "thermal_resistance_k_per_w", "resistance_k_per_w", "rth_k_per_w")
def resistance(chip_c: Decimal, coolant_c: Decimal, chip_w: Decimal) -> Decimal:
    return plate_resistance_k_w(chip_c, coolant_c, chip_w)


@answers("cooling", "required_resistance_k_per_w", "max_resistance_k_per_w", "required_thermal_resistance_k_per_w")
def resistance_that_is_left(chip_limit_c: Decimal, coolant_c: Decimal, chip_w: Decimal) -> Decimal:
    return plate_resistance_k_w(chip_limit_c, coolant_c, chip_w)


@answers("cooling", "required_resistance_k_per_w")
def resistance_of_a_chip(chip_c: Decimal, coolant_c: Decimal, chip_w: Decimal) -> Decimal:
    return resistance(chip_c, coolant_c, chip_w)


@answers("cooling", "max_chip_w", "max_power_w", "max_tdp_w", "throttle_power_w")
def most_power(chip_limit_c: Decimal, coolant_c: Decimal, thermal_resistance_k_per_w: Decimal) -> Decimal:
    return (chip_limit_c - coolant_c) / thermal_resistance_k_per_w


@answers("cooling", "chip_margin_k", "thermal_margin_k", "margin_k")
def margin(chip_limit_c: Decimal, coolant_c: Decimal, chip_w: Decimal, thermal_resistance_k_per_w: Decimal) -> Decimal:
    return chip_limit_c - chip(coolant_c, chip_w, thermal_resistance_k_per_w)


_POWER = ("fan_power_fraction", "power_fraction", "power_ratio", "fan_power_ratio")


@answers("cooling", *_POWER)
def fan_power(flow_fraction: Decimal) -> Decimal:
    return fan_power_fraction(flow_fraction)


@answers("cooling", "pressure_fraction", "pressure_ratio", "fan_pressure_fraction")
def fan_pressure(flow_fraction: Decimal) -> Decimal:
    return fan_pressure_fraction(flow_fraction)


@answers("cooling", "fan_saving_fraction", "fan_power_saving_fraction")
def fan_saving(flow_fraction: Decimal) -> Decimal:
    return 1 - fan_power(flow_fraction)


_WATTS = ("fan_power_w", "power_w", "reduced_fan_w", "new_power_w", "fan_w_at_speed")


@answers("cooling", *_WATTS)
def fan_at_speed(fan_w: Decimal, flow_fraction: Decimal) -> Decimal:
    return fan_w * fan_power(flow_fraction)


@answers("cooling", *_WATTS)
def fan_at_flow(fan_w: Decimal, rated_flow_m3_per_h: Decimal, flow_m3_per_h: Decimal) -> Decimal:
    return fan_at_speed(fan_w, fraction(flow_m3_per_h, rated_flow_m3_per_h))


@answers("cooling", *_WATTS)
def fan_at_revolutions(fan_w: Decimal, rated_rpm: Decimal, rpm: Decimal) -> Decimal:
    return fan_at_speed(fan_w, fraction(rpm, rated_rpm))


@answers("cooling", "fan_fraction", "fan_share_fraction", "server_fan_fraction")
def fans_of_a_node(fan_kw: Decimal, node_kw: Decimal) -> Decimal:
    return fraction(fan_kw, node_kw)


@answers("cooling", "pump_power_kw", "pump_kw")
def pump(flow_l_per_min: Decimal, pressure_drop_kpa: Decimal, pump_efficiency_fraction: Decimal) -> Decimal:
    return pump_power_kw(flow_l_per_min, pressure_drop_kpa, pump_efficiency_fraction)


@answers("cooling", "hydraulic_kw", "hydraulic_power_kw")
def hydraulic(flow_l_per_min: Decimal, pressure_drop_kpa: Decimal) -> Decimal:
    return pump(flow_l_per_min, pressure_drop_kpa, Decimal(1))


@answers("cooling", "dew_point_c")
def dew_point(air_temperature_c: Decimal, rh_fraction: Decimal) -> Decimal:
    return dew_point_c(air_temperature_c, rh_fraction)


@answers("cooling", "rise_k_per_min", "warming_k_per_min")
def warming(heat_kw: Decimal, air_volume_m3: Decimal, density_kg_per_m3: Decimal) -> Decimal:
    return warming_k_per_min(heat_kw, air_volume_m3, density_kg_per_m3)


@answers("cooling", "ride_through_s", "thermal_ride_through_s", "cooling_ride_through_s")
def tank(chilled_water_l: Decimal, delta_t_k: Decimal, heat_kw: Decimal) -> Decimal:
    return tank_lasts_s(chilled_water_l, delta_t_k, heat_kw)


@answers("cooling", "airflow_m3_per_h")
def airflow_of_guide(airflow_m3_per_h_per_kw: Decimal, heat_kw: Decimal) -> Decimal:
    return airflow_m3_per_h_per_kw * heat_kw


def _density(altitude_m: Decimal, air_temperature_c: Decimal) -> Decimal:
    return air_density_kg_m3(air_pressure_pa(altitude_m), air_temperature_c)


# Data sheets that name no air mean standard air, which is 20 °C dry air at sea level.
_SEA_LEVEL_M, _STANDARD_AIR_C = Decimal(0), Decimal(20)


@answers("cooling", "delta_t_k", "air_temperature_rise_k")
def rise_of_air(
    heat_kw: Decimal,
    airflow_m3_per_h: Decimal,
    altitude_m: Decimal = _SEA_LEVEL_M,
    air_temperature_c: Decimal = _STANDARD_AIR_C,
) -> Decimal:
    at_one = airflow_m3_h(heat_kw, density_kg_m3=_density(altitude_m, air_temperature_c), rise_k=Decimal(1))
    return at_one / airflow_m3_per_h


@answers("cooling", "heat_kw", "capacity_kw")
def heat_of_air(
    airflow_m3_per_h: Decimal,
    delta_t_k: Decimal,
    altitude_m: Decimal = _SEA_LEVEL_M,
    air_temperature_c: Decimal = _STANDARD_AIR_C,
) -> Decimal:
    return heat_carried_kw(airflow_m3_per_h, density_kg_m3=_density(altitude_m, air_temperature_c), rise_k=delta_t_k)


@answers("cooling", "heat_kw", "capacity_kw")
def heat_of_air_of_density(airflow_m3_per_h: Decimal, delta_t_k: Decimal, density_kg_per_m3: Decimal) -> Decimal:
    return heat_carried_kw(airflow_m3_per_h, density_kg_m3=density_kg_per_m3, rise_k=delta_t_k)


@answers("cooling", "range_k")
def range_of_tower(tower_in_c: Decimal, tower_out_c: Decimal) -> Decimal:
    return tower_in_c - tower_out_c


@answers("cooling", "approach_k", "tower_approach_k")
def approach_of_tower(tower_out_c: Decimal, wet_bulb_c: Decimal) -> Decimal:
    return tower_out_c - wet_bulb_c


@answers("cooling", "free_cooling_fraction", "economiser_fraction")
def free_hours_of_a_year(free_hours: Decimal, hours: Decimal = Decimal(8760)) -> Decimal:
    return fraction(free_hours, hours)


@answers("cooling", "heat_kw", "capacity_kw")
def heat_of_air_between(
    airflow_m3_per_h: Decimal, supply_c: Decimal, return_c: Decimal, altitude_m: Decimal = _SEA_LEVEL_M
) -> Decimal:
    """With the flow as it comes in."""
    return heat_of_air(airflow_m3_per_h, return_c - supply_c, altitude_m, supply_c)

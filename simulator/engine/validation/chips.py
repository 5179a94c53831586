"""Answers to published values of chips on cold plates, of fans, and of pumps."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import fan_power_fraction, fan_pressure_fraction
from simulator.engine.amounts import fraction
from simulator.engine.cold_plate import chip_on_plate_c, coolant_max_c, plate_resistance_k_w
from simulator.engine.hall.plant import pump_power_kw
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

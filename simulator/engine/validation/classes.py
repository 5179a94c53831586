"""Answers to published values of ASHRAE's classes of equipment and of water, and of how altitude derates them.

A row that lists `classes` has a list of values.
"""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.climate import (
    COOLANT_CLASSES,
    FORMER_WATER_CLASSES,
    WATER_CLASSES,
    air_class,
    coolant_class_max_c,
    derated_max_c,
    water_class_max_c,
)
from simulator.engine.validation.answers import answers


@answers("cooling", "min_c")
def minimum(thermal_class: str) -> Decimal:
    return air_class(thermal_class).min_c


@answers("cooling", "max_c")
def maximum(thermal_class: str) -> Decimal:
    is_of_liquid = thermal_class in (*WATER_CLASSES, *FORMER_WATER_CLASSES, *COOLANT_CLASSES)
    return water_maximum(thermal_class) if is_of_liquid else air_class(thermal_class).max_c


@answers("cooling", "max_water_c", "max_supply_c", "max_supply_water_c", "facility_water_max_c")
def water_maximum(thermal_class: str) -> Decimal:
    return coolant_class_max_c(thermal_class) if thermal_class in COOLANT_CLASSES else water_class_max_c(thermal_class)


@answers("cooling", "recommended_min_c")
def recommended_minimum(thermal_class: str) -> Decimal:
    return air_class(thermal_class).recommended_min_c


@answers("cooling", "recommended_max_c")
def recommended_maximum(thermal_class: str) -> Decimal:
    return air_class(thermal_class).recommended_max_c


@answers("cooling", "min_dew_point_c")
def driest(thermal_class: str) -> Decimal:
    return air_class(thermal_class).min_dew_point_c


@answers("cooling", "max_dew_point_c")
def dampest(thermal_class: str) -> Decimal:
    return air_class(thermal_class).max_dew_point_c


@answers("cooling", "max_rh_fraction", "max_relative_humidity_fraction")
def highest_humidity(thermal_class: str) -> Decimal:
    return air_class(thermal_class).max_rh_fraction


@answers("cooling", "min_rh_fraction", "min_relative_humidity_fraction")
def lowest_humidity(thermal_class: str) -> Decimal | None:
    return air_class(thermal_class).min_rh_fraction


@answers("cooling", "derate_c", "derate_k")
def taken_off(
    class_max_c: Decimal, altitude_m: Decimal, metres_per_c: Decimal, start_m: Decimal = Decimal(900)
) -> Decimal:
    return class_max_c - derated_max_c(class_max_c, altitude_m=altitude_m, start_m=start_m, metres_per_c=metres_per_c)


@answers("cooling", "max_altitude_m")
def highest(thermal_class: str) -> Decimal:
    return air_class(thermal_class).max_altitude_m


@answers("cooling", "max_rate_tape_c_per_h")
def rate_with_tape(classes: list[str]) -> Decimal | None:
    rates = {air_class(each).max_rate_tape_c_per_h for each in classes}
    return rates.pop() if len(rates) == 1 else None


@answers("cooling", "max_rate_other_c_per_h")
def rate(classes: list[str]) -> Decimal | None:
    rates = {air_class(each).max_rate_other_c_per_h for each in classes}
    return rates.pop() if len(rates) == 1 else None


@answers("cooling", "derated_max_c")
def derated_of_class(thermal_class: str, altitude_m: Decimal) -> Decimal:
    known = air_class(thermal_class)
    return derated_max_c(known.max_c, altitude_m=altitude_m, start_m=known.start_m, metres_per_c=known.metres_per_c)


@answers("cooling", "derated_max_c")
def derated(
    class_max_c: Decimal, altitude_m: Decimal, metres_per_c: Decimal, start_m: Decimal = Decimal(900)
) -> Decimal:
    return derated_max_c(class_max_c, altitude_m=altitude_m, start_m=start_m, metres_per_c=metres_per_c)

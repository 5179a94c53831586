"""Answers to published values of cooling: air, coolant, classes of equipment, doors, and the rule of thumb."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import air_density_kg_m3, air_pressure_pa, airflow_m3_h
from simulator.engine.amounts import fraction
from simulator.engine.climate import AirClass, air_class, derated_max_c
from simulator.engine.coolant import Coolant, coolant_flow_l_min
from simulator.engine.cooling import smallest_rear_door_kw
from simulator.engine.devices import Device, Line
from simulator.engine.inputs import RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers


@answers("cooling", "flow_l_per_min")
def coolant_flow(
    heat_kw: Decimal, density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal, delta_t_k: Decimal
) -> Decimal:
    coolant = Coolant("coolant", density_kg_per_m3, specific_heat_j_per_kg_k, "the row")
    return coolant_flow_l_min(heat_kw, coolant=coolant, rise_k=delta_t_k)


def _airflow_m3_s(heat_w: Decimal, density: Decimal, specific_heat: Decimal, rise_k: Decimal) -> Decimal:
    flow = airflow_m3_h(
        convert(heat_w, "w", "kw"), density_kg_m3=density, rise_k=rise_k, heat_capacity_j_kg_k=specific_heat
    )
    return convert(flow, "m3_h", "m3_s")


@answers("cooling", "airflow_m3_per_s")
def airflow(
    heat_w: Decimal, density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal, delta_t_k: Decimal
) -> Decimal:
    return _airflow_m3_s(heat_w, density_kg_per_m3, specific_heat_j_per_kg_k, delta_t_k)


@answers("cooling", "airflow_cfm")
def airflow_cfm(
    heat_w: Decimal, density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal, delta_t_k: Decimal
) -> Decimal:
    return convert(airflow(heat_w, density_kg_per_m3, specific_heat_j_per_kg_k, delta_t_k), "m3_s", "cfm")


@answers("cooling", "constant_cfm_k_per_w")
def airflow_of_one_watt_and_kelvin(density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal) -> Decimal:
    return airflow_cfm(Decimal(1), density_kg_per_m3, specific_heat_j_per_kg_k, Decimal(1))


@answers("cooling", "constant_cfm_f_per_w")
def airflow_of_one_watt_and_fahrenheit(density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal) -> Decimal:
    rise_k = convert(Decimal(1), "delta_f", "k")
    return airflow_cfm(Decimal(1), density_kg_per_m3, specific_heat_j_per_kg_k, rise_k)


def _heated(heat_w: Decimal, rise_k: Decimal, altitude_m: Decimal, inlet_c: Decimal) -> RackReport:
    device = Device("device", power_nameplate_w=heat_w, heat_to_liquid_fraction=Decimal(0))
    given = RackInput(items=(Line(device, 1),), air_rise_k=rise_k, altitude_m=altitude_m, inlet_c=inlet_c)
    return rack_report(given)


@answers("cooling", "pressure_pa")
def pressure(altitude_m: Decimal) -> Decimal:
    return air_pressure_pa(altitude_m)


@answers("cooling", "density_kg_per_m3")
def density(altitude_m: Decimal, air_temperature_c: Decimal) -> Decimal:
    return air_density_kg_m3(air_pressure_pa(altitude_m), air_temperature_c)


@answers("cooling", "airflow_m3_per_s")
def airflow_at_altitude(
    heat_w: Decimal, delta_t_k: Decimal, altitude_m: Decimal, air_temperature_c: Decimal
) -> Decimal | None:
    flow = _heated(heat_w, delta_t_k, altitude_m, air_temperature_c).cooling.airflow_m3_h
    return None if flow is None else convert(flow, "m3_h", "m3_s")


@answers("cooling", "airflow_over_sea_level_fraction")
def airflow_over_sea_level(
    heat_w: Decimal, delta_t_k: Decimal, altitude_m: Decimal, air_temperature_c: Decimal
) -> Decimal | None:
    here = airflow_at_altitude(heat_w, delta_t_k, altitude_m, air_temperature_c)
    below = airflow_at_altitude(heat_w, delta_t_k, Decimal(0), air_temperature_c)
    return None if here is None or below is None else fraction(here, below)


def _classes(classes: list[str]) -> list[AirClass]:
    return [air_class(name) for name in classes]


@answers("cooling", "min_c")
def class_minimum(classes: list[str]) -> list[Decimal]:
    return [each.min_c for each in _classes(classes)]


@answers("cooling", "max_c")
def class_maximum(classes: list[str]) -> list[Decimal]:
    return [each.max_c for each in _classes(classes)]


@answers("cooling", "max_altitude_m")
def class_altitude(classes: list[str]) -> list[Decimal]:
    return [each.max_altitude_m for each in _classes(classes)]


@answers("cooling", "max_rate_tape_c_per_h")
def class_rate_with_tape(classes: list[str]) -> Decimal | None:
    rates = {each.max_rate_tape_c_per_h for each in _classes(classes)}
    return rates.pop() if len(rates) == 1 else None


@answers("cooling", "max_rate_other_c_per_h")
def class_rate(classes: list[str]) -> Decimal | None:
    rates = {each.max_rate_other_c_per_h for each in _classes(classes)}
    return rates.pop() if len(rates) == 1 else None


@answers("cooling", "derated_max_c")
def derated(class_max_c: Decimal, altitude_m: Decimal, start_m: Decimal, metres_per_c: Decimal) -> Decimal:
    return derated_max_c(class_max_c, altitude_m=altitude_m, start_m=start_m, metres_per_c=metres_per_c)


def _rack_of(rack_kw: Decimal) -> RackReport:
    return _heated(convert(rack_kw, "kw", "w"), Decimal(12), Decimal(0), Decimal(25))


@answers("cooling", "smallest_door_max_kw")
def smallest_door(rack_kw: Decimal) -> Decimal | None:
    return smallest_rear_door_kw(rack_kw)


@answers("cooling", "feasible_bool")
def door_feasible(rack_kw: Decimal) -> bool | None:
    methods = _rack_of(rack_kw).cooling.methods
    return next(method.feasible for method in methods if method.method == "rear_door")


@answers("cooling", "regime")
def regime(rack_kw: Decimal) -> str | None:
    return _rack_of(rack_kw).cooling.rule_of_thumb

"""Answers to published values of cooling: air, coolant, classes of equipment, doors, and the rule of thumb."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import AIR_HEAT_CAPACITY_J_KG_K, air_density_kg_m3, air_pressure_pa, airflow_m3_h
from simulator.engine.amounts import fraction
from simulator.engine.coolant import COOLANTS, Coolant, coolant_at, coolant_flow_l_min
from simulator.engine.cooling import smallest_rear_door_kw
from simulator.engine.devices import Device, Line
from simulator.engine.door import DEW_POINT_MARGIN_K
from simulator.engine.hall import plant
from simulator.engine.inputs import RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers

_ONE = Decimal(1)
_CAPACITY = AIR_HEAT_CAPACITY_J_KG_K
# What names no inlet temperature means standard air, which is 20 °C dry air at sea level.
_STANDARD_AIR_C = Decimal(20)


_FLOWS = ("flow_l_per_min", "coolant_flow_l_per_min", "coolant_l_per_min")


@answers("cooling", *_FLOWS)
def coolant_flow_of_stream(liquid_heat_kw: Decimal, coolant: str, delta_t_k: Decimal) -> Decimal:
    """Of the liquid's own heat, whatever the rack takes."""
    return coolant_flow_of_name(liquid_heat_kw, coolant, delta_t_k)


# Coolant carries the heat of cold plates alone: where a row says what share that is, the rest is in the air.
@answers("cooling", *_FLOWS)
def coolant_flow(
    heat_kw: Decimal,
    density_kg_per_m3: Decimal,
    specific_heat_j_per_kg_k: Decimal,
    delta_t_k: Decimal,
    liquid_fraction: Decimal = _ONE,
) -> Decimal:
    coolant = Coolant("coolant", density_kg_per_m3, specific_heat_j_per_kg_k, "the row")
    return coolant_flow_l_min(heat_kw * liquid_fraction, coolant=coolant, rise_k=delta_t_k)


@answers("cooling", *_FLOWS)
def coolant_flow_of_name(
    heat_kw: Decimal,
    coolant: str,
    delta_t_k: Decimal,
    temperature_c: Decimal | None = None,
    liquid_fraction: Decimal = _ONE,
) -> Decimal:
    known = COOLANTS.get(coolant.lower())
    if known is None or temperature_c is not None:
        known = coolant_at(coolant.lower(), Decimal(40) if temperature_c is None else temperature_c)
    return coolant_flow_l_min(heat_kw * liquid_fraction, coolant=known, rise_k=delta_t_k)


@answers("cooling", *_FLOWS)
def coolant_flow_of_guide(heat_kw: Decimal, flow_l_per_min_per_kw: Decimal, liquid_fraction: Decimal = _ONE) -> Decimal:
    return flow_l_per_min_per_kw * heat_kw * liquid_fraction


@answers("cooling", "delta_t_k")
def coolant_rise(
    heat_kw: Decimal, flow_l_per_min: Decimal, density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal
) -> Decimal:
    """The rise at which the flow carries the heat: flow and rise are inverse to each other."""
    at_one = coolant_flow(heat_kw, density_kg_per_m3, specific_heat_j_per_kg_k, Decimal(1))
    return at_one / flow_l_per_min


@answers("cooling", "heat_kw")
def coolant_heat(
    flow_l_per_min: Decimal, density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal, delta_t_k: Decimal
) -> Decimal:
    return flow_l_per_min / coolant_flow(Decimal(1), density_kg_per_m3, specific_heat_j_per_kg_k, delta_t_k)


@answers("cooling", "airflow_m3_per_s")
def airflow(
    heat_kw: Decimal, density_kg_per_m3: Decimal, delta_t_k: Decimal, specific_heat_j_per_kg_k: Decimal = _CAPACITY
) -> Decimal:
    flow = airflow_m3_h(
        heat_kw,
        density_kg_m3=density_kg_per_m3,
        rise_k=delta_t_k,
        heat_capacity_j_kg_k=specific_heat_j_per_kg_k,
    )
    return convert(flow, "m3_h", "m3_s")


def airflow_cfm(heat_w: Decimal, density: Decimal, specific_heat: Decimal, rise_k: Decimal) -> Decimal:
    return convert(airflow(convert(heat_w, "w", "kw"), density, rise_k, specific_heat), "m3_s", "cfm")


@answers("cooling", "airflow_cfm_per_kw")
def airflow_of_one_kilowatt(
    density_kg_per_m3: Decimal, delta_t_k: Decimal, specific_heat_j_per_kg_k: Decimal = _CAPACITY
) -> Decimal:
    return airflow_cfm(Decimal(1000), density_kg_per_m3, specific_heat_j_per_kg_k, delta_t_k)


@answers("cooling", "delta_t_k")
def air_rise(
    heat_kw: Decimal,
    airflow_m3_per_h: Decimal,
    density_kg_per_m3: Decimal,
    specific_heat_j_per_kg_k: Decimal = _CAPACITY,
) -> Decimal:
    """The rise at which the air carries the heat: flow and rise are inverse to each other."""
    at_one = airflow(heat_kw, density_kg_per_m3, Decimal(1), specific_heat_j_per_kg_k)
    return convert(at_one, "m3_s", "m3_h") / airflow_m3_per_h


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


@answers("cooling", "density_over_sea_level_fraction", "density_ratio")
def density_over_sea_level(altitude_m: Decimal) -> Decimal:
    """Of air of one temperature densities are as pressures."""
    return fraction(air_pressure_pa(altitude_m), air_pressure_pa(Decimal(0)))


@answers("cooling", "density_kg_per_m3")
def density(altitude_m: Decimal, air_temperature_c: Decimal) -> Decimal:
    return air_density_kg_m3(air_pressure_pa(altitude_m), air_temperature_c)


@answers("cooling", "airflow_m3_per_s")
def airflow_at_altitude(
    heat_w: Decimal,
    delta_t_k: Decimal,
    altitude_m: Decimal = Decimal(0),
    air_temperature_c: Decimal = _STANDARD_AIR_C,
    liquid_fraction: Decimal = Decimal(0),
) -> Decimal | None:
    flow = _heated(heat_w * (1 - liquid_fraction), delta_t_k, altitude_m, air_temperature_c).cooling.airflow_m3_h
    return None if flow is None else convert(flow, "m3_h", "m3_s")


@answers("cooling", "airflow_over_sea_level_fraction")
def airflow_over_sea_level(
    heat_w: Decimal, delta_t_k: Decimal, altitude_m: Decimal, air_temperature_c: Decimal
) -> Decimal | None:
    here = airflow_at_altitude(heat_w, delta_t_k, altitude_m, air_temperature_c)
    below = airflow_at_altitude(heat_w, delta_t_k, Decimal(0), air_temperature_c)
    return None if here is None or below is None else fraction(here, below)


def _rack_of(rack_kw: Decimal) -> RackReport:
    return _heated(convert(rack_kw, "kw", "w"), Decimal(12), Decimal(0), Decimal(25))


@answers("cooling", "smallest_door_max_kw")
def smallest_door(rack_kw: Decimal) -> Decimal | None:
    return smallest_rear_door_kw(rack_kw)


@answers("cooling", "feasible_bool")
def door_feasible(rack_kw: Decimal) -> bool | None:
    methods = _rack_of(rack_kw).cooling.methods
    return next(method.feasible for method in methods if method.method == "rear_door")


@answers("cooling", "min_water_c", "water_min_c", "min_supply_water_c", "water_supply_min_c")
def coldest_water(dew_point_c: Decimal, margin_k: Decimal = DEW_POINT_MARGIN_K) -> Decimal:
    return dew_point_c + margin_k


@answers("cooling", "chiller_kw", "compressor_kw")
def compressors(heat_kw: Decimal, cop: Decimal) -> Decimal:
    return plant.cooling_power_kw(
        air_kw=heat_kw,
        liquid_kw=Decimal(0),
        air_transport_fraction=Decimal(0),
        liquid_transport_fraction=Decimal(0),
        mechanical_fraction=Decimal(1),
        chiller_cop=cop,
    )


@answers("cooling", "regime", "rule_of_thumb", "band")
def regime(rack_kw: Decimal) -> str | None:
    return _rack_of(rack_kw).cooling.rule_of_thumb

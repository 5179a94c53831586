"""Answers to published values of data sheets: heat, the air that carries it, weight, floor load, power factor."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import AIR_HEAT_CAPACITY_J_KG_K, air_density_kg_m3, air_pressure_pa, airflow_m3_h
from simulator.engine.amounts import fraction
from simulator.engine.devices import Device, Line
from simulator.engine.inputs import Rack, RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers

_NONE = Decimal(0)
# Data sheets that name no inlet temperature mean standard air, which is 20 °C dry air at sea level.
_STANDARD_AIR_C = Decimal(20)


@answers("rack", "heat_w")
def heat(heat_kw: Decimal) -> Decimal:
    """All power becomes heat; what a data sheet gives in another unit is the same."""
    return convert(heat_kw, "kw", "w")


@answers("rack", "heat_w")
def heat_of_nodes(node_max_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return heat(node_max_kw * nodes_per_rack)


@answers("rack", "airflow_m3_per_h")
def airflow(
    heat_kw: Decimal,
    delta_t_k: Decimal,
    altitude_m: Decimal = _NONE,
    air_temperature_c: Decimal = _STANDARD_AIR_C,
    specific_heat_j_per_kg_k: Decimal = AIR_HEAT_CAPACITY_J_KG_K,
    density_kg_per_m3: Decimal | None = None,
    liquid_fraction: Decimal = _NONE,
) -> Decimal:
    density = density_kg_per_m3 or air_density_kg_m3(air_pressure_pa(altitude_m), air_temperature_c)
    return airflow_m3_h(
        heat_kw * (1 - liquid_fraction),
        density_kg_m3=density,
        rise_k=delta_t_k,
        heat_capacity_j_kg_k=specific_heat_j_per_kg_k,
    )


@answers("rack", "power_factor")
def power_factor(max_power_kw_rounded: Decimal, max_apparent_power_kva: Decimal) -> Decimal:
    return fraction(max_power_kw_rounded, max_apparent_power_kva)


def _weighed(weight_kg: Decimal, footprint_m2: Decimal | None = None) -> RackReport:
    device = Device("rack", is_whole_rack=True, weight_kg=weight_kg)
    return rack_report(RackInput(items=(Line(device, 1),), rack=Rack(footprint_m2=footprint_m2)))


@answers("rack", "weight_kg")
def weight(weight_kg: Decimal) -> Decimal | None:
    return _weighed(weight_kg).weight.total_kg


@answers("rack", "footprint_m2")
def footprint(width_m: Decimal, depth_m: Decimal) -> Decimal:
    return width_m * depth_m


@answers("rack", "floor_load_kg_per_m2")
def floor_load(weight_kg: Decimal, footprint_m2: Decimal) -> Decimal | None:
    return _weighed(weight_kg, footprint_m2).weight.floor_load_kg_m2


@answers("rack", "floor_load_kg_per_m2")
def floor_load_of_sides(weight_kg: Decimal, width_m: Decimal, depth_m: Decimal) -> Decimal | None:
    return floor_load(weight_kg, footprint(width_m, depth_m))

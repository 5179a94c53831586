"""Answers to published values of floors and heights: point loads, what a floor carries, power on an area."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.amounts import fraction, remainder
from simulator.engine.electrical import carries
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers
from simulator.engine.weight import floor_area_m2, floor_load_kg_m2

_UNIT_MM = Decimal("44.45")
"""A rack unit is 1.75 in (IEC 60297-3-100, EIA-310)."""


@answers("rack", "point_load_kg", "load_per_caster_kg", "caster_load_kg", "load_per_foot_kg")
def on_each(weight_kg: Decimal, casters: Decimal) -> Decimal:
    return fraction(weight_kg, casters)


@answers("rack", "point_load_kn", "load_per_caster_kn")
def force_on_each(weight_kg: Decimal, casters: Decimal) -> Decimal:
    # What a kilogram on a square metre presses with is what it weighs.
    return convert(on_each(weight_kg, casters), "kg_m2", "kn_m2")


@answers("rack", "floor_ok_bool", "within_floor_limit_bool", "floor_carries_bool", "floor_supports_bool")
def floor_holds(weight_kg: Decimal, footprint_m2: Decimal, floor_limit_kg_per_m2: Decimal) -> bool | None:
    load = floor_load_kg_m2(weight_kg, footprint_m2)
    return carries(floor_limit_kg_per_m2, load, load)


@answers("rack", "floor_loading_kg_per_m2", "distributed_load_kg_per_m2", "uniform_load_kg_per_m2")
def floor_load(weight_kg: Decimal, footprint_m2: Decimal) -> Decimal:
    return floor_load_kg_m2(weight_kg, footprint_m2)


@answers("rack", "needed_area_m2", "spread_area_m2", "required_area_m2")
def needed_area(weight_kg: Decimal, floor_limit_kg_per_m2: Decimal) -> Decimal:
    return floor_area_m2(weight_kg, floor_limit_kg_per_m2)


@answers("rack", "rack_total_kg", "total_weight_kg", "loaded_rack_kg")
def loaded(node_weight_kg: Decimal, nodes_per_rack: Decimal, rack_weight_kg: Decimal = Decimal(0)) -> Decimal:
    return node_weight_kg * nodes_per_rack + rack_weight_kg


@answers("rack", "weight_margin_kg")
def weight_left(rack_static_load_kg: Decimal, equipment_kg: Decimal) -> Decimal:
    return remainder(rack_static_load_kg, equipment_kg)


@answers("rack", "fits_bool", "weight_ok_bool")
def rack_holds(rack_static_load_kg: Decimal, equipment_kg: Decimal) -> bool | None:
    return carries(rack_static_load_kg, equipment_kg, equipment_kg)


@answers("rack", "node_height_mm")
def height_of_node(node_height_u: Decimal) -> Decimal:
    return node_height_u * _UNIT_MM


@answers("rack", "usable_height_mm", "mounting_height_mm", "internal_height_mm")
def height_of_units(rack_height_u: Decimal) -> Decimal:
    """What units stand in; a cabinet is taller."""
    return rack_height_u * _UNIT_MM


_DENSITY = ("power_density_kw_per_m2", "density_kw_per_m2", "kw_per_m2")


@answers("rack", *_DENSITY)
def density(it_kw: Decimal, area_m2: Decimal) -> Decimal:
    return fraction(it_kw, area_m2)


@answers("rack", *_DENSITY)
def density_of_racks(racks: Decimal, rack_kw: Decimal, area_m2: Decimal) -> Decimal:
    return density(racks * rack_kw, area_m2)


@answers("rack", "row_kw_needed", "needed_row_kw", "row_demand_kw")
def row_needs(racks_per_row: Decimal, rack_kw_max: Decimal) -> Decimal:
    return racks_per_row * rack_kw_max


@answers("rack", "average_rack_kw", "kw_per_rack", "power_per_rack_kw", "rack_kw")
def rack_of_row(row_kw_max: Decimal, racks_per_row: Decimal) -> Decimal:
    return fraction(row_kw_max, racks_per_row)


@answers("rack", "shortfall_kw")
def row_lacks(racks_per_row: Decimal, rack_kw_max: Decimal, row_kw_max: Decimal) -> Decimal:
    return remainder(row_needs(racks_per_row, rack_kw_max), row_kw_max)


@answers("rack", "headroom_kw")
def headroom(rated_kw: Decimal, measured_max_kw: Decimal) -> Decimal:
    return remainder(rated_kw, measured_max_kw)


@answers("rack", "other_w", "remainder_w")
def beside_chips(gpus: Decimal, gpu_max_w: Decimal, cpus: Decimal, cpu_max_w: Decimal, node_max_w: Decimal) -> Decimal:
    return remainder(node_max_w, gpus * gpu_max_w + cpus * cpu_max_w)


@answers("rack", "gpu_share_fraction")
def chips_of_node(gpus: Decimal, gpu_max_w: Decimal, node_max_w: Decimal) -> Decimal:
    return fraction(gpus * gpu_max_w, node_max_w)


@answers("rack", "heat_kw", "power_kw")
def of_btu(heat_btu_per_hr: Decimal) -> Decimal:
    return convert(heat_btu_per_hr, "btu_h", "kw")


@answers("rack", "gpus_count")
def of_compute_racks(compute_racks: Decimal, gpus_per_rack: Decimal, racks: Decimal = Decimal(0)) -> Decimal:
    """Of those of the racks that compute, whatever others there are."""
    return compute_racks * gpus_per_rack


@answers("rack", "headroom_kw", "margin_kw")
def under_limit(rack_kw_max: Decimal, rack_kw: Decimal) -> Decimal:
    return remainder(rack_kw_max, rack_kw)


@answers("rack", "headroom_fraction")
def under_limit_share(rack_kw_max: Decimal, rack_kw: Decimal) -> Decimal:
    return fraction(under_limit(rack_kw_max, rack_kw), rack_kw_max)


@answers("rack", "utilisation_fraction", "rack_utilisation_fraction")
def of_limit(rack_kw_max: Decimal, rack_kw: Decimal) -> Decimal:
    return fraction(rack_kw, rack_kw_max)


@answers("rack", "idle_fraction")
def idle_of_most(idle_kw: Decimal, max_kw: Decimal) -> Decimal:
    return fraction(idle_kw, max_kw)


@answers("rack", "power_per_gpu_kw")
def of_node(node_max_kw: Decimal, gpus_per_node: Decimal) -> Decimal:
    return fraction(node_max_kw, gpus_per_node)

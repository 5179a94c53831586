"""Answers to published values of racks: counts, power, weight, and shares of power."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.air import AIR_HEAT_CAPACITY_J_KG_K, air_density_kg_m3, air_pressure_pa, airflow_m3_h
from simulator.engine.amounts import fraction, line_total, per_unit, remainder, share, total
from simulator.engine.devices import Device, Line
from simulator.engine.electrical import carries, remaining_capacity
from simulator.engine.inputs import Rack, RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.engine.space import racks_needed
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole

# Data sheets that name no inlet temperature mean standard air, which is 20 °C dry air at sea level.
_STANDARD_AIR_C = Decimal(20)


def _report(device: Device, quantity: Decimal, **given: object) -> RackReport:
    return rack_report(RackInput(items=(Line(device, whole(quantity)),), **given))  # type: ignore[arg-type]


def _sum(*values: Decimal | None) -> Decimal:
    added = total((f"part {index}", value) for index, value in enumerate(values)).value
    assert added is not None  # Rows give every part.
    return added


def _watts(kw: Decimal) -> Decimal:
    return convert(kw, "kw", "w")


def _line(each: Decimal, count: Decimal) -> Decimal:
    return _sum(line_total(each, whole(count)))


@answers("rack", "compute_racks_count")
def compute_racks(nodes: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return Decimal(racks_needed(whole(nodes), whole(nodes_per_rack)))


@answers("rack", "total_racks_count")
def all_racks(nodes: Decimal, nodes_per_rack: Decimal, non_compute_racks: Decimal) -> Decimal:
    return _sum(compute_racks(nodes, nodes_per_rack), non_compute_racks)


@answers("rack", "rack_power_kw")
def rack_power(node_max_kw: Decimal, nodes_per_rack: Decimal) -> Decimal | None:
    return _report(Device("node", power_nameplate_w=_watts(node_max_kw)), nodes_per_rack).power.nameplate_kw


@answers("rack", "rack_gpus_count")
def rack_gpus(gpus_per_node: Decimal, nodes_per_rack: Decimal) -> Decimal:
    report = _report(Device("node", accelerators_count=gpus_per_node), nodes_per_rack)
    return next(entry.value for entry in report.trace if entry.quantity == "accelerators_count") or Decimal(0)


@answers("rack", "rack_units_used_u")
def rack_units_used(node_height_u: Decimal, nodes_per_rack: Decimal) -> Decimal | None:
    return _report(Device("node", height_u=node_height_u), nodes_per_rack).space.used_u


@answers("rack", "psu_installed_kw")
def supplies_installed(psu_count: Decimal, psu_rating_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_rating_kw, count=whole(psu_count))


@answers("rack", "psu_usable_with_two_failed_kw")
def supplies_without_two(psu_count: Decimal, psu_rating_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_rating_kw, count=whole(psu_count), lost=2)


@answers("rack", "psu_with_three_failed_kw")
def supplies_without_three(psu_count: Decimal, psu_rating_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_rating_kw, count=whole(psu_count), lost=3)


@answers("rack", "full_performance_with_three_failed_bool")
def carries_without_three(psu_count: Decimal, psu_rating_kw: Decimal, node_max_kw: Decimal) -> bool | None:
    return carries(supplies_without_three(psu_count, psu_rating_kw), node_max_kw, node_max_kw)


@answers("rack", "implied_node_power_kw")
def implied_node_power(rack_power_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return per_unit(rack_power_kw, whole(nodes_per_rack))


def _split(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> RackReport:
    """Return the report of a rack that gives off these two streams."""
    power_kw = _sum(liquid_heat_kw, air_heat_kw)
    liquid = fraction(liquid_heat_kw, power_kw)
    device = Device("rack", is_whole_rack=True, power_nameplate_w=_watts(power_kw), heat_to_liquid_fraction=liquid)
    return _report(device, Decimal(1))


@answers("rack", "rack_power_kw")
def rack_power_of_streams(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> Decimal:
    cooling = _split(liquid_heat_kw, air_heat_kw).cooling
    return _sum(cooling.liquid_heat_kw, cooling.air_heat_kw)


def _traced(report: RackReport, quantity: str) -> Decimal | None:
    return next((entry.value for entry in report.trace if entry.quantity == quantity), None)


@answers("rack", "liquid_fraction")
def liquid_fraction(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> Decimal | None:
    return _traced(_split(liquid_heat_kw, air_heat_kw), "liquid_fraction")


@answers("rack", "air_fraction")
def air_fraction(liquid_heat_kw: Decimal, air_heat_kw: Decimal) -> Decimal | None:
    return _traced(_split(liquid_heat_kw, air_heat_kw), "air_fraction")


def _accelerated(rack_kw: Decimal, gpus: Decimal, gpu_tdp_w: Decimal | None = None) -> RackReport:
    device = Device(
        "rack",
        is_whole_rack=True,
        power_nameplate_w=_watts(rack_kw),
        accelerators_count=gpus,
        accelerator_tdp_w=gpu_tdp_w,
    )
    return _report(device, Decimal(1))


@answers("rack", "gpu_share_fraction")
def gpu_share(liquid_heat_kw: Decimal, air_heat_kw: Decimal, gpus: Decimal, gpu_tdp_w: Decimal) -> Decimal | None:
    return _traced(_accelerated(_sum(liquid_heat_kw, air_heat_kw), gpus, gpu_tdp_w), "accelerator_fraction")


@answers("rack", "power_per_gpu_kw")
def power_per_gpu(liquid_heat_kw: Decimal, air_heat_kw: Decimal, gpus: Decimal) -> Decimal | None:
    return _traced(_accelerated(_sum(liquid_heat_kw, air_heat_kw), gpus), "power_per_accelerator_kw")


@answers("rack", "component_sum_w")
def component_sum(gpus: Decimal, gpu_max_w: Decimal, cpus: Decimal, cpu_max_w: Decimal) -> Decimal:
    return _sum(_line(gpu_max_w, gpus), _line(cpu_max_w, cpus))


@answers("rack", "tray_over_component_fraction")
def tray_over_components(
    gpus: Decimal, gpu_max_w: Decimal, cpus: Decimal, cpu_max_w: Decimal, tray_max_w: Decimal
) -> Decimal:
    return fraction(tray_max_w, component_sum(gpus, gpu_max_w, cpus, cpu_max_w))


@answers("rack", "rack_from_component_sum_kw")
def rack_of_components(
    gpus: Decimal, gpu_max_w: Decimal, cpus: Decimal, cpu_max_w: Decimal, trays_per_rack: Decimal
) -> Decimal | None:
    tray = Device("tray", power_nameplate_w=component_sum(gpus, gpu_max_w, cpus, cpu_max_w))
    return _report(tray, trays_per_rack).power.nameplate_kw


@answers("rack", "rack_from_tray_rating_kw")
def rack_of_trays(tray_max_w: Decimal, trays_per_rack: Decimal) -> Decimal | None:
    return _report(Device("tray", power_nameplate_w=tray_max_w), trays_per_rack).power.nameplate_kw


@answers("rack", "idle_rack_kw")
def idle_rack(tray_min_w: Decimal, trays: Decimal) -> Decimal | None:
    return _report(Device("tray", power_idle_w=tray_min_w), trays, basis="idle").power.density_kw


@answers("rack", "idle_fraction")
def idle_fraction(tray_min_w: Decimal, tray_max_w: Decimal, trays: Decimal) -> Decimal | None:
    return _traced(
        _report(Device("tray", power_idle_w=tray_min_w, power_nameplate_w=tray_max_w), trays), "idle_fraction"
    )


@answers("rack", "power_per_compute_rack_all_in_kw")
def all_in_per_rack(su_tdp_mw: Decimal, compute_racks: Decimal) -> Decimal:
    return per_unit(convert(su_tdp_mw, "mw", "kw"), whole(compute_racks))


@answers("rack", "compute_only_kw")
def compute_only(compute_rack_kw: Decimal, compute_racks: Decimal) -> Decimal:
    return _line(compute_rack_kw, compute_racks)


@answers("rack", "remainder_for_network_storage_management_kw")
def not_compute(su_tdp_mw: Decimal, compute_rack_kw: Decimal, compute_racks: Decimal) -> Decimal:
    return remainder(convert(su_tdp_mw, "mw", "kw"), compute_only(compute_rack_kw, compute_racks))


@answers("rack", "su_gpus_count")
def unit_gpus(gpus_per_rack: Decimal, compute_racks: Decimal) -> Decimal:
    return _line(gpus_per_rack, compute_racks)


@answers("rack", "power_per_gpu_kw")
def all_in_per_gpu(su_tdp_mw: Decimal, gpus_per_rack: Decimal, compute_racks: Decimal) -> Decimal:
    return per_unit(convert(su_tdp_mw, "mw", "kw"), whole(unit_gpus(gpus_per_rack, compute_racks)))


@answers("rack", "heat_w")
def heat_in_watts(heat_btu_per_hr: Decimal) -> Decimal:
    return convert(heat_btu_per_hr, "btu_h", "w")


@answers("rack", "airflow_cfm")
def airflow_of_heat(heat_btu_per_hr: Decimal, air_temperature_rise_f: Decimal) -> Decimal:
    density = air_density_kg_m3(air_pressure_pa(Decimal(0)), _STANDARD_AIR_C)
    flow = airflow_m3_h(
        convert(heat_btu_per_hr, "btu_h", "kw"),
        density_kg_m3=density,
        rise_k=convert(air_temperature_rise_f, "delta_f", "k"),
        heat_capacity_j_kg_k=AIR_HEAT_CAPACITY_J_KG_K,
    )
    return convert(flow, "m3_h", "cfm")


@answers("rack", "power_factor")
def power_factor(max_power_kw_rounded: Decimal, max_apparent_power_kva: Decimal) -> Decimal:
    return fraction(max_power_kw_rounded, max_apparent_power_kva)


@answers("rack", "weight_kg")
def weight(weight_lb: Decimal) -> Decimal | None:
    device = Device("rack", is_whole_rack=True, weight_kg=convert(weight_lb, "lb", "kg"))
    return _report(device, Decimal(1)).weight.total_kg


@answers("rack", "floor_load_kg_per_m2")
def floor_load(weight_lb: Decimal, footprint_m2: Decimal) -> Decimal | None:
    device = Device("rack", is_whole_rack=True, weight_kg=convert(weight_lb, "lb", "kg"))
    return _report(device, Decimal(1), rack=Rack(footprint_m2=footprint_m2)).weight.floor_load_kg_m2


def _measured(rated_kw: Decimal, measured_kw: Decimal) -> RackReport:
    device = Device("node", power_nameplate_w=_watts(rated_kw), power_typical_w=_watts(measured_kw))
    return _report(device, Decimal(1))


@answers("rack", "measured_over_rated_fraction")
def measured_over_rated(rated_kw: Decimal, measured_max_kw: Decimal) -> Decimal | None:
    return _traced(_measured(rated_kw, measured_max_kw), "typical_fraction")


@answers("rack", "shortfall_fraction")
def shortfall(rated_kw: Decimal, measured_max_kw: Decimal) -> Decimal:
    return fraction(remainder(rated_kw, measured_max_kw), rated_kw)


@answers("rack", "sustained_kw")
def sustained(rated_kw: Decimal, sustained_fraction: Decimal) -> Decimal:
    return share(rated_kw, sustained_fraction)


@answers("rack", "nameplate_over_sustained_fraction")
def nameplate_over_sustained(rated_kw: Decimal, sustained_fraction: Decimal) -> Decimal:
    return fraction(rated_kw, sustained(rated_kw, sustained_fraction))


@answers("rack", "full_power_racks_per_row_count")
def full_racks_of_row(row_kw_max: Decimal, rack_kw_max: Decimal) -> Decimal:
    """As tables print it, with the part of a rack that is left over."""
    return fraction(row_kw_max, rack_kw_max)


@answers("rack", "racks_per_row_count", "whole_racks_per_row_count")
def racks_of_row(row_kw_max: Decimal, rack_kw_max: Decimal) -> Decimal:
    return Decimal(int(fraction(row_kw_max, rack_kw_max)))

"""Answers to published values of racks: counts, power, weight, and shares of power."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction, line_total, per_unit, remainder, share, total
from simulator.engine.devices import Device, Line
from simulator.engine.inputs import RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.engine.space import devices_per_rack, racks_needed
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole

_ONE = Decimal(1)


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


@answers("rack", "implied_node_power_kw")
def implied_node_power(rack_power_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return per_unit(rack_power_kw, whole(nodes_per_rack))


def _traced(report: RackReport, quantity: str) -> Decimal | None:
    return next((entry.value for entry in report.trace if entry.quantity == quantity), None)


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


@answers("rack", "node_over_component_fraction")
def node_over_components(
    gpus: Decimal, gpu_max_w: Decimal, cpus: Decimal, cpu_max_w: Decimal, node_max_w: Decimal
) -> Decimal:
    return fraction(node_max_w, component_sum(gpus, gpu_max_w, cpus, cpu_max_w))


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


@answers("rack", "idle_rack_kw")
def idle_rack_of_nodes(node_idle_kw: Decimal, nodes_per_rack: Decimal) -> Decimal | None:
    return idle_rack(_watts(node_idle_kw), nodes_per_rack)


@answers("rack", "idle_fraction")
def idle_fraction_of_nodes(node_idle_kw: Decimal, node_max_kw: Decimal, nodes_per_rack: Decimal = _ONE) -> Any:
    return idle_fraction(_watts(node_idle_kw), _watts(node_max_kw), nodes_per_rack)


@answers("rack", "power_per_compute_rack_all_in_kw")
def all_in_per_rack(su_tdp_mw: Decimal, compute_racks: Decimal) -> Decimal:
    return per_unit(convert(su_tdp_mw, "mw", "kw"), whole(compute_racks))


@answers("rack", "compute_only_kw")
def compute_only(compute_rack_kw: Decimal, compute_racks: Decimal) -> Decimal:
    return _line(compute_rack_kw, compute_racks)


@answers("rack", "compute_fraction", "compute_share_fraction")
def compute_part(su_tdp_mw: Decimal, compute_rack_kw: Decimal, compute_racks: Decimal) -> Decimal:
    return fraction(compute_only(compute_rack_kw, compute_racks), convert(su_tdp_mw, "mw", "kw"))


@answers("rack", "remainder_for_network_storage_management_kw")
def not_compute(su_tdp_mw: Decimal, compute_rack_kw: Decimal, compute_racks: Decimal) -> Decimal:
    return remainder(convert(su_tdp_mw, "mw", "kw"), compute_only(compute_rack_kw, compute_racks))


@answers("rack", "su_gpus_count")
def unit_gpus(gpus_per_rack: Decimal, compute_racks: Decimal) -> Decimal:
    return _line(gpus_per_rack, compute_racks)


@answers("rack", "power_per_gpu_kw")
def all_in_per_gpu(su_tdp_mw: Decimal, gpus_per_rack: Decimal, compute_racks: Decimal) -> Decimal:
    return per_unit(convert(su_tdp_mw, "mw", "kw"), whole(unit_gpus(gpus_per_rack, compute_racks)))


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


@answers("rack", "rack_rated_kw")
def rated_rack(rated_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return _line(rated_kw, nodes_per_rack)


@answers("rack", "rack_measured_kw")
def measured_rack(measured_max_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return _line(measured_max_kw, nodes_per_rack)


@answers("rack", "shortfall_kw")
def shortfall_power(rated_kw: Decimal, measured_max_kw: Decimal) -> Decimal:
    return remainder(rated_kw, measured_max_kw)


@answers("rack", "measured_over_rated_fraction")
def mean_over_rated(rated_kw: Decimal, measured_mean_kw: Decimal) -> Decimal | None:
    return measured_over_rated(rated_kw, measured_mean_kw)


@answers("rack", "nameplate_error_fraction")
def nameplate_error(rated_kw: Decimal, sustained_fraction: Decimal) -> Decimal:
    return remainder(nameplate_over_sustained(rated_kw, sustained_fraction), _ONE)


@answers("rack", "power_per_gpu_kw")
def rack_per_gpu(rack_kw: Decimal, gpus: Decimal) -> Decimal:
    return per_unit(rack_kw, whole(gpus))


@answers("rack", "power_per_tray_kw", "power_per_node_kw")
def rack_per_node(rack_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return per_unit(rack_kw, whole(nodes_per_rack))


@answers("rack", "rack_power_kw")
def rack_power_of_trays(tray_max_w: Decimal, trays_per_rack: Decimal) -> Decimal | None:
    return rack_of_trays(tray_max_w, trays_per_rack)


@answers("rack", "nodes_per_rack_by_space_count", "nodes_per_rack_count")
def nodes_by_space(rack_height_u: Decimal, node_height_u: Decimal) -> Decimal:
    return Decimal(devices_per_rack(Device("node", height_u=node_height_u), whole(rack_height_u)) or 0)


@answers("rack", "nodes_per_rack_by_power_count", "nodes_per_rack_count")
def nodes_by_power(rack_kw_max: Decimal, node_max_kw: Decimal) -> Decimal:
    return Decimal(int(fraction(rack_kw_max, node_max_kw)))


@answers("rack", "nodes_per_rack_count")
def nodes_by_both(
    rack_height_u: Decimal, node_height_u: Decimal, rack_kw_max: Decimal, node_max_kw: Decimal
) -> Decimal:
    return min(nodes_by_space(rack_height_u, node_height_u), nodes_by_power(rack_kw_max, node_max_kw))


@answers("rack", "nodes_count")
def nodes_of_gpus(gpus: Decimal, gpus_per_node: Decimal) -> Decimal:
    return Decimal(racks_needed(whole(gpus), whole(gpus_per_node)))


@answers("rack", "compute_racks_count")
def compute_racks_of_gpus(gpus: Decimal, gpus_per_node: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return compute_racks(nodes_of_gpus(gpus, gpus_per_node), nodes_per_rack)


@answers("rack", "total_kw", "row_kw", "racks_kw")
def racks_together(racks: Decimal, rack_kw: Decimal) -> Decimal:
    return _line(rack_kw, racks)


@answers("rack", "gpu_share_fraction")
def gpu_share_of_rack(rack_kw: Decimal, gpus: Decimal, gpu_tdp_w: Decimal) -> Decimal | None:
    return _traced(_accelerated(rack_kw, gpus, gpu_tdp_w), "accelerator_fraction")

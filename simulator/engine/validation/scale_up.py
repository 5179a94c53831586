"""Answers to published values of scale-up domains: chips, links and bandwidth of what shares memory."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.fabric import links
from simulator.engine.fabric.layer import FabricInput, FabricReport, ScaleUp, run_fabric
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole


@answers("fabric", "switch_chips_count")
def scale_up_chips(switch_trays: Decimal, chips_per_tray: Decimal) -> Decimal:
    return switch_trays * chips_per_tray


@answers("fabric", "links_total_count")
def scale_up_links(gpus: Decimal, links_per_gpu: Decimal) -> Decimal:
    return Decimal(links.scale_up_links(whole(gpus), whole(links_per_gpu)))


@answers("fabric", "ports_per_switch_chip_count")
def chip_ports(gpus: Decimal, links_per_gpu: Decimal, switch_trays: Decimal, chips_per_tray: Decimal) -> Decimal:
    chips = whole(scale_up_chips(switch_trays, chips_per_tray))
    return links.scale_up_chip_ports(whole(gpus), whole(links_per_gpu), chips)


@answers("fabric", "ports_per_switch_chip_count")
def chip_ports_of_chips(gpus: Decimal, links_per_gpu: Decimal, switch_chips: Decimal) -> Decimal:
    return links.scale_up_chip_ports(whole(gpus), whole(links_per_gpu), whole(switch_chips))


def _domain(gpus: Decimal, links_per_gpu: Decimal, link_gb_s: Decimal) -> FabricReport:
    scale_up = ScaleUp(whole(gpus), whole(links_per_gpu), link_gb_s)
    return run_fabric(FabricInput(nodes=1, gpus_per_node=1, scale_up=scale_up))


_EACH = (
    "per_gpu_bidirectional_tb_per_s",
    "nvlink_tb_per_s_per_gpu",
    "nvlink_per_gpu_tb_per_s",
    "gpu_nvlink_tb_per_s",
    "nvlink_bandwidth_tb_per_s_per_gpu",
    "nvlink_bandwidth_per_gpu_tb_per_s",
    "scale_up_per_gpu_bidirectional_tb_per_s",
)
_ALL = (
    "domain_bidirectional_tb_per_s",
    "nvlink_domain_tb_per_s",
    "nvlink_aggregate_tb_per_s",
    "aggregate_nvlink_tb_per_s",
    "total_nvlink_tb_per_s",
    "scale_up_domain_bidirectional_tb_per_s",
)


@answers("fabric", *_EACH)
def per_gpu(links_per_gpu: Decimal, link_bidirectional_gb_per_s: Decimal) -> Decimal | None:
    return _domain(Decimal(2), links_per_gpu, link_bidirectional_gb_per_s).scale_up_per_gpu_bidirectional_tb_s


@answers("fabric", *_ALL)
def per_domain(gpus: Decimal, links_per_gpu: Decimal, link_bidirectional_gb_per_s: Decimal) -> Decimal | None:
    return _domain(gpus, links_per_gpu, link_bidirectional_gb_per_s).scale_up_domain_bidirectional_tb_s


@answers("fabric", "per_gpu_one_way_tb_per_s", "per_gpu_unidirectional_tb_per_s")
def per_gpu_one_way(links_per_gpu: Decimal, link_bidirectional_gb_per_s: Decimal) -> Decimal:
    pair = links.scale_up_pair_gb_s(2, whole(links_per_gpu), link_bidirectional_gb_per_s)
    return convert(pair, "gb_s", "tb_s")

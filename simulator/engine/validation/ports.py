"""Answers to published values of ports, optics and bandwidths of fabrics."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.amounts import fraction
from simulator.engine.fabric import links, tree
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole

_ONE = Decimal(1)
_TWO = Decimal(2)


@answers("fabric", "two_tier_max_endpoints_count")
def two_tiers(switch_radix_ports: Decimal, breakout: Decimal, oversubscription: Decimal = _ONE) -> Decimal:
    return Decimal(tree.two_tier_max(whole(switch_radix_ports * breakout), oversubscription))


@answers("fabric", "three_tier_max_endpoints_count")
def three_tiers(switch_radix_ports: Decimal, breakout: Decimal, oversubscription: Decimal = _ONE) -> Decimal:
    return Decimal(tree.three_tier_max(whole(switch_radix_ports * breakout), oversubscription))


@answers("fabric", "two_tier_max_endpoints_count")
def two_tiers_with_unused(
    switch_radix_ports: Decimal, unused_leaf_ports: Decimal, oversubscription: Decimal = _ONE
) -> Decimal:
    return Decimal(tree.two_tier_max(whole(switch_radix_ports), oversubscription, unused=whole(unused_leaf_ports)))


@answers("fabric", "leaf_down_ports_count", "leaf_downlinks_count", "downlinks_per_leaf_count")
def down_with_unused(
    switch_radix_ports: Decimal, unused_leaf_ports: Decimal, oversubscription: Decimal = _ONE
) -> Decimal:
    return Decimal(tree.leaf_ports(whole(switch_radix_ports), oversubscription, unused=whole(unused_leaf_ports)).down)


@answers("fabric", "leaf_up_ports_count", "leaf_uplinks_count", "uplinks_per_leaf_count")
def up_with_unused(
    switch_radix_ports: Decimal, unused_leaf_ports: Decimal, oversubscription: Decimal = _ONE
) -> Decimal:
    return Decimal(tree.leaf_ports(whole(switch_radix_ports), oversubscription, unused=whole(unused_leaf_ports)).up)


@answers("fabric", "ports_after_breakout_count", "breakout_ports_count", "logical_ports_count")
def broken_out(switch_radix_ports: Decimal, breakout: Decimal) -> Decimal:
    return switch_radix_ports * breakout


@answers("fabric", "breakout_port_gbps", "breakout_gbps")
def rate_broken_out(port_gbps: Decimal, breakout: Decimal) -> Decimal:
    return fraction(port_gbps, breakout)


_BISECTION = ("bisection_bandwidth_tbps", "bisection_tbps", "bisection_bandwidth_one_way_tbps")


@answers("fabric", *_BISECTION)
def bisection(gpus: Decimal, port_gbps: Decimal, oversubscription: Decimal = _ONE) -> Decimal:
    return links.bisection_tbps(whole(gpus), port_gbps, oversubscription)


@answers("fabric", *_BISECTION)
def bisection_of_endpoints(endpoints: Decimal, port_gbps: Decimal, oversubscription: Decimal = _ONE) -> Decimal:
    return bisection(endpoints, port_gbps, oversubscription)


@answers("fabric", *_BISECTION)
def bisection_of_nodes(
    nodes: Decimal, gpus_per_node: Decimal, port_gbps: Decimal, oversubscription: Decimal = _ONE
) -> Decimal:
    return bisection(nodes * gpus_per_node, port_gbps, oversubscription)


@answers("fabric", "injection_bandwidth_tbps", "injection_tbps", "total_injection_tbps")
def injection(gpus: Decimal, port_gbps: Decimal, ports_per_gpu: Decimal = _ONE) -> Decimal:
    return convert(gpus * ports_per_gpu * port_gbps, "gbps", "tbps")


@answers("fabric", "pod_bandwidth_tbps")
def of_pod(gpus_per_pod: Decimal, port_gbps: Decimal) -> Decimal:
    return convert(gpus_per_pod * port_gbps, "gbps", "tbps")


@answers("fabric", "node_bandwidth_gbps", "node_gbps", "per_node_gbps")
def of_node(gpus_per_node: Decimal, port_gbps: Decimal, ports_per_gpu: Decimal = _ONE) -> Decimal:
    return links.per_gpu_gbps(whole(gpus_per_node), whole(ports_per_gpu), port_gbps)


@answers("fabric", "node_bandwidth_gbps", "node_gbps", "per_node_gbps")
def of_cards(nics_per_node: Decimal, nic_gbps: Decimal) -> Decimal:
    return nics_per_node * nic_gbps


@answers("fabric", "oversubscription", "oversubscription_ratio")
def ratio(downlinks: Decimal, uplinks: Decimal) -> Decimal:
    return fraction(downlinks, uplinks)


@answers("fabric", "oversubscription", "oversubscription_ratio")
def ratio_of_rates(down_ports: Decimal, up_ports: Decimal, down_gbps: Decimal, up_gbps: Decimal) -> Decimal:
    return fraction(down_ports * down_gbps, up_ports * up_gbps)


@answers("fabric", "oversubscription", "oversubscription_ratio")
def ratio_of_ports(down_ports: Decimal, up_ports: Decimal) -> Decimal:
    return fraction(down_ports, up_ports)


@answers("fabric", "transceivers_count", "optics_count")
def transceivers(cables: Decimal, transceivers_per_cable: Decimal = _TWO) -> Decimal:
    return cables * transceivers_per_cable


@answers("fabric", "optics_power_kw", "transceiver_power_kw")
def transceivers_power(transceivers: Decimal, transceiver_w: Decimal) -> Decimal:
    return convert(transceivers * transceiver_w, "w", "kw")


@answers("fabric", "fabric_power_kw", "switch_power_kw", "switches_kw")
def switches_power(switches: Decimal, switch_w: Decimal) -> Decimal:
    return links.fabric_power_kw(whole(switches), switch_w)


@answers("fabric", "effective_gbps", "effective_per_gpu_gbps")
def effective(port_gbps: Decimal, efficiency_fraction: Decimal) -> Decimal:
    return links.effective_gbps(port_gbps, efficiency_fraction)


@answers("fabric", "pods_count")
def kary_pods(k_ports: Decimal) -> Decimal:
    """A k-ary tree has k pods."""
    return Decimal(tree.kary_tree(whole(k_ports)).core) * 4 / k_ports


@answers("fabric", "hosts_per_pod_count")
def kary_hosts_of_pod(k_ports: Decimal) -> Decimal:
    return fraction(Decimal(tree.kary_tree(whole(k_ports)).hosts), k_ports)


@answers("fabric", "domain_bidirectional_tb_per_s", "domain_tb_per_s")
def domain(gpus: Decimal, per_gpu_bidirectional_tb_per_s: Decimal) -> Decimal:
    return gpus * per_gpu_bidirectional_tb_per_s


@answers("fabric", "domain_unidirectional_tb_per_s", "domain_one_way_tb_per_s")
def domain_one_way(gpus: Decimal, links_per_gpu: Decimal, link_bidirectional_gb_per_s: Decimal) -> Decimal:
    return links.scale_up_domain_tb_s(whole(gpus), whole(links_per_gpu), link_bidirectional_gb_per_s) / 2


@answers("fabric", "scale_up_over_scale_out_ratio", "scale_up_over_scale_out", "scale_up_over_scale_out_fraction")
def up_over_out(per_gpu_bidirectional_tb_per_s: Decimal, scale_out_gbps: Decimal) -> Decimal:
    """Both one way."""
    return fraction(convert(per_gpu_bidirectional_tb_per_s / 2, "tb_s", "gbps"), scale_out_gbps)


@answers("fabric", "gpus_count", "cluster_gpus_count")
def of_pods(pods: Decimal, gpus_per_pod: Decimal) -> Decimal:
    return pods * gpus_per_pod


@answers("fabric", "switches_count", "total_switches_count")
def switches_together(leaf_switches: Decimal, spine_switches: Decimal, core_switches: Decimal = Decimal(0)) -> Decimal:
    return leaf_switches + spine_switches + core_switches


@answers("fabric", "leaf_spine_cables_count")
def uplinks_together(leaf_switches: Decimal, uplinks_per_leaf: Decimal) -> Decimal:
    return leaf_switches * uplinks_per_leaf

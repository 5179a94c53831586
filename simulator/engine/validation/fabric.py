"""Answers to published values of fabrics: switches, cables, limits of a radix, scale-up domains."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction, line_total
from simulator.engine.fabric import links, tree
from simulator.engine.fabric.layer import FabricInput, FabricReport, run_fabric
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole
from simulator.engine.validation.spelling import MISSING, find

_FIELDS = {
    "leaf_switches_count": "leaf_switches_count",
    "leaves_count": "leaf_switches_count",
    "leaf_count": "leaf_switches_count",
    "spine_switches_count": "spine_switches_count",
    "spines_count": "spine_switches_count",
    "spine_count": "spine_switches_count",
    "core_switches_count": "core_switches_count",
    "cores_count": "core_switches_count",
    "core_count": "core_switches_count",
    "switches_count": "switches_count",
    "total_switches_count": "switches_count",
    "node_leaf_cables_count": "node_leaf_cables_count",
    "leaf_spine_cables_count": "leaf_spine_cables_count",
    "spine_core_cables_count": "spine_core_cables_count",
    "cables_count": "cables_count",
    "total_cables_count": "cables_count",
    "per_gpu_gbps": "per_gpu_gbps",
    "fabric_cost_usd": "fabric_cost_usd",
    "fabric_power_kw": "fabric_power_kw",
    "tiers": "tiers",
    "tiers_count": "tiers",
}


def _given(inputs: Mapping[str, Any], *names: str) -> Decimal | None:
    """Return the first of the inputs that the row has. Raises TypeError where that is no number."""
    for name in names:
        value = find(name, inputs)
        if isinstance(value, Decimal):
            return value
        if value is not MISSING:
            raise TypeError(f"{name} is no number")
    return None


def _else(value: Decimal | None, default: Decimal) -> Decimal:
    return default if value is None else value


def _nodes(inputs: Mapping[str, Any]) -> Decimal | None:
    """Return the nodes that the fabric is built for: those of full scalable units."""
    units, per_unit = _given(inputs, "scalable_units"), _given(inputs, "nodes_per_su", "nodes_per_scalable_unit")
    if units is not None and per_unit is not None:
        return units * per_unit
    nodes, gpus = _given(inputs, "nodes"), _given(inputs, "gpus")
    if nodes is None and gpus is not None:
        return gpus / _else(_given(inputs, "gpus_per_node"), Decimal(8))
    return nodes


def _fabric(inputs: Mapping[str, Any]) -> FabricReport | None:
    """Return the report of the fabric that a row speaks of; None if it says too little."""
    nodes = _nodes(inputs)
    radix = _given(inputs, "switch_radix_ports", *(name for name in inputs if name.startswith("switch_radix_ports_")))
    if nodes is None or radix is None:
        return None
    one = Decimal(1)
    topology = inputs.get("topology", "rail-optimised")
    return run_fabric(
        FabricInput(
            nodes=whole(nodes),
            gpus_per_node=whole(_else(_given(inputs, "gpus_per_node", "rails"), Decimal(8))),
            links_per_gpu=whole(_else(_given(inputs, "ports_per_gpu"), one)),
            planes=whole(_else(_given(inputs, "planes"), one)),
            switch_ports=whole(radix),
            switch_port_gbps=_else(_given(inputs, "port_gbps"), Decimal(400)),
            links_per_cable=whole(_else(_given(inputs, "links_per_cable"), one)),
            oversubscription=_else(_given(inputs, "oversubscription"), one),
            is_rail_optimised="rail" in topology,
            switch_w=_given(inputs, "switch_w"),
            switch_usd=_given(inputs, "switch_usd"),
            cable_usd=_given(inputs, "cable_usd"),
        )
    )


@answers_like("fabric", f"({'|'.join(_FIELDS)})")
def of_the_report(inputs: Mapping[str, Any], name: str) -> Any:
    report = _fabric(inputs)
    found = UNANSWERED if report is None else getattr(report, _FIELDS[name])
    return UNANSWERED if found is None else Decimal(found) if isinstance(found, int) else found


@answers("fabric", "nodes_count")
def buildable_nodes(
    scalable_units: Decimal, nodes_per_su: Decimal, nodes_removed_for_fabric_manager: Decimal = Decimal(0)
) -> Decimal:
    return scalable_units * nodes_per_su - nodes_removed_for_fabric_manager


@answers("fabric", "gpus_count")
def buildable_gpus(
    scalable_units: Decimal,
    nodes_per_su: Decimal,
    gpus_per_node: Decimal,
    nodes_removed_for_fabric_manager: Decimal = Decimal(0),
) -> Decimal | None:
    nodes = buildable_nodes(scalable_units, nodes_per_su, nodes_removed_for_fabric_manager)
    return _gpus(nodes, gpus_per_node)


@answers("fabric", "gpus_count")
def gpus_of_nodes(nodes: Decimal, gpus_per_node: Decimal) -> Decimal | None:
    return _gpus(nodes, gpus_per_node)


def _gpus(nodes: Decimal, gpus_per_node: Decimal) -> Decimal | None:
    return line_total(gpus_per_node, whole(nodes))


@answers("fabric", "compute_and_ufm_cables_count", "node_and_manager_cables_count")
def node_side_cables(
    scalable_units: Decimal,
    nodes_per_su: Decimal,
    gpus_per_node: Decimal,
    fabric_manager_ports: Decimal,
    nodes_removed_for_fabric_manager: Decimal = Decimal(0),
) -> Decimal | None:
    nodes = buildable_nodes(scalable_units, nodes_per_su, nodes_removed_for_fabric_manager)
    return run_fabric(
        FabricInput(
            nodes=whole(nodes), gpus_per_node=whole(gpus_per_node), spare_node_ports=whole(fabric_manager_ports)
        )
    ).node_leaf_cables_count


@answers("fabric", "compute_node_max_power_kw")
def node_power(
    scalable_units: Decimal,
    nodes_per_su: Decimal,
    node_max_kw: Decimal,
    nodes_removed_for_fabric_manager: Decimal = Decimal(0),
) -> Decimal:
    return node_max_kw * buildable_nodes(scalable_units, nodes_per_su, nodes_removed_for_fabric_manager)


@answers("fabric", "compute_node_max_power_kw")
def node_power_of_nodes(nodes: Decimal, node_max_kw: Decimal) -> Decimal:
    return node_max_kw * nodes


@answers("fabric", "two_tier_max_endpoints_count")
def two_tiers(switch_radix_ports: Decimal, oversubscription: Decimal = Decimal(1)) -> Decimal:
    return Decimal(tree.two_tier_max(whole(switch_radix_ports), oversubscription))


@answers("fabric", "three_tier_max_endpoints_count")
def three_tiers(switch_radix_ports: Decimal, oversubscription: Decimal = Decimal(1)) -> Decimal:
    return Decimal(tree.three_tier_max(whole(switch_radix_ports), oversubscription))


@answers("fabric", "switch_one_way_capacity_tbps", "switch_capacity_tbps")
def capacity(switch_radix_ports: Decimal, port_gbps: Decimal) -> Decimal:
    return tree.switch_capacity_tbps(whole(switch_radix_ports), port_gbps)


@answers("fabric", "switch_bidirectional_capacity_tbps")
def capacity_both_ways(switch_radix_ports: Decimal, port_gbps: Decimal) -> Decimal:
    return 2 * capacity(switch_radix_ports, port_gbps)


@answers("fabric", "leaf_down_ports_count", "leaf_downlinks_count", "downlinks_per_leaf_count")
def down_ports(switch_radix_ports: Decimal, oversubscription: Decimal = Decimal(1)) -> Decimal:
    return Decimal(tree.leaf_ports(whole(switch_radix_ports), oversubscription).down)


@answers("fabric", "leaf_up_ports_count", "leaf_uplinks_count", "uplinks_per_leaf_count")
def up_ports(switch_radix_ports: Decimal, oversubscription: Decimal = Decimal(1)) -> Decimal:
    return Decimal(tree.leaf_ports(whole(switch_radix_ports), oversubscription).up)


@answers("fabric", "hosts_count")
def kary_hosts(k_ports: Decimal) -> Decimal:
    return Decimal(tree.kary_tree(whole(k_ports)).hosts)


@answers("fabric", "edge_switches_count")
def kary_edge(k_ports: Decimal) -> Decimal:
    return Decimal(tree.kary_tree(whole(k_ports)).edge)


@answers("fabric", "aggregation_switches_count")
def kary_aggregation(k_ports: Decimal) -> Decimal:
    return Decimal(tree.kary_tree(whole(k_ports)).aggregation)


@answers("fabric", "core_switches_count")
def kary_core(k_ports: Decimal) -> Decimal:
    return Decimal(tree.kary_tree(whole(k_ports)).core)


@answers("fabric", "switches_count", "total_switches_count")
def kary_switches(k_ports: Decimal) -> Decimal:
    found = tree.kary_tree(whole(k_ports))
    return Decimal(found.nodes - found.hosts)


@answers("fabric", "graph_nodes_count")
def kary_nodes(k_ports: Decimal) -> Decimal:
    return Decimal(tree.kary_tree(whole(k_ports)).nodes)


@answers("fabric", "links_count")
def kary_links(k_ports: Decimal) -> Decimal:
    return Decimal(tree.kary_tree(whole(k_ports)).links)


@answers("fabric", "gpus_per_pod_count")
def pod_gpus(gpus_per_rack: Decimal, racks_per_pod: Decimal) -> Decimal:
    return gpus_per_rack * racks_per_pod


@answers("fabric", "cluster_racks_count")
def cluster_racks(racks_per_pod: Decimal, pods: Decimal) -> Decimal:
    return racks_per_pod * pods


@answers("fabric", "cluster_gpus_count")
def cluster_gpus(gpus_per_rack: Decimal, racks_per_pod: Decimal, pods: Decimal) -> Decimal:
    return gpus_per_rack * racks_per_pod * pods


@answers("fabric", "cross_pod_bandwidth_per_gpu_gbps")
def cross_pod(gpu_port_gbps: Decimal, cross_pod_oversubscription: Decimal) -> Decimal:
    return links.oversubscribed_gbps(gpu_port_gbps, cross_pod_oversubscription)


@answers("fabric", "gpus_count")
def gpus_of_racks(racks: Decimal, gpus_per_rack: Decimal) -> Decimal:
    return racks * gpus_per_rack


@answers("fabric", "nodes_count", "compute_trays_count", "trays_count")
def nodes_of_racks(racks: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return racks * nodes_per_rack


@answers("fabric", "racks_count")
def racks_of_units(scalable_units: Decimal, racks_per_su: Decimal) -> Decimal:
    return scalable_units * racks_per_su


@answers("fabric", "gpus_count")
def gpus_of_racks_of_units(scalable_units: Decimal, racks_per_su: Decimal, gpus_per_rack: Decimal) -> Decimal:
    return scalable_units * racks_per_su * gpus_per_rack


@answers("fabric", "gpus_count")
def gpus_of_racks_of_nodes(racks: Decimal, nodes_per_rack: Decimal, gpus_per_node: Decimal) -> Decimal:
    return racks * nodes_per_rack * gpus_per_node


@answers("fabric", "nodes_count")
def nodes_of_gpus(gpus: Decimal, gpus_per_node: Decimal) -> Decimal:
    return fraction(gpus, gpus_per_node)


@answers("fabric", "scalable_units_count")
def units_of_nodes(nodes: Decimal, nodes_per_su: Decimal) -> Decimal:
    return fraction(nodes, nodes_per_su)


@answers("fabric", "scalable_units_count")
def units_of_racks(racks: Decimal, racks_per_su: Decimal) -> Decimal:
    return fraction(racks, racks_per_su)


@answers_like("fabric", r"(\w+)_effective_gbps")
def effective(inputs: Mapping[str, Any], name: str) -> Any:
    rate, efficiency = _given(inputs, "line_rate_gbps"), inputs.get(f"{name}_fraction")
    if rate is None or not isinstance(efficiency, Decimal):
        return UNANSWERED
    return links.effective_gbps(rate, efficiency)


@answers_like("fabric", r"ratio_fraction")
def ratio_of_two(inputs: Mapping[str, Any]) -> Any:
    """The first of two efficiencies over the second, in the order of the row."""
    given = [name for name, value in inputs.items() if name.endswith("_fraction") and isinstance(value, Decimal)]
    return fraction(*(inputs[name] for name in given)) if len(given) == 2 else UNANSWERED

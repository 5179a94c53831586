"""The fabric layer: accelerators, switches and cables in, counts, rates, price and power out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import product
from typing import Any

from simulator.engine.errors import InvalidParameters, Problem, raise_for
from simulator.engine.fabric import links, tree
from simulator.engine.fabric.split import SPLITS, fewest_switches, split_of_all
from simulator.engine.layers import Layer, QuantityRange, Span
from simulator.engine.notices import Notice
from simulator.engine.numbers import Range, ceiling, precise
from simulator.engine.parameters import check, choice, flag, number, part, whole
from simulator.engine.trace import Quantity, Trace, TraceEntry

NODES = Range("nodes", low=1, high=1_000_000, step=Decimal(1))
GPUS_PER_NODE = Range("accelerators", low=1, high=1024, step=Decimal(1))
# Of a range of nodes: each is two more reports.
STEPS_MAX = 100
SMALL = Range("", low=1, high=16, step=Decimal(1))
SPARE = Range("ports", low=0, high=100_000, step=Decimal(1))

GPUS = Quantity("gpus_count", "", "nodes · gpus_per_node", "Arithmetic")
SWITCHES = Quantity("switches_count", "", "leaves + spines + cores", "Arithmetic")
CABLES = Quantity("cables_count", "", "node-leaf + leaf-spine + spine-core cables", "Arithmetic")

FABRIC_WARNINGS = {
    "uneven_spines": "More spines than the ports need: only so many divide the uplinks of a leaf evenly. Leaves that "
    "leave ports unused may need fewer (unused_leaf_ports, leaf_split).",
    "ports_left": "Ports of each leaf stay unused, so that its uplinks spread over fewer switches.",
    "oversubscribed": "Accelerators on different leaves cannot all talk at line rate.",
    "leaf_not_full": "Some leaves have free ports.",
}


@dataclass(frozen=True, slots=True)
class ScaleUp:
    """The scale-up domain: the accelerators that switches of their own join. Raises InvalidParameters."""

    domain_gpus: int = whole(GPUS_PER_NODE, about="Accelerators of one domain.")
    links_per_gpu: int = whole(links.LINKS, about="Links of each accelerator.")
    link_bidirectional_gb_s: Decimal = number(links.LINK_GB_S, about="One link, both ways counted.")
    is_switched: bool = flag(True, about="Through switches; else a full mesh.")

    def __post_init__(self) -> None:
        check(self, lambda: _alone(self.domain_gpus))


def _alone(gpus: int) -> Problem | None:
    if gpus > 1:
        return None
    return Problem("domain_gpus", "out_of_range", "domain_gpus is 1; a domain joins at least two.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricInput:
    """A scale-out fabric; like switches throughout. Raises InvalidParameters with every problem at once.

    `switch_ports` of `switch_port_gbps` each may be broken out into `breakout` links: 64 ports of 800G are 128 of 400G.
    Each accelerator has `links_per_gpu` links in each of `planes` separate networks. With `is_rail_optimised` the like
    accelerators of all nodes meet on leaves of their own.
    """

    nodes: int = whole(NODES, about="Servers or trays.", is_stepped=False)
    gpus_per_node: int = whole(GPUS_PER_NODE, 8)
    links_per_gpu: int = whole(SMALL, 1, "Links of an accelerator in each plane.")
    planes: int = whole(SMALL, 1, "Separate networks that carry the same.")
    switch_ports: int = whole(tree.RADIX, 64)
    switch_port_gbps: Decimal = number(tree.RATE_GBPS, 400, "Line rate of a port, one way.")
    breakout: int = whole(SMALL, 1, "Links into which a port is broken out.")
    links_per_cable: int = whole(SMALL, 1)
    oversubscription: Decimal = number(tree.OVERSUBSCRIPTION, 1, "Down over up at the leaves.")
    unused_leaf_ports: int = whole(SPARE, 0, "Links of each leaf, after breakout, that stay unused.")
    leaf_split: str = choice(
        SPLITS,
        "all_ports",
        "all_ports uses all others; fewest_switches leaves more unused where that needs fewer switches.",
    )
    is_rail_optimised: bool = flag(True)
    spare_node_ports: int = whole(SPARE, 0, "Ports of leaves for managers of the fabric, not on an accelerator.")
    efficiency_fraction: Decimal | None = number(links.EFFICIENCY, None, "What is left of the line rate under load.")
    switch_usd: Decimal | None = number(links.USD, None)
    cable_usd: Decimal | None = number(links.USD, None, "With its transceivers.")
    switch_w: Decimal | None = number(links.SWITCH_W, None)
    scale_up: ScaleUp | None = part(ScaleUp)

    def __post_init__(self) -> None:
        check(self, self._too_many, self._too_many_links, self._too_few_ports)

    def _too_few_ports(self) -> Problem | None:
        most = self.switch_ports * self.breakout - 2
        if self.unused_leaf_ports <= most:
            return None
        message = (
            f"unused_leaf_ports is {self.unused_leaf_ports}; a leaf needs a port down and one up, so {most} is most."
        )
        return Problem("unused_leaf_ports", "out_of_range", message)

    def _too_many_links(self) -> Problem | None:
        ports = self.switch_ports * self.breakout
        if ports <= tree.RADIX.high:  # type: ignore[operator]
            return None
        return Problem("breakout", "out_of_range", f"{ports} links of a switch; {tree.RADIX.high} is the most.")

    def _too_many(self) -> Problem | None:
        gpus = self.nodes * self.gpus_per_node
        if gpus <= links.GPUS.high:  # type: ignore[operator]
            return None
        return Problem("nodes", "out_of_range", f"{gpus} accelerators; {links.GPUS.high} is the most.")


@dataclass(frozen=True, slots=True)
class FabricReport:
    """Counts over all planes. None is unknown: a parameter for it was not given. Rates are one way."""

    gpus_count: Decimal | None
    tiers: int
    leaf_down_ports_count: Decimal | None
    leaf_up_ports_count: Decimal | None
    leaf_unused_ports_count: Decimal | None
    leaf_switches_count: Decimal | None
    spine_switches_count: Decimal | None
    core_switches_count: Decimal | None
    switches_count: Decimal | None
    node_leaf_cables_count: Decimal | None
    leaf_spine_cables_count: Decimal | None
    spine_core_cables_count: Decimal | None
    cables_count: Decimal | None
    two_tier_max_endpoints_count: Decimal | None
    three_tier_max_endpoints_count: Decimal | None
    switch_one_way_capacity_tbps: Decimal | None
    per_gpu_gbps: Decimal | None
    effective_per_gpu_gbps: Decimal | None
    cross_leaf_per_gpu_gbps: Decimal | None
    bisection_tbps: Decimal | None
    fabric_power_kw: Decimal | None
    fabric_cost_usd: Decimal | None
    cost_per_effective_gbps_usd: Decimal | None
    scale_up_per_gpu_bidirectional_tb_s: Decimal | None
    scale_up_domain_bidirectional_tb_s: Decimal | None
    scale_up_pair_gb_s: Decimal | None
    scale_up_over_scale_out: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_fabric(given: FabricInput) -> FabricReport:
    """Return the report of a fabric. Raises InvalidParameters where three tiers cannot join so many accelerators."""
    with precise():
        return _report(given)


def _report(given: FabricInput) -> FabricReport:
    trace = Trace()
    radix, link_gbps = given.switch_ports * given.breakout, given.switch_port_gbps / given.breakout
    gpus = given.nodes * given.gpus_per_node
    rails = given.gpus_per_node * given.links_per_gpu if given.is_rail_optimised else 1
    endpoints = gpus * given.links_per_gpu
    split = fewest_switches if given.leaf_split == "fewest_switches" else split_of_all
    try:
        ports, plane, unused = split(
            endpoints,
            groups=rails,
            radix=radix,
            oversubscription=given.oversubscription,
            unused=given.unused_leaf_ports,
        )
    except InvalidParameters as error:
        # Who asks gave nodes; the leaves are ours.
        raise InvalidParameters(Problem("nodes", each.code, each.message) for each in error.problems) from error
    # Before the rest is computed, as the points of a sweep part here.
    warnings = tuple(_warnings(given, plane, ports, unused, radix, endpoints))
    inputs: dict[str, Decimal | int | None] = {
        "nodes": given.nodes,
        "gpus_per_node": given.gpus_per_node,
        "links_per_gpu": given.links_per_gpu,
        "planes": given.planes,
        "groups": rails,
        "radix": radix,
        "down_ports": ports.down,
        "uplinks": ports.up,
        "links_per_cable": given.links_per_cable,
    }

    def put(quantity: Quantity, value: Decimal | int | None, **used: Decimal | int | None) -> Decimal | None:
        return trace.put(quantity, value, **(used or inputs))

    planes = given.planes
    switches = planes * (plane.leaves + plane.spines + plane.cores)
    cables = [
        tree.cable_count(planes * links_count, given.links_per_cable)
        for links_count in (endpoints, plane.leaf_spine_links, plane.spine_core_links)
    ]
    # What manages the fabric takes ports of leaves, each with a cable of its own.
    cables[0] += given.spare_node_ports
    rate = links.per_gpu_gbps(given.links_per_gpu, planes, link_gbps)
    effective = None if given.efficiency_fraction is None else links.effective_gbps(rate, given.efficiency_fraction)
    cost = power = None
    if given.switch_usd is not None and given.cable_usd is not None:
        cost = links.fabric_cost_usd(switches, given.switch_usd, sum(cables), given.cable_usd)
    if given.switch_w is not None:
        power = links.fabric_power_kw(switches, given.switch_w)
    return FabricReport(
        gpus_count=put(GPUS, gpus, nodes=given.nodes, gpus_per_node=given.gpus_per_node),
        tiers=plane.tiers,
        leaf_down_ports_count=put(
            tree.LEAF_DOWN, ports.down, radix=radix, leaf_unused_ports_count=unused, uplinks=ports.up
        ),
        leaf_up_ports_count=put(
            tree.LEAF_UP,
            ports.up,
            radix=radix,
            leaf_unused_ports_count=unused,
            oversubscription=given.oversubscription,
        ),
        leaf_unused_ports_count=put(tree.LEAF_UNUSED, unused, unused_leaf_ports=given.unused_leaf_ports, radix=radix),
        leaf_switches_count=put(tree.LEAF_SWITCHES, planes * plane.leaves),
        spine_switches_count=put(tree.SPINE_SWITCHES, planes * plane.spines),
        core_switches_count=put(tree.CORE_SWITCHES, planes * plane.cores),
        switches_count=put(SWITCHES, switches),
        node_leaf_cables_count=put(tree.NODE_LEAF_CABLES, cables[0]),
        leaf_spine_cables_count=put(tree.LEAF_SPINE_CABLES, cables[1]),
        spine_core_cables_count=put(tree.SPINE_CORE_CABLES, cables[2]),
        cables_count=put(CABLES, sum(cables)),
        two_tier_max_endpoints_count=put(
            tree.TWO_TIER_MAX,
            tree.two_tier_max(radix, given.oversubscription, unused=unused),
            radix=radix,
            down_ports=ports.down,
        ),
        three_tier_max_endpoints_count=put(
            tree.THREE_TIER_MAX,
            tree.three_tier_max(radix, given.oversubscription, unused=unused),
            radix=radix,
            down_ports=ports.down,
        ),
        switch_one_way_capacity_tbps=put(
            tree.SWITCH_CAPACITY, tree.switch_capacity_tbps(radix, link_gbps), radix=radix, port_gbps=link_gbps
        ),
        per_gpu_gbps=put(
            links.PER_GPU_GBPS, rate, links_per_gpu=given.links_per_gpu, planes=planes, link_gbps=link_gbps
        ),
        effective_per_gpu_gbps=put(
            links.EFFECTIVE_GBPS, effective, per_gpu_gbps=rate, efficiency_fraction=given.efficiency_fraction
        ),
        cross_leaf_per_gpu_gbps=put(
            links.BISECTION_GBPS,
            links.oversubscribed_gbps(rate, given.oversubscription),
            per_gpu_gbps=rate,
            oversubscription=given.oversubscription,
        ),
        bisection_tbps=put(
            links.BISECTION_TBPS,
            links.bisection_tbps(gpus, rate, given.oversubscription if plane.tiers > 1 else Decimal(1)),
            gpus_count=gpus,
            per_gpu_gbps=rate,
            oversubscription=given.oversubscription,
            tiers=plane.tiers,
        ),
        fabric_power_kw=put(links.FABRIC_POWER, power, switches_count=switches, switch_w=given.switch_w),
        fabric_cost_usd=put(
            links.FABRIC_COST,
            cost,
            switches_count=switches,
            switch_usd=given.switch_usd,
            cables_count=sum(cables),
            cable_usd=given.cable_usd,
        ),
        cost_per_effective_gbps_usd=put(
            links.COST_PER_GBPS,
            None if cost is None or effective is None else cost / (gpus * effective),
            fabric_cost_usd=cost,
            gpus_count=gpus,
            effective_per_gpu_gbps=effective,
        ),
        **_scale_up(given.scale_up, rate, trace),
        warnings=warnings,
        trace=tuple(trace.entries),
    )


def _scale_up(domain: ScaleUp | None, rate_gbps: Decimal, trace: Trace) -> dict[str, Any]:
    quantities = (
        links.SCALE_UP_PER_GPU,
        links.SCALE_UP_DOMAIN,
        links.SCALE_UP_PAIR,
        links.SCALE_UP_OVER_SCALE_OUT,
    )
    if domain is None:
        return {quantity.name: None for quantity in quantities}
    gpus, count, link = domain.domain_gpus, domain.links_per_gpu, domain.link_bidirectional_gb_s
    pair = links.scale_up_pair_gb_s(gpus, count, link, is_switched=domain.is_switched)
    each = links.scale_up_per_gpu_tb_s(count, link)
    values = (
        each,
        links.scale_up_domain_tb_s(gpus, count, link),
        pair,
        # Terabytes both ways against gigabits one way.
        each * 1000 / 2 * 8 / rate_gbps,
    )
    inputs = {
        "domain_gpus": Decimal(gpus),
        "links_per_gpu": Decimal(count),
        "link_bidirectional_gb_s": link,
        "per_gpu_gbps": rate_gbps,
    }
    return {
        quantity.name: trace.record_from(quantity, value, inputs)
        for quantity, value in zip(quantities, values, strict=True)
    }


def _warnings(
    given: FabricInput, plane: tree.Tree, ports: tree.Ports, unused: int, radix: int, endpoints: int
) -> list[Notice]:
    found = []
    needed = -(-plane.leaf_spine_links // (radix if plane.tiers == 2 else radix // 2))
    if plane.spines > needed:
        message = (
            f"{plane.spines} spines a plane where the ports of {needed} would do: each leaf must give every spine the "
            f"same number of its {ports.up} uplinks."
        )
        found.append(Notice("uneven_spines", message))
    if unused > given.unused_leaf_ports:
        message = f"{unused} of {radix} ports of each leaf stay unused; {ports.down} go down and {ports.up} up."
        found.append(Notice("ports_left", message))
    if given.oversubscription > 1:
        message = f"{ports.down} ports down, {ports.up} up: across leaves not all can talk at line rate."
        found.append(Notice("oversubscribed", message))
    free = plane.leaves * ports.down - endpoints - given.spare_node_ports
    if free > 0:
        found.append(Notice("leaf_not_full", f"{free} ports of {plane.leaves} leaves a plane are free."))
    return found


def turns(given: FabricInput, spans: Mapping[str, Span]) -> Mapping[str, Sequence[Decimal]]:
    """Say where the price of a Gb/s turns over nodes, and where another number of ports goes up over ratios.

    The price jumps up where another leaf is needed, and falls until the next: with rails that is each `down` nodes. All
    other quantities only rise with nodes. Over ratios the spines follow the divisors of the ports that go up, in no
    order, so that both ends of each such number are computed. A split that is searched anew for each point has no such
    order, so that ranges are refused there.
    """
    asked = [path for path in ("nodes", "oversubscription") if path in spans]
    if given.leaf_split == "fewest_switches" and asked:
        message = "With leaf_split fewest_switches each point is split anew, and its counts have no bounds between."
        raise_for([Problem(path, "range_not_allowed", f"{message} Ask for single values.") for path in asked])
    ratios = [*_ratios(given, spans)]
    span = spans.get("nodes")
    if span is None or None in (given.switch_usd, given.cable_usd, given.efficiency_fraction):
        return {"oversubscription": ratios}
    ends = []
    for each in dict.fromkeys(_nodes_of_a_leaf(given, spans, ratios)):
        steps = range(int(span.low / each), int(span.high / each) + 1)
        if len(steps) > STEPS_MAX:
            message = (
                f"nodes crosses {len(steps)} leaves, at each of which the price of a Gb/s turns; {STEPS_MAX} is most."
            )
            raise_for([Problem("nodes", "too_many", f"{message} Narrow it, or leave the prices out.")])
        for step in steps:
            last = (each * step).to_integral_value(rounding=ROUND_FLOOR)
            ends += [last, last + 1]
    return {"oversubscription": ratios, "nodes": ends}


_NEAR = Decimal("1e-30")


def _ratios(given: FabricInput, spans: Mapping[str, Span]) -> Iterator[Decimal]:
    """Give the least and nearly the greatest ratio at which a leaf has each number of ports up, within its range.

    `u` of the used ports go up from a ratio of used / u − 1 on, until u − 1 suffice.
    """
    span = spans.get("oversubscription")
    if span is None:
        return
    for ports, breakout, unused in _arrangements(given, spans, "switch_ports", "breakout", "unused_leaf_ports"):
        used = Decimal(ports * breakout - unused)
        for up in range(ceiling(used / (1 + span.high)), ceiling(used / (1 + span.low)) + 1):
            yield used / up - 1 + _NEAR
            if up > 1:
                yield used / (up - 1) - 1 - _NEAR


def _nodes_of_a_leaf(given: FabricInput, spans: Mapping[str, Span], ratios: Sequence[Decimal]) -> Iterator[Decimal]:
    """Give how many nodes fill a leaf, or with rails one of each, for all that the ranges arrange ports by."""
    names = ("switch_ports", "breakout", "unused_leaf_ports", "gpus_per_node", "links_per_gpu")
    for ports, breakout, unused, gpus, links_count in _arrangements(given, spans, *names):
        for ratio in (given.oversubscription, *_ends(spans.get("oversubscription")), *ratios):
            try:
                down = Decimal(tree.leaf_ports(ports * breakout, ratio, unused=unused).down)
            except InvalidParameters:
                continue  # No arrangement, as an odd number of ports: its report is not computed either.
            yield down if given.is_rail_optimised else down / (gpus * links_count)


def _arrangements(given: FabricInput, spans: Mapping[str, Span], *names: str) -> Iterator[tuple[int, ...]]:
    """Give each combination of counts, of those that have a range all of it."""
    return product(*(_counts(getattr(given, name), spans.get(name)) for name in names))


def _counts(value: int, span: Span | None) -> Sequence[int]:
    return [value] if span is None else range(int(span.low), int(span.high) + 1)


def _ends(span: Span | None) -> tuple[Decimal, ...]:
    return () if span is None else (span.low, span.high)


FABRIC = Layer("fabric", FabricInput, run_fabric, turns)

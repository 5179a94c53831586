"""Folded Clos networks (fat trees) of one kind of switch: leaves, spines, cores, and the cables between them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.counts import divisors, next_up
from simulator.engine.errors import Problem, raise_for
from simulator.engine.numbers import Range, ceiling, exact, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

RADIX = Range("ports", low=2, high=4096, step=Decimal(2))
PORTS = Range("ports", low=1, high=100_000_000, step=Decimal(1))
LEAVES = Range("leaves", low=1, high=10_000_000, step=Decimal(1))
RATE_GBPS = Range("Gb/s", above=0, high=100_000)
OVERSUBSCRIPTION = Range("", low=1, high=64)

_CLOS = "Al-Fares, Loukissas & Vahdat, A Scalable, Commodity Data Center Network Architecture, SIGCOMM 2008, section 3"
_EVEN = (
    "NVIDIA DGX SuperPOD reference architectures (H100, B200, B300), component counts: each leaf gives every spine the "
    "same number of links"
)

LEAF_DOWN = Quantity("leaf_down_ports_count", "", "radix − leaf_unused_ports_count − uplinks", "Definition")
LEAF_UP = Quantity(
    "leaf_up_ports_count",
    "",
    "⌈(radix − leaf_unused_ports_count) / (1 + oversubscription)⌉",
    "Definition of oversubscription",
)
LEAF_UNUSED = Quantity(
    "leaf_unused_ports_count",
    "",
    "unused_leaf_ports; with leaf_split fewest_switches the least, from there on, that needs the fewest switches",
    "Search of every count up to an eighth of the ports",
)
LEAF_SWITCHES = Quantity("leaf_switches_count", "", "planes · groups · ⌈endpoints of a group / down ports⌉", _CLOS)
SPINE_SWITCHES = Quantity(
    "spine_switches_count",
    "",
    "planes · the smallest divisor of the uplinks of a leaf that is at least leaves · uplinks / radix; "
    "with three tiers as many as leaves in each full pod",
    _EVEN,
)
CORE_SWITCHES = Quantity(
    "core_switches_count",
    "",
    "planes · radix / 2 · the smallest divisor of radix / 2 that is at least pods / 2; 0 with two tiers",
    _EVEN,
)
LEAF_SPINE_CABLES = Quantity("leaf_spine_cables_count", "", "leaf_switches_count · uplinks / links_per_cable", _CLOS)
SPINE_CORE_CABLES = Quantity(
    "spine_core_cables_count", "", "spine_switches_count · radix / 2 / links_per_cable; 0 with two tiers", _CLOS
)
NODE_LEAF_CABLES = Quantity(
    "node_leaf_cables_count", "", "endpoints · links an endpoint · planes / links_per_cable", _CLOS
)
TWO_TIER_MAX = Quantity("two_tier_max_endpoints_count", "", "down ports · radix; k²/2 where nothing is blocked", _CLOS)
THREE_TIER_MAX = Quantity(
    "three_tier_max_endpoints_count", "", "down ports · radix/2 · radix; k³/4 where nothing is blocked", _CLOS
)
SWITCH_CAPACITY = Quantity(
    "switch_one_way_capacity_tbps",
    "Tb/s",
    "radix · port_gbps / 1000, one way; data sheets that count both ways print twice as much",
    "Definition; NVIDIA prints QM9700 both ways and Q3400 one way",
)


@dataclass(frozen=True, slots=True)
class Ports:
    """How the ports of a leaf are shared out: `down` to endpoints, `up` to spines."""

    down: int
    up: int


@dataclass(frozen=True, slots=True)
class Tree:
    """The switches of one plane, and the links between them. `tiers` is 1, 2 or 3."""

    tiers: int
    leaves: int
    spines: int
    cores: int
    leaf_spine_links: int
    spine_core_links: int


def leaf_ports(radix: int, oversubscription: Decimal = Decimal(1), *, unused: int = 0) -> Ports:
    """Return how many ports of a leaf go down and up: up = ⌈used / (1 + oversubscription)⌉, down the rest of the used.

    `used` is radix − `unused`. Down is at most oversubscription · up, so that the ratio is never above what was asked
    for. Valid for an even radix from 2 to 4,096, a ratio from 1 (non-blocking) to 64, and two ports in use at least.
    Source: definition of oversubscription.
    """
    require(
        radix=(Decimal(radix), RADIX),
        oversubscription=(oversubscription, OVERSUBSCRIPTION),
        unused=(Decimal(unused), Range("ports", low=0, high=radix - 2)),
    )
    used = radix - unused
    # Rounded up: 128 ports at 2:1 are 85 down and 43 up, since 86 over 42 would be more than 2:1.
    up = ceiling(Decimal(used) / (1 + oversubscription))
    return Ports(used - up, up)


def even_spread(parts: int, at_least: int) -> int | None:
    """Return the smallest divisor of `parts` that is `at_least` so much, None if there is none.

    Each leaf has `parts` uplinks, and every spine must get the same number of them. A plain ⌈ ⌉ is wrong: 32 leaves of
    72 uplinks would fit 16 spines of 144 ports, but 16 does not divide 72; 18 are built. Valid for whole numbers above
    zero. Source: NVIDIA DGX SuperPOD, B300 XDR, table 3, and H100, three scalable units.
    """
    require(parts=(exact(parts), PORTS), at_least=(exact(at_least), PORTS))
    return None if at_least > parts else next_up(divisors(int(parts)), at_least)


def leaf_count(endpoints: int, *, groups: int, down: int) -> int:
    """Return the leaves of one plane: groups · ⌈endpoints / groups / down⌉.

    With rails each rail is a group, since the like ports of all nodes meet on its leaves; else there is one group.
    Valid for whole numbers above zero. Source: NVIDIA DGX SuperPOD, rail-optimised topology.
    """
    require(endpoints=(exact(endpoints), PORTS), groups=(exact(groups), PORTS), down=(exact(down), PORTS))
    return groups * -(-endpoints // (groups * down))


def two_tier_spines(leaves: int, *, up: int, radix: int) -> int | None:
    """Return the spines over `leaves` leaves: the smallest divisor of `up` that offers leaves · up ports; None if none.

    Valid up to `radix` leaves, one link from each leaf to each spine. Source: `even_spread`.
    """
    require(leaves=(exact(leaves), LEAVES), radix=(Decimal(radix), RADIX), up=(exact(up), PORTS))
    return even_spread(up, -(-leaves * up // radix)) if leaves <= radix else None


def tree(leaves: int, *, ports: Ports, radix: int) -> Tree:
    """Return the switches of one plane over `leaves` leaves, with the fewest tiers that join them.

    One leaf needs no spine. Two tiers join up to `radix` leaves. Beyond, pods of radix/2 leaves have as many spines as
    leaves (with uplinks fewer than half the ports, as many spines as a leaf has uplinks), and each spine gives half of
    its ports to cores: radix/2 groups of as many cores as divide its uplinks evenly. A pod that is not full is built
    with the spines it needs and wired to all groups. Valid up to `radix` pods.
    Raises InvalidParameters, naming `leaves`, beyond. Source: Al-Fares et al. 2008; NVIDIA DGX SuperPOD, B200.
    """
    require(leaves=(exact(leaves), LEAVES), radix=(Decimal(radix), RADIX))
    if leaves == 1:
        return Tree(1, 1, 0, 0, 0, 0)
    spines = two_tier_spines(leaves, up=ports.up, radix=radix)
    if spines is not None:
        return Tree(2, leaves, spines, 0, leaves * ports.up, 0)
    half = radix // 2
    full, rest = divmod(leaves, half)
    pods = -(-leaves // half)
    if pods > radix:
        message = f"leaves is {leaves}; three tiers of switches with {radix} ports join at most {half * radix}."
        raise_for([Problem("leaves", "out_of_range", message)])
    # The spines of a pod that is not full.
    last = next_up([0, *divisors(int(ports.up))], -(-rest * ports.up // half))
    spines = full * ports.up + last
    each = even_spread(half, -(-pods // 2))
    assert each is not None  # pods / 2 is at most half.
    return Tree(3, leaves, spines, ports.up * each, leaves * ports.up, spines * half)


def cable_count(links: int, links_per_cable: int) -> int:
    """Return the cables that carry `links` links: ⌈links / links_per_cable⌉.

    A twin-port cable carries two: cables then equal accelerators though each has two links. Valid for 1 to 16 links a
    cable. Source: arithmetic; NVIDIA DGX SuperPOD, B300 with Spectrum-X, table 3.
    """
    require(links_per_cable=(Decimal(links_per_cable), Range("links", low=1, high=16)))
    return -(-links // links_per_cable)


def two_tier_max(radix: int, oversubscription: Decimal = Decimal(1), *, unused: int = 0) -> int:
    """Return the most endpoints of two tiers: down · radix; k²/2 where nothing is blocked.

    Valid for an even radix. Source: Al-Fares et al. 2008.
    """
    return leaf_ports(radix, oversubscription, unused=unused).down * radix


def three_tier_max(radix: int, oversubscription: Decimal = Decimal(1), *, unused: int = 0) -> int:
    """Return the most endpoints of three tiers: down · radix/2 · radix; k³/4 where nothing is blocked.

    Valid for an even radix. Source: Al-Fares et al. 2008.
    """
    return leaf_ports(radix, oversubscription, unused=unused).down * (radix // 2) * radix


def switch_capacity_tbps(radix: int, port_gbps: Decimal) -> Decimal:
    """Return what a switch forwards one way, in Tb/s: radix · port_gbps / 1000.

    Vendors print one way (Q3400: 115.2) or both ways (QM9700: 51.2 for 25.6). Valid for an even radix from 2 to 4,096.
    Source: definition.
    """
    require(radix=(Decimal(radix), RADIX), port_gbps=(port_gbps, RATE_GBPS))
    return convert(radix * port_gbps, "gbps", "tbps")


@dataclass(frozen=True, slots=True)
class KaryTree:
    """A k-ary fat tree, full."""

    hosts: int
    edge: int
    aggregation: int
    core: int
    links: int

    @property
    def nodes(self) -> int:
        """Hosts and switches together."""
        return self.hosts + self.edge + self.aggregation + self.core


def kary_tree(k: int) -> KaryTree:
    """Return a full k-ary fat tree: k³/4 hosts, k²/2 edge and aggregation switches each, k²/4 cores, 3k³/4 links.

    Valid for an even k from 2. Source: Al-Fares et al. 2008, section 3.
    """
    require(k=(Decimal(k), RADIX))
    half = k // 2
    return KaryTree(k * half * half, k * half, k * half, half * half, 3 * k * half * half)

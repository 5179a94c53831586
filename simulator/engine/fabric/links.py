"""How fast accelerators talk: in a scale-up domain, through a fabric, and across pods; and what a fabric costs."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, exact, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

GPUS = Range("accelerators", low=1, high=100_000_000, step=Decimal(1))
LINKS = Range("links", low=1, high=1024, step=Decimal(1))
CHIPS = Range("chips", low=1, high=100_000, step=Decimal(1))
LINK_GB_S = Range("GB/s", above=0, high=100_000)
RATE_GBPS = Range("Gb/s", above=0, high=1_000_000)
EFFICIENCY = Range("", above=0, high=1)
RATIO = Range("", low=1, high=1000)
USD = Range("USD", low=0, high=100_000_000)
SWITCH_W = Range("W", low=0, high=100_000)

_LINKS = "NVIDIA GB200 NVL72: 18 NVLink 5 links of 100 GB/s, both ways, to each GPU"
_SUM = "Arithmetic"

SCALE_UP_PER_GPU = Quantity(
    "scale_up_per_gpu_bidirectional_tb_s", "TB/s", "links · link_gb_s / 1000, both ways counted", _LINKS
)
SCALE_UP_DOMAIN = Quantity(
    "scale_up_domain_bidirectional_tb_s", "TB/s", "domain_gpus_count · per GPU, both ways counted", _LINKS
)
SCALE_UP_PAIR = Quantity(
    "scale_up_pair_gb_s",
    "GB/s",
    "per GPU one way, through switches that join all: what two of the domain can exchange",
    _LINKS,
)
SCALE_UP_OVER_SCALE_OUT = Quantity(
    "scale_up_over_scale_out", "", "scale-up one way / scale-out one way of one GPU", "Definition of a ratio", False
)
PER_GPU_GBPS = Quantity("per_gpu_gbps", "Gb/s", "links_per_gpu · planes · link_gbps, one way", _SUM)
EFFECTIVE_GBPS = Quantity(
    "effective_per_gpu_gbps", "Gb/s", "per_gpu_gbps · efficiency_fraction", "Parameter; vendors' claims differ"
)
BISECTION_GBPS = Quantity(
    "cross_leaf_per_gpu_gbps", "Gb/s", "per_gpu_gbps / oversubscription", "Definition of oversubscription", False
)
BISECTION_TBPS = Quantity(
    "bisection_tbps",
    "Tb/s",
    "gpus_count / 2 · per_gpu_gbps / oversubscription / 1000, one way; undivided where one leaf joins all",
    "Dally & Towles, Principles and Practices of Interconnection Networks, 2004, section 3.1",
    False,
)
FABRIC_COST = Quantity(
    "fabric_cost_usd", "USD", "switches_count · switch_usd + cables_count · cable_usd", "Parameters of the asker"
)
COST_PER_GBPS = Quantity(
    "cost_per_effective_gbps_usd", "USD", "fabric_cost_usd / (gpus · effective_per_gpu_gbps)", "Definition", False
)
FABRIC_POWER = Quantity("fabric_power_kw", "kW", "switches_count · switch_w / 1000", _SUM)


def scale_up_per_gpu_tb_s(links: int, link_gb_s: Decimal) -> Decimal:
    """Return the scale-up bandwidth of one accelerator in TB/s, both ways counted: links · link / 1000.

    Valid for links that carry `link_gb_s` GB/s both ways together, as vendors print it. Source: NVIDIA GB200 NVL72.
    """
    require(links=(Decimal(links), LINKS), link_gb_s=(link_gb_s, LINK_GB_S))
    return convert(links * link_gb_s, "gb_s", "tb_s")


def scale_up_domain_tb_s(gpus: int, links: int, link_gb_s: Decimal) -> Decimal:
    """Return the scale-up bandwidth of a domain in TB/s, both ways counted: accelerators · links · link / 1000.

    Valid for up to 100,000,000 accelerators. Source: NVIDIA GB200 NVL72 (129.6, printed as 130).
    """
    require(gpus=(Decimal(gpus), GPUS))
    return gpus * scale_up_per_gpu_tb_s(links, link_gb_s)


def scale_up_pair_gb_s(gpus: int, links: int, link_gb_s: Decimal, *, is_switched: bool = True) -> Decimal:
    """Return what one accelerator can send another of its domain, in GB/s one way.

    Through switches all links serve one pair: links · link / 2. In a full mesh without switches a pair shares
    links / (gpus − 1) of them. Valid for a domain of at least two. Source: NVIDIA NVLink and NVSwitch.
    """
    require(gpus=(Decimal(gpus), Range("accelerators", low=2, high=100_000)))
    one_way = convert(scale_up_per_gpu_tb_s(links, link_gb_s), "tb_s", "gb_s") / 2
    return one_way if is_switched else one_way / (gpus - 1)


def scale_up_links(gpus: int, links: int) -> int:
    """Return the links of a domain: accelerators · links.

    Each ends at a switch chip. Valid for at least one of each. Source: arithmetic.
    """
    require(gpus=(Decimal(gpus), GPUS), links=(Decimal(links), LINKS))
    return gpus * links


def scale_up_chip_ports(gpus: int, links: int, chips: int) -> Decimal:
    """Return the ports that each switch chip needs: accelerators · links / chips.

    A fraction says that the links do not spread evenly. Valid for at least one chip. Source: arithmetic.
    """
    require(chips=(Decimal(chips), CHIPS))
    return Decimal(scale_up_links(gpus, links)) / chips


def per_gpu_gbps(links: int, planes: int, link_gbps: Decimal) -> Decimal:
    """Return the scale-out line rate of an accelerator in Gb/s, one way: links a plane · planes · link.

    Valid for at least one link in at least one plane. Source: arithmetic.
    """
    require(links=(Decimal(links), LINKS), planes=(Decimal(planes), LINKS), link_gbps=(link_gbps, RATE_GBPS))
    return links * planes * link_gbps


def effective_gbps(line_rate_gbps: Decimal, efficiency_fraction: Decimal) -> Decimal:
    """Return the throughput that is left of a line rate in Gb/s: rate · efficiency.

    The efficiency is a parameter, never physics: what vendors claim of Ethernet and InfiniBand under load is from 0.6
    to 0.95 of the line rate, each about the other's product. Valid for a fraction in (0, 1]. Source: definition.
    """
    require(line_rate_gbps=(line_rate_gbps, RATE_GBPS), efficiency_fraction=(efficiency_fraction, EFFICIENCY))
    return line_rate_gbps * efficiency_fraction


def oversubscribed_gbps(port_gbps: Decimal, oversubscription: Decimal) -> Decimal:
    """Return what is left to each accelerator in Gb/s when all talk across an oversubscribed tier: rate / ratio.

    Valid for a ratio from 1 (non-blocking). Source: definition of oversubscription; Llama 3, section 3.3.1, has 1:7.
    """
    require(port_gbps=(port_gbps, RATE_GBPS), oversubscription=(oversubscription, RATIO))
    return port_gbps / oversubscription


def bisection_tbps(gpus: int, rate_gbps: Decimal, oversubscription: Decimal = Decimal(1)) -> Decimal:
    """Return what one half of the accelerators can send to the other in Tb/s, one way: n / 2 · rate / ratio / 1000.

    Vendors that count both ways print twice as much. Valid for a folded Clos network whose leaves alone are
    oversubscribed, and halves that share no leaf. Source: Dally & Towles, Principles and Practices of Interconnection
    Networks, 2004, section 3.1.
    """
    require(gpus=(exact(gpus), GPUS))
    return convert(exact(gpus) / 2 * oversubscribed_gbps(rate_gbps, oversubscription), "gbps", "tbps")


def fabric_cost_usd(switches: int, switch_usd: Decimal, cables: int, cable_usd: Decimal) -> Decimal:
    """Return the price of a fabric in USD: switches · price + cables · price (with their transceivers).

    Valid for prices from 0. Source: arithmetic; prices are parameters of the asker, without default.
    """
    require(switch_usd=(switch_usd, USD), cable_usd=(cable_usd, USD))
    return switches * switch_usd + cables * cable_usd


def fabric_power_kw(switches: int, switch_w: Decimal) -> Decimal:
    """Return the power of all switches in kW: switches · switch / 1000; say which of the three powers is meant.

    Valid for up to 100,000 W a switch. Source: arithmetic. An NVIDIA Q3400 takes 2.9 kW typical and 7 kW at most with
    active cables.
    """
    require(switch_w=(switch_w, SWITCH_W))
    return convert(switches * switch_w, "w", "kw")

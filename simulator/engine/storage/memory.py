"""Memory that servers share over a cable (CXL): how much less it takes, and how fast a core reads from it."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

GB = Range("GB", low=0, high=1_000_000)
DEVIATIONS = Range("", low=0, high=6)
SERVERS = Range("servers", low=1, high=4096, step=Decimal(1))
NS = Range("ns", above=0, high=1_000_000)
LINES = Range("lines", low=1, high=4096, step=Decimal(1))

CACHE_LINE_BYTES = Decimal(64)
"""CXL 3.1 specification, and every x86 and Arm server core: one transfer is a cache line of 64 bytes."""

_ROOT = "Standard deviation of a mean of independent loads: σ / √n"

POOLED_MEMORY = Quantity(
    "pooled_memory_gb_per_server", "GB", "mean_gb + deviations · deviation_gb / √servers", _ROOT, False
)
POOLING_SAVING = Quantity(
    "pooling_saving_fraction",
    "",
    "1 − pooled_memory_gb_per_server / (mean_gb + deviations · deviation_gb)",
    _ROOT,
    False,
)
CORE_READ = Quantity(
    "core_read_gb_s", "GB/s", "lines_in_flight · 64 B / latency_ns", "Little's law: concurrency = rate · latency", False
)


def pooled_gb(mean_gb: Decimal, deviation_gb: Decimal, *, deviations: Decimal, servers: int) -> Decimal:
    """Return the memory that each of `servers` needs, in GB, when they share: mean + deviations · σ / √n.

    Valid for independent loads with a common distribution: the ranks of one synchronous job grow together, and pooling
    them saves nothing. Source: standard deviation of a mean.
    """
    require(
        mean_gb=(mean_gb, GB),
        deviation_gb=(deviation_gb, GB),
        deviations=(deviations, DEVIATIONS),
        servers=(Decimal(servers), SERVERS),
    )
    return mean_gb + deviations * deviation_gb / Decimal(servers).sqrt()


def core_read_gb_s(lines_in_flight: int, latency_ns: Decimal) -> Decimal:
    """Return what one core reads in GB/s: lines in flight · 64 bytes / latency (bytes a nanosecond are GB/s).

    Valid below what the link carries, without prefetching ahead of the lines counted. Source: Little's law.
    """
    require(lines_in_flight=(Decimal(lines_in_flight), LINES), latency_ns=(latency_ns, NS))
    return lines_in_flight * CACHE_LINE_BYTES / latency_ns

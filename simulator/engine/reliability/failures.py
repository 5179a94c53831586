"""How often something fails where many things must all work, and how much time of a run is useful."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

NODES = Range("nodes", above=0, high=10_000_000)
RATE_1000 = Range("failures per 1,000 node-days", above=0, high=100_000)
HOURS = Range("h", above=0, high=100_000_000)
DAYS = Range("days", above=0, high=100_000)
EVENTS = Range("events", above=0, high=100_000_000)
SECONDS = Range("s", low=0, high=100_000_000)
MEAN_S = Range("s", above=0)
LOST_S = Range("s", low=0)
"""What follows from rates and intervals ends nowhere: a job of one node may fail as seldom as is said."""
WRITE_S = Range("s", above=0, high=1_000_000)

_SERIES = "Series system with constant failure rates (Rausand & Høyland, System Reliability Theory, ch. 4)"
_META = "Kokolis et al., Revisiting Reliability in Large-Scale Machine Learning Research Clusters, 2024"
_YOUNG = "Young, A first order approximation to the optimum checkpoint interval, CACM 17(9), 1974"
_DALY = "Daly, A higher order estimate of the optimum checkpoint interval, FGCS 22(3), 2006"

JOB_MTTF = Quantity("job_mttf_h", "h", "24 / (nodes · failures_per_1000_node_days / 1000)", _SERIES, False)
FAILURES = Quantity("failures_count", "", "run_days · 24 / job_mttf_h", _SERIES, False)
YOUNG_INTERVAL = Quantity("young_interval_s", "s", "√(2 · write_s · job_mttf_s)", _YOUNG, False)
DALY_INTERVAL = Quantity(
    "daly_interval_s",
    "s",
    "√(2·w·M) · (1 + ⅓·√(w/2M) + ⅑·w/2M) − w, or M where w ≥ 2M",
    _DALY,
    False,
)
USED_INTERVAL = Quantity("interval_s", "s", "as given, else daly_interval_s", _DALY, False)
OVERHEAD = Quantity(
    "checkpoint_overhead_fraction",
    "",
    "write_s / interval_s + interval_s / (2 · job_mttf_s): writing, and work lost half an interval at each failure",
    _YOUNG,
    False,
)
LOST_PER_FAILURE = Quantity(
    "lost_per_failure_s", "s", "detect_s + restart_s + interval_s / 2", _META + ", section on ETTR", False
)
ETTR = Quantity(
    "ettr_fraction",
    "",
    "1 / (1 + write_s / interval_s + lost_per_failure_s / job_mttf_s)",
    _META + ", section on ETTR, with writes that block",
    False,
)


def failures_per_node_day(failures: Decimal, nodes: Decimal, days: Decimal) -> Decimal:
    """Return the failures of one node in a day: failures / (nodes · days).

    Valid for constant rates. Source: definition.
    """
    require(failures=(failures, EVENTS), nodes=(nodes, NODES), days=(days, DAYS))
    return failures / (nodes * days)


def hours_between(events: Decimal, days: Decimal) -> Decimal:
    """Return the mean hours between events of a period: days · 24 / events.

    Valid for at least one event. Source: definition of a mean.
    """
    require(events=(events, EVENTS), days=(days, DAYS))
    return days * 24 / events


def job_mttf_h(nodes: Decimal, failures_per_1000_node_days: Decimal) -> Decimal:
    """Return the mean time to failure, in hours, of a job that needs all its nodes: 24 / (nodes · rate / 1000).

    Rates add where any failure ends the job. Valid for independent failures at constant rates: jobs of up to some
    hundred nodes fail more often than that (a measured 7.9 h against 28.8 h at 1,024 GPUs), since software and users
    are not in a hardware rate. Source: series system, Rausand & Høyland, ch. 4.
    """
    require(nodes=(nodes, NODES), failures_per_1000_node_days=(failures_per_1000_node_days, RATE_1000))
    return 24 / (nodes * failures_per_1000_node_days / 1000)


def young_interval_s(write_s: Decimal, mttf_s: Decimal) -> Decimal:
    """Return Young's period from one checkpoint to the next in seconds: √(2 · write · MTTF).

    Valid where a write is short against the mean time to failure. Source: Young 1974.
    """
    require(write_s=(write_s, WRITE_S), mttf_s=(mttf_s, MEAN_S))
    return (2 * write_s * mttf_s).sqrt()


def daly_first_order_s(write_s: Decimal, mttf_s: Decimal) -> Decimal:
    """Return Daly's first-order work between checkpoints in seconds: √(2 · write · MTTF) − write.

    Valid for a write below half of the mean time to failure, else it is not positive: `write_s` is then refused.
    Source: Daly 2006, equation 6.
    """
    require(write_s=(write_s, Range("s", above=0, below=2 * mttf_s)))
    return young_interval_s(write_s, mttf_s) - write_s


def daly_interval_s(write_s: Decimal, mttf_s: Decimal) -> Decimal:
    """Return Daly's higher-order work between checkpoints in seconds.

    √(2wM) · (1 + ⅓·√(w/2M) + ⅑·(w/2M)) − w for w < 2M, else M. Valid for any write. Source: Daly 2006, equation 37.
    """
    require(write_s=(write_s, WRITE_S), mttf_s=(mttf_s, MEAN_S))
    if write_s >= 2 * mttf_s:
        return mttf_s
    ratio = write_s / (2 * mttf_s)
    return young_interval_s(write_s, mttf_s) * (1 + ratio.sqrt() / 3 + ratio / 9) - write_s


def overhead_fraction(write_s: Decimal, interval_s: Decimal, mttf_s: Decimal) -> Decimal:
    """Return the time lost to checkpoints and to work done twice, as a fraction of useful time.

    write / interval + interval / (2 · MTTF); at the optimum √(2 · write / MTTF). Valid where it is far below 1;
    restarts are not in it. Source: Young 1974.
    """
    require(write_s=(write_s, SECONDS), interval_s=(interval_s, MEAN_S), mttf_s=(mttf_s, MEAN_S))
    return write_s / interval_s + interval_s / (2 * mttf_s)


def overhead_at_optimum(write_s: Decimal, mttf_s: Decimal) -> Decimal:
    """Return the least overhead: √(2 · write / MTTF), a fraction of useful time.

    Valid where a write is short against the mean time to failure. Source: Young 1974.
    """
    return overhead_fraction(write_s, young_interval_s(write_s, mttf_s), mttf_s)


def lost_per_failure_s(interval_s: Decimal, *, detect_s: Decimal, restart_s: Decimal) -> Decimal:
    """Return the seconds that one failure costs: to notice it, to start again, and half an interval of work done twice.

    Valid for failures that fall anywhere in an interval alike. Source: Kokolis et al. 2024.
    """
    require(interval_s=(interval_s, MEAN_S), detect_s=(detect_s, SECONDS), restart_s=(restart_s, SECONDS))
    return detect_s + restart_s + interval_s / 2


def ettr(*, write_s: Decimal, interval_s: Decimal, lost_s: Decimal, mttf_s: Decimal) -> Decimal:
    """Return the effective training time ratio: useful time over all time, in (0, 1].

    1 / (1 + write / interval + lost / MTTF), with failures of useful time and writes that block. Valid without queues
    for new nodes. Source: Kokolis et al. 2024, rearranged.
    """
    require(
        write_s=(write_s, SECONDS), interval_s=(interval_s, MEAN_S), lost_s=(lost_s, LOST_S), mttf_s=(mttf_s, MEAN_S)
    )
    return 1 / (1 + write_s / interval_s + lost_s / mttf_s)

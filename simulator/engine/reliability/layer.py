"""The reliability layer: interruptions of a job, its checkpoints, and a short outage of power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from simulator.engine.amounts import unless_unknown
from simulator.engine.errors import Problem
from simulator.engine.layers import Layer, QuantityRange, Span
from simulator.engine.notices import LITTLE_GIVEN, LITTLE_GIVEN_ABOUT, Notice
from simulator.engine.numbers import Range, exact, precise
from simulator.engine.parameters import check, number, part, whole
from simulator.engine.reliability import failures, outage
from simulator.engine.trace import Quantity, Trace, TraceEntry
from simulator.engine.units import convert

NODES = Range("nodes", low=1, high=10_000_000, step=Decimal(1))
GPUS_PER_NODE = Range("accelerators", low=1, high=1024, step=Decimal(1))
MTTF_H = Range("h", above=0, high=100_000_000)
INTERVAL_S = Range("s", above=0, high=100_000_000)

RELIABILITY_WARNINGS = {
    "write_not_short": "A checkpoint takes a tenth of the mean time to failure or more: Young's interval is too short.",
    "small_job": "A hardware rate understates the failures of jobs below some hundred nodes.",
    "outage_ends_job": "The outage ends the job.",
    "no_progress": "More time is lost than the job has between failures.",
    LITTLE_GIVEN: LITTLE_GIVEN_ABOUT,
}

OUTAGE_LOSS_WITH = Quantity(
    "outage_lost_with_ride_through_gpu_h",
    "GPU·h",
    "0 if storage carries the load through, else outage_lost_gpu_h",
    "Definition",
    False,
)
OUTAGE_COST_WITH = Quantity(
    "outage_cost_with_ride_through_usd",
    "USD",
    "outage_lost_with_ride_through_gpu_h · usd_per_gpu_h",
    "Definition",
    False,
)

# Below this many nodes the measured mean time of Kokolis et al. is a quarter of the series model's.
_SMALL_NODES = 256


@dataclass(frozen=True, slots=True)
class Outage:
    """A loss of the utility, and what carries the load meanwhile. Raises InvalidParameters."""

    outage_s: Decimal = number(outage.SECONDS, 30)
    storage_s: Decimal = number(outage.SECONDS, 0, "How long a UPS, flywheel or battery carries the whole load.")
    generator_start_s: Decimal | None = number(
        outage.SECONDS, None, "When a generator takes the load; None where there is none, or it does not start."
    )
    usd_per_gpu_h: Decimal | None = number(outage.USD, None)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityInput:
    """A job that needs all its nodes. Its mean time to failure is given, or follows from a rate of one node.

    Raises InvalidParameters with every problem at once.
    """

    nodes: int = whole(NODES, is_stepped=False)
    gpus_per_node: int = whole(GPUS_PER_NODE, 8)
    failures_per_1000_node_days: Decimal | None = number(failures.RATE_1000, None)
    job_mttf_h: Decimal | None = number(MTTF_H, None, "Measured; else from the rate.")
    run_days: Decimal | None = number(failures.DAYS, None)
    write_s: Decimal | None = number(failures.WRITE_S, None, "The part of a checkpoint that stops training.")
    interval_s: Decimal | None = number(INTERVAL_S, None, "Work between checkpoints; else the optimum.")
    detect_s: Decimal = number(failures.SECONDS, 0, "Until a failure is noticed.")
    restart_s: Decimal | None = number(failures.SECONDS, None, "To start again, checkpoint read.")
    outage: Outage | None = part(Outage)

    def __post_init__(self) -> None:
        check(self, self._twice)

    def _twice(self) -> Problem | None:
        if self.job_mttf_h is None or self.failures_per_1000_node_days is None:
            return None
        message = "job_mttf_h and failures_per_1000_node_days both say how often the job fails; give one of them."
        return Problem("job_mttf_h", "conflict", message)


@dataclass(frozen=True, slots=True)
class ReliabilityReport:
    """None is unknown: a parameter for it was not given."""

    job_mttf_h: Decimal | None
    failures_count: Decimal | None
    young_interval_s: Decimal | None
    daly_interval_s: Decimal | None
    interval_s: Decimal | None
    checkpoint_overhead_fraction: Decimal | None
    lost_per_failure_s: Decimal | None
    ettr_fraction: Decimal | None
    survives_outage: bool | None
    outage_lost_gpu_h: Decimal | None
    outage_lost_with_ride_through_gpu_h: Decimal | None
    outage_cost_usd: Decimal | None
    outage_cost_with_ride_through_usd: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_reliability(given: ReliabilityInput) -> ReliabilityReport:
    """Return the report of a job's interruptions."""
    with precise():
        return _report(given)


def _mttf_h(given: ReliabilityInput) -> Decimal | None:
    if given.job_mttf_h is not None:
        return given.job_mttf_h
    rate = given.failures_per_1000_node_days
    return None if rate is None else failures.job_mttf_h(exact(given.nodes), rate)


def _interval_s(given: ReliabilityInput, mttf_s: Decimal | None) -> Decimal | None:
    """Return the work between checkpoints: as given, else Daly's optimum; none where writes take longer than that."""
    if given.interval_s is not None or given.write_s is None or mttf_s is None:
        return given.interval_s
    return failures.daly_interval_s(given.write_s, mttf_s) if given.write_s < 2 * mttf_s else None


def _report(given: ReliabilityInput) -> ReliabilityReport:
    trace, warnings = Trace(), []
    hours, write_s = _mttf_h(given), given.write_s
    mttf_s = unless_unknown(lambda h: convert(h, "h", "s"), hours)
    interval = _interval_s(given, mttf_s)
    lost = unless_unknown(
        lambda work, restart: failures.lost_per_failure_s(work, detect_s=given.detect_s, restart_s=restart),
        interval,
        given.restart_s,
    )
    useful = unless_unknown(
        lambda write, work, stop, mean: failures.ettr(write_s=write, interval_s=work, lost_s=stop, mttf_s=mean),
        write_s,
        interval,
        lost,
        mttf_s,
    )
    if write_s is not None and mttf_s is not None and write_s * 10 >= mttf_s:
        warnings.append(
            Notice("write_not_short", f"A write takes {write_s:,.0f} s, the job fails each {mttf_s:,.0f} s.")
        )
    if given.job_mttf_h is None and hours is not None and given.nodes < _SMALL_NODES:
        warnings.append(
            Notice("small_job", f"{given.nodes} nodes: software and users fail too, at no rate of hardware.")
        )
    if write_s is not None and mttf_s is not None and write_s >= 2 * mttf_s:
        message = f"A write of {write_s:,.0f} s is longer than twice the {mttf_s:,.0f} s between failures."
        warnings.append(Notice("no_progress", message))
    elif lost is not None and mttf_s is not None and lost >= mttf_s:
        warnings.append(
            Notice("no_progress", f"Each failure costs {lost:,.0f} s; the next comes after {mttf_s:,.0f} s.")
        )
    if hours is None and given.outage is None:
        message = "How often the job fails is not given: give failures_per_1000_node_days, or job_mttf_h. With write_s "
        message += "and restart_s the report also has intervals and useful time, with run_days failures of a run."
        warnings.append(Notice(LITTLE_GIVEN, message))
    shown: dict[str, Any] = {
        "job_mttf_h": trace.put(
            failures.JOB_MTTF,
            hours,
            nodes=given.nodes,
            failures_per_1000_node_days=given.failures_per_1000_node_days,
            measured_mttf_h=given.job_mttf_h,
        ),
        "failures_count": trace.put(
            failures.FAILURES,
            unless_unknown(lambda days, mean: days * 24 / mean, given.run_days, hours),
            run_days=given.run_days,
            job_mttf_h=hours,
        ),
        "young_interval_s": trace.put(
            failures.YOUNG_INTERVAL,
            unless_unknown(failures.young_interval_s, write_s, mttf_s),
            write_s=write_s,
            job_mttf_h=hours,
        ),
        "daly_interval_s": trace.put(
            failures.DALY_INTERVAL,
            unless_unknown(failures.daly_interval_s, write_s, mttf_s),
            write_s=write_s,
            job_mttf_h=hours,
        ),
        "interval_s": trace.put(
            failures.USED_INTERVAL, interval, given_interval_s=given.interval_s, write_s=write_s, job_mttf_h=hours
        ),
        "checkpoint_overhead_fraction": trace.put(
            failures.OVERHEAD,
            unless_unknown(failures.overhead_fraction, write_s, interval, mttf_s),
            write_s=write_s,
            interval_s=interval,
            job_mttf_h=hours,
        ),
        "lost_per_failure_s": trace.put(
            failures.LOST_PER_FAILURE, lost, detect_s=given.detect_s, restart_s=given.restart_s, interval_s=interval
        ),
        "ettr_fraction": trace.put(
            failures.ETTR, useful, write_s=write_s, interval_s=interval, lost_per_failure_s=lost, job_mttf_h=hours
        ),
    }
    return ReliabilityReport(
        **shown, **_outage(given, interval, trace, warnings), warnings=tuple(warnings), trace=tuple(trace.entries)
    )


def _outage(given: ReliabilityInput, interval: Decimal | None, trace: Trace, warnings: list[Notice]) -> dict[str, Any]:
    event, gpus = given.outage, given.nodes * given.gpus_per_node
    names = (outage.OUTAGE_LOSS, OUTAGE_LOSS_WITH, outage.OUTAGE_COST, OUTAGE_COST_WITH)
    if event is None:
        return {"survives_outage": None, **{quantity.name: None for quantity in names}}
    survives = outage.survives(event.outage_s, storage_s=event.storage_s, generator_start_s=event.generator_start_s)
    without = unless_unknown(
        lambda restart, work: outage.lost_gpu_hours(
            exact(gpus), outage_s=event.outage_s, restart_s=restart, interval_s=work
        ),
        given.restart_s,
        interval,
    )
    with_storage = Decimal(0) if survives else without
    if not survives:
        message = f"{event.outage_s} s without the utility; storage carries the load for {event.storage_s} s."
        warnings.append(Notice("outage_ends_job", message))
    trace.put(
        outage.RIDE_THROUGH,
        survives,
        outage_s=event.outage_s,
        storage_s=event.storage_s,
        generator_start_s=event.generator_start_s,
    )
    values = (
        without,
        with_storage,
        unless_unknown(lambda hours, usd: hours * usd, without, event.usd_per_gpu_h),
        unless_unknown(lambda hours, usd: hours * usd, with_storage, event.usd_per_gpu_h),
    )
    found = {
        quantity.name: trace.put(
            quantity,
            value,
            gpus=gpus,
            outage_s=event.outage_s,
            restart_s=given.restart_s,
            interval_s=interval,
            usd_per_gpu_h=event.usd_per_gpu_h,
        )
        for quantity, value in zip(names, values, strict=True)
    }
    return {"survives_outage": survives, **found}


def turns(given: ReliabilityInput, spans: Mapping[str, Span]) -> Mapping[str, Sequence[Decimal]]:
    """Say where quantities turn: overhead and useful time, at the interval √(2 · write · MTTF).

    For each corner of what that depends on. (With Daly's interval they move one way: with x = √(w/2M) the overhead is
    x/(1 − x/3)² + x·(1 − x/3)², which rises up to x = 1.)
    """
    columns = []
    for name in ("nodes", "failures_per_1000_node_days", "job_mttf_h"):
        value = getattr(given, name)
        columns.append((spans[name].low, spans[name].high) if name in spans else (value,))
    means = []
    for nodes, rate, hours in product(*columns):
        if hours is not None:
            means.append(convert(hours, "h", "s"))
        elif rate is not None:
            means.append(convert(failures.job_mttf_h(Decimal(nodes), rate), "h", "s"))
    writes = [given.write_s] if given.write_s is not None else []
    if "write_s" in spans:
        writes = [spans["write_s"].low, spans["write_s"].high]
    return {"interval_s": [failures.young_interval_s(write, mean) for write, mean in product(writes, means)]}


RELIABILITY = Layer("reliability", ReliabilityInput, run_reliability, turns)

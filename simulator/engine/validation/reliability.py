"""Answers to published values of reliability: failures, mean times, checkpoint intervals, outages, parallelism."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.reliability import failures, outage
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like
from simulator.engine.validation.spelling import find

_EIGHT = Decimal(8)
_ONE = Decimal(1)
_SERIES = ("job_mttf_h", "series_model_mttf_h", "mttf_h", "mtbf_h", "job_mtbf_h")
"""The mean time to failure of a whole, as tables call it."""


@answers("reliability", "hours_between_unexpected", "hours_between_failures", "mtbf_h", "mttf_h")
def between_unexpected(days: Decimal, unexpected: Decimal) -> Decimal:
    return failures.hours_between(unexpected, days)


@answers("reliability", "hours_between_any", "hours_between_interruptions")
def between_any(days: Decimal, interruptions_total: Decimal) -> Decimal:
    return failures.hours_between(interruptions_total, days)


@answers("reliability", "hours_between_failures", "mtbf_h", "mttf_h")
def between_failures(days: Decimal, failures_count: Decimal) -> Decimal:
    return failures.hours_between(failures_count, days)


@answers("reliability", "failures_per_node_day")
def per_node_day(days: Decimal, unexpected: Decimal, gpus: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return failures.failures_per_node_day(unexpected, gpus / gpus_per_node, days)


@answers("reliability", "failures_per_1000_node_days")
def per_1000_node_days(days: Decimal, unexpected: Decimal, gpus: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return 1000 * per_node_day(days, unexpected, gpus, gpus_per_node)


@answers("reliability", "failures_per_node_day")
def per_node_day_of_nodes(days: Decimal, unexpected: Decimal, nodes: Decimal) -> Decimal:
    return failures.failures_per_node_day(unexpected, nodes, days)


@answers("reliability", "failures_per_1000_node_days")
def per_1000_node_days_of_nodes(days: Decimal, unexpected: Decimal, nodes: Decimal) -> Decimal:
    return 1000 * failures.failures_per_node_day(unexpected, nodes, days)


@answers("reliability", "failures_per_gpu_year", "annualised_failure_fraction", "afr_fraction")
def per_gpu_year(days: Decimal, unexpected: Decimal, gpus: Decimal) -> Decimal:
    """A mean rate of accelerators, though not all failures are theirs."""
    return convert(_ONE, "years", "days") * failures.failures_per_node_day(unexpected, gpus, days)


@answers("reliability", "mtbf_per_gpu_years", "gpu_mtbf_years")
def years_of_gpu(days: Decimal, unexpected: Decimal, gpus: Decimal) -> Decimal:
    return 1 / per_gpu_year(days, unexpected, gpus)


@answers_like("reliability", r"hours_between_(\w+)")
def between(inputs: Mapping[str, Any], what: str) -> Any:
    """Mean hours between what the row counts under that name."""
    days = find("days", inputs)
    if what not in inputs or not isinstance(inputs[what], Decimal) or not isinstance(days, Decimal):
        return UNANSWERED
    return failures.hours_between(inputs[what], days)


@answers_like("reliability", r"(\w+)_per_day(?:_count)?")
def each_day(inputs: Mapping[str, Any], what: str) -> Any:
    days = find("days", inputs)
    count = next((inputs[name] for name in (what, f"{what}_total", f"{what}_count") if name in inputs), None)
    if not isinstance(count, Decimal) or not isinstance(days, Decimal):
        return UNANSWERED
    return 24 / failures.hours_between(count, days)


@answers("reliability", *_SERIES)
def series_of_daily_rate(gpus: Decimal, failures_per_node_day: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return failures.job_mttf_h(gpus / gpus_per_node, 1000 * failures_per_node_day)


@answers("reliability", *_SERIES)
def series_of_daily_rate_of_nodes(nodes: Decimal, failures_per_node_day: Decimal) -> Decimal:
    return failures.job_mttf_h(nodes, 1000 * failures_per_node_day)


def _series_of(count: Decimal, mttf_h: Decimal) -> Decimal:
    return failures.job_mttf_h(count, 1000 * 24 / mttf_h)


@answers("reliability", *_SERIES)
def series_of_node_mttf(nodes: Decimal, node_mttf_h: Decimal) -> Decimal:
    return _series_of(nodes, node_mttf_h)


@answers("reliability", *_SERIES)
def series_of_nodes_of_gpus(gpus: Decimal, node_mttf_h: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return _series_of(gpus / gpus_per_node, node_mttf_h)


@answers("reliability", *_SERIES)
def series_of_gpu_mttf(gpus: Decimal, gpu_mttf_h: Decimal) -> Decimal:
    return _series_of(gpus, gpu_mttf_h)


@answers("reliability", "unexpected", "unexpected_count")
def unexpected_count(interruptions_total: Decimal, planned: Decimal) -> Decimal:
    return interruptions_total - planned


@answers("reliability", *_SERIES)
def series(gpus: Decimal, failures_per_1000_node_days: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return failures.job_mttf_h(gpus / gpus_per_node, failures_per_1000_node_days)


@answers("reliability", *_SERIES)
def series_of_nodes(nodes: Decimal, failures_per_1000_node_days: Decimal) -> Decimal:
    return failures.job_mttf_h(nodes, failures_per_1000_node_days)


@answers("reliability", "measured_over_model_fraction")
def measured_over_model(
    gpus: Decimal, failures_per_1000_node_days: Decimal, measured_mttf_h: Decimal, gpus_per_node: Decimal = _EIGHT
) -> Decimal:
    return fraction(measured_mttf_h, series(gpus, failures_per_1000_node_days, gpus_per_node))


@answers_like("reliability", r"(\w+?)_fraction(?:_computed)?")
def share_of_causes(inputs: Mapping[str, Any], cause: str) -> Any:
    """The share of one cause in all unexpected interruptions; a name may be the beginning of the input's."""
    # Planned and unexpected ones are parts of all; causes are told of the unexpected.
    wholes = ("interruptions_total", "total") if cause in ("planned", "unexpected") else ("unexpected", "failures")
    whole = next((inputs[name] for name in (*wholes, "interruptions_total", "total") if name in inputs), None)
    found = [name for name in inputs if name == cause] or [name for name in inputs if name.startswith(cause + "_")]
    if not isinstance(whole, Decimal) or len(found) != 1 or not isinstance(inputs[found[0]], Decimal):
        return UNANSWERED
    return fraction(inputs[found[0]], whole)


@answers_like("reliability", r"(\w+)_count")
def count_of_cause(inputs: Mapping[str, Any], cause: str) -> Any:
    """How many of the unexpected interruptions one cause has, by its share."""
    whole, share = find("unexpected", inputs), find(f"{cause}_fraction", inputs)
    return whole * share if isinstance(whole, Decimal) and isinstance(share, Decimal) else UNANSWERED


def _seconds(hours: Decimal) -> Decimal:
    return convert(hours, "h", "s")


@answers("reliability", "young_interval_s", "optimal_interval_s", "optimum_interval_s")
def young(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.young_interval_s(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "young_interval_s", "optimal_interval_s", "optimum_interval_s")
def young_of_rate(
    checkpoint_write_s: Decimal, gpus: Decimal, failures_per_1000_node_days: Decimal, gpus_per_node: Decimal = _EIGHT
) -> Decimal:
    return young(checkpoint_write_s, series(gpus, failures_per_1000_node_days, gpus_per_node))


@answers("reliability", "overhead_at_optimum_fraction")
def least_overhead_of_rate(
    checkpoint_write_s: Decimal, gpus: Decimal, failures_per_1000_node_days: Decimal, gpus_per_node: Decimal = _EIGHT
) -> Decimal:
    return least_overhead(checkpoint_write_s, series(gpus, failures_per_1000_node_days, gpus_per_node))


@answers("reliability", "daly_first_order_interval_s")
def daly_first(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.daly_first_order_s(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "daly_interval_s", "daly_higher_order_interval_s")
def daly(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.daly_interval_s(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "overhead_at_optimum_fraction", "overhead_fraction_at_optimum", "least_overhead_fraction")
def least_overhead(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.overhead_at_optimum(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "overhead_fraction")
def overhead(checkpoint_write_s: Decimal, job_mttf_h: Decimal, interval_s: Decimal) -> Decimal:
    return failures.overhead_fraction(checkpoint_write_s, interval_s, _seconds(job_mttf_h))


@answers("reliability", "ettr_fraction", "goodput_fraction")
def useful_share(useful_h: Decimal, total_h: Decimal) -> Decimal:
    return fraction(useful_h, total_h)


@answers("reliability", "lost_h")
def lost_time(days: Decimal, effective_training_fraction: Decimal) -> Decimal:
    return convert(days, "days", "h") * (1 - effective_training_fraction)


@answers("reliability", "availability_fraction")
def availability(job_mttf_h: Decimal, mttr_h: Decimal) -> Decimal:
    """Mean time up over mean time up and down."""
    return fraction(job_mttf_h, job_mttf_h + mttr_h)


@answers("reliability", "lost_gpu_hours", "lost_gpu_h")
def lost_in_outage(gpus: Decimal, outage_s: Decimal, restart_s: Decimal, interval_s: Decimal) -> Decimal:
    return outage.lost_gpu_hours(gpus, outage_s=outage_s, restart_s=restart_s, interval_s=interval_s)


@answers("reliability", "ettr_fraction")
def useful(
    checkpoint_write_s: Decimal,
    job_mttf_h: Decimal,
    interval_s: Decimal,
    restart_s: Decimal = Decimal(0),
    detect_s: Decimal = Decimal(0),
) -> Decimal:
    lost = failures.lost_per_failure_s(interval_s, detect_s=detect_s, restart_s=restart_s)
    return failures.ettr(write_s=checkpoint_write_s, interval_s=interval_s, lost_s=lost, mttf_s=_seconds(job_mttf_h))


@answers_like("reliability", r"(\w+?)(?:_(with|without)_generator)?_survives_bool")
def survives(inputs: Mapping[str, Any], storage: str, generator: str | None) -> Any:
    """Whether a kind of storage carries the load; a generator counts as there unless the name says without."""
    outage_s, held = find("outage_s", inputs), find(f"{storage}_s", inputs)
    if storage == "no_storage":
        held = Decimal(0)
    if not isinstance(outage_s, Decimal) or not isinstance(held, Decimal):
        return UNANSWERED
    start = None if generator == "without" else find("generator_accepts_load_s", inputs)
    return outage.survives(outage_s, storage_s=held, generator_start_s=start if isinstance(start, Decimal) else None)

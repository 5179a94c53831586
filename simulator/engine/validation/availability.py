"""Answers to published values of availability, of failures of like parts in a year, and of what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.reliability import availability, failures, outage
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like

_EIGHT = Decimal(8)
_ONE = Decimal(1)
_DAY = Decimal(24)
_YEAR = availability.HOURS_A_YEAR


def _tier(tier: str) -> Decimal:
    name = tier.upper().removeprefix("TIER").strip(" -_")
    name = {"1": "I", "2": "II", "3": "III", "4": "IV"}.get(name, name)
    found = availability.TIER_AVAILABILITY.get(name)
    if found is None:
        choices = ", ".join(availability.TIER_AVAILABILITY)
        raise InvalidParameters([Problem("tier", "not_a_choice", f"tier is {tier}; choose one of {choices}.")])
    return found


@answers("electrical", "availability_fraction")
def of_tier(tier: str) -> Decimal:
    return _tier(tier)


@answers("electrical", "downtime_h_per_year", "downtime_hours_per_year", "annual_downtime_h", "downtime_h")
def downtime_of_tier(tier: str) -> Decimal:
    return availability.downtime_h(_tier(tier))


@answers("electrical", "downtime_h_per_year", "downtime_hours_per_year", "annual_downtime_h")
def downtime(availability_fraction: Decimal) -> Decimal:
    return availability.downtime_h(availability_fraction)


@answers("electrical", "downtime_min_per_year", "downtime_minutes_per_year")
def downtime_minutes(availability_fraction: Decimal) -> Decimal:
    return convert(downtime(availability_fraction), "h", "min")


@answers("electrical", "downtime_min_per_year", "downtime_minutes_per_year")
def downtime_minutes_of_tier(tier: str) -> Decimal:
    return downtime_minutes(_tier(tier))


@answers("electrical", "availability_fraction")
def of_downtime(downtime_h_per_year: Decimal) -> Decimal:
    return 1 - downtime_h_per_year / _YEAR


@answers("reliability", "availability_fraction")
def of_repair(mtbf_h: Decimal, mttr_h: Decimal) -> Decimal:
    return availability.availability_fraction(mtbf_h, mttr_h)


@answers("reliability", "unavailability_fraction")
def not_there(mtbf_h: Decimal, mttr_h: Decimal) -> Decimal:
    return 1 - of_repair(mtbf_h, mttr_h)


@answers("reliability", "mtbf_h", "part_mtbf_h")
def of_fit(fit: Decimal) -> Decimal:
    return availability.mtbf_of_fit_h(fit)


_SERIES = ("job_mttf_h", "series_model_mttf_h", "mttf_h", "mtbf_h", "job_mtbf_h", "system_mtbf_h")


@answers("reliability", *_SERIES)
def series_of_fit(gpus: Decimal, fit_per_gpu: Decimal) -> Decimal:
    return failures.job_mttf_h(gpus, 1000 * _DAY / availability.mtbf_of_fit_h(fit_per_gpu))


@answers("reliability", *_SERIES)
def series_of_yearly_rate(gpus: Decimal, afr_fraction: Decimal) -> Decimal:
    """Failures of a part in a year, taken as a rate."""
    return _YEAR / (gpus * afr_fraction)


@answers("reliability", "afr_fraction", "annual_failure_fraction", "annualised_failure_fraction")
def yearly_rate(mtbf_h: Decimal) -> Decimal:
    """A rate, as data sheets of drives have it; for a part that is new each time the chance is 1 − e^−rate."""
    return availability.failures_of_parts(Decimal(1), mtbf_h)


@answers("reliability", "mtbf_h", "part_mtbf_h")
def of_yearly_rate(afr_fraction: Decimal) -> Decimal:
    return _YEAR / afr_fraction


@answers("reliability", "failures_per_year", "failures_per_year_count", "annual_failures_count")
def parts_in_a_year(parts: Decimal, mtbf_h: Decimal) -> Decimal:
    return availability.failures_of_parts(parts, mtbf_h)


@answers("reliability", "failures_per_year", "failures_per_year_count", "annual_failures_count")
def gpus_in_a_year(gpus: Decimal, afr_fraction: Decimal) -> Decimal:
    return gpus * afr_fraction


_A_DAY = ("failures_per_day", "failures_per_day_count", "interruptions_per_day", "interruptions_per_day_count")


@answers("reliability", *_A_DAY)
def gpus_in_a_day(gpus: Decimal, afr_fraction: Decimal) -> Decimal:
    return _DAY / series_of_yearly_rate(gpus, afr_fraction)


@answers("reliability", *_A_DAY)
def gpus_of_mtbf_in_a_day(gpus: Decimal, gpu_mttf_h: Decimal) -> Decimal:
    return availability.failures_of_parts(gpus, gpu_mttf_h, _DAY)


@answers("reliability", *_A_DAY)
def nodes_in_a_day(nodes: Decimal, failures_per_1000_node_days: Decimal) -> Decimal:
    return _DAY / failures.job_mttf_h(nodes, failures_per_1000_node_days)


@answers("reliability", *_A_DAY)
def nodes_of_gpus_in_a_day(
    gpus: Decimal, failures_per_1000_node_days: Decimal, gpus_per_node: Decimal = _EIGHT
) -> Decimal:
    return nodes_in_a_day(gpus / gpus_per_node, failures_per_1000_node_days)


@answers("reliability", *_A_DAY)
def of_hours_between(hours_between_failures_h: Decimal) -> Decimal:
    return _DAY / hours_between_failures_h


@answers_like("reliability", r"(?:failures|interruptions)_per_day(?:_count)?")
def of_job(inputs: Mapping[str, Any]) -> Any:
    """Of a time that is said to be of the whole: `mtbf_h` may be that of a part."""
    wholes = ("job_mttf_h", "job_mtbf_h", "cluster_mtbf_h", "cluster_mttf_h", "system_mtbf_h")
    found = [inputs[name] for name in wholes if isinstance(inputs.get(name), Decimal)]
    return _DAY / found[0] if len(found) == 1 else UNANSWERED


@answers("reliability", *_SERIES)
def series_of_kinds(components: Mapping[str, Decimal], part_mtbf_h: Mapping[str, Decimal]) -> Decimal:
    """Rates of several kinds of parts add: 1 / Σ (count / MTBF)."""
    return 1 / sum(
        (availability.failures_of_parts(count, part_mtbf_h[name], Decimal(1)) for name, count in components.items()),
        Decimal(0),
    )


@answers("reliability", *_SERIES)
def series_of_parts(parts: Decimal, mtbf_h: Decimal) -> Decimal:
    return mtbf_h / parts


@answers("reliability", "failures_count", "run_failures_count")
def parts_in_hours(parts: Decimal, mtbf_h: Decimal, hours: Decimal) -> Decimal:
    return availability.failures_of_parts(parts, mtbf_h, hours)


@answers("reliability", "survival_fraction", "reliability_fraction", "no_failure_fraction")
def survival_of_parts(parts: Decimal, mtbf_h: Decimal, hours: Decimal) -> Decimal:
    return availability.survival_fraction(series_of_parts(parts, mtbf_h), hours)


@answers("reliability", "gpu_mtbf_h", "gpu_mttf_h", "mtbf_per_gpu_h")
def gpu_of_hours_between(gpus: Decimal, hours_between_failures_h: Decimal) -> Decimal:
    """The mean time of one, if failures were all of accelerators."""
    return gpus * hours_between_failures_h


@answers("reliability", "survival_fraction", "reliability_fraction", "no_failure_fraction")
def survival(mtbf_h: Decimal, hours: Decimal) -> Decimal:
    return availability.survival_fraction(mtbf_h, hours)


@answers("reliability", "failures_count")
def in_hours(mtbf_h: Decimal, hours: Decimal) -> Decimal:
    return availability.failures_of_parts(Decimal(1), mtbf_h, hours)


@answers("reliability", "failures_count", "run_failures_count")
def in_days(job_mttf_h: Decimal, days: Decimal) -> Decimal:
    return in_hours(job_mttf_h, convert(days, "days", "h"))


@answers("reliability", "nodes_in_repair_count")
def in_repair(nodes: Decimal, failures_per_1000_node_days: Decimal, repair_days: Decimal) -> Decimal:
    """Arrivals a day times the days that each stays away (Little's law)."""
    return nodes_in_a_day(nodes, failures_per_1000_node_days) * repair_days


@answers("reliability", "lost_per_failure_s")
def lost_each_time(interval_s: Decimal, restart_s: Decimal, detect_s: Decimal = Decimal(0)) -> Decimal:
    return failures.lost_per_failure_s(interval_s, detect_s=detect_s, restart_s=restart_s)


@answers("reliability", "lost_gpu_hours_per_day", "lost_gpu_h_per_day")
def lost_in_a_day(gpus: Decimal, interval_s: Decimal, restart_s: Decimal, failures_per_day: Decimal) -> Decimal:
    return gpus * failures_per_day * convert(lost_each_time(interval_s, restart_s), "s", "h")


@answers("reliability", "useful_h")
def useful_time(days: Decimal, effective_training_fraction: Decimal) -> Decimal:
    return convert(days, "days", "h") * effective_training_fraction


@answers("reliability", "goodput_fraction", "ettr_fraction")
def goodput(productive_h: Decimal, total_h: Decimal) -> Decimal:
    return fraction(productive_h, total_h)


@answers("reliability", "checkpoints_per_day", "checkpoints_per_day_count")
def checkpoints_a_day(interval_s: Decimal) -> Decimal:
    return convert(Decimal(1), "days", "s") / interval_s


@answers("reliability", "lost_usd", "cost_usd", "outage_cost_usd")
def cost_of_outage(
    gpus: Decimal, outage_s: Decimal, restart_s: Decimal, interval_s: Decimal, usd_per_gpu_h: Decimal
) -> Decimal:
    return cost_of_hours(
        outage.lost_gpu_hours(gpus, outage_s=outage_s, restart_s=restart_s, interval_s=interval_s), usd_per_gpu_h
    )


@answers("reliability", "run_days", "training_days")
def days_of_gpu_hours(gpu_hours: Decimal, gpus: Decimal) -> Decimal:
    return convert(gpu_hours / gpus, "h", "days")


@answers("reliability", "run_days", "training_days")
def days_of_million_gpu_hours(gpu_hours_million: Decimal, gpus: Decimal) -> Decimal:
    return days_of_gpu_hours(gpu_hours_million * 10**6, gpus)


@answers("reliability", "lost_usd", "cost_usd", "outage_cost_usd")
def cost_of_hours(lost_gpu_hours: Decimal, usd_per_gpu_h: Decimal) -> Decimal:
    return lost_gpu_hours * usd_per_gpu_h


@answers("reliability", "ettr_fraction")
def useful_without_writes(
    job_mttf_h: Decimal, interval_s: Decimal, restart_s: Decimal, detect_s: Decimal = Decimal(0)
) -> Decimal:
    """Where a row says nothing of writes, they are overlapped."""
    lost = failures.lost_per_failure_s(interval_s, detect_s=detect_s, restart_s=restart_s)
    mttf_s = convert(job_mttf_h, "h", "s")
    return failures.ettr(write_s=Decimal(0), interval_s=interval_s, lost_s=lost, mttf_s=mttf_s)


@answers("reliability", "effective_training_fraction", "ettr_fraction", "goodput_fraction")
def trained(training_h: Decimal, wall_h: Decimal) -> Decimal:
    return fraction(training_h, wall_h)


@answers("reliability", "gpu_afr_fraction", "gpu_annual_failure_fraction", "annualised_gpu_failure_fraction")
def gpus_failed(faulty_gpu: Decimal, gpus: Decimal, days: Decimal) -> Decimal:
    return convert(_ONE, "years", "days") * failures.failures_per_node_day(faulty_gpu, gpus, days)


@answers("reliability", "mtbf_h", "mttf_h")
def between_interruptions(days: Decimal, interruptions_total: Decimal) -> Decimal:
    return failures.hours_between(interruptions_total, days)

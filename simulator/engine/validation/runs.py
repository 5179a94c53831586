"""Answers to published values of a run whose mean time to failure follows from what the row says of its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.reliability import failures
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, Inputs, answers_like, of_row
from simulator.engine.validation.spelling import MISSING, find

_ZERO = Decimal(0)
_INTERVALS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "young": failures.young_interval_s,
    "optimal": failures.young_interval_s,
    "optimum": failures.young_interval_s,
    "daly_first_order": failures.daly_first_order_s,
    "daly": failures.daly_interval_s,
    "daly_higher_order": failures.daly_interval_s,
}


def _write_and_mttf_s(inputs: Inputs) -> tuple[Decimal, Decimal] | None:
    write, hours = find("checkpoint_write_s", inputs), find("job_mttf_h", inputs)
    if hours is MISSING:
        hours = of_row("reliability", "job_mttf_h", inputs)
    if not isinstance(write, Decimal) or not isinstance(hours, Decimal):
        return None
    return write, convert(hours, "h", "s")


@answers_like("reliability", rf"({'|'.join(_INTERVALS)})(?:_checkpoint)?(?:_interval)?_s")
def interval(inputs: Inputs, whose: str) -> Any:
    known = _write_and_mttf_s(inputs)
    return UNANSWERED if known is None else _INTERVALS[whose](*known)


@answers_like("reliability", r"(?:overhead_at_optimum|overhead_fraction_at_optimum|least_overhead)_fraction")
def least_overhead(inputs: Inputs) -> Any:
    known = _write_and_mttf_s(inputs)
    return UNANSWERED if known is None else failures.overhead_at_optimum(*known)


@answers_like("reliability", r"(?:checkpoint_)?overhead_fraction")
def overhead(inputs: Inputs) -> Any:
    known, work = _write_and_mttf_s(inputs), find("interval_s", inputs)
    if known is None or not isinstance(work, Decimal):
        return UNANSWERED
    return failures.overhead_fraction(known[0], work, known[1])


@answers_like("reliability", r"(?:ettr|effective_training_time_ratio|goodput|effective_training_time)_fraction|ettr")
def useful(inputs: Inputs) -> Any:
    """With the interval of the row, else Daly's, as the reliability layer has it."""
    known = _write_and_mttf_s(inputs)
    if known is None:
        return UNANSWERED
    write, mttf = known
    work = find("interval_s", inputs)
    if work is MISSING:
        work = failures.daly_interval_s(write, mttf)
    stops = [_ZERO if (each := find(name, inputs)) is MISSING else each for name in ("restart_s", "detect_s")]
    if not all(isinstance(each, Decimal) for each in (work, *stops)):
        return UNANSWERED
    lost = failures.lost_per_failure_s(work, restart_s=stops[0], detect_s=stops[1])
    return failures.ettr(write_s=write, interval_s=work, lost_s=lost, mttf_s=mttf)


@answers_like("reliability", r"failures_per_(1000_)?node_days?")
def rate_of_interruptions(inputs: Mapping[str, Any], thousand: str | None) -> Any:
    """Of all interruptions but the planned ones, where the row does not count the unexpected."""
    whole, planned = find("interruptions_total", inputs), find("planned", inputs)
    days, nodes = find("days", inputs), find("nodes", inputs)
    if nodes is MISSING:
        gpus, each = find("gpus", inputs), find("gpus_per_node", inputs)
        nodes = gpus / each if isinstance(gpus, Decimal) and isinstance(each, Decimal) else MISSING
    planned = _ZERO if planned is MISSING else planned
    if not all(isinstance(each, Decimal) for each in (whole, planned, days, nodes)):
        return UNANSWERED
    rate = failures.failures_per_node_day(whole - planned, nodes, days)
    return 1000 * rate if thousand else rate

"""Answers to published values of reliability: failures, mean times, checkpoint intervals, outages, parallelism."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.compute import model_flops_utilisation, parallel_gpus
from simulator.engine.reliability import failures, outage
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like

_EIGHT = Decimal(8)
_ONE = Decimal(1)


@answers("reliability", "hours_between_unexpected", "hours_between_failures", "mtbf_h")
def between_unexpected(days: Decimal, unexpected: Decimal) -> Decimal:
    return failures.hours_between(unexpected, days)


@answers("reliability", "hours_between_any", "hours_between_interruptions")
def between_any(days: Decimal, interruptions_total: Decimal) -> Decimal:
    return failures.hours_between(interruptions_total, days)


@answers("reliability", "hours_between_failures", "mtbf_h")
def between_failures(days: Decimal, failures_count: Decimal) -> Decimal:
    return failures.hours_between(failures_count, days)


@answers("reliability", "failures_per_node_day")
def per_node_day(days: Decimal, unexpected: Decimal, gpus: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return failures.failures_per_node_day(unexpected, gpus / gpus_per_node, days)


@answers("reliability", "failures_per_1000_node_days")
def per_1000_node_days(days: Decimal, unexpected: Decimal, gpus: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return 1000 * per_node_day(days, unexpected, gpus, gpus_per_node)


@answers("reliability", "unexpected", "unexpected_count")
def unexpected_count(interruptions_total: Decimal, planned: Decimal) -> Decimal:
    return interruptions_total - planned


@answers("reliability", "job_mttf_h", "series_model_mttf_h")
def series(gpus: Decimal, failures_per_1000_node_days: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return failures.job_mttf_h(gpus / gpus_per_node, failures_per_1000_node_days)


@answers("reliability", "job_mttf_h", "series_model_mttf_h")
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
    whole = inputs.get("unexpected", inputs.get("interruptions_total", inputs.get("total")))
    found = [name for name in inputs if name == cause] or [name for name in inputs if name.startswith(cause + "_")]
    if not isinstance(whole, Decimal) or len(found) != 1 or not isinstance(inputs[found[0]], Decimal):
        return UNANSWERED
    return fraction(inputs[found[0]], whole)


def _seconds(hours: Decimal) -> Decimal:
    return convert(hours, "h", "s")


@answers("reliability", "young_interval_s")
def young(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.young_interval_s(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "daly_first_order_interval_s")
def daly_first(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.daly_first_order_s(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "daly_interval_s", "daly_higher_order_interval_s")
def daly(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.daly_interval_s(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "overhead_at_optimum_fraction")
def least_overhead(checkpoint_write_s: Decimal, job_mttf_h: Decimal) -> Decimal:
    return failures.overhead_at_optimum(checkpoint_write_s, _seconds(job_mttf_h))


@answers("reliability", "overhead_fraction")
def overhead(checkpoint_write_s: Decimal, job_mttf_h: Decimal, interval_s: Decimal) -> Decimal:
    return failures.overhead_fraction(checkpoint_write_s, interval_s, _seconds(job_mttf_h))


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


@answers("reliability", "gpus_count")
def of_degrees(tp: Decimal, pp: Decimal, dp: Decimal, cp: Decimal = _ONE, ep: Decimal = _ONE) -> Decimal:
    return parallel_gpus(tp, cp, pp, dp, ep)


@answers("reliability", "mfu_fraction")
def utilisation(tflops_per_gpu: Decimal, peak_dense_bf16_tflops: Decimal) -> Decimal:
    return model_flops_utilisation(tflops_per_gpu, peak_dense_bf16_tflops)


@answers_like(
    "reliability", r"(flywheel|battery|no_storage|supercapacitor|storage)(?:_(with|without)_generator)?_survives_bool"
)
def survives(inputs: Mapping[str, Any], storage: str, generator: str | None) -> Any:
    """Whether a kind of storage carries the load; a generator counts as there unless the name says without."""
    outage_s = inputs.get("outage_s")
    held = next(
        (
            inputs[name] * (60 if name.endswith("_min") else 1)
            for name in (f"{storage}_s", f"{storage}_min")
            if name in inputs
        ),
        Decimal(0) if storage == "no_storage" else None,
    )
    if not isinstance(outage_s, Decimal) or held is None:
        return UNANSWERED
    start = None if generator == "without" else inputs.get("generator_accepts_load_s")
    return outage.survives(outage_s, storage_s=held, generator_start_s=start)

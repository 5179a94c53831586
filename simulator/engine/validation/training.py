"""Answers to published values of training runs: parallel degrees, utilisation, work and time."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.compute import (
    achieved_tflops,
    model_flops_utilisation,
    parallel_gpus,
    training_eflop,
    training_gpu_hours,
)
from simulator.engine.validation.answers import answers

_ONE = Decimal(1)


@answers("reliability", "gpus_count")
def of_degrees(tp: Decimal, pp: Decimal, dp: Decimal, cp: Decimal = _ONE, ep: Decimal = _ONE) -> Decimal:
    return parallel_gpus(tp, cp, pp, dp, ep)


@answers("reliability", "mfu_fraction")
def utilisation(tflops_per_gpu: Decimal, peak_dense_bf16_tflops: Decimal) -> Decimal:
    return model_flops_utilisation(tflops_per_gpu, peak_dense_bf16_tflops)


@answers("reliability", "gpus_per_replica_count", "model_parallel_count")
def of_replica(tp: Decimal, pp: Decimal, cp: Decimal = _ONE) -> Decimal:
    return parallel_gpus(tp, cp, pp)


@answers("reliability", "global_batch_count", "sequences_per_batch_count")
def batch(dp: Decimal, batch_per_dp: Decimal) -> Decimal:
    return dp * batch_per_dp


@answers("reliability", "tokens_per_batch_million")
def tokens_of_batch(dp: Decimal, batch_per_dp: Decimal, sequence_tokens: Decimal) -> Decimal:
    return batch(dp, batch_per_dp) * sequence_tokens / 10**6


@answers("reliability", "tflops_per_gpu", "achieved_tflops_per_gpu")
def rate_of_tokens(parameters_billion: Decimal, tokens_per_s: Decimal, gpus: Decimal) -> Decimal:
    return achieved_tflops(parameters_billion, tokens_per_s, gpus)


@answers("reliability", "mfu_fraction")
def utilisation_of_tokens(
    parameters_billion: Decimal, tokens_per_s: Decimal, gpus: Decimal, peak_dense_bf16_tflops: Decimal
) -> Decimal:
    return utilisation(rate_of_tokens(parameters_billion, tokens_per_s, gpus), peak_dense_bf16_tflops)


@answers("reliability", "gpu_hours_million", "training_gpu_hours_million")
def million_hours(parameters_billion: Decimal, tokens_billion: Decimal, tflops_per_gpu: Decimal) -> Decimal:
    return time_of_gpus(parameters_billion, tokens_billion, tflops_per_gpu) / 10**6


@answers("reliability", "training_flops", "total_flops")
def work(parameters_billion: Decimal, tokens_billion: Decimal) -> Decimal:
    return training_eflop(parameters_billion, tokens_billion) * 10**18


@answers("reliability", "training_gpu_hours", "gpu_hours")
def time_of_gpus(parameters_billion: Decimal, tokens_billion: Decimal, tflops_per_gpu: Decimal) -> Decimal:
    return training_gpu_hours(training_eflop(parameters_billion, tokens_billion), tflops_per_gpu)


@answers("reliability", "training_h", "training_hours")
def time_of_run(
    parameters_billion: Decimal, tokens_billion: Decimal, tflops_per_gpu: Decimal, gpus: Decimal
) -> Decimal:
    return time_of_gpus(parameters_billion, tokens_billion, tflops_per_gpu) / gpus


@answers("reliability", "petaflop_days", "pflop_s_days", "petaflop_s_days")
def petaflop_days(parameters_billion: Decimal, tokens_billion: Decimal) -> Decimal:
    """A petaflop/s over a day is 86.4 EFlop."""
    return training_eflop(parameters_billion, tokens_billion) / Decimal("86.4")


@answers("storage", "ranks_count", "ranks")
def ranks(tp: Decimal, pp: Decimal, dp: Decimal, cp: Decimal = _ONE) -> Decimal:
    return parallel_gpus(tp, cp, pp, dp)

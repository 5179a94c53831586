"""Answers to published values of what storage holds and supplies: drives, kept checkpoints, caches, busy time."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.amounts import fraction
from simulator.engine.numbers import ceiling
from simulator.engine.storage import checkpoints, feed
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole

_ADAM = checkpoints.BYTES_PER_PARAMETER_ADAM


@answers("storage", "bytes_per_parameter")
def of_parts(weight_bytes: Decimal, optimizer_bytes: Decimal, gradient_bytes: Decimal = Decimal(0)) -> Decimal:
    return weight_bytes + gradient_bytes + optimizer_bytes


@answers("storage", "training_state_gb", "memory_gb", "checkpoint_gb")
def state(
    parameters_billion: Decimal,
    weight_bytes: Decimal,
    optimizer_bytes: Decimal,
    gradient_bytes: Decimal = Decimal(0),
) -> Decimal:
    each = of_parts(weight_bytes, optimizer_bytes, gradient_bytes)
    return checkpoints.checkpoint_gb(parameters_billion, each)


@answers("storage", "min_gpus_count", "gpus_needed_count")
def gpus_that_hold(parameters_billion: Decimal, bytes_per_parameter: Decimal, gpu_memory_gb: Decimal) -> Decimal:
    """Whole accelerators whose memory holds it, with nothing else in it."""
    return Decimal(ceiling(checkpoints.checkpoint_gb(parameters_billion, bytes_per_parameter) / gpu_memory_gb))


@answers("storage", "per_gpu_gb", "checkpoint_gb_per_gpu", "per_rank_gb")
def share_of_gpu(checkpoint_gb: Decimal, gpus: Decimal) -> Decimal:
    return fraction(checkpoint_gb, gpus)


@answers("storage", "per_gpu_mb", "checkpoint_mb_per_gpu")
def share_of_gpu_mb(checkpoint_gb: Decimal, gpus: Decimal) -> Decimal:
    return convert(share_of_gpu(checkpoint_gb, gpus), "gb", "mb")


@answers("storage", "checkpoint_gb")
def of_all_gpus(mb_per_gpu: Decimal, gpus: Decimal) -> Decimal:
    return convert(mb_per_gpu * gpus, "mb", "gb")


@answers("storage", "write_bandwidth_gb_per_s", "checkpoint_bandwidth_gb_per_s")
def rate_of_time(checkpoint_gb: Decimal, write_time_s: Decimal) -> Decimal:
    return fraction(checkpoint_gb, write_time_s)


@answers("storage", "max_write_time_s", "allowed_write_s")
def longest_write(interval_s: Decimal, max_overhead_fraction: Decimal) -> Decimal:
    return interval_s * max_overhead_fraction


@answers("storage", "required_write_gb_per_s")
def rate_of_overhead(checkpoint_gb: Decimal, interval_s: Decimal, max_overhead_fraction: Decimal) -> Decimal:
    return rate_of_time(checkpoint_gb, longest_write(interval_s, max_overhead_fraction))


@answers("storage", "gb_per_day", "written_gb_per_day")
def written_in_a_day(checkpoint_gb: Decimal, interval_s: Decimal) -> Decimal:
    return checkpoint_gb * convert(Decimal(1), "days", "s") / interval_s


@answers("storage", "tb_per_day", "written_tb_per_day")
def terabytes_in_a_day(checkpoint_gb: Decimal, interval_s: Decimal) -> Decimal:
    return convert(written_in_a_day(checkpoint_gb, interval_s), "gb", "tb")


@answers("storage", "capacity_gb", "storage_gb", "kept_gb")
def kept_checkpoints(checkpoint_gb: Decimal, kept: Decimal) -> Decimal:
    return checkpoint_gb * kept


@answers("storage", "read_gb_per_s_per_node")
def guided_for_node(level: str, nodes_per_su: Decimal, scalable_units: Decimal = Decimal(1)) -> Decimal:
    return feed.guidance(level, whole(scalable_units)).read_gb_s / (nodes_per_su * scalable_units)


@answers("storage", "aggregate_gb_per_s", "total_gb_per_s")
def of_all_nodes(nodes: Decimal, node_gb_per_s: Decimal) -> Decimal:
    return nodes * node_gb_per_s


@answers("storage", "throughput_gb_per_s")
def of_accelerators(gpus: Decimal, gb_per_s_per_gpu: Decimal) -> Decimal:
    return gpus * gb_per_s_per_gpu


_EACH = ("gb_per_s_per_accelerator", "gb_per_s_per_gpu", "read_gb_per_s_per_accelerator", "read_gb_per_s_per_gpu")


@answers("storage", *_EACH)
def of_batches(sample_mb: Decimal, batch: Decimal, compute_time_s: Decimal) -> Decimal:
    """What one accelerator reads while it computes on the batch before, in MLPerf Storage's way."""
    return convert(sample_mb * batch, "mb", "gb") / compute_time_s


@answers("storage", "read_gb_per_s")
def of_samples(samples_per_s: Decimal, sample_mb: Decimal) -> Decimal:
    return convert(samples_per_s * sample_mb, "mb", "gb")


_BUSY = ("accelerator_utilisation_fraction", "au_fraction", "utilisation_fraction", "accelerator_utilization_fraction")


@answers("storage", *_BUSY)
def busy(compute_s: Decimal, step_s: Decimal) -> Decimal:
    """Time of computing over all time (MLPerf Storage)."""
    return fraction(compute_s, step_s)


@answers("storage", *_BUSY)
def busy_of_run(ideal_s: Decimal, actual_s: Decimal) -> Decimal:
    return fraction(ideal_s, actual_s)


@answers("storage", "gpu_utilisation_fraction", "accelerator_utilisation_fraction", "busy_fraction")
def not_starved(needed_gb_per_s: Decimal, supplied_gb_per_s: Decimal, overlapped_bool: bool = True) -> Decimal:
    return 1 - feed.starved_fraction(needed_gb_per_s, supplied_gb_per_s, is_overlapped=overlapped_bool)


@answers("storage", "kv_bytes_per_token")
def cache_of_token(layers: Decimal, kv_heads: Decimal, head_dim: Decimal, bytes_per_value: Decimal) -> Decimal:
    """A key and a value of each head in each layer."""
    return 2 * layers * kv_heads * head_dim * bytes_per_value


@answers("storage", "kv_cache_gb")
def cache(
    layers: Decimal,
    kv_heads: Decimal,
    head_dim: Decimal,
    bytes_per_value: Decimal,
    tokens: Decimal,
    batch: Decimal = Decimal(1),
) -> Decimal:
    return convert(cache_of_token(layers, kv_heads, head_dim, bytes_per_value) * tokens * batch, "bytes", "gb")


@answers("storage", "load_time_s", "read_time_s")
def loading(model_gb: Decimal, read_gb_per_s: Decimal) -> Decimal:
    return checkpoints.write_time_s(model_gb, read_gb_per_s)


@answers("storage", "dataset_gb")
def data_set(tokens_billion: Decimal, bytes_per_token: Decimal) -> Decimal:
    return tokens_billion * bytes_per_token


@answers("storage", "drives_count")
def drives(capacity_tb: Decimal, drive_tb: Decimal, usable_fraction: Decimal = Decimal(1)) -> Decimal:
    return Decimal(ceiling(capacity_tb / (drive_tb * usable_fraction)))


@answers("storage", "usable_fraction")
def usable_of_stripe(data_drives: Decimal, parity_drives: Decimal) -> Decimal:
    return fraction(data_drives, data_drives + parity_drives)


@answers("storage", "parity_fraction", "parity_overhead_fraction")
def parity_of_stripe(data_drives: Decimal, parity_drives: Decimal) -> Decimal:
    return fraction(parity_drives, data_drives + parity_drives)


@answers("storage", "achieved_gb_per_s", "effective_gb_per_s")
def achieved(line_rate_gbps: Decimal, efficiency_fraction: Decimal) -> Decimal:
    return feed.line_rate_gb_s(line_rate_gbps) * efficiency_fraction


@answers("storage", "read_gb_per_s", "needed_read_gb_per_s")
def of_accelerators_samples(gpus: Decimal, samples_per_gpu_per_s: Decimal, sample_mb: Decimal) -> Decimal:
    return convert(gpus * samples_per_gpu_per_s * sample_mb, "mb", "gb")


@answers("storage", "write_time_s")
def write_of_nodes(checkpoint_gb: Decimal, nodes: Decimal, write_gb_per_s_per_node: Decimal) -> Decimal:
    return checkpoints.write_time_s(checkpoint_gb, nodes * write_gb_per_s_per_node)


@answers("storage", "per_node_gb", "checkpoint_gb_per_node")
def share_of_node(checkpoint_gb: Decimal, nodes: Decimal) -> Decimal:
    return fraction(checkpoint_gb, nodes)


@answers("storage", "checkpoint_time_fraction", "overhead_fraction")
def lost_to_writes(
    checkpoint_gb: Decimal, write_gb_per_s: Decimal, interval_s: Decimal, fraction_blocking: Decimal = Decimal(1)
) -> Decimal:
    stopped_s = checkpoints.write_time_s(checkpoint_gb, write_gb_per_s, blocking_fraction=fraction_blocking)
    return checkpoints.time_fraction(stopped_s, interval_s)

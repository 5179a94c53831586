"""Answers to published values of storage: sizes of checkpoints, times to write them, guidance, feeds."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.storage import checkpoints, feed
from simulator.engine.storage.layer import DataFeed, StorageInput, StorageReport, run_storage
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole

_ADAM = checkpoints.BYTES_PER_PARAMETER_ADAM


def _gib(parameters_billion: Decimal, bytes_per_parameter: Decimal) -> Decimal:
    return checkpoints.gib(checkpoints.checkpoint_gb(parameters_billion, bytes_per_parameter))


# The tables of the trade print GiB and call them GB, and thousands of GiB TB.
@answers("storage", "checkpoint_gb_printed", "checkpoint_gib")
def printed_gb(parameters_billion: Decimal, bytes_per_parameter: Decimal = _ADAM) -> Decimal:
    return _gib(parameters_billion, bytes_per_parameter)


@answers("storage", "checkpoint_tb_printed")
def printed_tb(parameters_billion: Decimal, bytes_per_parameter: Decimal = _ADAM) -> Decimal:
    return _gib(parameters_billion, bytes_per_parameter) / 1000


@answers("storage", "checkpoint_gb", "checkpoint_size_gb")
def size_gb(parameters_billion: Decimal, bytes_per_parameter: Decimal = _ADAM) -> Decimal:
    return checkpoints.checkpoint_gb(parameters_billion, bytes_per_parameter)


@answers("storage", "subset_gb_printed", "subset_gib")
def printed_subset(
    parameters_billion: Decimal,
    ranks: Decimal,
    subset_ranks: Decimal = Decimal(8),
    bytes_per_parameter: Decimal = _ADAM,
    dp: Decimal | None = None,
) -> Decimal:
    held = checkpoints.subset_gb(
        parameters_billion,
        bytes_per_parameter,
        subset_ranks=whole(subset_ranks),
        ranks=whole(ranks),
        data_parallel=None if dp is None else whole(dp),
    )
    return checkpoints.gib(held)


@answers("storage", "weights_gb")
def weights_gb(parameters_billion: Decimal, bytes_per_parameter: Decimal = checkpoints.WEIGHT_BYTES) -> Decimal:
    return checkpoints.checkpoint_gb(parameters_billion, bytes_per_parameter)


@answers("storage", "per_rank_gb")
def share_of_rank(
    parameters_billion: Decimal,
    ranks: Decimal,
    bytes_per_parameter: Decimal = _ADAM,
    dp: Decimal | None = None,
) -> Decimal:
    return checkpoints.subset_gb(
        parameters_billion,
        bytes_per_parameter,
        subset_ranks=1,
        ranks=whole(ranks),
        data_parallel=None if dp is None else whole(dp),
    )


@answers("storage", "per_rank_gb_printed")
def printed_share_of_rank(
    parameters_billion: Decimal,
    ranks: Decimal,
    bytes_per_parameter: Decimal = _ADAM,
    dp: Decimal | None = None,
) -> Decimal:
    return checkpoints.gib(share_of_rank(parameters_billion, ranks, bytes_per_parameter, dp))


_BLOCKED = ("blocked_time_s", "blocking_time_s", "blocked_s", "checkpoint_blocked_s", "stall_s", "stall_time_s")


def _gb_of_printed(checkpoint_tb_printed: Decimal) -> Decimal:
    """Printed terabytes are thousands of GiB."""
    return convert(checkpoint_tb_printed * 1000, "gib", "gb")


@answers("storage", "write_time_s", "checkpoint_write_s")
def write_time_of_printed(checkpoint_tb_printed: Decimal, write_gib_per_s: Decimal) -> Decimal:
    return write_time(_gb_of_printed(checkpoint_tb_printed), convert(write_gib_per_s, "gib_s", "gb_s"))


@answers("storage", *_BLOCKED)
def blocked_time_of_printed(
    checkpoint_tb_printed: Decimal, write_gib_per_s: Decimal, fraction_blocking: Decimal
) -> Decimal:
    rate = convert(write_gib_per_s, "gib_s", "gb_s")
    return blocked_time(_gb_of_printed(checkpoint_tb_printed), rate, fraction_blocking)


@answers("storage", "write_gb_per_s", "required_write_gb_per_s")
def rate_of_time(checkpoint_gb: Decimal, write_time_s: Decimal) -> Decimal:
    """The rate at which a checkpoint takes that time: time and rate are inverse to each other."""
    return write_time(checkpoint_gb, Decimal(1)) / write_time_s


@answers("storage", "overhead_fraction", "checkpoint_time_fraction")
def lost_to_checkpoints(write_time_s: Decimal, interval_s: Decimal, fraction_blocking: Decimal = Decimal(1)) -> Decimal:
    return checkpoints.time_fraction(write_time_s * fraction_blocking, interval_s)


@answers("storage", "write_time_s", "checkpoint_write_s")
def write_time(checkpoint_gb: Decimal, write_gb_per_s: Decimal) -> Decimal:
    """The whole write, however much of it stops training."""
    return checkpoints.write_time_s(checkpoint_gb, write_gb_per_s)


@answers("storage", *_BLOCKED)
def blocked_time(checkpoint_gb: Decimal, write_gb_per_s: Decimal, fraction_blocking: Decimal = Decimal(1)) -> Decimal:
    return checkpoints.write_time_s(checkpoint_gb, write_gb_per_s, blocking_fraction=fraction_blocking)


@answers("storage", *_BLOCKED)
def blocked_of_write(write_time_s: Decimal, fraction_blocking: Decimal) -> Decimal:
    return write_time_s * fraction_blocking


@answers("storage", *_BLOCKED)
def blocked_of_parameters(
    parameters_billion: Decimal,
    write_gb_per_s: Decimal,
    fraction_blocking: Decimal = Decimal(1),
    bytes_per_parameter: Decimal = _ADAM,
) -> Decimal:
    return blocked_time(size_gb(parameters_billion, bytes_per_parameter), write_gb_per_s, fraction_blocking)


@answers("storage", "read_time_s", "restore_time_s")
def read_time(checkpoint_gb: Decimal, read_gb_per_s: Decimal) -> Decimal:
    return checkpoints.write_time_s(checkpoint_gb, read_gb_per_s)


@answers("storage", "write_time_s")
def write_time_of_parameters(
    parameters_billion: Decimal, write_gb_per_s: Decimal, bytes_per_parameter: Decimal = _ADAM
) -> Decimal:
    return write_time(size_gb(parameters_billion, bytes_per_parameter), write_gb_per_s)


_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "sixteen": 16}


@answers_like("storage", r"(?:(single_node|node)|(?:(\w+?)_)?su)_(read|write)_gb_per_s")
def guided(inputs: Mapping[str, Any], node: str | None, count: str | None, way: str) -> Any:
    """The rates of each level, for a node or for scalable units: `four_su_read_gb_per_s`, `8_su_…`."""
    levels = inputs.get("levels", inputs.get("level"))
    units = None if node else 1 if count is None else _COUNTS.get(count) or (int(count) if count.isdigit() else None)
    if levels is None or (units is None and not node):
        return UNANSWERED
    rates = [feed.guidance(level, units) for level in (levels if isinstance(levels, list) else [levels])]
    found = [each.read_gb_s if way == "read" else each.write_gb_s for each in rates]
    return found if isinstance(levels, list) else found[0]


@answers("storage", "read_gb_per_s")
def guided_read(level: str, scalable_units: Decimal = Decimal(1)) -> Decimal:
    return feed.guidance(level, whole(scalable_units)).read_gb_s


@answers("storage", "write_gb_per_s")
def guided_write(level: str, scalable_units: Decimal = Decimal(1)) -> Decimal:
    return feed.guidance(level, whole(scalable_units)).write_gb_s


@answers("storage", "line_rate_gb_per_s")
def line_rate(storage_link_gbps: Decimal, links: Decimal = Decimal(1)) -> Decimal:
    return links * feed.line_rate_gb_s(storage_link_gbps)


@answers("storage", "efficiency_fraction")
def efficiency(storage_link_gbps: Decimal, achieved_gb_per_s: Decimal, links: Decimal = Decimal(1)) -> Decimal:
    return fraction(achieved_gb_per_s, line_rate(storage_link_gbps, links))


@answers("storage", "achieved_gb_per_s")
def achieved(storage_link_gbps: Decimal, efficiency_fraction: Decimal, links: Decimal = Decimal(1)) -> Decimal:
    return line_rate(storage_link_gbps, links) * efficiency_fraction


def _fed(gpus: Decimal, samples_per_gpu_s: Decimal, sample_mb: Decimal) -> StorageReport:
    needs = DataFeed(gpus=whole(gpus), samples_per_gpu_s=samples_per_gpu_s, sample_mb=sample_mb)
    return run_storage(StorageInput(parameters_billion=Decimal(1), feed=needs))


@answers("storage", "needed_read_gb_per_s", "required_read_gb_per_s", "read_gb_per_s")
def needed_rate(gpus: Decimal, samples_per_gpu_s: Decimal, sample_mb: Decimal) -> Decimal | None:
    return _fed(gpus, samples_per_gpu_s, sample_mb).needed_read_gb_s


@answers("storage", "needed_read_gb_per_s", "required_read_gb_per_s", "read_gb_per_s")
def needed_rate_of_each(gpus: Decimal, gb_per_s_per_gpu: Decimal) -> Decimal | None:
    return _fed(gpus, Decimal(1), gb_per_s_per_gpu * 1000).needed_read_gb_s


@answers("storage", "starved_fraction", "stall_fraction", "starvation_fraction")
def starved(needed_gb_per_s: Decimal, supplied_gb_per_s: Decimal, overlapped_bool: bool = True) -> Decimal:
    return feed.starved_fraction(needed_gb_per_s, supplied_gb_per_s, is_overlapped=overlapped_bool)


@answers("storage", "bytes_per_parameter")
def implied_bytes(checkpoint_gib: Decimal, parameters_billion: Decimal) -> Decimal:
    return convert(checkpoint_gib, "gib", "gb") / parameters_billion

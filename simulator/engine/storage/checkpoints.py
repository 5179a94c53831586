"""The size of a checkpoint, and the time it takes."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

PARAMETERS_BILLION = Range("billion", above=0, high=1_000_000)
BYTES_PER_PARAMETER = Range("bytes", above=0, high=64)
RANKS = Range("ranks", low=1, high=10_000_000, step=Decimal(1))
RATE_GB_S = Range("GB/s", above=0, high=10_000_000)
SIZE_GB = Range("GB", low=0, high=1_000_000_000)
FRACTION = Range("", low=0, high=1)
SECONDS = Range("s", low=0, high=10_000_000)

BYTES_PER_PARAMETER_ADAM = Decimal(14)
"""Weights in bf16 (2), a master copy in fp32 (4) and two moments of Adam in fp32 (8), as MLPerf Storage 2.0 sizes its
checkpoints; without a master copy in the file 10, weights only 2."""
WEIGHT_BYTES = Decimal(2)

_SIZE = "MLPerf Storage 2.0: bf16 weights, fp32 master copy and two Adam moments are 14 bytes a parameter"

CHECKPOINT_GB = Quantity("checkpoint_gb", "GB", "parameters_billion · bytes_per_parameter", _SIZE)
CHECKPOINT_GIB = Quantity("checkpoint_gib", "GiB", "checkpoint_gb · 10⁹ / 2³⁰", "IEC 80000-13", False)
WRITE_TIME = Quantity(
    "checkpoint_write_s", "s", "checkpoint_gb / write_gb_s", "Definition of a rate; steady writing, no queue", False
)
BLOCKED = Quantity(
    "checkpoint_blocked_s",
    "s",
    "checkpoint_write_s · blocking_fraction",
    "Definition; 0 is a wholly overlapped write",
    False,
)
READ_TIME = Quantity("checkpoint_read_s", "s", "checkpoint_gb / read_gb_s", "Definition of a rate", False)
CHECKPOINT_SHARE = Quantity(
    "checkpoint_time_fraction",
    "",
    "checkpoint_blocked_s / (interval_s + checkpoint_blocked_s)",
    "Definition of a ratio",
    False,
)
WRITE_DUTY = Quantity(
    "checkpoint_write_duty_fraction",
    "",
    "checkpoint_write_s / (interval_s + checkpoint_blocked_s); above 1 the next write starts before this one ends",
    "Definition of a ratio",
    False,
)


def checkpoint_gb(parameters_billion: Decimal, bytes_per_parameter: Decimal) -> Decimal:
    """Return the size of a checkpoint in GB (10⁹ bytes): parameters, in billions, · bytes a parameter.

    Valid for training states without padding. The trade prints the number in GiB and calls it GB: 8.03 · 14 = 112 GB
    are printed as 105. Source: MLPerf Storage 2.0.
    """
    require(
        parameters_billion=(parameters_billion, PARAMETERS_BILLION),
        bytes_per_parameter=(bytes_per_parameter, BYTES_PER_PARAMETER),
    )
    return parameters_billion * bytes_per_parameter


def subset_gb(
    parameters_billion: Decimal,
    bytes_per_parameter: Decimal,
    *,
    subset_ranks: int,
    ranks: int,
    data_parallel: int | None = None,
    weight_bytes: Decimal = WEIGHT_BYTES,
) -> Decimal:
    """Return what `subset_ranks` of `ranks` processes hold of a checkpoint, in GB.

    Where everything is shared out evenly (ZeRO stage 3, `data_parallel` not given): size · subset / ranks. With ZeRO
    stage 1 only the optimiser is shared across the data-parallel copies: the weights of a model-parallel shard are
    whole in each, so a process of one copy holds parameters · data_parallel / ranks · (weight_bytes + (bytes −
    weight_bytes) / data_parallel). Never more than the whole. Valid for a subset of at most all ranks. Source: MLPerf
    Storage 2.0; Rajbhandari et al., ZeRO, SC 2020.
    """
    require(subset_ranks=(Decimal(subset_ranks), Range("ranks", low=1, high=ranks)), ranks=(Decimal(ranks), RANKS))
    whole = checkpoint_gb(parameters_billion, bytes_per_parameter)
    if data_parallel is None:
        return whole * subset_ranks / ranks
    require(data_parallel=(Decimal(data_parallel), Range("copies", low=1, high=ranks)))
    per_parameter = weight_bytes + (bytes_per_parameter - weight_bytes) / data_parallel
    held = parameters_billion * data_parallel / ranks * per_parameter * subset_ranks
    return min(whole, held)


def write_time_s(size_gb: Decimal, rate_gb_s: Decimal, *, blocking_fraction: Decimal = Decimal(1)) -> Decimal:
    """Return the seconds that a checkpoint stops training for: size / rate · the fraction that is not overlapped.

    Valid for a steady rate of all writers together. A fraction of 1 is the whole write. Source: definition of a rate.
    """
    require(
        size_gb=(size_gb, SIZE_GB), rate_gb_s=(rate_gb_s, RATE_GB_S), blocking_fraction=(blocking_fraction, FRACTION)
    )
    return size_gb / rate_gb_s * blocking_fraction


def time_fraction(stopped_s: Decimal, interval_s: Decimal) -> Decimal:
    """Return the fraction of time that is lost to stops of `stopped_s` after each `interval_s` of work.

    stopped / (interval + stopped). Valid for an interval above zero. Source: definition of a ratio.
    """
    require(stopped_s=(stopped_s, Range("s", low=0)), interval_s=(interval_s, Range("s", above=0, high=100_000_000)))
    return stopped_s / (interval_s + stopped_s)


def gib(size_gb: Decimal) -> Decimal:
    """Return GB (10⁹ bytes) as GiB (2³⁰ bytes). Valid for any size. Source: IEC 80000-13."""
    return convert(size_gb, "gb", "gib")

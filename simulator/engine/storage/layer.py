"""The storage layer: the checkpoints of a training run and the data that it reads."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import unless_unknown
from simulator.engine.errors import Problem
from simulator.engine.layers import Layer, QuantityRange
from simulator.engine.notices import Notice
from simulator.engine.numbers import Range, precise
from simulator.engine.parameters import check, choice, flag, number, part, whole
from simulator.engine.storage import checkpoints, feed, memory
from simulator.engine.trace import Trace, TraceEntry

GPUS = Range("accelerators", low=1, high=100_000_000, step=Decimal(1))
NODES = Range("nodes", low=1, high=10_000_000, step=Decimal(1))
SAMPLES = Range("samples/s", low=0, high=100_000_000)
SAMPLE_MB = Range("MB", low=0, high=1_000_000)
RATE = Range("GB/s", above=0, high=10_000_000)
INTERVAL = Range("s", above=0, high=100_000_000)
UNITS = Range("units", low=1, high=10_000, step=Decimal(1))

STORAGE_WARNINGS = {
    "write_longer_than_interval": "A checkpoint is still being written when the next one is due.",
    "starved": "Accelerators wait for data.",
    "nodes_limit_reading": "The links of the nodes, not the storage, limit reading.",
}


@dataclass(frozen=True, slots=True)
class DataFeed:
    """What training reads: samples of `sample_mb` (10⁶ bytes). Raises InvalidParameters."""

    gpus: int = whole(GPUS, is_stepped=False)
    samples_per_gpu_s: Decimal = number(SAMPLES, about="Samples that one accelerator takes in a second when busy.")
    sample_mb: Decimal = number(SAMPLE_MB, about="Megabytes (10⁶ bytes) of one sample.")
    nodes: int | None = whole(NODES, None, "Servers that read.", is_stepped=False)
    node_read_gb_s: Decimal | None = number(RATE, None, "What one server reads at most.")
    is_overlapped: bool = flag(True, "Whether the next samples are read while these are computed.")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class MemoryPool:
    """Memory that servers of independent loads share, and the latency to it. Raises InvalidParameters."""

    mean_gb: Decimal = number(memory.GB, about="What one server needs on average.")
    deviation_gb: Decimal = number(memory.GB, about="The standard deviation of that.")
    servers: int = whole(memory.SERVERS, is_stepped=False)
    deviations: Decimal = number(memory.DEVIATIONS, 2, "How many of them are provided for.")
    latency_ns: Decimal | None = number(memory.NS, None)
    lines_in_flight: int | None = whole(memory.LINES, None, "Cache lines that a core has under way.")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageInput:
    """Checkpoints and feed. Rates are of all storage together; they are given, or a level of NVIDIA's guidance names
    them for `scalable_units`. Raises InvalidParameters with every problem at once.
    """

    parameters_billion: Decimal = number(checkpoints.PARAMETERS_BILLION, about="Parameters of the model, in 10⁹.")
    bytes_per_parameter: Decimal = number(
        checkpoints.BYTES_PER_PARAMETER, checkpoints.BYTES_PER_PARAMETER_ADAM, "14 with Adam and a master copy."
    )
    write_gb_s: Decimal | None = number(RATE, None)
    read_gb_s: Decimal | None = number(RATE, None)
    level: str | None = choice(feed.STORAGE_LEVELS, None, "The guidance that names the rates which are not given.")
    scalable_units: int = whole(UNITS, 1)
    blocking_fraction: Decimal = number(checkpoints.FRACTION, 1, "The part of a write that stops training.")
    interval_s: Decimal | None = number(INTERVAL, None, "Work between the end of a checkpoint and the next.")
    feed: DataFeed | None = part(DataFeed)
    memory: MemoryPool | None = part(MemoryPool)

    def __post_init__(self) -> None:
        check(self, self._contradiction)

    def _contradiction(self) -> Problem | None:
        if self.level is None or self.write_gb_s is None or self.read_gb_s is None:
            return None
        message = "Both rates are given, so level names nothing; leave it or one of the rates out."
        return Problem("level", "conflict", message)


@dataclass(frozen=True, slots=True)
class StorageReport:
    """None is unknown: a parameter for it was not given."""

    checkpoint_gb: Decimal | None
    checkpoint_gib: Decimal | None
    checkpoint_write_s: Decimal | None
    checkpoint_blocked_s: Decimal | None
    checkpoint_read_s: Decimal | None
    checkpoint_time_fraction: Decimal | None
    checkpoint_write_duty_fraction: Decimal | None
    needed_read_gb_s: Decimal | None
    supplied_read_gb_s: Decimal | None
    starved_fraction: Decimal | None
    pooled_memory_gb_per_server: Decimal | None
    pooling_saving_fraction: Decimal | None
    core_read_gb_s: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_storage(given: StorageInput) -> StorageReport:
    """Return the report of checkpoints and feed."""
    with precise():
        return _report(given)


def _report(given: StorageInput) -> StorageReport:
    trace = Trace()
    size = checkpoints.checkpoint_gb(given.parameters_billion, given.bytes_per_parameter)
    guided = None if given.level is None else feed.guidance(given.level, given.scalable_units)
    write_gb_s = given.write_gb_s if given.write_gb_s is not None else guided.write_gb_s if guided else None
    read_gb_s = given.read_gb_s if given.read_gb_s is not None else guided.read_gb_s if guided else None
    write_s = unless_unknown(lambda rate: checkpoints.write_time_s(size, rate), write_gb_s)
    blocked_s = unless_unknown(
        lambda rate: checkpoints.write_time_s(size, rate, blocking_fraction=given.blocking_fraction), write_gb_s
    )
    read_s = unless_unknown(lambda rate: checkpoints.write_time_s(size, rate), read_gb_s)
    lost = unless_unknown(checkpoints.time_fraction, blocked_s, given.interval_s)
    duty = unless_unknown(lambda write, stop, work: write / (work + stop), write_s, blocked_s, given.interval_s)
    shown: dict[str, Any] = {
        "checkpoint_gb": trace.put(
            checkpoints.CHECKPOINT_GB,
            size,
            parameters_billion=given.parameters_billion,
            bytes_per_parameter=given.bytes_per_parameter,
        ),
        "checkpoint_gib": trace.put(checkpoints.CHECKPOINT_GIB, checkpoints.gib(size), checkpoint_gb=size),
        "checkpoint_write_s": trace.put(checkpoints.WRITE_TIME, write_s, checkpoint_gb=size, write_gb_s=write_gb_s),
        "checkpoint_blocked_s": trace.put(
            checkpoints.BLOCKED, blocked_s, checkpoint_write_s=write_s, blocking_fraction=given.blocking_fraction
        ),
        "checkpoint_read_s": trace.put(checkpoints.READ_TIME, read_s, checkpoint_gb=size, read_gb_s=read_gb_s),
        "checkpoint_time_fraction": trace.put(
            checkpoints.CHECKPOINT_SHARE, lost, checkpoint_blocked_s=blocked_s, interval_s=given.interval_s
        ),
        "checkpoint_write_duty_fraction": trace.put(
            checkpoints.WRITE_DUTY,
            duty,
            checkpoint_write_s=write_s,
            checkpoint_blocked_s=blocked_s,
            interval_s=given.interval_s,
        ),
    }
    warnings = []
    if duty is not None and duty > 1:
        message = (
            f"A write takes {write_s:,.0f} s, and the next one is due {given.interval_s:,.0f} s after it stopped work."
        )
        warnings.append(Notice("write_longer_than_interval", message))
    needed, supplied, starved = _feed(given.feed, read_gb_s, trace, warnings)
    return StorageReport(
        **shown,
        needed_read_gb_s=needed,
        supplied_read_gb_s=supplied,
        starved_fraction=starved,
        **_memory(given.memory, trace),
        warnings=tuple(warnings),
        trace=tuple(trace.entries),
    )


def _feed(
    data: DataFeed | None, read_gb_s: Decimal | None, trace: Trace, warnings: list[Notice]
) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    if data is None:
        return None, None, None
    needed = data.gpus * data.samples_per_gpu_s * data.sample_mb / 1000
    by_nodes = None
    if data.nodes is not None and data.node_read_gb_s is not None:
        by_nodes = data.nodes * data.node_read_gb_s
    supplied = read_gb_s if by_nodes is None or read_gb_s is None else min(read_gb_s, by_nodes)
    starved = unless_unknown(
        lambda rate: feed.starved_fraction(needed, rate, is_overlapped=data.is_overlapped), supplied
    )
    if by_nodes is not None and read_gb_s is not None and by_nodes < read_gb_s:
        message = f"The nodes read {by_nodes:,.1f} GB/s at most, of the {read_gb_s:,.1f} GB/s that storage gives."
        warnings.append(Notice("nodes_limit_reading", message))
    if starved:
        message = f"Accelerators wait for {starved:.1%} of the time: {needed:,.1f} GB/s are needed."
        warnings.append(Notice("starved", message))
    return (
        trace.put(
            feed.NEEDED_RATE,
            needed,
            gpus=data.gpus,
            samples_per_gpu_s=data.samples_per_gpu_s,
            sample_mb=data.sample_mb,
        ),
        trace.put(
            feed.SUPPLIED_RATE, supplied, read_gb_s=read_gb_s, nodes=data.nodes, node_read_gb_s=data.node_read_gb_s
        ),
        trace.put(
            feed.STARVED,
            starved,
            needed_read_gb_s=needed,
            supplied_read_gb_s=supplied,
            is_overlapped=data.is_overlapped,
        ),
    )


def _memory(pool: MemoryPool | None, trace: Trace) -> dict[str, Any]:
    quantities = (memory.POOLED_MEMORY, memory.POOLING_SAVING, memory.CORE_READ)
    if pool is None:
        return {quantity.name: None for quantity in quantities}
    alone, shared = (
        memory.pooled_gb(pool.mean_gb, pool.deviation_gb, deviations=pool.deviations, servers=servers)
        for servers in (1, pool.servers)
    )
    read = None
    if pool.latency_ns is not None and pool.lines_in_flight is not None:
        read = memory.core_read_gb_s(pool.lines_in_flight, pool.latency_ns)
    inputs: dict[str, Decimal | int | None] = {
        "mean_gb": pool.mean_gb,
        "deviation_gb": pool.deviation_gb,
        "deviations": pool.deviations,
        "servers": pool.servers,
    }
    return {
        "pooled_memory_gb_per_server": trace.put(memory.POOLED_MEMORY, shared, **inputs),
        "pooling_saving_fraction": trace.put(memory.POOLING_SAVING, 1 - shared / alone if alone else None, **inputs),
        "core_read_gb_s": trace.put(
            memory.CORE_READ, read, lines_in_flight=pool.lines_in_flight, latency_ns=pool.latency_ns
        ),
    }


STORAGE = Layer("storage", StorageInput, run_storage)

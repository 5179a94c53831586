"""How fast storage feeds accelerators, and what they lose where it does not."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.errors import Problem, raise_for
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

RATE_GB_S = Range("GB/s", low=0, high=10_000_000)
_ABOVE = Range("GB/s", above=0, high=10_000_000)
GBPS = Range("Gb/s", above=0, high=1_000_000)

NEEDED_RATE = Quantity(
    "needed_read_gb_s", "GB/s", "gpus · samples_per_gpu_s · sample_mb / 1000", "Arithmetic; the rates are the asker's"
)
SUPPLIED_RATE = Quantity(
    "supplied_read_gb_s", "GB/s", "read_gb_s of storage, at most nodes · node_read_gb_s", "Minimum"
)
STARVED = Quantity(
    "starved_fraction",
    "",
    "overlapped: max(0, 1 − supplied / needed); not overlapped: needed / (needed + supplied)",
    "Time of a step: the longer of load and compute where they overlap, their sum where not",
    False,
)

GUIDANCE = {
    "good": {"node": (4, 2), "su": (15, 7), "four_su": (60, 30)},
    "better": {"node": (8, 4), "su": (40, 20), "four_su": (160, 80)},
    "best": {"node": (40, 20), "su": (125, 62), "four_su": (500, 250)},
}
"""Look-up: NVIDIA DGX SuperPOD storage guidance (RA-11333-001), GB/s of reading and writing for a node, for one
scalable unit and for four together. Writes are rounded halves; a node's peak times all nodes is far above the unit's,
since not all nodes read flat out."""

STORAGE_LEVELS = tuple(GUIDANCE)


@dataclass(frozen=True, slots=True)
class Rates:
    read_gb_s: Decimal
    write_gb_s: Decimal


def guidance(level: str, scalable_units: int | None) -> Rates:
    """Return the rates in GB/s that the guidance asks of storage; for one node where `scalable_units` is None.

    One and four units are printed; others scale from the four-unit figure. Source: the look-up GUIDANCE.
    Raises InvalidParameters for a level that is not in it.
    """
    found = GUIDANCE.get(level)
    if found is None:
        message = f"level is {level}; choose one of {', '.join(GUIDANCE)}."
        raise_for([Problem("level", "not_a_choice", message)])
        raise AssertionError  # raise_for has raised; this tells the type checker.
    if scalable_units is None or scalable_units == 1:
        read, write = found["node" if scalable_units is None else "su"]
        return Rates(Decimal(read), Decimal(write))
    require(scalable_units=(Decimal(scalable_units), Range("units", low=1, high=10_000)))
    read, write = found["four_su"]
    return Rates(Decimal(read) * scalable_units / 4, Decimal(write) * scalable_units / 4)


def line_rate_gb_s(link_gbps: Decimal) -> Decimal:
    """Return the line rate of a link in GB/s: Gb/s / 8.

    What is achieved is lower. Valid for up to 1,000,000 Gb/s. Source: eight bits to a byte.
    """
    require(link_gbps=(link_gbps, GBPS))
    return convert(link_gbps, "gbps", "gb_s")


def starved_fraction(needed_gb_s: Decimal, supplied_gb_s: Decimal, *, is_overlapped: bool) -> Decimal:
    """Return the fraction of time that accelerators wait for data which they need at `needed_gb_s` to be busy.

    With loading ahead (overlap) a step takes the longer of loading and computing: max(0, 1 − supplied / needed).
    Without, it takes their sum: t_load / (t_load + t_compute) = needed / (needed + supplied). Valid for a steady
    pipeline; 0 where nothing is needed. Source: definition; Mohan et al., Data Stalls in DNN Training, VLDB 2021.
    """
    require(needed_gb_s=(needed_gb_s, Range("GB/s", low=0)), supplied_gb_s=(supplied_gb_s, _ABOVE))
    if is_overlapped:
        return Decimal(0) if needed_gb_s <= supplied_gb_s else 1 - supplied_gb_s / needed_gb_s
    return needed_gb_s / (needed_gb_s + supplied_gb_s)

"""Answers to published values of what a node's power is made of."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.units import convert, dimension_of
from simulator.engine.validation.answers import UNANSWERED, answers_like
from simulator.engine.validation.spelling import split

# Another word may name a whole, or a part of one of these.
_PARTS = (
    "gpu", "gpus", "accelerator", "accelerators", "cpu", "cpus", "memory", "dram", "dimm", "dimms", "fan", "fans",
    "nic", "nics", "network", "networking", "storage", "drives", "ssd", "ssds", "nvswitch", "nvlink", "switch",
    "switches", "psu_loss", "vr_loss", "losses", "board", "other", "others", "misc", "pump", "pumps",
)  # fmt: skip


def _parts_w(inputs: Mapping[str, Any]) -> dict[str, tuple[str, Decimal]] | None:
    """Return the name and the power in W of each part; None where a power of the row is that of no known part."""
    found: dict[str, tuple[str, Decimal]] = {}
    for name, value in inputs.items():
        unit = split(name)
        if unit is None or not unit.upper or unit.lower or unit.rest or dimension_of(unit.upper) != "power":
            return None
        stem = unit.stem.removesuffix("_power")
        if stem not in _PARTS or stem in found or not isinstance(value, Decimal):
            return None
        found[stem] = name, convert(value, unit.upper, "w")
    return found if len(found) > 1 else None


def _all_w(inputs: Mapping[str, Any], parts: Mapping[str, tuple[str, Decimal]]) -> Decimal:
    assert all(inputs[name] is not None for name, _ in parts.values())  # Read: each makes the sum.
    return sum((watts for _, watts in parts.values()), Decimal(0))


@answers_like("rack", r"(?:total|sum|component_sum|components)_w")
def whole(inputs: Mapping[str, Any]) -> Any:
    """The sum, which is no rating: a tray is rated for more than its processors (6,667 W against 5,640)."""
    parts = _parts_w(inputs)
    return UNANSWERED if parts is None else _all_w(inputs, parts)


@answers_like("rack", r"(\w+?)(?:_share)?_fraction")
def part(inputs: Mapping[str, Any], asked: str) -> Any:
    parts = _parts_w(inputs)
    if parts is None or asked not in parts:
        return UNANSWERED
    return fraction(parts[asked][1], _all_w(inputs, parts))

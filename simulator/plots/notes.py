"""What stands under a picture: the warnings of its report, and that typical values are drawn where there are ranges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from simulator.engine.layers import QuantityRange
from simulator.engine.notices import Notice
from simulator.plots.amounts import number, power

TYPICAL = "Its input has ranges: it is drawn at their typical values."


class Ranged(Protocol):
    """A report of any layer."""

    @property
    def warnings(self) -> Sequence[Notice]: ...
    @property
    def ranges(self) -> Sequence[QuantityRange]: ...


def notes_of(report: Ranged, drawn_at: str = TYPICAL, **called: str) -> tuple[str, ...]:
    """Return the notes of a picture.

    `called` names quantities of the report: it is told how far each reaches over the ranges.
    """
    notes = [warning.message for warning in report.warnings]
    if report.ranges:
        found = {each.quantity: each for each in report.ranges}
        reaching = [_reach(said, found[name]) for name, said in called.items() if name in found]
        notes.append(" ".join([drawn_at, *reaching]))
    return tuple(notes)


def _reach(name: str, each: QuantityRange) -> str:
    if each.low is None or each.high is None:
        return f"{name} is unknown at some of their values."
    if each.unit == "kW":
        return f"{name} goes from {power(each.low)} to {power(each.high)}."
    return f"{name} goes from {number(each.low)} to {number(each.high)} {each.unit}".rstrip() + "."

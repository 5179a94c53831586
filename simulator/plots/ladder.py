"""The ladder on a log axis: what one chip, node, rack, hall, campus and grid connection takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from simulator.engine.ladder.layer import LadderReport
from simulator.plots.amounts import listed, number, power
from simulator.plots.notes import notes_of
from simulator.plots.picture import Column, Picture
from simulator.plots.rows import RowText, row_axes
from simulator.plots.theme import colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulator.plots.svg import Frame

NAMES = {"chip": "Chip", "node": "Node", "rack": "Rack", "hall": "Hall", "campus": "Campus", "grid": "Grid"}

SPANNED = "Its input has ranges: a dot stands at the typical values, a bar reaches from the least to the most."


@dataclass(frozen=True, slots=True)
class RungMark:
    """One rung: the power of one, in kW, and how far it reaches over the ranges of the input."""

    name: str
    count: int
    kw: Decimal
    low_kw: Decimal
    high_kw: Decimal


def ladder(report: LadderReport) -> Picture:
    """Return the picture of a ladder."""
    ranges = {each.quantity: each for each in report.ranges}
    marks, rows = [], []
    for rung in report.rungs:
        span = ranges.get("ladder_grid_kw" if rung.rung == "grid" else f"{rung.rung}_kw")
        low, high = (span.low, span.high) if span else (rung.each_kw, rung.each_kw)
        assert rung.each_kw is not None  # No part of a ladder may be unknown.
        marks.append(RungMark(NAMES[rung.rung], rung.count, rung.each_kw, low or rung.each_kw, high or rung.each_kw))
        rows.append((NAMES[rung.rung], rung.count, rung.each_kw, low, high, rung.total_kw))
    top, bottom = marks[-1], marks[0]
    said = listed(f"{mark.name} {power(mark.kw)}" + _reach(mark) for mark in marks)
    return Picture(
        name="ladder",
        title=f"From a chip of {power(bottom.kw)} to {power(top.kw)} at the grid",
        subtitle=f"Power of one at each rung, {report.basis}, on a logarithmic axis",
        description=f"Power of one at each rung, {report.basis}. {said}",
        columns=(
            Column("rung", "Rung"),
            Column("count", "How many"),
            Column("each_kw", "Power of one", "kW"),
            Column("low_kw", "At least", "kW"),
            Column("high_kw", "At most", "kW"),
            Column("total_kw", "Power of all", "kW"),
        ),
        rows=tuple(rows),
        draw=draw,
        marks=tuple(marks),
        notes=notes_of(report, drawn_at=SPANNED),
    )


def _reach(mark: RungMark) -> str:
    return "" if mark.low_kw == mark.high_kw else f" ({power(mark.low_kw)} to {power(mark.high_kw)})"


def draw(figure: Figure, marks: tuple[RungMark, ...], frame: Frame) -> None:
    rungs = tuple(reversed(marks))
    texts = [
        RowText(
            mark.name if mark.count == 1 else f"{mark.name} × {number(Decimal(mark.count), 12)}",
            power(mark.kw) + ("" if frame.is_narrow else _reach(mark)),
        )
        for mark in rungs
    ]
    axes = row_axes(figure, texts, frame)
    low = math.floor(math.log10(float(min(mark.low_kw for mark in marks))))
    high = max(math.ceil(math.log10(float(max(mark.high_kw for mark in marks)))), low + 1)
    axes.set_xscale("log")
    axes.set_xlim(10.0**low, 10.0**high)
    step = max(1, math.ceil((high - low) / (4 if frame.is_narrow else 8)))
    decades = range(low, high + 1)
    shown = [power(Decimal(10) ** n) if (n - low) % step == 0 else "" for n in decades]
    axes.set_xticks([10.0**n for n in decades], labels=shown)
    axes.minorticks_off()
    first, *_, last = axes.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    for n, mark in enumerate(rungs):
        # A stem and no bar: a logarithmic axis has no zero from which a length could be read.
        axes.plot([10.0**low, float(mark.kw)], [n, n], color=colour("line"), linewidth=2, clip_on=False)
        if mark.low_kw != mark.high_kw:
            axes.plot(
                [float(mark.low_kw), float(mark.high_kw)], [n, n],
                color=colour("one"), linewidth=4, marker="|", markersize=14, markeredgewidth=2, clip_on=False,
            )  # fmt: skip
        axes.plot([float(mark.kw)], [n], color=colour("one"), marker="o", markersize=11, clip_on=False)

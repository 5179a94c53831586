"""The power waterfall: what the chips take, and what each rung above them adds until the grid."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from simulator.engine.ladder.layer import LadderReport
from simulator.plots.amounts import listed, number, percent, power, power_unit
from simulator.plots.notes import notes_of
from simulator.plots.picture import Column, Picture
from simulator.plots.rows import RowText, bar_height, row_axes
from simulator.plots.theme import colour
from simulator.plots.ticks import label_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulator.plots.svg import Frame

ADDED = {
    "node": "Rest of the nodes",
    "rack": "Rest of the racks",
    "hall": "Rest of the hall",
    "campus": "Cooling and building",
    "grid": "Losses before the meter",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One bar, from `begin_kw` to `end_kw`; a sum begins at 0."""

    name: str
    begin_kw: Decimal
    end_kw: Decimal
    is_sum: bool = False

    @property
    def kw(self) -> Decimal:
        return self.end_kw - self.begin_kw


def waterfall(report: LadderReport) -> Picture:
    """Return the waterfall of a ladder, at the typical values of its input."""
    steps: list[Step] = []
    reached = Decimal(0)
    for rung in report.rungs:
        assert rung.total_kw is not None  # No part of a ladder may be unknown.
        steps.append(Step(ADDED.get(rung.rung, "Chips"), reached, rung.total_kw, rung.rung == "chip"))
        reached = rung.total_kw
    steps.append(Step("Grid", Decimal(0), reached, is_sum=True))
    chips, nodes = steps[:2]
    # What takes more than what it stands in is no part of it: the engine warns of it, and no title may count on it.
    if nodes.kw < 0:
        title = (
            f"Chips of {power(chips.kw)} stand in nodes that take {power(nodes.end_kw)}: they cannot all run at that"
        )
    else:
        title = f"Of {power(reached)} from the grid {percent(chips.kw / reached)} reach the chips"
    said = listed(f"{step.name} {'' if step.is_sum else 'add '}{power(step.kw)}" for step in steps)
    return Picture(
        name="waterfall",
        title=title,
        subtitle=f"What each rung adds to the power of the chips, {report.basis}",
        description=f"What each rung adds to the power of the chips, {report.basis}. {said}",
        columns=(
            Column("part", "Part"),
            Column("added_kw", "Power", "kW"),
            Column("reached_kw", "Sum so far", "kW"),
            Column("grid_fraction", "Part of the grid's"),
        ),
        rows=tuple((step.name, step.kw, step.end_kw, round(step.kw / reached, 6)) for step in steps),
        draw=draw,
        marks=tuple(steps),
        notes=notes_of(report, ladder_grid_kw="What the grid gives"),
    )


def draw(figure: Figure, steps: tuple[Step, ...], frame: Frame) -> None:
    grid = steps[-1].end_kw
    are_parts = all(step.kw >= 0 for step in steps)
    texts = [RowText(step.name, _said(step, grid if are_parts else None), is_strong=step.is_sum) for step in steps]
    axes = row_axes(figure, texts, frame)
    unit, size = power_unit(grid)
    most = max(step.end_kw for step in steps) / size
    axes.set_xlim(0, float(most) * 1.02)
    axes.xaxis.set_major_locator(_locator(4 if frame.is_narrow else 7))
    label_ticks(axes, frame, lambda value: f"{number(Decimal(repr(float(value))))} {unit}")
    for n, step in enumerate(steps):
        begin, end = float(step.begin_kw / size), float(step.end_kw / size)
        name = "one" if step.is_sum else "two" if step.kw >= 0 else "three"
        axes.barh(n, end - begin, left=begin, height=bar_height(), color=colour(name), linewidth=0)
        if n + 1 < len(steps):
            # Where a bar ends the next one begins; the last bar ends where this one does.
            axes.plot([end, end], [n, n + 1], color=colour("soft"), linewidth=1, linestyle=(0, (2, 2)))


def _said(step: Step, grid: Decimal | None) -> str:
    """Return what stands above a bar; `grid` is None where the steps are no parts of it."""
    sign = "" if step.is_sum else "+ " if step.kw >= 0 else "− "
    return f"{sign}{power(abs(step.kw))}" + ("" if grid is None else f" · {percent(step.kw / grid)}")


def _locator(most: int):
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10])

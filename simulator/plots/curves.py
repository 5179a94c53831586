"""Curves of a sweep: how quantities move with one input, a panel for each unit, a curve for each value of a second."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from simulator.plots.amounts import listed, number
from simulator.plots.picture import Column, Picture
from simulator.plots.svg import Frame, axes_at, sized
from simulator.plots.theme import SERIES, colour
from simulator.plots.ticks import label_ticks
from simulator.wording import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL_PX = 210
NAME_PX = 20
AXIS_PX = 26
LEFT_PX = 40
CURVES_MAX = len(SERIES)
_DASHES: tuple[object, ...] = (
    "solid",
    (0, (6, 2)),
    (0, (2, 2)),
    (0, (8, 2, 2, 2)),
    (0, (1, 1.5)),
    (0, (4, 1, 1, 1, 1, 1)),
)
_MARKERS = ("o", "s", "^", "D", "v", "P")


@dataclass(frozen=True, slots=True)
class Swept:
    """The input along the horizontal axis, and the values that it took, rising."""

    name: str
    unit: str
    values: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """One quantity over the swept input; a value that is None is unknown, and leaves a gap.

    `at` names the value of a second input that it belongs to (`pue 1.2`); it is empty where only one was swept.
    """

    quantity: str
    unit: str
    values: tuple[Decimal | None, ...]
    at: str = ""


def curves(swept: Swept, found: Sequence[Curve], *, subject: str, notes: Sequence[str] = ()) -> Picture:
    """Return the picture of a sweep of `subject` (`ladder`, `rack`…).

    Raises ValueError for no curve, for more than six in a panel (nobody tells seven apart), and for one whose length
    is not that of what was swept.
    """
    panels = _panels(found)
    known = [curve for curve in found if _is_known(curve)]
    if not panels or any(len(panel) > CURVES_MAX for panel in panels):
        raise ValueError(f"A panel has 1 to {CURVES_MAX} curves.")
    if any(len(curve.values) != len(swept.values) for curve in found):
        raise ValueError("A curve has a value for each value of what was swept.")
    quantities = list(dict.fromkeys(curve.quantity for curve in known or found))
    first, last = swept.values[0], swept.values[-1]
    reach = f"{words(swept.name)} from {number(first)} to {number(last)} {swept.unit}".rstrip()
    return Picture(
        name="sweep",
        title=f"{_series(quantities)} over {inside(words(swept.name))}",
        subtitle=f"Sweep of {subject}: {reach}",
        description=f"{reach}. {listed(_told(swept, curve) for curve in found)}",
        columns=(
            Column(swept.name, words(swept.name), swept.unit),
            *(Column(f"{curve.quantity} {curve.at}".strip(), _label(curve), curve.unit) for curve in found),
        ),
        rows=tuple((x, *(curve.values[n] for curve in found)) for n, x in enumerate(swept.values)),
        draw=draw,
        # Where nothing at all is known, the empty panels say so; else only notes do.
        marks=(swept, tuple(known or found)),
        notes=(*notes, *(text for curve in found if (text := _lacking(curve)))),
    )


def _is_known(curve: Curve) -> bool:
    return any(value is not None for value in curve.values)


def _lacking(curve: Curve) -> str:
    """Return what a curve does not show; empty for one that is whole."""
    count = sum(value is None for value in curve.values)
    if not count:
        return ""
    if count == len(curve.values):
        return f"{_label(curve)} is unknown."
    return f"{_label(curve)} is unknown at {count} of {len(curve.values)} points."


def inside(text: str) -> str:
    """Return words as they stand within a sentence."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _series(quantities: Sequence[str]) -> str:
    # One may be told in two units.
    first, *others = dict.fromkeys(words(each) for each in quantities)
    later = [inside(each) for each in others]
    if not later:
        return first
    return f"{', '.join([first, *later[:-1]])} and {later[-1]}"


def _label(curve: Curve) -> str:
    return f"{words(curve.quantity)}, {curve.at}" if curve.at else words(curve.quantity)


def _panels(found: Sequence[Curve]) -> list[list[Curve]]:
    by_unit: dict[str, list[Curve]] = {}
    for curve in found:
        by_unit.setdefault(curve.unit, []).append(curve)
    return list(by_unit.values())


def _told(swept: Swept, curve: Curve) -> str:
    if not _is_known(curve):
        return f"{_label(curve)} is unknown"
    known = [value for value in curve.values if value is not None]
    first, last = curve.values[0], curve.values[-1]
    ends = f"{_label(curve)} goes from {number(first)} to {number(last)} {curve.unit}".rstrip()
    inner = {first, last}
    turns = [
        f"{name} {number(end)}" for name, end in (("lowest", min(known)), ("highest", max(known))) if end not in inner
    ]
    return f"{ends} ({', '.join(turns)})" if turns else ends


def draw(figure: Figure, marks: tuple[Swept, tuple[Curve, ...]], frame: Frame) -> None:
    swept, found = marks
    panels = _panels(found)
    # Above a panel stands its name, and below that one line for each of several curves.
    names = [NAME_PX * (1 if len(panel) == 1 else 1 + len(panel)) + 12 for panel in panels]
    below = 24
    height = sized(figure, frame, sum(names) + (PANEL_PX + AXIS_PX) * len(panels) + below)
    top = 0
    for panel, name in zip(panels, names, strict=True):
        left_over = height - frame.heading_px - top - name - PANEL_PX
        axes = axes_at(figure, frame, left=LEFT_PX, height=height, top=top + name, bottom=left_over)
        _panel(axes, swept, panel, frame)
        _legend(figure, panel, frame, height, frame.heading_px + top)
        top += name + PANEL_PX + AXIS_PX
    unit = f", {swept.unit}" if swept.unit else ""
    figure.text(
        1 - 20 / frame.width_px,
        10 / height,
        f"{words(swept.name)}{unit}",
        fontsize=12,
        color=colour("soft"),
        ha="right",
    )


def _panel(axes: Axes, swept: Swept, panel: Sequence[Curve], frame: Frame) -> None:
    axes.tick_params(length=0, colors=colour("soft"), labelsize=11, pad=6)
    axes.grid(color=colour("line"), linewidth=1)
    axes.set_axisbelow(True)
    # Between two whole numbers of racks there is nothing to read.
    is_whole = all(value == value.to_integral_value() for value in swept.values)
    axes.locator_params(axis="x", nbins=4 if frame.is_narrow else 8, integer=is_whole)
    axes.locator_params(axis="y", nbins=5)
    axes.yaxis.set_major_formatter(lambda value, _: _tick(value))
    if not any(_is_known(curve) for curve in panel):
        axes.set_yticks([])
    xs = [float(x) for x in swept.values]
    apart = max(1, len(xs) // 8)
    for n, curve in enumerate(panel):
        ys = [math.nan if y is None else float(y) for y in curve.values]
        axes.plot(
            xs, ys, color=colour(SERIES[n]), linewidth=2.2, linestyle=_DASHES[n],
            marker=_MARKERS[n], markersize=6, markevery=(n * apart // len(panel), apart), clip_on=False,
        )  # fmt: skip
    axes.set_xlim(xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1)
    label_ticks(axes, frame, _tick)


def _legend(figure: Figure, panel: Sequence[Curve], frame: Frame, height: float, top: float) -> None:
    """Name the curves above the panel, with the line and the mark of each: in words where there is only one."""
    width = frame.width_px
    unit = f", {panel[0].unit}" if panel[0].unit else ""
    heading = _label(panel[0]) if len(panel) == 1 else words(panel[0].quantity) if _is_one(panel) else ""
    y = top + 16
    if heading or unit:
        text = f"{heading}{unit}" if heading else panel[0].unit
        if not any(_is_known(curve) for curve in panel):
            text += ": unknown"
        figure.text(20 / width, 1 - y / height, text, fontsize=13, weight="bold", color=colour("ink"))
    if len(panel) == 1:
        return
    from matplotlib.lines import Line2D

    for n, curve in enumerate(panel):
        y += NAME_PX
        middle = 1 - (y - 4) / height
        figure.add_artist(
            Line2D(
                [20 / width, 38 / width, 56 / width], [middle] * 3, color=colour(SERIES[n]), linewidth=2.2,
                linestyle=_DASHES[n], marker=_MARKERS[n], markersize=6, markevery=[1],  # type: ignore[arg-type]
            )
        )  # fmt: skip
        text = curve.at if _is_one(panel) else _label(curve)
        figure.text(64 / width, 1 - y / height, text, fontsize=12, color=colour("ink"))


def _is_one(panel: Sequence[Curve]) -> bool:
    return len({curve.quantity for curve in panel}) == 1


def _tick(value: float) -> str:
    size = Decimal(repr(float(value)))
    for limit, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if abs(size) >= limit:
            return f"{number(size / (1000 if letter == 'k' else limit))} {letter}"
    return number(size).replace("-", "−")

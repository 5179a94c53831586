"""Cooling methods against density: how far each reaches, and where the rack stands."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from simulator.engine.cooling import RULE_OF_THUMB
from simulator.engine.report import RackReport
from simulator.plots.amounts import listed, number
from simulator.plots.notes import notes_of
from simulator.plots.picture import Column, Picture
from simulator.plots.rows import RowText, bar_height, row_axes
from simulator.plots.svg import EDGE_PX
from simulator.plots.theme import colour
from simulator.plots.ticks import label_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from simulator.plots.svg import Frame

NAMES = {
    "air": "Air",
    "rear_door": "Rear door",
    "direct_to_chip": "Direct to chip",
    "immersion": "Immersion",
    "transition": "transition",
}
LABEL_LETTER_PX = 8.5
"""A bold letter of 12 pixels, in the wide font that drawings are measured with."""
VERDICTS = {True: "carries it", False: "does not carry it", None: "not known"}


@dataclass(frozen=True, slots=True)
class Reach:
    """One method: up to how many kW a rack it goes (None: no limit is known), and whether it carries this rack."""

    name: str
    limit_kw: Decimal | None
    is_feasible: bool | None


@dataclass(frozen=True, slots=True)
class CoolingMarks:
    """The methods, and the density of the rack in kW; None where it is unknown."""

    methods: tuple[Reach, ...]
    density_kw: Decimal | None
    at_least_kw: Decimal | None


def cooling(report: RackReport) -> Picture:
    """Return the picture of the cooling of a rack."""
    known = report.power.density_kw
    floor = None if report.power.at_least is None else report.power.at_least.density_kw
    found = report.cooling.methods
    methods = tuple(Reach(NAMES[each.method], each.limit_kw, each.feasible) for each in found)
    if known is not None:
        rack = f"A rack of {number(known)} kW"
    elif floor:
        rack = f"A rack of at least {number(floor)} kW"
    else:
        rack = "A rack of unknown power"
    carrying = [each.name.lower() for each in methods if each.is_feasible]
    title = f"{rack}: cooled by {' or '.join(carrying)}" if carrying else f"{rack}: no method is known to cool it"
    said = listed(
        f"{reach.name} {_said(reach)}. {each.reason}".rstrip(".") for reach, each in zip(methods, found, strict=True)
    )
    return Picture(
        name="cooling",
        title=title,
        subtitle=f"How far each cooling method reaches, in kW a rack, {report.power.basis}",
        description=f"How far each cooling method reaches, in kW a rack, {report.power.basis}. {said}",
        columns=(
            Column("method", "Method"),
            Column("feasible", "Carries the rack"),
            Column("limit_kw", "Reaches to", "kW"),
            Column("margin_kw", "Margin", "kW"),
            Column("reason", "Why"),
        ),
        rows=tuple(
            (NAMES[each.method], _yes_or_no(each.feasible), each.limit_kw, each.margin_kw, each.reason)
            for each in found
        ),
        draw=draw,
        marks=CoolingMarks(methods, known, floor),
        notes=notes_of(report, density_kw="Its power"),
    )  # fmt: skip


def _yes_or_no(value: bool | None) -> str | None:
    return {True: "yes", False: "no", None: None}[value]


def _said(reach: Reach) -> str:
    open_end = ", no limit given" if reach.is_feasible else ""
    limit = open_end if reach.limit_kw is None else f", to {number(reach.limit_kw)} kW"
    return f"{VERDICTS[reach.is_feasible]}{limit}"


def draw(figure: Figure, marks: CoolingMarks, frame: Frame) -> None:
    texts = [RowText(each.name, _said(each), is_strong=each.is_feasible is True) for each in marks.methods]
    texts.append(RowText("Rule of thumb of the trade", ""))
    axes = row_axes(figure, texts, frame, top=24)
    stands = marks.density_kw if marks.density_kw is not None else marks.at_least_kw
    most = _most(marks, float(stands or 0))
    axes.set_xlim(0, most)
    axes.locator_params(axis="x", nbins=4 if frame.is_narrow else 8)
    label_ticks(axes, frame, lambda value: f"{value:,.0f} kW")
    for n, each in enumerate(marks.methods):
        _bar(axes, n, each, most)
    _bands(axes, len(marks.methods), most, is_narrow=frame.is_narrow)
    if stands is not None:
        text = f"This rack: {'' if marks.density_kw is not None else 'at least '}{number(stands)} kW"
        _stand(axes, len(texts), min(float(stands), most), text, frame)


def _stand(axes: Axes, rows: int, x: float, text: str, frame: Frame) -> None:
    """Mark where the rack stands: a thin line behind bars and words, strong beside what it is compared with."""
    axes.axvline(x, color=colour("soft"), linewidth=1, zorder=0.9)
    half = bar_height() / 2
    # Through the bars of the methods, and below the last one, whose bands have names.
    begins = [*(n - half - 0.03 for n in range(rows - 1)), rows - 1 + half]
    ends = [*(n + half + 0.03 for n in range(rows - 1)), rows - 1 + half + 0.14]
    axes.vlines([x] * rows, begins, ends, color=colour("ink"), linewidth=3, clip_on=False)
    at = EDGE_PX + x / axes.get_xlim()[1] * (frame.width_px - 2 * EDGE_PX)
    room = len(text) * LABEL_LETTER_PX / 2
    middle = min(max(at, room), frame.width_px - room)
    axes.annotate(
        text, (x, 1), xycoords=axes.get_xaxis_transform(), xytext=(middle - at, 6), textcoords="offset points",
        ha="center", fontsize=12, weight="bold", color=colour("ink"), annotation_clip=False,
    )  # fmt: skip


def _most(marks: CoolingMarks, stands: float) -> float:
    """Return where the axis ends, in kW: the rack is in it with room, and limits unless they are far from it."""
    most = max(90.0, 1.3 * stands)
    limits = [float(each.limit_kw) for each in marks.methods if each.limit_kw is not None]
    return max([most, *(1.04 * limit for limit in limits if limit <= 1.5 * most)])


def _bar(axes: Axes, n: int, reach: Reach, most: float) -> None:
    """Draw how far a method reaches: full where it carries the rack, as an outline where it does not or may not.

    A bar that ends in a point goes on beyond the axis, or has no limit. A method that a device forbids has no bar.
    """
    if reach.limit_kw is None and reach.is_feasible is not True:
        return
    goes_on = reach.limit_kw is None or reach.limit_kw > most
    end = most if reach.limit_kw is None or goes_on else float(reach.limit_kw)
    half, tip = bar_height() / 2, most * 0.012 if goes_on else 0
    name = {True: "one", False: "two", None: "soft"}[reach.is_feasible]
    axes.fill(
        [0, end - tip, end, end - tip, 0], [n - half, n - half, n, n + half, n + half],
        facecolor=colour(name) if reach.is_feasible else "none",
        edgecolor=colour(name), linewidth=1.5, clip_on=False,
        linestyle=(0, (4, 3)) if reach.is_feasible is None else "solid",
    )  # fmt: skip


def _bands(axes: Axes, n: int, most: float, *, is_narrow: bool) -> None:
    for index, (name, low, high) in enumerate(RULE_OF_THUMB):
        begin, end = float(low), most if high is None else float(high)
        axes.barh(
            n, end - begin, left=begin, height=bar_height(), color=colour("panel" if index % 2 else "line"), linewidth=0
        )
        text = NAMES[name].lower()
        room = (end - begin) / most * (320 if is_narrow else 680)
        if room > 7 * len(text):
            axes.text(begin, n, f" {text}", fontsize=10, color=colour("ink"), va="center_baseline")

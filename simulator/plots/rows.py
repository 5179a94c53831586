"""The frame that most pictures share: rows with a name at the left, words at the right, and a bar or a mark below.

Names stand above what they name and not beside it, so that a picture 360 pixels wide has room for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.plots.svg import Frame, axes_at, sized
from simulator.plots.theme import colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW_PX = 48
BAR_PX = 16
TOP_PX = 8
AXIS_PX = 32
_GROUND = {"facecolor": colour("ground"), "edgecolor": "none", "pad": 1.5}
"""What lies below a text, so that no line runs through it: as wide as in the font it is measured with, or wider."""


@dataclass(frozen=True, slots=True)
class RowText:
    """What stands above a row: its name, and at the right what is said of it."""

    name: str
    said: str
    is_strong: bool = False


def row_axes(figure: Figure, texts: Sequence[RowText], frame: Frame, *, top: int = TOP_PX) -> Axes:
    """Return axes with a row for each text, the first on top; row n has its bar at y = n, `BAR_PX` of `ROW_PX` high."""
    height = sized(figure, frame, top + ROW_PX * len(texts) + AXIS_PX)
    axes = axes_at(figure, frame, top=top, bottom=AXIS_PX, height=height)
    # The lower edge of a row is its bar's, with a little ground below it.
    half = BAR_PX / ROW_PX / 2
    axes.set_ylim(len(texts) - 1 + half + 0.16, -1 + half + 0.16)
    axes.yaxis.set_visible(False)
    axes.tick_params(axis="x", length=0, pad=6, colors=colour("soft"), labelsize=11)
    axes.grid(axis="x", color=colour("line"), linewidth=1)
    axes.set_axisbelow(True)
    size = 12 if frame.is_narrow else 13
    for n, text in enumerate(texts):
        y = n - half - 0.13
        weight = "bold" if text.is_strong else "normal"
        across = axes.get_yaxis_transform()
        axes.text(
            0, y, text.name, transform=across, fontsize=size, weight=weight,
            color=colour("ink"), va="baseline", bbox=_GROUND,
        )  # fmt: skip
        if not text.said:
            continue
        axes.text(
            1, y, text.said, transform=across, fontsize=size, weight=weight,
            color=colour("ink" if text.is_strong else "soft"), ha="right", va="baseline", bbox=_GROUND,
        )  # fmt: skip
    return axes


def bar_height() -> float:
    """Return the height of a bar in rows."""
    return BAR_PX / ROW_PX

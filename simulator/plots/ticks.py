"""Labels below a horizontal axis that stay within the picture, wherever the ticks fall."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from simulator.plots.svg import Frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE_PX = 11
LETTER_PX = 7


def label_ticks(axes: Axes, frame: Frame, text_of: Callable[[float], str]) -> None:
    """Label the ticks of the horizontal axis, whose limits and locator are set.

    A label stands in the middle below its tick, at the ends where it would be cut: to the side that has room.
    """
    low, high = axes.get_xlim()
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    axes.set_xticks(ticks, labels=[text_of(tick) for tick in ticks])
    place = axes.get_position()
    for tick, label in zip(ticks, axes.get_xticklabels(), strict=True):
        x = (place.x0 + place.width * (tick - low) / (high - low)) * frame.width_px
        half = len(label.get_text()) * LETTER_PX / 2
        if x + half > frame.width_px:
            label.set_horizontalalignment("right")
        elif x < half:
            label.set_horizontalalignment("left")

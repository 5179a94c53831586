"""A picture before it is drawn: what it says in words, the table of its numbers, and what is to be drawn of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Cell = str | int | Decimal | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table: `unit` is empty for words and for what has none."""

    name: str
    label: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """`draw(figure, marks, frame)` draws `marks` with Matplotlib, where the picture is not drawn by hand.

    All of it can be compared, so a drawing can be kept. `title` is what it shows and `subtitle` of what: both are
    drawn. `description` says what is seen to those who do not see it. A cell that is None is unknown. `notes` are
    warnings of the report: they stand beside the picture.
    """

    name: str
    title: str
    subtitle: str
    description: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    draw: Callable[..., Any] | None = None
    marks: Hashable = None
    notes: tuple[str, ...] = ()

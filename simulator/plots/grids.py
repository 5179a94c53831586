"""From a sweep of the engine over one or two of its inputs to the curves that a reader can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod
from typing import Any, Protocol

from simulator.plots.amounts import number
from simulator.plots.curves import CURVES_MAX, Curve, Swept, curves, inside
from simulator.plots.picture import Picture
from simulator.wording import unit_of, words


class GridQuantity(Protocol):
    """A quantity over a grid, as a sweep of the engine tells it: its values in the order of the points."""

    @property
    def quantity(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def values(self) -> Sequence[float | Decimal | None]: ...


def grid_curves(
    axes: Mapping[str, Sequence[Decimal]],
    quantities: Sequence[GridQuantity],
    *,
    subject: str,
    notes: Sequence[str] = (),
) -> Picture:
    """Return the curves of a sweep over one or two axes, whose points run with the last axis fastest.

    The axis with more values lies along the picture; of the other, a curve is drawn for each value, and for six of them
    evenly spread where there are more, which a note says. Raises ValueError as
    `curves` does.
    """
    paths = sorted(axes, key=lambda path: -len(axes[path]))
    along = paths[0]
    others = list(axes[paths[1]]) if len(paths) > 1 else [None]
    drawn_at = _spread(len(others), max(1, CURVES_MAX // _most_alike(quantities)))
    told = list(notes)
    if len(drawn_at) < len(others):
        told.append(f"{len(drawn_at)} of {len(others)} values of {inside(words(paths[1]))} are drawn.")
    is_along_first = next(iter(axes)) == along
    found = []
    for quantity in quantities:
        for n in drawn_at:
            count = len(axes[along])
            places = [i * len(others) + n if is_along_first else n * count + i for i in range(count)]
            values = tuple(_decimal(quantity.values[place]) for place in places)
            other = others[n]
            at = "" if other is None else _at(paths[1], other)
            found.append(Curve(quantity.quantity, quantity.unit, values, at))
    swept = Swept(along, unit_of(along), tuple(axes[along]))
    return curves(swept, found, subject=subject, notes=told)


def _most_alike(quantities: Sequence[GridQuantity]) -> int:
    """Return how many quantities share a panel, at the most."""
    units = [each.unit for each in quantities]
    return max((units.count(unit) for unit in units), default=1)


def _spread(count: int, most: int) -> list[int]:
    """Return up to `most` of `count` places, the first and the last among them, evenly spread."""
    if count <= most:
        return list(range(count))
    return [0] if most == 1 else [round(n * (count - 1) / (most - 1)) for n in range(most)]


def _at(path: str, value: Decimal) -> str:
    return f"{words(path)} {number(value)} {unit_of(path)}".rstrip()


def _decimal(value: float | Decimal | None) -> Decimal | None:
    return None if value is None else value if isinstance(value, Decimal) else Decimal(repr(value))


@dataclass(frozen=True, slots=True)
class _Told:
    quantity: str
    unit: str
    values: Sequence[float | Decimal | None]


def sweep_curves(report: Mapping[str, Any], shown: Sequence[str]) -> Picture:
    """Return the curves of the quantities `shown`, in that order, of a report of `simulator/sweep/` as plain data.

    Raises KeyError with the name of a quantity that the report does not have, and ValueError as `curves` does.
    """
    found = {each["quantity"]: each for each in report["quantities"]}
    told = [_Told(name, found[name]["unit"], found[name]["values"]) for name in shown]
    axes = {axis["field"]: tuple(Decimal(repr(value)) for value in axis["values"]) for axis in report["axes"]}
    notes = [f"{each['message']} ({_where(each, axes)}.)" for each in report["warnings"]]
    return grid_curves(axes, told, subject=report["layer"], notes=notes)


def _where(warning: Mapping[str, Any], axes: Mapping[str, Sequence[Decimal]]) -> str:
    """Return where a warning holds: from which value to which, where these are all of them and of one axis."""
    points_count, count = prod(map(len, axes.values())), warning["points_count"]
    if count == points_count:
        return "At all points"
    if len(axes) > 1 or len(warning["runs"]) > 1:
        return f"At {count} of {points_count} points"
    ((path, values),) = axes.items()
    (run,) = warning["runs"]
    first, last = values[run["first"]], values[run["last"]]
    to = f" to {number(last)}" if last != first else ""
    return f"At {inside(words(path))} {number(first)}{to} {unit_of(path)}".rstrip()

"""Many numbers at once: a column stands where a formula has a decimal, and NumPy computes all of its points together.

Formulas stay as they are. Where they ask something of a column (is the load above the limit?) and its points agree, the
answer is theirs; where they do not, `Parted` says how they part, and whoever runs the formula runs each part. Floats
know 15 digits: where a comparison or a rounding up is closer than they can tell, the points are to be computed exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.numbers import Many

Floats = NDArray[np.float64]

# Floats are good to 1e-16 an operation; a hundred thousand operations stay below this.
NEAR = 1e-9


class Parted(Exception):  # noqa: N818 - it reads as what happened
    """The points of a column part here: those with one label go on together, those in `near` are to be exact."""

    def __init__(self, labels: NDArray[Any], near: NDArray[np.bool_]) -> None:
        super().__init__("The points of a column part here.")
        self.labels = labels
        self.near = near


class Column(Many):
    """The values of a number at all points, in their order."""

    __slots__ = ("values",)

    def __init__(self, values: Floats) -> None:
        self.values = values

    def __add__(self, other: Any) -> Column:
        return Column(self.values + _floats(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Column:
        return Column(self.values - _floats(other))

    def __rsub__(self, other: Any) -> Column:
        return Column(_floats(other) - self.values)

    def __mul__(self, other: Any) -> Column:
        return Column(self.values * _floats(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Column:
        below = _floats(other)
        if np.any(below == 0):
            raise ZeroDivisionError("A column is divided by zero.")
        return Column(self.values / below)

    def __rtruediv__(self, other: Any) -> Column:
        if np.any(self.values == 0):
            raise ZeroDivisionError("Something is divided by a column with zero in it.")
        return Column(_floats(other) / self.values)

    def __pow__(self, other: Any) -> Column:
        return _known(np.power(self.values, _floats(other)))

    def __rpow__(self, other: Any) -> Column:
        return _known(np.power(_floats(other), self.values))

    def __mod__(self, other: Any) -> int:
        """Return 0 where whole numbers are multiples of a whole number, which floats know exactly; no other rest."""
        if np.any(self.values != np.rint(self.values)) or other != int(other) or np.any(self.values % float(other)):
            raise TypeError("A column tells no rest of a division.")
        return 0

    def __floordiv__(self, other: Any) -> Whole:
        """Return how often a whole number goes into whole numbers, which floats know exactly; into no others."""
        if not isinstance(other, int) or np.any(self.values != np.rint(self.values)):
            raise TypeError("A column of whole numbers is divided by one.")
        return Whole(np.floor_divide(self.values, float(other)))

    def __neg__(self) -> Column:
        return Column(-self.values)

    def __pos__(self) -> Column:
        return self

    def __abs__(self) -> Column:
        return Column(np.abs(self.values))

    def larger(self, other: Any) -> Column:
        return Column(np.maximum(self.values, _floats(other)))

    def sqrt(self) -> Column:
        return _known(np.sqrt(self.values))

    def exp(self) -> Column:
        return _known(np.exp(self.values))

    def ln(self) -> Column:
        return _known(np.log(self.values))

    def to_integral_value(self, rounding: str) -> Column:
        """Return each value rounded up or down to a whole number."""
        towards: Callable[[Floats], Floats] = {ROUND_CEILING: np.ceil, ROUND_FLOOR: np.floor}[rounding]
        near = np.abs(self.values - np.rint(self.values)) <= NEAR * np.maximum(np.abs(self.values), 1)
        if near.any():
            raise Parted(np.zeros(len(self.values)), near)
        return Whole(towards(self.values))

    def __int__(self) -> int:
        down = self.to_integral_value(ROUND_FLOOR if np.all(self.values >= 0) else ROUND_CEILING).values
        if np.any(down != down[0]):
            raise Parted(down, np.zeros(len(down), dtype=bool))
        return int(down[0])

    def __bool__(self) -> bool:
        return self != 0

    def __lt__(self, other: Any) -> bool:
        return self._agreed(other, np.less)

    def __le__(self, other: Any) -> bool:
        return self._agreed(other, np.less_equal)

    def __gt__(self, other: Any) -> bool:
        return self._agreed(other, np.greater)

    def __ge__(self, other: Any) -> bool:
        return self._agreed(other, np.greater_equal)

    def __eq__(self, other: object) -> bool:
        return self._agreed(other, np.equal)

    def __ne__(self, other: object) -> bool:
        return self._agreed(other, np.not_equal)

    __hash__ = None  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        return format(Decimal(repr(float(self.values[0]))), spec)

    __str__ = __repr__ = lambda self: format(self, "")

    def _agreed(self, other: Any, holds: Callable[[Any, Any], Any]) -> bool:
        beside = _floats(other)
        answers = holds(self.values, beside)
        size = np.maximum(np.abs(self.values), np.abs(beside))
        near = np.abs(self.values - beside) <= NEAR * np.maximum(size, 1)
        if near.any() or (answers != answers[0]).any():
            raise Parted(answers, near)
        return bool(answers[0])


class Whole(Column):
    """Counts: whole by how they were computed, and not only near a whole number."""

    __slots__ = ()

    def __neg__(self) -> Whole:
        return Whole(-self.values)

    def __int__(self) -> int:
        if np.any(self.values != self.values[0]):
            raise Parted(self.values, np.zeros(len(self.values), dtype=bool))
        return int(self.values[0])


def _floats(value: Any) -> Any:
    if isinstance(value, Column):
        return value.values
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise TypeError(f"{value!r} is no number that a column can be computed with.")
    return float(value)


def _known(values: Floats) -> Column:
    if not np.isfinite(values).all():
        raise ArithmeticError("A column has a value that is no number.")
    return Column(values)

"""Many numbers at once: a column stands where a formula has a decimal, and NumPy computes all of its points together.

Formulas stay as they are. Where they ask something of a column (is the load above the limit?) and its points agree, the
answer is theirs; where they do not, `Parted` says how they part, and whoever runs the formula runs each part. Sums,
products and rests of decimals are exact as long as 15 digits hold them (`Exact`). What is not is floats, which are
good to 15 digits: where a comparison or a rounding up is closer than they can tell, the points are to be computed with
decimals.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from simulator.engine.counts import ManyCounts, ManyWords, least
from simulator.engine.numbers import CACHED_MAX, INPUT_DIGITS, REPORT_DIGITS, as_decimal, rounded

Floats = NDArray[np.float64]

# Floats are good to 1e-16 an operation; a hundred thousand operations stay below this.
NEAR = 1e-9
# Below this, floats tell a whole number from its neighbours.
WHOLE_BELOW = 2.0**53
# Powers of ten are exact floats up to this one.
PLACES_MAX = 22


class Parted(Exception):  # noqa: N818 - it reads as what happened
    """The points of a column part here: those with one label go on together, those in `near` are to be exact."""

    def __init__(self, labels: NDArray[Any], near: NDArray[np.bool_]) -> None:
        super().__init__("The points of a column part here.")
        self.labels = labels
        self.near = near


class Column(ManyCounts):
    """The values of a number at all points, in their order."""

    __slots__ = ("_ends", "values")
    digits: ClassVar[int] = REPORT_DIGITS

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._ends: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest of the values."""
        if self._ends is None:
            self._ends = float(self.values.min()), float(self.values.max())
        return self._ends

    def at(self, here: Any) -> Column:
        """Return the values of some points, by their places or by a mask."""
        return Column(self.values[here])

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

    def __floordiv__(self, other: Any) -> Column:
        return self.__truediv__(other).to_integral_value(ROUND_FLOOR)

    def __rfloordiv__(self, other: Any) -> Column:
        return self.__rtruediv__(other).to_integral_value(ROUND_FLOOR)

    def __neg__(self) -> Column:
        return Column(0 - self.values)

    def __pos__(self) -> Column:
        return self

    def __abs__(self) -> Column:
        return Column(np.abs(self.values))

    def larger(self, other: Any) -> Column:
        return Column(np.maximum(self.values, _floats(other)))

    def smaller(self, other: Any) -> Column:
        return -(-self).larger(-other)

    def next_up(self, rising: Sequence[int]) -> Exact:
        counts = np.array(rising, dtype=np.float64)
        return Exact(counts[np.searchsorted(counts, self.values)])

    @property
    def depth(self) -> int:
        """The rows of a table, 1 of a column."""
        return len(self.values) if self.values.ndim == 2 else 1

    def is_never(self) -> bool:
        return not self.values.any()

    def first(self) -> int:
        return int(self.values[0])

    def named(self, word: Any) -> Words:
        return Words(np.where(self.values > 0, _words(word), ""))

    def packed(self, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        points = np.arange(self.values.shape[-1])
        shape = (max(each.depth for row in rows for each in row if isinstance(each, Column)), len(points))
        table = [_table(numbers, shape) for numbers in zip(*rows, strict=True)]
        is_left_out = table[0].values == 0
        # What is left out goes last, at each point.
        order = np.argsort(is_left_out, axis=0, kind="stable")[: (~is_left_out).sum(axis=0).max()]
        return [tuple(each.at((order, points)) for each in table)]

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
        # A point of a table is a column of it.
        _one(np.zeros(near.shape[-1]), near.reshape(-1, near.shape[-1]).any(axis=0))
        return Exact(towards(self.values))

    def __int__(self) -> int:
        down = self.to_integral_value(ROUND_FLOOR if np.all(self.values >= 0) else ROUND_CEILING).values
        return int(_one(down))

    def __bool__(self) -> bool:
        return self != 0

    def __lt__(self, other: Any) -> bool:
        return self._agreed(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._agreed(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._agreed(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._agreed(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        return self._agreed(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self._agreed(other, operator.ne)

    __hash__ = None  # type: ignore[assignment]

    def __format__(self, spec: str) -> str:
        # A message tells a number that no spec shortens as it is reported.
        told = as_decimal(float(self.values[0]))
        return format(told if spec else rounded(told, self.digits), spec)

    __str__ = __repr__ = lambda self: format(self, "")

    def _agreed(self, other: Any, holds: Callable[[Any, Any], Any]) -> bool:
        if not isinstance(other, Column):
            beside, (low, high) = _floats(other), self.ends
            # All of them are far above the other, or far below: one answers for all.
            for end, gap in ((low, low - beside), (high, beside - high)):
                if gap > NEAR * max(abs(end), abs(beside), 1):
                    return bool(holds(end, beside))
        return self._compared(other, holds)

    def _compared(self, other: Any, holds: Callable[[Any, Any], Any]) -> bool:
        beside = _floats(other)
        size = np.maximum(np.abs(self.values), np.abs(beside))
        return bool(_one(holds(self.values, beside), np.abs(self.values - beside) <= NEAR * np.maximum(size, 1)))


class Exact(Column):
    """Decimals with `places` after the point: whole numbers of the last one, which floats hold exactly.

    `size` is what none of these whole numbers exceeds, either way. It is looked up anew only where it is too much.
    """

    __slots__ = ("places", "size", "units")
    digits = INPUT_DIGITS

    def __init__(self, units: Floats, places: int = 0, size: float | None = None) -> None:
        super().__init__(units / 10.0**places if places else units)
        self.units = units
        self.places = places
        self.size = _largest(units) if size is None else size

    def at(self, here: Any) -> Exact:
        return Exact(self.units[here], self.places, self.size)

    def __add__(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().__add__(other)
        mine, theirs, places, size = pair
        return _made(mine + theirs, places, size)

    __radd__ = __add__

    def fitted(self, wanted: Any) -> Any:
        if self.units.ndim == 1:
            return least(self, wanted)
        before = Exact(np.cumsum(self.units, axis=0) - self.units, self.places)
        return least(self, (wanted - before).larger(0))

    def over_rows(self) -> Exact:
        return self if self.units.ndim == 1 else Exact(self.units.sum(axis=0), self.places)

    def __neg__(self) -> Exact:
        return Exact(0 - self.units, self.places, self.size)

    def __sub__(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().__sub__(other)
        mine, theirs, places, size = pair
        return _made(mine - theirs, places, size)

    def __rsub__(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().__rsub__(other)
        mine, theirs, places, size = pair
        return _made(theirs - mine, places, size)

    def __mul__(self, other: Any) -> Column:
        if (known := _units(other)) is None:
            return super().__mul__(other)
        units, places, size = known
        return _made(self.units * units, self.places + places, self.size * size)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().__floordiv__(other)
        return Exact(np.floor_divide(pair[0], _divisors(pair[1])), 0, pair[3])

    def __rfloordiv__(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().__rfloordiv__(other)
        return Exact(np.floor_divide(pair[1], _divisors(pair[0])), 0, pair[3])

    def __mod__(self, other: Any) -> Exact:
        if (pair := self._with(other)) is None:
            raise TypeError("A column tells no rest of a division that is not exact.")
        mine, theirs, places, size = pair
        return Exact(np.mod(mine, _divisors(theirs)), places, size)

    def __divmod__(self, other: Any) -> tuple[Column, Exact]:
        return self // other, self % other

    def spread(self, each: Any) -> tuple[Any, Any]:
        if (pair := self._with(each)) is None:
            raise TypeError("A column tells no rest of a division that is not exact.")
        mine, theirs, places, size = pair
        times = np.floor_divide(mine, np.maximum(theirs, 1))
        return Exact(times, 0, size), Exact(mine - times * theirs, places, size)

    def __abs__(self) -> Exact:
        return Exact(np.abs(self.units), self.places, self.size)

    def smaller(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().smaller(other)
        mine, theirs, places, size = pair
        return Exact(np.minimum(mine, theirs), places, size)

    def larger(self, other: Any) -> Column:
        if (pair := self._with(other)) is None:
            return super().larger(other)
        mine, theirs, places, size = pair
        return Exact(np.maximum(mine, theirs), places, size)

    def to_integral_value(self, rounding: str) -> Column:
        if not self.places:
            return self
        return {ROUND_FLOOR: self // 1, ROUND_CEILING: -(-self // 1)}[rounding]

    def _compared(self, other: Any, holds: Callable[[Any, Any], Any]) -> bool:
        if (pair := self._with(other)) is None:
            return super()._compared(other, holds)
        return bool(_one(holds(pair[0], pair[1])))

    def _with(self, other: Any) -> tuple[Any, Any, int, float] | None:
        """Return the units of this and of another number with the same places, these, and what no sum exceeds."""
        if (known := _units(other)) is None:
            return None
        units, places, size = known
        mine, theirs, size, most = self.units, units, self.size + size, places
        if places != self.places:
            most = max(self.places, places)
            one, another = 10.0 ** (most - self.places), 10.0 ** (most - places)
            mine, theirs, size = mine * one, theirs * another, self.size * one + known[2] * another
        if size >= WHOLE_BELOW:
            size = _largest(mine) + _largest(theirs)
        return None if size >= WHOLE_BELOW else (mine, theirs, most, size)


class Words(ManyWords):
    """The words at all points, in their order."""

    __slots__ = ("values",)

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    def or_else(self, other: Any) -> Words:
        return Words(np.where(self.values == "", _words(other), self.values))

    def the_one(self) -> str:
        return str(_one(self.values))


def column(values: Sequence[Decimal]) -> Column:
    """Return some numbers as a column, an exact one where they have no more digits than floats hold."""
    # A sum has the places of its most precise part, unless it has more digits than are computed with, and than floats.
    places = max(0, -int(sum(values, Decimal(0)).as_tuple().exponent))
    units = [int(each.scaleb(places) if places else each) for each in values]
    size = max([0, *map(abs, units)])
    if places > PLACES_MAX or size >= WHOLE_BELOW:
        return Column(np.array([float(each) for each in values]))
    return Exact(np.array(units, dtype=np.float64), places, float(size))


def _one(answers: Any, near: Any = None) -> Any:
    """Return the answer of all points. Raises Parted where they differ, or where it is `near` to another at some."""
    if near is None:
        near = np.zeros(len(answers), dtype=bool)
    if near.any() or (answers != answers[0]).any():
        raise Parted(answers, near)
    return answers[0]


def _table(numbers: Sequence[Any], shape: tuple[int, int]) -> Column:
    """Return the numbers of some rows, of which each may be a table already, as one table: a row for each."""
    known = [_units(each) for each in numbers]
    if all(known):
        most = max(each[1] for each in known if each)
        scaled = [each[0] * 10.0 ** (most - each[1]) for each in known if each]
        if (size := max(map(_largest, scaled))) < WHOLE_BELOW:
            return Exact(_interleaved(scaled, shape), most, size)
    return Column(_interleaved([_floats(each) for each in numbers], shape))


def _interleaved(rows: Sequence[Any], shape: tuple[int, int]) -> Floats:
    """Return the first rows of all tables, then the second ones, and so on."""
    depth, points = shape
    table = np.empty((depth, len(rows), points))
    for n, each in enumerate(rows):
        table[:, n] = each
    return table.reshape(-1, points)


def _words(word: Any) -> Any:
    return word.values if isinstance(word, Words) else word


def _made(units: Any, places: int, size: float) -> Column:
    """Return an exact column, or its floats where they no longer hold it."""
    if size >= WHOLE_BELOW:
        size = _largest(units)
    if size >= WHOLE_BELOW or places > PLACES_MAX:
        return Column(units / 10.0**places)
    return Exact(units, places, size)


def _largest(units: Any) -> float:
    return float(np.max(np.abs(units)))


def _units(value: Any) -> tuple[Any, int, float] | None:
    """Return a number as whole numbers of its last place, the places, and their size; None for what is not exact."""
    if isinstance(value, Exact):
        return value.units, value.places, value.size
    if isinstance(value, Decimal):
        return _of_one(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= WHOLE_BELOW:
        return None
    return float(value), 0, float(abs(value))


@lru_cache(maxsize=CACHED_MAX)
def _of_one(value: Decimal) -> tuple[float, int, float] | None:
    # 5 and 5.0 are one number to the cache.
    places = max(0, -int(value.normalize().as_tuple().exponent))
    units = int(value.scaleb(places))
    return None if places > PLACES_MAX or abs(units) >= WHOLE_BELOW else (float(units), places, float(abs(units)))


def _divisors(values: Any) -> Any:
    if np.any(values == 0):
        raise ZeroDivisionError("A column is divided by zero.")
    return values


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

"""Numbers of the engine: decimals in, decimals out, so that 4 × 10.2 kW is 40.8 kW and not 40.800000000000004.

Why decimals and not floats: sums and products of catalogue values stay exact, and powers and roots (altitude, √3) are
rounded correctly by the decimal library on every machine, where a float's depend on the platform's own C library.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal, localcontext
from functools import cache, lru_cache
from typing import Any

from simulator.engine.errors import InvalidParameters, Problem

# 50 digits hold any product of three inputs exactly, and leave the last digits of a quotient far below any report.
PRECISION = 50
# What a float can hold: 0.30000000000000004, computed by a client, is 0.3.
INPUT_DIGITS = 15
# A quotient or a root is no better known than its inputs: air flow, coolant flow, ratios.
REPORT_DIGITS = 6
WHOLE_MAX = 2**53 - 1
CACHED_MAX = 8192
"""Numbers that a process remembers rounded: those of a device stand in the trace of each sum, of every report."""
_ZERO, _ONE = Decimal(0), Decimal(1)
_LONG = Context(prec=PRECISION)


class Many:
    """Many numbers that are computed at once; `columns` has the only kind of them."""

    __slots__ = ()

    def larger(self, other: Any) -> Many:
        """Return the larger of this and another number, at each point."""
        raise NotImplementedError


def greatest(values: Sequence[Any]) -> Any:
    """Return the greatest of some numbers; of many that are computed at once, the greatest at each point.

    `max` would ask which it is, and the points part over the answer, also where two are equal and it does not matter.
    """
    found, *others = values
    for each in others:
        many = found if isinstance(found, Many) else each
        found = many.larger(each if many is found else found) if isinstance(many, Many) else max(found, each)
    return found


def exact(value: Any) -> Any:
    """Return a count as a decimal; many numbers as they are."""
    return value if isinstance(value, Many) else Decimal(value)


@contextmanager
def precise() -> Iterator[None]:
    """Compute with the engine's own precision, whatever the caller's decimal context is."""
    with localcontext(Context(prec=PRECISION, rounding=ROUND_HALF_EVEN)):
        yield


def as_decimal(value: object) -> Decimal:
    """Return a number as a decimal of at most 15 significant digits.

    Raises TypeError for what is no number (booleans and text too), ValueError for one that is not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise TypeError(f"{value!r} is not a number.")
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        raise ValueError(f"{value!r} is not a finite number.")
    return rounded(number, INPUT_DIGITS)


@cache
def _to(digits: int) -> Context:
    """Return the context that rounds to `digits`: making one takes longer than rounding."""
    return Context(prec=digits, rounding=ROUND_HALF_EVEN)


def rounded(value: Decimal, digits: int) -> Decimal:
    """Return `value` with at most `digits` significant digits, half to even, without trailing zeros."""
    if isinstance(value, Many):
        return value  # Rounded where they are told.
    # Zero by itself, as the cache knows no sign of it.
    return _rounded(value, digits) if value else _ZERO


@lru_cache(maxsize=CACHED_MAX)
def _rounded(value: Decimal, digits: int) -> Decimal:
    short = _to(digits).plus(value).normalize(_LONG)
    exponent = short.as_tuple().exponent
    # 1E+2 is 100: an exponent in a report reads as an accident. Beyond what any range allows it may stay.
    if isinstance(exponent, int) and 0 < exponent <= PRECISION - digits:
        return short.quantize(_ONE, context=_LONG)
    return short


def power(base: Decimal, exponent: Decimal) -> Decimal:
    """Return `base` to the power of `exponent`, with the engine's precision.

    It is remembered: a broken exponent takes a sixth of a rack's report, and sites stay at their altitude.
    """
    return base**exponent if isinstance(base, Many) else _power(base, exponent)


@lru_cache(maxsize=CACHED_MAX)
def _power(base: Decimal, exponent: Decimal) -> Decimal:
    return _LONG.power(base, exponent)


def ceiling(value: Decimal) -> int:
    """Return the least whole number that is not below `value`. (`-(-a // b)` truncates where a or b is a decimal.)"""
    up: Any = value.to_integral_value(rounding=ROUND_CEILING)
    return up if isinstance(up, Many) else int(up)  # type: ignore[return-value]


@lru_cache(maxsize=CACHED_MAX)
def plain(value: Decimal) -> int | float:
    """Return the number as JSON has it: 32 and not 32.0; 40.8 and not a string.

    Whole numbers are integers as far as every reader of JSON holds them exactly (RFC 8259, section 6), floats beyond.
    """
    is_whole = abs(value) <= WHOLE_MAX and value == value.to_integral_value()
    return int(value) if is_whole else float(value)


@dataclass(frozen=True, slots=True)
class Range:
    """The values a parameter may have, in its unit; `above` and `below` exclude the bound, `low` and `high` do not."""

    unit: str
    low: Decimal | int | None = None
    high: Decimal | int | None = None
    above: Decimal | int | None = None
    below: Decimal | int | None = None
    step: Decimal | None = None

    def problem(self, field: str, value: Decimal | int) -> Problem | None:
        """Return why `value` is refused for the parameter `field`, or None."""
        if (
            (self.low is not None and value < self.low)
            or (self.high is not None and value > self.high)
            or (self.above is not None and value <= self.above)
            or (self.below is not None and value >= self.below)
        ):
            return Problem(field, "out_of_range", f"{field} is {value}; it must be {self}.")
        if self.step is not None and value % self.step:
            return Problem(field, "out_of_range", f"{field} is {value}; it must be a multiple of {self.step}.")
        return None

    def __str__(self) -> str:
        parts = [
            f"{words} {bound}"
            for words, bound in (
                ("at least", self.low),
                ("more than", self.above),
                ("at most", self.high),
                ("less than", self.below),
            )
            if bound is not None
        ]
        return f"{' and '.join(parts)} {self.unit}".rstrip()


def require(**given: tuple[Decimal, Range]) -> None:
    """Raise InvalidParameters naming each parameter that is outside its range: `require(rise_k=(rise_k, RISE_K))`."""
    problems = [problem for name, (value, allowed) in given.items() if (problem := allowed.problem(name, value))]
    if problems:
        raise InvalidParameters(problems)

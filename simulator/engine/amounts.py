"""Sums in which something may be unknown, and the four plain relations that every layer shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from simulator.engine.errors import raise_for
from simulator.engine.numbers import Range, require

T = TypeVar("T")

_PART = Range("", low=0)
_WHOLE = Range("", above=0)
_FRACTION = Range("", low=0, high=1)


@dataclass(frozen=True, slots=True)
class Total:
    """A sum: `value` is None while a part is unknown; `at_least` is the sum of what is known, None if nothing is.

    `unknown` names what is missing, in order of name. The parts must not be negative, so that `at_least` is one.
    """

    value: Decimal | None
    at_least: Decimal | None
    unknown: tuple[str, ...] = ()

    def through(self, function: Callable[[Decimal], Decimal]) -> Total:
        """Return the total of another quantity that `function`, which must never fall, makes of this one."""
        value = None if self.value is None else function(self.value)
        at_least = value if value is not None else None if self.at_least is None else function(self.at_least)
        return Total(value, at_least, self.unknown)

    @property
    def floor(self) -> Decimal:
        """What it certainly is: the sum of what is known, zero if nothing is. For comparisons, never for a report."""
        return self.at_least if self.at_least is not None else Decimal(0)


def total(parts: Iterable[tuple[str, Decimal | None]]) -> Total:
    """Return the sum of named parts; unknown parts (None) make the total unknown and keep its lower bound.

    Σ parts, in the unit of the parts. Valid for parts that are not negative. Source: arithmetic.
    """
    named = list(parts)
    known = [value for _, value in named if value is not None]
    if any(value < 0 for value in known):
        raise_for(problem for name, value in named if value is not None and (problem := _PART.problem(name, value)))
    summed = sum(known, Decimal(0))
    if len(known) == len(named):
        return Total(summed, summed)
    unknown = {name for name, value in named if value is None}
    return Total(None, summed if known else None, tuple(sorted(unknown)))


def line_total(per_device: Decimal | None, quantity: int) -> Decimal | None:
    """Return what `quantity` like devices come to: per_device · quantity, unknown if one is.

    Valid for any count. Source: arithmetic.
    """
    return None if per_device is None else per_device * quantity


def unless_unknown(function: Callable[..., T], *given: Decimal | None) -> T | None:
    """Return what `function` makes of the values, None (unknown) where one of them is."""
    known = [each for each in given if each is not None]
    return function(*known) if len(known) == len(given) else None


def fraction(part: Decimal, whole: Decimal) -> Decimal:
    """Return part / whole, of one unit. Valid for a whole above zero; more than one where part exceeds it.

    Source: definition of a ratio: heat share, power factor (kW/kVA), utilisation, measured against rated.
    """
    require(whole=(whole, _WHOLE))
    return part / whole


def share(whole: Decimal, of_it: Decimal) -> Decimal:
    """Return whole · of_it, in the unit of `whole`. Valid for a fraction `of_it` in [0, 1]. Source: arithmetic."""
    require(of_it=(of_it, _FRACTION))
    return whole * of_it


def remainder(whole: Decimal, part: Decimal) -> Decimal:
    """Return whole − part, of one unit: what is left, or by how much it is exceeded if negative.

    Valid for any two numbers. Source: arithmetic.
    """
    return whole - part


def per_unit(whole: Decimal, count: int) -> Decimal:
    """Return whole / count: the average of one of `count` like parts. Valid for a count above zero.

    Source: definition of an average.
    """
    require(count=(Decimal(count), _WHOLE))
    return whole / count

"""Counts, one or one at each point of a sweep: what a formula that is for both asks of them beside sums and products.

What differs from point to point is computed without asking which it is, since the points part over each answer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from simulator.engine.numbers import Many


class ManyCounts(Many):
    """Counts at many points; `columns.Exact` has them."""

    __slots__ = ()

    def smaller(self, other: Any) -> Any:
        """Return the smaller of this and another number, at each point."""
        raise NotImplementedError

    def next_up(self, rising: Sequence[int]) -> Any:
        """Return the first of some rising counts that is not below this one, at each point."""
        raise NotImplementedError


def least(one: Any, other: Any) -> Any:
    """Return the smaller of two numbers."""
    if isinstance(one, ManyCounts):
        return one.smaller(other)
    return other.smaller(one) if isinstance(other, ManyCounts) else min(one, other)


def how_often(part: Any, whole: Any) -> Any:
    """Return how many whole times `part` goes into `whole`. Valid for a part above zero."""
    times = whole // part
    return int(times) if isinstance(times, Decimal) else times


@cache
def divisors(count: int) -> Sequence[int]:
    """Return what divides a count above zero, in rising order."""
    return [each for each in range(1, count + 1) if count % each == 0]


def next_up(rising: Sequence[int], at_least: Any) -> Any:
    """Return the first of some rising counts that is not below `at_least`, which is the last of them at most."""
    if isinstance(at_least, ManyCounts):
        return at_least.next_up(rising)
    return rising[bisect_left(rising, at_least)]

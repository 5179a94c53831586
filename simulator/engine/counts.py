"""Counts, one or one at each point of a sweep: what a formula that is for both asks of them beside sums and products.

What differs from point to point is computed without asking which it is, since the points part over each answer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

from simulator.engine.numbers import Many


class ManyCounts(Many):
    """Counts at many points: `columns` has them, with a method for each function here, and one more.

    `packed(rows)` returns rows of counts without those that begin with 0 at a point, as one row of tables: a table has
    a row for each of them, so that a formula computes them all at once.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class ManyWords(Many):
    """Words at many points, "" where there is none; `columns` has them too."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def least(one: Any, other: Any) -> Any:
    """Return the smaller of two numbers."""
    if isinstance(one, ManyCounts):
        return one.smaller(other)
    if isinstance(other, ManyCounts):
        return other.smaller(one)
    return one if one < other else other


def how_often(part: Decimal, whole: Decimal) -> Any:
    """Return how many whole times `part` goes into `whole`. Valid for a part above zero."""
    # Not `//`, which decimals refuse where it has more digits than they are computed with.
    return whole // part if isinstance(whole, ManyCounts) or isinstance(part, ManyCounts) else int(whole / part)


def spread(count: Any, each: Any) -> tuple[Any, Any]:
    """Return how often `each` is in a count, and the rest. Where it is 0 at a point, the count must be too."""
    found: tuple[Any, Any] = count.spread(each) if isinstance(count, ManyCounts) else divmod(count, each)
    return found


@cache
def divisors(count: int) -> Sequence[int]:
    """Return what divides a count above zero, in rising order."""
    return [each for each in range(1, count + 1) if count % each == 0]


def next_up(rising: Sequence[int], at_least: Any) -> Any:
    """Return the first of some rising counts that is not below `at_least`, which is the last of them at most."""
    if isinstance(at_least, ManyCounts):
        return at_least.next_up(rising)
    return rising[bisect_left(rising, at_least)]


def is_never(count: Any) -> bool:
    """Return whether a count is 0, at every point."""
    return count.is_never() if isinstance(count, ManyCounts) else not count


def first(count: Any) -> Any:
    """Return a count as it is at the first point, for a text that speaks of one."""
    return count.first() if isinstance(count, ManyCounts) else count


def fitted(wanted: Any, room: Any) -> Any:
    """Return how many of `wanted` go into a room, or into each room of a table, the first ones first."""
    return room.fitted(wanted) if isinstance(room, ManyCounts) else least(wanted, room)


def over_rows(count: Any) -> Any:
    """Return a count, or the sum over the rows of a table."""
    return count.over_rows() if isinstance(count, ManyCounts) else count


def named(count: Any, word: Any) -> Any:
    """Return a word where a count is above 0, else none, which is ""."""
    if isinstance(count, ManyCounts):
        return count.named(word)
    return word if count > 0 else ""


def either(word: Any, other: Any) -> Any:
    """Return a word, and another where it is none."""
    return word.or_else(other) if isinstance(word, ManyWords) else word or other


def the_one(word: Any) -> Any:
    """Return a word; that of all points, which part where they differ."""
    return word.the_one() if isinstance(word, ManyWords) else word

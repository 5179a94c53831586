"""How fast a campus is built and filled."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, ceiling, exact, require
from simulator.engine.trace import Quantity

COUNT = Range("", low=0, high=1_000_000_000)
DAYS = Range("days", above=0, high=100_000)
PACE = Range("a day", above=0, high=10_000_000)

BUILD_DAYS = Quantity("build_days", "days", "⌈gpus / gpus_per_day⌉", "Definition of a pace")


def per_day(count: Decimal, days: Decimal) -> Decimal:
    """Return the mean pace: count / days. Valid for days above zero. Source: definition of a mean."""
    require(count=(count, COUNT), days=(days, DAYS))
    return count / days


def days_at_pace(count: Decimal, pace: Decimal) -> Decimal:
    """Return the whole days that it takes at a pace: ⌈count / pace⌉.

    Valid for a pace above zero. Source: definition.
    """
    require(count=(count, COUNT), pace=(pace, PACE))
    return exact(ceiling(count / pace))  # type: ignore[no-any-return]

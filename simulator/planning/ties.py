"""Which of equally good layouts is taken: what is looked for second, once the best is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from simulator.planning.candidates import Choice
from simulator.planning.demands import Weights
from simulator.planning.inputs import MONEY, PlanInput
from simulator.planning.search import OBJECTIVES, Counts

SHARE = 0.25
"""Of the time limit, at the most: what is asked for is found first, and few wait long for what comes second."""


@dataclass(frozen=True, slots=True)
class Second:
    """A plan in which the best is a limit, and what is least then; `unproven` is said where that is not proven."""

    given: PlanInput
    weights: Weights
    unproven: str


def second_of(given: PlanInput, choice: Choice, counts: Counts) -> Second | None:
    """Return what is looked for among layouts as good as this one, None where nothing tells them apart.

    Of the same cost, the fewest racks; of as many racks, the lowest cost where every device that may be used has a
    price, else the least power where each says its own.
    """
    said = "It is not proven that no other layout of"
    fixed = as_good_as(given, OBJECTIVES[given.objective], counts)
    if fixed is None:
        return None
    if given.objective == "lowest_cost":
        return Second(fixed, Weights(rack=1.0), f"{said} this cost has fewer racks.")
    if all(part.has_price for part in choice.parts):
        weights = Weights(price=1.0)
        free = not any(weights.of(filling) for filling, _ in counts)
        return None if free else Second(fixed, weights, f"{said} as many racks costs less.")
    if all(part.has_power for part in choice.parts):
        return Second(fixed, Weights(power_kw=1.0), f"{said} as many racks draws less.")
    return None


def as_good_as(given: PlanInput, weights: Weights, counts: Counts) -> PlanInput | None:
    """Return a plan of which each layout is as good as this one, None where that is none of its limits."""
    if weights.price:
        cost = sum((filling.price * count for filling, count in counts), Decimal(0))
        return replace(given, budget=cost) if cost <= (MONEY.high or 0) else None
    return replace(given, racks_max=sum(count for _, count in counts)) if weights.rack else None


def within(left_s: Callable[[], float], given: PlanInput) -> Callable[[], float]:
    """Return how many seconds are left of those for what comes second."""
    until = max(left_s() - float(given.time_limit_s) * SHARE, 0.0)
    return lambda: left_s() - until

"""Fillings: what can stand in one rack together. The planner counts how often each is used, and never single racks,
so like racks are not told apart and a thousand accelerators are no harder than a hundred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulator.planning.candidates import Choice, Part
from simulator.planning.solver import Column, Row, minimise

# A filling that misses a limit by less than this part of it is left to the exact check.
ROUNDING = 1e-7


@dataclass(frozen=True, slots=True)
class Filling:
    """How many of which device stand in one rack, by slug in order, and what they add up to."""

    counts: tuple[tuple[str, int], ...]
    accelerators: int
    power_kw: Decimal
    price: Decimal
    is_whole_rack: bool


def filling_of(choice: Choice, counts: Mapping[str, int]) -> Filling:
    """Return the filling with these counts. A whole rack brings its own frame and none of the devices of every rack."""
    parts = {part.slug: part for part in choice.parts}
    whole = any(parts[slug].is_whole_rack for slug in counts)
    power, price = (Decimal(0), Decimal(0)) if whole else (choice.base.power_kw, choice.base.price)
    return Filling(
        counts=tuple(sorted(counts.items())),
        accelerators=sum(parts[slug].accelerators * n for slug, n in counts.items()),
        power_kw=power + sum((parts[slug].power_kw * n for slug, n in counts.items()), Decimal(0)),
        price=price + sum((parts[slug].price * n for slug, n in counts.items()), Decimal(0)),
        is_whole_rack=whole,
    )


def is_priced(choice: Choice, filling: Filling) -> bool:
    """Return whether every device of a filling has a price."""
    parts = {part.slug: part for part in choice.parts}
    return all(parts[slug].has_price for slug, _ in filling.counts)


def fits(choice: Choice, counts: Mapping[str, int]) -> bool:
    """Return whether every limit of a rack holds, exactly. (One whole rack alone was found to fit before.)"""
    parts = {part.slug: part for part in choice.parts}
    if any(parts[slug].is_whole_rack for slug in counts):
        return sum(counts.values()) == 1
    return all(
        sum((parts[slug].takes[limit.name] * n for slug, n in counts.items()), Decimal(0)) <= limit.capacity
        for limit in choice.limits
    )


def most_of_one(choice: Choice, part: Part) -> int:
    """Return how many of a device one rack holds."""
    if part.is_whole_rack:
        return 1
    takes = [(limit.capacity, part.takes[limit.name]) for limit in choice.limits if part.takes[limit.name] > 0]
    most = min((int(capacity // each) for capacity, each in takes), default=1)
    return min(most, part.available) if part.available is not None else most


def first_fillings(choice: Choice) -> list[Filling]:
    """Return, for each device, a rack full of it and a rack with one."""
    found = []
    for part in choice.parts:
        for count in sorted({1, most_of_one(choice, part)}):
            found.append(filling_of(choice, {part.slug: count}))
    return found


def best_filling(
    choice: Choice, worth: Mapping[str, float], *, most: Mapping[str, int] | None = None, time_limit_s: float
) -> Filling | None:
    """Return the mixed filling of the greatest worth, None where nothing is worth anything: a small integer program.

    With `most` it holds no more than that of each device, and none of others.
    """
    tops = _tops(choice, most)
    parts = [part for part in choice.parts if part.slug in tops and worth.get(part.slug, 0.0) > 0]
    if not parts:
        return None
    rows = [Row(high=1.0) for _ in choice.limits]
    columns = [
        Column(
            cost=-worth[part.slug],
            coefficients={
                index: float(part.takes[limit.name] / limit.capacity)
                for index, limit in enumerate(choice.limits)
                if part.takes[limit.name]
            },
            high=tops[part.slug],
        )
        for part in parts
    ]
    solution = minimise(rows, columns, is_integer=True, time_limit_s=time_limit_s)
    if solution.values is None:
        return None
    counts = {part.slug: round(value) for part, value in zip(parts, solution.values, strict=True) if round(value)}
    return filling_of(choice, counts) if counts and fits(choice, counts) else None


def _tops(choice: Choice, most: Mapping[str, int] | None) -> dict[str, int]:
    """Return how many of each device a rack holds with others, where that is any."""
    mixed = [part for part in choice.parts if not part.is_whole_rack]
    tops = {part.slug: most_of_one(choice, part) for part in mixed}
    return tops if most is None else {slug: min(top, most[slug]) for slug, top in tops.items() if most.get(slug)}


def fillings_worth(
    choice: Choice,
    worth: Mapping[str, float],
    at_least: float,
    *,
    most: Mapping[str, int],
    fillings_max: int,
    steps_max: int,
) -> Iterator[Filling | None]:
    """Yield every mixed filling within `most` whose worth is at least `at_least`; a None at the end: they are not all.

    Depth first over the devices, the worthiest first; a branch is left when even the best use of what is free could
    not reach `at_least`.
    """
    most_of = _tops(choice, most)
    parts = sorted(
        (part for part in choice.parts if part.slug in most_of), key=lambda part: (-worth[part.slug], part.slug)
    )
    uses = [
        [float(part.takes[limit.name] / limit.capacity) if limit.capacity else 0.0 for limit in choice.limits]
        for part in parts
    ]
    values = [worth[part.slug] for part in parts]
    best_rates = _best_rates(values, uses)
    tops = [most_of[part.slug] for part in parts]
    steps = found = 0
    stack: list[tuple[int, list[float], float, tuple[int, ...]]] = [(0, [1.0] * len(choice.limits), 0.0, ())]
    while stack:
        index, free, value, counts = stack.pop()
        steps += 1
        if steps > steps_max or found >= fillings_max:
            yield None
            return
        if index == len(parts):
            chosen = {part.slug: n for part, n in zip(parts, counts, strict=True) if n}
            if chosen and value >= at_least and fits(choice, chosen):
                found += 1
                yield filling_of(choice, chosen)
            continue
        if value + _reach(free, best_rates[index]) < at_least:
            continue
        top = tops[index]
        for room, each in zip(free, uses[index], strict=True):
            if each > 0:
                top = min(top, int((room + ROUNDING) / each))
        for count in range(top + 1):
            left = [room - count * each for room, each in zip(free, uses[index], strict=True)]
            stack.append((index + 1, left, value + count * values[index], (*counts, count)))


def _best_rates(values: Sequence[float], uses: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return, for each place in the order, the most worth that the devices from there on give for each limit."""
    limits = len(uses[0]) if uses else 0
    rates = [[0.0] * limits for _ in range(len(values) + 1)]
    for index in range(len(values) - 1, -1, -1):
        for limit in range(limits):
            use = uses[index][limit]
            rate = 0.0 if values[index] <= 0 else values[index] / use if use > 0 else float("inf")
            rates[index][limit] = max(rate, rates[index + 1][limit])
    return rates


def _reach(free: Sequence[float], rates: Sequence[float]) -> float:
    return min((max(room, 0.0) * rate if rate else 0.0 for room, rate in zip(free, rates, strict=True)), default=0.0)

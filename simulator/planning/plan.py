"""From what is wanted to a layout that the simulator has seen."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from simulator.engine.numbers import precise, rounded
from simulator.planning.candidates import Choice, choices
from simulator.planning.demands import Weights
from simulator.planning.fillings import Filling, filling_of, is_priced
from simulator.planning.inputs import PlanInput
from simulator.planning.racks import planned_rack
from simulator.planning.report import PlannedRow, PlanReport, Shortfall
from simulator.planning.row_search import Pattern, RowSearch
from simulator.planning.rows import Counts, fewest_rows, rows_of
from simulator.planning.search import Found, Search, Tell
from simulator.planning.shortfalls import shortfalls_of
from simulator.planning.ties import as_good_as, second_of, within
from simulator.planning.used import site_uses

DIGITS = 9
SHORTFALLS_LEAST_S = 2.0
"""What there is to say why there is no layout, also where finding that out took all the time."""


def plan(
    given: PlanInput,
    *,
    clock: Callable[[], float] = time.monotonic,
    tell: Tell = lambda value, bound: None,
) -> PlanReport:
    """Return the layout with the fewest racks, or the lowest cost, and how far from the best it can be at most.

    Every rack of it has been run by the simulator. `clock` counts seconds; only the time limit looks at it, every few
    hundredths of one. `tell` hears of each better layout and bound. What the two raise ends the search.
    """
    begun = clock()

    def left_s() -> float:
        return float(given.time_limit_s) - (clock() - begun)

    with precise():
        choice = choices(given)
        search = Search(given, choice, left_s, tell=tell)
        found = search.run()
        if found.counts is None:
            return _without_layout(search, found, clock)
        layout = _in_rows(search, found)
        if layout.rows is None:
            return _without_rows(search, layout, clock)
        counts, rows, said = _of_equals(search, layout)
        return _report(given, choice, _judged(search, layout.found, counts), counts, rows, said)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Racks, and how many of each kind stand in each row: None where they were not got into the rows."""

    found: Found
    counts: Pattern
    rows: list[list[int]] | None


def _in_rows(search: Search, found: Found) -> _Layout:
    """Return the racks of a layout in rows, or other racks where those do not go in."""
    given, choice, left_s = search.given, search.choice, search.left_s
    counts = trimmed(given, choice, found.counts or ())
    rows = rows_of(counts, given.rows, time_limit_s=max(left_s(), 1.0))
    if rows is not None or given.rows.count is None or given.rows.power_max_kw is None:
        return _Layout(_judged(search, found, counts), counts, rows)
    lighter = _lighter(search, counts)
    rows = None if lighter is None else rows_of(lighter, given.rows, time_limit_s=max(left_s(), 1.0))
    if lighter is not None and rows is not None:
        return _Layout(_judged(search, found, lighter), lighter, rows)
    filled = RowSearch(given, choice, left_s, pool=search.pool).run(search.weights)
    if filled.found.counts is None:
        return _Layout(filled.found, counts, None)
    counts = trimmed(given, choice, filled.found.counts)
    rows = rows_of(counts, given.rows, time_limit_s=max(left_s(), 1.0))
    if rows is None:
        counts, rows = filled.placed()
    best = replace(filled.found, bound=max(found.bound, filled.found.bound), is_proven=False)
    return _Layout(_judged(search, best, counts), counts, rows)


def _judged(search: Search, found: Found, counts: Pattern) -> Found:
    """Return what was proven of a layout as it now is: trimmed, it may meet the bound that it did not before."""
    is_met = search.meets(float(search.weights.exactly(counts)), found.bound)
    return replace(found, is_proven=found.is_proven or is_met)


def _lighter(search: Search, counts: Pattern) -> Pattern | None:
    """Return the layout of the least power among those as good as one: it goes into rows sooner. None: not found."""
    fixed = as_good_as(search.given, search.weights, counts)
    if fixed is None:
        return None
    left_s = within(search.left_s, search.given)
    other = Search(fixed, search.choice, left_s, weights=Weights(power_kw=1.0), pool=search.pool)
    other.best = counts
    found = other.run().counts
    return None if found is None else trimmed(search.given, search.choice, found)


def _of_equals(search: Search, layout: _Layout) -> tuple[Pattern, list[list[int]], tuple[str, ...]]:
    """Return the best of the layouts that are as good as one, with its rows, and what is to be said of it."""
    assert layout.rows is not None
    second = second_of(search.given, search.choice, layout.counts)
    if second is None:
        return layout.counts, layout.rows, ()
    left_s = within(search.left_s, search.given)
    other = Search(second.given, search.choice, left_s, weights=second.weights, pool=search.pool)
    other.best = layout.counts
    found = other.run()
    if found.counts is None or found.counts == layout.counts:
        return layout.counts, layout.rows, () if found.is_proven and found.counts else (second.unproven,)
    better = _in_rows(other, found)
    said = () if better.found.is_proven else (second.unproven,)
    if better.rows is None or second.weights.exactly(better.counts) > second.weights.exactly(layout.counts):
        return layout.counts, layout.rows, (second.unproven,)
    return better.counts, better.rows, said


def trimmed(given: PlanInput, choice: Choice, counts: Counts) -> tuple[tuple[Filling, int], ...]:
    """Return the layout without devices that are not needed: whole numbers of racks overshoot, and the last need not.

    The devices with the most accelerators go first. Racks that end up empty are left out.
    """
    surplus = sum(filling.accelerators * count for filling, count in counts) - given.accelerators
    parts = {part.slug: part for part in choice.parts}
    racks: Counter[tuple[tuple[str, int], ...]] = Counter()
    for each, count in counts:
        racks[each.counts] += count
    while True:
        fitting = sorted(
            (-parts[slug].accelerators, -parts[slug].power_kw, slug, filling)
            for filling in racks
            for slug, _ in filling
            if parts[slug].accelerators <= surplus
        )
        if not fitting:
            break
        _, _, slug, filling = fitting[0]
        left = tuple((name, n - (name == slug)) for name, n in filling if n - (name == slug))
        racks[filling] -= 1
        racks += Counter({left: 1}) if left else Counter()
        racks = +racks
        surplus -= parts[slug].accelerators
    made = [(filling_of(choice, dict(filling)), count) for filling, count in racks.items()]
    return tuple(sorted(made, key=lambda each: (-each[1], each[0].counts)))


def _report(
    given: PlanInput,
    choice: Choice,
    found: Found,
    counts: Counts,
    rows: list[list[int]],
    said: tuple[str, ...] = (),
) -> PlanReport:
    racks = tuple(planned_rack(given, choice, filling, count) for filling, count in counts)
    racks_count = sum(count for _, count in counts)
    cost = None
    if all(is_priced(choice, filling) for filling, _ in counts):
        cost = sum((filling.price * count for filling, count in counts), Decimal(0))
    value = cost if given.objective == "lowest_cost" else Decimal(racks_count)
    assert value is not None
    # A layout that was trimmed may be better than the one that the bound was met by: the bound holds for both.
    bound = min(rounded(Decimal(repr(found.bound)), DIGITS), value)
    has_rows = given.rows != type(given.rows)()
    silent = [rack.report.power.density_kw is None for rack in racks]
    power_kw, at_least_kw = _power(counts, [count for _, count in counts], silent)
    return PlanReport(
        status="optimal" if found.is_proven else "feasible",
        objective=given.objective,
        objective_value=value,
        bound=value if found.is_proven else bound,
        gap_fraction=Decimal(0) if found.is_proven else rounded((value - bound) / value, 6) if value else Decimal(0),
        accelerators=sum(filling.accelerators * count for filling, count in counts),
        racks_count=racks_count,
        rows_count=len(rows) if has_rows else None,
        power_kw=power_kw,
        power_at_least_kw=at_least_kw,
        cost=cost,
        basis=given.basis,
        racks=racks,
        rows=_rows(counts, rows, silent) if has_rows else (),
        limits=site_uses(given, choice, counts),
        most_accelerators=None,
        shortfalls=(),
        unusable=choice.unusable,
        assumptions=(*_assumptions(given, choice), *said),
    )


def _power(counts: Counts, racks: Sequence[int], silent: Sequence[bool]) -> tuple[Decimal | None, Decimal | None]:
    """Return the power of so many racks of each kind, in kW; where a silent one is among them, None and the known part.

    Fillings count what is unknown as nothing, since no limit holds for it.
    """
    known = sum((filling.power_kw * n for (filling, _), n in zip(counts, racks, strict=True)), Decimal(0))
    is_silent = any(n and each for n, each in zip(racks, silent, strict=True))
    return (None, known) if is_silent else (known, None)


def _rows(counts: Counts, rows: list[list[int]], silent: Sequence[bool]) -> tuple[PlannedRow, ...]:
    alike = Counter(tuple(row) for row in rows)
    return tuple(
        PlannedRow(count, row, *_power(counts, row, silent))
        for row, count in sorted(alike.items(), key=lambda each: (-each[1], each[0]))
    )


def _without_layout(search: Search, found: Found, clock: Callable[[], float]) -> PlanReport:
    given, choice = search.given, search.choice
    if not found.is_infeasible:
        return _nothing(given, choice, "not_found")
    most = _most_accelerators(search, clock) if choice.parts else 0
    short, are_all = shortfalls_of(given, search.pool, left_s=max(search.left_s(), SHORTFALLS_LEAST_S), clock=clock)
    said = () if are_all else ("Not every limit was tried; there may be more shortfalls.",)
    return _nothing(given, choice, "infeasible", short, most, said)


def _most_accelerators(search: Search, clock: Callable[[], float]) -> int:
    """Return how many accelerators the limits allow at the most, those of rows included: a number of whole devices."""
    given, choice = search.given, search.choice
    limit = max(search.left_s() * 0.2, 0.5)
    most = search.most_accelerators(time_limit_s=limit)
    if given.rows.count is not None and given.rows.power_max_kw is not None:
        until = clock() + limit
        most = min(most, RowSearch(given, choice, lambda: until - clock(), pool=search.pool).most_accelerators())
    return most - most % math.gcd(*(part.accelerators for part in choice.parts))


def _without_rows(search: Search, layout: _Layout, clock: Callable[[], float]) -> PlanReport:
    """Say that no racks go into the rows, or that none were found which do; that there are none is not proven then."""
    if layout.found.is_infeasible:
        return _without_layout(search, layout.found, clock)
    given, counts = search.given, layout.counts
    rows = given.rows.count
    assert rows is not None
    needed = fewest_rows(counts, given.rows)
    message = (
        f"The {sum(count for _, count in counts)} racks of the best layout do not go into {rows} rows, and no others "
        "were found that do; that there are none is not proven. Allow another row, more power in a row, or less power "
        "in a rack."
    )
    short = (Shortfall("rows.count", Decimal(rows), Decimal(needed) if needed > rows else None, (), message),)
    return _nothing(given, search.choice, "not_found", short)


def _nothing(
    given: PlanInput,
    choice: Choice,
    status: str,
    shortfalls: tuple[Shortfall, ...] = (),
    most_accelerators: int | None = None,
    said: tuple[str, ...] = (),
) -> PlanReport:
    return PlanReport(
        status=status,
        objective=given.objective,
        objective_value=None,
        bound=None,
        gap_fraction=None,
        accelerators=0,
        racks_count=0,
        rows_count=None,
        power_kw=None,
        power_at_least_kw=None,
        cost=None,
        basis=given.basis,
        racks=(),
        rows=(),
        limits=(),
        most_accelerators=most_accelerators,
        shortfalls=shortfalls,
        unusable=choice.unusable,
        assumptions=(*_assumptions(given, choice), *said),
    )


def _assumptions(given: PlanInput, choice: Choice) -> tuple[str, ...]:
    said = []
    usable = {part.slug for part in choice.parts}
    if any(each.device.is_full_depth is False for each in given.devices if each.device.slug in usable):
        said.append("A device that is not full depth takes its units on both faces: two back to back are not planned.")
    if given.each_rack and any(part.is_whole_rack for part in choice.parts):
        said.append(
            "A device that is a whole rack comes with its own switches and power: each_rack is not added to it."
        )
    if any(line.device.accelerators_count for line in given.each_rack):
        said.append("Accelerators of what stands in each rack are not counted as wanted.")
    if given.rack.tare_kg is None and any(limit.name == "weight_kg" for limit in choice.limits):
        said.append("The rack does not say what it weighs itself (rack.tare_kg): that is left out of its weight limit.")
    return tuple(said)

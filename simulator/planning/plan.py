"""From what is wanted to a layout that the simulator has seen."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from simulator.engine.devices import Line
from simulator.engine.inputs import RackInput
from simulator.engine.numbers import plain, precise, rounded
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.planning.candidates import Choice, Limit, choices
from simulator.planning.fillings import Filling, filling_of
from simulator.planning.inputs import PlanInput
from simulator.planning.report import Item, PlannedRack, PlannedRow, PlanReport, Shortfall
from simulator.planning.rows import Counts, fewest_rows, rows_of
from simulator.planning.search import Found, Search, site_limits

DIGITS = 9


class PlanRefuted(RuntimeError):  # noqa: N818 - it reads as what happened
    """The simulator refuses a rack that was planned: a fault of the planner, which must not reach anybody."""


def plan(given: PlanInput, *, clock: Callable[[], float] = time.monotonic) -> PlanReport:
    """Return the layout with the fewest racks, or the lowest cost, and how far from the best it can be at most.

    Every rack of it has been run by the simulator. `clock` counts seconds; only the time limit looks at it.
    """
    begun = clock()

    def left_s() -> float:
        return float(given.time_limit_s) - (clock() - begun)

    with precise():
        choice = _within_rows(given, choices(given))
        found = Search(given, choice, left_s).run()
        if found.counts is None:
            return _without_layout(given, choice, found, left_s)
        counts = trimmed(given, choice, found.counts)
        rows = rows_of(counts, given.rows, time_limit_s=max(left_s(), 1.0))
        if rows is None:
            return _without_rows(given, choice, found, counts)
        return _report(given, choice, found, counts, rows)


def _within_rows(given: PlanInput, choice: Choice) -> Choice:
    """Return the choice with the power of a row as a limit of each rack too: a rack stands in one row."""
    row = given.rows.power_max_kw
    if row is None or (given.rack_power_max_kw is not None and given.rack_power_max_kw <= row):
        return choice
    return choices(replace(given, rack_power_max_kw=row))


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


def _report(given: PlanInput, choice: Choice, found: Found, counts: Counts, rows: list[list[int]]) -> PlanReport:
    racks = tuple(_rack(given, choice, filling, count) for filling, count in counts)
    racks_count = sum(count for _, count in counts)
    cost = sum((filling.price * count for filling, count in counts), Decimal(0)) if given.counts_money else None
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
        most_accelerators=None,
        shortfalls=(),
        unusable=choice.unusable,
        assumptions=_assumptions(given, choice),
    )


def _rack(given: PlanInput, choice: Choice, filling: Filling, count: int) -> PlannedRack:
    devices = {each.device.slug: each.device for each in given.devices}
    lines = [Line(devices[slug], n) for slug, n in filling.counts]
    if not filling.is_whole_rack:
        lines += given.each_rack
    report = rack_report(
        RackInput(
            items=tuple(lines),
            rack=given.rack,
            basis=given.basis,
            inlet_c=given.inlet_c,
            altitude_m=given.altitude_m,
            air_rise_k=given.air_rise_k,
            airflow_available_m3_h=given.rack_airflow_max_m3_h,
        )
    )
    _refute(report, choice.limits, filling)
    items = tuple(Item(line.device.slug, line.quantity) for line in lines)
    price = filling.price if given.counts_money else None
    return PlannedRack(count, items, filling.accelerators, price, report)


def _refute(report: RackReport, limits: tuple[Limit, ...], filling: Filling) -> None:
    """Raise PlanRefuted where the simulator does not agree that this rack is possible."""
    names = {limit.name for limit in limits}
    is_wrong = report.space.fits is False or ("power_kw" in names and report.power.density_kw is None)
    if is_wrong:
        raise PlanRefuted(f"The simulator refuses the rack {filling.counts}.")


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


def _without_layout(given: PlanInput, choice: Choice, found: Found, left_s: Callable[[], float]) -> PlanReport:
    shortfalls = _shortfalls(given, choice, left_s) if found.is_infeasible and choice.parts else ()
    return _nothing(given, choice, "infeasible" if found.is_infeasible else "not_found", found, shortfalls)


def _without_rows(given: PlanInput, choice: Choice, found: Found, counts: Counts) -> PlanReport:
    """Say that the racks do not go into the rows; that others would not is not proven."""
    rows = given.rows.count
    assert rows is not None
    needed = fewest_rows(counts, given.rows)
    message = (
        f"The {sum(count for _, count in counts)} racks of the best layout do not go into {rows} rows. "
        "Allow another row, more power in a row, or less power in a rack."
    )
    short = (Shortfall("rows.count", Decimal(rows), Decimal(needed) if needed > rows else None, message),)
    return _nothing(given, choice, "not_found", found, short)


def _shortfalls(given: PlanInput, choice: Choice, left_s: Callable[[], float]) -> tuple[Shortfall, ...]:
    """Return the limits of which each alone, if it were lifted, would let the accelerators in."""
    names = [*site_limits(given), *(f"available:{part.slug}" for part in choice.parts if part.available is not None)]
    found = []
    for name in names:
        search = Search(given, choice, lambda: max(left_s(), 2.0), without=name)
        if not search.is_enough():
            continue
        if name.startswith("available:"):
            slug = name.partition(":")[2]
            limit = next(Decimal(part.available or 0) for part in choice.parts if part.slug == slug)
        else:
            limit = site_limits(given)[name]
        needed = search.least_of(name)
        least = None if needed is None else rounded(Decimal(repr(needed)), DIGITS)
        more = "" if least is None else f" No layout takes less than {_told(least)}."
        message = f"{name} is {_told(limit)}: with more of it there is a layout.{more}"
        found.append(Shortfall(name, limit, least, message))
    return tuple(found)


def _told(value: Decimal) -> str:
    return f"{plain(value):,}"


def _nothing(
    given: PlanInput, choice: Choice, status: str, found: Found, shortfalls: tuple[Shortfall, ...]
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
        most_accelerators=found.most_accelerators,
        shortfalls=shortfalls,
        unusable=choice.unusable,
        assumptions=_assumptions(given, choice),
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
    if given.rows.count is not None:
        said.append("The racks are chosen first and put into rows after; the bound is that of the racks.")
    return tuple(said)

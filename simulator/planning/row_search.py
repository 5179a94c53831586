"""Rows full of racks: how often each way to fill a row is used, where power decides which racks stand together.

Racks that are the best by themselves may not go into the rows: two of 60 kW are too much for a row of 100. So here a
column of the linear program is a whole row, made as it is asked for: totals of one row, which are packed into racks.
What no row can give is a bound that no layout beats, and shows that there is none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from simulator.planning.candidates import Choice
from simulator.planning.demands import Demand, Weights, demands, is_within
from simulator.planning.fillings import Filling, filling_of
from simulator.planning.inputs import PlanInput, RowLimits
from simulator.planning.packing import Packing
from simulator.planning.search import EPSILON, INFEASIBLE, ROUNDS_MAX, SHORTFALL, TIGHTER, Counts, Found
from simulator.planning.solver import Column, Row, Solution, minimise
from simulator.planning.totals import COST_MAX, Totals, TotalsProgram

TRIES_MAX = 50
"""Totals of a row that are tried, each worth as much as the last or less."""
OF_ALL = ("rows.racks_max", "rows.power_max_kw")
ROWS = Weights()
"""The objective that counts rows."""

Pattern = tuple[tuple[Filling, int], ...]
"""Racks of one row."""


@dataclass(frozen=True, slots=True)
class InRows:
    """What was found, and its rows: the racks of each kind, with how many rows are so."""

    found: Found
    rows: tuple[tuple[Pattern, int], ...] = ()

    def placed(self) -> tuple[Pattern, list[list[int]]]:
        """Return the racks, and for each row how many of each kind stand in it."""
        counts = self.found.counts or ()
        place = {filling.counts: index for index, (filling, _) in enumerate(counts)}
        rows = []
        for pattern, times in self.rows:
            row = [0] * len(counts)
            for filling, n in pattern:
                row[place[filling.counts]] += n
            rows += [row] * times
        return counts, rows


class RowSearch:
    """A search over rows. `pool` are fillings that are known; what is learned of rows is kept."""

    def __init__(
        self,
        given: PlanInput,
        choice: Choice,
        left_s: Callable[[], float],
        *,
        without: Collection[str] = (),
        pool: Mapping[tuple[tuple[str, int], ...], Filling],
    ) -> None:
        self.given, self.choice, self.left_s, self.without = given, choice, left_s, without
        self.rows_max = math.inf if given.rows.count is None else float(given.rows.count)
        self.demands = [each for each in demands(given, choice, without=without) if each.name not in OF_ALL]
        limits = given.rows
        racks = None if "rows.racks_max" in without else limits.racks_max
        one = replace(
            given,
            rows=RowLimits(1, racks, limits.power_max_kw),
            racks_max=None,
            site_power_max_kw=None,
            budget=None,
        )
        self.of_row = [each for each in demands(one, choice, without=without) if each.name != "accelerators"]
        self.racks, self.power_kw = racks, limits.power_max_kw
        self.pool = dict(pool)
        self.cuts: list[Mapping[str, float]] = []
        self.forbidden: list[Totals] = []
        self.patterns: dict[tuple[tuple[tuple[tuple[str, int], ...], int], ...], Pattern] = {}
        self._missing: float | None = None

    def keep(self, pattern: Pattern) -> bool:
        """Add a row to those that are chosen from, and return whether it is new."""
        ordered = tuple(sorted(pattern, key=lambda each: each[0].counts))
        key = tuple((filling.counts, n) for filling, n in ordered)
        is_new = bool(pattern) and key not in self.patterns
        if is_new:
            self.patterns[key] = ordered
        return is_new

    def missing(self) -> float:
        """Return the part of the accelerators wanted that no rows hold: 0 where it may be none."""
        if self._missing is None:
            self._missing = max(self._bound(SHORTFALL), 0.0)
        return self._missing

    def run(self, weights: Weights) -> InRows:
        """Return the best layout of rows that was found, and the bound, in the units of the objective."""
        if self.missing() > EPSILON:
            return InRows(INFEASIBLE)
        bound = self._bound(weights)
        if weights.is_count and math.isfinite(bound):
            bound = float(math.ceil(bound - EPSILON * max(1.0, bound / 1000)))
        chosen = self._chosen(weights)
        if chosen is None:
            return InRows(Found(None, bound, is_proven=False))
        merged: Counter[tuple[tuple[str, int], ...]] = Counter()
        for pattern, times in chosen:
            for filling, n in pattern:
                merged[filling.counts] += n * times
        counts = tuple((filling_of(self.choice, dict(each)), n) for each, n in merged.items())
        value = float(weights.exactly(counts))
        return InRows(Found(counts, bound, is_proven=value <= bound + EPSILON * max(abs(bound), EPSILON)), chosen)

    def fewest_rows(self) -> int | None:
        """Return how many rows there must be at the least, None where that was not found out."""
        bound = self._bound(ROWS) if self.missing() <= EPSILON else math.inf
        return math.ceil(bound - EPSILON) if math.isfinite(bound) and bound > 0 else None

    def most_accelerators(self) -> int:
        """Return how many accelerators the rows hold at the most, where that is fewer than are wanted."""
        return math.floor((1 - self.missing()) * self.given.accelerators + EPSILON)

    def _cost(self, pattern: Pattern, weights: Weights) -> float:
        if weights is ROWS:
            return 1.0
        return sum(weights.of(filling) * n for filling, n in pattern)

    def _bound(self, weights: Weights) -> float:
        """Solve the linear program over all rows there are; what it says holds for every layout.

        Rows that are worth more than they cost by `gain`, and of which there are so many, take no more than that off.
        """
        bound, unit = -math.inf, self._unit(weights)
        for _ in range(ROUNDS_MAX):
            if self.left_s() <= 0:
                break
            solution = self._master(self.demands, weights, unit, is_integer=False, time_limit_s=self.left_s())
            if not solution.is_optimal:
                break
            gain, pattern = self._best_row(solution, weights, unit)
            if math.isfinite(self.rows_max):
                bound = max(bound, (solution.objective - self.rows_max * max(gain, 0.0)) * unit)
            if gain <= EPSILON:
                return max(bound, solution.objective * unit)
            if pattern is None or not self.keep(pattern):
                break
        return bound

    def _unit(self, weights: Weights) -> float:
        return max((self._cost(each, weights) for each in self.patterns.values()), default=1.0) or 1.0

    def _master(
        self, demanded: Sequence[Demand], weights: Weights, unit: float, *, is_integer: bool, time_limit_s: float
    ) -> Solution:
        columns = []
        for pattern in self.patterns.values():
            taken = {
                index: value
                for index, demand in enumerate(demanded)
                if (value := sum(demand.of_filling(filling) * n for filling, n in pattern))
            }
            columns.append(Column(min(self._cost(pattern, weights) / unit, COST_MAX), {**taken, len(demanded): 1.0}))
        if weights.short:
            columns.append(Column(weights.short, {0: 1.0}))
        rows = [*(demand.row for demand in demanded), Row(high=self.rows_max)]
        return minimise(rows, columns, is_integer=is_integer, time_limit_s=time_limit_s)

    def _best_row(self, solution: Solution, weights: Weights, unit: float) -> tuple[float, Pattern | None]:
        """Return what no row is worth more than, beyond what it costs, and the best row that was found."""
        *duals, of_rows = solution.duals
        priced = list(zip(duals, self.demands, strict=True))
        base = sum(dual * demand.of_base for dual, demand in priced) - weights.of_base(self.choice.base) / unit
        worth = {}
        for part in self.choice.parts:
            if part.is_whole_rack:
                alone = filling_of(self.choice, {part.slug: 1})
                value = sum(dual * demand.of_filling(alone) for dual, demand in priced) - weights.of(alone) / unit
                worth[part.slug] = value - base
            else:
                value = sum(dual * demand.of_part(part) for dual, demand in priced)
                worth[part.slug] = value - weights.of_part(part) / unit
        asked = Weights(rack=-base, device={slug: -value for slug, value in worth.items()})
        beside = of_rows - (1.0 / unit if weights is ROWS else 0.0)
        most, pattern = self._row_worth(asked)
        return most + beside, pattern

    def _row_worth(self, asked: Weights) -> tuple[float, Pattern | None]:
        """Return what one row is worth at the most, and the row that is."""
        most = math.inf
        for tighter in TIGHTER:
            of_row = [each.tightened(tighter) for each in self.of_row]
            program = TotalsProgram(self.choice, of_row, asked, 1.0, self.given.accelerators)
            for worth in self.cuts:
                program.cut(worth)
            for totals in self.forbidden:
                program.forbid(totals)
            for _ in range(TRIES_MAX):
                if self.left_s() <= 0:
                    return most, None
                solution, found = program.solve(time_limit_s=self.left_s())
                if not tighter and math.isfinite(solution.bound):
                    most = min(most, -solution.bound)
                if found is None:
                    return most, None
                packing = Packing(self.choice, found, self.pool, self.left_s)
                cut = packing.refuted()
                if cut is not None:
                    self.cuts.append(cut)
                    program.cut(cut)
                    continue
                packed = packing.packed()
                if packed is None and packing.is_impossible:
                    self.forbidden.append(found)
                    program.forbid(found)
                    continue
                if packed is None:
                    return most, None
                whole = tuple((filling_of(self.choice, {slug: 1}), n) for slug, n in found.whole_racks)
                pattern = (*packed, *whole)
                if self._is_row(pattern):
                    return most, pattern
                break
        return most, None

    def _is_row(self, pattern: Pattern) -> bool:
        """Return whether racks go into one row, exactly: a solver has a tolerance."""
        drawn = sum((filling.power_kw * n for filling, n in pattern), Decimal(0))
        racks = sum(n for _, n in pattern)
        return (self.power_kw is None or drawn <= self.power_kw) and (self.racks is None or racks <= self.racks)

    def _chosen(self, weights: Weights) -> tuple[tuple[Pattern, int], ...] | None:
        """Choose how often each row that is known is used, in whole rows."""
        unit = self._unit(weights)
        for tighter in TIGHTER:
            demanded = [each.tightened(tighter) for each in self.demands]
            limit = max(self.left_s(), 0.1)
            solution = self._master(demanded, weights, unit, is_integer=True, time_limit_s=limit)
            if solution.values is None:
                return None
            used = zip(self.patterns.values(), solution.values, strict=False)
            chosen = tuple((pattern, round(value)) for pattern, value in used if round(value))
            counts: Counts = tuple((filling, n * times) for pattern, times in chosen for filling, n in pattern)
            if is_within(self.given, self.choice, counts, without=self.without):
                return chosen
        return None

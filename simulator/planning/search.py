"""The search: how often each filling is used.

Column generation gives a bound that no layout can beat. An integer program over totals alone (how many of each device,
how many racks) sharpens it, as one whose cuts are what fillings teach; the totals that it finds are packed into racks,
and what packs is the best there is (logic-based Benders decomposition: Hooker & Ottosson, Mathematical Programming 96,
2003; column generation: Barnhart et al., Operations Research 46, 1998).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulator.planning.candidates import Choice
from simulator.planning.demands import Demand, Weights, demands, is_within
from simulator.planning.fillings import Filling, best_filling, filling_of, first_fillings
from simulator.planning.inputs import PlanInput
from simulator.planning.packing import Packing
from simulator.planning.solver import Column, Solution, minimise
from simulator.planning.totals import COST_MAX, Totals, TotalsProgram

EPSILON = 1e-6
ROUNDS_MAX = 500
TRIES_MAX = 100
"""Totals that are tried, each with a bound that is as good as the last or better."""
TIGHTER = (0.0, 1e-8, 1e-6, 1e-4)
"""How far limits are drawn in where the solver's tolerance let a layout break one."""

Counts = tuple[tuple[Filling, int], ...]
Tell = Callable[[Decimal | None, float | None], None]
"""Called with the value of a layout that is better than all before, or with a bound, in the units of the objective."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best layout, None where none was found, and what was proven: `bound` in the units of the objective."""

    counts: Counts | None
    bound: float
    is_proven: bool
    is_infeasible: bool = False


INFEASIBLE = Found(None, math.inf, is_proven=True, is_infeasible=True)
SHORTFALL = Weights(short=1.0)
OBJECTIVES = {"fewest_racks": Weights(rack=1.0), "lowest_cost": Weights(price=1.0)}


class Search:
    """One search. `left_s` says how many seconds are left; `tell` hears of what is found; `pool` has fillings."""

    def __init__(
        self,
        given: PlanInput,
        choice: Choice,
        left_s: Callable[[], float],
        *,
        weights: Weights | None = None,
        without: Collection[str] = (),
        pool: Mapping[tuple[tuple[str, int], ...], Filling] | None = None,
        tell: Tell = lambda value, bound: None,
    ) -> None:
        self.given, self.choice, self.left_s, self.tell = given, choice, left_s, tell
        self.weights = weights or OBJECTIVES[given.objective]
        self.without = without
        self.demands = demands(given, choice, without=without)
        self.pool = dict(pool or {})
        self.keep(first_fillings(choice))
        self.unit = self._unit()
        self.best: Counts | None = None
        self.bound = 0.0

    def keep(self, fillings: Iterable[Filling]) -> int:
        """Add what is new to the fillings that the programs choose from, and return how many were."""
        before = len(self.pool)
        for filling in fillings:
            self.pool.setdefault(filling.counts, filling)
        return len(self.pool) - before

    def run(self) -> Found:
        """Return the best layout that was found, and the bound."""
        if not self.choice.parts:
            return INFEASIBLE
        short = self._relaxed(SHORTFALL)
        if short is None:
            return Found(None, 0.0, is_proven=False)
        if short.objective > EPSILON:
            return INFEASIBLE
        # Not good, but soon: who watches sees how far it is.
        self._choose(self.left_s() * 0.02)
        relaxed = self._relaxed(self.weights)
        if relaxed is None:
            self._choose(self.left_s())
            return self._found(self.bound)
        bound = self._rounded(relaxed.objective * self.unit)
        self.tell(None, bound)
        self._choose(self.left_s() * 0.1)
        if self._meets(bound):
            return self._found(bound)
        return self._by_totals(relaxed, bound)

    def _by_totals(self, relaxed: Solution, bound: float) -> Found:
        """Try totals, the best first, until some can be packed into as many racks as they count."""
        for tighter in TIGHTER:
            program = self._program(self._tightened(tighter), self.weights, self.unit)
            self._teach(program, relaxed, self.weights)
            for _ in range(TRIES_MAX):
                solution, totals = program.solve(time_limit_s=self.left_s())
                if solution.is_infeasible:
                    if not tighter and self.best is None:
                        return INFEASIBLE
                    break
                if not tighter:
                    bound = max(bound, self._rounded(solution.bound * self.unit))
                    self.tell(None, bound)
                if self._meets(bound) or totals is None or self.left_s() <= 0:
                    break
                if not self._tried(program, totals):
                    break
            if self.best is not None or self.left_s() <= 0:
                break
        if not self._meets(bound):
            self._choose(self.left_s())
        return self._found(bound)

    def _program(self, demanded: Sequence[Demand], weights: Weights, unit: float) -> TotalsProgram:
        return TotalsProgram(self.choice, demanded, weights, unit, self.given.accelerators)

    def _tried(self, program: TotalsProgram, totals: Totals) -> bool:
        """Pack totals into racks, and return whether that ended in a layout or taught the program something."""
        packing = Packing(self.choice, totals, self.pool, self.left_s)
        worth = packing.refuted()
        if worth is not None:
            program.cut(worth)
            return True
        packed = packing.packed()
        if packed is not None:
            whole = tuple((filling_of(self.choice, {slug: 1}), n) for slug, n in totals.whole_racks)
            return self._offer((*packed, *whole))
        if packing.is_impossible:
            program.forbid(totals)
            return True
        return False

    def most_accelerators(self, *, time_limit_s: float) -> int:
        """Return how many accelerators there are at the most, where there are too few: in whole devices and racks."""
        program = self._program(self.demands, SHORTFALL, 1.0)
        short = self._relaxed(SHORTFALL)
        missing = 0.0
        if short is not None:
            missing = short.objective
            self._teach(program, short, SHORTFALL)
        solution, _ = program.solve(time_limit_s=time_limit_s)
        if math.isfinite(solution.bound):
            missing = max(missing, solution.bound)
        most = math.floor((1 - missing) * self.given.accelerators + EPSILON)
        # One is missing at the least, also where parts of devices or racks would do.
        return max(0, min(most, self.given.accelerators - 1))

    def _unit(self) -> float:
        """Return about what the best layout costs, so that numbers of about one are compared: by the best device."""
        rates = [(self.weights.of(each) / each.accelerators, self.weights.of(each)) for each in self.pool.values()]
        least = min((rate for rate, _ in rates if rate > 0), default=0.0) * self.given.accelerators
        return max(least, max((cost for _, cost in rates), default=0.0) / COST_MAX) or 1.0

    def _rounded(self, bound: float) -> float:
        """Return a bound in the units of the objective, in whole ones where it counts."""
        if not self.weights.is_count or not math.isfinite(bound):
            return bound
        return float(math.ceil(bound - EPSILON * max(1.0, bound / 1000)))

    def _value(self) -> Decimal | None:
        return None if self.best is None else self.weights.exactly(self.best)

    def _meets(self, bound: float) -> bool:
        """Return whether the best layout reaches the bound: a rack is a rack, money to a millionth of the sum."""
        value = self._value()
        return value is not None and self.meets(float(value), bound)

    def meets(self, value: float, bound: float) -> bool:
        """Return whether a value is as good as the bound."""
        return value <= bound + EPSILON * max(abs(bound), self.unit * EPSILON)

    def _offer(self, counts: Counts) -> bool:
        """Keep a layout that is better than the best so far; False for one that breaks a limit after all."""
        if not is_within(self.given, self.choice, counts, without=self.without):
            return False
        known = self._value()
        if known is None or self.weights.exactly(counts) < known:
            self.best = counts
            self.tell(self._value(), None)
        return True

    def _relaxed(self, weights: Weights) -> Solution | None:
        """Solve the linear program over all fillings there are, making those that it asks for; None if time ends."""
        for _ in range(ROUNDS_MAX):
            if self.left_s() <= 0:
                return None
            solution = self._minimise(self.demands, weights, is_integer=False, time_limit_s=self.left_s())
            if not solution.is_optimal:
                return None
            worth, base = self._worth(solution, weights)
            best = best_filling(self.choice, worth, time_limit_s=max(self.left_s(), 0.01))
            gain = -1.0 if best is None else base + sum(worth[slug] * n for slug, n in best.counts)
            if weights is self.weights and self.left_s() > 0:
                self._learn_bound(solution.objective, gain)
            if best is None or gain <= EPSILON * max(1.0, abs(base)) or not self.keep([best]):
                return solution
        return None

    def _learn_bound(self, objective: float, gain: float) -> None:
        """Keep what a linear program says before it is over: no rack is worth more than it costs by more than `gain`.

        So prices that are lower in the same proportion hold for all racks (Farley, Operations Research 38, 1990).
        """
        least = self._cost(min((self.weights.of(filling) for filling in self.pool.values()), default=0.0))
        if least > 0:
            bound = self._rounded(objective / (1 + max(gain, 0.0) / least) * self.unit)
            if bound > self.bound:
                self.bound = bound
                self.tell(None, bound)

    def _worth(self, solution: Solution, weights: Weights) -> tuple[dict[str, float], float]:
        """Return what each device is worth in a rack, and what the rack itself is, at the prices (duals) found."""
        priced = list(zip(solution.duals, self.demands, strict=True))
        worth = {
            part.slug: sum(dual * demand.of_part(part) for dual, demand in priced) - self._cost(weights.of_part(part))
            for part in self.choice.parts
        }
        base = sum(dual * demand.of_base for dual, demand in priced)
        return worth, base - self._cost(weights.of_base(self.choice.base))

    def _teach(self, program: TotalsProgram, solution: Solution, weights: Weights) -> None:
        """Give the prices that ended the linear program to the one of totals: what they say of any rack."""
        worth, base = self._worth(solution, weights)
        if base < -EPSILON:
            program.cut({slug: value / -base for slug, value in worth.items() if value > 0})

    def _cost(self, cost: float) -> float:
        return min(cost / self.unit, COST_MAX)

    def _tightened(self, by: float) -> list[Demand]:
        return [demand.tightened(by) for demand in self.demands]

    def _minimise(
        self, demanded: Sequence[Demand], weights: Weights, *, is_integer: bool, time_limit_s: float
    ) -> Solution:
        columns = []
        for filling in self.pool.values():
            coefficients = {index: demand.of_filling(filling) for index, demand in enumerate(demanded)}
            cost = self._cost(weights.of(filling))
            columns.append(Column(cost, {index: value for index, value in coefficients.items() if value}))
        if weights.short:
            columns.append(Column(weights.short, {0: 1.0}))
        rows = [demand.row for demand in demanded]
        return minimise(rows, columns, is_integer=is_integer, time_limit_s=time_limit_s)

    def _choose(self, time_limit_s: float) -> None:
        """Choose how often each filling of the pool is used, in whole racks."""
        for tighter in TIGHTER:
            solution = self._minimise(
                self._tightened(tighter), self.weights, is_integer=True, time_limit_s=time_limit_s
            )
            if solution.values is None:
                return
            used = zip(self.pool.values(), solution.values, strict=True)
            if self._offer(tuple((filling, round(value)) for filling, value in used if round(value))):
                return

    def _found(self, bound: float) -> Found:
        return Found(self.best, bound, is_proven=self._meets(bound))

"""The search: how often each filling is used. Column generation gives a bound that no layout can beat; an integer
program over the fillings found gives a layout; and where the two differ, every filling that could close the gap is
listed and tried, so that what is called optimal is proven (Barnhart et al., Branch-and-price, Operations Research 46,
1998; the listing of columns within the gap after Baldacci et al., Mathematical Programming 115, 2008).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from simulator.planning.candidates import Base, Choice, Part
from simulator.planning.fillings import Filling, best_filling, fillings_worth, first_fillings
from simulator.planning.inputs import PlanInput
from simulator.planning.solver import Column, Row, Solution, minimise

EPSILON = 1e-6
FILLINGS_MAX = 20_000
STEPS_MAX = 400_000
ROUNDS_MAX = 500


@dataclass(frozen=True, slots=True)
class Demand:
    """Something counted over all racks: the accelerators wanted, or a limit of the site. Scaled to about one."""

    name: str
    row: Row
    of_filling: Callable[[Filling], float]
    of_part: Callable[[Part], float]
    of_base: float


@dataclass(frozen=True, slots=True)
class Found:
    """The best layout, None where none was found, and what was proven: `bound` in the units of the objective."""

    counts: tuple[tuple[Filling, int], ...] | None
    bound: float
    is_proven: bool
    is_infeasible: bool = False
    most_accelerators: int | None = None


def demands(given: PlanInput, choice: Choice, *, without: str | None = None) -> list[Demand]:
    """Return the accelerators wanted and the limits of the site, but not the one called `without`."""
    base = choice.base
    wanted = float(given.accelerators)
    found = [
        Demand(
            "accelerators",
            Row(low=1.0),
            lambda filling: filling.accelerators / wanted,
            lambda part: part.accelerators / wanted,
            0.0,
        )
    ]
    for name, limit in site_limits(given).items():
        if name == without:
            continue
        top = float(limit)
        if name == "site_power_max_kw":
            found.append(
                Demand(
                    name,
                    Row(high=1.0),
                    lambda filling, top=top: float(filling.power_kw) / top,  # type: ignore[misc]
                    lambda part, top=top: float(part.power_kw) / top,  # type: ignore[misc]
                    float(base.power_kw) / top,
                )
            )
        elif name == "budget":
            scale = top or 1.0
            found.append(
                Demand(
                    name,
                    Row(high=1.0 if top else 0.0),
                    lambda filling, scale=scale: float(filling.price) / scale,  # type: ignore[misc]
                    lambda part, scale=scale: float(part.price) / scale,  # type: ignore[misc]
                    float(base.price) / scale,
                )
            )
        else:
            found.append(
                Demand(
                    name,
                    Row(high=1.0),
                    lambda filling, top=top: 1.0 / top,  # type: ignore[misc]
                    lambda part: 0.0,
                    1.0 / top,
                )
            )
    for part in choice.parts:
        if part.available is not None and without != f"available:{part.slug}":
            top = float(part.available)
            found.append(
                Demand(
                    f"available:{part.slug}",
                    Row(high=1.0),
                    lambda filling, slug=part.slug, top=top: dict(filling.counts).get(slug, 0) / top,  # type: ignore[misc]
                    lambda other, slug=part.slug, top=top: 1.0 / top if other.slug == slug else 0.0,  # type: ignore[misc]
                    0.0,
                )
            )
    return found


def site_limits(given: PlanInput) -> dict[str, Decimal]:
    """Return what is limited over all racks, by the name of the input; rows count as what they hold together."""
    rows = given.rows
    racks = [Decimal(given.racks_max)] if given.racks_max is not None else []
    power = [given.site_power_max_kw] if given.site_power_max_kw is not None else []
    if rows.count is not None and rows.racks_max is not None:
        racks.append(Decimal(rows.count * rows.racks_max))
    if rows.count is not None and rows.power_max_kw is not None:
        power.append(rows.count * rows.power_max_kw)
    found = {}
    if racks:
        found["racks_max"] = min(racks)
    if power:
        found["site_power_max_kw"] = min(power)
    if given.budget is not None:
        found["budget"] = given.budget
    return found


@dataclass(frozen=True, slots=True)
class Weights:
    """What an objective is made of: so much for a rack, for its price, for its power."""

    rack: float = 0.0
    price: float = 0.0
    power_kw: float = 0.0

    def of(self, filling: Filling) -> float:
        return self.rack + self.price * float(filling.price) + self.power_kw * float(filling.power_kw)

    def of_part(self, part: Part) -> float:
        return self.price * float(part.price) + self.power_kw * float(part.power_kw)

    def of_base(self, base: Base) -> float:
        return self.rack + self.price * float(base.price) + self.power_kw * float(base.power_kw)


SHORTFALL = Weights()
OBJECTIVES = {"fewest_racks": Weights(rack=1.0), "lowest_cost": Weights(price=1.0)}


class Search:
    """One search. `left_s` says how many seconds are left."""

    def __init__(
        self, given: PlanInput, choice: Choice, left_s: Callable[[], float], *, without: str | None = None
    ) -> None:
        self.given, self.choice, self.left_s = given, choice, left_s
        self.weights = OBJECTIVES[given.objective]
        self.demands = demands(given, choice, without=without)
        self.pool: dict[tuple[tuple[str, int], ...], Filling] = {}
        self._keep(first_fillings(choice))

    def _keep(self, fillings: Iterable[Filling]) -> int:
        """Add what is new to the fillings that the programs choose from, and return how many were."""
        before = len(self.pool)
        for filling in fillings:
            self.pool.setdefault(filling.counts, filling)
        return len(self.pool) - before

    def run(self) -> Found:
        """Return the best layout that was found, and the bound."""
        if not self.choice.parts:
            return Found(None, math.inf, is_proven=True, is_infeasible=True, most_accelerators=0)
        short = self._relaxed(SHORTFALL)
        if short is None:
            return Found(None, 0.0, is_proven=False)
        if short.objective > EPSILON:
            most = math.floor((1 - short.objective) * self.given.accelerators + EPSILON)
            return Found(None, math.inf, is_proven=True, is_infeasible=True, most_accelerators=most)
        relaxed = self._relaxed(self.weights)
        if relaxed is None:
            return self._found(self._choose(), 0.0, is_proven=False)
        bound = self._rounded(relaxed.objective)
        best = self._choose()
        if best.values is not None and self._meets(best.objective, bound):
            return self._found(best, bound, is_proven=True)
        return self._exhaust(best, relaxed, bound)

    def is_enough(self) -> bool:
        """Return whether the limits that this search has let the accelerators in, counting parts of racks."""
        short = self._relaxed(SHORTFALL)
        return short is not None and short.objective <= EPSILON

    def least_of(self, name: str) -> float | None:
        """Return what no layout takes less of, in the unit of the limit `name`, which this search is without.

        None for what is not told: the number of one device, which others may replace.
        """
        weights = {
            "racks_max": Weights(rack=1.0),
            "budget": Weights(price=1.0),
            "site_power_max_kw": Weights(power_kw=1.0),
        }.get(name)
        relaxed = None if weights is None else self._relaxed(weights)
        if relaxed is None:
            return None
        return float(math.ceil(relaxed.objective - EPSILON)) if name == "racks_max" else relaxed.objective

    def _rounded(self, bound: float) -> float:
        return float(math.ceil(bound - EPSILON)) if self.given.objective == "fewest_racks" else bound

    def _meets(self, objective: float, bound: float) -> bool:
        """Return whether a layout reaches the bound: a rack is a rack, money to a millionth of the sum."""
        return objective <= bound + EPSILON * max(1.0, abs(bound))

    def _relaxed(self, weights: Weights) -> Solution | None:
        """Solve the linear program over all fillings there are, making those that it asks for; None if time ends."""
        for _ in range(ROUNDS_MAX):
            if self.left_s() <= 0:
                return None
            columns = [self._column(filling, weights.of(filling)) for filling in self.pool.values()]
            if weights is SHORTFALL:
                columns.append(Column(1.0, {0: 1.0}))
            solution = self._minimise(columns, is_integer=False)
            if not solution.is_optimal:
                return None
            worth, base = self._worth(solution, weights)
            best = best_filling(self.choice, worth, time_limit_s=max(self.left_s(), 0.01))
            gain = -1.0 if best is None else base + sum(worth[slug] * n for slug, n in best.counts)
            if best is None or gain <= EPSILON * max(1.0, abs(base)) or not self._keep([best]):
                return solution
        return None

    def _worth(self, solution: Solution, weights: Weights) -> tuple[dict[str, float], float]:
        """Return what each device is worth in a rack, and what the rack itself is, at the prices (duals) found."""
        priced = list(zip(solution.duals, self.demands, strict=True))
        worth = {
            part.slug: sum(dual * demand.of_part(part) for dual, demand in priced) - weights.of_part(part)
            for part in self.choice.parts
        }
        base = sum(dual * demand.of_base for dual, demand in priced)
        return worth, base - weights.of_base(self.choice.base)

    def _column(self, filling: Filling, cost: float) -> Column:
        coefficients = {index: demand.of_filling(filling) for index, demand in enumerate(self.demands)}
        return Column(cost, {index: value for index, value in coefficients.items() if value})

    def _minimise(self, columns: Sequence[Column], *, is_integer: bool) -> Solution:
        # Costs of about one: sums of money would drown the tolerances.
        by = max((column.cost for column in columns), default=1.0) or 1.0
        solution = minimise(
            [demand.row for demand in self.demands],
            [replace(column, cost=column.cost / by) for column in columns],
            is_integer=is_integer,
            time_limit_s=self.left_s() * (0.6 if is_integer else 1.0),
        )
        return replace(
            solution,
            objective=solution.objective * by,
            bound=solution.bound * by,
            duals=tuple(dual * by for dual in solution.duals),
        )

    def _choose(self) -> Solution:
        """Return how often each filling of the pool is used, in whole racks."""
        columns = [self._column(filling, self.weights.of(filling)) for filling in self.pool.values()]
        return self._minimise(columns, is_integer=True)

    def _exhaust(self, best: Solution, relaxed: Solution, bound: float) -> Found:
        """List every filling that could be part of a better layout, and choose again among all."""
        are_all = self._list_within(relaxed, best.objective)
        again = self._choose()
        if again.values is None and best.values is None:
            is_infeasible = are_all and again.is_infeasible
            return Found(None, bound, is_proven=is_infeasible, is_infeasible=is_infeasible)
        if are_all and again.is_optimal:
            # A better layout would use only fillings that are listed now: what the program proved holds for all.
            bound = max(bound, self._rounded(again.objective))
        if again.values is None or best.objective < again.objective:
            again = best
        return self._found(again, bound, is_proven=self._meets(again.objective, bound))

    def _list_within(self, relaxed: Solution, known: float) -> bool:
        """Keep the fillings that a layout better than `known` may use, and return whether these are all.

        In such a layout no filling has a reduced cost above the gap between `known` and the linear program.
        """
        worth, base = self._worth(relaxed, self.weights)
        step = 1.0 - EPSILON if self.given.objective == "fewest_racks" else 0.0
        slack = EPSILON * max(1.0, abs(relaxed.objective))
        at_least = -(known - relaxed.objective - step) - base - slack
        for filling in fillings_worth(self.choice, worth, at_least, most=FILLINGS_MAX, steps_max=STEPS_MAX):
            if filling is None or self.left_s() <= 0:
                return False
            self._keep([filling])
        return True

    def _found(self, solution: Solution, bound: float, *, is_proven: bool) -> Found:
        if solution.values is None:
            return Found(None, bound, is_proven=False)
        used = zip(self.pool.values(), solution.values, strict=False)
        counts = tuple((filling, round(value)) for filling, value in used if round(value))
        return Found(counts, bound, is_proven=is_proven)

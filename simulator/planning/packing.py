"""Devices into as few racks as they go into: column generation, and a dive into whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from simulator.planning.candidates import Choice
from simulator.planning.fillings import Filling, best_filling, filling_of, fillings_worth
from simulator.planning.solver import Column, Row, Solution, minimise
from simulator.planning.totals import Totals

EPSILON = 1e-6
ROUNDS_MAX = 500
FILLINGS_MAX = 20_000
STEPS_MAX = 400_000

Counts = tuple[tuple[Filling, int], ...]


class Packing:
    """The devices of some totals into the racks of those totals. `pool` has the fillings known, and gets the new."""

    def __init__(
        self,
        choice: Choice,
        totals: Totals,
        pool: dict[tuple[tuple[str, int], ...], Filling],
        left_s: Callable[[], float],
    ) -> None:
        self.choice, self.pool, self.left_s = choice, pool, left_s
        self.need, self.racks = dict(totals.devices), totals.racks
        self.is_impossible = False

    def refuted(self) -> Mapping[str, float] | None:
        """Return prices of devices that show that they need more racks, None where parts of racks would do.

        At any prices no rack is worth more than the best of all: so many racks there are at the least (Farley, A note
        on bounding a class of linear programming problems, Operations Research 38, 1990).
        """
        if self.racks is None or not self.need:
            return None
        for _ in range(ROUNDS_MAX):
            solution = self._relaxed(self.need)
            if not solution.is_optimal or solution.objective <= self.racks + EPSILON:
                return None
            worth = dict(zip(self.need, solution.duals, strict=True))
            best = best_filling(self.choice, worth, time_limit_s=max(self.left_s(), 0.01))
            most = max(1.0, _worth_of(best, worth))
            if solution.objective / most > self.racks + EPSILON:
                return {slug: value / most for slug, value in worth.items()}
            if best is None or not self._is_new(best):
                return None
        return None

    def packed(self) -> Counts | None:
        """Return the fillings that hold the devices, None where they were not got into the racks.

        `is_impossible` says then that there is no way.
        """
        if not self.need:
            return ()
        found = self._dive(is_lazy=True)
        if found is None and self.left_s() > 0:
            found = self._dive(is_lazy=False)
        if found is None and self.left_s() > 0:
            found = self._chosen(self.left_s() * 0.3)
        if found is None and self.left_s() > 0 and self._list_all():
            found = self._chosen(self.left_s() * 0.5, are_all=True)
        return found

    def _is_new(self, filling: Filling) -> bool:
        return self.pool.setdefault(filling.counts, filling) is filling

    def _patterns(self, need: Mapping[str, int]) -> list[tuple[Filling, dict[str, int]]]:
        """Return the fillings with what each holds of the devices needed."""
        found = []
        for filling in self.pool.values():
            holds = {slug: min(n, need[slug]) for slug, n in filling.counts if need.get(slug)}
            if holds and not filling.is_whole_rack:
                found.append((filling, holds))
        return found

    def _minimise(self, need: Mapping[str, int], *, is_integer: bool, time_limit_s: float) -> Solution:
        place = {slug: index for index, slug in enumerate(need)}
        columns = [
            Column(1.0, {place[slug]: float(n) for slug, n in holds.items()}) for _, holds in self._patterns(need)
        ]
        rows = [Row(low=float(count)) for count in need.values()]
        return minimise(rows, columns, is_integer=is_integer, time_limit_s=time_limit_s)

    def _relaxed(self, need: Mapping[str, int]) -> Solution:
        return self._minimise(need, is_integer=False, time_limit_s=max(self.left_s(), 0.01))

    def _converged(self, need: Mapping[str, int], *, enough: float = 0.0) -> Solution | None:
        """Return the linear program over all fillings that hold no more than is needed; None if time ends.

        Once `enough` racks are, it may be one over the fillings known.
        """
        for _ in range(ROUNDS_MAX):
            solution = self._relaxed(need)
            if self.left_s() <= 0 or not solution.is_optimal:
                return None
            if solution.objective <= enough + EPSILON:
                return solution
            worth = dict(zip(need, solution.duals, strict=True))
            best = best_filling(self.choice, worth, most=need, time_limit_s=max(self.left_s(), 0.01))
            if best is None or _worth_of(best, worth) <= 1 + EPSILON or not self._is_new(best):
                return solution
        return None

    def _dive(self, *, is_lazy: bool) -> Counts | None:
        """Fix what the linear program fills whole, else what it fills most, and solve what is left again.

        One that is lazy looks for other fillings only where those that it knows take too many racks.
        """
        need, used = dict(self.need), 0
        found: list[tuple[Filling, int]] = []
        while need:
            enough = self.racks - used if is_lazy and self.racks is not None else 0.0
            solution = self._converged(need, enough=enough)
            if solution is None or solution.values is None:
                return None
            if self.racks is not None and used + solution.objective > self.racks + EPSILON:
                return None
            chosen = [(filling, int(value + EPSILON)) for filling, value in self._valued(need, solution)]
            chosen = [(filling, n) for filling, n in chosen if n] or [(next(self._valued(need, solution))[0], 1)]
            for filling, n in chosen:
                placed = placed_of(self.choice, [(filling, n)], need)
                found += placed
                used += sum(count for _, count in placed)
        return tuple(found)

    def _valued(self, need: Mapping[str, int], solution: Solution) -> Iterator[tuple[Filling, float]]:
        """Yield the fillings with how often each is used, the most used first."""
        assert solution.values is not None
        rows = zip(self._patterns(need), solution.values, strict=True)
        yield from sorted(
            ((filling, value) for (filling, _), value in rows), key=lambda each: (-each[1], each[0].counts)
        )

    def _chosen(self, time_limit_s: float, *, are_all: bool = False) -> Counts | None:
        """Return what an integer program makes of the fillings known, which may be all that matter."""
        solution = self._minimise(self.need, is_integer=True, time_limit_s=time_limit_s)
        if solution.values is None:
            return None
        if self.racks is not None and solution.objective > self.racks + 0.5:
            self.is_impossible = are_all and solution.is_optimal
            return None
        need = dict(self.need)
        used = [(filling, round(value)) for filling, value in self._valued(self.need, solution) if round(value)]
        return tuple(placed_of(self.choice, used, need))

    def _list_all(self) -> bool:
        """Add every filling that a packing into these racks may use, and return whether these are all.

        What all fillings together are worth is what is needed, so none misses more of one rack's worth than all do.
        """
        solution = self._converged(self.need)
        if solution is None or self.racks is None:
            return False
        missing = self.racks - solution.objective
        if missing < -EPSILON:
            self.is_impossible = True
            return False
        worth = dict(zip(self.need, solution.duals, strict=True))
        found = fillings_worth(
            self.choice, worth, 1 - missing - EPSILON, most=self.need, fillings_max=FILLINGS_MAX, steps_max=STEPS_MAX
        )
        for filling in found:
            if filling is None or self.left_s() <= 0:
                return False
            self._is_new(filling)
        return True


def placed_of(choice: Choice, used: Sequence[tuple[Filling, int]], need: dict[str, int]) -> list[tuple[Filling, int]]:
    """Return fillings so often as they were used, without devices beyond the needed ones, and take those off `need`."""
    found = []
    for filling, times in used:
        left = times
        while left:
            holds = {slug: min(n, need[slug]) for slug, n in filling.counts if need.get(slug)}
            if not holds:
                break
            whole = min(left, *(need[slug] // n for slug, n in holds.items()))
            for slug, n in holds.items():
                need[slug] -= n * whole
                if not need[slug]:
                    del need[slug]
            found.append((filling_of(choice, holds), whole))
            left -= whole
    return found


def _worth_of(filling: Filling | None, worth: Mapping[str, float]) -> float:
    return 0.0 if filling is None else sum(worth.get(slug, 0.0) * n for slug, n in filling.counts)

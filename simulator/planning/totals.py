"""The totals of a layout: how many of each device and how many racks, whatever stands in which.

What a filling can hold is told to the integer program by cuts: prices of devices at which no rack holds more than one
is worth. So its optimum is a bound that no layout can beat, and knows that devices and racks are whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.planning.candidates import Choice, Part
from simulator.planning.demands import Demand, Weights
from simulator.planning.fillings import filling_of
from simulator.planning.solver import Column, Row, Solution, minimise

COST_MAX = 1e9
"""A rack that costs so many times what all should is not told from a dearer one: the bound still holds."""


@dataclass(frozen=True, slots=True)
class Totals:
    """How many of each device stand in racks with others, in how many racks (None: any number), and whole racks."""

    devices: tuple[tuple[str, int], ...]
    racks: int | None
    whole_racks: tuple[tuple[str, int], ...]


class TotalsProgram:
    """The integer program over totals; it learns by `cut` and `forbid`. `unit` is what costs are divided by."""

    def __init__(self, choice: Choice, demanded: Sequence[Demand], weights: Weights, unit: float, wanted: int) -> None:
        self.choice, self.demands, self.weights, self.unit, self.wanted = choice, demanded, weights, unit, wanted
        self.mixed = [part for part in choice.parts if not part.is_whole_rack]
        self.cuts: list[Mapping[str, float]] = []
        self.forbidden: list[Totals] = []
        self.is_rack_free = not self._cost(weights.of_base(choice.base)) and not any(d.of_base for d in demanded)
        for limit in choice.limits:
            if limit.capacity > 0:
                self.cut({part.slug: float(part.takes[limit.name] / limit.capacity) for part in self.mixed})

    def cut(self, worth: Mapping[str, float]) -> None:
        """Learn prices of devices at which no rack holds more than one is worth."""
        self.cuts.append({slug: value for slug, value in worth.items() if value > 0})

    def forbid(self, totals: Totals) -> None:
        """Learn that these devices, and so any more, do not go into so many racks."""
        self.forbidden.append(totals)

    def solve(self, *, time_limit_s: float) -> tuple[Solution, Totals | None]:
        """Return the best totals, None where none were found; `bound` of the solution holds for every layout."""
        parts = self.choice.parts
        rows = [demand.row for demand in self.demands] + [Row(high=0.0) for _ in self.cuts]
        columns = [self._column(part) for part in parts]
        racks = {index: demand.of_base for index, demand in enumerate(self.demands) if demand.of_base}
        racks |= {len(self.demands) + n: -1.0 for n in range(len(self.cuts))}
        columns.append(Column(self._cost(self.weights.of_base(self.choice.base)), racks, float(self.wanted)))
        if self.weights.short:
            columns.append(Column(self.weights.short, {0: 1.0}, is_integer=False))
        self._add_forbidden(rows, columns)
        solution = minimise(rows, columns, is_integer=True, time_limit_s=time_limit_s)
        if solution.values is None:
            return solution, None
        counts = [(part, round(value)) for part, value in zip(parts, solution.values, strict=False) if round(value)]
        return solution, Totals(
            devices=tuple((part.slug, n) for part, n in counts if not part.is_whole_rack),
            racks=None if self.is_rack_free else round(solution.values[len(parts)]),
            whole_racks=tuple((part.slug, n) for part, n in counts if part.is_whole_rack),
        )

    def _column(self, part: Part) -> Column:
        if part.is_whole_rack:
            alone = filling_of(self.choice, {part.slug: 1})
            coefficients = {index: demand.of_filling(alone) for index, demand in enumerate(self.demands)}
            return Column(self._cost(self.weights.of(alone)), _filled(coefficients), self._most(part))
        coefficients = {index: demand.of_part(part) for index, demand in enumerate(self.demands)}
        coefficients |= {len(self.demands) + n: cut.get(part.slug, 0.0) for n, cut in enumerate(self.cuts)}
        return Column(self._cost(self.weights.of_part(part)), _filled(coefficients), self._most(part))

    def _most(self, part: Part) -> float:
        """Return how many of a device a layout may need: those beyond the accelerators wanted can be left out."""
        return float(math.ceil(self.wanted / part.accelerators))

    def _add_forbidden(self, rows: list[Row], columns: list[Column]) -> None:
        """Ask for one device fewer, or for another rack, where some totals do not go into their racks."""
        index = {part.slug: n for n, part in enumerate(self.choice.parts)}
        racks = len(index)
        for totals in self.forbidden:
            assert totals.racks is not None
            another = len(rows)
            rows.append(Row(low=1.0))
            coefficients = [dict(column.coefficients) for column in columns]
            coefficients[racks][another] = 1 / (totals.racks + 1)
            for slug, count in totals.devices:
                most = columns[index[slug]].high
                coefficients[index[slug]][len(rows)] = 1.0
                # Where it is 1 there are fewer than `count`.
                columns.append(Column(0.0, {another: 1.0, len(rows): most - count + 1}, 1.0))
                rows.append(Row(high=most))
            for n, changed in enumerate(coefficients):
                columns[n] = Column(columns[n].cost, changed, columns[n].high, columns[n].is_integer)

    def _cost(self, cost: float) -> float:
        return min(cost / self.unit, COST_MAX)


def _filled(coefficients: Mapping[int, float]) -> dict[int, float]:
    return {index: value for index, value in coefficients.items() if value}

"""Racks into rows: each row holds so many racks and so much power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from simulator.planning.fillings import Filling
from simulator.planning.inputs import RowLimits
from simulator.planning.solver import Column, Row, minimise

# Rows times kinds of rack: what the integer program is asked for beyond first fit.
PLACES_MAX = 4_000

Counts = Sequence[tuple[Filling, int]]


def rows_of(counts: Counts, limits: RowLimits, *, time_limit_s: float) -> list[list[int]] | None:
    """Return for each row how many racks of each kind stand in it, in the order of `counts`; None if they do not go in.

    First fit, the hungriest racks first; where that takes more rows than there are, an integer program decides.
    """
    rows = _first_fit(counts, limits)
    if limits.count is None or len(rows) <= limits.count:
        return rows
    if limits.count * len(counts) > PLACES_MAX:
        return None
    return _packed(counts, limits, limits.count, time_limit_s)


def fewest_rows(counts: Counts, limits: RowLimits) -> int:
    """Return how many rows these racks need at the least, by their number and by their power."""
    racks = sum(count for _, count in counts)
    drawn = sum((filling.power_kw * count for filling, count in counts), Decimal(0))
    by_count = math.ceil(racks / limits.racks_max) if limits.racks_max else 1
    by_power = math.ceil(drawn / limits.power_max_kw) if limits.power_max_kw else 1
    return max(by_count, by_power, 1)


def _first_fit(counts: Counts, limits: RowLimits) -> list[list[int]]:
    rows: list[list[int]] = []
    racks: list[int] = []
    power: list[Decimal] = []
    order = sorted(range(len(counts)), key=lambda kind: (-counts[kind][0].power_kw, counts[kind][0].counts))
    for kind in order:
        filling, left = counts[kind]
        row = 0
        while left:
            if row == len(rows):
                rows.append([0] * len(counts))
                racks.append(0)
                power.append(Decimal(0))
            room = left if limits.racks_max is None else limits.racks_max - racks[row]
            if limits.power_max_kw is not None and filling.power_kw > 0:
                room = min(room, int((limits.power_max_kw - power[row]) // filling.power_kw))
            placed = max(0, min(left, room))
            rows[row][kind] += placed
            racks[row] += placed
            power[row] += filling.power_kw * placed
            left -= placed
            row += 1
    return rows


def _packed(counts: Counts, limits: RowLimits, rows: int, time_limit_s: float) -> list[list[int]] | None:
    kinds = len(counts)
    program = [Row(low=count, high=count) for _, count in counts]
    program += [Row(high=limits.racks_max or math.inf) for _ in range(rows)]
    program += [Row(high=1.0) for _ in range(rows)]
    columns = []
    for row in range(rows):
        for kind, (filling, _) in enumerate(counts):
            coefficients = {kind: 1.0, kinds + row: 1.0}
            if limits.power_max_kw is not None:
                coefficients[kinds + rows + row] = float(filling.power_kw / limits.power_max_kw)
            columns.append(Column(float(row) / rows, coefficients))
    solution = minimise(program, columns, is_integer=True, time_limit_s=time_limit_s)
    if solution.values is None:
        return None
    placed = [round(value) for value in solution.values]
    return [placed[row * kinds : (row + 1) * kinds] for row in range(rows)]

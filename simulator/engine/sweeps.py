"""A layer over a grid: one or two of its numbers run over values, and every quantity is told at every point.

The points are computed together, as columns: the layer runs once, and once more for each way in which its points part.
What floats cannot decide, and what a layer cannot do with columns, is computed point by point with decimals, as a
single question is; both give the same numbers to the six digits that are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from itertools import product
from typing import Any

import numpy as np

from simulator.engine.columns import Column, Floats, Parted, column
from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.layers import Layer, replaced, reported
from simulator.engine.numbers import INPUT_DIGITS, REPORT_DIGITS, precise
from simulator.engine.outcomes import Answer, are_told, outcomes_of

AXES_MAX = 2
VALUES_MAX = 500
# So few points part again and again at no gain.
ALONE_BELOW = 3


@dataclass(frozen=True, slots=True)
class SweptQuantity:
    """A quantity at every point, in the order of `points_of`, to six digits; None where it is unknown."""

    quantity: str
    unit: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PointRun:
    """Points that follow each other, by the places of the first and of the last among all, counted from 0."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class AnsweredRun:
    """Points that follow each other with one answer; null where it is unknown, or where there is none."""

    value: Answer | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SweptWarning:
    """A warning with the points at which it holds, how many these are, and what it says at the first of them."""

    code: str
    points_count: int
    message: str
    runs: tuple[PointRun, ...]


@dataclass(frozen=True, slots=True)
class SweptOutcome:
    """An answer that is no number, by its path in the report: what it is at every point, as runs in their order."""

    path: str
    runs: tuple[AnsweredRun, ...]


@dataclass(frozen=True, slots=True)
class Swept:
    """What a layer says over a grid. `exact_points_count` of the points were computed one by one."""

    quantities: tuple[SweptQuantity, ...]
    warnings: tuple[SweptWarning, ...]
    outcomes: tuple[SweptOutcome, ...]
    exact_points_count: int


def points_of(axes: Mapping[str, Sequence[Decimal]]) -> list[tuple[Decimal, ...]]:
    """Return the points of a grid: the last axis moves fastest."""
    return list(product(*axes.values()))


def sweep(layer: Layer, given: Any, axes: Mapping[str, Sequence[Decimal]]) -> Swept:
    """Return what `layer` says of `given` with the numbers at the paths of `axes` (`stages[1].efficiency`) replaced.

    Raises InvalidParameters where the layer refuses a point, which it names.
    """
    with precise():
        return _Sweep(layer, given, axes).swept()


class _Sweep:
    def __init__(self, layer: Layer, given: Any, axes: Mapping[str, Sequence[Decimal]]) -> None:
        self.layer = layer
        self.given = given
        self.paths = tuple(axes)
        self.points = points_of(axes)
        places = np.indices([len(values) for values in axes.values()]).reshape(len(axes), -1)
        self.columns = {path: column(axes[path]).at(here) for path, here in zip(axes, places, strict=True)}
        self.units: dict[str, str] = {}
        self.values: dict[str, Floats] = {}
        self.groups: list[_Group] = []
        self.exact_count = 0

    def swept(self) -> Swept:
        waiting = [np.arange(len(self.points))]
        while waiting:
            here = waiting.pop()
            if len(here) < ALONE_BELOW:
                self.alone(here)
                continue
            try:
                columns = {path: each.at(here) for path, each in self.columns.items()}
                # What floats cannot hold raises, and decimals tell it.
                with np.errstate(over="raise", divide="raise", invalid="raise"):
                    report = self.layer.run(self.at(columns))
            except Parted as parted:
                near = here[parted.near]
                self.alone(near)
                rest, labels = here[~parted.near], parted.labels[~parted.near]
                waiting += [rest[labels == label] for label in np.unique(labels)]
            except (TypeError, AttributeError, ValueError, ArithmeticError):
                # The layer does something with the number that a column cannot, or refuses it; one by one it is told.
                self.alone(here)
            else:
                self.keep(here, report)
        told = _told(np.array([*self.values.values()]).reshape(len(self.values), len(self.points)))
        found = [SweptQuantity(name, self.units[name], row) for name, row in zip(self.values, told, strict=True)]
        warnings, outcomes = _in_runs(self.groups, len(self.points))
        return Swept(tuple(found), warnings, outcomes, self.exact_count)

    def alone(self, here: Any) -> None:
        """Compute points one by one, with decimals."""
        for index in here:
            point = dict(zip(self.paths, self.points[index], strict=True))
            try:
                report = reported(self.layer, self.at(point))
            except InvalidParameters as error:
                where = ", ".join(f"{path} {value}" for path, value in point.items())
                raise InvalidParameters(
                    Problem(each.field, each.code, f"{each.message} (At {where}, a point of the sweep.)")
                    for each in error.problems
                ) from error
            self.exact_count += 1
            self.keep(np.array([index]), report)

    def at(self, point: Mapping[str, Any]) -> Any:
        given = self.given
        for path, value in point.items():
            given = replaced(given, path, value)
        return given

    def keep(self, here: Any, report: Any) -> None:
        for entry in report.trace:
            self.units.setdefault(entry.quantity, entry.unit)
            into = self.values.setdefault(entry.quantity, np.full(len(self.points), np.nan))
            if isinstance(entry.value, Column):
                into[here] = entry.value.values
            elif entry.value is not None:
                into[here] = float(entry.value)
        said: dict[str, str] = {}
        for warning in report.warnings:
            said.setdefault(warning.code, warning.message)
        self.groups.append(_Group(here, said, outcomes_of(report)))


@dataclass(frozen=True, slots=True)
class _Group:
    """Points that were computed together, so that one report has their warnings, by code, and their outcomes, by path.

    What a warning says, it says of the first of them.
    """

    here: Any
    warnings: Mapping[str, str]
    outcomes: Mapping[str, Answer | None]


def _in_runs(groups: Sequence[_Group], points_count: int) -> tuple[tuple[SweptWarning, ...], tuple[SweptOutcome, ...]]:
    """Return at which points warnings hold, and where outcomes change: the work grows with groups, not with points."""
    if not points_count:
        return (), ()
    groups = sorted(groups, key=lambda group: group.here[0])
    group_at = np.empty(points_count, dtype=np.intp)
    for n, group in enumerate(groups):
        group_at[group.here] = n
    begins = np.append(True, group_at[1:] != group_at[:-1]).nonzero()[0]
    # Where one group ends and another begins: the first of its points, and the group.
    parts = list(zip(begins.tolist(), group_at[begins].tolist(), strict=True))

    def runs_of(answers: Sequence[Any]) -> tuple[AnsweredRun, ...]:
        changes: list[tuple[int, Any]] = []
        for first, n in parts:
            if not changes or changes[-1][1] != answers[n]:
                changes.append((first, answers[n]))
        ends = [*(first for first, _ in changes[1:]), points_count]
        return tuple(AnsweredRun(answer, first, end - 1) for (first, answer), end in zip(changes, ends, strict=True))

    warnings, outcomes = [], []
    for code in dict.fromkeys(code for group in groups for code in group.warnings):
        held = [run for run in runs_of([code in group.warnings for group in groups]) if run.value]
        count = sum(run.last - run.first + 1 for run in held)
        message = next(group.warnings[code] for group in groups if code in group.warnings)
        warnings.append(SweptWarning(code, count, message, tuple(PointRun(run.first, run.last) for run in held)))
    for path in dict.fromkeys(path for group in groups for path in group.outcomes):
        answers = [group.outcomes.get(path) for group in groups]
        if are_told(path, answers):
            outcomes.append(SweptOutcome(path, runs_of(answers)))
    return tuple(warnings), tuple(outcomes)


_EXACT = 22
_SHORT, _LONG = (Context(prec=digits, rounding=ROUND_HALF_EVEN) for digits in (REPORT_DIGITS, INPUT_DIGITS))
_POWERS = np.array([10.0**n for n in range(_EXACT + 1)])


def _told(rows: Floats) -> list[tuple[float | None, ...]]:
    """Return each value of some rows to six digits, as `rounded` gives it; not a number is unknown."""
    # A quantity that is the same at all points is rounded once.
    is_same = (rows == rows[:, :1]).all(axis=1)
    told = np.empty_like(rows)
    told[is_same] = _rounded(rows[is_same, :1])
    told[~is_same] = _rounded(rows[~is_same])
    return [
        tuple(None if value != value else value for value in row) if unknown.any() else tuple(row)
        for row, unknown in zip(told.tolist(), np.isnan(told), strict=True)
    ]


def _rounded(values: Floats) -> Floats:
    # What no float holds is told as unknown, as JSON has no such number.
    # No zero is a negative one.
    values = np.where(np.isfinite(values), values, np.nan) + 0
    known = np.isfinite(values) & (values != 0)
    size = np.floor(np.log10(np.abs(values), where=known, out=np.zeros_like(values)))
    shift = REPORT_DIGITS - 1 - size
    # Powers of ten up to 22 are exact floats, so that each of these steps is rounded once; beyond, the decimal decides.
    by = np.clip(shift, -_EXACT, _EXACT).astype(int)
    up, down = _POWERS[np.maximum(by, 0)], _POWERS[np.maximum(-by, 0)]
    scaled = values * up / down
    told: Floats = np.rint(scaled) / up * down
    # Halfway between two too.
    is_close = known & ((np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < 1e-6) | (np.abs(shift) > _EXACT))
    for at in zip(*np.nonzero(is_close), strict=True):
        # As `rounded` does, without remembering what is asked once.
        told[at] = float(_SHORT.plus(_LONG.plus(Decimal(repr(float(values[at]))))))
    return told

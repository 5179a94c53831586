"""What all layers share: an input that may hold ranges, and how a report of points becomes one of ranges.

Ranges: a report is computed at every corner of the box that the ranges span, and each quantity's low and high are the
least and the greatest of these. That is exact, with no widening by repeated inputs (the dependency problem of interval
arithmetic on single operations), for a quantity that moves in one direction with each input while the others stand
still: a multilinear or coordinate-wise monotone function takes its extremes at corners. Layers declare the points
inside a range where a quantity turns (`turns`), and those are computed too. Of counts by which things are arranged
(switch ports, planes, feeds) each whole number of the range is computed: from one to the next anything may move. One
inside of it that the layer refuses (an odd number of ports) is no arrangement, and says nothing about the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import product
from math import prod
from typing import Any

from simulator.engine.errors import InvalidParameters, Problem, raise_for
from simulator.engine.numbers import Many, precise
from simulator.engine.parameters import declared
from simulator.engine.trace import TraceEntry

# 2^8 corners are 256 reports: a fraction of a second.
RANGES_MAX = 8
POINTS_MAX = 1600
LINES_MAX = 6_000
"""Of all points together: a line of a rack takes an eighth of a millisecond and an entry of a hall a fifth, so two
hundred in each of 256 points would take seconds."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a number; `is_stepped` where each whole number of it is computed.

    Raises InvalidParameters unless low ≤ typical ≤ high.
    """

    low: Decimal
    typical: Decimal
    high: Decimal
    is_stepped: bool = False

    def __post_init__(self) -> None:
        if not self.low <= self.typical <= self.high:
            message = f"low {self.low}, typical {self.typical}, high {self.high}: give them in rising order."
            raise_for([Problem("", "conflict", message)])

    @property
    def points_count(self) -> int:
        """How many points of it are computed at the least."""
        return int(self.high - self.low) + 1 if self.is_stepped else 2


@dataclass(frozen=True, slots=True)
class QuantityRange:
    """One quantity of a report over the ranges of its input; `low` and `high` are None where it is unknown."""

    quantity: str
    unit: str
    low: Decimal | None
    typical: Decimal | None
    high: Decimal | None


@dataclass(frozen=True, slots=True)
class Asked:
    """An input at its typical values, and the ranges that stand for some of them, by path (`stages[1].efficiency`)."""

    input: Any
    spans: Mapping[str, Span] = field(default_factory=dict)


Turns = Callable[[Any, Mapping[str, Span]], Mapping[str, Sequence[Decimal]]]


def no_turns(given: Any, spans: Mapping[str, Span]) -> Mapping[str, Sequence[Decimal]]:
    """Say that every quantity of a layer moves in one direction with each input."""
    return {}


def one_line(given: Any) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer by name: what it reads, and what computes its report. `lines` is what the work of a report grows with."""

    name: str
    input_type: type[Any]
    run: Callable[[Any], Any]
    turns: Turns = no_turns
    lines: Callable[[Any], int] = one_line


def run_asked(layer: Layer, asked: Asked) -> Any:
    """Return the report at the typical values, with `ranges` of every quantity that moves over the spans.

    Warnings that hold at some other point only are in it too, and say so. Raises InvalidParameters for too many ranges,
    and for a corner that the layer refuses, with the path of the range.
    """
    report = reported(layer, asked.input)
    if not asked.spans:
        return report
    computed = (_at(layer, asked, point) for point in _points(layer, asked))
    reports = [report, *(each for each in computed if each is not None)]
    return replace(report, ranges=_ranges([each.trace for each in reports]), warnings=_merged(reports))


def reported(layer: Layer, given: Any) -> Any:
    """Return the report of a layer. Raises InvalidParameters, each problem by a path of the input, or "" for all."""
    with in_words_of(layer.input_type):
        return layer.run(given)


@contextmanager
def in_words_of(of: type[Any]) -> Iterator[None]:
    """Name what a formula refuses by the input: what it is given may follow from that, and is no field of it."""
    try:
        yield
    except InvalidParameters as error:
        raise InvalidParameters(
            each if has_path(of, each.field) else _followed(each) for each in error.problems
        ) from error


def has_path(of: type[Any] | None, path: str) -> bool:
    """Return whether an input has a path (`racks[0].count`); the empty one is all of it."""
    head, _, rest = path.partition(".")
    known = declared(of) if of is not None else {}
    name = head.partition("[")[0]
    return not path or (name in known and (not rest or has_path(known[name][0].part, rest)))


def _followed(problem: Problem) -> Problem:
    message = f"{problem.message} {problem.field} follows from the input: change the numbers that it is made of."
    return Problem("", problem.code, message)


def many_ranges(spans: Mapping[str, Span]) -> list[Problem]:
    """Return why so many ranges are refused, if they are."""
    if len(spans) <= RANGES_MAX:
        return []
    message = f"There are {len(spans)} ranges; {RANGES_MAX} is the most. Give the others as one number."
    return [Problem("", "too_many", message)]


def _points(layer: Layer, asked: Asked) -> list[dict[str, Decimal]]:
    spans = asked.spans
    raise_for(many_ranges(spans))
    # Before the turns are looked for, which may take a report at each corner.
    _refuse_many(layer, asked.input, prod(span.points_count for span in spans.values()))
    with precise(), in_words_of(layer.input_type):
        turns = layer.turns(asked.input, spans)
    columns = []
    for path, span in spans.items():
        steps = map(Decimal, range(int(span.low), int(span.high) + 1)) if span.is_stepped else ()
        inner = [each for each in turns.get(path, ()) if span.low < each < span.high]
        columns.append(sorted({span.low, span.high, *inner, *steps}))
    _refuse_many(layer, asked.input, prod(map(len, columns)))
    return [dict(zip(spans, row, strict=True)) for row in product(*columns)]


def _refuse_many(layer: Layer, given: Any, points: int) -> None:
    """Refuse more points, or more lines of them all, than are computed."""
    if points > POINTS_MAX:
        message = f"The ranges give {points} points; {POINTS_MAX} is the most."
        raise_for([Problem("", "too_many", f"{message} Give a narrower range, or one number.")])
    if (lines := layer.lines(given) * points) > LINES_MAX:
        message = f"The ranges give {points} points, of {lines:,} lines in all; {LINES_MAX:,} is the most."
        raise_for([Problem("", "too_many", f"{message} Give fewer ranges, or fewer lines.")])


def _at(layer: Layer, asked: Asked, point: Mapping[str, Decimal]) -> Any:
    """Return the report at a point; None inside of a range of a count where the layer refuses it."""
    try:
        given = asked.input
        for path, value in point.items():
            given = replaced(given, path, value)
        return reported(layer, given)
    except InvalidParameters as error:
        if any(span.is_stepped and span.low < point[path] < span.high for path, span in asked.spans.items()):
            return None
        where = ", ".join(f"{path} {value}" for path, value in point.items())
        raise InvalidParameters(
            Problem(each.field, each.code, f"{each.message} (At {where}, a corner of the ranges.)")
            for each in error.problems
        ) from error


def replaced(given: Any, path: str, value: Any) -> Any:
    """Return a copy of a nested input with the value at `path` (`racks[2].count`) replaced."""
    head, _, rest = path.partition(".")
    name, _, index = head.partition("[")
    current = getattr(given, name)
    if index:
        place = int(index.rstrip("]"))
        changed = replaced(current[place], rest, value) if rest else value
        new: Any = (*current[:place], changed, *current[place + 1 :])
    else:
        new = replaced(current, rest, value) if rest else _like(current, value)
    return replace(given, **{name: new})


def _like(current: Any, value: Any) -> Any:
    if isinstance(value, Many):
        return value
    return int(value) if isinstance(current, int) and not isinstance(current, bool) else value


def _ranges(traces: Sequence[Sequence[TraceEntry]]) -> tuple[QuantityRange, ...]:
    found = []
    columns: dict[str, list[Decimal | None]] = {}
    for trace in traces:
        for entry in trace:
            columns.setdefault(entry.quantity, []).append(entry.value)
    for entry in traces[0]:
        values = columns[entry.quantity]
        if all(value is None for value in values):
            continue
        if len(values) < len(traces) or any(value is None for value in values):
            found.append(QuantityRange(entry.quantity, entry.unit, None, entry.value, None))
            continue
        known = [value for value in values if value is not None]
        if min(known) != max(known):
            found.append(QuantityRange(entry.quantity, entry.unit, min(known), entry.value, max(known)))
    return tuple(found)


def _merged(reports: Sequence[Any]) -> tuple[Any, ...]:
    merged = list(reports[0].warnings)
    codes = {warning.code for warning in merged}
    for report in reports[1:]:
        merged += [
            replace(warning, message=f"Somewhere in the ranges: {warning.message}")
            for warning in report.warnings
            if warning.code not in codes
        ]
        codes |= {warning.code for warning in report.warnings}
    return tuple(merged)

"""Sweeps: a layer over one or two of its numbers. Small ones are answered at once, large ones by the worker."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from dataclasses import field as plain_field
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError

from simulator.engine import InvalidParameters, Layer, Problem, as_data
from simulator.engine.layers import Span
from simulator.engine.numbers import INPUT_DIGITS, Range, precise, rounded
from simulator.engine.parameters import Parameter, check, choice, number, parts, problem_with, text, whole
from simulator.engine.reader import is_text, short
from simulator.engine.reading_layers import read_layer, refused_ends
from simulator.engine.sweeps import AXES_MAX, VALUES_MAX, SweptOutcome, SweptQuantity, SweptWarning, sweep
from simulator.services import QUESTIONS, read_question, refusal
from simulator.swept_paths import number_paths, parameter_at, put, value_at

AT_ONCE_MAX = 500
"""Points that are answered at once: where a layer can compute them only one by one, they take some seconds."""
LINES_AT_ONCE_MAX = 20_000
"""Of all points together, as `engine.layers.LINES_MAX` has them: some seconds too, of a rack with many lines."""
POINTS_MAX = 10_000
EVEN_MAX = 41
"""Points of one whole number that are chosen where none are asked for: twice the steps of the default."""
ANY = Range("", low=-(10**13), high=10**13)


@dataclass(frozen=True, slots=True)
class SweepAxis:
    """A number of the input, and the values that it runs over, evenly from `low` to `high`."""

    field: str = text(about="The path of a number of the input: pue, items[0].quantity.")
    low: Decimal = number(ANY, is_rangeable=False)
    high: Decimal = number(ANY, is_rangeable=False)
    points: int = whole(
        Range("points", low=2, high=VALUES_MAX),
        21,
        "Of a whole number steps are whole; more points are all. Left out, as many as fit.",
        is_rangeable=False,
    )

    is_rounded: bool = plain_field(default=False)
    """Whether its points are the whole numbers nearest to even ones: of those that nobody asked for."""

    def __post_init__(self) -> None:
        check(self, self._empty)

    def _empty(self) -> Problem | None:
        if self.low < self.high:
            return None
        return Problem("high", "conflict", f"high is {self.high}; it must be more than low, which is {self.low}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepInput:
    """What is swept. `input` stands beside it: as the layer takes it, with one number everywhere."""

    layer: str = choice(QUESTIONS, about="Whose input it is.")
    axes: tuple[SweepAxis, ...] = parts(SweepAxis, AXES_MAX, about="One or two.")

    def __post_init__(self) -> None:
        check(self, self._too_many, self._twice)

    def _too_many(self) -> Problem | None:
        if self.points_count <= POINTS_MAX:
            return None
        return Problem("axes", "too_many", f"The axes have {self.points_count} points; {POINTS_MAX} is the most.")

    def _twice(self) -> Problem | None:
        if len({axis.field for axis in self.axes}) == len(self.axes):
            return None
        return Problem("axes", "conflict", "Two axes are one number; give two numbers, or one axis.")

    @property
    def points_count(self) -> int:
        count = 1
        for axis in self.axes:
            count *= axis.points
        return count


@dataclass(frozen=True, slots=True)
class SweptAxis:
    """A number that ran, with its values."""

    field: str
    values: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class SweepReport:
    """Every quantity at every point; of two axes the second moves fastest. Numbers have six digits.

    `warnings` and `outcomes` hold at runs of points, by their places in `values` of a quantity.
    """

    layer: str
    axes: tuple[SweptAxis, ...]
    points_count: int
    exact_points_count: int
    quantities: tuple[SweptQuantity, ...]
    warnings: tuple[SweptWarning, ...]
    outcomes: tuple[SweptOutcome, ...]


SWEEP = Layer("sweep", SweepInput, lambda given: given)


def read_sweep(data: object) -> tuple[SweepInput, Layer, Any]:
    """Return what is swept, the layer, and its input. Raises ValidationError with every problem at once."""
    is_object = isinstance(data, Mapping)
    question = {name: value for name, value in data.items() if name != "input"} if is_object else data  # type: ignore[attr-defined]
    problems: list[Problem] = []
    if is_object and "input" not in data:  # type: ignore[operator]
        problems.append(Problem("input", "required", "input is missing: what the layer takes."))
    try:
        asked = read_layer(SWEEP, question)
    except InvalidParameters as error:
        raise refusal([*error.problems, *problems, *_misplaced(data), *_beside_axes(data)]) from error
    problems += _misplaced(data)
    wanted: SweepInput = asked.input
    axes = list(wanted.axes)
    for n, axis in enumerate(axes):
        swept = parameter_at(wanted.layer, axis.field)
        if swept and swept.kind == "whole":
            if data["axes"][n].get("points") is None:  # type: ignore[index]
                axes[n] = axis = fitting(axis, swept, most=EVEN_MAX if len(axes) == 1 else axis.points)
            problems += [problem.under(f"axes[{n}]") for problem in _uneven(axis, swept)]
    if problems:
        raise refusal([*problems, *_beside_axes(data)])
    wanted = replace(wanted, axes=tuple(axes))
    given = deepcopy(data["input"])  # type: ignore[index]
    for axis in axes:
        swept = parameter_at(wanted.layer, axis.field)
        # One of some choices takes no range; its ends have been judged, and it begins at the low one.
        is_choice = swept is not None and not swept.is_rangeable
        put(given, axis.field, axis.low if is_choice else {"low": axis.low, "typical": axis.low, "high": axis.high})
    try:
        layer, inner = read_question(wanted.layer, given)
    except ValidationError as error:
        ends = {
            f"{axis.field}.{end}": f"axes[{n}].{'high' if end == 'high' else 'low'}"
            for n, axis in enumerate(wanted.axes)
            for end in ("low", "typical", "high")
        }
        # The typical value is the low one here, so what is wrong with it is said twice: told as of the axis.
        told = sorted(error.error_dict, key=lambda path: not path.endswith(".typical"))
        named = {ends.get(path, "input" if path == NON_FIELD_ERRORS else f"input.{path}"): path for path in told}
        raise ValidationError({name: error.error_dict[path] for name, path in named.items()}) from error
    extra = inner.spans.keys() - {axis.field for axis in wanted.axes}
    if extra:
        message = "A sweep takes one number here; only its axes run."
        raise refusal([Problem(f"input.{path}", "range_not_allowed", message) for path in sorted(extra)])
    for n, axis in enumerate(wanted.axes):
        if axis.field not in inner.spans:
            refused = refused_ends(inner.input, {axis.field: Span(axis.low, axis.low, axis.high)})
            problems += [Problem(f"axes[{n}].high", each.code, each.message) for each in refused]
    if problems:
        raise refusal(problems)
    return wanted, layer, inner.input


def _uneven(axis: SweepAxis, swept: Parameter) -> list[Problem]:
    """Return why a whole number cannot run over the values of an axis."""
    ends = {"low": axis.low, "high": axis.high}
    problems = [
        Problem(name, "wrong_type", f"{name} is {value}; {axis.field} is a whole number, so give one.")
        for name, value in ends.items()
        if value != value.to_integral_value()
    ]
    if not swept.is_rangeable:
        problems = problems or [found for name, value in ends.items() if (found := problem_with(name, swept, value))]
    if problems:
        return problems
    span, steps = int(axis.high - axis.low), axis.points - 1
    if not axis.is_rounded and steps < span and span % steps:
        highs = [axis.low + span // steps * steps, axis.low + -(-span // steps) * steps]
        told = " or ".join(str(high) for high in highs if problem_with("high", swept, high) is None)
        fits = _even(span, steps)
        ways = [
            f"{fits + 1} points" if fits else "",
            f"{told} as high" if told else "",
            "no points, to have them chosen",
        ]
        message = f"{axis.points} points from {axis.low} to {axis.high} lie between whole numbers too; "
        return [Problem("points", "conflict", f"{message}give {', or '.join(filter(None, ways))}.")]
    if swept.choices and set(_values(axis, is_whole=True)) - set(swept.choices):
        message = f"{axis.field} is one of {', '.join(map(str, swept.choices))}; give points that meet no others."
        return [Problem("points", "not_a_choice", message)]
    return []


def _even(span: int, steps: int, most: int = VALUES_MAX) -> int | None:
    """Return the steps nearest to `steps` by which a span is divided evenly, half of them to twice as many; or None."""
    fits = [n for n in range(-(-steps // 2), min(2 * steps, most - 1) + 1) if span % n == 0]
    return min(fits, key=lambda n: (abs(n - steps), -n), default=None)


def fitting(axis: SweepAxis, swept: Parameter, *, most: int) -> SweepAxis:
    """Return an axis of a whole number whose points were left out with as many as fit, at most `most`.

    They are even where that needs half to twice the points of the default; where it needs others, they are the whole
    numbers that lie nearest to even ones. Of one of some choices they are those that meet no others.
    """
    span, steps = axis.high - axis.low, axis.points - 1
    if span != span.to_integral_value():
        return axis  # What is wrong with its ends is said.
    if swept.choices:
        counts = (replace(axis, points=n) for n in range(len(swept.choices), 1, -1))
        return next((each for each in counts if set(_values(each, is_whole=True)) <= set(swept.choices)), axis)
    if span <= steps:
        return axis
    fits = _even(int(span), steps, most)
    return replace(axis, is_rounded=True) if fits is None else replace(axis, points=fits + 1)


def _misplaced(data: object) -> list[Problem]:
    """Return why axes are none of the layer: there is no such parameter, it is no number, or not in this input."""
    if not isinstance(data, Mapping) or data.get("layer") not in QUESTIONS or not isinstance(data.get("axes"), list):
        return []
    found = []
    for n, row in enumerate(data["axes"][:AXES_MAX]):
        path = row.get("field") if isinstance(row, Mapping) else None
        if is_text(path) and (problem := _misplaced_at(data["layer"], data.get("input"), path)):
            found.append(problem.under(f"axes[{n}]"))
    return found


def _misplaced_at(layer: str, given: object, path: str) -> Problem | None:
    swept = parameter_at(layer, path)
    if swept is None:
        near = get_close_matches(path, number_paths(layer), n=1)
        hint = f"Did you mean {near[0]}?" if near else "Name a number of it, as in pue or racks[0].count."
        return Problem("field", "unknown_key", f"The input of {layer} has no {short(path)}. {hint}")
    if swept.kind not in ("number", "whole"):
        return Problem("field", "wrong_type", f"{short(path)} is no number; an axis runs over one.")
    if isinstance(given, Mapping) and not put(deepcopy(given), path, 0):
        message = f"The input has nothing at {short(path)}; give what it stands in, or name a number that is there."
        return Problem("field", "unknown_key", message)
    return None


def _beside_axes(data: object) -> list[Problem]:
    """Return what is wrong with an input whose axes are refused, but for the numbers that they name."""
    if not isinstance(data, Mapping) or data.get("layer") not in QUESTIONS or "input" not in data:
        return []
    axes = data.get("axes")
    rows = [axis for axis in axes if isinstance(axis, Mapping)] if isinstance(axes, list) else []
    swept = tuple(f"{axis.get('field')}." for axis in rows)
    try:
        read_question(data["layer"], data["input"])
    except ValidationError as error:
        return [
            Problem("input" if path == NON_FIELD_ERRORS else f"input.{path}", item.code or "invalid", message)
            for path, items in error.error_dict.items()
            if not f"{path}.".startswith(swept)
            for item in items
            for message in item.messages
        ]
    return []


def too_many_at_once(wanted: SweepInput, layer: Layer, given: Any) -> str | None:
    """Return why a sweep is none to be answered at once, or None."""
    if wanted.points_count > AT_ONCE_MAX:
        return f"The axes have {wanted.points_count} points; {AT_ONCE_MAX} is the most at once."
    if (lines := wanted.points_count * layer.lines(given)) > LINES_AT_ONCE_MAX:
        return f"The points have {lines:,} lines in all; {LINES_AT_ONCE_MAX:,} is the most at once."
    return None


def run_sweep(data: object, *, look: Callable[[], object]) -> dict[str, Any]:
    """Return the sweep that `data` asks for, as JSON takes it. Raises ValidationError.

    `look` is called before each time that the layer is computed; what it raises ends the sweep.
    """
    wanted, layer, given = read_sweep(data)

    def watched(point: Any) -> Any:
        look()
        return layer.run(point)

    return sweep_report(wanted, replace(layer, run=watched), given)


def sweep_report(wanted: SweepInput, layer: Layer, given: Any) -> dict[str, Any]:
    """Return what the layer says over the grid, as JSON takes it. Raises ValidationError where it refuses a point."""
    axes = {axis.field: _values(axis, is_whole=isinstance(value_at(given, axis.field), int)) for axis in wanted.axes}
    try:
        found = sweep(layer, given, axes)
    except InvalidParameters as error:
        raise refusal(problem.under("input") for problem in error.problems) from error
    count = 1
    for values in axes.values():
        count *= len(values)
    report = SweepReport(
        wanted.layer,
        tuple(SweptAxis(axis.field, axes[axis.field]) for axis in wanted.axes),
        count,
        found.exact_points_count,
        found.quantities,
        found.warnings,
        found.outcomes,
    )
    return as_data(report)


def _values(axis: SweepAxis, *, is_whole: bool) -> tuple[Decimal, ...]:
    with precise():
        step = (axis.high - axis.low) / (axis.points - 1)
        if is_whole and step < 1:
            return tuple(axis.low + n for n in range(int(axis.high - axis.low) + 1))
        values = [rounded(axis.low + step * n, INPUT_DIGITS) for n in range(axis.points - 1)]
        if axis.is_rounded:
            values = [value.to_integral_value() for value in values]
        return (*values, axis.high)

"""Reports over ranges, of a layer that is a few lines: which points are computed, and what is told of them."""

from dataclasses import dataclass
from decimal import Decimal

import pytest

from simulator.engine import InvalidParameters, Span
from simulator.engine.layers import Asked, Layer, QuantityRange, run_asked
from simulator.engine.notices import Notice
from simulator.engine.trace import TraceEntry


@dataclass(frozen=True)
class Given:
    a: Decimal = Decimal(1)
    b: Decimal = Decimal(1)
    c: Decimal = Decimal(1)
    d: Decimal = Decimal(1)
    e: Decimal = Decimal(1)
    f: Decimal = Decimal(1)
    g: Decimal = Decimal(1)
    h: Decimal = Decimal(1)
    i: Decimal = Decimal(1)


@dataclass(frozen=True)
class Report:
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def entry(name, value):
    return TraceEntry(name, value, "kW", "", (), "")


def run(given):
    """Return a sum, what is unknown above 2, what is told up to 2 only, and two that stand still."""
    trace = [
        entry("sum", given.a + given.b),
        entry("unknown_above", given.a if given.a <= 2 else None),
        *([entry("told_below", given.a)] if given.a <= 2 else []),
        entry("still", Decimal(7)),
        entry("never", None),
    ]
    warnings = [Notice("always", f"a is {given.a}.")]
    if given.a < 2:
        warnings.append(Notice("below", f"a is {given.a}."))
    if given.a > 2:
        warnings.append(Notice("above", f"a is {given.a}."))
    return Report(tuple(warnings), tuple(trace))


def counted(turns=(), lines=1):
    """Return a layer, and the points that it computes."""
    points = []

    def run_here(given):
        points.append((given.a, given.b))
        return run(given)

    def turning(given, spans):
        return {"a": [Decimal(str(each)) for each in turns]}

    return Layer("sum", Given, run_here, turning, lambda given: lines), points


def test_what_moves_has_its_ends_and_what_is_unknown_somewhere_has_none():
    layer, points = counted()
    spans = {"a": Span(Decimal(1), Decimal(2), Decimal(4)), "b": Span(Decimal(10), Decimal(20), Decimal(40))}

    told = run_asked(layer, Asked(Given(Decimal(2), Decimal(20)), spans))

    assert points == [(2, 20), (1, 10), (1, 40), (4, 10), (4, 40)]
    assert told.ranges == (
        QuantityRange("sum", "kW", Decimal(11), Decimal(22), Decimal(44)),
        QuantityRange("unknown_above", "kW", None, Decimal(2), None),
        QuantityRange("told_below", "kW", None, Decimal(2), None),
    )
    # Each warning once, in the words of the first point at which it holds.
    said = [(each.code, each.message) for each in told.warnings]
    assert said == [
        ("always", "a is 2."),
        ("below", "Somewhere in the ranges: a is 1."),
        ("above", "Somewhere in the ranges: a is 4."),
    ]
    told = run_asked(layer, Asked(Given(Decimal(2)), {"a": spans["a"]}))
    assert [each.code for each in told.warnings] == ["always", "below", "above"]


def test_without_ranges_one_point_is_computed():
    layer, points = counted()

    assert run_asked(layer, Asked(Given())) == run(Given())
    assert points == [(1, 1)]


def test_points_inside_of_a_range_at_which_it_turns_are_computed_too():
    layer, points = counted(turns=(0, 1, "1.5", 2, "1.5", 3))

    run_asked(layer, Asked(Given(), {"a": Span(Decimal(1), Decimal(1), Decimal(2))}))

    assert [a for a, _ in points] == [1, 1, Decimal("1.5"), 2]


def test_eight_ranges_are_computed_and_nine_refused():
    layer, points = counted()
    spans = {name: Span(Decimal(1), Decimal(1), Decimal(2)) for name in "abcdefghi"}

    run_asked(layer, Asked(Given(), {name: spans[name] for name in "abcdefgh"}))

    assert len(points) == 1 + 256
    with pytest.raises(InvalidParameters) as refused:
        run_asked(layer, Asked(Given(), spans))
    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("", "too_many")
    assert problem.message == "There are 9 ranges; 8 is the most. Give the others as one number."


@pytest.mark.parametrize(("inner", "lines", "is_refused"), [(14, 375, False), (15, 353, True), (15, 352, False)])
def test_six_thousand_lines_are_computed_and_one_more_refused(inner, lines, is_refused):
    """16 points of 375 lines are 6,000, 17 of 353 are 6,001, 17 of 352 are 5,984."""
    layer, points = counted(turns=[1 + (n + 1) / 100 for n in range(inner)], lines=lines)
    asked = Asked(Given(), {"a": Span(Decimal(1), Decimal(1), Decimal(2))})

    if not is_refused:
        run_asked(layer, asked)
        assert len(points) == 1 + 2 + inner
        return
    with pytest.raises(InvalidParameters) as refused:
        run_asked(layer, asked)
    message = "The ranges give 17 points, of 6,001 lines in all; 6,000 is the most. Give fewer ranges, or fewer lines."
    assert [each.message for each in refused.value.problems] == [message]

"""Many numbers at once: each operation at each point, what is refused, and how points part."""

import operator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.engine.columns import Column, Exact, Parted
from simulator.engine.columns import column as exactly
from simulator.engine.counts import (
    divisors,
    either,
    first,
    fitted,
    how_often,
    is_never,
    least,
    named,
    next_up,
    over_rows,
    spread,
    the_one,
)
from simulator.engine.numbers import power, precise


def test_a_power_is_one_of_each_point():
    with precise():
        assert power(Decimal(4), Decimal("0.5")) == 2
        assert list(power(column(4, 9), Decimal("0.5")).values) == [2, 3]


def column(*values):
    return Column(np.array([float(each) for each in values]))


def exact(*values):
    found = exactly([Decimal(each) for each in values])
    assert isinstance(found, Exact)
    return found


def values(found):
    return found.values.tolist()


def test_each_operation_is_that_of_each_point():
    four = column(1, 4)

    assert values(four + 1) == values(1 + four) == [2, 5]
    assert (values(four - 1), values(1 - four)) == ([0, 3], [0, -3])
    assert values(four * Decimal("0.5")) == values(Decimal("0.5") * four) == [0.5, 2]
    assert (values(four / 2), values(2 / four)) == ([0.5, 2], [2, 0.5])
    assert (values(four**2), values(2**four)) == ([1, 16], [2, 16])
    assert values(four + four) == [2, 8]
    assert (values(-four), values(+four), values(abs(-four))) == ([-1, -4], [1, 4], [1, 4])
    assert values(four.larger(3)) == [3, 4]
    assert (values(four.sqrt()), values(column(0, 0).exp()), values(column(1, 1).ln())) == ([1, 2], [1, 1], [0, 0])


def test_what_one_point_cannot_is_refused_for_all():
    with pytest.raises(ZeroDivisionError):
        column(1, 2) / 0
    with pytest.raises(ZeroDivisionError):
        column(1, 2) / column(1, 0)
    with pytest.raises(ZeroDivisionError):
        1 / column(1, 0)
    with np.errstate(all="ignore"), pytest.raises(ArithmeticError, match="no number"):
        column(1, -1).sqrt()
    # One that divides is no zero.
    assert (values(column(1, 2) / 1), values(2 / column(1, 2))) == ([1, 2], [2, 1])


def test_floats_tell_no_rest_and_a_quotient_where_it_is_no_whole_number():
    assert values(column("7.5", "-7.5") // 2) == [3, -4]
    assert values(20 // column("7.5", "6.5")) == [2, 3]
    assert parts(lambda: column("7.5", 8) // 2) == ([0, 0], [False, True])
    with pytest.raises(TypeError):
        column("7.5", 8) % 2


def test_whole_numbers_are_those_above_or_below():
    up, down = (column("1.2", "-1.2").to_integral_value(rounding=way) for way in (ROUND_CEILING, ROUND_FLOOR))

    assert (values(up), values(down), type(up)) == ([2, -1], [1, -2], Exact)
    assert (int(column("2.3", "2.9")), int(column("-2.3", "-2.9")), int(column("0.5", "0.7"))) == (2, -2, 0)
    assert (int(exact(3, 3)), values(-exact(3)), int(exact(0, "0.5")), int(exact("-0.5", "-0.2"))) == (3, [-3], 0, 0)
    assert (int(column("2.3")), int(column("-2.3")), int(exact(4))) == (2, -2, 4)


def parts(action):
    with pytest.raises(Parted) as parted:
        action()
    return parted.value.labels.tolist(), parted.value.near.tolist()


def test_points_part_by_their_whole_numbers():
    assert parts(lambda: int(column("2.3", "3.4", "2.5"))) == ([2, 3, 2], [False, False, False])
    assert parts(lambda: int(exact(2, 3))) == ([2, 3], [False, False])
    assert parts(lambda: int(exact("2.9", 3, 2))) == ([2, 3, 2], [False] * 3)
    # What is as good as whole is not rounded by floats.
    assert parts(lambda: column("2.5", 3).to_integral_value(rounding=ROUND_FLOOR)) == ([0, 0], [False, True])


@pytest.mark.parametrize(
    ("value", "beside", "is_near"),
    [
        # A billionth of the number, or of one where the number is smaller.
        ("1E-9", 0, True),
        ("1.5E-9", 0, False),
        (1 + Decimal("5E-10"), 1, True),
        (1 + Decimal("1.5E-9"), 1, False),
        (10**6 + Decimal("0.0005"), 10**6, True),
        (10**6 + Decimal("0.002"), 10**6, False),
    ],
)
def test_what_floats_cannot_tell_apart_is_near(value, beside, is_near):
    close = column(value)

    if is_near:
        assert parts(lambda: close > beside) == ([True], [True])
        assert parts(lambda: close == beside) == ([False], [True])
        assert parts(lambda: close.to_integral_value(rounding=ROUND_CEILING)) == ([0], [True])
        assert parts(lambda: (-close) < -beside) == ([True], [True])
    else:
        assert close > beside
        assert -close < -beside
        assert values(close.to_integral_value(rounding=ROUND_CEILING)) == [beside + 1]
        assert values((-close).to_integral_value(rounding=ROUND_FLOOR)) == [-beside - 1]


def test_points_that_agree_answer_and_others_part():
    some = column(2, 5)

    assert (some < 6, some <= 6, some > 6, some >= 6, some == 6, some != 6) == (True, True, False, False, False, True)
    assert (some < 1, some <= 1, some > 1, some >= 1) == (False, False, True, True)
    assert bool(some)
    assert parts(lambda: some < 3) == ([True, False], [False, False])
    assert parts(lambda: some >= 3) == ([False, True], [False, False])
    assert parts(lambda: some <= 5) == ([True, True], [False, True])
    assert parts(lambda: bool(column(0, 5))) == ([False, True], [True, False])
    assert parts(lambda: bool(exact(0, 5))) == ([False, True], [False, False])
    assert f"{column('1234.5', 2):,.1f} {some}" == "1,234.5 2"


DECIMALS = st.decimals(min_value=-10_000, max_value=10_000, allow_nan=False, places=3) | st.integers(-9, 9).map(Decimal)
BESIDE = st.integers(-9, 9) | st.decimals(min_value=-100, max_value=100, allow_nan=False, places=4)
COMPARED = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


def told(found):
    """Return the decimals of an exact column."""
    assert isinstance(found, Exact)
    assert found.values.tolist() == [float(each) for each in exactly_of(found)]
    assert np.abs(found.units).max() <= found.size
    return exactly_of(found)


def exactly_of(found):
    return [Decimal(int(each)).scaleb(-found.places) for each in found.units]


@given(st.lists(st.tuples(DECIMALS, DECIMALS), min_size=1, max_size=5), BESIDE)
def test_sums_products_and_rests_of_decimals_are_exact(pairs, beside):
    ones, others = ([pair[n] for pair in pairs] for n in (0, 1))
    one, other = exactly(ones), exactly(others)

    for with_, beside_each in ((beside, [Decimal(beside)] * len(ones)), (other, others)):
        both = list(zip(ones, beside_each, strict=True))
        assert told(one + with_) == told(with_ + one) == [a + b for a, b in both]
        assert (told(one - with_), told(with_ - one)) == ([a - b for a, b in both], [b - a for a, b in both])
        assert told(one * with_) == told(with_ * one) == [a * b for a, b in both]
        assert told(one.larger(with_)) == [max(a, b) for a, b in both]
        assert told(one.smaller(with_)) == told(least(with_, one)) == [min(a, b) for a, b in both]
        if all(beside_each):
            down = [(a / b).to_integral_value(ROUND_FLOOR) for a, b in both]
            assert told(one // with_) == down
            assert [told(each) for each in divmod(one, with_)] == [
                down,
                [a - b * times for (a, b), times in zip(both, down, strict=True)],
            ]
        if all(ones):
            assert told(with_ // one) == [(b / a).to_integral_value(ROUND_FLOOR) for a, b in both]
        for holds in COMPARED:
            answers = [holds(a, b) for a, b in both]
            if len(set(answers)) == 1:
                assert holds(one, with_) is answers[0]
            else:
                assert parts(lambda: holds(one, with_)) == (answers, [False] * len(ones))  # noqa: B023 - called at once
    assert (told(-one), told(abs(one)), told(+one)) == ([-a for a in ones], [abs(a) for a in ones], ones)
    assert told(one.to_integral_value(ROUND_FLOOR)) == [a.to_integral_value(ROUND_FLOOR) for a in ones]
    assert told(one.to_integral_value(ROUND_CEILING)) == [a.to_integral_value(ROUND_CEILING) for a in ones]
    assert [told(one.at(n))[0] for n in ([0], [-1])] == [ones[0], ones[-1]]
    assert not np.signbit((-(one - one)).values).any()


def test_what_floats_do_not_hold_exactly_is_floats():
    """2^53 is 9,007,199,254,740,992; and 10^22 is the last power of ten that is a float."""
    most = 2**53 - 1
    large = exact(most, 1)

    assert type(exactly([Decimal(most + 1)])) is type(exactly([Decimal("1E-23")])) is Column
    assert told(exactly([Decimal("1E-22"), Decimal(0)])) == [Decimal("1E-22"), 0]
    assert (told(large + 0), type(large + 1)) == ([most, 1], Column)
    assert (told(large * 1), type(large * 2), type(exact(1) * Decimal("1E-23"))) == ([most, 1], Column, Column)
    assert values(large * 2) == [2.0**54 - 2, 2]
    assert values(exact("1.5") * Decimal("1E-22")) == [1.5e-22]
    assert values(exact("0.5") + Decimal("1E+16")) == [1e16]
    # Then they are compared as floats are, and their quotients are.
    assert parts(lambda: large > most + 1) == ([False, False], [True, False])
    assert parts(lambda: large // (most + 1)) == ([0, 0], [True, True])
    assert (values(large.larger(most + 1)), values(large.smaller(most + 1))) == ([2.0**53, 2.0**53], [most, 1])
    assert (values(large - 2**54), values(2**54 - large)) == (
        [-(2.0**53) - 1, -(2.0**54) + 1],
        [2.0**53 + 1, 2.0**54 - 1],
    )
    assert parts(lambda: 3 * 2**53 // exact(2)) == ([0], [True])
    with pytest.raises(TypeError, match="tells no rest"):
        large % (most + 1)


def test_an_exact_column_is_divided_by_no_zero():
    for divide in (lambda one: one // 0, lambda one: one % 0, lambda one: 1 // (one - 1)):
        with pytest.raises(ZeroDivisionError, match="divided by zero"):
            divide(exact(1, 2))


def test_the_first_count_that_is_not_below_is_found_at_each_point():
    """12 is divided by 1, 2, 3, 4, 6 and 12."""
    assert list(divisors(12)) == [1, 2, 3, 4, 6, 12]
    found = next_up(divisors(12), exact(*range(13)))

    assert told(found) == [next_up(divisors(12), n) for n in range(13)] == [1, 1, 2, 3, 4, 6, 6, *[12] * 6]


@pytest.mark.parametrize(
    ("part", "whole", "times"), [("0.1", "0.3", 3), (10, 100, 10), ("10.01", 100, 9), (2, 1, 0), (3, "1E-9", 0)]
)
def test_how_often_one_goes_into_another(part, whole, times):
    part, whole = Decimal(part), Decimal(whole)

    once = how_often(part, whole)
    assert (once, type(once)) == (times, int)
    for one, other in ((exact(part), whole), (part, exact(whole)), (exact(part), exact(whole))):
        assert told(how_often(one, other)) == [times]
    assert how_often(Decimal("1E-40"), Decimal("1E+40")) == 10**80


def table(*rows):
    """Return a table of counts: a row for each of some rows."""
    return Exact(np.array(rows, dtype=float))


def test_rows_that_are_none_at_a_point_are_left_out_there():
    """At the first point the first row is none, at the second the last two."""
    rows = [
        (exact(0, 4), 10, Decimal("0.5")),
        (exact(2, 0), exact(7, 8), Decimal(20)),
        (exact(5, 0), 0, exact("1.25", 3)),
    ]

    ((many, racks, kw),) = rows[0][0].packed(rows)

    assert many.values.tolist() == [[2, 4], [5, 0]]
    assert (racks.values[0].tolist(), racks.values[1, 0]) == ([7, 10], 0)
    assert (kw.values[0].tolist(), kw.values[1, 0], kw.places) == ([20, 0.5], 1.25, 2)
    # Tables are taken row by row: the first of each, then the second of each.
    ((many, other),) = many.packed([(many, 1), (many * 10, 2)])
    assert many.values.tolist() == [[2, 4], [20, 40], [5, 0], [50, 0]]
    assert other.values[:, 0].tolist() == [1, 2, 1, 2]
    # What floats do not hold exactly is packed as floats.
    ((_, large),) = exact(1, 1).packed([(exact(1, 1), Decimal(2**53)), (exact(1, 1), column("0.5", 1))])
    assert (values(large), type(large)) == ([[2.0**53, 2.0**53], [0.5, 1]], Column)


def test_what_is_wanted_goes_into_the_first_rooms_of_a_table():
    rooms = table([3, 0], [4, 5], [1, 1])

    assert fitted(exact(5, 5), rooms).values.tolist() == [[3, 0], [2, 5], [0, 0]]
    assert fitted(9, rooms).values.tolist() == [[3, 0], [4, 5], [1, 1]]
    assert fitted(exact(5, 5), Exact(rooms.units * 10, 1)).values.tolist() == [[3, 0], [2, 5], [0, 0]]
    assert (told(over_rows(rooms)), told(over_rows(Exact(rooms.units, 1)))) == (
        [8, 6],
        [Decimal("0.8"), Decimal("0.6")],
    )
    assert (told(fitted(exact(5, 2), 4)), told(fitted(3, exact(5, 2))), fitted(3, 2)) == ([4, 2], [3, 2], 2)
    assert (told(over_rows(exact(5, 2))), over_rows(7)) == ([5, 2], 7)


def test_counts_are_shared_out_evenly_with_a_rest():
    assert [told(each) for each in spread(exact(7, 0, 6), exact(3, 0, 3))] == [[2, 0, 2], [1, 0, 0]]
    assert spread(7, 3) == (2, 1)
    with pytest.raises(TypeError, match="tells no rest"):
        spread(exact(1), 2**53)
    assert [is_never(each) for each in (0, 1, exact(0, 0), exact(0, 1))] == [True, False, True, False]
    assert (first(exact(4, 5)), first(6)) == (4, 6)


def test_words_differ_from_point_to_point():
    some = named(exact(0, 1, 2), "power")

    assert some.values.tolist() == ["", "power", "power"]
    assert either(some, "a longer word").values.tolist() == ["a longer word", "power", "power"]
    assert either("", some) is some
    assert (either("one", some), either("", "two"), named(1, "one"), named(0, "one")) == ("one", "two", "one", "")
    assert named(exact(1, 0, 1), some).values.tolist() == ["", "", "power"]
    assert parts(lambda: the_one(some)) == (["", "power", "power"], [False] * 3)
    assert (the_one(named(exact(1, 2), "power")), the_one("power")) == ("power", "power")


def test_a_decimal_is_the_same_with_zeros_behind_it():
    for zeros in ("5.00", "5", "5E+0"):
        assert (exact(1) * Decimal(zeros)).places == 0
    assert told(exact("1.5") + 7) == [Decimal("8.5")]
    assert type(exact(1) + 2**53) is Column

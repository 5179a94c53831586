"""Digits that are kept, digits that are told, and values at and beside the ends of their ranges."""

from decimal import Decimal, getcontext

import numpy as np
import pytest

from simulator.engine.columns import Column
from simulator.engine.errors import InvalidParameters
from simulator.engine.numbers import (
    INPUT_DIGITS,
    REPORT_DIGITS,
    Range,
    as_decimal,
    ceiling,
    exact,
    greatest,
    precise,
    require,
    rounded,
)


def test_fifty_digits_are_computed_fifteen_read_and_six_told():
    with precise():
        assert Decimal(1) / 3 == Decimal("0." + "3" * 50)
        assert Decimal(2) / 3 == Decimal("0." + "6" * 49 + "7")
    assert getcontext().prec != 50
    assert (INPUT_DIGITS, REPORT_DIGITS) == (15, 6)
    assert as_decimal(0.1 + 0.2) == Decimal("0.3")
    assert as_decimal(Decimal("1234567890.123456")) == Decimal("1234567890.12346")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("1E+1", "10"),
        ("123E+4", "1230000"),
        # 50 digits less the six that are told.
        ("1E+44", "1" + 44 * "0"),
        ("1E+45", "1E+45"),
        ("1.234565E+52", "1.23456E+52"),
        ("1.234575E+52", "1.23458E+52"),
        ("0.00012345650", "0.000123456"),
        ("-123456.7", "-123457"),
        ("-0", "0"),
    ],
)
def test_a_value_is_rounded_to_six_digits_half_to_even(value, shown):
    assert str(rounded(Decimal(value), 6)) == shown


@pytest.mark.parametrize(("value", "least"), [("2", 2), ("2.0001", 3), ("-2.5", -2), ("0", 0)])
def test_the_least_whole_number_that_is_not_below(value, least):
    assert (ceiling(Decimal(value)), type(ceiling(Decimal(value)))) == (least, int)
    assert exact(least) == least


def test_the_greatest_of_some_numbers_is_that_at_each_point():
    assert greatest([Decimal(1), Decimal(3), Decimal(2)]) == 3
    many = Column(np.array([1.0, 5.0]))
    for values in ([many, Decimal(3), Decimal(2)], [Decimal(3), many, Decimal(2)], [Decimal(2), Decimal(3), many]):
        assert list(greatest(values).values) == [3, 5]
    assert list(greatest([many, Column(np.array([4.0, 2.0]))]).values) == [4, 5]


@pytest.mark.parametrize(
    ("allowed", "within", "outside"),
    [
        (Range("", low=0), ["0", "1"], ["-0.1"]),
        (Range("", high=9), ["9", "-9"], ["9.1"]),
        (Range("", above=0), ["0.1"], ["0", "-1"]),
        (Range("", below=9), ["8.9"], ["9", "10"]),
        (Range("", step=Decimal("0.5")), ["1", "1.5", "-2"], ["1.2"]),
        (Range(""), ["-1E+9", "0"], []),
    ],
)
def test_a_range_ends_where_it_says(allowed, within, outside):
    for value in within:
        require(height=(Decimal(value), allowed))
    for value in outside:
        with pytest.raises(InvalidParameters, match=f"height is {value}; it must be") as refused:
            require(height=(Decimal(value), allowed))
        assert [(each.field, each.code) for each in refused.value.problems] == [("height", "out_of_range")]


def test_a_range_says_its_ends_and_its_unit():
    assert str(Range("kW", low=0, high=9)) == "at least 0 and at most 9 kW"
    assert str(Range("", above=1, below=Decimal("2.5"))) == "more than 1 and less than 2.5"

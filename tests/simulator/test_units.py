"""Units and numbers."""

from decimal import Decimal

import orjson
import pytest

from simulator.engine import InvalidParameters
from simulator.engine.numbers import as_decimal, plain, rounded
from simulator.engine.units import convert


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        (105, "lb", "kg", "47.62719885"),
        (1, "kw", "w", 1000),
        (3412, "btu_h", "w", "999.958491428"),
        (1000, "cfm", "m3_h", "1699.01079552"),
        (18, "delta_f", "k", 10),
        (60, "l_min", "m3_s", "0.001"),
        (Decimal("0.75"), "mw", "kw", 750),
    ],
)
def test_conversions(value, unit, to, expected):
    assert rounded(convert(Decimal(value), unit, to), 12) == Decimal(expected)


def test_units_of_two_dimensions_do_not_convert():
    with pytest.raises(InvalidParameters, match="kg is mass, kw is power"):
        convert(Decimal(1), "kg", "kw")
    with pytest.raises(InvalidParameters, match="stone is not one of"):
        convert(Decimal(1), "stone", "kg")


@pytest.mark.parametrize("value", [True, "1", None, [], 1j])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TypeError):
        as_decimal(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("-Infinity"), Decimal("sNaN")])
def test_what_is_not_finite_is_refused(value):
    with pytest.raises(ValueError, match="not a finite number"):
        as_decimal(value)


def test_numbers_are_shown_without_exponents_or_trailing_zeros():
    assert str(rounded(Decimal("1E+2"), 6)) == "100"
    assert str(rounded(Decimal("521.800"), 15)) == "521.8"
    assert str(rounded(Decimal("0.000"), 6)) == "0"
    assert (plain(Decimal("32.0")), type(plain(Decimal("32.0")))) == (32, int)
    assert plain(Decimal("40.8")) == 40.8


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("9007199254740991", 2**53 - 1),
        ("-9007199254740991", 1 - 2**53),
        ("9007199254740992", 9007199254740992.0),
        ("1.5E+30", 1.5e30),
        ("-1E+300", -1e300),
    ],
)
def test_a_whole_number_is_an_integer_as_far_as_json_holds_one(value, shown):
    found = plain(Decimal(value))

    assert (found, type(found)) == (shown, type(shown))
    assert orjson.loads(orjson.dumps(found)) == shown

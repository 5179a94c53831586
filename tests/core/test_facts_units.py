"""Units convert exactly, and PostgreSQL measures, converts and shows quantities as Python does."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.facts.unit_sql import factor
from core.facts.units import (
    SYSTEMS,
    UNITS,
    UnitError,
    convert,
    in_system,
    parse_quantity,
    plain,
    same_quantity,
    show,
    significant_digits,
)

NUMBERS = st.decimals(
    min_value=-(10**12), max_value=10**12, allow_nan=False, allow_infinity=False, places=9
)  # as a claim holds them


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        ("105", "lb", "kg", "47.62719885"),
        ("0.1", "MW", "W", "100000"),
        ("1", "CFM", "m3/h", "1.699010795520"),
        ("1", "m3/s", "m3/h", "3600"),
        ("1", "gpm", "l/min", "3.785411784"),
        ("1", "lb/ft²", "kg/m²", None),
        ("19", "in", "mm", "482.6"),
    ],
)
def test_quantities_convert_without_rounding(value, unit, to, expected):
    exact = convert(Decimal(value), unit, to)

    assert exact == (Fraction(expected) if expected else Fraction("0.45359237") / Fraction("0.3048") ** 2)
    assert convert(Decimal(1), to, unit) * exact == Fraction(value)


def test_every_unit_is_a_finite_decimal_of_its_base():
    assert [Fraction(factor(name)) for name in UNITS] == [unit.in_base for unit in UNITS.values()]


def test_each_unit_of_a_system_becomes_one_of_the_same_kind_and_comes_back():
    for system, targets in SYSTEMS.items():
        for unit, target in targets.items():
            assert UNITS[unit].measures == UNITS[target].measures
            assert target not in targets, f"{target} stays as it is in {system}"


@pytest.mark.parametrize(
    ("value", "unit", "system", "shown"),
    [
        ("105", "lb", "", "105 lb"),
        ("105", "lb", "us", "105 lb"),
        ("105", "lb", "si", "47.6 kg"),
        ("287.6", "lb", "si", "130.5 kg"),
        ("1360", "kg", "us", "2,998 lb"),
        ("700", "CFM", "si", "1,190 m³/h"),
        ("10200", "W", "us", "10.2 kW"),
        ("0.0005", "kW", "", "0.0005 kW"),
        ("42", "U", "si", "42 U"),
        ("4.4", "", "us", "4.4"),
        ("0", "kg", "us", "0 lb"),
        ("-5", "ft", "si", "-2 m"),
    ],
)
def test_a_quantity_is_shown_in_a_system_with_the_digits_that_were_stated(value, unit, system, shown):
    assert show(Decimal(value), unit, system) == shown


@pytest.mark.parametrize(("value", "digits"), [("10.2", 3), ("700", 3), ("0.007", 1), ("47.62719885", 10), ("0", 1)])
def test_significant_digits(value, digits):
    assert significant_digits(Decimal(value)) == digits


@pytest.mark.parametrize("text", ["", "kW", "1e3000kW", "ten kW", "1,000 W", "5 furlongs", "5 kg", "1e99GW", "NaN W"])
def test_what_is_no_power_is_refused_with_the_units_that_are(text):
    with pytest.raises(UnitError, match=r"W, kW, MW, GW|more than anything"):
        parse_quantity(text, unit="W")


@pytest.mark.django_db
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=NUMBERS, unit=st.sampled_from([*UNITS, "", "GPU"]), system=st.sampled_from(["", "si", "us"]))
@example(Decimal("105"), "lb", "si")
@example(Decimal("999.9995"), "kg", "us")
@example(Decimal("0.000000001"), "oz", "si")
@example(Decimal("1000"), "mm", "us")
@example(Decimal("254"), "mm", "us")
@example(Decimal("999999.9999"), "W", "")
def test_the_database_agrees_with_python(value, unit, system):
    with connection.cursor() as cursor:
        cursor.execute(
            "select facts_measures(%(u)s), facts_in_base(%(v)s, %(u)s), facts_text(%(v)s, %(u)s, %(s)s),"
            " facts_shown_value(%(v)s, %(u)s, %(s)s), facts_shown_unit(%(u)s, %(s)s)",
            {"v": value, "u": unit, "s": system},
        )
        measures, base, text, shown, shown_unit = cursor.fetchone()

    assert (measures, Fraction(base)) == same_quantity(value, unit)
    assert (plain(shown), shown_unit) == tuple(
        part if isinstance(part, str) else plain(part) for part in in_system(value, unit, system)
    )
    assert text == show(value, unit, system)

"""Units and numbers."""

from decimal import Decimal

import orjson
import pytest

from simulator.engine import InvalidParameters
from simulator.engine.numbers import as_decimal, plain, rounded
from simulator.engine.units import convert, dimension_of


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
        (Decimal("80.6"), "f", "c", 27),
        (-40, "c", "f", -40),
        (27, "c", "c", 27),
        (Decimal("27.8"), "percent", "fraction", "0.278"),
    ],
)
def test_conversions(value, unit, to, expected):
    assert rounded(convert(Decimal(value), unit, to), 12) == Decimal(expected)


# What one of each unit is in the first of its dimension. SI prefixes are powers of ten, GiB of two (IEC 80000-13); the
# foot is 0.3048 m, the pound 0.45359237 kg, the gallon 231 cubic inches (231 · 0.254³ l), the Btu 1,055.05585262 J, all
# exact by definition (NIST SP 811, appendix B); a line rate is in bits, eight to a byte.
ONE = {
    "w": {
        "kw": "1E3",
        "mw": "1E6",
        "gw": "1E9",
        "btu_h": Decimal("1055.05585262") / 3600,
        "ton_r": Decimal("1055.05585262") * 12_000 / 3600,
    },
    "va": {"kva": "1E3", "mva": "1E6"},
    "j": {"kj": "1E3", "mj": "1E6", "wh": 3600, "kwh": "3.6E6", "mwh": "3.6E9", "gwh": "3.6E12", "twh": "3.6E15"},
    "s": {"us": "1E-6", "ms": "0.001", "min": 60, "h": 3600, "days": 24 * 3600, "years": 365 * 24 * 3600},
    "kg": {"g": "0.001", "t": "1E3", "kt": "1E6", "mt": "1E9", "lb": "0.45359237"},
    "g_kwh": {"kg_mwh": 1, "kg_kwh": 1000, "lb_mwh": "0.45359237"},
    "l": {"m3": "1E3", "gal": 231 * Decimal("0.254") ** 3},
    "bytes": {
        "kb": "1E3",
        "mb": "1E6",
        "mib": 2**20,
        "gb": "1E9",
        "gib": 2**30,
        "tb": "1E12",
        "tib": 2**40,
        "pb": "1E15",
    },
    "gb_s": {"mb_s": "0.001", "gbps": "0.125", "tbps": 125, "gib_s": Decimal(2**30) / 10**9, "tb_s": "1E3"},
    "m3_s": {
        "m3_h": Decimal(1) / 3600,
        "l_min": Decimal(1) / 60_000,
        "l_h": Decimal("0.001") / 3600,
        "l_s": "0.001",
        "gpm": Decimal("0.003785411784") / 60,
        "cfm": Decimal("0.3048") ** 3 / 60,
    },
    "m": {"mm": "0.001", "cm": "0.01", "in": "0.0254", "ft": "0.3048"},
    "m2": {"ft2": Decimal("0.3048") ** 2},
    "j_kg_k": {"kj_kg_k": "1E3"},
    # A mass of 1 kg presses with 9.80665 N (ISO 80000-3).
    "pa": {
        "kpa": "1E3",
        "bar": "1E5",
        "kn_m2": "1E3",
        "kg_m2": "9.80665",
        "lb_ft2": Decimal("0.45359237") * Decimal("9.80665") / Decimal("0.3048") ** 2,
        "psi": Decimal("0.45359237") * Decimal("9.80665") / Decimal("0.0254") ** 2,
    },
    "n": {"kn": "1E3"},
    "kg_s": {},
    "w_m2": {"kw_m2": "1E3", "w_ft2": 1 / Decimal("0.3048") ** 2},
    "v": {"kv": "1E3"},
    "usd": {"musd": "1E6"},
    "gflops": {"tflops": "1E3", "pflops": "1E6", "eflops": "1E9"},
    "million": {"billion": "1E3", "trillion": "1E6"},
    "fraction": {"percent": "0.01"},
    "k": {"delta_f": Decimal(5) / 9},
}


def test_every_unit_is_in_the_table_of_factors():
    told = {"c", "f", *(unit for base, others in ONE.items() for unit in (base, *others))}

    with pytest.raises(InvalidParameters) as refused:
        convert(Decimal(1), "stone", "kg")
    message = refused.value.problems[0].message
    assert set(message.removeprefix("stone is not one of ").removesuffix(".").split(", ")) == told


@pytest.mark.parametrize(("unit", "base", "one"), [(u, base, one) for base, us in ONE.items() for u, one in us.items()])
def test_factors(unit, base, one):
    assert rounded(convert(Decimal(9), unit, base), 20) == rounded(9 * Decimal(one), 20)
    assert rounded(convert(9 * Decimal(one), base, unit), 20) == 9
    # In W for a W: what stands for the base itself.
    assert convert(Decimal(7), base, base) == 7
    assert dimension_of(unit) == dimension_of(base)


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

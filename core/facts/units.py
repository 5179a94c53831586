"""Units, with exact factors: a quantity converts without rounding, and compares as a quantity and not as text.

The factors are those of the SI brochure (9th edition, 2019) and of NIST Handbook 44, appendix C. The base of each kind
of quantity is chosen so that every factor is a finite decimal: PostgreSQL, which has no fractions, is then exact too
(`core/facts/unit_sql.py` makes its functions of this table).
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True)
class Unit:
    """A unit: what it measures, and how many of the base unit one of it is."""

    name: str
    measures: str
    in_base: Fraction


_FOOT_M = Fraction("0.3048")
_POUND_KG = Fraction("0.45359237")
_GALLON_L = Fraction("3.785411784")
# A litre a minute in cubic metres an hour: in these, unlike in m³/s, all flows are finite decimals.
_L_MIN = Fraction("0.06")

UNITS: dict[str, Unit] = {
    unit.name: unit
    for unit in [
        Unit("W", "power", Fraction(1)),
        Unit("kW", "power", Fraction(1000)),
        Unit("MW", "power", Fraction(10**6)),
        Unit("GW", "power", Fraction(10**9)),
        Unit("VA", "apparent_power", Fraction(1)),
        Unit("kVA", "apparent_power", Fraction(1000)),
        Unit("MVA", "apparent_power", Fraction(10**6)),
        Unit("J", "energy", Fraction(1)),
        Unit("Wh", "energy", Fraction(3600)),
        Unit("kWh", "energy", Fraction(3600 * 10**3)),
        Unit("MWh", "energy", Fraction(3600 * 10**6)),
        Unit("GWh", "energy", Fraction(3600 * 10**9)),
        Unit("TWh", "energy", Fraction(3600 * 10**12)),
        Unit("kg", "mass", Fraction(1)),
        Unit("g", "mass", Fraction(1, 1000)),
        Unit("t", "mass", Fraction(1000)),
        Unit("lb", "mass", _POUND_KG),
        Unit("oz", "mass", _POUND_KG / 16),
        Unit("m", "length", Fraction(1)),
        Unit("mm", "length", Fraction(1, 1000)),
        Unit("cm", "length", Fraction(1, 100)),
        Unit("in", "length", _FOOT_M / 12),
        Unit("ft", "length", _FOOT_M),
        Unit("m²", "area", Fraction(1)),
        Unit("m2", "area", Fraction(1)),
        Unit("ft²", "area", _FOOT_M**2),
        Unit("ft2", "area", _FOOT_M**2),
        Unit("m3/h", "volume_flow", Fraction(1)),
        Unit("m³/h", "volume_flow", Fraction(1)),
        Unit("m3/s", "volume_flow", Fraction(3600)),
        Unit("l/min", "volume_flow", _L_MIN),
        Unit("L/min", "volume_flow", _L_MIN),
        Unit("gpm", "volume_flow", _GALLON_L * _L_MIN),
        Unit("CFM", "volume_flow", _FOOT_M**3 * 60),
        Unit("cfm", "volume_flow", _FOOT_M**3 * 60),
        # A pound on a square foot is no finite number of kg/m², nor the other way round: the base is neither.
        Unit("kg/m²", "area_load", _FOOT_M**2),
        Unit("kg/m2", "area_load", _FOOT_M**2),
        Unit("lb/ft²", "area_load", _POUND_KG),
        Unit("lb/ft2", "area_load", _POUND_KG),
        Unit("U", "rack_units", Fraction(1)),
    ]
}

SYSTEMS: dict[str, dict[str, str]] = {
    "si": {
        "lb": "kg", "oz": "g", "ft": "m", "in": "mm", "CFM": "m³/h", "cfm": "m³/h", "gpm": "l/min",
        "ft²": "m²", "ft2": "m²", "lb/ft²": "kg/m²", "lb/ft2": "kg/m²",
    },
    "us": {
        "kg": "lb", "g": "oz", "t": "lb", "m": "ft", "cm": "in", "mm": "in", "m3/h": "CFM", "m³/h": "CFM",
        "m3/s": "CFM", "l/min": "gpm", "L/min": "gpm", "m²": "ft²", "m2": "ft²", "kg/m²": "lb/ft²", "kg/m2": "lb/ft²",
    },
}  # fmt: skip
"""What the units of one system become in the other. What stands in neither (kW, U, a count) is of both."""

SCALES = (("W", "kW", "MW", "GW"), ("VA", "kVA", "MVA"))
"""Units of which people read the largest that leaves a 1 before the point."""
_SCALE_OF = {unit: scale for scale in SCALES for unit in scale}
_SHOWN_PLACES = 9

_QUANTITY = re.compile(r"\s*([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?)\s*([^\s\d].*?)?\s*")
_MAX_DIGITS = 40


class UnitError(ValueError):
    """A unit that is unknown, or that measures something else."""


def convert(value: Decimal, unit: str, to: str) -> Fraction:
    """Return `value` of `unit` in the unit `to`, exactly. Raises UnitError."""
    if unit == to:
        return Fraction(value)
    source, target = _unit(unit), _unit(to)
    if source.measures != target.measures:
        raise UnitError(
            f"{unit} measures {source.measures.replace('_', ' ')}, {to} {target.measures.replace('_', ' ')}."
        )
    return Fraction(value) * source.in_base / target.in_base


def as_decimal(value: Fraction, *, places: int = 9) -> Decimal:
    """Return a fraction as a decimal: exact where it has one of at most `places` places, else rounded half to even."""
    scaled = round(value * 10**places)
    return Decimal(scaled).scaleb(-places)


def parse_quantity(text: str, *, unit: str, places: int = 24) -> Decimal:
    """Return the number of `unit` that `text` means: "100kW" is 100000 for W; a bare number is taken as `unit`.

    It is rounded to `places` as a column that keeps so many is, so that one finds the other. Raises UnitError, which
    names the units that may stand here, for what is no quantity, or one of something else.
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise UnitError(f"{text!r} is no quantity; write a number and one of {_named_units(unit)}.")
    written = match[2] or unit
    if written not in UNITS:
        raise UnitError(f"{written!r} is no unit that is known here; write one of {_named_units(unit)}.")
    if UNITS[written].measures != _unit(unit).measures:
        what = UNITS[written].measures.replace("_", " ")
        raise UnitError(f"{written} measures {what}; write one of {_named_units(unit)}.")
    value = as_decimal(convert(Decimal(match[1]), written, unit), places=places)
    if value.adjusted() > _MAX_DIGITS:
        raise UnitError(f"{text!r} is more than anything here can be.")
    return value


def _named_units(unit: str) -> str:
    return ", ".join(name for name, other in UNITS.items() if other.measures == _unit(unit).measures)


def same_quantity(value: Decimal, unit: str) -> tuple[str, Fraction]:
    """Return what two quantities have in common exactly when they are one: 0.7 kW and 700 W.

    A unit that is unknown here measures itself.
    """
    known = UNITS.get(unit)
    return (known.measures, Fraction(value) * known.in_base) if known else (unit, Fraction(value))


def in_system(value: Decimal, unit: str, system: str) -> tuple[Decimal, str]:
    """Return a quantity in the units of `system` ("si", "us", or "": as it is).

    What is converted has as many significant digits as what was stated and no more, halves rounded up: 105 lb is
    47.6 kg. The zeros of a whole number count as stated.
    """
    target = SYSTEMS[system].get(unit) if system else None
    if target is None:
        return value, unit
    return _to_digits(convert(value, unit, target), significant_digits(value)), target


def significant_digits(value: Decimal) -> int:
    """Return how many digits a value states: 3 of 10.2 and of 700, 1 of 0.007."""
    _, digits, exponent = value.normalize().as_tuple()
    return len(digits) + max(int(exponent), 0)


def _to_digits(value: Fraction, digits: int) -> Decimal:
    if not value:
        return Decimal(0)
    whole, parts = divmod(abs(value.numerator), value.denominator)
    magnitude = len(str(whole)) - 1 if whole else -1 - len(str(value.denominator // parts)) + 1
    while not whole and abs(value) < Fraction(10) ** magnitude:
        magnitude -= 1
    while not whole and abs(value) >= Fraction(10) ** (magnitude + 1):
        magnitude += 1
    return _half_up(value, digits - 1 - magnitude)


def _half_up(value: Fraction, places: int) -> Decimal:
    """Return a fraction with so many places, halves away from zero as PostgreSQL rounds."""
    scaled = abs(value) * Fraction(10) ** places
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Decimal(rounded if value >= 0 else -rounded).scaleb(-places)


def show(value: Decimal, unit: str, system: str = "") -> str:
    """Return a quantity as people read it: 10200 W is "10.2 kW", 1360 kg is "1,360 kg", or in the units of `system`."""
    value, unit = in_system(value, unit, system)
    for larger in reversed(_SCALE_OF.get(unit, ())):
        scaled = _half_up(convert(value, unit, larger), _SHOWN_PLACES)
        if abs(scaled) >= 1:
            return f"{plain(scaled)} {larger}"
    return f"{plain(value)} {unit.replace('m3/', 'm³/')}".strip()


def plain(value: Decimal) -> str:
    """Return a number without idle zeros, thousands apart."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def digits_of(value: Decimal) -> str:
    """Return a number as digits alone, without idle zeros."""
    return format(value.normalize(), "f")


def _unit(name: str) -> Unit:
    unit = UNITS.get(name)
    if unit is None:
        raise UnitError(f"{name!r} is no unit that is known here.")
    return unit

"""Units, with exact factors: a quantity converts without rounding, and compares as a quantity and not as text.

The factors are those of the SI brochure (9th edition, 2019) and of NIST Handbook 44, appendix C.
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
        Unit("m3/h", "volume_flow", Fraction(1, 3600)),
        Unit("m³/h", "volume_flow", Fraction(1, 3600)),
        Unit("m3/s", "volume_flow", Fraction(1)),
        Unit("l/min", "volume_flow", Fraction(1, 60_000)),
        Unit("L/min", "volume_flow", Fraction(1, 60_000)),
        Unit("CFM", "volume_flow", _FOOT_M**3 / 60),
        Unit("cfm", "volume_flow", _FOOT_M**3 / 60),
        Unit("U", "rack_units", Fraction(1)),
    ]
}

_QUANTITY = re.compile(r"\s*([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?)\s*([^\s\d].*?)?\s*")


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


def parse_quantity(text: str, *, unit: str) -> Decimal:
    """Return the number of `unit` that `text` means: "100kW" is 100000 for W; a bare number is taken as `unit`.

    Raises UnitError for what is no quantity, or one of something else.
    """
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise UnitError(f"{text!r} is no quantity; write it as in 100kW.")
    return as_decimal(convert(Decimal(match[1]), match[2] or unit, unit))


def _unit(name: str) -> Unit:
    unit = UNITS.get(name)
    if unit is None:
        raise UnitError(f"{name!r} is no unit that is known here.")
    return unit

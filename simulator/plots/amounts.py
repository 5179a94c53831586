"""How numbers are written in pictures: few digits, and the unit that needs no zeros."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

_POWERS = (("GW", Decimal(10) ** 6), ("MW", Decimal(10) ** 3), ("kW", Decimal(1)), ("W", Decimal("0.001")))
UNKNOWN = "unknown"


def number(value: Decimal | None, digits: int = 3) -> str:
    """Return a number with `digits` significant ones, more before the point if it has them: 40.8, 1,230, 0.0125."""
    if value is None:
        return UNKNOWN
    if not value:
        return "0"
    places = max(0, digits - 1 - value.adjusted())
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def power(kw: Decimal | None, digits: int = 3) -> str:
    """Return a power, given in kW, in W, kW, MW or GW: 700 W, 40.8 kW, 131 MW."""
    if kw is None:
        return UNKNOWN
    # Rounded before the unit is chosen: 999.96 kW are 1 MW.
    kw = Decimal(f"{kw:.{digits - 1}e}")
    unit, size = power_unit(kw)
    return f"{number(kw / size, digits)} {unit}"


def power_unit(kw: Decimal) -> tuple[str, Decimal]:
    """Return the unit in which a power has one to three digits before the point, and how many kW it is."""
    return next((each for each in _POWERS if abs(kw) >= each[1]), _POWERS[-1] if kw else _POWERS[2])


def percent(fraction: Decimal) -> str:
    """Return a fraction in percent: 7.4 %."""
    return f"{number(fraction * 100, 2)} %"


def listed(parts: Iterable[str]) -> str:
    """Return a sentence of parts that stand beside each other."""
    return "; ".join(parts) + "."

"""Units in which sources give weights and lengths, with their exact ratios (international yard and pound, 1959)."""

from decimal import Decimal

KILOGRAMS = {
    "kg": Decimal(1),
    "g": Decimal("0.001"),
    "lb": Decimal("0.45359237"),
    "oz": Decimal("0.028349523125"),
}
MILLIMETRES = {"mm": Decimal(1), "in": Decimal("25.4")}


def kilograms(value: Decimal, unit: str) -> Decimal:
    """Return `value` in kg, exactly; `unit` is kg, g, lb or oz."""
    return value * KILOGRAMS[unit]


def millimetres(value: Decimal, unit: str) -> Decimal:
    """Return `value` in mm, exactly; `unit` is mm or in."""
    return value * MILLIMETRES[unit]

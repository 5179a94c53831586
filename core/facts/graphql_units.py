"""Units over GraphQL: a quantity as it was stated, and in SI or US units."""

from decimal import Decimal
from enum import Enum
from typing import Annotated

import strawberry

from core.facts.units import in_system, show


@strawberry.enum(name="Units", description="A system of units. What is of both (kW, U, a count) stays as it is.")
class System(Enum):
    SI = "si"
    US = "us"


Units = Annotated[
    System | None,
    strawberry.argument(description="Convert into this system; with no more digits than were stated."),
]


@strawberry.type(description="A quantity in the units that were asked for; else as it was stated.")
class Converted:
    value: Decimal | None
    unit: str


def text_in(value: Decimal | None, unit: str, units: System | None) -> str | None:
    """Return a quantity as people read it: 10.2 kW. None of one that is unknown."""
    return None if value is None else show(value, unit, units.value if units else "")


def converted(value: Decimal | None, unit: str, units: System | None) -> Converted:
    """Return a quantity in the units of a system."""
    number, shown = in_system(Decimal(0) if value is None else value, unit, units.value if units else "")
    return Converted(value=None if value is None else number.normalize(), unit=shown)

"""The air that equipment is built for: ASHRAE's classes, and how altitude lowers their maximum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from simulator.engine.air import AIR_TEMPERATURE_C, ALTITUDE_M
from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

T = TypeVar("T")

_ASHRAE = "ASHRAE TC 9.9, 2021 Equipment Thermal Guidelines for Data Processing Environments, reference card"

INLET_MAX_C = Quantity(
    "inlet_max_c", "°C", "class maximum − max(0, altitude_m − start_m) / metres_per_c", _ASHRAE, False
)


@dataclass(frozen=True, slots=True)
class AirClass:
    """Dry-bulb limits of one class: `metres_per_c` is the climb above `start_m` that takes a degree off the maximum.

    The recommended range has no derating of its own.
    """

    name: str
    min_c: Decimal
    max_c: Decimal
    max_altitude_m: Decimal = Decimal(3050)
    metres_per_c: Decimal | None = None
    start_m: Decimal = Decimal(900)
    max_rate_tape_c_per_h: Decimal = Decimal(5)
    max_rate_other_c_per_h: Decimal = Decimal(20)
    recommended_min_c: Decimal = Decimal(18)
    recommended_max_c: Decimal = Decimal(27)
    min_dew_point_c: Decimal = Decimal(-12)
    max_dew_point_c: Decimal = Decimal(17)
    max_rh_fraction: Decimal = Decimal("0.8")
    min_rh_fraction: Decimal | None = Decimal("0.08")


AIR_CLASSES = {
    each.name: each
    for each in (
        AirClass(
            "recommended",
            Decimal(18),
            Decimal(27),
            min_dew_point_c=Decimal(-9),
            max_dew_point_c=Decimal(15),
            max_rh_fraction=Decimal("0.7"),
            min_rh_fraction=None,
        ),
        AirClass("A1", Decimal(15), Decimal(32), metres_per_c=Decimal(300)),
        AirClass("A2", Decimal(10), Decimal(35), metres_per_c=Decimal(300), max_dew_point_c=Decimal(21)),
        AirClass(
            "A3",
            Decimal(5),
            Decimal(40),
            metres_per_c=Decimal(175),
            max_dew_point_c=Decimal(24),
            max_rh_fraction=Decimal("0.85"),
        ),
        AirClass(
            "A4",
            Decimal(5),
            Decimal(45),
            metres_per_c=Decimal(125),
            max_dew_point_c=Decimal(24),
            max_rh_fraction=Decimal("0.9"),
        ),
        AirClass("H1", Decimal(5), Decimal(25), metres_per_c=Decimal(500), recommended_max_c=Decimal(22)),
    )
}
"""Look-up: ASHRAE TC 9.9, 2021 reference card. The recommended humidity of 70 % is that of clean air (50 % where it
corrodes silver or copper); in the classes the air is dry below −12 °C of dew point or 8 %, whichever is damper."""

WATER_CLASSES = {name: Decimal(name[1:]) for name in ("W17", "W27", "W32", "W40", "W45")}
"""Look-up: the highest temperature in °C of the water of the facility, which names the class; W+ begins above 45 °C and
has no maximum. Source: ASHRAE TC 9.9, 2021 reference card."""

COOLANT_CLASSES = {name: Decimal(name[1:]) for name in ("S30", "S40", "S50")}
"""Look-up: the highest temperature in °C at which the loop of cold plates is supplied, which names the class. They are
of the coolant of the racks (technology cooling system), where the W classes are of the water of the facility on the
other side of the CDU. Source: ASHRAE TC 9.9, 2024, S classes, from memory; the limits are read off the names."""

FORMER_WATER_CLASSES = {"W1": "W17", "W2": "W27", "W3": "W32", "W4": "W45"}
"""Look-up: the names of ASHRAE TC 9.9, 2011 and 2015, for the classes of 2021; W5, above 45 °C, is W+."""


def _looked_up(parameter: str, name: str, classes: Mapping[str, T]) -> T:
    found = classes.get(name)
    if found is None:
        message = f"{parameter} is {name}; choose one of {', '.join(classes)}."
        raise InvalidParameters([Problem(parameter, "not_a_choice", message)])
    return found


def air_class(name: str) -> AirClass:
    """Return a class of the look-up by name. Source: ASHRAE TC 9.9, 2021 reference card.

    Raises InvalidParameters for a name that is not in it.
    """
    return _looked_up("air_class", name, AIR_CLASSES)


def water_class_max_c(name: str) -> Decimal:
    """Return the highest supply temperature in °C of facility water of a class.

    Valid for W17 to W45, and W1 to W4 as they were called until 2021. Source: ASHRAE TC 9.9, 2021.

    Raises InvalidParameters for a name that is not in the look-up; W+ has no maximum.
    """
    return _looked_up("water_class", FORMER_WATER_CLASSES.get(name, name), WATER_CLASSES)


def coolant_class_max_c(name: str) -> Decimal:
    """Return the highest supply temperature in °C of the coolant of cold plates of a class.

    Valid for S30, S40 and S50. Source: the look-up COOLANT_CLASSES.

    Raises InvalidParameters for a name that is not in it.
    """
    return _looked_up("coolant_class", name, COOLANT_CLASSES)


def derated_max_c(
    max_c: Decimal, *, altitude_m: Decimal, start_m: Decimal = Decimal(900), metres_per_c: Decimal | None
) -> Decimal:
    """Return the highest inlet temperature in °C at an altitude: max − max(0, h − start) / metres per degree.

    Valid from 500 m below the sea to 11,000 m, though classes end at 3,050 m; without `metres_per_c` nothing is taken
    off. Source: ASHRAE TC 9.9, 2021 (1 °C for each 300 m above 900 m in A1 and A2, 175 in A3, 125 in A4, 500 in H1).
    """
    require(max_c=(max_c, AIR_TEMPERATURE_C), altitude_m=(altitude_m, ALTITUDE_M))
    if metres_per_c is None:
        return max_c
    require(metres_per_c=(metres_per_c, Range("m/°C", above=0)))
    return max_c - max(Decimal(0), altitude_m - start_m) / metres_per_c

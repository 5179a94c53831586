"""What a rack weighs, and what it puts on the floor."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from simulator.engine.amounts import Total, line_total, total
from simulator.engine.devices import Line
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

FOOTPRINT_M2 = Range("m²", low=Decimal("0.05"), high=20)
TARE_KG = Range("kg", low=0, high=5000)
MAX_KG = Range("kg", low=1, high=20_000)
FLOOR_MAX_KG_M2 = Range("kg/m²", low=1, high=100_000)

EQUIPMENT_KG = Quantity(
    "equipment_kg", "kg", "Σ quantity · weight_kg", "Arithmetic; the values are the catalogue's, with its sources"
)
TOTAL_KG = Quantity(
    "total_kg", "kg", "equipment_kg + tare_kg (a device that is a whole rack brings its own frame)", "Arithmetic"
)
FLOOR_LOAD = Quantity(
    "floor_load_kg_m2", "kg/m²", "total_kg / footprint_m2", "Definition of a uniformly distributed load", False
)
FLOOR_LOAD_KN = Quantity(
    "floor_load_kn_m2",
    "kN/m²",
    "floor_load_kg_m2 · 9.80665 / 1000",
    "Standard gravity (ISO 80000-3); floors are specified so in Europe",
    False,
)


def equipment_weight_kg(lines: Sequence[Line]) -> Total:
    """Return the weight of all devices in kg: Σ quantity · weight; unknown weights are named.

    Valid for any weight from 0. Source: arithmetic.
    """
    return total((line.device.slug, line_total(line.device.weight_kg, line.quantity)) for line in lines)


def floor_load_kg_m2(total_kg: Decimal, footprint_m2: Decimal) -> Decimal:
    """Return the load on the floor in kg/m²: total_kg / footprint_m2, spread evenly over the footprint.

    A point load under a caster is higher; this is the figure that floors are specified by. Valid for a footprint of
    0.05 to 20 m². Source: definition of a uniformly distributed load.
    """
    require(footprint_m2=(footprint_m2, FOOTPRINT_M2))
    return total_kg / footprint_m2


def floor_load_kn_m2(kg_m2: Decimal) -> Decimal:
    """Return a load on the floor in kN/m² (kPa): kg/m² · 9.80665 / 1000.

    Valid for any load at rest. Source: standard gravity, ISO 80000-3.
    """
    return convert(kg_m2, "kg_m2", "kn_m2")


def floor_area_m2(total_kg: Decimal, floor_max_kg_m2: Decimal) -> Decimal:
    """Return the floor in m² over which a weight must be spread, as by a plate: total_kg / floor_max_kg_m2.

    Valid for an even load. Source: definition of a uniformly distributed load.
    """
    require(floor_max_kg_m2=(floor_max_kg_m2, FLOOR_MAX_KG_M2))
    return total_kg / floor_max_kg_m2

"""Coolant distribution units: how many a hall needs, and how many racks one serves."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

from simulator.engine.air import HEAT_KW
from simulator.engine.numbers import Range, ceiling, require
from simulator.engine.trace import Quantity

CDU_KW = Range("kW", above=0, high=100_000)
LIQUID_KW = HEAT_KW
APPROACH_K = Range("K", low=0, high=30)
WATER_C = Range("°C", low=0, high=80)

_UNITS = "Whole units that carry the heat between them; what one carries is the vendor's, at its approach and flow"

CDUS_NEEDED = Quantity("cdus_needed_count", "", "⌈liquid_kw / cdu_kw⌉", _UNITS)
CDUS_INSTALLED = Quantity("cdus_installed_count", "", "N, N + 1, N + 2 or 2 · N of those needed", _UNITS)
RACKS_PER_CDU = Quantity("racks_per_cdu_count", "", "⌊cdu_kw / the liquid heat of the rack that has most⌋", _UNITS)


def racks_per_cdu(cdu_kw: Decimal, rack_liquid_kw: Decimal) -> Decimal:
    """Return how many racks one unit takes: ⌊unit / liquid heat of a rack⌋.

    Valid for racks that each hang on one unit; 0 where a rack gives off more than it takes. Source: arithmetic.
    """
    require(cdu_kw=(cdu_kw, CDU_KW), rack_liquid_kw=(rack_liquid_kw, Range("kW", above=0, high=10_000_000)))
    whole: Decimal = (cdu_kw / rack_liquid_kw).to_integral_value(rounding=ROUND_FLOOR)
    return whole


def cdus_needed(liquid_kw: Decimal, cdu_kw: Decimal) -> int:
    """Return the units that take the liquid heat of a hall: ⌈heat / unit⌉.

    Valid for units on a common loop, which share the heat as it comes; racks of which each hangs on one unit may need
    more. Source: arithmetic.
    """
    require(liquid_kw=(liquid_kw, LIQUID_KW), cdu_kw=(cdu_kw, CDU_KW))
    return ceiling(liquid_kw / cdu_kw)


def coolant_supply_c(facility_c: Decimal, approach_k: Decimal) -> Decimal:
    """Return the coolant in °C that a unit sends to racks: water of the facility + approach.

    Valid for an approach of 0 to 30 K, which is that of one load and two flows. Source: definition of the approach of a
    heat exchanger.
    """
    require(facility_c=(facility_c, WATER_C), approach_k=(approach_k, APPROACH_K))
    return facility_c + approach_k

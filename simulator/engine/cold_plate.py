"""A chip on a cold plate: how warm it gets over its coolant, and what coolant and plate its limit allows."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.coolant import COOLANT_TEMPERATURE_C
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

CHIP_W = Range("W", above=0, high=100_000)
RESISTANCE_K_W = Range("K/W", above=0, high=100)
LIMIT_C = Range("°C", low=20, high=150)

_PLATE = "Thermal resistance from case to coolant supply (OCP, ACS Liquid Cooling: Cold Plate Requirements)"

COOLANT_LIMIT = Quantity("throttle_coolant_c", "°C", "limit_c − chip_w · resistance_k_w", _PLATE, False)


def chip_on_plate_c(coolant_c: Decimal, chip_w: Decimal, resistance_k_w: Decimal) -> Decimal:
    """Return the temperature in °C of a chip on a cold plate: coolant + power · resistance.

    The resistance, in K/W, is from where the temperature is meant (case or junction) to the coolant as it arrives, at
    the flow at which it was measured. Valid for coolant of 5 to 80 °C. Source: definition of a thermal resistance
    (Incropera et al., ch. 3).
    """
    require(
        coolant_c=(coolant_c, COOLANT_TEMPERATURE_C),
        chip_w=(chip_w, CHIP_W),
        resistance_k_w=(resistance_k_w, RESISTANCE_K_W),
    )
    return coolant_c + chip_w * resistance_k_w


def coolant_max_c(limit_c: Decimal, chip_w: Decimal, resistance_k_w: Decimal) -> Decimal:
    """Return the warmest coolant in °C that keeps a chip at its limit: limit − power · resistance.

    Valid for a limit of 20 to 150 °C. Source: definition of a thermal resistance (Incropera et al., ch. 3).
    """
    require(limit_c=(limit_c, LIMIT_C), chip_w=(chip_w, CHIP_W), resistance_k_w=(resistance_k_w, RESISTANCE_K_W))
    return limit_c - chip_w * resistance_k_w


def plate_resistance_k_w(chip_c: Decimal, coolant_c: Decimal, chip_w: Decimal) -> Decimal:
    """Return the resistance in K/W between a chip and its coolant: (chip − coolant) / power.

    What was measured, or the most that a limit allows. Valid for a chip that is warmer than its coolant. Source:
    definition of a thermal resistance (Incropera et al., ch. 3).
    """
    require(chip_w=(chip_w, CHIP_W), chip_c=(chip_c, Range("°C", above=coolant_c, high=150)))
    return (chip_c - coolant_c) / chip_w

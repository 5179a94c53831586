"""What carries the load when the utility does not: storage in racks, UPS, generators and their fuel."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, ceiling, exact, require
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

POWER_KW = Range("kW", above=0, high=100_000_000)
LOAD_KW = Range("kW", low=0, high=100_000_000)
ENERGY_KJ = Range("kJ", low=0, high=1_000_000_000_000)
COUNT = Range("", low=0, high=100_000, step=Decimal(1))
NEEDED = Range("", low=0, step=Decimal(1))
"""A quotient: of a load by a unit that may be small."""
FRACTION = Range("", low=0, high=1)
DERATE = Range("", low=Decimal("0.05"), high=1)
FUEL_L_H = Range("l/h", above=0, high=100_000)
TANK_L = Range("l", low=0, high=100_000_000)

_UNITS = "Whole units that carry the load between them"

GENERATORS_N = Quantity("generators_needed_count", "", "⌈load / (unit_kw · derate)⌉", _UNITS)
FUEL_RATE = Quantity(
    "generator_fuel_l_h", "l/h", "load_kw · full_load_l_h / unit_kw", "Proportional to load, as at full load", False
)
TANK_HOURS = Quantity("tank_hours", "h", "tank_l / generator_fuel_l_h", "Definition", False)
UPS_RIDE_THROUGH = Quantity("ups_ride_through_s", "s", "usable energy / load_kw", "First law of thermodynamics", False)

SCHEMES = ("n", "n+1", "n+2", "2n", "2(n+1)")


def units_needed(load_kw: Decimal, unit_kw: Decimal, *, derate: Decimal = Decimal(1)) -> int:
    """Return the units that carry a load: ⌈load / (unit · derate)⌉.

    `derate` lowers a standby rating for altitude and temperature. Valid for a derate of 0.05 to 1. Source: arithmetic;
    a unit is whole, so the count is rounded up.
    """
    require(load_kw=(load_kw, LOAD_KW), unit_kw=(unit_kw, POWER_KW), derate=(derate, DERATE))
    return ceiling(load_kw / (unit_kw * derate))


def units_installed(needed: int, scheme: str) -> int:
    """Return the units that are installed for `needed` ones: N, N + 1, N + 2, 2·N or 2·(N + 1).

    Valid for up to 100,000 units. Source: definition of the schemes.
    """
    require(needed=(exact(needed), NEEDED))
    return {"n": needed, "n+1": needed + 1, "n+2": needed + 2, "2n": 2 * needed, "2(n+1)": 2 * needed + 2}[scheme]


def fuel_per_kwh(full_load_per_h: Decimal, rating_kw: Decimal) -> Decimal:
    """Return the fuel that a generator burns for a kilowatt-hour, in the unit of `full_load_per_h`.

    full load per hour / rating. Valid near full load; at a quarter of it a diesel burns about a fifth more for each
    kilowatt-hour. Source: definition; data sheets give the full-load burn.
    """
    require(full_load_per_h=(full_load_per_h, FUEL_L_H), rating_kw=(rating_kw, POWER_KW))
    return full_load_per_h / rating_kw


def tank_hours(tank: Decimal, per_h: Decimal) -> Decimal:
    """Return the hours that a tank lasts: content / burn, both in one unit of volume.

    Valid for a steady burn. Source: definition.
    """
    require(tank=(tank, TANK_L), per_h=(per_h, FUEL_L_H))
    return tank / per_h


def ride_through_s(energy_kj: Decimal, load_kw: Decimal, *, usable_fraction: Decimal = Decimal(1)) -> Decimal:
    """Return the seconds that stored energy carries a load: energy · usable / load.

    Valid for a constant load within the power that the store can give; batteries give less energy at a high rate.
    Source: first law of thermodynamics.
    """
    require(energy_kj=(energy_kj, ENERGY_KJ), load_kw=(load_kw, POWER_KW), usable_fraction=(usable_fraction, FRACTION))
    return energy_kj * usable_fraction / load_kw


def stored_kj(joules_each: Decimal, count: int) -> Decimal:
    """Return the energy of `count` like stores in kJ: J · count / 1000.

    Valid for up to 100,000 stores. Source: arithmetic.
    """
    require(joules_each=(joules_each, ENERGY_KJ), count=(Decimal(count), COUNT))
    return convert(joules_each * count, "j", "kj")


def smoothed_peak_kw(peak_kw: Decimal, cut_fraction: Decimal) -> Decimal:
    """Return the peak in kW that the grid sees after storage has cut it: peak · (1 − cut).

    It smooths the steps of a synchronous job and is no ride-through: the energy lasts for milliseconds. Valid for a
    fraction in [0, 1]. Source: definition; NVIDIA gives 30 % for GB300 NVL72.
    """
    require(peak_kw=(peak_kw, LOAD_KW), cut_fraction=(cut_fraction, FRACTION))
    return peak_kw * (1 - cut_fraction)


STEPS = Range("steps", low=1, high=100, step=Decimal(1))
SECONDS = Range("s", low=0, high=86_400)


def full_load_after_s(start_s: Decimal, steps: int, step_interval_s: Decimal) -> Decimal:
    """Return the seconds until generators carry the whole load: start + (steps − 1) · interval.

    The first step is taken at the start. Valid for steps that an engine takes without its speed falling out of bounds
    (ISO 8528-5). Source: arithmetic.
    """
    require(start_s=(start_s, SECONDS), steps=(Decimal(steps), STEPS), step_interval_s=(step_interval_s, SECONDS))
    return start_s + (steps - 1) * step_interval_s

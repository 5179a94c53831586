"""Where the heat of a rack goes: into the air, and into the liquid of cold plates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.amounts import Total, line_total, remainder, share, total
from simulator.engine.devices import Device, Line
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

_ENERGY = "First law of thermodynamics: all electrical power of a device leaves it as heat"

LIQUID_HEAT = Quantity("liquid_heat_kw", "kW", "Σ quantity · power_w · heat_to_liquid_fraction / 1000", _ENERGY)
AIR_HEAT = Quantity(
    "air_heat_kw",
    "kW",
    "density_kw − liquid_heat_kw; a device that does not say whether it has cold plates counts as air",
    _ENERGY,
)
LIQUID_FRACTION = Quantity("liquid_fraction", "", "liquid_heat_kw / density_kw", "Definition of a ratio", False)
AIR_FRACTION = Quantity("air_fraction", "", "air_heat_kw / density_kw", "Definition of a ratio", False)


@dataclass(frozen=True, slots=True)
class Streams:
    """The heat of a rack in kW.

    `air` is what the air must be able to take: it includes all heat of the devices in `unsaid`, which do not say
    whether they have cold plates. `certain_air` leaves theirs out. `liquid` is unknown as long as there are such.
    """

    air: Total
    certain_air: Total
    liquid: Total
    unsaid: tuple[str, ...]


def liquid_heat_w(power_w: Decimal | None, liquid_fraction: Decimal | None) -> Decimal | None:
    """Return the heat in W that cold plates take: power · fraction; 0 for a fraction of 0, whatever the power is.

    Valid for a fraction in [0, 1]. Source: definition of the fraction, as data sheets give it.
    """
    if liquid_fraction == 0:
        return Decimal(0)
    return None if power_w is None or liquid_fraction is None else share(power_w, liquid_fraction)


def air_heat_w(power_w: Decimal | None, liquid_fraction: Decimal | None) -> Decimal | None:
    """Return the heat in W that is left to the air: power − power · fraction; 0 for a fraction of 1.

    Valid for a fraction in [0, 1]. Source: first law of thermodynamics, steady state.
    """
    if liquid_fraction == 1:
        return Decimal(0)
    liquid = liquid_heat_w(power_w, liquid_fraction)
    return None if power_w is None or liquid is None else remainder(power_w, liquid)


def heat_streams(lines: Sequence[Line], basis: str) -> Streams:
    """Return the heat of the rack in kW by where it goes, on `basis` nameplate, typical or idle.

    Air and liquid add up to the power of the rack where all is known. Source: first law of thermodynamics.
    """
    unsaid = unsaid_of(lines)
    air, certain, liquid = [], [], []
    for line in lines:
        slug, fraction = line.device.slug, _fraction(line.device)
        power_w = line_total(_power_w(line.device, basis), line.quantity)
        liquid.append((slug, liquid_heat_w(power_w, fraction)))
        if slug in unsaid:
            air.append((slug, power_w))
        else:
            certain.append((slug, air_heat_w(power_w, fraction)))
    return Streams(_kw(air + certain), _kw(certain), _kw(liquid), unsaid)


def unsaid_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the devices, by slug, that do not say whether they have cold plates."""
    return tuple(
        line.device.slug for line in lines if line.device.cold_plates is None and not line.device.is_power_path
    )


def _power_w(device: Device, basis: str) -> Decimal | None:
    power: Decimal | None = getattr(device, f"power_{basis}_w")
    return Decimal(0) if device.is_power_path else power


def _fraction(device: Device) -> Decimal | None:
    if device.is_power_path or device.has_cold_plates is False:
        return Decimal(0)
    return device.heat_to_liquid_fraction


def _kw(parts: Sequence[tuple[str, Decimal | None]]) -> Total:
    return total(parts).through(lambda value: convert(value, "w", "kw"))

"""Carbon: of the electricity that is used, and of making what uses it."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.campus.energy import ENERGY_KWH, PUE
from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

INTENSITY_G_KWH = Range("g/kWh", low=0, high=2000)
KGCO2E = Range("kg", low=0, high=1_000_000_000_000)
COUNT = Range("", low=0, high=1_000_000_000)
FRACTION = Range("", low=0, high=1)
LIFE_YEARS = Range("years", above=0, high=50)

OPERATIONAL = Quantity(
    "operational_tco2e", "t", "facility_energy_kwh · grid_g_per_kwh / 10⁶", "GHG Protocol, Scope 2, location-based"
)
CUE = Quantity(
    "cue_g_per_kwh", "g/kWh", "pue · grid_g_per_kwh", "ISO/IEC 30134-8: carbon of the facility for each kWh of IT"
)
EMBODIED = Quantity(
    "embodied_tco2e", "t", "devices · kgco2e_each / 1000", "ISO 14067, cradle to gate; parameters of the asker"
)
EMBODIED_A_YEAR = Quantity(
    "embodied_tco2e_per_year", "t", "embodied_tco2e / life_years", "Spread evenly over the life", False
)
CARBON = Quantity("carbon_tco2e_per_year", "t", "operational_tco2e + embodied_tco2e_per_year", "Arithmetic", False)
CARBON_PER_GPU_HOUR = Quantity(
    "gco2e_per_gpu_h", "g", "carbon_tco2e_per_year · 10⁶ / (gpus · hours · load_factor)", "Definition", False
)


def operational_kg(kwh: Decimal, intensity_g_kwh: Decimal) -> Decimal:
    """Return the emissions of electricity in kg of CO₂ equivalent: kWh · g/kWh / 1000.

    Location-based: the average of generation, not what a contract says, nor what one more kilowatt-hour causes. Valid
    for 0 to 2,000 g/kWh. Source: GHG Protocol, Scope 2.
    """
    require(kwh=(kwh, ENERGY_KWH), intensity_g_kwh=(intensity_g_kwh, INTENSITY_G_KWH))
    return kwh * intensity_g_kwh / 1000


def part_kg(whole_kgco2e: Decimal, fraction: Decimal) -> Decimal:
    """Return the share of one part of an embodied footprint, in kg: whole · fraction.

    Valid for a fraction in [0, 1]. Source: arithmetic.
    """
    require(whole_kgco2e=(whole_kgco2e, KGCO2E), fraction=(fraction, FRACTION))
    return whole_kgco2e * fraction


def embodied_kg(devices: Decimal, kgco2e_each: Decimal) -> Decimal:
    """Return the embodied carbon of like devices in kg: devices · each.

    Valid for footprints of one boundary (a baseboard leaves out the host and its memory). Source: ISO 14067.
    """
    require(devices=(devices, COUNT), kgco2e_each=(kgco2e_each, KGCO2E))
    return devices * kgco2e_each


def embodied_per_year(total: Decimal, life_years: Decimal) -> Decimal:
    """Return the embodied carbon of one year of a life, in the unit of `total`: total / years.

    Valid for a life of up to 50 years. Source: straight-line allocation, as of depreciation.
    """
    require(life_years=(life_years, LIFE_YEARS))
    return total / life_years


def usage_g_per_kwh(pue: Decimal, intensity_g_kwh: Decimal) -> Decimal:
    """Return the carbon usage effectiveness (CUE) in g for a kilowatt-hour of IT: PUE · intensity.

    Valid for a PUE from 1 and electricity alone (no fuel on site). Source: ISO/IEC 30134-8.
    """
    require(pue=(pue, PUE), intensity_g_kwh=(intensity_g_kwh, INTENSITY_G_KWH))
    return pue * intensity_g_kwh

"""Energy of a year, what it costs, and the ratios of a facility."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

POWER_KW = Range("kW", low=0, high=1_000_000_000)
HOURS = Range("h", low=0, high=8784)
FRACTION = Range("", low=0, high=1)
PUE = Range("", low=1, high=10)
WUE = Range("l/kWh", low=0, high=100)
ENERGY_KWH = Range("kWh", low=0, high=10_000_000_000_000)
USD_KWH = Range("USD/kWh", low=0, high=100)
USD_KW_MONTH = Range("USD/kW and month", low=0, high=1000)
YEARS = Range("years", above=0, high=200)

HOURS_A_YEAR = Decimal(8760)
"""A year of 365 days; leap years have 8,784."""

_PUE = "ISO/IEC 30134-2: annual energy of the facility over that of IT"
_WUE = "ISO/IEC 30134-9: annual water of the site over annual energy of IT"

IT_ENERGY = Quantity("it_energy_kwh", "kWh", "it_kw · load_factor · hours", "Definition")
FACILITY_ENERGY = Quantity("facility_energy_kwh", "kWh", "it_energy_kwh · pue", _PUE)
OVERHEAD_ENERGY = Quantity("overhead_energy_kwh", "kWh", "facility_energy_kwh − it_energy_kwh", _PUE)
FACILITY_POWER = Quantity("facility_kw", "kW", "it_kw · pue at the peak", _PUE)
WATER = Quantity("site_water_m3", "m³", "it_energy_kwh · wue_l_per_kwh / 1000", _WUE)
SOURCE_WATER = Quantity(
    "source_water_m3", "m³", "facility_energy_kwh · grid_water_l_per_kwh / 1000", "Definition; water of generation"
)
ENERGY_COST = Quantity("energy_cost_usd", "USD", "facility_energy_kwh · usd_per_kwh", "Tariff")
DEMAND_COST = Quantity("demand_cost_usd", "USD", "facility_kw · usd_per_kw_month · 12", "Tariff with a demand charge")
BILL = Quantity("bill_usd", "USD", "energy_cost_usd + demand_cost_usd", "Tariff")
COST_PER_MWH = Quantity("average_usd_per_mwh", "USD/MWh", "bill_usd / facility_energy_kwh · 1000", "Definition", False)


def energy_kwh(power_kw: Decimal, hours: Decimal, load_factor: Decimal = Decimal(1)) -> Decimal:
    """Return the energy in kWh: power · load factor · hours.

    The load factor is average over peak. Valid for up to a year (8,784 h) and a factor in [0, 1]. Source: definition.
    """
    require(power_kw=(power_kw, POWER_KW), hours=(hours, HOURS), load_factor=(load_factor, FRACTION))
    return power_kw * load_factor * hours


def average_power_gw(energy_twh: Decimal, hours: Decimal = HOURS_A_YEAR) -> Decimal:
    """Return the average power in GW of an energy: TWh · 1000 / h. It is not the capacity: that is above it.

    Valid for up to 8,784 hours. Source: definition.
    """
    require(hours=(hours, Range("h", above=0, high=8784)))
    return energy_twh * 1000 / hours


def facility_energy_kwh(it_kwh: Decimal, pue: Decimal) -> Decimal:
    """Return the energy of the facility in kWh: IT · PUE. Valid for a PUE of 1 to 10; below 1 is impossible.

    PUE is a ratio of annual energies, not of powers at an instant. Source: ISO/IEC 30134-2.
    """
    require(it_kwh=(it_kwh, ENERGY_KWH), pue=(pue, PUE))
    return it_kwh * pue


def site_water_l(it_kwh: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    """Return the water of the site in litres: IT energy · WUE. WUE divides by IT energy, not by that of the facility.

    Valid for 0 to 100 l/kWh. Source: ISO/IEC 30134-9.
    """
    require(it_kwh=(it_kwh, ENERGY_KWH), wue_l_per_kwh=(wue_l_per_kwh, WUE))
    return it_kwh * wue_l_per_kwh


def pue_with_fans(pue: Decimal, fan_fraction: Decimal) -> Decimal:
    """Return the PUE if the fans inside servers counted as cooling: pue / (1 − fans), fans a share of IT power.

    By definition they count as IT, so a hall with slow fans (or none, with liquid) has less IT energy for the same work
    and a higher PUE, though it takes less power: this tells the two apart. Valid for a share of 0 to 0.5.
    Source: ISO/IEC 30134-2, boundary of IT; The Green Grid, White Paper 49.
    """
    require(pue=(pue, PUE), fan_fraction=(fan_fraction, Range("", low=0, high=Decimal("0.5"))))
    return pue / (1 - fan_fraction)


def energy_cost_usd(kwh: Decimal, usd_per_kwh: Decimal) -> Decimal:
    """Return the charge for energy in USD: kWh · rate.

    Valid for one rate at all hours, up to 100 USD/kWh. Source: tariff.
    """
    require(kwh=(kwh, ENERGY_KWH), usd_per_kwh=(usd_per_kwh, USD_KWH))
    return kwh * usd_per_kwh


def demand_cost_usd(peak_kw: Decimal, usd_per_kw_month: Decimal, *, months: int = 12) -> Decimal:
    """Return the charge for demand in USD: peak · rate · months, with one peak for all months.

    Valid for a peak that recurs in each month; ratchets that hold a summer's peak are then included. Source: tariff.
    """
    require(
        peak_kw=(peak_kw, POWER_KW),
        usd_per_kw_month=(usd_per_kw_month, USD_KW_MONTH),
        months=(Decimal(months), Range("months", low=0, high=12)),
    )
    return peak_kw * usd_per_kw_month * months


def growth_fraction(before: Decimal, after: Decimal, years: Decimal) -> Decimal:
    """Return the compound annual growth: (after / before)^(1 / years) − 1. Valid for values above zero.

    Source: definition of the compound annual growth rate.
    """
    positive = Range("", above=0)
    require(before=(before, positive), after=(after, positive), years=(years, YEARS))
    return (after / before) ** (1 / years) - 1


def capacity_factor(average: Decimal, capacity: Decimal) -> Decimal:
    """Return average power / capacity, of one unit. Valid for a capacity above zero. Source: definition."""
    require(capacity=(capacity, Range("", above=0)))
    return average / capacity


def pue_of_parts(it: Decimal, *others: Decimal) -> Decimal:
    """Return the PUE of a facility by its parts, all of one unit: (IT + others) / IT.

    Of energies of a year it is the PUE, of powers what it is at an instant; of cooling alone a partial PUE. Valid for
    IT above zero. Source: ISO/IEC 30134-2; The Green Grid, White Paper 49 (partial PUE).
    """
    positive = Range("", low=0)
    require(it=(it, Range("", above=0)), **{f"others_{n}": (each, positive) for n, each in enumerate(others)})
    return (it + sum(others, Decimal(0))) / it


def source_wue_l_per_kwh(site_l_per_kwh: Decimal, grid_l_per_kwh: Decimal, pue: Decimal) -> Decimal:
    """Return the water of site and generation in litres for a kilowatt-hour of IT: site + grid · PUE.

    Valid for 0 to 100 l/kWh. Source: The Green Grid, White Paper 35 (WUE source).
    """
    require(site_l_per_kwh=(site_l_per_kwh, WUE), grid_l_per_kwh=(grid_l_per_kwh, WUE), pue=(pue, PUE))
    return site_l_per_kwh + grid_l_per_kwh * pue


def reuse_effectiveness(facility: Decimal, reused: Decimal, it: Decimal) -> Decimal:
    """Return the energy reuse effectiveness (ERE) of energies of one unit: (facility − reused) / IT.

    It may be below 1, where a PUE may not. Valid for heat that is used outside of the facility. Source: The Green Grid,
    White Paper 29.
    """
    require(facility=(facility, Range("", above=0)), reused=(reused, Range("", low=0)), it=(it, Range("", above=0)))
    return (facility - reused) / it

"""Answers to published values of carbon, energy, water and bills."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.campus import carbon, energy
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like

_ONE = Decimal(1)


@answers_like("carbon", r"per_(?:gpu|accelerator|chip|device)_kgco2e")
def footprint_each(inputs: Mapping[str, Any]) -> Any:
    total, count = _footprint(inputs), inputs.get("gpus", inputs.get("accelerators"))
    if total is None or not isinstance(count, Decimal):
        return UNANSWERED
    return carbon.part_kg(total, 1 / count)


@answers_like("carbon", r"(\w+)_kgco2e")
def footprint_of_part(inputs: Mapping[str, Any], part: str) -> Any:
    """The footprint of one part from its share in the whole: `memory_kgco2e` of `memory_fraction`."""
    total, share = _footprint(inputs), inputs.get(f"{part}_fraction")
    if total is None or not isinstance(share, Decimal):
        return UNANSWERED
    return carbon.part_kg(total, share)


def _footprint(inputs: Mapping[str, Any]) -> Decimal | None:
    """Return the one whole footprint that a row gives."""
    found = [value for name, value in inputs.items() if name.endswith("_kgco2e") and isinstance(value, Decimal)]
    return found[0] if len(found) == 1 else None


@answers("carbon", "facility_kwh")
def facility(it_kwh: Decimal, pue: Decimal) -> Decimal:
    return energy.facility_energy_kwh(it_kwh, pue)


@answers("carbon", "overhead_kwh")
def overhead(it_kwh: Decimal, pue: Decimal) -> Decimal:
    return facility(it_kwh, pue) - it_kwh


@answers("carbon", "pue")
def pue_of_energies(facility_kwh: Decimal, it_kwh: Decimal) -> Decimal:
    return facility_kwh / it_kwh


@answers("carbon", "site_water_l")
def water(it_kwh: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return energy.site_water_l(it_kwh, wue_l_per_kwh)


def _year_kwh(power_mw: Decimal, hours: Decimal, load_factor: Decimal) -> Decimal:
    return energy.energy_kwh(convert(power_mw, "mw", "kw"), hours, load_factor)


@answers("carbon", "annual_kwh", "energy_kwh")
def year_of_power(power_mw: Decimal, hours: Decimal = energy.HOURS_A_YEAR, load_factor: Decimal = _ONE) -> Decimal:
    return _year_kwh(power_mw, hours, load_factor)


@answers("carbon", "annual_musd")
def bill(
    power_mw: Decimal,
    usd_per_kwh: Decimal,
    hours: Decimal = energy.HOURS_A_YEAR,
    load_factor: Decimal = _ONE,
    pue: Decimal = _ONE,
) -> Decimal:
    kwh = energy.facility_energy_kwh(_year_kwh(power_mw, hours, load_factor), pue)
    return energy.energy_cost_usd(kwh, usd_per_kwh) / 10**6


@answers("carbon", "annual_usd")
def bill_in_dollars(
    power_mw: Decimal,
    usd_per_kwh: Decimal,
    hours: Decimal = energy.HOURS_A_YEAR,
    load_factor: Decimal = _ONE,
    pue: Decimal = _ONE,
) -> Decimal:
    return bill(power_mw, usd_per_kwh, hours, load_factor, pue) * 10**6


@answers("carbon", "usd_per_mwh")
def per_mwh(usd_per_kwh: Decimal) -> Decimal:
    return energy.energy_cost_usd(Decimal(1000), usd_per_kwh)


@answers("carbon", "usd_per_mwh")
def per_mwh_of_cents(cents_per_kwh: Decimal) -> Decimal:
    return energy.energy_cost_usd(Decimal(1000), cents_per_kwh / 100)


@answers("carbon", "operational_tco2e", "annual_tco2e", "annual_tco2", "tco2e")
def emissions(
    power_mw: Decimal,
    g_per_kwh: Decimal,
    hours: Decimal = energy.HOURS_A_YEAR,
    load_factor: Decimal = _ONE,
    pue: Decimal = _ONE,
) -> Decimal:
    kwh = energy.facility_energy_kwh(_year_kwh(power_mw, hours, load_factor), pue)
    return convert(carbon.operational_kg(kwh, g_per_kwh), "kg", "t")


@answers("carbon", "operational_tco2e", "annual_tco2e", "tco2e")
def emissions_of_energy(it_kwh: Decimal, g_per_kwh: Decimal, pue: Decimal = _ONE) -> Decimal:
    return convert(carbon.operational_kg(energy.facility_energy_kwh(it_kwh, pue), g_per_kwh), "kg", "t")

"""Answers to published values of carbon, energy, water and bills."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.campus import carbon, energy
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like

_ONE = Decimal(1)


_EACH = re.compile(r"(?:embodied_)?kgco2e_per_(\w+)|per_(\w+)_kgco2e|(\w+)_kgco2e_each|kgco2e_(each)")
"""What names the footprint of one device."""


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


@answers_like("carbon", r"other_fraction")
def share_of_the_rest(inputs: Mapping[str, Any]) -> Any:
    """What is left beside the parts whose shares a row gives."""
    named = [name for name, value in inputs.items() if name.endswith("_fraction") and isinstance(value, Decimal)]
    return 1 - sum(inputs[name] for name in named) if named else UNANSWERED


@answers_like("carbon", r"other_kgco2e")
def footprint_of_the_rest(inputs: Mapping[str, Any]) -> Any:
    total, share = _footprint(inputs), share_of_the_rest(inputs)
    return UNANSWERED if total is None or share is UNANSWERED else carbon.part_kg(total, share)


@answers("carbon", "per_year_kgco2e", "embodied_kgco2e_per_year")
def footprint_of_year(embodied_kgco2e: Decimal, life_years: Decimal) -> Decimal:
    return carbon.embodied_per_year(embodied_kgco2e, life_years)


@answers("carbon", "total_kgco2e", "embodied_kgco2e")
def footprint_of_all(per_gpu_kgco2e: Decimal, gpus: Decimal) -> Decimal:
    return carbon.embodied_kg(gpus, per_gpu_kgco2e)


def _footprint(inputs: Mapping[str, Any]) -> Decimal | None:
    """Return the one whole footprint that a row gives."""
    found = [name for name, value in inputs.items() if name.endswith("_kgco2e") and isinstance(value, Decimal)]
    return Decimal(inputs[found[0]]) if len(found) == 1 else None


@answers("carbon", "facility_kwh")
def facility(it_kwh: Decimal, pue: Decimal) -> Decimal:
    return energy.facility_energy_kwh(it_kwh, pue)


@answers("carbon", "overhead_kwh")
def overhead(it_kwh: Decimal, pue: Decimal) -> Decimal:
    return facility(it_kwh, pue) - it_kwh


@answers("carbon", "pue")
def pue_of_energies(facility_kwh: Decimal, it_kwh: Decimal) -> Decimal:
    return facility_kwh / it_kwh


@answers("carbon", "pue")
def pue_of_overhead(overhead_kwh: Decimal, it_kwh: Decimal) -> Decimal:
    return (it_kwh + overhead_kwh) / it_kwh


@answers("carbon", "dcie_fraction")
def share_of_it(facility_kwh: Decimal, it_kwh: Decimal) -> Decimal:
    return fraction(it_kwh, facility_kwh)


@answers("carbon", "dcie_fraction")
def share_of_it_at_pue(pue: Decimal) -> Decimal:
    return 1 / pue


@answers("carbon", "overhead_mw")
def overhead_power(it_mw: Decimal, pue: Decimal) -> Decimal:
    return it_mw * pue - it_mw


@answers("carbon", "wue_l_per_kwh")
def wue(site_water_l: Decimal, it_kwh: Decimal) -> Decimal:
    return site_water_l / it_kwh


@answers("carbon", "cue_g_per_kwh")
def carbon_usage(pue: Decimal, g_per_kwh: Decimal) -> Decimal:
    """Carbon of the facility for each kilowatt-hour of IT (ISO/IEC 30134-8)."""
    return carbon.operational_kg(energy.facility_energy_kwh(Decimal(1000), pue), g_per_kwh)


@answers("carbon", "site_water_l")
def water(it_kwh: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return energy.site_water_l(it_kwh, wue_l_per_kwh)


def _year_kwh(power_mw: Decimal, hours: Decimal, load_factor: Decimal) -> Decimal:
    return energy.energy_kwh(convert(power_mw, "mw", "kw"), hours, load_factor)


@answers("carbon", "annual_kwh")
def year_of_power(
    power_mw: Decimal, hours: Decimal = energy.HOURS_A_YEAR, load_factor: Decimal = _ONE, pue: Decimal = _ONE
) -> Decimal:
    """Of the facility, where a row has a PUE beside the power: that is then of IT, as in `energy_bill`."""
    return energy.facility_energy_kwh(_year_kwh(power_mw, hours, load_factor), pue)


@answers("carbon", "energy_kwh")
def energy_of_power(power_mw: Decimal, hours: Decimal, load_factor: Decimal = _ONE, pue: Decimal = _ONE) -> Decimal:
    """In some hours, which the row must say: not every energy is that of a year."""
    return year_of_power(power_mw, hours, load_factor, pue)


@answers("carbon", "energy_usd", "annual_energy_usd", "annual_usd")
def energy_bill(
    power_mw: Decimal,
    usd_per_kwh: Decimal,
    hours: Decimal = energy.HOURS_A_YEAR,
    load_factor: Decimal = _ONE,
    pue: Decimal = _ONE,
) -> Decimal:
    kwh = energy.facility_energy_kwh(_year_kwh(power_mw, hours, load_factor), pue)
    return energy.energy_cost_usd(kwh, usd_per_kwh)


@answers("carbon", "demand_usd", "annual_demand_usd")
def demand_bill(power_mw: Decimal, usd_per_kw_month: Decimal, pue: Decimal = _ONE) -> Decimal:
    return energy.demand_cost_usd(convert(power_mw * pue, "mw", "kw"), usd_per_kw_month)


@answers("carbon", "annual_usd", "bill_usd")
def bill_with_demand(
    power_mw: Decimal,
    usd_per_kwh: Decimal,
    usd_per_kw_month: Decimal,
    hours: Decimal = energy.HOURS_A_YEAR,
    load_factor: Decimal = _ONE,
    pue: Decimal = _ONE,
) -> Decimal:
    of_energy = energy_bill(power_mw, usd_per_kwh, hours, load_factor, pue)
    return of_energy + demand_bill(power_mw, usd_per_kw_month, pue)


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


_EMISSIONS = ("operational_tco2e", "annual_tco2e", "tco2e", "location_tco2e", "location_based_tco2e")


@answers("carbon", *_EMISSIONS)
def emissions_of_use(energy_kwh: Decimal, g_per_kwh: Decimal) -> Decimal:
    return convert(carbon.operational_kg(energy_kwh, g_per_kwh), "kg", "t")


@answers("carbon", "energy_kwh")
def energy_of_gpu_hours(gpu_hours: Decimal, gpu_tdp_w: Decimal, pue: Decimal = _ONE) -> Decimal:
    return energy.facility_energy_kwh(gpu_hours * convert(gpu_tdp_w, "w", "kw"), pue)


@answers("carbon", "energy_kwh")
def energy_of_million_gpu_hours(gpu_hours_million: Decimal, gpu_tdp_w: Decimal, pue: Decimal = _ONE) -> Decimal:
    return energy_of_gpu_hours(gpu_hours_million * 10**6, gpu_tdp_w, pue)


@answers("carbon", *_EMISSIONS)
def emissions_of_gpu_hours(gpu_hours: Decimal, gpu_tdp_w: Decimal, g_per_kwh: Decimal, pue: Decimal = _ONE) -> Decimal:
    return emissions_of_use(energy_of_gpu_hours(gpu_hours, gpu_tdp_w, pue), g_per_kwh)


@answers("carbon", *_EMISSIONS)
def emissions_of_million_gpu_hours(
    gpu_hours_million: Decimal, gpu_tdp_w: Decimal, g_per_kwh: Decimal, pue: Decimal = _ONE
) -> Decimal:
    return emissions_of_gpu_hours(gpu_hours_million * 10**6, gpu_tdp_w, g_per_kwh, pue)


@answers("carbon", "g_per_kwh")
def implied_intensity(gpu_hours: Decimal, gpu_tdp_w: Decimal, location_tco2e: Decimal, pue: Decimal = _ONE) -> Decimal:
    return convert(location_tco2e, "t", "g") / energy_of_gpu_hours(gpu_hours, gpu_tdp_w, pue)


@answers("carbon", *_EMISSIONS)
def emissions_of_energy(it_kwh: Decimal, g_per_kwh: Decimal, pue: Decimal = _ONE) -> Decimal:
    return convert(carbon.operational_kg(energy.facility_energy_kwh(it_kwh, pue), g_per_kwh), "kg", "t")


@answers_like("carbon", r"(?:total_|all_)?(?:embodied_)?kgco2e")
def footprint_of_devices(inputs: Mapping[str, Any]) -> Any:
    """The footprint of one device of a kind, as often as the row has that kind."""
    for name in inputs:
        match = _EACH.fullmatch(name)
        if match is None:
            continue
        item = next(each for each in match.groups() if each)
        counts = [each for each in inputs if each in (f"{item}s", f"{item}s_count", f"{item}_count", "count")]
        if len(counts) == 1 and isinstance(inputs[name], Decimal) and isinstance(inputs[counts[0]], Decimal):
            return carbon.embodied_kg(inputs[counts[0]], inputs[name])
    return UNANSWERED

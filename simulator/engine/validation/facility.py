"""Answers to published values of plants: tons, supply and return, coolant units, towers, ratios of a facility."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.campus import build, energy
from simulator.engine.coolant import COOLANTS, Coolant, coolant_at, coolant_flow_l_min
from simulator.engine.hall import cdu, plant
from simulator.engine.supply.backup import SCHEMES, units_installed
from simulator.engine.units import convert, dimension_of
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole
from simulator.engine.validation.spelling import split

_ONE = Decimal(1)
_TONS = ("tons", "cooling_tons", "refrigeration_tons", "tons_of_refrigeration", "tons_refrigeration", "heat_tons", "tr")


@answers("cooling", *_TONS)
def tons(heat_kw: Decimal) -> Decimal:
    return convert(heat_kw, "kw", "ton_r")


@answers("cooling", *_TONS)
def tons_of_cooling(cooling_load_kw: Decimal) -> Decimal:
    return tons(cooling_load_kw)


@answers("cooling", "heat_kw", "cooling_kw", "capacity_kw", "cooling_load_kw")
def heat_of_tons(cooling_tons: Decimal) -> Decimal:
    return convert(cooling_tons, "ton_r", "kw")


@answers("cooling", "cop")
def cop_of_tons(kw_per_ton: Decimal) -> Decimal:
    return convert(_ONE, "ton_r", "kw") / kw_per_ton


@answers("cooling", "kw_per_ton")
def per_ton(cop: Decimal) -> Decimal:
    return convert(_ONE, "ton_r", "kw") / cop


@answers("cooling", "cop")
def cop(cooling_load_kw: Decimal, chiller_power_kw: Decimal) -> Decimal:
    return fraction(cooling_load_kw, chiller_power_kw)


@answers("cooling", "chiller_kw", "compressor_kw", "chiller_power_kw", "power_kw")
def compressors_of_load(cooling_load_kw: Decimal, cop: Decimal) -> Decimal:
    return plant.cooling_power_kw(
        air_kw=cooling_load_kw,
        liquid_kw=Decimal(0),
        air_transport_fraction=Decimal(0),
        liquid_transport_fraction=Decimal(0),
        mechanical_fraction=_ONE,
        chiller_cop=cop,
    )


@answers("cooling", "heat_rejected_kw", "condenser_kw", "rejected_kw")
def rejected(cooling_load_kw: Decimal, cop: Decimal) -> Decimal:
    return plant.heat_rejected_kw(cooling_load_kw, compressors_of_load(cooling_load_kw, cop))


@answers("cooling", "return_c", "outlet_c", "coolant_return_c", "exhaust_c", "return_temperature_c")
def return_of_rise(supply_c: Decimal, delta_t_k: Decimal) -> Decimal:
    return supply_c + delta_t_k


@answers("cooling", "supply_c", "inlet_c", "coolant_supply_c")
def supply_of_rise(return_c: Decimal, delta_t_k: Decimal) -> Decimal:
    return return_c - delta_t_k


@answers("cooling", "delta_t_k", "temperature_rise_k", "rise_k")
def rise(supply_c: Decimal, return_c: Decimal) -> Decimal:
    return return_c - supply_c


def _coolant(name: str, temperature_c: Decimal | None) -> Coolant:
    known = COOLANTS.get(name.lower())
    if known is None or temperature_c is not None:
        known = coolant_at(name.lower(), Decimal(40) if temperature_c is None else temperature_c)
    return known


@answers("cooling", "density_kg_per_m3")
def density_of_coolant(coolant: str, temperature_c: Decimal | None = None) -> Decimal:
    return _coolant(coolant, temperature_c).density_kg_m3


@answers("cooling", "specific_heat_j_per_kg_k")
def heat_capacity_of_coolant(coolant: str, temperature_c: Decimal | None = None) -> Decimal:
    return _coolant(coolant, temperature_c).heat_capacity_j_kg_k


@answers("cooling", "flow_l_per_min")
def flow_between(heat_kw: Decimal, coolant: str, supply_c: Decimal, return_c: Decimal) -> Decimal:
    """With the coolant at the mean of supply and return."""
    known = coolant_at(coolant.lower(), (supply_c + return_c) / 2)
    return coolant_flow_l_min(heat_kw, coolant=known, rise_k=return_c - supply_c)


@answers("cooling", "delta_t_k")
def rise_of_coolant(
    heat_kw: Decimal, flow_l_per_min: Decimal, coolant: str, temperature_c: Decimal | None = None
) -> Decimal:
    return coolant_flow_l_min(heat_kw, coolant=_coolant(coolant, temperature_c), rise_k=_ONE) / flow_l_per_min


@answers("cooling", "heat_kw", "capacity_kw")
def heat_of_coolant(
    flow_l_per_min: Decimal, coolant: str, delta_t_k: Decimal, temperature_c: Decimal | None = None
) -> Decimal:
    one = coolant_flow_l_min(_ONE, coolant=_coolant(coolant, temperature_c), rise_k=delta_t_k)
    return flow_l_per_min / one


@answers("cooling", "flow_l_per_min_per_kw")
def flow_of_one_kilowatt(coolant: str, delta_t_k: Decimal, temperature_c: Decimal | None = None) -> Decimal:
    return coolant_flow_l_min(_ONE, coolant=_coolant(coolant, temperature_c), rise_k=delta_t_k)


@answers("cooling", "flow_l_per_min_per_kw")
def flow_of_one_kilowatt_of(
    density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal, delta_t_k: Decimal
) -> Decimal:
    known = Coolant("coolant", density_kg_per_m3, specific_heat_j_per_kg_k, "the row")
    return coolant_flow_l_min(_ONE, coolant=known, rise_k=delta_t_k)


@answers("cooling", "flow_l_per_min_per_kw")
def flow_over_heat(flow_l_per_min: Decimal, heat_kw: Decimal) -> Decimal:
    return fraction(flow_l_per_min, heat_kw)


@answers("cooling", "mass_flow_kg_per_s")
def mass_flow(heat_kw: Decimal, specific_heat_j_per_kg_k: Decimal, delta_t_k: Decimal) -> Decimal:
    known = Coolant("coolant", Decimal(1000), specific_heat_j_per_kg_k, "the row")
    # Of 1 kg a litre flow and mass are one number.
    return convert(coolant_flow_l_min(heat_kw, coolant=known, rise_k=delta_t_k), "l_min", "l_s")


@answers("cooling", "volumetric_heat_capacity_kj_per_m3_k")
def of_volume(density_kg_per_m3: Decimal, specific_heat_j_per_kg_k: Decimal) -> Decimal:
    return density_kg_per_m3 * specific_heat_j_per_kg_k / 1000


@answers("cooling", "water_over_air_fraction", "volumetric_heat_ratio", "water_over_air_ratio")
def water_over_air(
    water_density_kg_per_m3: Decimal,
    water_specific_heat_j_per_kg_k: Decimal,
    air_density_kg_per_m3: Decimal,
    air_specific_heat_j_per_kg_k: Decimal,
) -> Decimal:
    water = of_volume(water_density_kg_per_m3, water_specific_heat_j_per_kg_k)
    return fraction(water, of_volume(air_density_kg_per_m3, air_specific_heat_j_per_kg_k))


_EACH = ("racks_per_cdu_count", "racks_per_cdu")


@answers("cooling", *_EACH)
def racks_of_unit(cdu_kw: Decimal, rack_liquid_kw: Decimal) -> Decimal:
    return cdu.racks_per_cdu(cdu_kw, rack_liquid_kw)


@answers("cooling", *_EACH)
def racks_of_unit_by_share(cdu_kw: Decimal, rack_kw: Decimal, liquid_fraction: Decimal = _ONE) -> Decimal:
    return racks_of_unit(cdu_kw, rack_kw * liquid_fraction)


@answers("cooling", *_EACH)
def racks_over_units(racks: Decimal, cdus: Decimal) -> Decimal:
    """As tables print a mean, with its fraction."""
    return fraction(racks, cdus)


@answers("cooling", "liquid_load_kw", "total_liquid_kw", "liquid_heat_kw")
def liquid_of_racks(racks: Decimal, rack_liquid_kw: Decimal) -> Decimal:
    return racks * rack_liquid_kw


@answers("cooling", "liquid_load_kw", "total_liquid_kw")
def liquid_of_racks_by_share(racks: Decimal, rack_kw: Decimal, liquid_fraction: Decimal) -> Decimal:
    return liquid_of_racks(racks, rack_kw * liquid_fraction)


_UNITS = ("cdus_count", "cdu_count", "cdus_needed_count", "n_count")


def _installed(needed: int, redundancy: str) -> Decimal:
    scheme = redundancy.lower().replace(" ", "")
    if scheme not in SCHEMES:
        raise ValueError(f"{redundancy} is no scheme")
    return Decimal(units_installed(needed, scheme))


@answers("cooling", "n_count", "cdus_needed_count")
def units(racks: Decimal, rack_liquid_kw: Decimal, cdu_kw: Decimal) -> Decimal:
    return Decimal(cdu.cdus_needed(liquid_of_racks(racks, rack_liquid_kw), cdu_kw))


@answers("cooling", "n_plus_1_count")
def units_and_one(racks: Decimal, rack_liquid_kw: Decimal, cdu_kw: Decimal) -> Decimal:
    return units(racks, rack_liquid_kw, cdu_kw) + 1


@answers("cooling", "cdus_count", "cdu_count", "cdus_installed_count", "installed_count")
def units_installed_for_racks(
    racks: Decimal, rack_liquid_kw: Decimal, cdu_kw: Decimal, redundancy: str = "N"
) -> Decimal:
    return _installed(whole(units(racks, rack_liquid_kw, cdu_kw)), redundancy)


@answers("cooling", "cdus_count", "cdu_count", "cdus_installed_count", "installed_count")
def units_installed_by_share(
    racks: Decimal, rack_kw: Decimal, liquid_fraction: Decimal, cdu_kw: Decimal, redundancy: str = "N"
) -> Decimal:
    return units_installed_for_racks(racks, rack_kw * liquid_fraction, cdu_kw, redundancy)


@answers("cooling", "cdus_count", "cdu_count", "cdus_needed_count", "cdus_installed_count")
def units_of_load(cooling_load_kw: Decimal, cdu_capacity_kw: Decimal, redundancy: str = "N") -> Decimal:
    return _installed(cdu.cdus_needed(cooling_load_kw, cdu_capacity_kw), redundancy)


@answers("cooling", "secondary_supply_c", "tcs_supply_c", "technology_supply_c", "rack_supply_c", "supply_c")
def supply_of_unit(facility_supply_c: Decimal, approach_k: Decimal) -> Decimal:
    return cdu.coolant_supply_c(facility_supply_c, approach_k)


@answers("cooling", "facility_supply_c", "fws_supply_c", "max_facility_supply_c")
def facility_of_supply(secondary_supply_c: Decimal, approach_k: Decimal) -> Decimal:
    return secondary_supply_c - approach_k


@answers("cooling", "approach_k", "approach_temperature_k", "cdu_approach_k")
def approach(facility_supply_c: Decimal, secondary_supply_c: Decimal) -> Decimal:
    return secondary_supply_c - facility_supply_c


@answers("cooling", "evaporation_l", "evaporated_l")
def evaporated(heat_kwh: Decimal, latent_heat_kj_per_kg: Decimal | None = None) -> Decimal:
    return heat_kwh * evaporated_for_one(latent_heat_kj_per_kg)


@answers("cooling", "evaporation_l_per_kwh", "evaporated_l_per_kwh")
def evaporated_for_one(latent_heat_kj_per_kg: Decimal | None = None) -> Decimal:
    """A kilogram of water is a litre within 0.3 % below 25 °C."""
    if latent_heat_kj_per_kg is None:
        return plant.EVAPORATION_L_KWH
    return convert(_ONE, "kwh", "kj") / latent_heat_kj_per_kg


_CYCLES = ("cycles_of_concentration", "cycles", "coc")


@answers_like("cooling", r"(blow_?down|make_?up)_(\w+)")
def tower(inputs: Mapping[str, Any], which: str, unit: str) -> Any:
    """Of what a tower evaporates in the same unit, and its cycles of concentration."""
    rate = next(
        (inputs[f"{name}_{unit}"] for name in ("evaporation", "evaporated") if f"{name}_{unit}" in inputs), None
    )
    cycles = next((inputs[name] for name in _CYCLES if name in inputs), None)
    if not isinstance(rate, Decimal) or not isinstance(cycles, Decimal):
        return UNANSWERED
    lost = plant.blow_down(rate, cycles)
    return lost if which.startswith("blow") else rate + lost


# What a facility uses beside IT, as reports break it down; another word might be a part of one of these.
_PARTS = (
    "cooling", "mechanical", "chiller", "fans", "pumps", "ups_loss", "ups", "power_loss", "distribution_loss",
    "distribution", "transformer_loss", "transformer", "electrical_loss", "losses", "loss", "lighting", "office",
    "other", "misc", "miscellaneous", "overhead", "humidification", "pdu_loss", "generator", "support",
)  # fmt: skip


def _parts_of(inputs: Mapping[str, Any]) -> tuple[Decimal, list[Decimal]] | None:
    """Return IT and the other parts in one unit, kW or kWh; None where an input of power or energy is none of them."""
    it: Decimal | None = None
    others, kinds = [], set()
    for name, value in inputs.items():
        unit = split(name)
        if unit is None or unit.lower or unit.rest or not unit.upper:
            continue
        kind = dimension_of(unit.upper)
        if kind not in ("power", "energy"):
            continue
        stem = unit.stem.removesuffix("_power").removesuffix("_energy").removesuffix("_load")
        if not isinstance(value, Decimal) or (stem != "it" and stem not in _PARTS):
            return None
        kinds.add(kind)
        amount = convert(inputs[name], unit.upper, "kw" if kind == "power" else "kwh")
        if stem == "it":
            it = amount
        else:
            others.append(amount)
    return None if it is None or not others or len(kinds) != 1 else (it, others)


@answers_like("carbon", r"pue")
def pue_of_parts(inputs: Mapping[str, Any]) -> Any:
    found = _parts_of(inputs)
    return UNANSWERED if found is None else energy.pue_of_parts(found[0], *found[1])


@answers_like("carbon", r"(?:facility|total)_(kw|kwh)")
def facility_of_parts(inputs: Mapping[str, Any], unit: str) -> Any:
    found = _parts_of(inputs)
    return UNANSWERED if found is None else found[0] + sum(found[1])


@answers("carbon", "ppue", "partial_pue", "cooling_ppue", "mechanical_ppue")
def partial(it_kw: Decimal, cooling_kw: Decimal) -> Decimal:
    return energy.pue_of_parts(it_kw, cooling_kw)


@answers("carbon", "cooling_load_factor", "clf", "cooling_over_it_fraction")
def of_cooling(it_kw: Decimal, cooling_kw: Decimal) -> Decimal:
    return fraction(cooling_kw, it_kw)


@answers("carbon", "power_load_factor", "plf")
def of_losses(it_kw: Decimal, power_loss_kw: Decimal) -> Decimal:
    return fraction(power_loss_kw, it_kw)


@answers("carbon", "overhead_over_it_fraction")
def overhead_of_it(pue: Decimal) -> Decimal:
    return pue - 1


@answers("carbon", "overhead_share_fraction", "overhead_of_facility_fraction")
def overhead_of_all(pue: Decimal) -> Decimal:
    return 1 - 1 / pue


@answers("carbon", "wue_source_l_per_kwh", "source_wue_l_per_kwh")
def wue_of_source(pue: Decimal, grid_water_l_per_kwh: Decimal, wue_site_l_per_kwh: Decimal) -> Decimal:
    return energy.source_wue_l_per_kwh(wue_site_l_per_kwh, grid_water_l_per_kwh, pue)


@answers("carbon", "wue_source_l_per_kwh", "source_wue_l_per_kwh")
def wue_of_source_and_site(pue: Decimal, grid_water_l_per_kwh: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return wue_of_source(pue, grid_water_l_per_kwh, wue_l_per_kwh)


@answers("carbon", "ere", "ere_fraction")
def reuse(facility_kwh: Decimal, reused_kwh: Decimal, it_kwh: Decimal) -> Decimal:
    return energy.reuse_effectiveness(facility_kwh, reused_kwh, it_kwh)


@answers("carbon", "erf_fraction", "energy_reuse_fraction")
def reuse_factor(reused_kwh: Decimal, facility_kwh: Decimal) -> Decimal:
    """Of all energy of the facility (ISO/IEC 30134-6)."""
    return fraction(reused_kwh, facility_kwh)


@answers("carbon", "ref_fraction", "renewable_energy_factor_fraction", "renewable_fraction")
def renewable(renewable_kwh: Decimal, facility_kwh: Decimal) -> Decimal:
    """ISO/IEC 30134-3."""
    return fraction(renewable_kwh, facility_kwh)


@answers("carbon", "cue_kg_per_kwh", "cue")
def carbon_of_it(total_tco2e: Decimal, it_kwh: Decimal) -> Decimal:
    return convert(total_tco2e, "t", "kg") / it_kwh


@answers("carbon", "cue")
def carbon_usage(pue: Decimal, g_per_kwh: Decimal) -> Decimal:
    """In kg for a kilowatt-hour, the unit of the standard."""
    return pue * convert(g_per_kwh, "g_kwh", "kg_kwh")


@answers("carbon", "saving_kw", "saved_kw")
def saved_power(it_kw: Decimal, pue_before: Decimal, pue_after: Decimal) -> Decimal:
    return it_kw * (pue_before - pue_after)


@answers("carbon", "saving_kwh", "saved_kwh", "annual_saving_kwh")
def saved_energy(
    it_kw: Decimal, pue_before: Decimal, pue_after: Decimal, hours: Decimal = energy.HOURS_A_YEAR
) -> Decimal:
    return saved_power(it_kw, pue_before, pue_after) * hours


@answers("carbon", "saving_usd", "annual_saving_usd")
def saved_money(
    it_kw: Decimal,
    pue_before: Decimal,
    pue_after: Decimal,
    usd_per_kwh: Decimal,
    hours: Decimal = energy.HOURS_A_YEAR,
) -> Decimal:
    return energy.energy_cost_usd(saved_energy(it_kw, pue_before, pue_after, hours), usd_per_kwh)


@answers("carbon", "water_l_per_day", "site_water_l_per_day")
def water_of_a_day(it_kw: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return energy.site_water_l(energy.energy_kwh(it_kw, Decimal(24)), wue_l_per_kwh)


@answers("carbon", "water_m3_per_day", "site_water_m3_per_day")
def cubic_metres_of_a_day(it_kw: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return convert(water_of_a_day(it_kw, wue_l_per_kwh), "l", "m3")


@answers("carbon", "water_m3_per_year", "annual_water_m3", "site_water_m3_per_year")
def cubic_metres_of_a_year(it_kw: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return convert(energy.site_water_l(energy.energy_kwh(it_kw, energy.HOURS_A_YEAR), wue_l_per_kwh), "l", "m3")


@answers("carbon", "demand_usd", "annual_demand_usd", "demand_usd_per_year")
def demand_of_peak(peak_kw: Decimal, usd_per_kw_month: Decimal) -> Decimal:
    return energy.demand_cost_usd(peak_kw, usd_per_kw_month)


@answers("carbon", "monthly_demand_usd", "demand_usd_per_month", "demand_cost_usd", "demand_charge_usd")
def demand_of_a_month(peak_kw: Decimal, usd_per_kw_month: Decimal) -> Decimal:
    """What is told of no other time is told of the one in which the peak is charged for."""
    return energy.demand_cost_usd(peak_kw, usd_per_kw_month, months=1)


@answers("carbon", "g_per_gpu_h", "gco2e_per_gpu_h", "gco2e_per_gpu_hour")
def of_gpu_hour(gpu_kw: Decimal, g_per_kwh: Decimal, pue: Decimal = _ONE) -> Decimal:
    return gpu_kw * pue * g_per_kwh


@answers("carbon", "reused_kw")
def reused_power(it_kw: Decimal, reuse_fraction: Decimal) -> Decimal:
    return it_kw * reuse_fraction


@answers("carbon", "reused_kwh")
def reused_energy(it_kw: Decimal, reuse_fraction: Decimal, hours: Decimal = energy.HOURS_A_YEAR) -> Decimal:
    return energy.energy_kwh(reused_power(it_kw, reuse_fraction), hours)


@answers("carbon", "capacity_kw", "needed_capacity_kw")
def capacity_of_energy(annual_kwh: Decimal, capacity_factor_fraction: Decimal) -> Decimal:
    return annual_kwh / energy.HOURS_A_YEAR / capacity_factor_fraction


@answers("carbon", "annual_usd")
def bill_in_cents(
    power_mw: Decimal, cents_per_kwh: Decimal, hours: Decimal = energy.HOURS_A_YEAR, load_factor: Decimal = _ONE
) -> Decimal:
    kwh = energy.energy_kwh(convert(power_mw, "mw", "kw"), hours, load_factor)
    return energy.energy_cost_usd(kwh, cents_per_kwh / 100)


@answers("carbon", "implied_g_per_kwh", "g_per_kwh")
def intensity_of_hours(gpu_hours: Decimal, gpu_tdp_w: Decimal, tco2e: Decimal, pue: Decimal = _ONE) -> Decimal:
    kwh = energy.facility_energy_kwh(gpu_hours * convert(gpu_tdp_w, "w", "kw"), pue)
    return convert(tco2e, "t", "g") / kwh


@answers("carbon", "implied_g_per_kwh", "g_per_kwh")
def intensity_of_million_hours(
    gpu_hours_million: Decimal, gpu_tdp_w: Decimal, tco2e: Decimal, pue: Decimal = _ONE
) -> Decimal:
    return intensity_of_hours(gpu_hours_million * 10**6, gpu_tdp_w, tco2e, pue)


@answers("carbon", "total_kgco2e", "embodied_kgco2e")
def of_servers(servers: Decimal, server_kgco2e: Decimal) -> Decimal:
    return servers * server_kgco2e


@answers("carbon", "embodied_kgco2e_per_year")
def of_servers_a_year(servers: Decimal, server_kgco2e: Decimal, life_years: Decimal) -> Decimal:
    return of_servers(servers, server_kgco2e) / life_years


@answers("carbon", "per_year_kgco2e", "embodied_kgco2e_per_year")
def of_one_server_a_year(server_kgco2e: Decimal, life_years: Decimal) -> Decimal:
    return server_kgco2e / life_years


@answers("carbon", "usd_per_gpu_hour", "energy_usd_per_gpu_h", "usd_per_gpu_h")
def price_of_gpu_hour(gpu_kw: Decimal, usd_per_kwh: Decimal, pue: Decimal = _ONE) -> Decimal:
    return energy.energy_cost_usd(energy.facility_energy_kwh(gpu_kw, pue), usd_per_kwh)


@answers("carbon", "annual_water_l", "site_water_l_per_year")
def litres_of_a_year(it_kw: Decimal, wue_l_per_kwh: Decimal) -> Decimal:
    return energy.site_water_l(energy.energy_kwh(it_kw, energy.HOURS_A_YEAR), wue_l_per_kwh)


@answers("carbon", "water_l_per_h")
def water_of_an_hour(heat_kw: Decimal, l_per_kwh: Decimal) -> Decimal:
    return heat_kw * l_per_kwh


@answers("system", "build_days")
def days_of_pace(gpus: Decimal, gpus_per_day: Decimal) -> Decimal:
    return build.days_at_pace(gpus, gpus_per_day)


@answers("carbon", "pue")
def pue_of_powers(facility_kw: Decimal, it_kw: Decimal) -> Decimal:
    """At that instant."""
    return fraction(facility_kw, it_kw)


@answers("carbon", "overhead_kw")
def overhead_of_powers(facility_kw: Decimal, it_kw: Decimal) -> Decimal:
    return facility_kw - it_kw


@answers("carbon", "annual_usd", "energy_usd", "annual_energy_usd")
def bill_of_energy(energy_kwh: Decimal, usd_per_kwh: Decimal) -> Decimal:
    return energy.energy_cost_usd(energy_kwh, usd_per_kwh)


@answers("cooling", "heat_kw", "capacity_kw")
def heat_between(flow_l_per_min: Decimal, coolant: str, supply_c: Decimal, return_c: Decimal) -> Decimal:
    return flow_l_per_min / flow_between(_ONE, coolant, supply_c, return_c)


@answers("system", "site_mw", "total_mw")
def site_of_accelerators(gpus: Decimal, kw_per_gpu: Decimal) -> Decimal:
    return convert(gpus * kw_per_gpu, "kw", "mw")

"""The campus layer: a year of energy, its bill, water and carbon, and how fast the campus is filled."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import unless_unknown
from simulator.engine.campus import build, carbon, energy
from simulator.engine.layers import Layer, QuantityRange
from simulator.engine.notices import Notice
from simulator.engine.numbers import Range, exact, precise
from simulator.engine.parameters import check, choice, number, parts, text, whole
from simulator.engine.trace import Trace, TraceEntry

POWER = Range("kW", above=0, high=100_000_000)
GPUS = Range("accelerators", low=1, high=100_000_000, step=Decimal(1))
DEVICES = Range("devices", low=1, high=1_000_000_000, step=Decimal(1))
KG_EACH = Range("kg", low=0, high=1_000_000_000)
HOURS = Range("h", above=0, high=8784)
FACTOR = Range("", above=0, high=1)
DEVICES_MAX = 50

CAMPUS_WARNINGS = {
    "nameplate_all_year": "Nameplate at full load all year: real use is lower, and so are energy, bill and carbon.",
    "no_demand_charge": "No demand charge was given; large users mostly pay one.",
    "embodied_unknown": "No devices with an embodied footprint were given: carbon is that of operation alone.",
    "partial_year": "Fewer hours than a year: energy and carbon are of these hours, demand and embodied of the year.",
}


@dataclass(frozen=True, slots=True)
class Embodied:
    """Like devices and what making one of them emits, cradle to gate. Raises InvalidParameters."""

    name: str = text()
    count: int = whole(DEVICES, is_stepped=False)
    kgco2e_each: Decimal = number(KG_EACH)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class CampusInput:
    """IT power and what a year of it takes. `basis` says which of the three powers `it_kw` is.

    Raises InvalidParameters with every problem at once.
    """

    it_kw: Decimal = number(POWER)
    basis: str = choice(("nameplate", "typical", "idle"), "typical")
    load_factor: Decimal = number(FACTOR, 1, "Average over `it_kw`.")
    hours: Decimal = number(HOURS, energy.HOURS_A_YEAR)
    pue: Decimal = number(energy.PUE, about="Annual energy of the facility over that of IT.")
    wue_l_per_kwh: Decimal | None = number(energy.WUE, None, "Water of the site over energy of IT.")
    grid_water_l_per_kwh: Decimal | None = number(energy.WUE, None, "Water of generation over energy of the facility.")
    usd_per_kwh: Decimal | None = number(energy.USD_KWH, None)
    usd_per_kw_month: Decimal = number(energy.USD_KW_MONTH, 0, "Demand charge on the peak of the facility.")
    grid_g_per_kwh: Decimal | None = number(carbon.INTENSITY_G_KWH, None)
    embodied: tuple[Embodied, ...] = parts(Embodied, DEVICES_MAX, ())
    life_years: Decimal = number(carbon.LIFE_YEARS, 5, "Over which embodied carbon is spread.")
    gpus: int | None = whole(GPUS, None, is_stepped=False)
    gpus_per_day: Decimal | None = number(build.PACE, None, "The pace of installation.")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class CampusReport:
    """None is unknown: a parameter for it was not given."""

    basis: str
    it_energy_kwh: Decimal | None
    facility_energy_kwh: Decimal | None
    overhead_energy_kwh: Decimal | None
    facility_kw: Decimal | None
    site_water_m3: Decimal | None
    source_water_m3: Decimal | None
    energy_cost_usd: Decimal | None
    demand_cost_usd: Decimal | None
    bill_usd: Decimal | None
    average_usd_per_mwh: Decimal | None
    operational_tco2e: Decimal | None
    cue_g_per_kwh: Decimal | None
    embodied_tco2e: Decimal | None
    embodied_tco2e_per_year: Decimal | None
    carbon_tco2e_per_year: Decimal | None
    gco2e_per_gpu_h: Decimal | None
    build_days: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_campus(given: CampusInput) -> CampusReport:
    """Return the report of a campus over a year."""
    with precise():
        return _report(given)


def _report(given: CampusInput) -> CampusReport:
    trace = Trace()
    it = energy.energy_kwh(given.it_kw, given.hours, given.load_factor)
    facility = energy.facility_energy_kwh(it, given.pue)
    peak = given.it_kw * given.pue
    cost = unless_unknown(lambda rate: energy.energy_cost_usd(facility, rate), given.usd_per_kwh)
    demand = energy.demand_cost_usd(peak, given.usd_per_kw_month)
    bill = unless_unknown(lambda charge: charge + demand, cost)
    water = unless_unknown(lambda rate: energy.site_water_l(it, rate) / 1000, given.wue_l_per_kwh)
    source = unless_unknown(lambda rate: facility * rate / 1000, given.grid_water_l_per_kwh)
    shown: dict[str, Any] = {
        "it_energy_kwh": trace.put(
            energy.IT_ENERGY, it, it_kw=given.it_kw, load_factor=given.load_factor, hours=given.hours
        ),
        "facility_energy_kwh": trace.put(energy.FACILITY_ENERGY, facility, it_energy_kwh=it, pue=given.pue),
        "overhead_energy_kwh": trace.put(
            energy.OVERHEAD_ENERGY, facility - it, facility_energy_kwh=facility, it_energy_kwh=it
        ),
        "facility_kw": trace.put(energy.FACILITY_POWER, peak, it_kw=given.it_kw, pue=given.pue),
        "site_water_m3": trace.put(energy.WATER, water, it_energy_kwh=it, wue_l_per_kwh=given.wue_l_per_kwh),
        "source_water_m3": trace.put(
            energy.SOURCE_WATER, source, facility_energy_kwh=facility, grid_water_l_per_kwh=given.grid_water_l_per_kwh
        ),
        "energy_cost_usd": trace.put(
            energy.ENERGY_COST, cost, facility_energy_kwh=facility, usd_per_kwh=given.usd_per_kwh
        ),
        "demand_cost_usd": trace.put(
            energy.DEMAND_COST, demand, facility_kw=peak, usd_per_kw_month=given.usd_per_kw_month
        ),
        "bill_usd": trace.put(energy.BILL, bill, energy_cost_usd=cost, demand_cost_usd=demand),
        "average_usd_per_mwh": trace.put(
            energy.COST_PER_MWH,
            unless_unknown(lambda usd: usd / facility * 1000, bill),
            bill_usd=bill,
            facility_energy_kwh=facility,
        ),
    }
    return CampusReport(
        basis=given.basis,
        **shown,
        **_carbon(given, facility, trace),
        build_days=trace.put(
            build.BUILD_DAYS,
            unless_unknown(build.days_at_pace, _gpus(given), given.gpus_per_day),
            gpus=given.gpus,
            gpus_per_day=given.gpus_per_day,
        ),
        warnings=tuple(_warnings(given)),
        trace=tuple(trace.entries),
    )


def _gpus(given: CampusInput) -> Decimal | None:
    return None if given.gpus is None else exact(given.gpus)


def _carbon(given: CampusInput, facility: Decimal, trace: Trace) -> dict[str, Any]:
    operational = unless_unknown(lambda rate: carbon.operational_kg(facility, rate) / 1000, given.grid_g_per_kwh)
    embodied = None
    if given.embodied:
        embodied = sum((carbon.embodied_kg(exact(each.count), each.kgco2e_each) for each in given.embodied), Decimal(0))
        embodied /= 1000
    yearly = unless_unknown(lambda tonnes: carbon.embodied_per_year(tonnes, given.life_years), embodied)
    both = unless_unknown(lambda used, made: used + made, operational, yearly if given.embodied else Decimal(0))
    each = unless_unknown(
        lambda tonnes, gpus: tonnes * 10**6 / (gpus * given.hours * given.load_factor), both, _gpus(given)
    )
    made: dict[str, Decimal | int | None] = {}
    for part in given.embodied:
        made[f"{part.name}.count"] = part.count
        made[f"{part.name}.kgco2e_each"] = part.kgco2e_each
    return {
        "operational_tco2e": trace.put(
            carbon.OPERATIONAL, operational, facility_energy_kwh=facility, grid_g_per_kwh=given.grid_g_per_kwh
        ),
        "cue_g_per_kwh": trace.put(
            carbon.CUE,
            unless_unknown(lambda rate: carbon.usage_g_per_kwh(given.pue, rate), given.grid_g_per_kwh),
            pue=given.pue,
            grid_g_per_kwh=given.grid_g_per_kwh,
        ),
        "embodied_tco2e": trace.put(carbon.EMBODIED, embodied, **made),
        "embodied_tco2e_per_year": trace.put(
            carbon.EMBODIED_A_YEAR, yearly, embodied_tco2e=embodied, life_years=given.life_years
        ),
        "carbon_tco2e_per_year": trace.put(
            carbon.CARBON, both, operational_tco2e=operational, embodied_tco2e_per_year=yearly
        ),
        "gco2e_per_gpu_h": trace.put(
            carbon.CARBON_PER_GPU_HOUR,
            each,
            carbon_tco2e_per_year=both,
            gpus=given.gpus,
            hours=given.hours,
            load_factor=given.load_factor,
        ),
    }


def _warnings(given: CampusInput) -> list[Notice]:
    found = []
    if given.basis == "nameplate" and given.load_factor == 1:
        found.append(Notice("nameplate_all_year", CAMPUS_WARNINGS["nameplate_all_year"]))
    if given.usd_per_kwh is not None and given.usd_per_kw_month == 0:
        found.append(Notice("no_demand_charge", CAMPUS_WARNINGS["no_demand_charge"]))
    if given.grid_g_per_kwh is not None and not given.embodied:
        found.append(Notice("embodied_unknown", CAMPUS_WARNINGS["embodied_unknown"]))
    if given.hours < energy.HOURS_A_YEAR:
        found.append(Notice("partial_year", CAMPUS_WARNINGS["partial_year"]))
    return found


CAMPUS = Layer("campus", CampusInput, run_campus)

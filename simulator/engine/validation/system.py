"""Answers to published values of systems, campuses and grids: power from parts, shares, pace, growth."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.campus import build, energy
from simulator.engine.compute import efficiency_gflops_per_w, power_of_efficiency_kw
from simulator.engine.space import racks_needed
from simulator.engine.supply.stages import input_power_kw
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole
from simulator.engine.validation.spelling import MISSING, find

_EIGHT = Decimal(8)
_NONE = Decimal(0)


@answers("system", "system_idle_mw")
def system_idle(racks: Decimal, rack_idle_kw: Decimal, cdus: Decimal = _NONE, cdu_pump_kw: Decimal = _NONE) -> Decimal:
    return convert(racks * rack_idle_kw + cdus * cdu_pump_kw, "kw", "mw")


@answers("system", "system_peak_mw")
def system_peak(racks: Decimal, rack_peak_kw: Decimal, cdus: Decimal = _NONE, cdu_pump_kw: Decimal = _NONE) -> Decimal:
    return convert(racks * rack_peak_kw + cdus * cdu_pump_kw, "kw", "mw")


@answers("system", "system_peak_mw")
def system_peak_of_nodes(racks: Decimal, nodes_per_rack: Decimal, node_kw: Decimal) -> Decimal:
    return system_peak(racks, nodes_per_rack * node_kw)


@answers("system", "idle_fraction")
def idle_share(
    racks: Decimal, rack_idle_kw: Decimal, rack_peak_kw: Decimal, cdus: Decimal = _NONE, cdu_pump_kw: Decimal = _NONE
) -> Decimal:
    idle = system_idle(racks, rack_idle_kw, cdus, cdu_pump_kw)
    return fraction(idle, system_peak(racks, rack_peak_kw, cdus, cdu_pump_kw))


@answers("system", "rmax_over_rpeak_fraction", "hpl_efficiency_fraction")
def share_of_peak(rmax_pflops: Decimal, rpeak_pflops: Decimal) -> Decimal:
    return fraction(rmax_pflops, rpeak_pflops)


@answers("system", "hpl_power_kw", "power_implied_by_efficiency_kw", "implied_power_kw", "power_kw", "system_power_kw")
def power_of_efficiency(rmax_pflops: Decimal, efficiency_gflops_per_w: Decimal) -> Decimal:
    return power_of_efficiency_kw(rmax_pflops, efficiency_gflops_per_w)


@answers("rack", "hpl_power_kw")
def rack_power_of_efficiency(rmax_pflops: Decimal, efficiency_gflops_per_w: Decimal) -> Decimal:
    return power_of_efficiency_kw(rmax_pflops, efficiency_gflops_per_w)


@answers("system", "rmax_over_power_gflops_per_w", "efficiency_gflops_per_w")
def efficiency(rmax_pflops: Decimal, listed_power_kw: Decimal) -> Decimal:
    return efficiency_gflops_per_w(rmax_pflops, listed_power_kw)


@answers("system", "gpu_only_mw", "accelerators_only_mw")
def accelerators_only(gpus: Decimal, gpu_tdp_w: Decimal) -> Decimal:
    return convert(gpus * gpu_tdp_w, "w", "mw")


@answers("system", "node_nameplate_mw", "nodes_nameplate_mw")
def nodes_nameplate(gpus: Decimal, node_kw: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return convert(gpus / gpus_per_node * node_kw, "kw", "mw")


@answers("system", "site_over_gpu_fraction")
def site_over_accelerators(gpus: Decimal, gpu_tdp_w: Decimal, site_mw: Decimal) -> Decimal:
    return fraction(site_mw, accelerators_only(gpus, gpu_tdp_w))


@answers("system", "site_over_node_nameplate_fraction")
def site_over_nodes(gpus: Decimal, node_kw: Decimal, site_mw: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return fraction(site_mw, nodes_nameplate(gpus, node_kw, gpus_per_node))


@answers("system", "site_kw_per_gpu", "power_per_gpu_kw", "kw_per_gpu")
def site_per_accelerator(site_mw: Decimal, gpus: Decimal) -> Decimal:
    return fraction(convert(site_mw, "mw", "kw"), gpus)


@answers("system", "site_mw", "campus_mw", "facility_mw")
def site_of_pue(it_mw: Decimal, pue: Decimal) -> Decimal:
    return input_power_kw(it_mw, 1 / pue)


@answers("system", "site_mw", "campus_mw", "total_mw")
def site_of_buildings(buildings: Decimal, building_mw: Decimal) -> Decimal:
    return buildings * building_mw


@answers("system", "it_mw")
def it_of_site(site_mw: Decimal, pue: Decimal) -> Decimal:
    return fraction(site_mw, pue)


@answers("system", "racks_count")
def racks_of_site(site_mw: Decimal, rack_kw: Decimal, pue: Decimal = Decimal(1)) -> Decimal:
    """Whole racks that the site can feed."""
    return Decimal(int(fraction(convert(it_of_site(site_mw, pue), "mw", "kw"), rack_kw)))


@answers("system", "racks_count")
def racks_of_gpus(gpus: Decimal, nodes_per_rack: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    nodes = racks_needed(whole(gpus), whole(gpus_per_node))
    return Decimal(racks_needed(nodes, whole(nodes_per_rack)))


@answers("system", "racks_count")
def racks_of_gpus_each(gpus: Decimal, gpus_per_rack: Decimal) -> Decimal:
    return Decimal(racks_needed(whole(gpus), whole(gpus_per_rack)))


@answers("system", "gpus_count")
def accelerators_of_whole_racks(
    site_mw: Decimal, rack_kw: Decimal, gpus_per_rack: Decimal, pue: Decimal = Decimal(1)
) -> Decimal:
    return racks_of_site(site_mw, rack_kw, pue) * gpus_per_rack


@answers("system", "growth_factor")
def growth(before: Decimal, after: Decimal) -> Decimal:
    return fraction(after, before)


_ENDS = (
    ("base", "target"),
    ("now", "later"),
    ("start", "end"),
    ("initial", "final"),
    ("before", "after"),
    ("first", "last"),
)


def _grown(inputs: Mapping[str, Any]) -> tuple[Decimal, Decimal, Any] | None:
    """Return the one quantity that a row gives at two times, with the years between them; None unless it is one.

    `now_gw` and `later_gw` with `years`, `base_gw` and `target_gw` with `base_year` and `target_year`, `twh_2024` and
    `twh_2030`.
    """
    found = []
    for early, late in _ENDS:
        for name in inputs:
            other = f"{late}{name.removeprefix(early)}"
            if name.startswith(f"{early}_") and other in inputs and not name.endswith("_year"):
                begin, end = inputs.get(f"{early}_year"), inputs.get(f"{late}_year")
                years = inputs.get("years") if begin is None or end is None else end - begin
                found.append((inputs[name], inputs[other], years))
    dated = [(match.group(1), int(match.group(2)), name) for name in inputs if (match := _DATED.fullmatch(name))]
    for stem in {each[0] for each in dated}:
        times = sorted((year, inputs[name]) for its, year, name in dated if its == stem)
        if len(times) == 2:
            found.append((times[0][1], times[1][1], Decimal(times[1][0] - times[0][0])))
    if len(found) != 1 or not all(isinstance(each, Decimal) for each in found[0][:2]):
        return None
    return found[0]


_DATED = re.compile(r"(\w+)_((?:19|20)\d\d)")


@answers_like("system", "growth_factor")
def growth_of_two(inputs: Mapping[str, Any]) -> Any:
    found = _grown(inputs)
    return UNANSWERED if found is None else fraction(found[1], found[0])


@answers_like("system", "cagr_fraction")
def growth_a_year(inputs: Mapping[str, Any]) -> Any:
    found = _grown(inputs)
    if found is None or not isinstance(found[2], Decimal):
        return UNANSWERED
    return energy.growth_fraction(*found)


@answers_like("system", r"(low|high|mid)_share_fraction")
def share_of_whole(inputs: Mapping[str, Any], bound: str) -> Any:
    """Of the one total of energy that the row gives."""
    wholes = [name for name in inputs if "total_twh" in name]
    value = inputs.get(f"{bound}_twh")
    if len(wholes) != 1 or not isinstance(value, Decimal):
        return UNANSWERED
    return fraction(value, inputs[wholes[0]])


@answers("system", "facility_mw", "site_mw", "campus_mw")
def facility_of_racks(racks: Decimal, rack_kw: Decimal, pue: Decimal) -> Decimal:
    return convert(racks * rack_kw * pue, "kw", "mw")


@answers("system", "rack_from_nodes_kw")
def rack_of_nodes(node_kw: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return node_kw * nodes_per_rack


@answers("system", "gpus_per_rack_count")
def accelerators_of_rack(gpus_per_node: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return gpus_per_node * nodes_per_rack


@answers("system", "gpus_count")
def accelerators_of_site(site_mw: Decimal, kw_per_gpu: Decimal) -> Decimal:
    return fraction(convert(site_mw, "mw", "kw"), kw_per_gpu)


@answers("system", "kw_per_gpu", "power_per_gpu_kw")
def rack_per_accelerator(rack_kw: Decimal, gpus_per_rack: Decimal) -> Decimal:
    return fraction(rack_kw, gpus_per_rack)


@answers("system", "nodes_count")
def nodes_of_racks(racks: Decimal, nodes_per_rack: Decimal) -> Decimal:
    return racks * nodes_per_rack


@answers("system", "it_mw")
def it_of_racks(racks: Decimal, rack_kw: Decimal) -> Decimal:
    return convert(racks * rack_kw, "kw", "mw")


@answers("system", "gpus_count")
def accelerators_of_racks(racks: Decimal, gpus_per_rack: Decimal) -> Decimal:
    return racks * gpus_per_rack


@answers("system", "gpus_count")
def accelerators_of_nodes(nodes: Decimal, gpus_per_node: Decimal) -> Decimal:
    return nodes * gpus_per_node


@answers("system", "nodes_count")
def nodes_of_accelerators(gpus: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return fraction(gpus, gpus_per_node)


@answers("system", "gpus_per_day_average_count", "gpus_per_day_count")
def pace(gpus: Decimal, build_days: Decimal) -> Decimal:
    return build.per_day(gpus, build_days)


@answers("system", "nodes_per_day_average_count")
def nodes_pace(gpus: Decimal, build_days: Decimal, gpus_per_node: Decimal = _EIGHT) -> Decimal:
    return build.per_day(gpus / gpus_per_node, build_days)


@answers("system", "gpus_per_day_from_first_rack_count")
def pace_from_first_rack(gpus: Decimal, first_rack_to_training_days: Decimal) -> Decimal:
    return build.per_day(gpus, first_rack_to_training_days)


@answers("system", "nodes_per_day_from_first_rack_count")
def nodes_pace_from_first_rack(
    gpus: Decimal, first_rack_to_training_days: Decimal, gpus_per_node: Decimal = _EIGHT
) -> Decimal:
    # Servers of accelerators hold eight where a row does not say.
    return build.per_day(gpus / gpus_per_node, first_rack_to_training_days)


@answers_like("system", r"(?:pod|rack|system|cluster)_(\w+)_(tflops|gb|gb_per_s)")
def all_chips(inputs: Mapping[str, Any], what: str, unit: str) -> Any:
    """What all chips, or nodes, have together, of a rate in a number format or of memory: chips · each."""
    for counted, ones in (("gpus", ("chip", "gpu", "accelerator")), ("nodes", ("node", "server", "tray"))):
        count = find(counted, inputs)
        found = [find(f"{one}_{what}_{unit}", inputs) for one in ones]
        each = next((value for value in found if value is not MISSING), None)
        if isinstance(count, Decimal) and isinstance(each, Decimal):
            return count * each
    return UNANSWERED


@answers("system", "chip_power_mw")
def chips_power(chips: Decimal, chip_w: Decimal) -> Decimal:
    return convert(chips * chip_w, "w", "mw")


@answers("system", "chip_share_of_pod_fraction")
def chips_share(chips: Decimal, chip_w: Decimal, pod_mw_reported: Decimal) -> Decimal:
    return fraction(chips_power(chips, chip_w), pod_mw_reported)


@answers_like("system", r"(?:(\w+)_)?total_twh")
def whole_of_share(inputs: Mapping[str, Any], region: str | None) -> Any:
    """Total energy of a region from a part and its share, of the year that both name."""
    for name in inputs:
        year = name.removeprefix("share_").removesuffix("_fraction")
        part = inputs.get(f"dc_twh_{year}")
        if name.startswith("share_") and name.endswith("_fraction") and isinstance(part, Decimal):
            return fraction(part, inputs[name])
    return UNANSWERED


@answers_like("system", r"(?:\w+_)?cagr_(\d{4})_(\d{4})_fraction")
def growth_of_years(inputs: Mapping[str, Any], first: str, last: str) -> Any:
    """Growth between two years, of the one series that has both."""
    for name, value in inputs.items():
        if name.endswith(f"_{first}") and isinstance(value, Decimal):
            later = inputs.get(f"{name.removesuffix(first)}{last}")
            if isinstance(later, Decimal):
                return energy.growth_fraction(inputs[name], later, Decimal(int(last) - int(first)))
    return UNANSWERED


# The projections of LBNL's report on data centres in the United States (December 2024) reach to 2028; a row of another
# report says its year.
_HORIZON = Decimal(2028)


@answers_like("system", r"(low|high|mid)_growth_factor")
def factor_to_horizon(inputs: Mapping[str, Any], bound: str) -> Any:
    value = inputs.get(f"{bound}_twh")
    base = next((inputs[name] for name in inputs if name.startswith("base_twh")), None)
    return fraction(value, base) if isinstance(value, Decimal) and isinstance(base, Decimal) else UNANSWERED


@answers("system", "total_twh")
def whole_of_part(twh: Decimal, share_fraction: Decimal) -> Decimal:
    return fraction(twh, share_fraction)


@answers("system", "capacity_factor_fraction")
def factor_of_power(average_gw: Decimal, capacity_gw: Decimal) -> Decimal:
    return energy.capacity_factor(average_gw, capacity_gw)


@answers_like("system", r"(low|high|mid)_cagr_fraction")
def growth_to_horizon(inputs: Mapping[str, Any], bound: str) -> Any:
    """Growth from a base year, which its name says, to the year of the projection."""
    value = inputs.get(f"{bound}_twh")
    year = inputs.get("target_year", inputs.get("year", _HORIZON))
    for name in inputs:
        if name.startswith("base_twh_") and isinstance(value, Decimal):
            return energy.growth_fraction(inputs[name], value, year - int(name.removeprefix("base_twh_")))
    return UNANSWERED


@answers_like("system", r"(?:(\w+)_)?average_gw")
def average_power(inputs: Mapping[str, Any], which: str | None) -> Any:
    value = inputs.get(f"{which}_twh" if which else "twh", inputs.get("annual_twh"))
    return energy.average_power_gw(value) if isinstance(value, Decimal) else UNANSWERED


@answers_like("system", r"(?:(\w+)_)?capacity_factor_fraction")
def factor(inputs: Mapping[str, Any], which: str | None) -> Any:
    average = average_power(inputs, which)
    capacity = inputs.get(f"{which}_capacity_gw" if which else "capacity_gw")
    if average is UNANSWERED or not isinstance(capacity, Decimal):
        return UNANSWERED
    return energy.capacity_factor(average, capacity)


@answers("system", "annual_twh", "energy_twh")
def energy_of_power(average_gw: Decimal, hours: Decimal = energy.HOURS_A_YEAR) -> Decimal:
    return energy.energy_kwh(average_gw, hours) / 1000

"""How tables spell a quantity: several names for one input, and the unit as the end of the name.

`rack_power_kw` is `rack_power_w` in another unit, `litres_per_mwh` is `gal_per_kwh`, `inlet_f` is `inlet_c`. What a
name means is read off its end; `units` converts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from simulator.engine.units import convert, dimension_of

MISSING = object()
"""A row has no such input."""

# The unit that ends a name, as tables spell it, and as `units` does. The longest that fits is the unit.
_SUFFIXES = {
    **{
        unit: unit
        for unit in ("w", "kw", "mw", "gw", "va", "kva", "mva", "j", "kj", "mj", "wh", "kwh", "mwh", "gwh", "twh")
    },
    **{unit: unit for unit in ("ms", "s", "min", "h", "days", "years", "g", "kg", "t", "kt", "lb", "l", "m3", "gal")},
    **{unit: unit for unit in ("gb", "gib", "tb", "tib", "pb", "gbps", "tbps", "mm", "cm", "m", "ft", "m2", "ft2")},
    **{unit: unit for unit in ("pa", "kpa", "v", "kv", "usd", "musd", "tflops", "pflops", "eflops", "gflops")},
    **{unit: unit for unit in ("million", "billion", "trillion", "fraction", "percent", "cfm")},
    **{unit: unit for unit in ("kb", "mb", "mib", "bar", "psi", "us", "mt", "kn")},
    "feet": "ft",
    "foot": "ft",
    "hour": "h",
    "minute": "min",
    "second": "s",
    "hours": "h",
    "hr": "h",
    "sec": "s",
    "seconds": "s",
    "minutes": "min",
    "day": "days",
    "year": "years",
    "tonnes": "t",
    "litres": "l",
    "litre": "l",
    "gallons": "gal",
    "metres": "m",
    "inches": "in",
    "in": "in",
    "lbs": "lb",
    "pct": "percent",
    "ratio": "fraction",
    "share": "fraction",
    "sqft": "ft2",
    "kgco2e": "kg",
    "gco2e": "g",
    "tco2e": "t",
    "ktco2e": "kt",
    "kgco2": "kg",
    "tco2": "t",
    "btu_per_hr": "btu_h",
    "btu_per_h": "btu_h",
    "btu_h": "btu_h",
    "btuh": "btu_h",
    "tons_refrigeration": "ton_r",
    "kn_per_m2": "kn_m2",
    "w_per_m2": "w_m2",
    "kw_per_m2": "kw_m2",
    "w_per_ft2": "w_ft2",
    "w_per_sqft": "w_ft2",
    "kg_per_s": "kg_s",
    "l_per_h": "l_h",
    "l_h": "l_h",
    "mb_per_s": "mb_s",
    "mtco2e": "mt",
    "m3_per_s": "m3_s",
    "m3_per_h": "m3_h",
    "m3_h": "m3_h",
    "m3_s": "m3_s",
    "l_per_min": "l_min",
    "l_min": "l_min",
    "lpm": "l_min",
    "l_per_s": "l_s",
    "gpm": "gpm",
    "gal_per_min": "gpm",
    "g_per_kwh": "g_kwh",
    "gco2_per_kwh": "g_kwh",
    "gco2e_per_kwh": "g_kwh",
    "kg_per_mwh": "kg_mwh",
    "kg_per_kwh": "kg_kwh",
    "kgco2e_per_kwh": "kg_kwh",
    "t_per_mwh": "kg_kwh",
    "lb_per_mwh": "lb_mwh",
    "gb_per_s": "gb_s",
    "gib_per_s": "gib_s",
    "tb_per_s": "tb_s",
    "gb_s": "gb_s",
    "gbs": "gb_s",
    "j_per_kg_k": "j_kg_k",
    "kj_per_kg_k": "kj_kg_k",
    "kg_per_m2": "kg_m2",
    "kg_m2": "kg_m2",
    "kn_m2": "kn_m2",
    "kw_m2": "kw_m2",
    "tb_s": "tb_s",
    "lb_per_ft2": "lb_ft2",
    "psf": "lb_ft2",
}

# Degrees are temperatures, but differences after one of these words.
_DEGREES = {"c": ("c", "k"), "f": ("f", "delta_f"), "k": ("k", "k")}
_DIFFERENCES = ("delta", "rise", "difference", "margin", "approach", "range")

_HEATS = ("heat", "cooling", "refrigeration", "chiller")
"""After one of these words a ton is one of refrigeration."""
_DERATINGS = ("derating", "derating_fraction", "derating_factor", "derate_factor")
_ALIASES: tuple[tuple[str, ...], ...] = (
    ("nodes", "nodes_count", "node_count", "compute_nodes", "servers", "servers_count", "num_nodes", "total_nodes"),
    ("gpus", "gpus_count", "gpu_count", "accelerators", "accelerators_count", "chips", "num_gpus", "total_gpus"),
    ("gpus_per_node", "gpus_per_server", "accelerators_per_node", "gpus_per_tray", "accelerators_per_server"),
    ("nodes_per_rack", "trays_per_rack", "servers_per_rack", "systems_per_rack", "compute_trays_per_rack"),
    ("nodes_per_su", "nodes_per_scalable_unit", "systems_per_su", "servers_per_su"),
    ("links", "storage_links", "links_per_node"),
    ("scalable_units", "scalable_units_count", "su", "su_count"),
    ("switch_radix_ports", "radix_ports", "switch_radix", "radix", "switch_ports", "ports_per_switch"),
    ("ports_per_gpu", "links_per_gpu_per_plane", "nics_per_gpu", "rails_per_gpu"),
    ("port_gbps", "link_gbps", "line_rate_gbps", "gpu_port_gbps"),
    ("planes", "planes_count"),
    ("oversubscription", "oversubscription_ratio", "cross_pod_oversubscription"),
    (
        "delta_t_k",
        "temperature_rise_k",
        "rise_k",
        "air_temperature_rise_k",
        "coolant_rise_k",
        "air_rise_k",
        "temperature_difference_k",
        "delta_k",
        "deltat_k",
        "temperature_delta_k",
    ),
    ("specific_heat_j_per_kg_k", "heat_capacity_j_kg_k", "cp_j_per_kg_k", "specific_heat_j_kg_k"),
    ("density_kg_per_m3", "density_kg_m3", "rho_kg_per_m3", "air_density_kg_per_m3"),
    ("air_temperature_c", "inlet_c", "inlet_temperature_c", "temperature_c", "air_c", "dry_bulb_c"),
    ("heat_kw", "load_kw", "power_kw", "rack_power_kw", "rack_kw", "node_max_kw", "max_power_kw"),
    ("rack_kw", "rack_power_kw", "rack_max_kw", "kw_per_rack", "power_per_rack_kw"),
    ("node_max_kw", "node_kw", "node_power_kw", "node_power_max_kw", "node_peak_kw"),
    ("max_power_kw_rounded", "max_power_kw", "power_kw", "load_kw"),
    ("max_apparent_power_kva", "apparent_power_kva", "load_kva"),
    ("kw_per_gpu", "site_kw_per_gpu", "power_per_gpu_kw"),
    ("site_mw", "capacity_mw", "campus_mw", "facility_mw"),
    ("days", "period_days", "run_days", "observed_days", "duration_days"),
    ("storage_link_gbps", "link_gbps", "port_gbps"),
    ("gb_per_s_per_gpu", "gb_per_s_per_accelerator"),
    ("level", "guidance_level"),
    ("fraction_blocking", "blocking_fraction", "blocked_fraction"),
    ("needed_read_gb_per_s", "needed_gb_per_s", "demand_gb_per_s", "required_read_gb_per_s", "needed_read_gb_s"),
    ("supplied_read_gb_per_s", "supplied_gb_per_s", "available_read_gb_per_s", "read_gb_per_s", "supplied_read_gb_s"),
    (
        "liquid_fraction",
        "liquid_heat_fraction",
        "liquid_cooled_fraction",
        "heat_to_liquid_fraction",
        "liquid_share_fraction",
        "liquid_capture_fraction",
        "heat_capture_fraction",
    ),
    ("gpu_tdp_w", "gpu_max_w", "accelerator_tdp_w", "chip_tdp_w"),
    ("line_voltage_v", "line_to_line_v", "voltage_line_v", "voltage_line_to_line_v"),
    ("phase_voltage_v", "line_to_neutral_v", "voltage_phase_v", "voltage_line_to_neutral_v"),
    ("breaker_a", "breaker_rating_a", "current_a", "amps", "amperes_a", "busway_a", "feed_a"),
    ("continuous_fraction", "derate", "breaker_derate", "derate_fraction", "max_utilisation_fraction", *_DERATINGS),
    ("max_utilisation_fraction", "continuous_fraction", "derate", "breaker_derate", "derate_fraction"),
    ("derate_fraction", "altitude_derate_fraction", "derate"),
    ("redundancy", "scheme", "redundancy_scheme"),
    ("stages", "stage_efficiencies", "efficiencies"),
    ("it_board_kw", "it_kw", "it_load_kw", "load_kw"),
    ("critical_mw", "it_mw", "critical_load_mw", "critical_it_mw", "load_mw"),
    ("rmax_pflops", "hpl_pflops", "rmax_pflop_s"),
    ("efficiency_gflops_per_w", "listed_efficiency_gflops_per_w", "gflops_per_w"),
    ("listed_power_kw", "power_kw"),
    ("checkpoint_write_s", "write_s", "write_time_s", "checkpoint_s", "checkpoint_cost_s", "checkpoint_time_s"),
    ("job_mttf_h", "mttf_h", "mtbf_h", "job_mtbf_h"),
    ("node_mttf_h", "node_mtbf_h"),
    ("gpu_mttf_h", "gpu_mtbf_h"),
    ("interval_s", "checkpoint_interval_s"),
    ("checkpoint_gb", "checkpoint_size_gb", "size_gb"),
    ("row_kw_max", "row_max_kw", "row_kw", "row_power_kw"),
    ("rack_kw_max", "rack_max_kw", "rack_limit_kw"),
    ("cooling_tons", "tons", "refrigeration_tons", "tons_of_refrigeration", "chiller_tons", "heat_tons"),
    ("cooling_load_kw", "cooling_kw", "chiller_load_kw", "cooling_capacity_kw"),
    ("supply_c", "coolant_supply_c", "supply_temperature_c", "water_in_c", "supply_water_c", "inlet_c"),
    ("return_c", "coolant_return_c", "return_temperature_c", "water_out_c", "return_water_c", "outlet_c", "exhaust_c"),
    ("flow_fraction", "speed_fraction", "flow_ratio", "speed_ratio", "rpm_ratio", "rpm_fraction", "airflow_fraction"),
    ("fan_w", "rated_fan_w", "fan_rated_w", "rated_power_w", "full_speed_w"),
    ("pressure_drop_kpa", "pressure_kpa", "differential_pressure_kpa", "head_kpa"),
    ("pump_efficiency_fraction", "efficiency_fraction"),
    ("coolant_c", "coolant_supply_c", "supply_c", "coolant_inlet_c", "coolant_temperature_c", "inlet_c", "water_c"),
    ("chip_w", "tdp_w", "gpu_tdp_w", "chip_tdp_w", "gpu_w", "cpu_w", "processor_w", "power_w"),
    ("thermal_resistance_k_per_w", "resistance_k_per_w", "rth_k_per_w"),
    (
        "chip_limit_c",
        "max_case_c",
        "max_junction_c",
        "case_max_c",
        "junction_max_c",
        "case_limit_c",
        "junction_limit_c",
        "max_chip_c",
        "throttle_c",
        "limit_c",
    ),
    ("chip_c", "case_c", "junction_c", "case_temperature_c", "junction_temperature_c", "gpu_c", "chip_temperature_c"),
    ("cdu_kw", "cdu_capacity_kw", "cdu_rating_kw", "cdu_cooling_kw"),
    ("rack_liquid_kw", "liquid_heat_kw", "rack_liquid_heat_kw", "liquid_kw"),
    ("facility_supply_c", "facility_water_c", "fws_supply_c", "fws_c", "primary_supply_c"),
    ("secondary_supply_c", "tcs_supply_c", "technology_supply_c", "rack_supply_c"),
    ("approach_k", "approach_temperature_k", "cdu_approach_k"),
    ("casters", "casters_count", "castors", "supports", "levelling_feet"),
    (
        "floor_limit_kg_per_m2",
        "floor_max_kg_per_m2",
        "floor_capacity_kg_per_m2",
        "floor_rating_kg_per_m2",
        "allowable_floor_load_kg_per_m2",
    ),
    ("area_m2", "floor_area_m2", "white_space_m2"),
    ("unit_mw", "module_mw", "ups_module_mw", "generator_mw", "genset_mw", "cdu_mw", "cdu_capacity_mw", "chiller_mw"),
    ("apparent_kva", "apparent_power_kva", "kva", "transformer_kva", "rating_kva"),
    ("real_kw", "real_power_kw", "active_kw", "active_power_kw", "load_kw"),
    (
        "parts",
        "components",
        "parts_count",
        "optics",
        "transceivers",
        "drives",
        "disks",
        "nics",
        "psus",
        "dimms",
        "switches",
        "cables",
    ),
    ("part_mtbf_h", "component_mtbf_h", "mtbf_h"),
    ("tco2e", "location_tco2e", "location_based_tco2e", "emissions_tco2e"),
    ("load_factor", "capacity_factor", "load_factor_fraction", "capacity_factor_fraction"),
    ("links_per_gpu", "nvlinks_per_gpu", "nvlink_links_per_gpu", "nvlink_count_per_gpu"),
    (
        "link_bidirectional_gb_per_s",
        "link_bidirectional_gb_s",
        "bidirectional_gb_per_s_per_link",
        "nvlink_gb_per_s_per_link",
        "nvlink_link_gb_per_s",
        "nvlink_bidirectional_gb_per_s_per_link",
    ),
    ("leaf_switches", "leaf_switches_count", "leaves"),
    ("spine_switches", "spine_switches_count", "spines"),
    ("core_switches", "core_switches_count", "cores"),
    ("uplinks_per_leaf", "leaf_uplinks", "leaf_up_ports"),
    ("rh_fraction", "relative_humidity_fraction", "humidity_fraction"),
    ("chilled_water_l", "buffer_tank_l", "water_tank_l", "thermal_storage_l"),
    ("samples_per_gpu_per_s", "samples_per_s_per_gpu", "samples_per_gpu_s", "samples_per_s_per_accelerator"),
    ("phase_currents_a", "loads_a", "line_currents_a", "currents_a"),
    ("load_steps", "steps", "block_load_steps"),
    ("ups_s", "ups_autonomy_s", "ups_ride_through_s", "battery_s"),
    ("power_factor", "pf", "power_factor_fraction", "cos_phi"),
    ("parameters_billion", "params_billion", "parameters_b", "params_b"),
    ("bytes_per_parameter", "bytes_per_param"),
    ("write_gb_per_s", "write_bandwidth_gb_per_s", "bandwidth_gb_per_s"),
    ("it_kwh", "it_energy_kwh"),
    ("facility_kwh", "total_kwh", "facility_energy_kwh", "total_facility_kwh", "site_kwh"),
    ("facility_kw", "total_facility_kw", "site_kw"),
    ("site_water_l", "water_l", "annual_water_l", "water_consumption_l"),
    ("wue_l_per_kwh", "water_l_per_kwh"),
    ("energy_kwh", "annual_kwh", "kwh_per_year", "annual_energy_kwh"),
    ("mttr_h", "repair_h", "mean_time_to_repair_h"),
    ("tp", "tensor_parallel", "tensor_parallelism"),
    ("pp", "pipeline_parallel", "pipeline_parallelism"),
    ("dp", "data_parallel", "data_parallelism"),
    ("cp", "context_parallel", "context_parallelism"),
    ("ep", "expert_parallel", "expert_parallelism"),
    ("peak_kw", "peak_demand_kw", "demand_kw"),
    ("hours_between_failures_h", "hours_between_failures"),
    ("gpu_hours", "accelerator_hours"),
    ("unexpected", "unexpected_count", "unexpected_interruptions", "failures", "failures_count"),
    ("interruptions_total", "interruptions", "interruptions_count"),
    ("generator_accepts_load_s", "generator_start_s"),
    ("usd_per_kwh", "price_usd_per_kwh", "rate_usd_per_kwh"),
    ("g_per_kwh", "grid_g_per_kwh", "intensity_g_per_kwh", "grid_intensity_g_per_kwh"),
    ("power_mw", "it_mw", "load_mw", "rack_mw", "solar_mw", "wind_mw", "plant_mw"),
    ("weight_kg", "mass_kg", "total_weight_kg", "rack_weight_kg"),
    ("rating_kw", "unit_kw", "generator_kw"),
    ("peak_dense_bf16_tflops", "peak_tflops", "peak_tflops_per_gpu", "peak_bf16_tflops"),
    ("tflops_per_gpu", "achieved_tflops_per_gpu", "achieved_tflops"),
    ("k_ports", "k", "radix_k"),
    ("busbar_v", "dc_voltage_v", "busbar_voltage_v", "voltage_dc_v", "voltage_vdc", "dc_v"),
    ("allocated_va", "allocated_w"),
    ("utilisation_fraction", "utilisation", "load_fraction"),
    ("thermal_class", "class", "ashrae_class", "air_class", "water_class", "coolant_class"),
    ("rack_height_u", "rack_units_u", "rack_u"),
)
ALIASES = {group[0]: group for group in _ALIASES}
"""Spellings of the input that begins each group, in the order in which they are looked for."""
KNOWN: set[str] = {name for group in _ALIASES for name in group}
"""Names of inputs as they are looked for: those of the groups, and of what answers take."""
for _group in _ALIASES:
    for _name in _group:
        ALIASES.setdefault(_name, (_name, *(other for other in _group if other != _name)))


_NUMBER_OF = re.compile(
    r"(?:number_of|no_of|num|n|total|total_number_of|count_of)_([a-z]\w*?)(?:_count)?|([a-z]\w*?)_count"
)


@cache
def counted(name: str) -> str | None:
    """Return the plural of what a name counts, `leaf_switches` of `leaf_switch_count` and of `n_leaf_switches`.

    None for a name that counts nothing, or that is known as it stands.
    """
    match = _NUMBER_OF.fullmatch(name)
    if match is None or name in KNOWN or split(name) is not None:
        return None
    thing = match.group(1) or match.group(2)
    return _plural(thing) if split(thing) is None and _plural(thing) in KNOWN else None


def _plural(thing: str) -> str:
    if thing.endswith("s") and not thing.endswith("ss"):
        return thing
    return f"{thing}es" if thing.endswith(("ch", "x", "s")) else f"{thing}s"


def counts(name: str) -> tuple[str, ...]:
    """Return how a count is spelled that tables call `name`: `leaf_switches_count` for `number_of_leaf_switches`."""
    match = _NUMBER_OF.fullmatch(name)
    thing = name if match is None else match.group(1) or match.group(2)
    if split(name) is not None or split(thing) is not None:
        return ()
    ways = (f"{_plural(thing)}_count", _plural(thing), f"{thing}_count", thing)
    return tuple(dict.fromkeys(each for each in ways if each != name))


@dataclass(frozen=True, slots=True)
class Unit:
    """The end of a name: `upper` of `litres_per_mwh` is l, `lower` is mwh; most names have no lower one.

    `rest` is what follows a unit that is of each of something: `per_gpu` of `site_kw_per_gpu`.
    """

    stem: str
    upper: str
    lower: str = ""
    rest: str = ""


def split(name: str) -> Unit | None:
    """Return a name without its unit, and the unit as `units` spells it; None for a name without one."""
    parts = name.split("_")
    if len(parts) > 1 and parts[-1] == "tons" and parts[-2] in _HEATS:
        return Unit("_".join(parts[:-1]), "ton_r")
    for start in range(len(parts)):
        suffix, stem = "_".join(parts[start:]), "_".join(parts[:start])
        if suffix not in _SUFFIXES and suffix not in _DEGREES:
            continue
        if start == 0 or parts[start - 1] != "per":
            is_difference = any(word in parts for word in _DIFFERENCES)
            return Unit(stem, _DEGREES[suffix][is_difference] if suffix in _DEGREES else _SUFFIXES[suffix])
        # Degrees in a rate are differences: an hour's change, a degree's worth of metres.
        lower = _DEGREES[suffix][True] if suffix in _DEGREES else _SUFFIXES[suffix]
        above = split("_".join(parts[: start - 1]))
        if above is None or above.lower:
            return Unit("_".join(parts[: start - 1]), "", lower)
        return Unit(above.stem, {"c": "k", "f": "delta_f"}.get(above.upper, above.upper), lower)
    above_each, each, of_what = name.rpartition("_per_")
    unit = split(above_each) if each else None
    return None if unit is None or unit.rest else replace(unit, rest=f"per_{of_what}")


@cache
def in_other_units(name: str) -> tuple[tuple[str, Callable[[Decimal], Decimal]], ...]:
    """Return the names that `name` would have in other units of its dimension, each with the way from it to `name`."""
    unit = split(name)
    if unit is None:
        return ()
    found: list[tuple[str, Callable[[Decimal], Decimal]]] = []
    if unit.upper and dimension_of(unit.upper) == "power" and unit.stem.rpartition("_")[2] in _HEATS and not unit.lower:
        found.append((f"{unit.stem}_tons", _way("ton_r", unit.upper, "", "")))
    for upper_end, upper in _ends(unit.upper):
        for lower_end, lower in _ends(unit.lower):
            above = "_".join(part for part in (unit.stem, upper_end) if part)
            spelled = "_".join(part for part in (above, f"per_{lower_end}" if unit.lower else "", unit.rest) if part)
            if spelled != name and _is_rate(unit):
                found.append((spelled, _way("", "", upper, unit.upper)))
            elif spelled != name:
                found.append((spelled, _way(upper, unit.upper, lower, unit.lower)))
    return tuple(found)


_TIMES = re.compile(r"mtbf|mttf|mttr|time|lost|wait|autonomy|duration")


def _is_rate(unit: Unit) -> bool:
    """Whether the time that ends a name is below: `samples_per_gpu_s` are fewer than `samples_per_gpu_min`."""
    if not unit.upper or unit.lower or "_per_" not in f"_{unit.stem}" or dimension_of(unit.upper) != "time":
        return False
    return _TIMES.search(unit.stem) is None


def _ends(unit: str) -> Iterator[tuple[str, str]]:
    """Give the ends of names with a unit of this dimension, each with the unit; the empty end where there is none."""
    if not unit:
        yield "", ""
        return
    for end, known in _SUFFIXES.items():
        if dimension_of(known) == dimension_of(unit):
            yield end, known
    for end, meanings in _DEGREES.items():
        for known in sorted({each for each in meanings if dimension_of(each) == dimension_of(unit)}):
            yield end, known


def _way(upper: str, to_upper: str, lower: str, to_lower: str) -> Callable[[Decimal], Decimal]:
    def way(value: Decimal) -> Decimal:
        if upper:
            value = convert(value, upper, to_upper)
        # What is counted for a kilowatt-hour is a thousand times as much for a megawatt-hour.
        return convert(value, to_lower, lower) if lower else value

    return way


def converted(value: Any, way: Callable[[Decimal], Decimal]) -> Any:
    """Return a number, a list or an object of numbers in another unit, None as it is; MISSING for anything else."""
    if value is None:
        return None
    if isinstance(value, Decimal):
        return way(value)
    if isinstance(value, list):
        each = [converted(one, way) for one in value]
        return MISSING if any(one is MISSING for one in each) else each
    if isinstance(value, Mapping):
        named = {key: converted(one, way) for key, one in value.items()}
        return MISSING if any(one is MISSING for one in named.values()) else named
    return MISSING


def find(name: str, inputs: Mapping[str, Any], end: str = "") -> Any:
    """Return the input called `name`, or one that is spelled otherwise or given in another unit; else MISSING.

    With an `end` (`_options`) the names are looked for with that end, and lists of values are returned.
    """
    for spelled in ALIASES.get(name, (name,)):
        if f"{spelled}{end}" in inputs:
            return inputs[f"{spelled}{end}"]
        for other, way in in_other_units(spelled):
            if f"{other}{end}" in inputs and (found := converted(inputs[f"{other}{end}"], way)) is not MISSING:
                return found
    return MISSING if end else _bare_fraction(name, inputs)


def _bare_fraction(name: str, inputs: Mapping[str, Any]) -> Any:
    """Return a fraction that a row calls without its unit, `ups_efficiency` of 0.97; 97 may be a percentage, or not."""
    for spelled in ALIASES.get(name, (name,)):
        bare = spelled.removesuffix("_fraction")
        if bare != spelled and bare in inputs and isinstance(inputs[bare], Decimal) and 0 <= inputs[bare] <= 1:
            return inputs[bare]
    return MISSING


def options(name: str, inputs: Mapping[str, Any]) -> list[Any] | None:
    """Return the values that a row lists for the input `name`: `x_options`, or its plural; None if it lists none."""
    found = find(name, inputs, "_options")
    for spelled in ALIASES.get(name, (name,)):
        for plural in (f"{spelled}s", f"{spelled}es"):
            if found is MISSING and plural in inputs:
                found = inputs[plural]
    return found if isinstance(found, list) else None

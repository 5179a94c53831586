"""Answers to published values of what stands behind feeds: supplies, shelves, conversions, storage, generators."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.compute import POWER_CURVES, utilised_power_w
from simulator.engine.electrical import carries, remaining_capacity
from simulator.engine.supply import backup
from simulator.engine.supply.stages import chain_efficiency, input_power_kw
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole
from simulator.engine.validation.shelves import usable_share
from simulator.engine.validation.spelling import MISSING, find, split

_ONE = Decimal(1)
_ENERGIES = ("j", "kj", "mj", "kwh", "mwh")


@answers("electrical", "shelf_capacity_kw")
def shelf(psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_kw, count=whole(psu_per_shelf))


@answers("electrical", "installed_kw")
def shelves_installed(shelves: Decimal, psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf(psu_per_shelf, psu_kw), count=whole(shelves))


@answers("electrical", "usable_n_plus_1_kw")
def shelves_usable_without_one(shelves: Decimal, psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf(psu_per_shelf, psu_kw), count=whole(shelves), lost=1)


@answers("electrical", "usable_kw")
def shelves_usable_by_scheme(shelves: Decimal, psu_per_shelf: Decimal, psu_kw: Decimal, redundancy: str) -> Decimal:
    lost = {"n": 0, "n+1": 1, "n+2": 2, "n+n": whole(shelves) // 2, "2n": whole(shelves) // 2}[redundancy.lower()]
    return remaining_capacity(shelf(psu_per_shelf, psu_kw), count=whole(shelves), lost=lost)


@answers("electrical", "usable_n_plus_n_kw")
def shelves_usable(shelves: Decimal, psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf(psu_per_shelf, psu_kw), count=whole(shelves), lost=whole(shelves) // 2)


@answers("electrical", "rack_storage_kj")
def rack_storage(joules_per_gpu: Decimal, gpus: Decimal) -> Decimal:
    return backup.stored_kj(joules_per_gpu, whole(gpus))


@answers("electrical", "ride_through_at_full_load_ms")
def rack_ride_through(joules_per_gpu: Decimal, gpus: Decimal, rack_kw: Decimal) -> Decimal:
    return convert(backup.ride_through_s(rack_storage(joules_per_gpu, gpus), rack_kw), "s", "ms")


@answers("electrical", "peak_after_smoothing_kw")
def peak_after_smoothing(rack_kw: Decimal, peak_cut_fraction: Decimal) -> Decimal:
    return backup.smoothed_peak_kw(rack_kw, peak_cut_fraction)


@answers_like(
    "electrical",
    "(?:(?:ups|battery|bbu|flywheel|rack|storage|bess|capacitor)_)?(?:ride_through|autonomy|runtime|duration|backup_time|hold_?up)_s",
)
def ride_through(inputs: Mapping[str, Any]) -> Any:
    """The one store of energy that a row gives, as far as it reaches the load, over the load."""
    load = find("heat_kw", inputs)
    stores = [name for name in inputs if (unit := split(name)) and not unit.lower and unit.upper in _ENERGIES]
    if not isinstance(load, Decimal) or len(stores) != 1 or not isinstance(inputs[stores[0]], Decimal):
        return UNANSWERED
    unit, share = split(stores[0]), usable_share(inputs)
    if share is None:
        return UNANSWERED
    assert unit is not None
    return backup.ride_through_s(convert(inputs[stores[0]], unit.upper, "kj"), load, usable_fraction=share)


@answers("electrical", "chain_fraction", "chain_efficiency_fraction", "end_to_end_fraction")
def chain(stages: Mapping[str, Decimal] | list[Decimal]) -> Decimal:
    return chain_efficiency(stages.values() if isinstance(stages, Mapping) else stages)


@answers("electrical", "grid_kw", "utility_kw", "input_kw")
def grid_power(stages: Mapping[str, Decimal] | list[Decimal], it_board_kw: Decimal) -> Decimal:
    return input_power_kw(it_board_kw, chain(stages))


_STAGES = (
    "transformer", "mv_transformer", "hv_transformer", "switchgear", "ups", "sts", "pdu", "rpp", "busway",
    "distribution", "rectifier", "inverter", "shelf", "psu", "busbar", "dc_dc", "vr", "vrm", "ibc", "cable",
)  # fmt: skip


def _stages_of(inputs: Mapping[str, Any]) -> list[Decimal] | None:
    """Return the efficiencies of stages that a row gives one by one; None where a fraction is of no known stage."""
    found = []
    for name, value in inputs.items():
        unit = split(name)
        if unit is None or unit.upper not in ("fraction", "percent"):
            continue
        stem = unit.stem.removesuffix("_efficiency")
        if stem not in _STAGES or unit.lower or not isinstance(value, Decimal):
            return None
        found.append(convert(inputs[name], unit.upper, "fraction"))
    return found if len(found) > 1 else None


@answers_like("electrical", "(?:chain|chain_efficiency|end_to_end|end_to_end_efficiency)_fraction")
def chain_of_named(inputs: Mapping[str, Any]) -> Any:
    stages = _stages_of(inputs)
    return UNANSWERED if stages is None else chain(stages)


@answers_like("electrical", "(?:grid|utility)_kw")
def grid_of_named(inputs: Mapping[str, Any]) -> Any:
    stages, load = _stages_of(inputs), find("it_board_kw", inputs)
    return UNANSWERED if stages is None or not isinstance(load, Decimal) else grid_power(stages, load)


@answers("electrical", "it_board_kw", "it_kw")
def board_power(stages: Mapping[str, Decimal] | list[Decimal], grid_kw: Decimal) -> Decimal:
    return grid_kw * chain(stages)


@answers("electrical", "loss_kw")
def chain_loss(stages: Mapping[str, Decimal] | list[Decimal], it_board_kw: Decimal) -> Decimal:
    return grid_power(stages, it_board_kw) - it_board_kw


@answers("electrical", "loss_fraction")
def chain_loss_share(stages: Mapping[str, Decimal] | list[Decimal]) -> Decimal:
    return 1 - chain(stages)


@answers("electrical", "ups_input_kw")
def ups_input(load_kw: Decimal, ups_efficiency_fraction: Decimal) -> Decimal:
    return input_power_kw(load_kw, ups_efficiency_fraction)


@answers("electrical", "ups_loss_kw")
def ups_loss(load_kw: Decimal, ups_efficiency_fraction: Decimal) -> Decimal:
    return ups_input(load_kw, ups_efficiency_fraction) - load_kw


@answers("electrical", "gal_per_kwh")
def gallons_per_kwh(full_load_gal_per_h: Decimal, rating_kw: Decimal) -> Decimal:
    return backup.fuel_per_kwh(full_load_gal_per_h, rating_kw)


@answers("electrical", "full_load_hours", "tank_hours", "autonomy_h")
def tank_lasts(tank_gal: Decimal, full_load_gal_per_h: Decimal) -> Decimal:
    return backup.tank_hours(tank_gal, full_load_gal_per_h)


@answers("electrical", "tank_hours", "autonomy_h")
def tank_lasts_at_part_load(tank_gal: Decimal, full_load_gal_per_h: Decimal, load_fraction: Decimal) -> Decimal:
    """The burn is taken as proportional to load, as the supply layer has it."""
    return backup.tank_hours(tank_gal, full_load_gal_per_h * load_fraction)


@answers("electrical", "tank_gal")
def tank_of_hours(autonomy_h: Decimal, full_load_gal_per_h: Decimal) -> Decimal:
    return autonomy_h * full_load_gal_per_h


def _generators(critical_mw: Decimal, pue: Decimal, unit_mw: Decimal, scheme: str, derate: Decimal) -> Decimal:
    kw = convert(critical_mw * pue, "mw", "kw")
    needed = backup.units_needed(kw, convert(unit_mw, "mw", "kw"), derate=derate)
    return Decimal(backup.units_installed(needed, scheme))


_COUNTS = {
    "n": "n",
    "n_plus_1": "n+1",
    "n_plus_2": "n+2",
    "two_n": "2n",
    "2n": "2n",
}


@answers_like("electrical", f"({'|'.join(_COUNTS)})_count")
def generators_of_scheme(inputs: Mapping[str, Any], scheme: str) -> Any:
    return _generators_of(inputs, _COUNTS[scheme])


@answers_like("electrical", "(?:installed|units|generators)_count")
def generators_installed(inputs: Mapping[str, Any]) -> Any:
    scheme = find("redundancy", inputs)
    if not isinstance(scheme, str) or scheme.lower().replace(" ", "") not in backup.SCHEMES:
        return UNANSWERED
    return _generators_of(inputs, scheme.lower().replace(" ", ""))


@answers_like("electrical", "installed_mw")
def generators_installed_power(inputs: Mapping[str, Any]) -> Any:
    count = generators_installed(inputs)
    return UNANSWERED if count is UNANSWERED else count * inputs["unit_mw"]


def _generators_of(inputs: Mapping[str, Any], scheme: str) -> Any:
    load, unit = find("critical_mw", inputs), find("unit_mw", inputs)
    pue, derate = find("pue", inputs), find("derate_fraction", inputs)
    if not isinstance(load, Decimal) or not isinstance(unit, Decimal):
        return UNANSWERED
    return _generators(load, _ONE if pue is MISSING else pue, unit, scheme, _ONE if derate is MISSING else derate)


@answers("electrical", "facility_mw")
def facility(critical_mw: Decimal, pue: Decimal) -> Decimal:
    return input_power_kw(critical_mw, 1 / pue)


_BENDS = {"mse": ("mse_r", "r"), "asy": ("asym_util", "asymptotic_utilisation", "asymptotic_a")}


@answers_like("electrical", f"({'|'.join(POWER_CURVES)})_w")
def power_of_curve(inputs: Mapping[str, Any], curve: str) -> Any:
    given = [find(name, inputs) for name in ("idle_w", "max_w", "utilisation_fraction")]
    if not all(isinstance(each, Decimal) for each in given):
        return UNANSWERED
    idle_w, max_w, utilisation = (Decimal(each) for each in given if each is not None)
    bend = next((inputs[name] for name in _BENDS.get(curve[:3], ()) if name in inputs), None)
    return utilised_power_w(
        idle_w,
        max_w,
        utilisation,
        curve,
        r=bend if curve == "mse" and bend is not None else Decimal("1.4"),
        a=bend if curve.startswith("asymptotic") and bend is not None else Decimal("0.3"),
    )


@answers("rack", "psu_installed_kw")
def supplies_installed(psu_count: Decimal, psu_rating_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_rating_kw, count=whole(psu_count))


_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


def _left(inputs: Mapping[str, Any], lost: str) -> Decimal | None:
    count, rating = find("psu_count", inputs), find("psu_rating_kw", inputs)
    failed = _WORDS.get(lost) or (int(lost) if lost.isdigit() else None)
    if failed is None or not isinstance(count, Decimal) or not isinstance(rating, Decimal):
        return None
    return remaining_capacity(rating, count=whole(count), lost=failed)


@answers_like("rack", r"psu_(?:usable_)?with_(\w+)_failed_kw")
def supplies_left(inputs: Mapping[str, Any], lost: str) -> Any:
    left = _left(inputs, lost)
    return UNANSWERED if left is None else left


@answers_like("rack", r"full_performance_with_(\w+)_failed_bool")
def carries_with_fewer(inputs: Mapping[str, Any], lost: str) -> Any:
    left, load = _left(inputs, lost), find("node_max_kw", inputs)
    if left is None or not isinstance(load, Decimal):
        return UNANSWERED
    return carries(left, load, load)


@answers("rack", "psu_usable_kw")
def supplies_usable(psu_count: Decimal, psu_rating_kw: Decimal, redundancy: str) -> Decimal:
    """What is left when the spare ones of `4+2` are lost."""
    needed, _, spare = redundancy.partition("+")
    if spare.isdigit():
        return remaining_capacity(psu_rating_kw, count=whole(psu_count), lost=int(spare))
    lost = {"n": 0, "2n": whole(psu_count) // 2}.get(needed.lower())
    if spare or lost is None:
        lost = whole(psu_count) // 2
    return remaining_capacity(psu_rating_kw, count=whole(psu_count), lost=lost)

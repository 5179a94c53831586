"""Answers to published values of shelves, backup units and schemes of redundancy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.electrical import remaining_capacity
from simulator.engine.supply import backup
from simulator.engine.units import convert, dimension_of
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole
from simulator.engine.validation.spelling import MISSING, find, split

_ONE = Decimal(1)


@answers("electrical", "usable_kw", "shelf_usable_kw")
def usable_of_supplies(psu_per_shelf: Decimal, psu_kw: Decimal, redundancy: str) -> Decimal:
    """What is left of one shelf when the spare supplies of `5+1` or N+1 are lost."""
    match = re.fullmatch(r"(\d+|n)\+(\d+)", redundancy.lower().replace(" ", ""))
    if match is None or (match.group(1) != "n" and int(match.group(1)) + int(match.group(2)) != psu_per_shelf):
        raise ValueError(f"{redundancy} does not say how many of {psu_per_shelf} supplies are spare")
    return remaining_capacity(psu_kw, count=whole(psu_per_shelf), lost=int(match.group(2)))


@answers("electrical", "usable_n_plus_1_kw", "shelf_usable_n_plus_1_kw")
def usable_without_one(psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_kw, count=whole(psu_per_shelf), lost=1)


@answers("electrical", "installed_kw")
def installed(shelves: Decimal, shelf_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf_kw, count=whole(shelves))


@answers("electrical", "busbar_a", "busbar_current_a")
def busbar_of_shelves(shelves: Decimal, shelf_kw: Decimal, busbar_v: Decimal) -> Decimal:
    return fraction(convert(installed(shelves, shelf_kw), "kw", "w"), busbar_v)


@answers("electrical", "usable_n_plus_n_kw")
def half_of_shelves(shelves: Decimal, shelf_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf_kw, count=whole(shelves), lost=whole(shelves) // 2)


@answers("electrical", "usable_n_plus_1_kw")
def all_shelves_but_one(shelves: Decimal, shelf_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf_kw, count=whole(shelves), lost=1)


@answers("electrical", "shelf_kw", "bbu_shelf_kw")
def backup_shelf(bbu_per_shelf: Decimal, bbu_kw: Decimal) -> Decimal:
    return remaining_capacity(bbu_kw, count=whole(bbu_per_shelf))


@answers("electrical", "stored_kj", "energy_kj", "bbu_energy_kj")
def stored_in_backup(bbu_per_shelf: Decimal, bbu_kw: Decimal, bbu_s: Decimal) -> Decimal:
    """What carries the rating for that time, kW · s."""
    return backup_shelf(bbu_per_shelf, bbu_kw) * bbu_s


@answers("electrical", "flywheel_kj", "energy_kj", "stored_kj")
def stored_in_flywheel(flywheel_kw: Decimal, flywheel_s: Decimal) -> Decimal:
    return flywheel_kw * flywheel_s


_DISTRIBUTED = re.compile(r"(\d+)n/(\d+)")


def _shared(redundancy: str) -> Decimal:
    match = _DISTRIBUTED.fullmatch(redundancy.lower().replace(" ", ""))
    if match is None:
        raise ValueError(f"{redundancy} is not of the form 4N/3")
    return Decimal(match.group(2)) / Decimal(match.group(1))


@answers("electrical", "max_load_fraction")
def loaded_at_most(redundancy: str) -> Decimal:
    """Of four that three must carry each may be loaded to three quarters (distributed redundancy)."""
    return _shared(redundancy)


@answers("electrical", "usable_kw")
def usable_of_shared(ups_modules: Decimal, module_kw: Decimal, redundancy: str) -> Decimal:
    return ups_modules * module_kw * _shared(redundancy)


@answers("electrical", "two_n_plus_1_count")
def two_systems(critical_mw: Decimal, unit_mw: Decimal, pue: Decimal = _ONE) -> Decimal:
    needed = backup.units_needed(convert(critical_mw * pue, "mw", "kw"), convert(unit_mw, "mw", "kw"))
    return Decimal(backup.units_installed(needed, "2(n+1)"))


@answers_like("electrical", "modules_count")
def modules(inputs: Mapping[str, Any]) -> Any:
    scheme = find("redundancy", inputs)
    load, unit = find("critical_mw", inputs), find("unit_mw", inputs)
    if not isinstance(scheme, str) or not isinstance(load, Decimal) or not isinstance(unit, Decimal):
        return UNANSWERED
    known = scheme.lower().replace(" ", "")
    if known not in backup.SCHEMES:
        return UNANSWERED
    needed = backup.units_needed(convert(load, "mw", "kw"), convert(unit, "mw", "kw"))
    return Decimal(backup.units_installed(needed, known))


# Fractions of a store's energy that reach the load; a row with another one means something that is not known here.
_USABLE = (
    "usable_fraction",
    "depth_of_discharge_fraction",
    "dod_fraction",
    "inverter_efficiency_fraction",
    "ups_efficiency_fraction",
    "end_of_life_fraction",
)
_STORES = ("battery", "ups", "bbu", "flywheel", "stored", "storage", "energy", "bess", "capacitor", "usable")


def usable_share(inputs: Mapping[str, Any]) -> Decimal | None:
    """Return what of a store's energy reaches the load: 1 where the row says nothing, None where it says too much."""
    share, known = _ONE, set()
    for name in _USABLE:
        value = find(name, inputs)
        if isinstance(value, Decimal):
            share *= value
        known |= {name, f"{name.removesuffix('_fraction')}_percent"}
    others = [name for name in inputs if name.endswith(("_fraction", "_percent")) and name not in known]
    return None if others else share


@answers_like("electrical", r"(?:(\w+?)_)?(?:energy_|capacity_)?kj")
def energy_for_time(inputs: Mapping[str, Any], store: str | None) -> Any:
    """The energy that carries the load for the one time that the row gives of a store."""
    load = find("heat_kw", inputs)
    if not isinstance(load, Decimal):
        # A battery may be told by its own power and time.
        load = find(f"{store}_kw", inputs) if store in _STORES else MISSING
    if (store or "energy") not in _STORES or not isinstance(load, Decimal):
        return UNANSWERED
    times = [
        (name, unit.upper)
        for name in inputs
        if (unit := split(name)) and not unit.lower and not unit.rest and unit.upper
        if dimension_of(unit.upper) == "time"
        and unit.stem in (*_STORES, "autonomy", "runtime", "ride_through", "holdup", "hold_up")
    ]
    share = usable_share(inputs)
    if len(times) != 1 or share is None or not isinstance(inputs[times[0][0]], Decimal):
        return UNANSWERED
    return load * convert(inputs[times[0][0]], times[0][1], "s") / share


@answers_like("electrical", r"(\w+)_input_kw")
def input_of_mode(inputs: Mapping[str, Any], mode: str) -> Any:
    load, efficiency = find("heat_kw", inputs), find(f"{mode}_fraction", inputs)
    if not isinstance(load, Decimal) or efficiency is MISSING or not isinstance(efficiency, Decimal):
        return UNANSWERED
    return fraction(load, efficiency)


@answers("electrical", "ride_through_s", "autonomy_s")
def flywheel_at_load(flywheel_kw: Decimal, flywheel_s: Decimal, load_kw: Decimal) -> Decimal:
    """At less than its rating it lasts longer, by the energy that it holds."""
    return backup.ride_through_s(stored_in_flywheel(flywheel_kw, flywheel_s), load_kw)


@answers("electrical", "time_to_full_load_s", "full_load_after_s")
def until_full_load(generator_accepts_load_s: Decimal, load_steps: Decimal, step_interval_s: Decimal) -> Decimal:
    return backup.full_load_after_s(generator_accepts_load_s, whole(load_steps), step_interval_s)


@answers("electrical", "ups_covers_bool", "covers_bool")
def covers_start(ups_s: Decimal, generator_accepts_load_s: Decimal) -> bool:
    return ups_s >= generator_accepts_load_s

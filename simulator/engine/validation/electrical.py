"""Answers to published values of feeds: what a breaker carries, what may be used of it, what is left in a failure."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import fraction
from simulator.engine.compute import POWER_CURVES, utilised_power_w
from simulator.engine.electrical import feed_kva, real_power_kw, remaining_capacity, usable_kva
from simulator.engine.supply import backup
from simulator.engine.supply.phases import neutral_current_a
from simulator.engine.supply.stages import chain_efficiency, input_power_kw
from simulator.engine.units import convert
from simulator.engine.validation.answers import UNANSWERED, answers, answers_like, whole


def _usable_va(voltage_v: Decimal, breaker_a: Decimal, phases: Decimal, continuous_fraction: Decimal) -> Decimal:
    kva = feed_kva(voltage_v=voltage_v, breaker_a=breaker_a, phases=whole(phases))
    return convert(usable_kva(kva, continuous_fraction), "kva", "va")


@answers("electrical", "capacity_va")
def line_feed(line_voltage_v: Decimal, breaker_a: Decimal, phases: Decimal, continuous_fraction: Decimal) -> Decimal:
    return _usable_va(line_voltage_v, breaker_a, phases, continuous_fraction)


@answers("electrical", "available_va")
def available(voltage_v: Decimal, breaker_a: Decimal, phases: Decimal, max_utilisation_fraction: Decimal) -> Decimal:
    return _usable_va(voltage_v, breaker_a, phases, max_utilisation_fraction)


@answers("electrical", "utilisation_percent")
def utilisation(
    voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal,
    max_utilisation_fraction: Decimal,
    allocated_va: Decimal,
) -> Decimal:
    return 100 * fraction(allocated_va, available(voltage_v, breaker_a, phases, max_utilisation_fraction))


@answers("electrical", "capacity_w")
def banks(banks: Decimal, bank_voltage_v: Decimal, bank_breaker_a: Decimal, breaker_derate: Decimal) -> Decimal:
    bank = feed_kva(voltage_v=bank_voltage_v, breaker_a=bank_breaker_a, phases=1)
    every = remaining_capacity(usable_kva(bank, breaker_derate), count=whole(banks))
    return convert(real_power_kw(every, Decimal(1)), "kw", "w")


@answers("electrical", "plug_capacity_va")
def plug(bank_voltage_v: Decimal, plug_a: Decimal, breaker_derate: Decimal) -> Decimal:
    return _usable_va(bank_voltage_v, plug_a, Decimal(3), breaker_derate)


@answers("electrical", "usable_w")
def usable_real(
    voltage_v: Decimal,
    breaker_a: Decimal,
    continuous_fraction: Decimal,
    thermal_fraction: Decimal,
    power_factor: Decimal,
) -> Decimal:
    one = feed_kva(voltage_v=voltage_v, breaker_a=breaker_a, phases=1)
    continuous = usable_kva(usable_kva(one, continuous_fraction), thermal_fraction)
    return convert(real_power_kw(continuous, power_factor), "kw", "w")


@answers("electrical", "from_line_to_line_kva")
def from_lines(line_to_line_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_line_v, breaker_a=breaker_a, phases=3)


@answers("electrical", "from_line_to_neutral_kva")
def from_neutral(line_to_neutral_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_neutral_v, breaker_a=breaker_a, phases=3, line=False)


@answers("electrical", "shelf_capacity_kw")
def shelf(psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(psu_kw, count=whole(psu_per_shelf))


@answers("electrical", "installed_kw")
def shelves_installed(shelves: Decimal, psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf(psu_per_shelf, psu_kw), count=whole(shelves))


@answers("electrical", "usable_n_plus_n_kw")
def shelves_usable(shelves: Decimal, psu_per_shelf: Decimal, psu_kw: Decimal) -> Decimal:
    return remaining_capacity(shelf(psu_per_shelf, psu_kw), count=whole(shelves), lost=whole(shelves) // 2)


@answers("electrical", "capacity_va", "usable_va")
def neutral_feed(
    phase_voltage_v: Decimal, breaker_a: Decimal, phases: Decimal, continuous_fraction: Decimal
) -> Decimal:
    kva = feed_kva(voltage_v=phase_voltage_v, breaker_a=breaker_a, phases=whole(phases), line=False)
    return convert(usable_kva(kva, continuous_fraction), "kva", "va")


@answers("electrical", "capacity_va", "usable_va")
def plain_feed(
    voltage_v: Decimal, breaker_a: Decimal, phases: Decimal, continuous_fraction: Decimal = Decimal(1)
) -> Decimal:
    return _usable_va(voltage_v, breaker_a, phases, continuous_fraction)


# What comes out when the voltage is taken for the other one: rows print it beside the right value.
@answers("electrical", "wrong_sqrt3_on_phase_voltage_kva")
def line_factor_on_phase_voltage(line_to_neutral_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_neutral_v, breaker_a=breaker_a, phases=3, line=True)


@answers("electrical", "wrong_3_on_line_voltage_kva")
def phase_factor_on_line_voltage(line_to_line_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_line_v, breaker_a=breaker_a, phases=3, line=False)


@answers("electrical", "rack_storage_kj")
def rack_storage(joules_per_gpu: Decimal, gpus: Decimal) -> Decimal:
    return backup.stored_kj(joules_per_gpu, whole(gpus))


@answers("electrical", "ride_through_at_full_load_ms")
def rack_ride_through(joules_per_gpu: Decimal, gpus: Decimal, rack_kw: Decimal) -> Decimal:
    return convert(backup.ride_through_s(rack_storage(joules_per_gpu, gpus), rack_kw), "s", "ms")


@answers("electrical", "peak_after_smoothing_kw")
def peak_after_smoothing(rack_kw: Decimal, peak_cut_fraction: Decimal) -> Decimal:
    return backup.smoothed_peak_kw(rack_kw, peak_cut_fraction)


@answers("electrical", "chain_fraction", "chain_efficiency_fraction", "end_to_end_fraction")
def chain(stages: dict[str, Decimal]) -> Decimal:
    return chain_efficiency(stages.values())


@answers("electrical", "grid_kw", "utility_kw")
def grid_power(stages: dict[str, Decimal], it_board_kw: Decimal) -> Decimal:
    return input_power_kw(it_board_kw, chain(stages))


@answers("electrical", "grid_kw", "utility_kw")
def grid_power_of_it(stages: dict[str, Decimal], it_kw: Decimal) -> Decimal:
    return input_power_kw(it_kw, chain(stages))


@answers("electrical", "loss_kw")
def chain_loss(stages: dict[str, Decimal], it_board_kw: Decimal) -> Decimal:
    return grid_power(stages, it_board_kw) - it_board_kw


@answers("electrical", "gal_per_kwh")
def gallons_per_kwh(full_load_gal_per_h: Decimal, rating_kw: Decimal) -> Decimal:
    return backup.fuel_per_kwh(full_load_gal_per_h, rating_kw)


@answers("electrical", "gal_per_kwh")
def gallons_per_kwh_of_litres(full_load_l_per_h: Decimal, rating_kw: Decimal) -> Decimal:
    return convert(backup.fuel_per_kwh(full_load_l_per_h, rating_kw), "l", "gal")


@answers("electrical", "litres_per_mwh", "l_per_mwh")
def litres_per_mwh(full_load_gal_per_h: Decimal, rating_kw: Decimal) -> Decimal:
    return convert(gallons_per_kwh(full_load_gal_per_h, rating_kw), "gal", "l") * 1000


@answers("electrical", "litres_per_mwh", "l_per_mwh")
def litres_per_mwh_of_litres(full_load_l_per_h: Decimal, rating_kw: Decimal) -> Decimal:
    return backup.fuel_per_kwh(full_load_l_per_h, rating_kw) * 1000


@answers("electrical", "full_load_hours", "tank_hours")
def tank_lasts(tank_gal: Decimal, full_load_gal_per_h: Decimal) -> Decimal:
    return backup.tank_hours(tank_gal, full_load_gal_per_h)


@answers("electrical", "full_load_hours", "tank_hours")
def tank_lasts_of_litres(tank_l: Decimal, full_load_l_per_h: Decimal) -> Decimal:
    return backup.tank_hours(tank_l, full_load_l_per_h)


def _generators(critical_mw: Decimal, pue: Decimal, unit_mw: Decimal, scheme: str, derate: Decimal) -> Decimal:
    kw = convert(critical_mw * pue, "mw", "kw")
    needed = backup.units_needed(kw, convert(unit_mw, "mw", "kw"), derate=derate)
    return Decimal(backup.units_installed(needed, scheme))


@answers("electrical", "n_count")
def generators_n(
    critical_mw: Decimal, unit_mw: Decimal, pue: Decimal = Decimal(1), derate_fraction: Decimal = Decimal(1)
) -> Decimal:
    return _generators(critical_mw, pue, unit_mw, "n", derate_fraction)


@answers("electrical", "n_plus_1_count")
def generators_n_plus_1(
    critical_mw: Decimal, unit_mw: Decimal, pue: Decimal = Decimal(1), derate_fraction: Decimal = Decimal(1)
) -> Decimal:
    return _generators(critical_mw, pue, unit_mw, "n+1", derate_fraction)


@answers("electrical", "n_plus_2_count")
def generators_n_plus_2(
    critical_mw: Decimal, unit_mw: Decimal, pue: Decimal = Decimal(1), derate_fraction: Decimal = Decimal(1)
) -> Decimal:
    return _generators(critical_mw, pue, unit_mw, "n+2", derate_fraction)


@answers("electrical", "two_n_count")
def generators_two_n(
    critical_mw: Decimal, unit_mw: Decimal, pue: Decimal = Decimal(1), derate_fraction: Decimal = Decimal(1)
) -> Decimal:
    return _generators(critical_mw, pue, unit_mw, "2n", derate_fraction)


@answers_like("electrical", f"({'|'.join(POWER_CURVES)})_w")
def power_of_curve(inputs: Mapping[str, Any], curve: str) -> Any:
    given = [inputs.get(name) for name in ("idle_w", "max_w", "utilisation")]
    if not all(isinstance(each, Decimal) for each in given):
        return UNANSWERED
    idle_w, max_w, utilisation = (Decimal(each) for each in given if each is not None)
    return utilised_power_w(idle_w, max_w, utilisation, curve, r=inputs.get("mse_r", Decimal("1.4")))


@answers("electrical", "neutral_a", "neutral_current_a")
def neutral(phase_a_a: Decimal, phase_b_a: Decimal, phase_c_a: Decimal) -> Decimal:
    return neutral_current_a(phase_a_a, phase_b_a, phase_c_a)

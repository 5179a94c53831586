"""Answers to published values of feeds: what a breaker carries, what may be used of it, what is left in a failure."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.amounts import fraction
from simulator.engine.electrical import feed_kva, real_power_kw, remaining_capacity, usable_kva
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole


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

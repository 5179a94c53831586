"""Answers to published values of loads and transformers: power factor, full load, faults, breakers, swings, phases."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from simulator.engine import electrical
from simulator.engine.amounts import fraction, remainder
from simulator.engine.supply import backup
from simulator.engine.supply.inputs import REGIONS
from simulator.engine.supply.phases import delta_line_currents_a, imbalance_fraction, neutral_current_a
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers

_ONE = Decimal(1)


@answers("electrical", "power_factor")
def power_factor(real_kw: Decimal, apparent_kva: Decimal) -> Decimal:
    return fraction(real_kw, apparent_kva)


@answers("electrical", "apparent_power_kva", "apparent_kva", "load_kva")
def apparent(real_kw: Decimal, power_factor: Decimal) -> Decimal:
    return electrical.apparent_power_kva(real_kw, power_factor)


@answers("electrical", "real_power_kw", "real_kw", "active_power_kw")
def real(apparent_kva: Decimal, power_factor: Decimal) -> Decimal:
    return electrical.real_power_kw(apparent_kva, power_factor)


@answers("electrical", "reactive_power_kvar", "reactive_kvar")
def reactive(real_kw: Decimal, power_factor: Decimal) -> Decimal:
    return electrical.reactive_kvar(apparent(real_kw, power_factor), real_kw)


@answers("electrical", "apparent_power_kva", "apparent_kva")
def apparent_of_current(line_voltage_v: Decimal, breaker_a: Decimal, phases: Decimal = Decimal(3)) -> Decimal:
    return electrical.feed_kva(voltage_v=line_voltage_v, breaker_a=breaker_a, phases=int(phases))


@answers("electrical", "min_breaker_a", "required_breaker_a", "least_breaker_a")
def breaker_of_load(
    continuous_load_a: Decimal, continuous_fraction: Decimal = electrical.CONTINUOUS_FRACTION
) -> Decimal:
    return electrical.least_breaker_a(continuous_load_a, continuous_fraction)


@answers("electrical", "continuous_a", "usable_a")
def continuous_by_code(breaker_a: Decimal, region: str) -> Decimal:
    return electrical.usable_kva(breaker_a, REGIONS[region.lower().replace(" ", "_")])


@answers("electrical", "full_load_a", "rated_a", "secondary_a", "line_current_a", "current_a")
def full_load(apparent_kva: Decimal, line_voltage_v: Decimal) -> Decimal:
    return electrical.full_load_a(apparent_kva, line_voltage_v)


@answers("electrical", "fault_ka", "short_circuit_ka", "fault_current_ka")
def fault(apparent_kva: Decimal, line_voltage_v: Decimal, impedance_fraction: Decimal) -> Decimal:
    return electrical.short_circuit_a(apparent_kva, line_voltage_v, impedance_fraction) / 1000


@answers("electrical", "fault_a", "short_circuit_a", "fault_current_a")
def fault_in_amperes(apparent_kva: Decimal, line_voltage_v: Decimal, impedance_fraction: Decimal) -> Decimal:
    return electrical.short_circuit_a(apparent_kva, line_voltage_v, impedance_fraction)


@answers("electrical", "load_fraction", "loading_fraction", "utilisation_fraction")
def loading(load_kva: Decimal, rating_kva: Decimal) -> Decimal:
    return fraction(load_kva, rating_kva)


@answers("electrical", "busway_kva", "busway_capacity_kva")
def busway(busway_a: Decimal, line_voltage_v: Decimal) -> Decimal:
    return electrical.feed_kva(voltage_v=line_voltage_v, breaker_a=busway_a, phases=3)


@answers("electrical", "busbar_loss_w", "conduction_loss_w", "i2r_loss_w", "cable_loss_w", "loss_w")
def conduction_loss(current_a: Decimal, resistance_ohm: Decimal) -> Decimal:
    return current_a * current_a * resistance_ohm


@answers("electrical", "voltage_drop_v")
def drop(current_a: Decimal, resistance_ohm: Decimal) -> Decimal:
    return current_a * resistance_ohm


@answers("electrical", "swing_kw", "step_kw", "power_swing_kw")
def swing(idle_kw: Decimal, peak_kw: Decimal) -> Decimal:
    return remainder(peak_kw, idle_kw)


@answers("electrical", "idle_fraction")
def idle_share(idle_kw: Decimal, peak_kw: Decimal) -> Decimal:
    return fraction(idle_kw, peak_kw)


@answers("electrical", "ramp_mw_per_s", "ramp_rate_mw_per_s")
def ramp(step_mw: Decimal, ramp_s: Decimal) -> Decimal:
    return fraction(step_mw, ramp_s)


@answers("electrical", "imbalance_fraction", "phase_imbalance_fraction", "unbalance_fraction")
def imbalance(phase_a_a: Decimal, phase_b_a: Decimal, phase_c_a: Decimal) -> Decimal:
    return imbalance_fraction((phase_a_a, phase_b_a, phase_c_a))


@answers("electrical", "mean_a", "average_a")
def mean_current(phase_a_a: Decimal, phase_b_a: Decimal, phase_c_a: Decimal) -> Decimal:
    return (phase_a_a + phase_b_a + phase_c_a) / 3


@answers("electrical", "line_current_a", "line_a")
def delta_line(phase_load_w: Decimal, line_voltage_v: Decimal, connection: str) -> Decimal:
    """Of like loads between lines, of a power factor of one."""
    if connection.lower() != "delta":
        raise ValueError(f"{connection} is no delta")
    return delta_line_currents_a(phase_load_w, phase_load_w, phase_load_w, line_v=line_voltage_v)[0]


@answers("electrical", "phase_current_a")
def delta_phase(phase_load_w: Decimal, line_voltage_v: Decimal, connection: str) -> Decimal:
    if connection.lower() != "delta":
        raise ValueError(f"{connection} is no delta")
    return fraction(phase_load_w, line_voltage_v)


@answers("electrical", "failover_kw")
def failover(load_a_kw: Decimal, load_b_kw: Decimal) -> Decimal:
    return load_a_kw + load_b_kw


@answers("electrical", "survives_failover_bool")
def survives(load_a_kw: Decimal, load_b_kw: Decimal, feed_kw: Decimal) -> bool | None:
    load = failover(load_a_kw, load_b_kw)
    return electrical.carries(feed_kw, load, load)


@answers("electrical", "input_kw", "supply_input_kw")
def input_of_output(output_kw: Decimal, efficiency_fraction: Decimal) -> Decimal:
    return fraction(output_kw, efficiency_fraction)


@answers("electrical", "loss_kw", "supply_loss_kw")
def loss_of_output(output_kw: Decimal, efficiency_fraction: Decimal) -> Decimal:
    return input_of_output(output_kw, efficiency_fraction) - output_kw


@answers("electrical", "loss_kwh", "ups_loss_kwh", "ups_loss_kwh_per_year", "annual_loss_kwh")
def loss_of_ups(load_kw: Decimal, ups_efficiency_fraction: Decimal, hours: Decimal = Decimal(8760)) -> Decimal:
    return loss_of_output(load_kw, ups_efficiency_fraction) * hours


@answers("electrical", "loss_usd", "annual_loss_usd")
def loss_of_ups_in_money(
    load_kw: Decimal, ups_efficiency_fraction: Decimal, usd_per_kwh: Decimal, hours: Decimal = Decimal(8760)
) -> Decimal:
    return loss_of_ups(load_kw, ups_efficiency_fraction, hours) * usd_per_kwh


@answers("electrical", "derated_kw")
def derated_generator(
    rating_kw: Decimal, altitude_m: Decimal, derate_fraction_per_100m: Decimal, start_m: Decimal = Decimal(0)
) -> Decimal:
    """Linear above where it starts, as data sheets of engines print it."""
    above = max(Decimal(0), altitude_m - start_m)
    return rating_kw * (1 - derate_fraction_per_100m * above / 100)


@answers("electrical", "kgco2_per_kwh", "kgco2e_per_kwh")
def carbon_of_fuel(full_load_gal_per_h: Decimal, rating_kw: Decimal, kgco2_per_gal: Decimal) -> Decimal:
    return full_load_gal_per_h * kgco2_per_gal / rating_kw


@answers("electrical", "g_per_kwh")
def grams_of_fuel(full_load_gal_per_h: Decimal, rating_kw: Decimal, kgco2_per_gal: Decimal) -> Decimal:
    return convert(carbon_of_fuel(full_load_gal_per_h, rating_kw, kgco2_per_gal), "kg_kwh", "g_kwh")


def _feed_kw(
    line_voltage_v: Decimal, breaker_a: Decimal, phases: Decimal, continuous_fraction: Decimal, power_factor: Decimal
) -> Decimal:
    one = electrical.feed_kva(voltage_v=line_voltage_v, breaker_a=breaker_a, phases=int(phases))
    return electrical.real_power_kw(electrical.usable_kva(one, continuous_fraction), power_factor)


@answers("electrical", "feeds_count", "feeds_needed_count", "circuits_count")
def feeds_of_rack(
    rack_kw: Decimal,
    line_voltage_v: Decimal,
    breaker_a: Decimal,
    continuous_fraction: Decimal,
    phases: Decimal = Decimal(3),
    power_factor: Decimal = _ONE,
) -> Decimal:
    """What carries the load, without any that may fail."""
    one = _feed_kw(line_voltage_v, breaker_a, phases, continuous_fraction, power_factor)
    return Decimal(backup.units_needed(rack_kw, one))


@answers("electrical", "n_count", "feeds_needed_count")
def feeds_of_load(rack_kw: Decimal, feed_kw: Decimal) -> Decimal:
    return Decimal(backup.units_needed(rack_kw, feed_kw))


@answers("electrical", "feeds_count", "circuits_count")
def feeds_by_scheme(rack_kw: Decimal, feed_kw: Decimal, redundancy: str = "N") -> Decimal:
    return Decimal(backup.units_installed(backup.units_needed(rack_kw, feed_kw), redundancy.lower().replace(" ", "")))


@answers("electrical", "racks_count")
def racks_of_feed(
    rack_kw: Decimal,
    line_voltage_v: Decimal,
    breaker_a: Decimal,
    continuous_fraction: Decimal,
    phases: Decimal = Decimal(3),
    power_factor: Decimal = _ONE,
) -> Decimal:
    """Whole racks that one feed or busway carries."""
    one = _feed_kw(line_voltage_v, breaker_a, phases, continuous_fraction, power_factor)
    return Decimal(int(fraction(one, rack_kw)))


@answers("electrical", "line_current_a", "current_a")
def current_of_site(site_mw: Decimal, line_voltage_v: Decimal, power_factor: Decimal = _ONE) -> Decimal:
    return full_load(apparent(convert(site_mw, "mw", "kw"), power_factor), line_voltage_v)


@answers("electrical", "step_kw", "load_step_kw")
def step_of_generator(generator_kw: Decimal, step_fraction: Decimal) -> Decimal:
    return generator_kw * step_fraction


@answers("electrical", "fuel_l", "tank_l")
def fuel(load_kw: Decimal, l_per_kwh: Decimal, hours: Decimal) -> Decimal:
    return load_kw * hours * l_per_kwh


@answers("electrical", "heat_rate_kj_per_kwh")
def heat_rate(efficiency_fraction: Decimal) -> Decimal:
    """Of the heating value that the efficiency is given on, mostly the lower one."""
    return convert(fraction(_ONE, efficiency_fraction), "kwh", "kj")


def _three(currents: Any) -> tuple[Decimal, Decimal, Decimal]:
    if not isinstance(currents, list) or len(currents) != 3:
        raise ValueError("the currents of three phases are asked for")
    a, b, c = currents
    return a, b, c


@answers("electrical", "imbalance_fraction", "phase_imbalance_fraction", "unbalance_fraction")
def imbalance_of_list(phase_currents_a: list[Decimal]) -> Decimal:
    return imbalance_fraction(_three(phase_currents_a))


@answers("electrical", "neutral_a", "neutral_current_a")
def neutral_of_list(phase_currents_a: list[Decimal]) -> Decimal:
    return neutral_current_a(*_three(phase_currents_a))

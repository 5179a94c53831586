"""Answers to published values of feeds: what a breaker carries, what may be used of it, what is left in a failure."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from simulator.engine.amounts import fraction, per_unit
from simulator.engine.electrical import (
    VOLTAGE_V,
    apparent_power_kva,
    carries,
    feed_kva,
    full_load_a,
    real_power_kw,
    remaining_capacity,
    usable_kva,
)
from simulator.engine.numbers import require
from simulator.engine.supply.inputs import REGIONS
from simulator.engine.supply.phases import delta_line_currents_a, neutral_current_a
from simulator.engine.units import convert
from simulator.engine.validation.answers import answers, whole

_ONE = Decimal(1)


def _usable_va(
    voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal,
    continuous_fraction: Decimal | None,
    region: str | None,
    *,
    line: bool = True,
) -> Decimal:
    """What a feed carries: of its breaker as much as the row says, or as its region has it, else all of it."""
    fraction = continuous_fraction
    if fraction is None:
        fraction = _ONE if region is None else REGIONS[region.lower().replace(" ", "_")]
    kva = feed_kva(voltage_v=voltage_v, breaker_a=breaker_a, phases=whole(phases), line=line)
    return convert(usable_kva(kva, fraction), "kva", "va")


@answers("electrical", "capacity_va", "usable_va", "available_va")
def line_feed(
    line_voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal = Decimal(3),
    continuous_fraction: Decimal | None = None,
    region: str | None = None,
) -> Decimal:
    return _usable_va(line_voltage_v, breaker_a, phases, continuous_fraction, region)


@answers("electrical", "capacity_va", "usable_va", "available_va")
def neutral_feed(
    phase_voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal = Decimal(3),
    continuous_fraction: Decimal | None = None,
    region: str | None = None,
) -> Decimal:
    return _usable_va(phase_voltage_v, breaker_a, phases, continuous_fraction, region, line=False)


@answers("electrical", "capacity_va", "usable_va", "available_va")
def plain_feed(
    voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal,
    continuous_fraction: Decimal | None = None,
    region: str | None = None,
) -> Decimal:
    return _usable_va(voltage_v, breaker_a, phases, continuous_fraction, region)


@answers("electrical", "usable_va", "available_va")
def circuits_left(
    circuits: Decimal,
    line_voltage_v: Decimal,
    breaker_a: Decimal,
    redundancy: str = "none",
    phases: Decimal = Decimal(3),
    continuous_fraction: Decimal | None = None,
) -> Decimal:
    lost = {"n+1": 1, "2n": whole(circuits) // 2, "n+n": whole(circuits) // 2}.get(redundancy.lower(), 0)
    each = line_feed(line_voltage_v, breaker_a, phases, continuous_fraction)
    return convert(remaining_capacity(convert(each, "va", "kva"), count=whole(circuits), lost=lost), "kva", "va")


@answers("electrical", "full_capacity_va", "breaker_va")
def whole_feed(line_voltage_v: Decimal, breaker_a: Decimal, phases: Decimal = Decimal(3)) -> Decimal:
    return line_feed(line_voltage_v, breaker_a, phases)


@answers("electrical", "continuous_a", "usable_a")
def continuous_current(breaker_a: Decimal, continuous_fraction: Decimal) -> Decimal:
    return usable_kva(breaker_a, continuous_fraction)


@answers("electrical", "utilisation_fraction")
def utilisation(available_va: Decimal, allocated_va: Decimal) -> Decimal:
    return fraction(allocated_va, available_va)


@answers("electrical", "utilisation_fraction")
def utilisation_of_feed(
    voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal,
    allocated_va: Decimal,
    max_utilisation_fraction: Decimal = _ONE,
) -> Decimal:
    return fraction(allocated_va, plain_feed(voltage_v, breaker_a, phases, max_utilisation_fraction))


@answers("electrical", "remaining_va", "headroom_va")
def headroom(
    voltage_v: Decimal,
    breaker_a: Decimal,
    phases: Decimal,
    allocated_va: Decimal,
    max_utilisation_fraction: Decimal = _ONE,
) -> Decimal:
    return plain_feed(voltage_v, breaker_a, phases, max_utilisation_fraction) - allocated_va


@answers("electrical", "capacity_w")
def banks(banks: Decimal, bank_voltage_v: Decimal, bank_breaker_a: Decimal, breaker_derate: Decimal) -> Decimal:
    bank = feed_kva(voltage_v=bank_voltage_v, breaker_a=bank_breaker_a, phases=1)
    every = remaining_capacity(usable_kva(bank, breaker_derate), count=whole(banks))
    return convert(real_power_kw(every, Decimal(1)), "kw", "w")


@answers("electrical", "plug_capacity_va")
def plug(bank_voltage_v: Decimal, plug_a: Decimal, breaker_derate: Decimal) -> Decimal:
    return line_feed(bank_voltage_v, plug_a, Decimal(3), breaker_derate)


@answers("electrical", "usable_w", "capacity_w")
def usable_real(
    voltage_v: Decimal,
    breaker_a: Decimal,
    power_factor: Decimal,
    phases: Decimal = _ONE,
    continuous_fraction: Decimal = _ONE,
    thermal_fraction: Decimal = _ONE,
) -> Decimal:
    one = feed_kva(voltage_v=voltage_v, breaker_a=breaker_a, phases=whole(phases))
    continuous = usable_kva(usable_kva(one, continuous_fraction), thermal_fraction)
    return convert(real_power_kw(continuous, power_factor), "kw", "w")


@answers("electrical", "usable_w", "capacity_w")
def usable_real_of_lines(
    line_voltage_v: Decimal,
    breaker_a: Decimal,
    power_factor: Decimal = _ONE,
    phases: Decimal = Decimal(3),
    continuous_fraction: Decimal = _ONE,
    thermal_fraction: Decimal = _ONE,
) -> Decimal:
    return usable_real(line_voltage_v, breaker_a, power_factor, phases, continuous_fraction, thermal_fraction)


@answers("electrical", "from_line_to_line_kva")
def from_lines(line_to_line_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_line_v, breaker_a=breaker_a, phases=3)


@answers("electrical", "from_line_to_neutral_kva")
def from_neutral(line_to_neutral_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_neutral_v, breaker_a=breaker_a, phases=3, line=False)


# What comes out when the voltage is taken for the other one: rows print it beside the right value.
@answers("electrical", "wrong_sqrt3_on_phase_voltage_kva")
def line_factor_on_phase_voltage(line_to_neutral_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_neutral_v, breaker_a=breaker_a, phases=3, line=True)


@answers("electrical", "wrong_3_on_line_voltage_kva")
def phase_factor_on_line_voltage(line_to_line_v: Decimal, breaker_a: Decimal) -> Decimal:
    return feed_kva(voltage_v=line_to_line_v, breaker_a=breaker_a, phases=3, line=False)


@answers("electrical", "line_voltage_v", "line_to_line_v")
def line_of_phase(line_to_neutral_v: Decimal) -> Decimal:
    return line_to_neutral_v * Decimal(3).sqrt()


@answers("electrical", "phase_voltage_v", "line_to_neutral_v")
def phase_of_line(line_to_line_v: Decimal) -> Decimal:
    return line_to_line_v / Decimal(3).sqrt()


@answers("electrical", "current_a", "line_current_a", "load_a")
def current(
    heat_kw: Decimal, voltage_v: Decimal, phases: Decimal | None = None, power_factor: Decimal = _ONE
) -> Decimal:
    """The current at which a feed of this voltage lets the load through; a low voltage is of one phase by default."""
    if phases is None:
        require(voltage_v=(voltage_v, VOLTAGE_V))
        phases = _ONE
    return full_load_a(apparent_power_kva(heat_kw, power_factor), voltage_v, phases=whole(phases))


@answers("electrical", "current_a", "line_current_a", "load_a")
def current_of_lines(
    heat_kw: Decimal, line_voltage_v: Decimal, phases: Decimal = Decimal(3), power_factor: Decimal = _ONE
) -> Decimal:
    return current(heat_kw, line_voltage_v, phases, power_factor)


@answers("electrical", "current_a", "busbar_a", "busbar_current_a")
def current_of_busbar(heat_kw: Decimal, busbar_v: Decimal) -> Decimal:
    return fraction(convert(heat_kw, "kw", "w"), busbar_v)


@answers("electrical", "line_a", "line_current_a")
def delta(ab_a: Decimal, ca_a: Decimal) -> Decimal:
    """Of line A, between two loads; the currents of loads are those at one volt."""
    return delta_line_currents_a(ab_a, Decimal(0), ca_a, line_v=_ONE)[0]


@answers("electrical", "line_currents_a", "delta_line_currents_a")
def delta_of_loads(ab_va: Decimal, bc_va: Decimal, ca_va: Decimal, line_voltage_v: Decimal) -> list[Decimal]:
    """Of lines A, B and C, under loads between two lines each."""
    return list(delta_line_currents_a(ab_va, bc_va, ca_va, line_v=line_voltage_v))


def _line_of(index: int) -> Callable[[Decimal, Decimal, Decimal, Decimal], Decimal]:
    def line(ab_va: Decimal, bc_va: Decimal, ca_va: Decimal, line_voltage_v: Decimal) -> Decimal:
        return delta_of_loads(ab_va, bc_va, ca_va, line_voltage_v)[index]

    return line


for _index, _letter in enumerate("abc"):
    answers("electrical", f"line_{_letter}_a", f"line_{_letter}_current_a", f"i_{_letter}_a")(_line_of(_index))


@answers("electrical", "greatest_line_current_a", "max_line_current_a", "highest_line_current_a")
def fullest_line(ab_va: Decimal, bc_va: Decimal, ca_va: Decimal, line_voltage_v: Decimal) -> Decimal:
    return max(delta_of_loads(ab_va, bc_va, ca_va, line_voltage_v))


@answers("electrical", "feed_failover_kva", "failover_kva", "failover_kva_per_feed")
def failover_of_power(load_kw: Decimal, power_factor: Decimal, feeds: Decimal = Decimal(2)) -> Decimal:
    return failover_load(apparent_power_kva(load_kw, power_factor), feeds)


@answers("electrical", "feed_normal_kva", "normal_kva_per_feed")
def normal_of_power(load_kw: Decimal, power_factor: Decimal, feeds: Decimal = Decimal(2)) -> Decimal:
    return normal_load(apparent_power_kva(load_kw, power_factor), feeds)


@answers("electrical", "normal_kva_per_feed", "feed_normal_kva")
def normal_load(load_kva: Decimal, feeds: Decimal) -> Decimal:
    return per_unit(load_kva, whole(feeds))


@answers("electrical", "failover_kva_per_feed", "feed_failover_kva")
def failover_load(load_kva: Decimal, feeds: Decimal) -> Decimal:
    """With half of the feeds lost: A or B."""
    return per_unit(load_kva, whole(feeds) - whole(feeds) // 2)


@answers("electrical", "survives_failover_bool")
def survives_failover(load_kva: Decimal, feeds: Decimal, feed_kva: Decimal) -> bool | None:
    load = failover_load(load_kva, feeds)
    return carries(feed_kva, load, load)


@answers("electrical", "neutral_a", "neutral_current_a")
def neutral(phase_a_a: Decimal, phase_b_a: Decimal, phase_c_a: Decimal) -> Decimal:
    return neutral_current_a(phase_a_a, phase_b_a, phase_c_a)

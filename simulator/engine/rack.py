"""The rack layer: one input, one report. Same input, same report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from simulator.engine import electrical, heat, notices, power, space, weight
from simulator.engine.amounts import Total, fraction, per_unit, remainder, total
from simulator.engine.coolant import BEST_PG25_C
from simulator.engine.inputs import RackInput
from simulator.engine.layers import Layer, Span
from simulator.engine.numbers import precise
from simulator.engine.rack_cooling import cooling_section
from simulator.engine.report import (
    Electrical,
    ElectricalAtLeast,
    Power,
    PowerAtLeast,
    RackReport,
    Space,
    SpaceAtLeast,
    Weight,
    WeightAtLeast,
)
from simulator.engine.run import Run, lower_bound
from simulator.engine.trace import told


def rack_report(given: RackInput) -> RackReport:
    """Return the report of a rack: space, power, weight, feed, cooling, warnings, and the trace of every number."""
    with precise():
        run = Run(given)
        sections = (
            space_section(run),
            power_section(run),
            weight_section(run),
            electrical_section(run),
            cooling_section(run),
        )
        return RackReport(*sections, tuple(run.warnings), tuple(run.trace.entries))


def turns(given: RackInput, spans: Mapping[str, Span]) -> Mapping[str, Sequence[Decimal]]:
    """Say where quantities turn: PG25 carries the most heat a litre at 50 °C, between supply and return."""
    rises = [given.coolant_rise_k]
    if "coolant_rise_k" in spans:
        rises = [spans["coolant_rise_k"].low, spans["coolant_rise_k"].high]
    return {"coolant_supply_c": [BEST_PG25_C - rise / 2 for rise in rises]}


RACK = Layer("rack", RackInput, rack_report, turns, lines=lambda given: len(given.lines))


def space_section(run: Run) -> Space:
    units = run.given.rack.units
    layout = space.place(run.lines, units)
    run.warnings += notices.space_notices(run.lines, layout, units)
    unknown = tuple(
        line.device.slug for line in run.lines if line.device.height_u is None and not line.device.is_whole_rack
    )
    known = len(unknown) < len(run.lines)
    used = Total(None, layout.used_u if known else None, unknown) if unknown else Total(layout.used_u, layout.used_u)
    heights = [*run.parts("height_u"), told("units", units)]
    run.trace.record_told(space.NEEDED_U, None if unknown else layout.needed_u, heights)
    used_u = run.trace.record_told(space.USED_U, used.value, heights)
    free = None if used.value is None else remainder(Decimal(units), used.value)
    return Space(
        used_u=used_u,
        free_u=run.trace.record(space.FREE_U, free, units=Decimal(units), used_u=used.value),
        fits=False if layout.left else None if unknown else True,
        elevation=layout.placements,
        at_least=SpaceAtLeast(space.USED_U.presented(used.at_least)) if unknown else None,
        unknown=unknown,
    )


def power_section(run: Run) -> Power:
    powers = run.powers
    shown = {
        basis: run.trace.record_told(power.POWERS[basis], powers[basis].value, run.parts(f"power_{basis}_w"))
        for basis in power.BASES
    }
    name = power.POWERS[run.given.basis].name
    density = run.trace.record_from(power.DENSITY_KW, run.heat.value, {name: run.heat.value})
    _power_ratios(run)
    unknown = tuple(sorted({slug for each in powers.values() for slug in each.unknown}))
    at_least = None
    if unknown:
        floors = {basis: lower_bound(power.POWERS[basis], powers[basis]) for basis in power.BASES}
        at_least = PowerAtLeast(
            floors["nameplate"], floors["typical"], floors["idle"], lower_bound(power.DENSITY_KW, run.heat)
        )
    return Power(shown["nameplate"], shown["typical"], shown["idle"], density, run.given.basis, at_least, unknown)


def _power_ratios(run: Run) -> None:
    nameplate = run.nameplate.value
    for basis, quantity in (("typical", power.TYPICAL_FRACTION), ("idle", power.IDLE_FRACTION)):
        part = run.powers[basis].value
        if nameplate and part is not None:
            inputs = {power.POWERS[basis].name: part, "nameplate_kw": nameplate}
            run.trace.record_from(quantity, fraction(part, nameplate), inputs)
    count = power.accelerators(run.lines).value
    if not count:
        return
    run.trace.record_told(power.ACCELERATORS_COUNT, count, run.parts("accelerators_count"))
    if nameplate:
        each = per_unit(nameplate, int(count))
        run.trace.record(power.POWER_PER_ACCELERATOR_KW, each, nameplate_kw=nameplate, accelerators_count=count)
        tdp_kw = power.accelerator_power_kw(run.lines).value
        if tdp_kw is not None:
            powers = [*run.parts("accelerator_tdp_w"), told("nameplate_kw", nameplate)]
            run.trace.record_told(power.ACCELERATOR_FRACTION, fraction(tdp_kw, nameplate), powers)


def weight_section(run: Run) -> Weight:
    rack = run.given.rack
    equipment = weight.equipment_weight_kg(run.lines)
    # A device that is a whole rack is weighed with its frame.
    has_frame = all(line.device.is_whole_rack for line in run.lines)
    tare = Decimal(0) if has_frame else rack.tare_kg
    parts = [("equipment", equipment.at_least), *([] if has_frame else [(rack.name, tare)])]
    unknown = tuple(sorted({*equipment.unknown, *((rack.name,) if tare is None else ())}))
    total_kg = Total(None if unknown else total(parts).value, total(parts).at_least, unknown)
    equipment_kg = run.trace.record_told(weight.EQUIPMENT_KG, equipment.value, run.parts("weight_kg"))
    shown = run.shown(weight.TOTAL_KG, total_kg, equipment_kg=equipment.value, tare_kg=tare)
    floor, floor_kn, floor_kg_m2, floor_kn_m2 = None, None, None, None
    if rack.footprint_m2 is not None:
        footprint = rack.footprint_m2
        floor = total_kg.through(lambda kg: weight.floor_load_kg_m2(kg, footprint))
        floor_kg_m2 = run.shown(weight.FLOOR_LOAD, floor, total_kg=total_kg.value, footprint_m2=footprint)
        floor_kn = floor.through(weight.floor_load_kn_m2)
        floor_kn_m2 = run.shown(weight.FLOOR_LOAD_KN, floor_kn, floor_load_kg_m2=floor.value)
    run.warnings += notices.unknown_notices(run.given, run.heat, run.nameplate, equipment, heat.unsaid_of(run.lines))
    run.warnings += notices.weight_notices(run.given, total_kg)
    run.warnings += notices.floor_notices(run.given, floor)
    at_least = WeightAtLeast(
        lower_bound(weight.EQUIPMENT_KG, equipment),
        lower_bound(weight.TOTAL_KG, total_kg),
        None if floor is None else lower_bound(weight.FLOOR_LOAD, floor),
        None if floor_kn is None else lower_bound(weight.FLOOR_LOAD_KN, floor_kn),
    )
    return Weight(equipment_kg, shown, floor_kg_m2, floor_kn_m2, at_least if unknown else None, unknown)


def electrical_section(run: Run) -> Electrical | None:
    feed = run.given.feed
    if feed is None:
        return None
    one = electrical.feed_kva(voltage_v=feed.voltage_v, breaker_a=feed.breaker_a, phases=feed.phases, line=feed.line)
    capacity = electrical.remaining_capacity(one, count=feed.feeds)
    left = electrical.remaining_capacity(one, count=feed.feeds, lost=feed.spare)
    usable = electrical.usable_kva(left, feed.continuous_fraction)
    load = run.heat.through(lambda kw: electrical.apparent_power_kva(kw, feed.power_factor))
    ok = electrical.carries(usable, load.floor, load.value)
    run.trace.record(
        electrical.FEED_KVA,
        one,
        voltage_v=feed.voltage_v,
        breaker_a=feed.breaker_a,
        phases=Decimal(feed.phases),
        voltage_is_line=Decimal(feed.line),
    )
    count = Decimal(feed.feeds)
    capacity_kva = run.trace.record(electrical.CAPACITY, capacity, feed_kva=one, feeds=count)
    usable_kva = run.trace.record(
        electrical.USABLE,
        usable,
        feed_kva=one,
        feeds=count,
        feeds_that_may_fail=Decimal(feed.spare),
        continuous_fraction=feed.continuous_fraction,
    )
    load_kva = run.shown(electrical.LOAD, load, density_kw=run.heat.value, power_factor=feed.power_factor)
    if load.value is not None:
        used = fraction(load.value, usable)
        run.trace.record(electrical.UTILISATION, used, load_kva=load.value, usable_kva=usable)
    run.warnings += notices.feed_notices(run.given, load, usable, ok)
    at_least = ElectricalAtLeast(lower_bound(electrical.LOAD, load)) if load.unknown else None
    return Electrical(load_kva, capacity_kva, usable_kva, feed.redundancy, ok, at_least, load.unknown)

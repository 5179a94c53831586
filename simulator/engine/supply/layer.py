"""The supply layer: one load, and every tier between it and the utility with what it carries; the binding one named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Any

from simulator.engine.amounts import unless_unknown
from simulator.engine.electrical import apparent_power_kva, feed_kva
from simulator.engine.errors import Problem, raise_for
from simulator.engine.layers import Layer, Span
from simulator.engine.notices import LITTLE_GIVEN, Notice
from simulator.engine.numbers import greatest, precise
from simulator.engine.supply import backup, phases, stages
from simulator.engine.supply.inputs import TIERS, Bank, SupplyInput
from simulator.engine.supply.report import CAPACITIES, FAILOVER, LOADS, MARGINS, NORMAL, USES, SupplyReport, Tier
from simulator.engine.supply.report import SUPPLY_WARNINGS as SUPPLY_WARNINGS
from simulator.engine.trace import Trace


def run_supply(given: SupplyInput) -> SupplyReport:
    """Return the report of a supply: each tier, the binding one, losses, failover, ride-through and fuel."""
    with precise():
        return _Run(given).report()


Inputs = dict[str, Decimal | int | None]


class _Run:
    """One supply on its way to a report."""

    def __init__(self, given: SupplyInput) -> None:
        self.given = given
        self.trace = Trace()
        self.warnings: list[Notice] = []

    def load_at(self, tier: str) -> Decimal:
        """Return what a tier must carry in kW."""
        load = stages.input_power_kw(self.given.load_kw, self.efficiency_at(tier))
        return load + (self.given.mechanical_kw if tier in ("generator", "utility") else 0)

    def efficiency_at(self, tier: str) -> Decimal:
        """Return the efficiency of all stages between a tier and the load."""
        below = TIERS.index(tier)
        return stages.chain_efficiency(
            stage.efficiency for stage in self.given.stages if TIERS.index(stage.below) <= below
        )

    def report(self) -> SupplyReport:
        given, trace = self.given, self.trace
        currents = self._phases()
        tiers = tuple(self._tier(tier, *known) for tier in TIERS if (known := self._capacity_of(tier)) is not None)
        binding = max(tiers, key=lambda each: each.utilisation_fraction or 0).tier if tiers else None
        if not tiers:
            message = "Only a load is given, and nothing that carries it: give feeds, shelves, ups, generators or "
            self.warnings.append(
                Notice(LITTLE_GIVEN, f"{message}utility_kw, and stages for what is lost between them.")
            )
        for tier in tiers:
            if not tier.ok:
                message = f"{tier.tier}: {tier.load_kw} kW asked, {tier.capacity_kw} kW with its redundancy used up."
                self.warnings.append(Notice("tier_overloaded", message))
        chain = stages.chain_efficiency(stage.efficiency for stage in given.stages)
        grid = stages.input_power_kw(given.load_kw, chain) + given.mechanical_kw
        factors: Inputs = {stage.name: stage.efficiency for stage in given.stages}
        normal, failover = self._feeds()
        return SupplyReport(
            basis=given.basis,
            tiers=tiers,
            binding_tier=binding,
            ok=all(tier.ok for tier in tiers) if tiers else None,
            chain_efficiency_fraction=trace.put(stages.CHAIN, chain, **factors),
            grid_kw=trace.put(
                stages.GRID_POWER,
                grid,
                it_kw=given.load_kw,
                chain_efficiency_fraction=chain,
                mechanical_kw=given.mechanical_kw,
            ),
            conversion_loss_kw=trace.put(
                stages.STAGE_LOSSES,
                grid - given.mechanical_kw - given.load_kw,
                grid_kw=grid,
                mechanical_kw=given.mechanical_kw,
                it_kw=given.load_kw,
            ),
            feed_normal_kva=normal,
            feed_failover_kva=failover,
            **currents,
            ups_ride_through_s=self._ride_through(),
            **self._fuel(),
            warnings=tuple(self.warnings),
            trace=tuple(trace.entries),
        )

    def _tier(self, tier: str, capacity: Decimal, made_of: Inputs) -> Tier:
        load = self.load_at(tier)
        inputs: Inputs = {CAPACITIES[tier].name: capacity, LOADS[tier].name: load}
        return Tier(
            tier,
            self.trace.put(CAPACITIES[tier], capacity, **made_of),
            self.trace.put(
                LOADS[tier],
                load,
                load_kw=self.given.load_kw,
                efficiency_fraction=self.efficiency_at(tier),
                mechanical_kw=self.given.mechanical_kw if tier in ("generator", "utility") else 0,
            ),
            self.trace.put(MARGINS[tier], capacity - load, **inputs),
            self.trace.put(USES[tier], load / capacity, **inputs),
            load <= capacity,
        )

    def _capacity_of(self, tier: str) -> tuple[Decimal, Inputs] | None:
        """Return what a tier carries in kW when its redundancy is used up, and what that is made of; None if unsaid."""
        given = self.given
        if tier == "phase":
            return self._phase_capacity()
        if tier == "breaker":
            return self._breaker_capacity()
        if tier == "utility":
            return None if given.utility_kw is None else (given.utility_kw, {"utility_kw": given.utility_kw})
        generators, ups = given.generators, given.ups
        banks: dict[str, Bank | None] = {
            "shelf": given.shelves,
            "ups": None if ups is None else ups.modules,
            "generator": None if generators is None else generators.units,
        }
        if (bank := banks[tier]) is None:
            return None
        made_of: Inputs = {"unit_kw": bank.unit_kw, "units_left": bank.count - bank.spare}
        if tier == "generator" and generators is not None:
            derate = generators.derate_fraction
            return bank.capacity_kw * derate, {**made_of, "derate_fraction": derate}
        return bank.capacity_kw, made_of

    def _phase_capacity(self) -> tuple[Decimal, Inputs] | None:
        """Return the load at which the fullest line of a feed reaches its continuous current."""
        feeds, currents = self.given.feeds, self._line_currents()
        if feeds is None or currents is None:
            return None
        load, fullest = self.load_at("phase"), greatest(currents)
        made_of: Inputs = {
            LOADS["phase"].name: load,
            "breaker_a": feeds.breaker_a,
            "continuous_fraction": feeds.usable_fraction,
            phases.LINE_CURRENT.name: fullest,
        }
        return load * feeds.breaker_a * feeds.usable_fraction / fullest, made_of

    def _breaker_capacity(self) -> tuple[Decimal, Inputs] | None:
        if self.given.feeds is None:
            return None
        feed = self.given.feeds.feed(self.given.power_factor)
        one = feed_kva(voltage_v=feed.voltage_v, breaker_a=feed.breaker_a, phases=feed.phases, line=feed.line)
        left = feed.feeds - feed.spare
        made_of: Inputs = {
            "voltage_v": feed.voltage_v,
            "voltage_is_line": int(feed.line),
            "phases": feed.phases,
            "breaker_a": feed.breaker_a,
            "feed_kva": one,
            "feeds_left": left,
            "continuous_fraction": feed.continuous_fraction,
            "power_factor": feed.power_factor,
        }
        return one * left * feed.continuous_fraction * feed.power_factor, made_of

    def _feeds(self) -> tuple[Decimal | None, Decimal | None]:
        if self.given.feeds is None:
            return None, None
        feed = self.given.feeds.feed(self.given.power_factor)
        load = apparent_power_kva(self.load_at("breaker"), feed.power_factor)
        normal, failover = load / feed.feeds, load / (feed.feeds - feed.spare)
        limit = feed.continuous_fraction * feed_kva(
            voltage_v=feed.voltage_v, breaker_a=feed.breaker_a, phases=feed.phases, line=feed.line
        )
        if normal <= limit < failover:
            message = (
                f"Each feed carries {normal:,.1f} kVA now and {failover:,.1f} after a failure; {limit:,.1f} may flow."
            )
            self.warnings.append(Notice("failover_trips", message))
        return (
            self.trace.put(NORMAL, normal, load_kva=load, feeds=feed.feeds),
            self.trace.put(FAILOVER, failover, load_kva=load, feeds=feed.feeds, feeds_that_may_fail=feed.spare),
        )

    def _line_currents(self) -> tuple[Decimal, ...] | None:
        """Return the currents of the lines of one feed in A, those that may fail gone; None without phase loads."""
        loads, feeds = self.given.phase_loads, self.given.feeds
        if loads is None or feeds is None:
            return None
        feed = feeds.feed(self.given.power_factor)
        va = apparent_power_kva(self.load_at("phase"), self.given.power_factor) * 1000 / (feed.feeds - feed.spare)
        asked = (loads.a_va, loads.b_va, loads.c_va)
        each = [va * load / sum(asked) for load in asked]
        root = Decimal(3).sqrt()
        if loads.connection == "delta":
            line_v = feeds.voltage_v if feed.line else feeds.voltage_v * root
            return phases.delta_line_currents_a(each[0], each[1], each[2], line_v=line_v)
        phase_v = feeds.voltage_v / root if feed.line else feeds.voltage_v
        return phases.wye_line_currents_a(each, phase_v=phase_v)

    def _phases(self) -> dict[str, Any]:
        currents, loads = self._line_currents(), self.given.phase_loads
        quantities = (phases.LINE_CURRENT, phases.NEUTRAL_CURRENT, phases.IMBALANCE)
        if currents is None or loads is None:
            return {quantity.name: None for quantity in quantities}
        unequal = phases.imbalance_fraction(currents)
        if unequal > Decimal("0.1"):
            fullest = f"The fullest line carries {greatest(currents):,.1f} A"
            message = f"{fullest}; one lies {unequal:.0%} from the mean of the three."
            self.warnings.append(Notice("phases_unequal", message))
        # Loads between lines have no neutral.
        neutral = phases.neutral_current_a(*currents) if loads.connection == "wye" else Decimal(0)
        assert self.given.feeds is not None  # There are no currents without.
        feed = self.given.feeds.feed(self.given.power_factor)
        inputs: Inputs = {
            "a_va": loads.a_va,
            "b_va": loads.b_va,
            "c_va": loads.c_va,
            LOADS["phase"].name: self.load_at("phase"),
            "power_factor": self.given.power_factor,
            "feeds_left": feed.feeds - feed.spare,
            "voltage_v": feed.voltage_v,
            "voltage_is_line": int(feed.line),
        }
        return {
            quantity.name: self.trace.put(quantity, value, **inputs)
            for quantity, value in zip(quantities, (greatest(currents), neutral, unequal), strict=True)
        }

    def _ride_through(self) -> Decimal | None:
        ups, generators = self.given.ups, self.given.generators
        if ups is None or ups.energy_kj is None:
            return None
        load = self.load_at("ups")
        held = backup.ride_through_s(ups.energy_kj, load)
        start = None if generators is None else generators.start_s
        if start is not None and held < start:
            message = f"The UPS carries the load for {held:,.1f} s; generators take it after {start} s."
            self.warnings.append(Notice("gap_before_generator", message))
        return self.trace.put(backup.UPS_RIDE_THROUGH, held, energy_kj=ups.energy_kj, load_kw=load)

    def _fuel(self) -> dict[str, Any]:
        generators = self.given.generators
        quantities = (backup.GENERATORS_N, backup.FUEL_RATE, backup.TANK_HOURS)
        if generators is None:
            return {quantity.name: None for quantity in quantities}
        load = self.load_at("generator")
        needed = backup.units_needed(load, generators.units.unit_kw, derate=generators.derate_fraction)
        burn = unless_unknown(
            lambda full: load * backup.fuel_per_kwh(full, generators.units.unit_kw), generators.full_load_l_h
        )
        hours = unless_unknown(backup.tank_hours, generators.tank_l, burn)
        inputs: Inputs = {
            "load_kw": load,
            "unit_kw": generators.units.unit_kw,
            "derate_fraction": generators.derate_fraction,
            "full_load_l_h": generators.full_load_l_h,
            "tank_l": generators.tank_l,
        }
        return {
            quantity.name: self.trace.put(quantity, value, **inputs)
            for quantity, value in zip(quantities, (needed, burn, hours), strict=True)
        }


def turns(given: SupplyInput, spans: Mapping[str, Span]) -> Mapping[str, Sequence[Decimal]]:
    """Say where unequal phases turn: the fullest line, the neutral and the imbalance are least between the loads.

    Loads are shares of the whole, so that only their ratios count: one of the three has no need of a range. Of loads
    between lines the imbalance of the currents has no such order, so that ranges are refused there.
    """
    loads, paths = given.phase_loads, [path for path in spans if path.startswith("phase_loads.")]
    if loads is None or not paths:
        return {}
    message = None
    if loads.connection == "delta":
        message = "How unequal the currents of loads between lines are has no bounds between; give one number each."
    elif len(paths) == len(PHASES):
        message = "Loads are shares, of which only the ratios count; give one of the three as one number."
    raise_for([Problem(path, "range_not_allowed", message) for path in paths if message])
    ends = {path: _ends_of(getattr(loads, path.removeprefix("phase_loads.")), spans.get(path)) for path in PHASES}
    return {
        path: [
            each
            for pair in product(*(ends[other] for other in PHASES if other != path))
            for each in phases.least_unequal_va(*pair)
        ]
        for path in paths
    }


PHASES = ("phase_loads.a_va", "phase_loads.b_va", "phase_loads.c_va")


def _ends_of(value: Decimal, span: Span | None) -> tuple[Decimal, ...]:
    return (value,) if span is None else (span.low, span.high)


SUPPLY = Layer("supply", SupplyInput, run_supply, turns)

"""The supply layer: one load, and every tier between it and the utility with what it carries; the binding one named."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine.amounts import unless_unknown
from simulator.engine.electrical import FRACTION, Feed, apparent_power_kva, feed_kva
from simulator.engine.errors import Problem
from simulator.engine.layers import Layer, QuantityRange
from simulator.engine.notices import Notice
from simulator.engine.numbers import Range, precise
from simulator.engine.parameters import check, choice, number, part, parts, text, whole
from simulator.engine.supply import backup, phases, stages
from simulator.engine.trace import Quantity, Trace, TraceEntry

TIERS = ("phase", "breaker", "shelf", "ups", "generator", "utility")
REGIONS = {"north_america": Decimal("0.8"), "iec": Decimal(1)}
"""Look-up: what of a breaker may be used continuously. NEC 210.20(A) and 215.3: 80 %; IEC 60364-4-43: I_B ≤ I_n, and
breakers to IEC 60898-1 and 60947-2 are rated for continuous duty, so all of it (less for groups and warm cabinets)."""

VOLTAGE = Range("V", low=1, high=1000)
AMPERES = Range("A", low=Decimal("0.1"), high=6300)
FEEDS = Range("feeds", low=1, high=64, step=Decimal(1))
LOAD = Range("kW", above=0, high=10_000_000)
KW = Range("kW", above=0, high=10_000_000)
VA = Range("VA", low=0, high=1_000_000_000)
UNITS = Range("units", low=1, high=10_000, step=Decimal(1))
STAGES_MAX = 20

CAPACITIES = {
    tier: Quantity(
        f"{tier}_capacity_kw", "kW", formula, "Definition of redundancy: a spare unit is never part of it", False
    )
    for tier, formula in (
        ("phase", "usable current of a phase · V(phase) · 3 · power_factor, feeds that may fail left out"),
        ("breaker", "feed_kva · feeds that are left · continuous_fraction · power_factor"),
        ("shelf", "supply_kw · supplies that are left when a shelf's or half of them are lost"),
        ("ups", "module_kw · modules that are left"),
        ("generator", "unit_kw · derate · units that are left"),
        ("utility", "utility_kw"),
    )
}
LOADS = {
    tier: Quantity(
        f"{tier}_load_kw",
        "kW",
        "load_kw / Π efficiency of the stages below the tier, with the mechanical load at generator and utility",
        "Stages in series",
        False,
    )
    for tier in TIERS
}
MARGINS = {tier: Quantity(f"{tier}_margin_kw", "kW", "capacity − load", "Definition", False) for tier in TIERS}
USES = {
    tier: Quantity(f"{tier}_utilisation_fraction", "", "load / capacity", "Definition of a ratio", False)
    for tier in TIERS
}
NORMAL = Quantity(
    "feed_normal_kva", "kVA", "load in kVA / feeds: what each carries while all are there", "Definition", False
)
FAILOVER = Quantity(
    "feed_failover_kva", "kVA", "load in kVA / feeds that are left when those that may fail have", "Definition", False
)

SUPPLY_WARNINGS = {
    "tier_overloaded": "A tier cannot carry the load with its redundancy used up.",
    "failover_trips": "The feeds carry the load together, but those left after a failure do not.",
    "phases_unequal": "One phase is loaded by a tenth more than the mean, so it binds before the feed does.",
    "gap_before_generator": "The UPS is empty before the generator takes the load.",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One conversion; `below` is the first tier from the load that carries its loss. Raises InvalidParameters."""

    name: str = text()
    efficiency: Decimal = number(stages.EFFICIENCY)
    below: str = choice(TIERS, "utility")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class Feeds:
    """The circuits of the load; `voltage_is` says between what the voltage is meant. Raises InvalidParameters."""

    voltage_v: Decimal = number(VOLTAGE)
    voltage_is: str = choice(("line", "phase"), about="Between two lines, or from a line to neutral.")
    phases: int = whole(Range("phases", low=1, high=3, step=Decimal(1)))
    breaker_a: Decimal = number(AMPERES)
    region: str | None = choice(tuple(REGIONS), "north_america", "Names the continuous fraction.")
    continuous_fraction: Decimal | None = number(FRACTION, None, "Else that of the region.")
    redundancy: str = choice(("none", "n+1", "2n"), "none")
    count: int | None = whole(FEEDS, None)

    def __post_init__(self) -> None:
        check(self)
        self.feed(Decimal("0.95"))

    @property
    def usable_fraction(self) -> Decimal:
        """What of a breaker may be used continuously."""
        if self.continuous_fraction is not None:
            return self.continuous_fraction
        return REGIONS[self.region or "north_america"]

    def feed(self, power_factor: Decimal) -> Feed:
        """Return the feeds as the rack layer has them. Raises InvalidParameters."""
        return Feed(
            voltage_v=self.voltage_v,
            phases=self.phases,
            breaker_a=self.breaker_a,
            line=self.voltage_is == "line",
            continuous_fraction=self.usable_fraction,
            power_factor=power_factor,
            redundancy=self.redundancy,
            count=self.count,
        )


@dataclass(frozen=True, slots=True)
class PhaseLoads:
    """How the load lies on three phases: from lines to neutral (wye) or between lines (delta), in VA.

    Only their ratios count: together they are the load. Raises InvalidParameters.
    """

    a_va: Decimal = number(VA)
    b_va: Decimal = number(VA)
    c_va: Decimal = number(VA)
    connection: str = choice(("wye", "delta"), "wye")

    def __post_init__(self) -> None:
        check(self, self._nothing)

    def _nothing(self) -> Problem | None:
        if self.a_va + self.b_va + self.c_va > 0:
            return None
        return Problem("a_va", "out_of_range", "a_va, b_va and c_va are all 0; give the loads of the phases.")


@dataclass(frozen=True, slots=True)
class Bank:
    """Like units side by side: supplies of shelves, modules of a UPS, generators. Raises InvalidParameters."""

    count: int = whole(UNITS)
    unit_kw: Decimal = number(KW)
    redundancy: str = choice(backup.SCHEMES, "n")

    def __post_init__(self) -> None:
        check(self, self._spare)

    def _spare(self) -> Problem | None:
        if self.spare < self.count:
            return None
        message = f"count is {self.count}; {self.redundancy} would leave none of them."
        return Problem("count", "conflict", message)

    @property
    def spare(self) -> int:
        """How many may be lost."""
        return {"n": 0, "n+1": 1, "n+2": 2, "2n": -(-self.count // 2)}[self.redundancy]

    @property
    def capacity_kw(self) -> Decimal:
        """What is left to use when the spare ones are lost."""
        return self.unit_kw * (self.count - self.spare)


@dataclass(frozen=True, slots=True)
class Ups:
    """The modules of a UPS, and how long they carry their whole rating. Raises InvalidParameters."""

    modules: Bank = part(Bank, ...)
    energy_kj: Decimal | None = number(backup.ENERGY_KJ, None, "Stored and usable; 3,600 kJ are a kWh.")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class Generators:
    """Generators, derated for the site, and their fuel. Raises InvalidParameters."""

    units: Bank = part(Bank, ...)
    derate_fraction: Decimal = number(backup.DERATE, 1, "For altitude and temperature.")
    start_s: Decimal | None = number(Range("s", low=0, high=3600), None, "Until they take the load.")
    full_load_l_h: Decimal | None = number(backup.FUEL_L_H, None, "What one burns at its rating.")
    tank_l: Decimal | None = number(backup.TANK_L, None, "All tanks together.")

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyInput:
    """A load and what supplies it; a part that is left out is no tier. Raises InvalidParameters with every problem.

    `basis` says which of the three powers `load_kw` is. `mechanical_kw` is what cools it: generators and the utility
    carry that too.
    """

    load_kw: Decimal = number(LOAD, about="At the boards, behind all stages.")
    basis: str = choice(("nameplate", "typical", "idle"), "nameplate")
    power_factor: Decimal = number(FRACTION, "0.95")
    mechanical_kw: Decimal = number(stages.POWER_KW, 0)
    stages: tuple[Stage, ...] = parts(Stage, STAGES_MAX, ())
    feeds: Feeds | None = part(Feeds)
    phase_loads: PhaseLoads | None = part(PhaseLoads)
    shelves: Bank | None = part(Bank)
    ups: Ups | None = part(Ups)
    generators: Generators | None = part(Generators)
    utility_kw: Decimal | None = number(KW, None)

    def __post_init__(self) -> None:
        check(self, self._phases)

    def _phases(self) -> Problem | None:
        if self.phase_loads is None or (self.feeds is not None and self.feeds.phases == 3):
            return None
        return Problem("phase_loads", "conflict", "phase_loads are of three phases; give feeds with three.")


@dataclass(frozen=True, slots=True)
class Tier:
    """What one tier carries when its redundancy is used up, against what is asked of it."""

    tier: str
    capacity_kw: Decimal | None
    load_kw: Decimal | None
    margin_kw: Decimal | None
    utilisation_fraction: Decimal | None
    ok: bool


@dataclass(frozen=True, slots=True)
class SupplyReport:
    """`binding_tier` has the highest utilisation of all tiers that were given. None is unknown."""

    basis: str
    tiers: tuple[Tier, ...]
    binding_tier: str | None
    ok: bool | None
    chain_efficiency_fraction: Decimal | None
    grid_kw: Decimal | None
    conversion_loss_kw: Decimal | None
    feed_normal_kva: Decimal | None
    feed_failover_kva: Decimal | None
    line_current_max_a: Decimal | None
    neutral_current_a: Decimal | None
    phase_imbalance_fraction: Decimal | None
    ups_ride_through_s: Decimal | None
    generators_needed_count: Decimal | None
    generator_fuel_l_h: Decimal | None
    tank_hours: Decimal | None
    warnings: tuple[Notice, ...]
    trace: tuple[TraceEntry, ...]
    ranges: tuple[QuantityRange, ...] = ()


def run_supply(given: SupplyInput) -> SupplyReport:
    """Return the report of a supply: each tier, the binding one, losses, failover, ride-through and fuel."""
    with precise():
        return _Run(given).report()


class _Run:
    """One supply on its way to a report."""

    def __init__(self, given: SupplyInput) -> None:
        self.given = given
        self.trace = Trace()
        self.warnings: list[Notice] = []

    def load_at(self, tier: str) -> Decimal:
        """Return what a tier must carry in kW."""
        below = TIERS.index(tier)
        seen = [stage.efficiency for stage in self.given.stages if TIERS.index(stage.below) <= below]
        load = stages.input_power_kw(self.given.load_kw, stages.chain_efficiency(seen))
        return load + (self.given.mechanical_kw if tier in ("generator", "utility") else 0)

    def report(self) -> SupplyReport:
        given, trace = self.given, self.trace
        currents = self._phases()
        tiers = tuple(
            self._tier(tier, capacity) for tier in TIERS if (capacity := getattr(self, f"_{tier}_kw")()) is not None
        )
        binding = max(tiers, key=lambda each: each.utilisation_fraction or 0).tier if tiers else None
        for tier in tiers:
            if not tier.ok:
                message = f"{tier.tier}: {tier.load_kw} kW asked, {tier.capacity_kw} kW with its redundancy used up."
                self.warnings.append(Notice("tier_overloaded", message))
        chain = stages.chain_efficiency(stage.efficiency for stage in given.stages)
        grid = stages.input_power_kw(given.load_kw, chain) + given.mechanical_kw
        factors: dict[str, Decimal | int | None] = {stage.name: stage.efficiency for stage in given.stages}
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
                stages.STAGE_LOSSES, grid - given.mechanical_kw - given.load_kw, grid_kw=grid, it_kw=given.load_kw
            ),
            feed_normal_kva=normal,
            feed_failover_kva=failover,
            **currents,
            ups_ride_through_s=self._ride_through(),
            **self._fuel(),
            warnings=tuple(self.warnings),
            trace=tuple(trace.entries),
        )

    def _tier(self, tier: str, capacity: Decimal) -> Tier:
        load = self.load_at(tier)
        inputs: dict[str, Decimal | int | None] = {CAPACITIES[tier].name: capacity, LOADS[tier].name: load}
        return Tier(
            tier,
            self.trace.put(CAPACITIES[tier], capacity),
            self.trace.put(LOADS[tier], load, load_kw=self.given.load_kw, mechanical_kw=self.given.mechanical_kw),
            self.trace.put(MARGINS[tier], capacity - load, **inputs),
            self.trace.put(USES[tier], load / capacity, **inputs),
            load <= capacity,
        )

    def _phase_kw(self) -> Decimal | None:
        """Return the load in kW at which the fullest line of a feed reaches its continuous current."""
        feeds, currents = self.given.feeds, self._line_currents()
        if feeds is None or currents is None:
            return None
        return self.load_at("phase") * feeds.breaker_a * feeds.usable_fraction / max(currents)

    def _breaker_kw(self) -> Decimal | None:
        if self.given.feeds is None:
            return None
        feed = self.given.feeds.feed(self.given.power_factor)
        one = feed_kva(voltage_v=feed.voltage_v, breaker_a=feed.breaker_a, phases=feed.phases, line=feed.line)
        return one * (feed.feeds - feed.spare) * feed.continuous_fraction * feed.power_factor

    def _shelf_kw(self) -> Decimal | None:
        return None if self.given.shelves is None else self.given.shelves.capacity_kw

    def _ups_kw(self) -> Decimal | None:
        return None if self.given.ups is None else self.given.ups.modules.capacity_kw

    def _generator_kw(self) -> Decimal | None:
        generators = self.given.generators
        return None if generators is None else generators.units.capacity_kw * generators.derate_fraction

    def _utility_kw(self) -> Decimal | None:
        return self.given.utility_kw

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
            message = f"The fullest line carries {max(currents):,.1f} A, {float(unequal):.0%} from the mean."
            self.warnings.append(Notice("phases_unequal", message))
        # Loads between lines have no neutral.
        neutral = phases.neutral_current_a(*currents) if loads.connection == "wye" else Decimal(0)
        inputs = dict(zip(("a_va", "b_va", "c_va"), (loads.a_va, loads.b_va, loads.c_va), strict=True))
        return {
            quantity.name: self.trace.put(quantity, value, **inputs)
            for quantity, value in zip(quantities, (max(currents), neutral, unequal), strict=True)
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
        inputs: dict[str, Decimal | int | None] = {
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


SUPPLY = Layer("supply", SupplyInput, run_supply)

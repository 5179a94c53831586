"""What the supply layer asks for: a load, and the tiers between it and the utility."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import prod

from simulator.engine.electrical import FRACTION, Feed
from simulator.engine.errors import Problem
from simulator.engine.numbers import Range
from simulator.engine.parameters import check, choice, number, one_of, part, parts, text, whole
from simulator.engine.supply import backup, stages

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
    phases: int = one_of((1, 3))
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
        half = -(-self.count // 2)
        return {"n": 0, "n+1": 1, "n+2": 2, "2n": half, "2(n+1)": half + 1}[self.redundancy]

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
    phase_loads: PhaseLoads | None = part(
        PhaseLoads, about="Shares of the load: they are scaled so that together they are load_kw / power_factor."
    )
    shelves: Bank | None = part(Bank)
    ups: Ups | None = part(Ups)
    generators: Generators | None = part(Generators)
    utility_kw: Decimal | None = number(KW, None)

    def __post_init__(self) -> None:
        check(self, self._phases, self._chain)

    def _chain(self) -> Problem | None:
        together = prod((stage.efficiency for stage in self.stages), start=Decimal(1))
        if together >= stages.EFFICIENCY.low:  # type: ignore[operator]
            return None
        message = f"stages have an efficiency of {together:.3g} together; it must be {stages.EFFICIENCY}."
        return Problem("stages", "out_of_range", message)

    def _phases(self) -> Problem | None:
        if self.phase_loads is None or (self.feeds is not None and self.feeds.phases == 3):
            return None
        return Problem("phase_loads", "conflict", "phase_loads are of three phases; give feeds with three.")

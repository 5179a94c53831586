"""The feed of a rack: what a breaker lets through, what of it may be used, and what the load asks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.errors import Problem, raise_for
from simulator.engine.numbers import Range, require
from simulator.engine.parameters import choice, flag, number, one_of, problems_of, whole
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

REDUNDANCIES = ("none", "n+1", "2n")

VOLTAGE_V = Range("V", low=1, high=1000)
BREAKER_A = Range("A", low=Decimal("0.1"), high=6300)
FRACTION = Range("", low=Decimal("0.05"), high=1)
POWER_KW = Range("kW", low=0, high=10_000_000)
CAPACITY_KVA = Range("kVA", low=0, high=10_000_000)
FEED_COUNT = Range("feeds", low=1, high=64, step=Decimal(1))

# NEC 210.20(A) and 215.3: an overcurrent device is rated for 125 % of the continuous load, so 80 % of it may be used.
CONTINUOUS_FRACTION = Decimal("0.8")
# 80 PLUS Platinum, server supplies: a power factor of at least 0.95.
POWER_FACTOR = Decimal("0.95")

_AC = "Apparent power of a balanced alternating-current circuit (IEC 60050-131)"

FEED_KVA = Quantity(
    "feed_kva", "kVA", "one phase: V · I; three: √3 · V(line) · I = 3 · V(phase) · I; / 1000", _AC, False
)
CAPACITY = Quantity("capacity_kva", "kVA", "feed_kva · feeds", "Arithmetic", False)
USABLE = Quantity(
    "usable_kva",
    "kVA",
    "feed_kva · feeds that are left when redundancy is used up · continuous_fraction",
    "NEC 210.20(A), 215.3 for the default fraction",
    False,
)
LOAD = Quantity("load_kva", "kVA", "density_kw / power_factor", "Definition of the power factor (IEC 60050-131)", False)
UTILISATION = Quantity("utilisation_fraction", "", "load_kva / usable_kva", "Definition of a ratio", False)


@dataclass(frozen=True, slots=True)
class Feed:
    """The circuits that supply a rack; like ones.

    `line` says whether `voltage_v` was given between two lines (True) or from a line to neutral (False): with three
    phases the two differ by √3, and nothing else tells them apart. `count` is how many such feeds come in: one without
    redundancy, else two (A and B) unless given. Raises InvalidParameters.
    """

    voltage_v: Decimal = number(VOLTAGE_V)
    phases: int = one_of((1, 3))
    breaker_a: Decimal = number(BREAKER_A)
    line: bool = flag(True, about="Whether the voltage is between lines, or from a line to neutral.")
    continuous_fraction: Decimal = number(FRACTION, CONTINUOUS_FRACTION)
    power_factor: Decimal = number(FRACTION, POWER_FACTOR)
    redundancy: str = choice(REDUNDANCIES, "none")
    count: int | None = whole(FEED_COUNT, None, "How many feeds come in; else as redundancy says.")

    def __post_init__(self) -> None:
        problems = problems_of(self)
        if self.count is not None and not any(each.field in ("redundancy", "count") for each in problems):
            if self.redundancy == "2n" and self.count % 2:
                problems.append(Problem("count", "conflict", f"count is {self.count}; 2n needs two equal halves."))
            elif self.redundancy == "n+1" and self.count < 2:
                problems.append(Problem("count", "conflict", f"count is {self.count}; n+1 needs at least two feeds."))
        raise_for(problems)

    @property
    def feeds(self) -> int:
        """How many feeds come in."""
        if self.count is not None:
            return self.count
        return 1 if self.redundancy == "none" else 2

    @property
    def spare(self) -> int:
        """How many of them may be lost: none, one, or half."""
        return {"none": 0, "n+1": 1, "2n": self.feeds // 2}[self.redundancy]


def feed_kva(*, voltage_v: Decimal, breaker_a: Decimal, phases: int, line: bool = True) -> Decimal:
    """Return the apparent power in kVA that one breaker lets through.

    One phase: V · I / 1000. Three phases: √3 · V · I / 1000 with V between lines, 3 · V · I / 1000 with V to neutral.
    Valid from 1 to 1,000 V and 0.1 to 6,300 A, for a balanced load. Source: IEC 60050-131.
    """
    require(voltage_v=(voltage_v, VOLTAGE_V), breaker_a=(breaker_a, BREAKER_A))
    if phases not in (1, 3):
        raise_for([Problem("phases", "not_a_choice", f"phases is {phases}; a feed has 1 or 3.")])
    factor = Decimal(1) if phases == 1 else Decimal(3).sqrt() if line else Decimal(3)
    return convert(factor * voltage_v * breaker_a, "va", "kva")


def remaining_capacity(unit: Decimal, *, count: int, lost: int = 0) -> Decimal:
    """Return what `count` like units carry when `lost` of them have failed: unit · (count − lost).

    The unit is the capacity's own (kVA of feeds, kW of power supplies or shelves). Valid for `lost` from 0 to `count`.
    Source: definition of redundancy; a spare unit is never part of what may be used.
    """
    require(
        unit=(unit, CAPACITY_KVA),
        count=(Decimal(count), Range("units", low=0)),
        lost=(Decimal(lost), Range("units", low=0, high=count)),
    )
    return unit * (count - lost)


def usable_kva(capacity_kva: Decimal, continuous_fraction: Decimal) -> Decimal:
    """Return what of a capacity may be used continuously: capacity · fraction, in the unit of the capacity.

    Valid for a fraction of 0.05 to 1. Source: NEC 210.20(A) and 215.3 (80 %; all of it where the assembly is listed for
    100 % of its rating).
    """
    require(capacity_kva=(capacity_kva, CAPACITY_KVA), continuous_fraction=(continuous_fraction, FRACTION))
    return capacity_kva * continuous_fraction


def apparent_power_kva(real_kw: Decimal, power_factor: Decimal) -> Decimal:
    """Return the apparent power in kVA of a load: kW / power factor. Valid for a factor of 0.05 to 1.

    Source: definition of the power factor, IEC 60050-131.
    """
    require(real_kw=(real_kw, POWER_KW), power_factor=(power_factor, FRACTION))
    return real_kw / power_factor


def real_power_kw(apparent_kva: Decimal, power_factor: Decimal) -> Decimal:
    """Return the real power in kW behind an apparent one: kVA · power factor. Valid for a factor of 0.05 to 1.

    Source: definition of the power factor, IEC 60050-131.
    """
    require(apparent_kva=(apparent_kva, CAPACITY_KVA), power_factor=(power_factor, FRACTION))
    return apparent_kva * power_factor


def carries(capacity: Decimal | None, at_least: Decimal, load: Decimal | None) -> bool | None:
    """Return whether a capacity carries a load of its unit: load ≤ capacity; None if that cannot be said.

    A load that is only known to be `at_least` so much is refused when that is too much already. Source: definition.
    """
    if capacity is None:
        return None
    if at_least > capacity:
        return False
    return None if load is None else load <= capacity


LOAD_A = Range("A", low=0, high=6300)
KVA = Range("kVA", above=0, high=1_000_000)
LINE_V = Range("V", low=1, high=1_000_000)
IMPEDANCE = Range("", low=Decimal("0.005"), high=Decimal("0.3"))


def least_breaker_a(load_a: Decimal, continuous_fraction: Decimal = CONTINUOUS_FRACTION) -> Decimal:
    """Return the least rating in A of a breaker for a continuous load: load / fraction, 125 % of it by default.

    The next size on sale is taken. Breakers that are listed for 100 % take a fraction of 1. Valid for a fraction of
    0.05 to 1. Source: NEC 210.20(A) and 215.3.
    """
    require(load_a=(load_a, LOAD_A), continuous_fraction=(continuous_fraction, FRACTION))
    return load_a / continuous_fraction


def full_load_a(kva: Decimal, line_v: Decimal, *, phases: int = 3) -> Decimal:
    """Return the current in A of each line at an apparent power: kVA · 1000 / (√3 · V), without √3 on one phase.

    Valid from 1 to 1,000,000 V between lines, for a balanced load. Source: IEC 60050-131.
    """
    require(kva=(kva, KVA), line_v=(line_v, LINE_V))
    return convert(kva, "kva", "va") / (line_v * (Decimal(3).sqrt() if phases == 3 else 1))


def short_circuit_a(kva: Decimal, line_v: Decimal, impedance_fraction: Decimal) -> Decimal:
    """Return the current in A into a bolted fault at the terminals of a transformer: full load / impedance.

    Valid with a stiff supply and without motors behind it, so that the impedance of the transformer alone limits;
    cables lower it. Source: IEC 60909-0, simplified; the impedance stands on the name plate.
    """
    require(impedance_fraction=(impedance_fraction, IMPEDANCE))
    return full_load_a(kva, line_v) / impedance_fraction


def reactive_kvar(apparent_kva: Decimal, real_kw: Decimal) -> Decimal:
    """Return the reactive power in kvar: √(kVA² − kW²). Valid for a real power of at most the apparent one.

    Source: IEC 60050-131.
    """
    require(apparent_kva=(apparent_kva, CAPACITY_KVA), real_kw=(real_kw, Range("kW", low=0, high=apparent_kva)))
    return (apparent_kva * apparent_kva - real_kw * real_kw).sqrt()

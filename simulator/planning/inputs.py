"""What a plan is made from: what is wanted, what may be used, and the limits of a rack, a row and the site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from simulator.engine.air import AIR_RISE_K, AIR_TEMPERATURE_C, AIRFLOW_M3_H, ALTITUDE_M
from simulator.engine.devices import Device, Line, merged
from simulator.engine.errors import Problem, raise_for
from simulator.engine.inputs import DEVICES_MAX, Rack
from simulator.engine.numbers import Range
from simulator.engine.power import BASES

CANDIDATES_MAX = 60
ACCELERATORS = Range("accelerators", low=1, high=100_000, step=Decimal(1))
COUNT = Range("", low=1, high=100_000, step=Decimal(1))
POWER_KW = Range("kW", above=0, high=10_000_000)
WEIGHT_KG = Range("kg", above=0, high=100_000)
MONEY = Range("", low=0, high=Decimal(10) ** 13)
TIME_S = Range("s", low=1, high=60)
OBJECTIVES = ("fewest_racks", "lowest_cost")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A device that may be used: at most `available` of it (None: any number), at `price` each (None: not told)."""

    device: Device
    price: Decimal | None = None
    available: int | None = None

    def __post_init__(self) -> None:
        raise_for(_out_of_range(self))


@dataclass(frozen=True, slots=True)
class RowLimits:
    """Rows of racks: `count` of them, each with `racks_max` racks and `power_max_kw` at the most. None: any."""

    count: int | None = None
    racks_max: int | None = None
    power_max_kw: Decimal | None = None

    def __post_init__(self) -> None:
        raise_for(_out_of_range(self))


@dataclass(frozen=True, slots=True)
class PlanInput:
    """At least `accelerators`, of the devices allowed, within limits; None is no limit.

    `each_rack` stands in every rack that is filled (switches, PDUs) and takes its share of every limit; a device that
    is a whole rack comes with its own. `rack_weight_max_kg` is what the floor carries for one rack, its own weight
    included; `rack.max_kg` what the rack carries (a whole rack has its own frame); `floor_max_kg_m2` and `footprint_m2`
    of the rack count too. Prices are in one currency, whichever. The power of `basis` is what
    limits hold for. Raises InvalidParameters with every problem at once.
    """

    accelerators: int
    devices: tuple[Candidate, ...]
    each_rack: tuple[Line, ...] = ()
    rack: Rack = field(default_factory=Rack)
    rows: RowLimits = field(default_factory=RowLimits)
    basis: str = "nameplate"
    objective: str = "fewest_racks"
    rack_power_max_kw: Decimal | None = None
    rack_weight_max_kg: Decimal | None = None
    rack_airflow_max_m3_h: Decimal | None = None
    rack_price: Decimal = Decimal(0)
    racks_max: int | None = None
    site_power_max_kw: Decimal | None = None
    budget: Decimal | None = None
    inlet_c: Decimal = Decimal(25)
    altitude_m: Decimal = Decimal(0)
    air_rise_k: Decimal = Decimal(12)
    time_limit_s: Decimal = Decimal(10)

    def __post_init__(self) -> None:
        problems = _out_of_range(self)
        for name, choices in (("basis", BASES), ("objective", OBJECTIVES)):
            if getattr(self, name) not in choices:
                message = f"{name} is {getattr(self, name)}; choose one of {', '.join(choices)}."
                problems.append(Problem(name, "not_a_choice", message))
        slugs = [each.device.slug for each in self.devices]
        if not slugs:
            problems.append(
                Problem("devices", "required", "devices is empty; a plan needs at least one to choose from.")
            )
        if len(slugs) > CANDIDATES_MAX:
            message = f"devices has {len(slugs)} entries; {CANDIDATES_MAX} is the most."
            problems.append(Problem("devices", "too_many", message))
        twice = sorted({slug for slug in slugs if slugs.count(slug) > 1})
        if twice:
            problems.append(Problem("devices", "conflict", f"Name each device once: {', '.join(twice)}."))
        problems += _problems_of_each_rack(self.each_rack, slugs)
        raise_for(problems)
        object.__setattr__(self, "each_rack", merged(self.each_rack))
        object.__setattr__(self, "devices", tuple(sorted(self.devices, key=lambda each: each.device.slug)))

    @property
    def counts_money(self) -> bool:
        """Whether prices matter: then a device without one cannot be used."""
        return self.objective == "lowest_cost" or self.budget is not None


def _problems_of_each_rack(lines: tuple[Line, ...], slugs: list[str]) -> list[Problem]:
    found = []
    both = sorted({line.device.slug for line in lines} & set(slugs))
    if both:
        message = f"{', '.join(both)} stands in each rack and is to choose from; name it in one of the two."
        found.append(Problem("each_rack", "conflict", message))
    alone = sorted({line.device.slug for line in lines if line.device.is_whole_rack})
    if alone:
        message = f"{', '.join(alone)} is a whole rack: it stands alone, so not in each."
        found.append(Problem("each_rack", "conflict", message))
    count = sum(line.quantity for line in lines)
    if count > DEVICES_MAX:
        found.append(Problem("each_rack", "too_many", f"each_rack has {count} devices; {DEVICES_MAX} is the most."))
    return found


RANGES: Mapping[type, Mapping[str, Range]] = {
    Candidate: {"price": MONEY, "available": COUNT},
    RowLimits: {"count": COUNT, "racks_max": COUNT, "power_max_kw": POWER_KW},
    PlanInput: {
        "accelerators": ACCELERATORS,
        "rack_power_max_kw": POWER_KW,
        "rack_weight_max_kg": WEIGHT_KG,
        "rack_airflow_max_m3_h": AIRFLOW_M3_H,
        "rack_price": MONEY,
        "racks_max": COUNT,
        "site_power_max_kw": POWER_KW,
        "budget": MONEY,
        "inlet_c": AIR_TEMPERATURE_C,
        "altitude_m": ALTITUDE_M,
        "air_rise_k": AIR_RISE_K,
        "time_limit_s": TIME_S,
    },
}
ABOUT: Mapping[type, Mapping[str, str]] = {
    Candidate: {"price": "Of one; without it the device is not used where cost counts.", "available": "At the most."},
    RowLimits: {
        "count": "How many rows there are.",
        "racks_max": "Racks of a row, at the most.",
        "power_max_kw": "Power of a row, at the most.",
    },
    PlanInput: {
        "accelerators": "Wanted, at the least.",
        "basis": "The power that limits hold for.",
        "rack_power_max_kw": "Of one rack.",
        "rack_weight_max_kg": "What the floor carries of one rack, its own weight included.",
        "rack_airflow_max_m3_h": "Air that one rack gets.",
        "rack_price": "Of a cabinet with what stands in each; a whole rack has its own price.",
        "racks_max": "Racks in all.",
        "site_power_max_kw": "Of all racks.",
        "budget": "In the currency of the prices, for all.",
        "inlet_c": "Of the air.",
        "time_limit_s": "Seconds of the worker. Most plans take less than one.",
    },
}
"""What the public interface says of an input; what is plain by its name it does not."""


def _out_of_range(given: object) -> list[Problem]:
    found = []
    for name, allowed in RANGES[type(given)].items():
        value = getattr(given, name)
        if value is not None and (problem := allowed.problem(name, Decimal(value))):
            found.append(problem)
    return found

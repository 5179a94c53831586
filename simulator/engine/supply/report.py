"""What the supply layer tells: each tier with what it carries, its quantities with formula and source, its warnings."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from simulator.engine.layers import QuantityRange
from simulator.engine.notices import LITTLE_GIVEN, LITTLE_GIVEN_ABOUT, Notice
from simulator.engine.supply.inputs import TIERS
from simulator.engine.trace import Quantity, TraceEntry

CAPACITIES = {
    tier: Quantity(
        f"{tier}_capacity_kw", "kW", formula, "Definition of redundancy: a spare unit is never part of it", False
    )
    for tier, formula in (
        (
            "phase",
            "phase_load_kw · breaker_a · continuous_fraction / line_current_max_a: what fills the fullest line",
        ),
        ("breaker", "feed_kva · feeds_left · continuous_fraction · power_factor"),
        ("shelf", "unit_kw · units_left when a shelf's or half of them are lost"),
        ("ups", "unit_kw · units_left"),
        ("generator", "unit_kw · units_left · derate_fraction"),
        ("utility", "utility_kw"),
    )
}
LOADS = {
    tier: Quantity(
        f"{tier}_load_kw",
        "kW",
        "load_kw / efficiency_fraction, that of all stages below the tier, + mechanical_kw at generator and utility",
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
    LITTLE_GIVEN: LITTLE_GIVEN_ABOUT,
}


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

"""Conversions in a row: what enters for what leaves, and what is lost on the way."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from simulator.engine.numbers import Range, require
from simulator.engine.trace import Quantity

EFFICIENCY = Range("", low=Decimal("0.05"), high=1)
POWER_KW = Range("kW", low=0, high=100_000_000)

_SERIES = "Stages in series: efficiencies multiply"

CHAIN = Quantity("chain_efficiency_fraction", "", "Π efficiency of each stage", _SERIES, False)
GRID_POWER = Quantity("grid_kw", "kW", "it_kw / chain_efficiency_fraction + mechanical_kw", _SERIES, False)
STAGE_LOSSES = Quantity(
    "conversion_loss_kw", "kW", "grid_kw − mechanical_kw − it_kw", "First law of thermodynamics", False
)


def chain_efficiency(efficiencies: Iterable[Decimal]) -> Decimal:
    """Return the efficiency of stages in series: their product. An empty chain loses nothing.

    Valid for efficiencies at one load; a UPS below a third of its rating has a lower one. Source: definition.
    """
    product = Decimal(1)
    for efficiency in efficiencies:
        require(efficiency=(efficiency, EFFICIENCY))
        product *= efficiency
    return product


def input_power_kw(output_kw: Decimal, efficiency: Decimal) -> Decimal:
    """Return the power in kW that enters a stage or chain for what leaves it: output / efficiency.

    Valid for an efficiency of 0.05 to 1. Source: definition of efficiency.
    """
    require(output_kw=(output_kw, POWER_KW), efficiency=(efficiency, EFFICIENCY))
    return output_kw / efficiency

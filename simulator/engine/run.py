"""A report under construction: what all sections of it share."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from simulator.engine.amounts import Total
from simulator.engine.inputs import RackInput
from simulator.engine.notices import Notice
from simulator.engine.numbers import CACHED_MAX
from simulator.engine.power import BASES, rack_power_kw
from simulator.engine.trace import Quantity, Trace, TraceInput, told


class Run:
    """One input on its way to a report, with the trace and the warnings so far, in the order of the sections."""

    def __init__(self, given: RackInput) -> None:
        self.given = given
        self.lines = given.lines
        self.trace = Trace()
        self.quantities = [told(f"{line.device.slug}.quantity", line.quantity) for line in self.lines]
        self.warnings: list[Notice] = []
        self.powers = {basis: rack_power_kw(self.lines, basis) for basis in BASES}
        # All electrical power leaves as heat.
        self.heat = self.powers[given.basis]
        self.nameplate = self.powers["nameplate"]

    def shown(self, quantity: Quantity, amount: Total, **inputs: Decimal | None) -> Decimal | None:
        """Record the value of `amount`, unknown or not, and return it as the report shows it."""
        return self.trace.record(quantity, amount.value, **inputs)

    def parts(self, attribute: str) -> list[TraceInput]:
        """Return the inputs of a sum over devices: for each its quantity and its value."""
        return [each for pair in zip(self.quantities, self.each(attribute), strict=True) for each in pair]

    def each(self, attribute: str) -> list[TraceInput]:
        """Return a value of each device."""
        return [_told_of(line.device.slug, attribute, getattr(line.device, attribute)) for line in self.lines]


@lru_cache(maxsize=CACHED_MAX)
def _told_of(slug: str, attribute: str, value: Decimal | None) -> TraceInput:
    return told(f"{slug}.{attribute}", value)


def lower_bound(quantity: Quantity, amount: Total) -> Decimal | None:
    """Return the sum of what is known, to stand beside an unknown total; None beside a known one."""
    return None if amount.value is not None else quantity.presented(amount.at_least)

"""A report under construction: what all sections of it share."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.amounts import Total
from simulator.engine.inputs import RackInput
from simulator.engine.notices import Notice
from simulator.engine.power import BASES, rack_power_kw
from simulator.engine.trace import Quantity, Trace


class Run:
    """One input on its way to a report, with the trace and the warnings so far, in the order of the sections."""

    def __init__(self, given: RackInput) -> None:
        self.given = given
        self.lines = given.lines
        self.trace = Trace()
        self.warnings: list[Notice] = []
        self.powers = {basis: rack_power_kw(self.lines, basis) for basis in BASES}
        # All electrical power leaves as heat.
        self.heat = self.powers[given.basis]
        self.nameplate = self.powers["nameplate"]

    def shown(self, quantity: Quantity, amount: Total, **inputs: Decimal | None) -> Decimal | None:
        """Record the value of `amount`, unknown or not, and return it as the report shows it."""
        return self.trace.record(quantity, amount.value, **inputs)

    def parts(self, attribute: str) -> dict[str, Decimal | None]:
        """Return the inputs of a sum over devices: for each its quantity and its value."""
        found: dict[str, Decimal | None] = {}
        for line in self.lines:
            found[f"{line.device.slug}.quantity"] = Decimal(line.quantity)
            found[f"{line.device.slug}.{attribute}"] = getattr(line.device, attribute)
        return found


def lower_bound(quantity: Quantity, amount: Total) -> Decimal | None:
    """Return the sum of what is known, to stand beside an unknown total; None beside a known one."""
    return None if amount.value is not None else quantity.presented(amount.at_least)

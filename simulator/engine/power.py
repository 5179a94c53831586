"""The three powers of a rack, and what its accelerators have of them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from simulator.engine.amounts import Total, line_total, total
from simulator.engine.devices import Line
from simulator.engine.trace import Quantity
from simulator.engine.units import convert

BASES = ("nameplate", "typical", "idle")

_SUM = "Arithmetic; the values are the catalogue's, with its sources"

POWERS = {
    basis: Quantity(
        f"{basis}_kw", "kW", f"Σ quantity · power_{basis}_w / 1000, without what only passes power on", _SUM
    )
    for basis in BASES
}
DENSITY_KW = Quantity("density_kw", "kW", "the power of the rack on the chosen basis", "Definition")
TYPICAL_FRACTION = Quantity("typical_fraction", "", "typical_kw / nameplate_kw", "Definition of a ratio", False)
IDLE_FRACTION = Quantity("idle_fraction", "", "idle_kw / nameplate_kw", "Definition of a ratio", False)
ACCELERATORS_COUNT = Quantity("accelerators_count", "", "Σ quantity · accelerators_count", _SUM)
ACCELERATOR_FRACTION = Quantity(
    "accelerator_fraction",
    "",
    "Σ quantity · accelerators_count · accelerator_tdp_w / 1000 / nameplate_kw",
    "Definition of a ratio",
    False,
)
POWER_PER_ACCELERATOR_KW = Quantity(
    "power_per_accelerator_kw", "kW", "nameplate_kw / accelerators_count", "Definition of an average", False
)


def rack_power_kw(lines: Sequence[Line], basis: str) -> Total:
    """Return the power of all devices in kW: Σ quantity · power / 1000, on `basis` nameplate, typical or idle.

    What only passes power on adds nothing: its load is that of the devices behind it (its own losses belong to the
    electrical layer). Unknown powers are named. Valid for any power that a device may have. Source: arithmetic.
    """
    watts = total(
        (
            line.device.slug,
            Decimal(0)
            if line.device.is_power_path
            else line_total(getattr(line.device, f"power_{basis}_w"), line.quantity),
        )
        for line in lines
    )
    return watts.through(lambda value: convert(value, "w", "kw"))


def accelerators(lines: Sequence[Line]) -> Total:
    """Return how many accelerators the rack holds: Σ quantity · accelerators_count.

    Valid for any count. Source: arithmetic.
    """
    return total((line.device.slug, line_total(line.device.accelerators_count, line.quantity)) for line in lines)


def accelerator_power_kw(lines: Sequence[Line]) -> Total:
    """Return the thermal design power of all accelerators in kW: Σ quantity · accelerators_count · tdp / 1000.

    Devices that hold none need no design power. Valid for any design power. Source: arithmetic.
    """
    parts: list[tuple[str, Decimal | None]] = []
    for line in lines:
        count, tdp_w = line.device.accelerators_count, line.device.accelerator_tdp_w
        if count == 0:
            parts.append((line.device.slug, Decimal(0)))
        else:
            parts.append((line.device.slug, None if count is None or tdp_w is None else count * tdp_w * line.quantity))
    return total(parts).through(lambda value: convert(value, "w", "kw"))

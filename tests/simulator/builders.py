"""Devices and racks for the tests of the simulator."""

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

from simulator.engine import Device, Line, RackInput, RackReport, rack_report
from simulator.tables import PUBLISHED

DATA = Path(__file__).parent / "data"

_DECIMALS = {
    "height_u",
    "weight_kg",
    "power_nameplate_w",
    "power_typical_w",
    "power_idle_w",
    "heat_to_liquid_fraction",
    "accelerators_count",
    "accelerator_tdp_w",
}


def number(value: Any) -> Any:
    """Return a number of a test as the engine takes it: written as text where it must be exact."""
    return Decimal(str(value)) if isinstance(value, int | float | str) and not isinstance(value, bool) else value


def make_device(slug: str = "server", **fields: Any) -> Device:
    """Return a device of one unit about which everything is known: air-cooled, 500 W, 20 kg."""
    known: dict[str, Any] = {
        "height_u": 1,
        "is_full_depth": True,
        "weight_kg": 20,
        "power_nameplate_w": 500,
        "power_typical_w": 300,
        "power_idle_w": 100,
        "heat_to_liquid_fraction": 0,
        "is_immersible": True,
        **fields,
    }
    return Device(slug, **{name: number(value) if name in _DECIMALS else value for name, value in known.items()})


DGX_H100 = make_device(
    "nvidia-dgx-h100",
    name="NVIDIA DGX H100",
    height_u=8,
    weight_kg="130.45",
    power_nameplate_w=10200,
    power_typical_w=None,
    power_idle_w=None,
    heat_to_liquid_fraction=None,
    is_immersible=None,
)

DESIGN = {
    "chip_w": 1000,
    "chips_per_node": 4,
    "node_kw": 5,
    "nodes_per_rack": 20,
    "racks": 10,
    "hall_other_kw": 200,
    "pue": 1.2,
    "chain_efficiency_fraction": 0.96,
}
"""A ladder of round numbers: a campus of 1,440 kW."""


def report_of(*lines: tuple[Device, int], **given: Any) -> RackReport:
    """Return the report of a rack with (device, quantity) lines."""
    return rack_report(RackInput(items=tuple(Line(device, quantity) for device, quantity in lines), **given))


def warnings_of(report: RackReport) -> dict[str, tuple[str, ...]]:
    """Return the devices of each warning, by code."""
    return {warning.code: warning.devices for warning in report.warnings}


def method_of(report: RackReport, name: str) -> Any:
    """Return one cooling method of a report."""
    return next(method for method in report.cooling.methods if method.method == name)


def published_rows() -> list[dict[str, Any]]:
    """Return the rows of our own published tables."""
    return _rows(PUBLISHED)


def extra_rows() -> list[dict[str, Any]]:
    """Return the rows of the folder that EXTRA_CASES names; none where it is not set or has no tables.

    Raises NotADirectoryError for what is no folder: a path that is mistyped would pass every test.
    """
    extra = os.environ.get("EXTRA_CASES")
    if not extra:
        return []
    if not Path(extra).is_dir():
        raise NotADirectoryError(f"EXTRA_CASES names {extra}, which is no folder.")
    file = Path(extra) / "published-tables.json"
    return _rows(file) if file.exists() else []


def _rows(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(file.read_text())
    return rows

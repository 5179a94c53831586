"""A rack of a plan, as the simulator sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simulator.engine.devices import Line
from simulator.engine.inputs import RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport
from simulator.planning.candidates import Choice
from simulator.planning.fillings import Filling, is_priced
from simulator.planning.inputs import PlanInput
from simulator.planning.report import Item, PlannedRack
from simulator.planning.used import rack_uses

REFUSALS = ("does_not_fit", "over_weight", "over_floor")
"""Warnings of the simulator that no rack of a plan may have."""


class PlanRefuted(RuntimeError):  # noqa: N818 - it reads as what happened
    """The simulator refuses a rack that was planned: a fault of the planner, which must not reach anybody."""


def planned_rack(given: PlanInput, choice: Choice, filling: Filling, count: int) -> PlannedRack:
    """Return `count` racks with a filling, as one was run."""
    devices = {each.device.slug: each.device for each in given.devices}
    lines = [Line(devices[slug], n) for slug, n in filling.counts]
    # A whole rack stands on its own frame.
    rack = replace(given.rack, max_kg=None) if filling.is_whole_rack else given.rack
    if not filling.is_whole_rack:
        lines += given.each_rack
    asked = RackInput(
        items=tuple(lines),
        rack=rack,
        basis=given.basis,
        inlet_c=given.inlet_c,
        altitude_m=given.altitude_m,
        air_rise_k=given.air_rise_k,
        airflow_available_m3_h=given.rack_airflow_max_m3_h,
    )
    report = rack_report(asked)
    _refute(report, choice, filling)
    items = tuple(Item(line.device.slug, line.quantity) for line in lines)
    return PlannedRack(
        count=count,
        items=items,
        accelerators=filling.accelerators,
        price=filling.price if is_priced(choice, filling) else None,
        limits=rack_uses(choice, filling),
        input=_as_asked(asked, items),
        report=report,
    )


def _as_asked(asked: RackInput, items: tuple[Item, ...]) -> dict[str, Any]:
    """Return the input as `simulator/rack/` takes it."""
    names = ("units", "footprint_m2", "tare_kg", "max_kg", "floor_max_kg_m2")
    known = {name: getattr(asked.rack, name) for name in names}
    # Not its type: that would give again what a whole rack is without.
    rack = {name: value for name, value in known.items() if value is not None}
    values = ("basis", "inlet_c", "altitude_m", "air_rise_k", "airflow_available_m3_h")
    given = {name: value for name in values if (value := getattr(asked, name)) is not None}
    return {"items": items, "rack": rack, **given}


def _refute(report: RackReport, choice: Choice, filling: Filling) -> None:
    """Raise PlanRefuted where the simulator does not agree that this rack is possible."""
    limited = {limit.name for limit in choice.limits}
    is_silent = "power_kw" in limited and report.power.density_kw is None
    if is_silent or report.space.fits is False or any(each.code in REFUSALS for each in report.warnings):
        raise PlanRefuted(f"The simulator refuses the rack {filling.counts}.")

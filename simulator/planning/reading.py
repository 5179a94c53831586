"""Reads what a plan asks for from plain data, strictly: all problems in one answer, each with its path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

from simulator.engine.devices import Device, Line
from simulator.engine.errors import InvalidParameters, Problem, raise_for
from simulator.engine.inputs import Rack
from simulator.engine.power import BASES
from simulator.engine.reader import Reader
from simulator.engine.reading import read_device, read_items, read_rack
from simulator.planning.candidates import unsaid
from simulator.planning.inputs import CANDIDATES_MAX, OBJECTIVES, Candidate, PlanInput, RowLimits

LISTS = ("devices", "each_rack")
"""The members of the input that name devices."""

_DEFAULTS = {each.name: each.default for each in fields(PlanInput)}
_KEYS = tuple(_DEFAULTS)
_NUMBERS = (
    "rack_power_max_kw",
    "rack_weight_max_kg",
    "rack_airflow_max_m3_h",
    "rack_price",
    "site_power_max_kw",
    "budget",
    "inlet_c",
    "altitude_m",
    "air_rise_k",
    "time_limit_s",
)
# No slug of the catalogue is like this.
_STAND_IN = Candidate(Device("(none)", accelerators_count=Decimal(1)))


def read_plan_input(
    data: object, *, devices: Mapping[str, Device], racks: Mapping[str, Rack] | None = None
) -> PlanInput:
    """Return the plan that `data` asks for; `devices` and `racks` hold what its slugs may name.

    Raises InvalidParameters with every problem; the codes are those of `engine.reading.read_rack_input`.
    """
    problems: list[Problem] = []
    reader = Reader(data, "", _KEYS, problems)
    candidates = _read_candidates(reader, devices)
    each_rack = read_items(reader, devices, "each_rack", required=False)
    rack, rows = read_rack(reader, racks or {}), _read_rows(reader)
    given: dict[str, Any] = {name: reader.number(name, _DEFAULTS[name]) for name in _NUMBERS}
    given["accelerators"] = reader.whole("accelerators", 1, required=True)
    given["racks_max"] = reader.whole("racks_max")
    given["basis"] = reader.choice("basis", BASES, "nameplate")
    given["objective"] = reader.choice("objective", OBJECTIVES, "fewest_racks")
    # Also where something was refused, with what is allowed in its place: what else is wrong belongs into this answer.
    made = reader.build(
        lambda: PlanInput(
            devices=candidates or (_STAND_IN,), each_rack=each_rack, rack=rack or Rack(), rows=rows, **given
        )
    )
    judged = _judged(reader, each_rack, rack, given) if problems else made
    if judged is not None:
        problems += [_at_its_line(reader, problem) for problem in unsaid(judged)]
    raise_for(problems)
    assert made is not None  # Where it is, there is a problem.
    return made


def _judged(
    reader: Reader, each_rack: tuple[Line, ...], rack: Rack | None, given: Mapping[str, Any]
) -> PlanInput | None:
    """Return the devices of each rack with the limits that were given, None where the devices are refused already."""
    try:
        return PlanInput(1, (_STAND_IN,), each_rack, **_limits(reader, rack, given))
    except InvalidParameters:
        return None


def _limits(reader: Reader, rack: Rack | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the limits that were given, at what is allowed: what devices must say depends on no more than that."""
    rows, said = (value if isinstance(value := reader.data.get(name), Mapping) else {} for name in ("rows", "rack"))
    is_weighed = said.get("max_kg") is not None or None not in (said.get("floor_max_kg_m2"), said.get("footprint_m2"))
    names = ("rack_power_max_kw", "rack_weight_max_kg", "rack_airflow_max_m3_h", "site_power_max_kw")
    return {
        **{name: Decimal(1) for name in names if reader.data.get(name) is not None},
        "basis": given["basis"],
        "rows": RowLimits(power_max_kw=None if rows.get("power_max_kw") is None else Decimal(1)),
        "rack": rack or Rack(max_kg=Decimal(1) if is_weighed else None),
    }


def _at_its_line(reader: Reader, problem: Problem) -> Problem:
    """Return a problem with a device of each rack at the first line that names it."""
    rows = reader.data["each_rack"]
    line = next(n for n, row in enumerate(rows) if isinstance(row, Mapping) and row.get("device") == problem.field)
    return Problem(f"each_rack[{line}].device", problem.code, problem.message)


def _read_candidates(reader: Reader, devices: Mapping[str, Device]) -> tuple[Candidate, ...]:
    given = reader.data.get("devices")
    if given is None or given == []:
        reader.refuse("devices", "required", "devices is empty; a plan needs one to choose from.")
        return ()
    if not isinstance(given, list | tuple):
        reader.refuse("devices", "wrong_type", "devices must be a list of {device, price, available}.")
        return ()
    if len(given) > CANDIDATES_MAX:
        reader.refuse("devices", "too_many", f"devices has {len(given)} entries; {CANDIDATES_MAX} is the most.")
        return ()
    found = []
    for index, each in enumerate(given):
        part = Reader(each, f"devices[{index}]", ("device", "price", "available"), reader.problems)
        if not isinstance(each, Mapping):
            continue
        device, price, available = read_device(part, devices), part.number("price"), part.whole("available")
        made = part.build(lambda: Candidate(device or _STAND_IN.device, price, available))  # noqa: B023 - it is called at once
        if device is not None and made is not None:
            found.append(made)
    return tuple(found)


def _read_rows(reader: Reader) -> RowLimits:
    data = reader.data.get("rows")
    if data is None:
        return RowLimits()
    part = Reader(data, "rows", ("count", "racks_max", "power_max_kw"), reader.problems)
    count, racks_max, power = part.whole("count"), part.whole("racks_max"), part.number("power_max_kw")
    return part.build(lambda: RowLimits(count, racks_max, power)) or RowLimits()

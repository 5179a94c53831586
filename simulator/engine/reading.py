"""Reads the input of a rack from plain data, strictly: what is unknown, missing or of the wrong type is named.

All problems of an input are found before the first is raised, each with its path (`items[0].quantity`). Its numbers
are read as they are declared; by hand is read what names a record of the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulator.engine.cooling import CoolingLimits
from simulator.engine.devices import QUANTITY, Device, Line
from simulator.engine.errors import Problem, raise_for
from simulator.engine.inputs import LINES_MAX, Rack, RackInput
from simulator.engine.layers import Asked, Span, many_ranges
from simulator.engine.parameters import declared
from simulator.engine.reader import Reader, is_text, short
from simulator.engine.reading_layers import read_value, refused_ends

_STAND_IN = Line(Device("device"), 1)
_LINE = declared(Line)


def read_rack_input(
    data: object, *, devices: Mapping[str, Device], racks: Mapping[str, Rack] | None = None
) -> RackInput:
    """Return the rack that `data` asks about, at its typical values: `read_rack_asked` without the ranges."""
    given: RackInput = read_rack_asked(data, devices=devices, racks=racks).input
    return given


def read_rack_asked(data: object, *, devices: Mapping[str, Device], racks: Mapping[str, Rack] | None = None) -> Asked:
    """Return the rack that `data` asks about; `devices` and `racks` hold what its slugs may name.

    A number may be a range of low, typical and high: `run_asked(RACK, …)` then gives those of each quantity. A rack
    that names a `type` takes from it what `data` leaves out. Raises InvalidParameters with every problem; codes:
    unknown_key, required, wrong_type, not_a_choice, out_of_range, too_many, conflict, unknown_device and
    unknown_rack_type.
    """
    problems: list[Problem] = []
    spans: dict[str, Span] = {}
    parameters = declared(RackInput)
    reader = Reader(data, "", tuple(parameters), problems, spans)
    items = read_items(reader, devices)
    rack = read_rack(reader, racks or {})
    # What was refused is None, or its default: what else is wrong belongs into the same answer.
    plain = {name: each for name, each in parameters.items() if name not in ("items", "rack")}
    given = {name: read_value(reader, name, *each) for name, each in plain.items()}
    given["limits"] = given["limits"] or CoolingLimits()
    made = reader.build(lambda: RackInput(items=items or (_STAND_IN,), rack=rack or Rack(), **given))
    if made is not None and not problems:
        problems += refused_ends(made, spans)
    problems += many_ranges(spans)
    raise_for(problems)
    return Asked(made, spans)


def named_slugs(data: object, lists: Sequence[str] = ("items",)) -> tuple[list[str], str | None]:
    """Return the device slugs and the rack type that `data` names, as far as it can be read: what to look up first.

    Devices are looked for in the members `lists`. At most as many as an input may have lines, and only texts that are
    read as slugs; never raises.
    """
    if not isinstance(data, Mapping):
        return [], None
    rack = data.get("rack")
    slugs = [
        item["device"]
        for items in (data.get(name) for name in lists)
        for item in (items[:LINES_MAX] if isinstance(items, list | tuple) else ())
        if isinstance(item, Mapping) and is_text(item.get("device"))
    ]
    kind = rack.get("type") if isinstance(rack, Mapping) else None
    return list(dict.fromkeys(slugs)), kind if is_text(kind) else None


def read_items(
    reader: Reader, devices: Mapping[str, Device], name: str = "items", *, required: bool = True
) -> tuple[Line, ...]:
    """Return the lines of devices in the member `name`."""
    items = reader.data.get(name)
    if items is None or items == []:
        if required:
            reader.refuse(name, "required", f"{name} is empty; a rack needs at least one device.")
        return ()
    if not isinstance(items, list | tuple):
        reader.refuse(name, "wrong_type", f"{name} must be a list of {{device, quantity}}.")
        return ()
    if len(items) > LINES_MAX:
        reader.refuse(name, "too_many", f"{name} has {len(items)} lines; {LINES_MAX} is the most.")
        return ()
    lines = []
    for index, item in enumerate(items):
        line = Reader(item, f"{name}[{index}]", tuple(_LINE), reader.problems, reader.spans)
        if not isinstance(item, Mapping):
            continue
        device = read_device(line, devices)
        quantity = read_value(line, "quantity", *_LINE["quantity"])
        if isinstance(quantity, int) and (problem := QUANTITY.problem("quantity", quantity)):
            line.refuse("quantity", problem.code, problem.message)
        elif device is not None and isinstance(quantity, int) and not line.refused:
            lines.append(Line(device, quantity))
    return tuple(lines)


def read_device(reader: Reader, devices: Mapping[str, Device]) -> Device | None:
    """Return the device that the member `device` names."""
    slug = reader.text("device", required=True)
    device = devices.get(slug) if isinstance(slug, str) else None
    if isinstance(slug, str) and device is None:
        reader.refuse("device", "unknown_device", f"There is no device {short(slug)} in the catalogue.")
    return device


def read_rack(reader: Reader, racks: Mapping[str, Rack]) -> Rack | None:
    """Return the cabinet of the member `rack`; what it leaves out is that of its type."""
    data = reader.data.get("rack")
    if data is None:
        return Rack()
    parameters = declared(Rack)
    part = Reader(data, "rack", tuple(parameters), reader.problems, reader.spans)
    kind = part.text("type")
    known = Rack()
    if isinstance(kind, str):
        if kind in racks:
            known = racks[kind]
        else:
            part.refuse("type", "unknown_rack_type", f"There is no rack type {short(kind)} in the catalogue.")
    values = {
        name: read_value(part, name, parameter, getattr(known, name))
        for name, (parameter, _) in parameters.items()
        if name != "type"
    }
    return part.build(lambda: Rack(type=kind, **values))

"""Values that a layer reports by their own names, of rows whose inputs are parameters of that layer by theirs.

Asked last, and nothing is guessed: every input of the row must be a parameter, what the layer requires must be there,
and where two layers fit they must agree. Parameters of a part are found by their last names, or by their path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from simulator.engine.devices import Device, Line
from simulator.engine.errors import InvalidParameters
from simulator.engine.inputs import RackInput
from simulator.engine.layer_list import LAYERS
from simulator.engine.layers import Layer
from simulator.engine.parameters import Parameter, declared
from simulator.engine.rack import RACK
from simulator.engine.reading import read_rack_input
from simulator.engine.reading_layers import read_layer
from simulator.engine.trace import quantities
from simulator.engine.validation.answers import UNANSWERED, Inputs, answers_after_all, asked_of_all
from simulator.engine.validation.spelling import ALIASES, MISSING, converted, in_other_units, split

Path = tuple[str, ...]

_LIST = "[0]"
"""In a path: the one entry of a list, which a row gives by the names of its members."""
_COMPOUND = re.compile(r"(\w+_k|\w+_kw)_(w|k)")
"""Units of two parts that `spelling` does not read: kelvin a watt, kilowatts a kelvin."""
_SAME_WORDS = (
    "nodes", "gpus", "gpus_per_node", "nodes_per_rack", "planes", "interval_s", "job_mttf_h", "usd_per_kwh",
    "wue_l_per_kwh", "parameters_billion", "power_factor",
)  # fmt: skip
"""Parameters whose other spellings in tables mean nothing else."""
_WORDS = {
    "write_s": "checkpoint_write_s",
    "switch_ports": "switch_radix_ports",
    "switch_port_gbps": "port_gbps",
    "grid_g_per_kwh": "g_per_kwh",
    "blocking_fraction": "fraction_blocking",
    "heat_to_liquid_fraction": "liquid_fraction",
}
_RACK_POWER = ("rack_power_kw", "rack_kw", "rack_load_kw", "rack_heat_kw", "power_nameplate_kw", "nameplate_kw")
_CHOSEN = ("interval_s", "basis")
"""What a layer takes for itself where nothing is said: no value of a row."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where an input of a row belongs; `unit` is a name that ends in the unit wanted there, "" if it has none."""

    path: Path
    parameter: Parameter
    unit: str
    is_own: bool


def _parameters(of: type[Any], path: Path = ()) -> Iterator[tuple[Path, Parameter]]:
    for name, (parameter, _) in declared(of).items():
        if of is RackInput and name == "items":
            continue
        if parameter.kind == "part" and parameter.part is not None:
            yield from _parameters(parameter.part, (*path, name))
        elif parameter.kind == "parts" and parameter.part is not None:
            yield from _parameters(parameter.part, (*path, name, _LIST))
        else:
            yield (*path, name), parameter


def _device() -> Iterator[tuple[Path, Parameter]]:
    """Give the members of the one device of a rack, and how many of it there are."""
    for each in fields(Device):
        if "Decimal" in str(each.type):
            yield ("items", _LIST, each.name), Parameter("number")
        elif each.name in ("is_whole_rack", "has_cold_plates"):
            yield ("items", _LIST, each.name), Parameter("flag")
    yield ("items", _LIST, "quantity"), declared(Line)["quantity"][0]


def _words(path: Path) -> Iterator[tuple[str, str]]:
    """Give the names that a row may have for a parameter, each with one that ends in the unit wanted, or ""."""
    last = path[-1]
    if len(path) > 1:
        steps = [step for step in path if step != _LIST]
        yield from ((mark.join(steps), "") for mark in ("_", ".", "__"))
    if match := _COMPOUND.fullmatch(last):
        yield from ((name, "") for name in (last, f"{match.group(1)}_per_{match.group(2)}"))
        return
    words = (last, *ALIASES.get(_WORDS.get(last, last if last in _SAME_WORDS else ""), ()))
    for word in dict.fromkeys(words):
        yield word, word if split(word) else ""
    if last == "power_nameplate_w":
        yield from ((word, f"{word.removesuffix('_kw')}_w") for word in _RACK_POWER)


@cache
def _slots(layer: str) -> Mapping[str, tuple[_Slot, ...]]:
    """Return where the inputs of a row belong in a layer, by each of their names in one unit."""
    of = RACK.input_type if layer == "rack" else LAYERS[layer].input_type
    found: dict[str, list[_Slot]] = {}
    for path, parameter in (*_parameters(of), *(_device() if layer == "rack" else ())):
        for name, unit in _words(path):
            slot = _Slot(path, parameter, unit, name == path[-1] or name.endswith(f".{path[-1]}"))
            if all(known.path != path for known in found.setdefault(name, [])):
                found[name].append(slot)
    return {name: tuple(slots) for name, slots in found.items()}


def _known(layer: str, name: str) -> tuple[_Slot, ...]:
    """Return where an input of a row may belong, given in any unit."""
    slots = _slots(layer)
    if name in slots:
        return slots[name]
    found = [slot for other, _ in in_other_units(name) for slot in slots.get(other, ()) if slot.unit]
    return tuple({slot.path: replace(slot, is_own=False) for slot in found}.values())


def _slot(slots: tuple[_Slot, ...], parts: frozenset[Path] | None = None) -> _Slot | None:
    """Return the one place of an input: that of its own name before others, and an outer before an inner one.

    Of several as near it is the one in a part that the row speaks of otherwise, if that is one.
    """
    own = [slot for slot in slots if slot.is_own] or list(slots)
    least = min((len(slot.path) for slot in own), default=0)
    nearest = [slot for slot in own if len(slot.path) == least]
    if parts is not None and len(nearest) > 1:
        nearest = [slot for slot in nearest if slot.path[:-1] in parts]
    return nearest[0] if len(nearest) == 1 else None


def _value(slot: _Slot, name: str, value: Any) -> Any:
    """Return an input as the layer reads it; MISSING where it is of another kind."""
    kind = slot.parameter.kind
    if kind in ("number", "whole"):
        if not isinstance(value, Decimal):
            return MISSING
        if not slot.unit or slot.unit == name:
            return value
        return converted(value, dict(in_other_units(slot.unit))[name])
    if kind == "flag":
        return value if isinstance(value, bool) else MISSING
    if kind == "choice" and isinstance(value, str):
        lower = value.strip().lower()
        return lower if lower in slot.parameter.choices else MISSING
    return value if kind == "text" and isinstance(value, str) else MISSING


def _of_feeds(row: Mapping[str, Any], known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with the voltage that its name says to be of a line or a phase as a layer has the two."""
    for name in row:
        meant, _, rest = name.partition("_")
        if meant in ("line", "phase") and rest in ("voltage_v", "voltage_kv"):
            said = ("voltage_is", meant) if "voltage_is" in known else ("line", meant == "line")
            return {**{key: value for key, value in row.items() if key != name}, rest: row[name], said[0]: said[1]}
    return row


def _data(layer: str, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the input of a layer, nested by path; None where an input of the row is none of its parameters."""
    data, taken = dict[str, Any](), set[Path]()
    row = _of_feeds(row, _slots(layer))
    known: dict[str, tuple[_Slot, ...]] = {}
    for name in row:
        known[name] = _known(layer, name)
        if not known[name]:
            return None
    sure = (_slot(slots) for slots in known.values())
    parts = frozenset(slot.path[:-1] for slot in sure if slot is not None)
    for name, slots in known.items():
        slot = _slot(slots, parts)
        value = MISSING if slot is None else _value(slot, name, row[name])
        if slot is None or value is MISSING or slot.path in taken:
            return None
        taken.add(slot.path)
        place = data
        for step in slot.path[:-1]:
            place = place.setdefault(step, {})
        place[slot.path[-1]] = value
    return data


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return it as a layer reads it, with a name for the one entry of a list: a row says none."""
    found = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            value = [{"name": key, **value[_LIST]}] if _LIST in value else _plain(value)
        found[key] = value
    return found


def _report(layer: Layer, row: Mapping[str, Any]) -> Any:
    """Return the report of a layer on a row; None where it does not fit, or the layer refuses it."""
    data = _data(layer.name, row)
    if not data:
        return None
    try:
        if layer.name != "rack":
            return layer.run(read_layer(layer, _plain(data)).input)
        line = data.pop("items", {}).get(_LIST, {})
        if not line:
            return None
        items = [{"device": "device", "quantity": line.pop("quantity", 1)}]
        device = Device("device", **line)
        return layer.run(read_rack_input({**_plain(data), "items": items}, devices={"device": device}))
    except InvalidParameters:
        return None


def _told(report: Any, name: str) -> list[Any]:
    """Return what a report and its trace say of a quantity."""
    parts = [report, *(part for part in (getattr(report, each.name) for each in fields(report)) if is_dataclass(part))]
    found = [getattr(part, name) for part in parts if any(each.name == name for each in fields(part))]
    found += [entry.value for entry in report.trace if entry.quantity == name]
    return [Decimal(each) if type(each) is int else each for each in found if isinstance(each, Decimal | int)]


_REPORTED = frozenset(quantities()) | {"throttles", "survives_outage", "ok", "fits", "tiers", "rows_used", "used_u"}
"""The names of all that reports tell: what is none of these is asked of no layer."""
asked_of_all(*_REPORTED)


def of_layers(name: str, row: Mapping[str, Any]) -> Any:
    """Return what the one layer says of `name` whose parameters all inputs of a row are; several must say the same."""
    if name not in _REPORTED or name in _CHOSEN or name in row or not row:
        return UNANSWERED
    said: dict[Any, None] = {}
    for layer in (RACK, *LAYERS.values()):
        report = _report(layer, row)
        # What is told as true or false is 1 or 0 in a trace.
        said.update(dict.fromkeys([] if report is None else _told(report, name)))
    return next(iter(said)) if len(said) == 1 else UNANSWERED


@answers_after_all(r"(\w+?)(?:_bool)?")
def of_a_layer(inputs: Inputs, name: str) -> Any:
    found = of_layers(name, inputs.given)
    if found is not UNANSWERED:
        inputs.read |= set(inputs)
    return found

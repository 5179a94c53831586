"""Reads the input of a rack from plain data, strictly: what is unknown, missing or of the wrong type is named.

All problems of an input are found before the first is raised, each with its path (`items[0].quantity`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, TypeVar

from simulator.engine.coolant import COOLANTS
from simulator.engine.cooling import CoolingLimits
from simulator.engine.devices import QUANTITY, Device, Line
from simulator.engine.door import RearDoor
from simulator.engine.electrical import REDUNDANCIES, Feed
from simulator.engine.errors import InvalidParameters, Problem, raise_for
from simulator.engine.inputs import LINES_MAX, Rack, RackInput
from simulator.engine.layers import Asked, Span, replaced
from simulator.engine.numbers import Range, as_decimal
from simulator.engine.power import BASES

T = TypeVar("T")

_STAND_IN = Line(Device("device"), 1)
_INPUT = {each.name: each.default for each in fields(RackInput)}
_FEED = {each.name: each.default for each in fields(Feed)}
_LONGEST_ECHO = 40
_SPAN = ("low", "typical", "high")

RACK_KEYS = ("units", "type", "footprint_m2", "tare_kg", "max_kg", "floor_max_kg_m2")
DOOR_KEYS = ("conductance_kw_k", "water_in_c", "water_l_min", "dew_point_c")
FEED_KEYS = (
    "voltage_v",
    "line",
    "phases",
    "breaker_a",
    "continuous_fraction",
    "power_factor",
    "redundancy",
    "count",
)
LIMIT_KEYS = ("rear_door_max_kw", "direct_to_chip_max_kw", "immersion_max_kw", "air_class")
INPUT_KEYS = (
    "items",
    "rack",
    "basis",
    "inlet_c",
    "altitude_m",
    "air_rise_k",
    "airflow_available_m3_h",
    "coolant",
    "coolant_rise_k",
    "coolant_supply_c",
    "feed",
    "limits",
    "door",
)


class Reader:
    """Reads the members of one object; problems go to a list that all readers of an input share."""

    def __init__(
        self,
        data: object,
        path: str,
        known: tuple[str, ...],
        problems: list[Problem],
        spans: dict[str, Span] | None = None,
    ) -> None:
        self.path = path
        self.problems = problems
        self.spans = spans
        self.refused = False
        self.data: Mapping[str, Any] = {}
        if not isinstance(data, Mapping):
            self.refuse("", "wrong_type", f"{path or 'The input'} must be an object.")
            return
        self.data = data
        for key in data:
            if key not in known:
                near = get_close_matches(str(key), known, n=1)
                hint = f" Did you mean {near[0]}?" if near else f" It has {', '.join(known)}."
                self.refuse(_short(key), "unknown_key", f"{_short(key)} is not known here.{hint}")

    def refuse(self, name: str, code: str, message: str) -> None:
        self.refused = True
        self.problems.append(Problem(joined(self.path, name), code, message))

    def get(self, name: str, read: Callable[[Any], T], what: str, default: Any, *, required: bool = False) -> Any:
        """Return the member `name` as `read` makes it of the data; null counts as left out.

        What is refused gives `default`, a value that is allowed, so that everything else is still judged.
        """
        value = self.data.get(name)
        if value is None:
            if required:
                self.refuse(name, "required", f"{name} is missing.")
            return default
        try:
            return read(value)
        except (TypeError, ValueError, ArithmeticError):
            self.refuse(name, "wrong_type", f"{name} must be {what}.")
            return default

    def number(self, name: str, default: Any = None, *, required: bool = False) -> Any:
        """Return a number; of a range, where this input may hold some, its typical value."""
        given = self.data.get(name)
        if self.spans is not None and isinstance(given, Mapping):
            return self.span(name, given, as_decimal, default)
        return self.get(name, as_decimal, "a number", default, required=required)

    def span(
        self,
        name: str,
        given: Mapping[str, Any],
        read: Callable[[Any], Any],
        default: Any,
        allowed: Range | None = None,
    ) -> Any:
        """Keep the range that stands for a number, and return its typical value."""
        path = joined(self.path, name)
        inner = Reader(given, path, _SPAN, self.problems)
        ends = [inner.get(end, read, "a number", None, required=True) for end in _SPAN]
        if inner.refused:
            return default
        span = inner.build(lambda: Span(*(Decimal(end) for end in ends)))
        if span is None:
            return default
        refused = [problem for end in _SPAN if allowed and (problem := allowed.problem(end, getattr(span, end)))]
        self.problems += [problem.under(path) for problem in refused]
        if refused or self.spans is None:
            return default
        self.spans[path] = span
        return ends[1]

    def whole(self, name: str, default: Any = None, *, required: bool = False) -> Any:
        return self.get(name, read_whole, "a whole number", default, required=required)

    def text(self, name: str, default: Any = None, *, required: bool = False) -> Any:
        return self.get(
            name,
            read_text,
            "a text of 1 to 200 characters, without NUL and lone surrogates",
            default,
            required=required,
        )

    def choice(self, name: str, choices: tuple[str, ...], default: Any) -> Any:
        value = self.text(name, default)
        if value not in choices and value is not None:
            self.refuse(name, "not_a_choice", f"{name} is {_short(value)}; choose one of {', '.join(choices)}.")
            return default
        return value

    def build(self, make: Callable[[], T]) -> T | None:
        """Return what `make` makes; what it refuses is kept with the path."""
        try:
            return make()
        except InvalidParameters as error:
            self.problems += [problem.under(self.path) for problem in error.problems]
            return None


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
    reader = Reader(data, "", INPUT_KEYS, problems, spans)
    items = read_items(reader, devices)
    rack = read_rack(reader, racks or {})
    feed = _read_feed(reader)
    limits = _read_limits(reader)
    door = _read_door(reader)
    given = {
        name: reader.number(name, default)
        for name, default in (
            ("inlet_c", _INPUT["inlet_c"]),
            ("altitude_m", _INPUT["altitude_m"]),
            ("air_rise_k", _INPUT["air_rise_k"]),
            ("airflow_available_m3_h", None),
            ("coolant_rise_k", _INPUT["coolant_rise_k"]),
            ("coolant_supply_c", None),
        )
    }
    basis = reader.choice("basis", BASES, "nameplate")
    coolant = reader.choice("coolant", tuple(COOLANTS), "pg25")
    # Also where something was refused, with the default in its place: what else is wrong belongs into the same answer.
    made = reader.build(
        lambda: RackInput(
            items=items or (_STAND_IN,),
            rack=rack or Rack(),
            basis=basis,
            coolant=coolant,
            feed=feed,
            limits=limits or CoolingLimits(),
            door=door,
            **given,
        )
    )
    if made is not None and not problems:
        problems += refused_ends(made, spans)
    raise_for(problems)
    return Asked(made, spans)


def refused_ends(given: Any, spans: Mapping[str, Span]) -> list[Problem]:
    """Return why an end of a range is refused, each by itself: the typical values have been judged together."""
    found: dict[tuple[str, str, str], Problem] = {}
    for path, span in spans.items():
        for value in (span.low, span.high):
            try:
                replaced(given, path, value)
            except InvalidParameters as error:
                for problem in error.problems:
                    found[path, problem.code, problem.message] = Problem(path, problem.code, problem.message)
    return list(found.values())


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
        line = Reader(item, f"{name}[{index}]", ("device", "quantity"), reader.problems)
        if not isinstance(item, Mapping):
            continue
        device = read_device(line, devices)
        quantity = line.whole("quantity", required=True)
        if isinstance(quantity, int) and (problem := QUANTITY.problem("quantity", as_decimal(quantity))):
            line.refuse("quantity", problem.code, problem.message)
        elif device is not None and isinstance(quantity, int) and not line.refused:
            lines.append(Line(device, quantity))
    return tuple(lines)


def read_device(reader: Reader, devices: Mapping[str, Device]) -> Device | None:
    """Return the device that the member `device` names."""
    slug = reader.text("device", required=True)
    device = devices.get(slug) if isinstance(slug, str) else None
    if isinstance(slug, str) and device is None:
        reader.refuse("device", "unknown_device", f"There is no device {_short(slug)} in the catalogue.")
    return device


def read_rack(reader: Reader, racks: Mapping[str, Rack]) -> Rack | None:
    """Return the cabinet of the member `rack`; what it leaves out is that of its type."""
    data = reader.data.get("rack")
    if data is None:
        return Rack()
    part = Reader(data, "rack", RACK_KEYS, reader.problems, reader.spans)
    kind = part.text("type")
    known = Rack()
    if isinstance(kind, str):
        if kind in racks:
            known = racks[kind]
        else:
            part.refuse("type", "unknown_rack_type", f"There is no rack type {_short(kind)} in the catalogue.")
    values = {name: part.number(name, getattr(known, name)) for name in RACK_KEYS[2:]}
    units = part.whole("units", known.units)
    return part.build(lambda: Rack(units=units, type=kind, **values))


def _read_feed(reader: Reader) -> Feed | None:
    data = reader.data.get("feed")
    if data is None:
        return None
    part = Reader(data, "feed", FEED_KEYS, reader.problems, reader.spans)
    if not isinstance(data, Mapping):
        return None
    values = {
        "voltage_v": part.number("voltage_v", Decimal(1), required=True),
        "phases": part.whole("phases", 1, required=True),
        "breaker_a": part.number("breaker_a", Decimal(1), required=True),
        "line": part.get("line", read_boolean, "true or false", True),
        "continuous_fraction": part.number("continuous_fraction", _FEED["continuous_fraction"]),
        "power_factor": part.number("power_factor", _FEED["power_factor"]),
        "redundancy": part.choice("redundancy", REDUNDANCIES, "none"),
        "count": part.whole("count"),
    }
    return part.build(lambda: Feed(**values))


def _read_limits(reader: Reader) -> CoolingLimits | None:
    data = reader.data.get("limits")
    if data is None:
        return CoolingLimits()
    part = Reader(data, "limits", LIMIT_KEYS, reader.problems, reader.spans)
    default = CoolingLimits()
    values = {name: part.number(name, getattr(default, name)) for name in LIMIT_KEYS[:3]}
    values["air_class"] = part.text("air_class", default.air_class)
    return part.build(lambda: CoolingLimits(**values))


def _read_door(reader: Reader) -> RearDoor | None:
    data = reader.data.get("door")
    if data is None:
        return None
    part = Reader(data, "door", DOOR_KEYS, reader.problems, reader.spans)
    if not isinstance(data, Mapping):
        return None
    values = {name: part.number(name, Decimal(20), required=True) for name in DOOR_KEYS[:3]}
    return part.build(lambda: RearDoor(**values, dew_point_c=part.number("dew_point_c")))


def read_whole(value: Any) -> int:
    number = as_decimal(value)
    if number != number.to_integral_value() or abs(number) > 10**9:
        raise ValueError(value)
    return int(number)


def read_boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def read_text(value: Any) -> str:
    if not is_text(value):
        raise TypeError(value)
    return str(value)


def is_text(value: Any) -> bool:
    """Return whether `value` is a text that databases and answers can hold: no NUL, no half of a surrogate pair."""
    return isinstance(value, str) and 0 < len(value) <= 200 and "\x00" not in value and _printable(value) == value


def _printable(text: str) -> str:
    """Return the text with what UTF-8 cannot hold escaped, so that an answer can say it back."""
    return text.encode("utf-8", "backslashreplace").decode()


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def _short(value: object) -> str:
    """Return a text of the input short enough to be said back."""
    text = _printable(str(value))
    return text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "…"

"""What the input of each kind may hold, for people: each parameter by its path, as the engine declares it."""

import typing
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from decimal import Decimal
from types import UnionType
from typing import Any, Union

from simulator.engine.inputs import RackInput
from simulator.engine.layer_list import LAYERS
from simulator.engine.numbers import plain
from simulator.engine.parameters import Parameter, declared


@dataclass(frozen=True, slots=True)
class Described:
    """One parameter: its path (`racks[].count`), what it takes, and what stands for it where it is left out."""

    path: str
    takes: str
    default: str
    about: str = ""


def described(kind: str) -> list[Described]:
    """Return what the input of a kind may hold, in the order in which it is declared."""
    return list(_of_rack(RackInput, "") if kind == "rack" else _of_layer(LAYERS[kind].input_type, ""))


def _of_layer(of: type[Any], path: str) -> Iterator[Described]:
    for name, (parameter, default) in declared(of).items():
        here = f"{path}{name}"
        if parameter.part is not None:
            many = parameter.kind == "parts"
            takes = f"up to {parameter.most} entries" if many else "an object"
            yield Described(here, takes, "required" if parameter.is_required else "none", parameter.about)
            yield from _of_layer(parameter.part, f"{here}[]." if many else f"{here}.")
        else:
            yield Described(here, _takes(parameter), _default(default, parameter.is_required), parameter.about)


def _takes(parameter: Parameter) -> str:
    if parameter.choices:
        return " or ".join(parameter.choices)
    words = {"number": "a number", "whole": "a whole number", "flag": "true or false", "numbers": "numbers"}
    said = words.get(parameter.kind, "text")
    bounds = "" if parameter.allowed is None else str(parameter.allowed)
    return f"{said}, {bounds}" if bounds else said


def _default(default: Any, is_required: bool) -> str:
    if is_required:
        return "required"
    if default is None:
        return "unknown"
    if isinstance(default, bool):
        return "true" if default else "false"
    return str(plain(default)) if isinstance(default, Decimal) else str(default)


def _of_rack(of: type[Any], path: str) -> Iterator[Described]:
    """The rack has an older form of declaration: its dataclasses say names, types and defaults."""
    hints = typing.get_type_hints(of)
    for each in fields(of):
        if (path, each.name) == ("", "items"):
            yield Described("items", "devices of the catalogue", "required")
            yield Described("items[].device", "slug of a device", "required")
            yield Described("items[].quantity", "a whole number", "required")
            continue
        part = _part(hints[each.name])
        if part is not None:
            yield Described(f"{path}{each.name}", "an object", "none")
            yield from _of_rack(part, f"{path}{each.name}.")
        else:
            yield Described(f"{path}{each.name}", _type_in_words(hints[each.name]), _field_default(each))


def _part(hint: Any) -> type[Any] | None:
    options = typing.get_args(hint) if typing.get_origin(hint) in (Union, UnionType) else (hint,)
    return next((each for each in options if isinstance(each, type) and is_dataclass(each)), None)


def _type_in_words(hint: Any) -> str:
    options = typing.get_args(hint) or (hint,)
    words = {Decimal: "a number", int: "a whole number", bool: "true or false", str: "text"}
    return next((words[each] for each in options if each in words), "text")


def _field_default(each: "Field[Any]") -> str:
    if each.default is MISSING:
        return "required"
    return _default(each.default, is_required=False)

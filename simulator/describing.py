"""What the input of each kind may hold, for people: each parameter by its path, as the engine declares it."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from simulator.engine import LAYERS, RACK
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
    layer = RACK if kind == "rack" else LAYERS[kind]
    return list(_described(layer.input_type, ""))


def _described(of: type[Any], path: str) -> Iterator[Described]:
    for name, (parameter, default) in declared(of).items():
        here = f"{path}{name}"
        if parameter.part is not None:
            many = parameter.kind == "parts"
            takes = f"up to {parameter.most} entries" if many else "an object"
            yield Described(here, takes, "required" if parameter.is_required else "none", parameter.about)
            yield from _described(parameter.part, f"{here}[]." if many else f"{here}.")
        else:
            yield Described(here, _takes(parameter), _default(default, parameter.is_required), parameter.about)


def _takes(parameter: Parameter) -> str:
    if parameter.choices:
        return " or ".join(map(str, parameter.choices))
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

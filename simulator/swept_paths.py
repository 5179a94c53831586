"""Paths of an input (`racks[0].count`): what is declared there, and how a value is put there and found again."""

import re
from collections.abc import Iterator
from typing import Any

from simulator.engine import LAYERS, RACK
from simulator.engine.parameters import Parameter, declared


def parameter_at(layer: str, path: str) -> Parameter | None:
    """Return what is declared at a path of a layer's input, if anything is."""
    of: Any = (RACK if layer == "rack" else LAYERS[layer]).input_type
    found = None
    for step in _steps(path) or ():
        if isinstance(step, int):
            continue
        known = declared(of) if of else {}
        if step not in known:
            return None
        found = known[step][0]
        of = found.part
    return found


def number_paths(layer: str) -> list[str]:
    """Return the paths of all numbers that a layer takes; of those in a list, of its first entry."""
    return list(_numbers((RACK if layer == "rack" else LAYERS[layer]).input_type, ""))


def _numbers(of: Any, before: str) -> Iterator[str]:
    for name, (parameter, _) in declared(of).items():
        if parameter.kind in ("number", "whole"):
            yield before + name
        elif parameter.part is not None:
            yield from _numbers(parameter.part, f"{before}{name}{'[0]' if parameter.kind == 'parts' else ''}.")


_STEP = re.compile(r"(\w+)(?:\[(\d{1,4})\])?")


def _steps(path: str) -> list[str | int] | None:
    """Return `racks[0].count` as ["racks", 0, "count"]; None for what is no path."""
    steps: list[str | int] = []
    for part in path.split("."):
        found = _STEP.fullmatch(part)
        if found is None:
            return None
        steps += [found[1]] if found[2] is None else [found[1], int(found[2])]
    return steps


def put(data: Any, path: str, value: Any) -> bool:
    """Put a value at a path of plain data, and return whether there was such a place."""
    steps = _steps(path)
    if steps is None:
        return False
    for step in steps[:-1]:
        is_there = step in data if isinstance(data, dict) else isinstance(data, list) and step in range(len(data))
        if not is_there:
            return False
        data = data[step]
    if not isinstance(data, dict) or not isinstance(steps[-1], str):
        return False
    data[steps[-1]] = value
    return True


def value_at(given: Any, path: str) -> Any:
    for step in _steps(path) or ():
        given = given[step] if isinstance(step, int) else getattr(given, step)
    return given

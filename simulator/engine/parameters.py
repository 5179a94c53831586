"""How a layer declares its input: one line a parameter, which checks it, reads it and describes it.

A parameter that is None is unknown. `check` names every problem of an input at once; `reading_layers` reads plain data
by the same declarations, and an interface can list them with `declared`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from decimal import Decimal
from functools import cache
from typing import Any

from simulator.engine.errors import Problem, raise_for
from simulator.engine.numbers import Range, exact

_KEY = "parameter"


@dataclass(frozen=True, slots=True)
class Parameter:
    """What is known about one field: `kind` is number, whole, choice, text, flag, part, parts or numbers.

    `is_rangeable` says that a range (low, typical, high) may stand for it: one of some choices takes none. `is_stepped`
    is a count by which things are arranged (radix, planes, feeds): what follows from it need not move one way, so each
    whole number of its range is computed.
    """

    kind: str
    about: str = ""
    allowed: Range | None = None
    choices: tuple[str | int, ...] = ()
    part: type[Any] | None = None
    most: int = 1
    is_rangeable: bool = False
    is_stepped: bool = False
    is_required: bool = False


def _declare(parameter: Parameter, default: Any) -> Any:
    if default is ...:
        required = Parameter(**{**_values(parameter), "is_required": True})
        return field(metadata={_KEY: required})
    return field(default=default, metadata={_KEY: parameter})


def _values(parameter: Parameter) -> dict[str, Any]:
    return {each.name: getattr(parameter, each.name) for each in fields(Parameter)}


def number(allowed: Range, default: Any = ..., about: str = "", *, is_rangeable: bool = True) -> Any:
    """Declare a number; without a default it is required, with None it may be unknown."""
    value = Decimal(default) if isinstance(default, int | str) else default
    return _declare(Parameter("number", about, allowed, is_rangeable=is_rangeable), value)


def whole(
    allowed: Range, default: Any = ..., about: str = "", *, is_rangeable: bool = True, is_stepped: bool = True
) -> Any:
    """Declare a whole number; a range of one that is not `is_stepped` is computed at its ends and turns only."""
    return _declare(Parameter("whole", about, allowed, is_rangeable=is_rangeable, is_stepped=is_stepped), default)


def one_of(choices: Sequence[int], default: Any = ..., about: str = "") -> Any:
    """Declare one of some whole numbers."""
    return _declare(Parameter("whole", about, choices=tuple(choices)), default)


def choice(choices: Sequence[str], default: Any = ..., about: str = "") -> Any:
    """Declare one of some words."""
    return _declare(Parameter("choice", about, choices=tuple(choices)), default)


def text(default: Any = ..., about: str = "") -> Any:
    """Declare a name."""
    return _declare(Parameter("text", about), default)


def flag(default: Any = ..., about: str = "") -> Any:
    """Declare a yes or no."""
    return _declare(Parameter("flag", about), default)


def part(of: type[Any], default: Any = None, about: str = "") -> Any:
    """Declare a nested input; None where the layer does without."""
    return _declare(Parameter("part", about, part=of), default)


def parts(of: type[Any], most: int, default: Any = ..., about: str = "") -> Any:
    """Declare a list of nested inputs, at most `most`."""
    return _declare(Parameter("parts", about, part=of, most=most), default)


def declared(of: type[Any]) -> Mapping[str, tuple[Parameter, Any]]:
    """Return the parameters of an input by name, each with its default (None where it is required)."""
    key: Any = of
    return _declared(key)


@cache
def _declared(of: Any) -> Mapping[str, tuple[Parameter, Any]]:
    return {
        each.name: (each.metadata[_KEY], None if each.default is MISSING else each.default)
        for each in fields(of)
        if _KEY in each.metadata
    }


def problem_with(name: str, parameter: Parameter, value: Any) -> Problem | None:
    """Return why one value of a parameter is refused: it is out of range, or none of the choices."""
    if parameter.allowed is not None:
        return parameter.allowed.problem(name, exact(value))
    if parameter.choices and value not in parameter.choices:
        message = f"{name} is {value}; choose one of {', '.join(map(str, parameter.choices))}."
        return Problem(name, "not_a_choice", message)
    return None


def problems_of(given: object) -> list[Problem]:
    """Return what is wrong with the own values of an input; nested ones have been checked when they were made."""
    found = []
    for name, (parameter, _) in declared(type(given)).items():
        value = getattr(given, name)
        if value is None:
            if parameter.is_required:
                found.append(Problem(name, "required", f"{name} is missing."))
        elif problem := problem_with(name, parameter, value):
            found.append(problem)
        elif parameter.kind == "parts":
            if len(value) > parameter.most:
                found.append(Problem(name, "too_many", f"{name} has {len(value)} entries; {parameter.most} is most."))
            elif not value and parameter.is_required:
                found.append(Problem(name, "required", f"{name} is empty; give at least one entry."))
    return found


def check(given: object, *rules: Callable[[], Problem | None]) -> None:
    """Raise InvalidParameters with every problem of `given`; `rules` relate its values, and are asked of sound ones."""
    found = problems_of(given)
    if not found:
        found = [problem for rule in rules if (problem := rule())]
    raise_for(found)

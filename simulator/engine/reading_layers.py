"""Reads the input of any layer from plain data, by its declared parameters: strictly, all problems in one answer.

A number may be a range: `{"low": 40, "typical": 60, "high": 90}`. What is read is the input at typical values, and the
ranges by path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.engine.errors import InvalidParameters, Problem, raise_for
from simulator.engine.layers import Asked, Layer, Span, many_ranges, replaced
from simulator.engine.numbers import as_decimal
from simulator.engine.parameters import Parameter, declared, problem_with
from simulator.engine.reader import Reader, is_text, joined, read_boolean, read_text, read_whole


def read_layer(layer: Layer, data: object) -> Asked:
    """Return what `data` asks of a layer. Raises InvalidParameters with every problem and the path of its field.

    Codes: unknown_key, required, wrong_type, not_a_choice, out_of_range, too_many, conflict, range_not_allowed.
    """
    problems: list[Problem] = []
    spans: dict[str, Span] = {}
    made = _read(layer.input_type, data, "", problems, spans)
    if not problems:
        problems += refused_ends(made, spans)
    problems += many_ranges(spans)
    raise_for(problems)
    return Asked(made, spans)


def refused_ends(given: Any, spans: Mapping[str, Span]) -> list[Problem]:
    """Return why an end of a range is refused, each by itself: the typical values have been judged together."""
    found: dict[tuple[str, str, str], Problem] = {}
    for path, span in spans.items():
        for end in ("low", "high"):
            try:
                replaced(given, path, getattr(span, end))
            except InvalidParameters as error:
                for problem in error.problems:
                    found.setdefault(
                        (path, problem.code, problem.message), Problem(f"{path}.{end}", problem.code, problem.message)
                    )
    return list(found.values())


def _read(of: type[Any], data: object, path: str, problems: list[Problem], spans: dict[str, Span] | None) -> Any:
    parameters = declared(of)
    reader = Reader(data, path, tuple(parameters), problems, spans)
    if not isinstance(data, Mapping):
        return None
    before = len(problems)
    values = {name: read_value(reader, name, *each) for name, each in parameters.items()}
    # What is required and missing or refused has been named; its place must hold something that is allowed.
    if any(value is None and parameters[name][0].is_required for name, value in values.items()):
        _judge_the_rest(of, values, parameters, reader, before)
        return None
    return reader.build(lambda: of(**values))


def _judge_the_rest(
    of: type[Any], values: dict[str, Any], parameters: Mapping[str, tuple[Parameter, Any]], reader: Reader, before: int
) -> None:
    """Name the values out of range also where something else is missing: all problems belong into one answer."""
    named = {problem.field for problem in reader.problems[before:]}
    for name, (parameter, _) in parameters.items():
        value = values[name]
        if value is None or joined(reader.path, name) in named:
            continue
        if problem := problem_with(name, parameter, value):
            reader.problems.append(problem.under(reader.path))


def read_value(reader: Reader, name: str, parameter: Parameter, default: Any) -> Any:
    """Return the member `name` as it is declared; what is left out or refused gives `default`, a refused part None.

    The typical value of a range is returned, and the range kept with the reader, where it takes some.
    """
    given = reader.data.get(name)
    required = parameter.is_required
    if given is None and not required:
        return default
    if parameter.kind == "part":
        if given is None:
            reader.refuse(name, "required", f"{name} is missing.")
            return default
        assert parameter.part is not None
        return _read(parameter.part, given, joined(reader.path, name), reader.problems, reader.spans)
    if parameter.kind == "parts":
        return _parts(reader, name, parameter, default)
    if parameter.kind in ("number", "whole"):
        if isinstance(given, Mapping) and reader.spans is not None:
            return _span(reader, name, parameter, given, default)
        read, what = (as_decimal, "a number") if parameter.kind == "number" else (read_whole, "a whole number")
        if parameter.is_rangeable and reader.spans is not None:
            what += ", or a range with low, typical and high"
        return reader.get(name, read, what, default, required=required, allowed=parameter.allowed)
    if parameter.kind == "flag":
        return reader.get(name, read_boolean, "true or false", default, required=required)
    if parameter.kind == "choice":
        if given is not None and is_text(given) and given not in parameter.choices:
            message = f"{name} is {str(given)[:40]}; choose one of {', '.join(map(str, parameter.choices))}."
            reader.refuse(name, "not_a_choice", message)
            return default
        what = f"one of {', '.join(map(str, parameter.choices))}"
        return reader.get(name, read_text, what, default, required=required)
    return reader.get(name, read_text, "a text of 1 to 200 characters", default, required=required)


def _parts(reader: Reader, name: str, parameter: Parameter, default: Any) -> Any:
    path, given = joined(reader.path, name), reader.data.get(name)
    if given is None or given == []:
        if parameter.is_required:
            reader.refuse(name, "required", f"{name} is empty; give at least one entry.")
        return default
    if not isinstance(given, list | tuple):
        reader.refuse(name, "wrong_type", f"{name} must be a list.")
        return default
    if len(given) > parameter.most:
        reader.refuse(name, "too_many", f"{name} has {len(given)} entries; {parameter.most} is the most.")
        return default
    assert parameter.part is not None
    made = [_read(parameter.part, each, f"{path}[{n}]", reader.problems, reader.spans) for n, each in enumerate(given)]
    return default if any(each is None for each in made) else tuple(made)


def _span(reader: Reader, name: str, parameter: Parameter, given: Mapping[str, Any], default: Any) -> Any:
    if not parameter.is_rangeable:
        message = f"{name} takes one number and no range; ask once for each value."
        reader.refuse(name, "range_not_allowed", message)
        return default
    read = as_decimal if parameter.kind == "number" else read_whole
    return reader.span(name, given, read, default, parameter.allowed, is_stepped=parameter.is_stepped)

"""Types of GraphQL that are read off the engine's own dataclasses, so that the two cannot drift apart.

A report becomes a type with the same names in camelCase; an input is made of its declared parameters. Names are
explicit: a report keeps its own, a part of one has `Simulator` before it.
"""

import re
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any, NewType, Union

import strawberry
from graphql import GraphQLError
from strawberry.scalars import JSON
from strawberry.types.scalar import ScalarDefinition

from simulator.comparing import Beside
from simulator.engine import Feed, Line, Rack
from simulator.engine.cooling import CoolingLimits
from simulator.engine.door import RearDoor
from simulator.engine.layers import QuantityRange as EngineRange
from simulator.engine.notices import Notice
from simulator.engine.outcomes import Answer
from simulator.engine.parameters import Parameter, declared
from simulator.engine.sweeps import SweptQuantity
from simulator.engine.trace import TraceEntry as EngineEntry
from simulator.graphql.paths import as_asked
from simulator.graphql.types import (
    Articles,
    Explained,
    QuantityRange,
    TraceEntry,
    TraceInput,
    as_number,
    explained,
    fill,
)
from simulator.graphql.types import Warning as WarningType


def _as_given(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | dict):
        message = "Give a number, or a range: {low: 40, typical: 60, high: 90}."
        raise GraphQLError(message, extensions={"code": "invalid_argument"})
    return value


NumberOrRange = NewType("NumberOrRange", object)
"""What REST takes for a number: the number, or a range that stands for it."""
NUMBER_OR_RANGE = strawberry.scalar(
    name="NumberOrRange",
    description="A number, or a range that stands for it: {low: 40, typical: 60, high: 90}.",
    parse_value=_as_given,
    serialize=lambda value: value,
)
SCALARS: dict[object, ScalarDefinition] = {NumberOrRange: NUMBER_OR_RANGE}

EXPLAINED: Mapping[type, str] = {SweptQuantity: "quantity", Beside: "quantity"}
"""What an article can explain, by the field that names it."""
_RACK: Mapping[type, str] = {
    Line: "RackItem",
    Rack: "RackCabinet",
    Feed: "RackFeed",
    CoolingLimits: "RackLimits",
    RearDoor: "RackDoor",
}
"""What the parts of a rack are called."""
_SHARED: Mapping[type, type] = {EngineEntry: TraceEntry, Notice: WarningType, EngineRange: QuantityRange}


@cache
def input_type(of: Any, name: str) -> Any:
    """Return the input type of a layer, or of a part of one, called `name`."""
    parameters = declared(of)
    made = types.new_class(name)
    made.__annotations__ = {}
    # What is required comes first: fields with a default follow those without.
    for each, (parameter, default) in sorted(parameters.items(), key=lambda row: not row[1][0].is_required):
        hint = _given_as(parameter)
        description = _about(parameter, default)
        if parameter.is_required:
            made.__annotations__[each] = hint
            setattr(made, each, strawberry.field(description=description))
        else:
            made.__annotations__[each] = hint | None
            setattr(made, each, strawberry.field(default=None, description=description))
    return strawberry.input(made, name=name, description=_first_sentence(of))


def _given_as(parameter: Parameter) -> Any:
    of: Any = parameter.part
    if parameter.kind in ("part", "parts"):
        part: Any = input_type(of, _RACK.get(of) or f"Simulator{of.__name__}Input")
        return part if parameter.kind == "part" else list[part]
    if parameter.kind in ("number", "whole") and not parameter.is_rangeable:
        return float if parameter.kind == "number" else int
    if parameter.kind in ("number", "whole"):
        return NumberOrRange
    if parameter.kind == "numbers":
        return list[float]
    return bool if parameter.kind == "flag" else str


def _about(parameter: Parameter, default: Any) -> str | None:
    said = [parameter.about]
    if parameter.choices:
        said.append(f"One of {', '.join(map(str, parameter.choices))}.")
    if parameter.allowed is not None and (bounds := str(parameter.allowed)):
        said.append(f"{bounds[0].upper()}{bounds[1:]}.")
    if isinstance(default, Decimal | int | str):
        said.append(f"{default} if it is left out.")
    return " ".join(filter(None, said)) or None


def given_data(value: Any) -> Any:
    """Return an input as REST takes it: without what was left out, so that the default stands."""
    if isinstance(value, list):
        return [given_data(each) for each in value]
    if hasattr(value, "__strawberry_definition__"):
        named = {name: given_data(getattr(value, name)) for name in value.__annotations__}
        return {name: each for name, each in named.items() if each is not None}
    return value


@cache
def output_type(of: Any, name: str | None = None) -> Any:
    """Return the type of a report (which is called `name`), or of a part of one."""
    if of in _SHARED:
        return _SHARED[of]
    called = name or f"Simulator{of.__name__}"
    made = types.new_class(called, (Explained,) if of in EXPLAINED else ())
    hints = typing.get_type_hints(of)
    made.__annotations__ = {each.name: _told_as(hints[each.name]) for each in fields(of)}
    return strawberry.type(made, name=called, description=_first_sentence(of))


def _told_as(hint: Any) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint == Answer | None:
        return JSON | None
    if origin in (Union, types.UnionType):
        return _told_as(next(each for each in arguments if each is not type(None))) | None
    if origin is tuple:
        return list[_told_as(arguments[0])]  # type: ignore[misc]
    if isinstance(hint, type) and is_dataclass(hint):
        return output_type(hint)
    # Int of GraphQL ends at 2^31; a Number is any.
    return {int: Decimal, Any: JSON}.get(hint, hint)


def told(of: type, row: Mapping[str, Any], articles: Articles, name: str | None = None) -> Any:
    """Return plain data, which a report of the class `of` gave, as its type."""
    if of is EngineEntry:
        inputs = [fill(TraceInput, each) for each in row["inputs"]]
        return explained(TraceEntry, row, row["quantity"], articles, inputs=inputs)
    if of is Notice:
        return explained(WarningType, row, f"warning:{row['code']}", articles)
    if of is EngineRange:
        return fill(QuantityRange, row)
    hints = typing.get_type_hints(of)
    explained_as = {"explained_as": row[EXPLAINED[of]], "articles": articles} if of in EXPLAINED else {}
    # A report that was stored by an earlier engine may lack what reports have today.
    values = {each.name: _told(hints[each.name], row.get(each.name), articles) for each in fields(of)}
    return output_type(of, name)(**values, **explained_as)


def _told(hint: Any, value: Any, articles: Articles) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if value is None and origin is tuple:
        return []
    if value is None or hint is Any or hint == Answer | None:
        return value
    if origin in (Union, types.UnionType):
        return _told(next(each for each in arguments if each is not type(None)), value, articles)
    if origin is tuple:
        if arguments[0] == float | None:
            return value  # The points of a sweep: tens of thousands.
        return [_told(arguments[0], each, articles) for each in value]
    if isinstance(hint, type) and is_dataclass(hint):
        return told(hint, value, articles)
    return as_number(value)


def _first_sentence(of: type) -> str | None:
    """Return what a class says of itself first, in the words of this surface."""
    found = (of.__doc__ or "").partition("\n")[0].split(" Raises ")[0]
    if found.startswith(f"{of.__name__}("):
        return None  # What a dataclass says where nobody has said anything.
    named = re.sub(r"`(\w+)`", lambda name: f"`{as_asked(name[1])}`", found)
    return re.sub(r"\bNone\b", "null", named) or None

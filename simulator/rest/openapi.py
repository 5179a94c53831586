"""Input and report of a rack as JSON schema, read off the engine's own dataclasses so that they cannot drift apart."""

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from typing import Any, Union

from core.api.openapi import ONE_PROBLEM, shared, shared_schemas
from simulator.comparing import LEAST, MOST, Beside, Comparison
from simulator.drift import Drift
from simulator.engine import Line, Rack, RackInput, RackReport
from simulator.engine.coolant import COOLANTS
from simulator.engine.cooling import METHODS, RULE_OF_THUMB
from simulator.engine.electrical import REDUNDANCIES
from simulator.engine.inputs import LINES_MAX
from simulator.engine.layer_list import LAYER_WARNINGS
from simulator.engine.layers import Layer
from simulator.engine.notices import WARNINGS, Notice
from simulator.engine.numbers import Range, plain
from simulator.engine.outcomes import Answer
from simulator.engine.parameters import Parameter, declared
from simulator.engine.power import BASES
from simulator.engine.report import CoolingMethod
from simulator.engine.sweeps import SweptQuantity
from simulator.engine.trace import TraceEntry
from simulator.engine.validation.cases import STATUSES
from simulator.engine.validation.tables import VERDICTS, Compared, Row
from simulator.examples import PLAN_EXAMPLE
from simulator.planning import Candidate, PlanInput, PlanReport, RowLimits
from simulator.planning.inputs import ABOUT, CANDIDATES_MAX, OBJECTIVES, RANGES
from simulator.planning.report import PlannedRack
from simulator.services import QUESTIONS
from simulator.sweeping import SweepInput, SweepReport
from simulator.tables import Totals, Validation

_CHOICES = {
    "basis": BASES,
    "coolant": tuple(COOLANTS),
    "redundancy": REDUNDANCIES,
    "rule_of_thumb": tuple(name for name, _, _ in RULE_OF_THUMB),
    "method": METHODS,
    "code": tuple({**WARNINGS, **LAYER_WARNINGS}),
    "face": ("front", "rear"),
    "objective": OBJECTIVES,
    "verdict": tuple(VERDICTS),
}
_CHOICES_OF: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    PlanReport: {"status": ("optimal", "feasible", "infeasible", "not_found")},
    Row: {"status": STATUSES},
}
_NAMES: Mapping[type, str] = {Row: "ValidationRow", Compared: "ValidationValue", Totals: "ValidationTotals"}
_EXPLAINED = (CoolingMethod, Notice, TraceEntry, SweptQuantity, Beside)
_ARTICLE_ID = {
    "type": ["string", "null"],
    "format": "uuid",
    "description": "The live article that explains it.",
}


RANGE = shared(
    "SimulatorRange",
    {
        "type": "object",
        "description": "Stands for a number: each of the three is within the bounds of that number, and they rise.",
        "required": ["low", "typical", "high"],
        "additionalProperties": False,
        "properties": {end: {"type": "number"} for end in ("low", "typical", "high")},
    },
)


def layer_report_schema(layer: Layer) -> dict[str, Any]:
    """Return the schema of the report of a layer."""
    return _of_class(typing.get_type_hints(layer.run)["return"])


def layer_input_schema(of: type) -> dict[str, Any]:
    """Return the schema of the input of a layer, or of a part of one: as its parameters are declared."""
    parameters = declared(of)
    schema = {
        "type": "object",
        "required": [name for name, (parameter, _) in parameters.items() if parameter.is_required],
        "additionalProperties": False,
        "properties": {name: _declared(parameter, default) for name, (parameter, default) in parameters.items()},
    }
    return shared(f"Simulator{of.__name__}", schema)


def _of_numbers(of: type) -> dict[str, Any]:
    """Return the schema of a part of an input of which each number is one number: no range stands for it."""
    known = {name: (replace(each, is_rangeable=False), default) for name, (each, default) in declared(of).items()}
    return {
        "type": "object",
        "required": [name for name, (parameter, _) in known.items() if parameter.is_required],
        "additionalProperties": False,
        "properties": {name: _declared(parameter, default) for name, (parameter, default) in known.items()},
    }


def _declared(parameter: Parameter, default: Any) -> dict[str, Any]:
    schema = _kind_of(parameter)
    if isinstance(default, Decimal):
        schema["default"] = plain(default)
    elif isinstance(default, str | int):
        schema["default"] = default
    if parameter.about:
        schema["description"] = parameter.about
    return schema if parameter.is_required else _nullable(schema)


def _kind_of(parameter: Parameter) -> dict[str, Any]:
    if parameter.kind in ("part", "parts"):
        assert parameter.part is not None
        part = layer_input_schema(parameter.part)
        if parameter.kind == "part":
            return part
        least = {"minItems": 1} if parameter.is_required else {}
        return {"type": "array", **least, "maxItems": parameter.most, "items": part}
    if parameter.kind == "choice":
        return {"type": "string", "enum": list(parameter.choices)}
    if parameter.kind == "numbers":
        return {"type": "array", "maxItems": parameter.most, "items": {"type": "number"}}
    if parameter.kind in ("number", "whole"):
        one = {"type": "number" if parameter.kind == "number" else "integer", **_bounds(parameter.allowed)}
        if parameter.choices:
            one["enum"] = list(parameter.choices)
        return {"oneOf": [one, RANGE]} if parameter.is_rangeable else one
    return {"type": "boolean" if parameter.kind == "flag" else "string"}


def _bounds(allowed: Range | None) -> dict[str, Any]:
    names = {"low": "minimum", "high": "maximum", "above": "exclusiveMinimum", "below": "exclusiveMaximum"}
    bounds = {} if allowed is None else {word: getattr(allowed, name) for name, word in names.items()}
    return {word: plain(Decimal(bound)) for word, bound in bounds.items() if bound is not None}


def plan_report_schema() -> dict[str, Any]:
    """Return the schema of a plan."""
    return _of_class(PlanReport)


def plan_input_schema() -> dict[str, Any]:
    """Return the schema of what a plan is asked for."""
    candidate = {**_part(Candidate, "device"), "type": "object"}
    candidate["properties"]["device"] = {"type": "string", "description": "Slug of a device of the catalogue."}
    given = {
        each.name: _input_of(each.name, PlanInput)
        for each in fields(PlanInput)
        if each.name not in ("devices", "each_rack", "rack", "rows")
    }
    return {
        "type": "object",
        "required": ["accelerators", "devices"],
        "additionalProperties": False,
        "examples": [PLAN_EXAMPLE],
        "properties": {
            "devices": {"type": "array", "minItems": 1, "maxItems": CANDIDATES_MAX, "items": candidate},
            "each_rack": {
                "type": ["array", "null"],
                "maxItems": LINES_MAX,
                "items": _of_numbers(Line),
                "description": "What stands in every rack, as switches do.",
            },
            "rack": _nullable(_of_numbers(Rack)),
            "rows": _part(RowLimits),
            **given,
        },
    }


def sweep_input_schema() -> dict[str, Any]:
    """Return the schema of what is swept."""
    declared_schema = layer_input_schema(SweepInput)
    whole = shared_schemas()["SimulatorSweepInput"]
    given = {"type": "object", "description": "As the layer takes it, with one number everywhere."}
    return {
        **whole,
        "required": [*whole["required"], "input"],
        "properties": {**whole["properties"], "input": given},
        "description": f"As {declared_schema['$ref'].rsplit('/', 1)[1]}, with the input of the layer.",
    }


def sweep_report_schema() -> dict[str, Any]:
    """Return the schema of a sweep."""
    return _of_class(SweepReport)


def comparison_input_schema() -> dict[str, Any]:
    """Return the schema of what is compared."""
    entry = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "description": "What it is called in the answer."},
            "input": {"type": "object", "description": "As the layer takes it, with one number everywhere."},
            "scenario": {"type": "string", "description": "Slug of a scenario, instead of an input."},
        },
    }
    return {
        "type": "object",
        "required": ["compared"],
        "additionalProperties": False,
        "properties": {
            "layer": {"type": "string", "enum": list(QUESTIONS), "default": "rack"},
            "compared": {"type": "array", "minItems": LEAST, "maxItems": MOST, "items": entry},
        },
    }


def comparison_schema() -> dict[str, Any]:
    """Return the schema of a comparison."""
    return _of_class(Comparison)


_PROGRESS = {
    "type": "object",
    "description": "How far a plan that runs is: the best layout so far and what none can go below, as its objective "
    "counts. Null where nothing is known yet.",
    "required": ["best", "bound", "gap_fraction", "elapsed_s"],
    "properties": {
        **{name: {"type": ["number", "null"]} for name in ("best", "bound", "gap_fraction")},
        "elapsed_s": {"type": "integer"},
    },
}


def run_schema(*reports: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a run; `reports` are those of what it can give."""
    instants = ("created_at", "started_at", "ended_at", "expires_at")
    properties = {
        "id": {"type": "string", "format": "uuid"},
        "kind": {"type": "string"},
        "state": {"type": "string", "enum": ["waiting", "running", "done", "failed", "cancelled"]},
        "ahead_count": {"type": "integer", "description": "How many runs are to be done before it."},
        **{name: {"type": ["string", "null"], "format": "date-time"} for name in instants},
        "engine_version": {"type": "string"},
        "progress": _nullable(shared("SimulatorProgress", _PROGRESS)),
        "report": {"oneOf": [*reports, {"type": "null"}]},
        "errors": {"type": "array", "items": ONE_PROBLEM, "description": "Why it failed."},
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def drift_schema() -> dict[str, Any]:
    """Return the schema of how far a scenario lies behind."""
    return _of_class(Drift)


def validation_schema() -> dict[str, Any]:
    """Return the schema of the published tables beside ours."""
    return _of_class(Validation)


def report_schema() -> dict[str, Any]:
    """Return the schema of a report."""
    return _of_class(RackReport)


def input_schema() -> dict[str, Any]:
    """Return the schema of the input of a rack."""
    return layer_input_schema(RackInput)


def _part(cls: type, *required: str) -> dict[str, Any]:
    return {
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {each.name: _input_of(each.name, cls) for each in fields(cls)},
        **({"required": list(required)} if required else {}),
    }


def _input_of(name: str, cls: type) -> dict[str, Any]:
    hint = typing.get_type_hints(cls)[name]
    schema = _of_type(hint, name)
    default = next(each.default for each in fields(cls) if each.name == name)
    schema |= _bounds(RANGES[cls].get(name))
    if name in ABOUT[cls]:
        schema["description"] = ABOUT[cls][name]
    if isinstance(default, Decimal):
        schema["default"] = plain(default)
    elif isinstance(default, str | int):
        schema["default"] = default
    return schema


def _of_class(cls: type) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    properties = {each.name: _of_type(hints[each.name], each.name) for each in fields(cls)}
    if cls in _EXPLAINED:
        properties["article_id"] = dict(_ARTICLE_ID)
    if cls is PlannedRack:
        properties["input"] = input_schema()
    for name, choices in _CHOICES_OF.get(cls, {}).items():
        properties[name]["enum"] = list(choices)
    schema = {"type": "object", "required": list(properties), "properties": properties}
    return shared(f"Simulator{_NAMES.get(cls, cls.__name__)}", schema)


def _of_type(hint: Any, name: str) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint == Answer | None:
        return {"type": ["boolean", "string", "null"]}
    if origin in (Union, types.UnionType):
        inner = _of_type(next(each for each in arguments if each is not type(None)), name)
        return _nullable(inner)
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _of_type(arguments[1], "")}
    if hint is Any:
        return {}
    if origin is tuple:
        return {"type": "array", "items": _of_type(arguments[0], name)}
    if isinstance(hint, type) and is_dataclass(hint):
        return _of_class(hint)
    found = dict(_LEAVES[hint])
    if hint is str and name in _CHOICES:
        found["enum"] = list(_CHOICES[name])
    return found


_LEAVES: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    Decimal: {"type": "number"},
    float: {"type": "number"},
}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return {"oneOf": [{"$ref": schema["$ref"]}, {"type": "null"}], **beside}
    if "oneOf" in schema:
        return {**schema, "oneOf": [*schema["oneOf"], {"type": "null"}]}
    if "null" in schema["type"]:
        return schema
    found = {**schema, "type": [schema["type"], "null"]}
    if "enum" in found:
        found["enum"] = [*found["enum"], None]
    return found

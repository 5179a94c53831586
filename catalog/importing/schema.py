"""The library's own JSON schemas (in `schema/`), compiled into rules that count in decimals.

Written for the vocabulary that those files use. A validator that computes `multipleOf` in binary floating point refuses
10.11 kg as no multiple of 0.01, and one that walks the schema for each of 7,000 interfaces is slow.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "schema"
FILES = {"device-types": "devicetype", "module-types": "moduletype", "rack-types": "racktype"}

SCALAR_KEYWORDS = {"type", "enum", "minimum", "multipleOf", "pattern", "maxLength", "default"}
OBJECT_KEYWORDS = {"type", "properties", "required", "additionalProperties", "$id", "$schema"}


@dataclass(frozen=True, slots=True)
class Rule:
    """What a scalar has to be. `type` is string, number, integer or boolean."""

    type: str
    choices: tuple[Any, ...] = ()
    minimum: Decimal | None = None
    multiple_of: Decimal | None = None
    pattern: re.Pattern[str] | None = None
    max_length: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """What a mapping has to hold: scalars, and lists of mappings. `is_closed`: other keys are refused."""

    scalars: Mapping[str, Rule]
    lists: Mapping[str, "Shape"]
    required: tuple[str, ...]
    is_closed: bool


class UnknownVocabularyError(ValueError):
    """A schema file uses what this compiler does not know; checking less than it asks would be worse than stopping."""


@cache
def shape_of(kind: str) -> Shape:
    """Return the shape of a document of `kind`: device-types, module-types or rack-types."""
    return _shape(_load(FILES[kind]), FILES[kind])


@cache
def _load(name: str) -> dict[str, Any]:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    return schema


@cache
def _by_id() -> dict[str, dict[str, Any]]:
    schemas = [_load(path.stem) for path in sorted(FOLDER.glob("*.json"))]
    return {schema["$id"]: schema for schema in schemas}


def _resolve(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    document, _, path = schema["$ref"].partition("#/")
    try:
        found: dict[str, Any] = _by_id()[document]
        for step in path.split("/"):
            found = found[step]
    except KeyError:
        raise UnknownVocabularyError(f"{schema['$ref']} leads nowhere.") from None
    return found


def _shape(schema: dict[str, Any], place: str) -> Shape:
    _refuse_unknown(schema, OBJECT_KEYWORDS, place)
    scalars: dict[str, Rule] = {}
    lists: dict[str, Shape] = {}
    for name, property_schema in schema["properties"].items():
        inner = _resolve(property_schema)
        where = f"{place}.{name}"
        if inner["type"] == "array":
            _refuse_unknown(inner, {"type", "items"}, where)
            lists[name] = _shape(_resolve(inner["items"]), where)
        else:
            scalars[name] = _rule(inner, where)
    required = tuple(schema.get("required", ()))
    return Shape(scalars, lists, required, schema.get("additionalProperties", True) is False)


def _rule(schema: dict[str, Any], place: str) -> Rule:
    _refuse_unknown(schema, SCALAR_KEYWORDS, place)
    if schema["type"] not in ("string", "number", "integer", "boolean"):
        raise UnknownVocabularyError(f"{place}: the type {schema['type']} is not known.")
    return Rule(
        type=schema["type"],
        choices=tuple(schema.get("enum", ())),
        minimum=schema.get("minimum"),
        multiple_of=schema.get("multipleOf"),
        pattern=re.compile(schema["pattern"]) if "pattern" in schema else None,
        max_length=int(schema["maxLength"]) if "maxLength" in schema else None,
    )


def _refuse_unknown(schema: dict[str, Any], known: set[str], place: str) -> None:
    if unknown := schema.keys() - known:
        raise UnknownVocabularyError(f"{place}: the keywords {', '.join(sorted(unknown))} are not known.")

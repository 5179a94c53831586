"""What REST and GraphQL take, walked in both schemas: the same names, required where the other requires them."""

import pytest
from graphql import is_input_object_type, is_list_type, is_non_null_type

from config.schema import schema
from core.api.openapi import shared_schemas
from simulator.engine import LAYERS, RACK
from simulator.rest.openapi import layer_input_schema
from tests.simulator.asking import camel

QUESTIONS = {"rack": RACK, **LAYERS}
WORDS = {
    "NumberOrRange": "number or range",
    "Int": "integer",
    "Float": "number",
    "String": "string",
    "Boolean": "boolean",
}


def of_rest(shape):
    """Return what a schema of OpenAPI takes: a word, [one], or {name: [is required, what]}."""
    shapes = shared_schemas()
    shape = next((each for each in shape.get("oneOf", ()) if "$ref" in each), shape)
    shape = shapes[shape["$ref"].rsplit("/", 1)[1]] if "$ref" in shape else shape
    if shape is shapes["SimulatorRange"]:
        return "number or range"
    if "items" in shape:
        return [of_rest(shape["items"])]
    if "properties" in shape:
        return {name: [name in shape["required"], of_rest(each)] for name, each in shape["properties"].items()}
    kinds = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
    return " ".join(sorted({*kinds} - {"null"}))


def of_graphql(given):
    """Return the same of a type of GraphQL, without whether it is required."""
    given = given.of_type if is_non_null_type(given) else given
    if is_list_type(given):
        return [of_graphql(given.of_type)]
    if is_input_object_type(given):
        return {name: [is_non_null_type(each.type), of_graphql(each.type)] for name, each in given.fields.items()}
    return WORDS[given.name]


@pytest.mark.parametrize("name", QUESTIONS)
def test_both_surfaces_take_the_same(name):
    field = schema._schema.query_type.fields[f"simulate{name.capitalize()}"]

    theirs = of_graphql(field.args["input"].type)

    assert theirs == camel(of_rest(layer_input_schema(QUESTIONS[name].input_type)))
    assert len(theirs) > 3

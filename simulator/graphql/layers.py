"""The layers beside the rack over GraphQL: a question for each, made of its declared parameters and its report."""

import typing
from functools import cache
from typing import Any

import strawberry
from strawberry.types.field import StrawberryField

from core.api.graphql.context import Info
from simulator.about import LAYERS_ABOUT
from simulator.engine.layer_list import LAYERS
from simulator.engine.layers import Layer
from simulator.explanations import explanations
from simulator.graphql.made import given_data, input_type, output_type, told
from simulator.graphql.paths import named_as_asked
from simulator.services import run_layer

LAYER_WEIGHT = 2_000
"""With ranges a layer may compute more than a thousand points: four questions a document are the most."""


def layer_field(layer: Layer) -> StrawberryField:
    """Return the field that runs a layer."""
    report = typing.get_type_hints(layer.run)["return"]

    def simulate(info: Any, input: Any) -> Any:  # noqa: A002
        with named_as_asked():
            data = run_layer(layer.name, given_data(input))
        return told(report, data, cache(lambda: explanations(at=info.context.now)), report.__name__)

    of: Any = layer.input_type
    given = input_type(of, f"Simulate{of.__name__}")
    simulate.__annotations__ = {"info": Info, "input": given, "return": output_type(report, report.__name__) | None}
    return strawberry.field(
        resolver=simulate,
        description=f"{LAYERS_ABOUT[layer.name]} Nothing is stored.",
        metadata={"weight": LAYER_WEIGHT},
    )


def _with_layers() -> type:
    made = type("LayersQuery", (), {})
    for name, layer in LAYERS.items():
        setattr(made, f"simulate_{name}", layer_field(layer))
    return strawberry.type(made)


LayersQuery: Any = _with_layers()

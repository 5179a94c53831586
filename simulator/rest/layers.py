"""The layers beside the rack over REST: one address for each, and one view for all."""

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema

from simulator.about import LAYERS_ABOUT
from simulator.engine.layer_list import LAYERS
from simulator.engine.layers import Layer
from simulator.rest.asking import Question, simulated
from simulator.rest.openapi import layer_input_schema, layer_report_schema
from simulator.services import layer_report


def layer_view(layer: Layer) -> type[Question]:
    """Return the view of a layer."""

    class LayerSimulation(Question):
        __doc__ = (
            f"{LAYERS_ABOUT[layer.name]} A number may be a range, {{low, typical, high}}; `ranges` then says how far "
            "each quantity moves. Nothing is stored."
        )

        @extend_schema(
            operation_id=f"simulator_{layer.name}",
            request={"application/json": layer_input_schema(layer.input_type)},
            responses={(200, "application/json"): layer_report_schema(layer)},
        )
        def post(self, request: HttpRequest) -> HttpResponse:
            return simulated(request, lambda data: layer_report(layer.name, data))

    return LayerSimulation


VIEWS = {name: layer_view(layer) for name, layer in LAYERS.items()}

"""The layers beside the rack over REST: one address for each, and one view for all."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from simulator.engine.layer_list import LAYERS
from simulator.engine.layers import Layer
from simulator.rest.asking import simulated
from simulator.rest.openapi import layer_input_schema, layer_report_schema
from simulator.services import run_layer

ABOUT = {
    "supply": "Run the electrical tree from phase to utility: load and capacity of each tier, and which one binds.",
    "hall": "Fill a hall with racks under its caps: what finds a place, which cap binds, heat, air, PUE and WUE.",
    "fabric": "Size a fabric: switches, links and cables of two or three tiers, rails and planes, cost and power.",
    "storage": "Size checkpoints and feed: how long a write takes, and how long accelerators wait for it.",
    "reliability": "Ask how often a job stops, how often to save it, and what an outage costs.",
    "campus": "Ask what a campus takes in a year: energy, bill, water, carbon, and how long it takes to build.",
    "throttle": "Ask how warm a chip gets, and at which inlet, flow and power it lowers its clock.",
    "ladder": "Climb from the chip to the grid: the power at each rung, and what is lost between them.",
}


def layer_view(layer: Layer) -> type[APIView]:
    """Return the view of a layer."""

    class LayerSimulation(APIView):
        __doc__ = (
            f"{ABOUT[layer.name]} A number may be a range, {{low, typical, high}}; `ranges` then says how far each "
            "quantity moves. Nothing is stored."
        )

        @extend_schema(
            operation_id=f"simulator_{layer.name}",
            request={"application/json": layer_input_schema(layer.input_type)},
            responses={(200, "application/json"): layer_report_schema(layer)},
        )
        def post(self, request: Request) -> HttpResponse:
            return simulated(request, lambda data: run_layer(layer.name, data))

    return LayerSimulation


VIEWS = {name: layer_view(layer) for name, layer in LAYERS.items()}

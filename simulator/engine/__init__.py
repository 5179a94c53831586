"""The simulator's engine: frozen dataclasses in, a report out. No Django, no clock, no network, no chance.

One module a layer or quantity; `rack` is the first layer and composes those below it. Every number of a report is in
its trace, with formula, inputs and source; what is unknown is None and names itself, and never counts as zero.
"""

from simulator.engine.devices import Device, Line
from simulator.engine.electrical import Feed
from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.inputs import Rack, RackInput
from simulator.engine.layer_list import LAYER_WARNINGS, LAYERS
from simulator.engine.layers import Asked, Layer, Span, run_asked
from simulator.engine.rack import RACK, rack_report
from simulator.engine.reading_layers import read_layer
from simulator.engine.report import RackReport, as_data

# Moves with every change of a formula, a constant or a default: stored runs say which one they were made with.
ENGINE_VERSION = "2.2"

__all__ = [
    "ENGINE_VERSION",
    "LAYERS",
    "LAYER_WARNINGS",
    "RACK",
    "Asked",
    "Device",
    "Feed",
    "InvalidParameters",
    "Layer",
    "Line",
    "Problem",
    "Rack",
    "RackInput",
    "RackReport",
    "Span",
    "as_data",
    "rack_report",
    "read_layer",
    "run_asked",
]

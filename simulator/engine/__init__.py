"""The simulator's engine: frozen dataclasses in, a report out. No Django, no clock, no network, no chance.

One module a layer or quantity; `rack` is the first layer and composes those below it. Every number of a report is in
its trace, with formula, inputs and source; what is unknown is None and names itself, and never counts as zero.
"""

from simulator.engine.devices import Device, Line
from simulator.engine.electrical import Feed
from simulator.engine.errors import InvalidParameters, Problem
from simulator.engine.inputs import Rack, RackInput
from simulator.engine.rack import rack_report
from simulator.engine.report import RackReport, as_data

# Moves with every change of a formula, a constant or a default: stored runs say which one they were made with.
ENGINE_VERSION = "1.1"

__all__ = [
    "ENGINE_VERSION",
    "Device",
    "Feed",
    "InvalidParameters",
    "Line",
    "Problem",
    "Rack",
    "RackInput",
    "RackReport",
    "as_data",
    "rack_report",
]

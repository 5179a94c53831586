"""The rack over GraphQL: its input made of its declared parameters, as those of the layers beside it."""

from functools import cache
from typing import Any

import strawberry

from core.api.graphql.context import Info
from simulator.engine import RackInput
from simulator.explanations import explanations
from simulator.graphql.layers import LAYER_WEIGHT
from simulator.graphql.made import given_data, input_type
from simulator.graphql.paths import named_as_asked
from simulator.graphql.types import RackReport, report_of
from simulator.services import run_rack

SimulateRackInput: Any = input_type(RackInput, "SimulateRackInput")


def _simulate_rack(info: Info, input: Any) -> RackReport | None:  # noqa: A002
    with named_as_asked():
        run = run_rack(given_data(input))
    for kind, pk, _ in run.made_of:
        info.context.note(kind, pk)
    return report_of(run.data, cache(lambda: explanations(at=info.context.now)))


_simulate_rack.__annotations__["input"] = SimulateRackInput


@strawberry.type
class RackQuery:
    simulate_rack: RackReport | None = strawberry.field(
        resolver=_simulate_rack,
        description="Run a rack of the catalogue's devices. Nothing is stored.",
        metadata={"weight": LAYER_WEIGHT, "kinds": ("device", "manufacturer", "rack_type")},
    )

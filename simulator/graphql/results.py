"""The report of a saved run of any kind: a union of what the questions answer with."""

import typing
from functools import reduce
from operator import or_
from typing import Annotated, Any

import orjson
import strawberry

from core.api.graphql.context import Info
from core.api.graphql.extending import extend
from simulator.engine.layer_list import LAYERS
from simulator.graphql.made import output_type, told
from simulator.graphql.types import SECTIONS, RackReport, Scenario, articles_for, report_of

_REPORTS: dict[str, Any] = {name: typing.get_type_hints(layer.run)["return"] for name, layer in LAYERS.items()}
_TYPES = {name: output_type(report, report.__name__) for name, report in _REPORTS.items()}
ScenarioReport: Any = Annotated[
    reduce(or_, _TYPES.values(), RackReport),
    strawberry.union("ScenarioReport", description="A report, of the type that the question of its kind answers with."),
]


def _result(self: Any, info: Any) -> Any:
    data = orjson.loads(self.stored_result)
    if self.kind not in _REPORTS:
        return report_of(data, articles_for(self, info)) if data.keys() >= SECTIONS else None
    report = _REPORTS[self.kind]
    return told(report, data, articles_for(self, info), report.__name__) if "trace" in data else None


_result.__annotations__ = {"self": Scenario, "info": Info, "return": ScenarioReport | None}
_field: Any = strawberry.field(
    resolver=_result,
    description="The report that this version of the engine gave, of any kind; null if it was saved without one.",
)
extend(Scenario, result=_field)

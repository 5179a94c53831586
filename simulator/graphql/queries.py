"""The questions that the simulator answers."""

from functools import cache
from typing import Annotated

import strawberry
from django.core.exceptions import ValidationError

from core.api.errors import RequestRefused, bad_request, problems_of
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import find_item
from simulator.explanations import explanations
from simulator.graphql import results as _results  # noqa: F401 - it gives scenarios their result
from simulator.graphql.layers import LayersQuery
from simulator.graphql.paths import as_asked
from simulator.graphql.types import SCENARIOS, RackReport, Scenario, report_of
from simulator.graphql.validation import ValidationQuery
from simulator.services import QUESTIONS, run_rack

SIMULATION_WEIGHT = 100
"""A run costs about as much as reading a hundred records."""


@strawberry.input(description="Some devices of one type.")
class RackItem:
    device: str = strawberry.field(description="Slug of a device of the catalogue.")
    quantity: int


@strawberry.input(description="The cabinet. What is left out is taken from its type, where one is named.")
class RackCabinet:
    units: int | None = None
    type: str | None = strawberry.field(default=None, description="Slug of a rack type of the catalogue.")
    footprint_m2: float | None = None
    tare_kg: float | None = None
    max_kg: float | None = strawberry.field(default=None, description="What it carries, its own weight included.")
    floor_max_kg_m2: float | None = strawberry.field(default=None, description="What the floor carries.")


@strawberry.input(description="The circuits that supply the rack.")
class RackFeed:
    voltage_v: float
    phases: int
    breaker_a: float
    line: bool | None = strawberry.field(
        default=None, description="Whether the voltage is between lines (true, the default) or to neutral."
    )
    continuous_fraction: float | None = None
    power_factor: float | None = None
    redundancy: str | None = strawberry.field(default=None, description="none, n+1 or 2n.")
    count: int | None = strawberry.field(default=None, description="How many feeds come in; else as redundancy says.")


@strawberry.input(description="Where each method of cooling ends, in kW a rack.")
class RackLimits:
    rear_door_max_kw: float | None = None
    direct_to_chip_max_kw: float | None = None
    immersion_max_kw: float | None = None
    air_class: str | None = strawberry.field(default=None, description="ASHRAE class: A1, A2, A3, A4.")


@strawberry.input(description="A rear-door heat exchanger with water.")
class RackDoor:
    conductance_kw_k: float = strawberry.field(description="UA; it follows from one point of its data sheet.")
    water_in_c: float
    water_l_min: float
    dew_point_c: float | None = None


@strawberry.input(description="A rack to simulate. What is left out has the default that REST documents.")
class SimulateRackInput:
    items: list[RackItem]
    rack: RackCabinet | None = None
    basis: str | None = strawberry.field(default=None, description="nameplate, typical or idle.")
    inlet_c: float | None = None
    altitude_m: float | None = None
    air_rise_k: float | None = None
    airflow_available_m3_h: float | None = None
    coolant: str | None = strawberry.field(default=None, description="pg25 or water.")
    coolant_rise_k: float | None = None
    coolant_supply_c: float | None = None
    feed: RackFeed | None = None
    limits: RackLimits | None = None
    door: RackDoor | None = None


Kind = Annotated[str | None, strawberry.argument(description=f"One of {', '.join(QUESTIONS)}.")]


@strawberry.type
class Query(LayersQuery, ValidationQuery):
    @strawberry.field(
        description="Run a rack of the catalogue's devices. Nothing is stored.",
        metadata={"weight": SIMULATION_WEIGHT, "kinds": ("device", "manufacturer", "rack_type")},
    )
    def simulate_rack(self, info: Info, input: SimulateRackInput) -> RackReport:  # noqa: A002
        try:
            run = run_rack(strawberry.asdict(input))
        except ValidationError as error:
            problems = [problem._replace(field=as_asked(problem.field)) for problem in problems_of(error)]
            raise RequestRefused(400, problems) from error
        for kind, pk, _ in run.made_of:
            info.context.note(kind, pk)
        return report_of(run.data, cache(lambda: explanations(at=info.context.now)))

    @strawberry.field
    def scenario(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Scenario | None:  # noqa: A002
        return find_item(SCENARIOS, info.context, slug=slug, id=id)

    @strawberry.field(description="Saved runs of the simulator.")
    def scenarios(
        self, info: Info, device: Slug = None, kind: Kind = None, first: First = DEFAULT_FIRST, after: After = None
    ) -> Connection[Scenario]:
        if kind is not None and kind not in QUESTIONS:
            raise bad_request("kind", "not_a_choice", f"kind is one of {', '.join(QUESTIONS)}.")
        filters = {"device": text("device", device), "kind": kind}
        return root_page(SCENARIOS, info, first=first, after=after, filters=filters)

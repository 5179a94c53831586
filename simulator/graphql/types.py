"""The report of a rack and saved runs over GraphQL, with the names that REST has in snake_case."""

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import orjson
import strawberry
import strawberry_django
from django.db.models import BooleanField, F, TextField
from django.db.models.functions import Cast
from strawberry.scalars import JSON

from catalog.graphql.types import Device
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, page_of
from core.api.graphql.context import Info
from core.api.graphql.extending import extend
from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import UUIDS, Listing, Narrow, Row
from core.api.graphql.types import Column, columns_of
from core.api.keyset import BY_SLUG
from simulator.explanations import explanations
from simulator.models import Scenario as ScenarioModel

Articles = Callable[[], Mapping[str, UUID]]
"""Gives the ids of the articles that explain names; asked when an answer first wants one."""


@strawberry.type(name="RackSpaceAtLeast")
class SpaceAtLeast:
    used_u: Decimal | None


@strawberry.type(
    name="RackPlacement", description="A device of the elevation; nothing where it hangs beside the rails."
)
class Placement:
    device: str
    position_u: Decimal | None = strawberry.field(description="The lowest unit that it takes, from 1 at the bottom.")
    face: str | None = strawberry.field(description="front or rear.")


@strawberry.type(name="RackSpace")
class Space:
    used_u: Decimal | None
    free_u: Decimal | None
    fits: bool | None
    elevation: list[Placement]
    at_least: SpaceAtLeast | None
    unknown: list[str]


@strawberry.type(name="RackPowerAtLeast")
class PowerAtLeast:
    nameplate_kw: Decimal | None
    typical_kw: Decimal | None
    idle_kw: Decimal | None
    density_kw: Decimal | None


@strawberry.type(name="RackPower")
class Power:
    nameplate_kw: Decimal | None
    typical_kw: Decimal | None
    idle_kw: Decimal | None
    density_kw: Decimal | None = strawberry.field(description="kW a rack, on the basis.")
    basis: str
    at_least: PowerAtLeast | None
    unknown: list[str]


@strawberry.type(name="RackWeightAtLeast")
class WeightAtLeast:
    equipment_kg: Decimal | None
    total_kg: Decimal | None
    floor_load_kg_m2: Decimal | None
    floor_load_kn_m2: Decimal | None


@strawberry.type(name="RackWeight")
class Weight:
    equipment_kg: Decimal | None
    total_kg: Decimal | None
    floor_load_kg_m2: Decimal | None
    floor_load_kn_m2: Decimal | None
    at_least: WeightAtLeast | None
    unknown: list[str]


@strawberry.type(name="RackElectricalAtLeast")
class ElectricalAtLeast:
    load_kva: Decimal | None


@strawberry.type(name="RackElectrical")
class Electrical:
    load_kva: Decimal | None
    capacity_kva: Decimal | None
    usable_kva: Decimal | None
    redundancy: str
    ok: bool | None
    at_least: ElectricalAtLeast | None
    unknown: list[str]


@strawberry.type(name="RackCoolingAtLeast")
class CoolingAtLeast:
    air_heat_kw: Decimal | None
    liquid_heat_kw: Decimal | None
    airflow_m3_h: Decimal | None
    airflow_cfm: Decimal | None
    coolant_l_min: Decimal | None


@strawberry.type
class Explained:
    """What an article can explain."""

    explained_as: strawberry.Private[str]
    articles: strawberry.Private[Articles]

    @strawberry.field(description="The live article that explains it.", metadata={"kinds": ("article",)})
    def article_id(self) -> strawberry.ID | None:
        found = self.articles().get(self.explained_as)
        return None if found is None else strawberry.ID(str(found))


@strawberry.type(description="A way to cool the rack, judged for all of its heat.")
class CoolingMethod(Explained):
    method: str
    feasible: bool | None = strawberry.field(description="null: it cannot be said.")
    limit_kw: Decimal | None
    margin_kw: Decimal | None
    reason: str


@strawberry.type(name="RackCooling")
class Cooling:
    rule_of_thumb: str | None
    agrees: bool | None = strawberry.field(description="Whether the method of the rule is among the feasible ones.")
    methods: list[CoolingMethod]
    binding_limit: str | None
    air_heat_kw: Decimal | None
    liquid_heat_kw: Decimal | None
    airflow_m3_h: Decimal | None
    airflow_cfm: Decimal | None
    coolant_l_min: Decimal | None
    at_least: CoolingAtLeast | None
    unknown: list[str]


@strawberry.type(name="SimulatorWarning", description="Something a reader should know; devices are slugs.")
class Warning(Explained):  # noqa: A001 - the report's own word
    code: str
    message: str
    devices: list[str]


@strawberry.type
class TraceInput:
    name: str
    value: Decimal | None


@strawberry.type(description="One number of the report: how it was computed, from what, and by whose authority.")
class TraceEntry(Explained):
    quantity: str
    value: Decimal | None
    unit: str
    formula: str
    inputs: list[TraceInput]
    source: str


@strawberry.type(description="A quantity over the ranges of the input; nothing where it is unknown.")
class QuantityRange:
    quantity: str
    unit: str
    low: Decimal | None
    typical: Decimal | None
    high: Decimal | None


@strawberry.type(
    description="What a rack takes and needs. A total with an unknown part is null; atLeast sums what is known."
)
class RackReport:
    space: Space
    power: Power
    weight: Weight
    electrical: Electrical | None
    cooling: Cooling
    warnings: list[Warning]
    trace: list[TraceEntry]
    ranges: list[QuantityRange]


@strawberry.type(description="A quantity as the scenario has it, and as it is today; null where it is unknown.")
class MovedQuantity:
    quantity: str
    unit: str
    was: Decimal | None
    now: Decimal | None
    since: datetime | None


@strawberry.type(description="An answer of the report that is no number, by its path in the names of REST.")
class MovedOutcome:
    path: str
    was: JSON | None
    now: JSON | None


@strawberry.type(description="Why the input of a scenario can no longer be run.")
class ScenarioProblem:
    field: str | None
    code: str
    message: str


@strawberry.type(
    description="How far a saved run lies behind one of today. It keeps its report until an editor accepts the new one."
)
class ScenarioDrift:
    engine_version_was: str
    engine_version_now: str
    since: datetime
    moved: list[MovedQuantity]
    outcomes: list[MovedOutcome]
    warnings_gone: list[str]
    warnings_new: list[str]
    problems: list[ScenarioProblem]


def drift_told(data: Mapping[str, Any]) -> ScenarioDrift:
    """Return a drift, given as plain data, as its type."""
    moved = [
        fill(MovedQuantity, row, since=None if row["since"] is None else datetime.fromisoformat(row["since"]))
        for row in data["moved"]
    ]
    return ScenarioDrift(
        engine_version_was=data["engine_version_was"],
        engine_version_now=data["engine_version_now"],
        since=datetime.fromisoformat(data["since"]),
        moved=moved,
        outcomes=[MovedOutcome(**row) for row in data["outcomes"]],
        warnings_gone=data["warnings_gone"],
        warnings_new=data["warnings_new"],
        problems=[ScenarioProblem(**row) for row in data["problems"]],
    )


@strawberry_django.type(ScenarioModel, field_cls=Column, description="A saved run of the simulator.")
class Scenario(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    title: strawberry.auto
    description: strawberry.auto
    kind: str
    engine_version: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto
    drifted_since: datetime | None = strawberry.field(
        description="When a run of today began to say something else than the report; null while it says the same."
    )
    stored_drift: strawberry.Private[str | None]
    stored_input: strawberry.Private[str]
    stored_result: strawberry.Private[str]

    @strawberry.field(
        description="As the question of its kind takes it (simulateRack, simulateHall…), in the names of REST."
    )
    def input(self) -> JSON:
        return orjson.loads(self.stored_input)

    @strawberry.field(description="What a run of today says otherwise; null while it says the same.")
    def drift(self) -> ScenarioDrift | None:
        return None if self.stored_drift is None else drift_told(orjson.loads(self.stored_drift))

    @strawberry.field(
        description="The report of a rack, as this version of the engine gave it; null for any other kind, and if it "
        "was saved without one. `result` has that of any kind."
    )
    def report(self, info: Info) -> RackReport | None:
        result = orjson.loads(self.stored_result)
        return report_of(result, articles_for(self, info)) if result.keys() >= SECTIONS else None


def articles_for(scenario: Scenario, info: Info) -> Articles:
    """Return what gives the ids of the articles that explain numbers: read once for all scenarios of a page."""
    return lambda: scenario.batch.once("articles", lambda: explanations(at=info.context.now))


SECTIONS = frozenset({"space", "power", "weight", "electrical", "cooling", "warnings", "trace"})


def report_of(data: Mapping[str, Any], articles: Articles) -> RackReport:
    """Return a report, given as plain data, as the types above. A name that its engine did not know yet is null."""
    cooling = data["cooling"]
    return RackReport(
        space=fill(
            Space,
            data["space"],
            elevation=[fill(Placement, row) for row in data["space"]["elevation"]],
            at_least=_part(SpaceAtLeast, data["space"]),
        ),
        power=fill(Power, data["power"], at_least=_part(PowerAtLeast, data["power"])),
        weight=fill(Weight, data["weight"], at_least=_part(WeightAtLeast, data["weight"])),
        electrical=None
        if data["electrical"] is None
        else fill(Electrical, data["electrical"], at_least=_part(ElectricalAtLeast, data["electrical"])),
        cooling=fill(
            Cooling,
            cooling,
            methods=[explained(CoolingMethod, row, f"method:{row['method']}", articles) for row in cooling["methods"]],
            at_least=_part(CoolingAtLeast, cooling),
        ),
        warnings=[explained(Warning, row, f"warning:{row['code']}", articles) for row in data["warnings"]],
        trace=[
            explained(
                TraceEntry, row, row["quantity"], articles, inputs=[fill(TraceInput, each) for each in row["inputs"]]
            )
            for row in data["trace"]
        ],
        # A run that was saved before there were ranges has none.
        ranges=[fill(QuantityRange, each) for each in data.get("ranges", [])],
    )


def explained(cls: type[Any], row: Mapping[str, Any], name: str, articles: Articles, **more: Any) -> Any:
    return fill(cls, row, explained_as=name, articles=articles, **more)


def _part(cls: type[Any], section: Mapping[str, Any]) -> Any:
    return None if section.get("at_least") is None else fill(cls, section["at_least"])


def fill(cls: type[Any], row: Mapping[str, Any], **made: Any) -> Any:
    """Return a `cls` with the values of `row`, numbers as decimals."""
    names = cls.__annotations__.keys() - made.keys()
    return cls(**{name: as_number(row.get(name)) for name in names}, **made)


def as_number(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Decimal(str(value))
    return value


SCENARIOS = node(
    Listing(
        kind="scenario",
        row=Scenario,
        visible=ScenarioModel.objects.visible,
        # Text, as PostgreSQL has it: only what is asked for is parsed.
        columns=columns_of(
            Scenario,
            drifted_since=F("drift__since"),
            stored_drift=Cast("drift__data", TextField()),
            stored_input=Cast("input", TextField()),
            stored_result=Cast("result", TextField()),
        ),
        orders=BY_SLUG,
        narrows={
            "drifted": Narrow(lambda rows, drifted: rows.drifted(drifted), BooleanField()),
            "kind": Narrow(lambda rows, kind: rows.filter(kind=kind)),
            "device": Narrow(lambda rows, slug: rows.using_device(slug)),
            "device_id": Narrow(lambda rows, key: rows.using_device_id(key), UUIDS),
        },
    )
)


def _scenarios(self: Row, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> Connection[Scenario]:
    return page_of(self, info, SCENARIOS, "device_id", first=first, after=after)


_simulated: Any = strawberry.field(resolver=_scenarios, description="The scenarios it was simulated in.")
extend(Device, scenarios=_simulated)

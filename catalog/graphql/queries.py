"""The questions that the catalogue answers."""

from typing import Annotated

import strawberry

from catalog.graphql.types import (
    DEVICES,
    INSTALLATIONS,
    MANUFACTURERS,
    RUNGS,
    SECTIONS,
    Device,
    Installation,
    Manufacturer,
    Rung,
    Section,
)
from catalog.models import Installation as InstallationModel
from core.api import parameters
from core.api.graphql import reads
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import find_item
from core.facts.graphql import quantity

AtLeast = Annotated[str | None, strawberry.argument(description="A quantity with its unit: 100kW, 0.1 MW, 30 lb.")]


@strawberry.type
class Query:
    @strawberry.field(description="The six sections, in their order.")
    def sections(self, info: Info) -> list[Section]:
        return reads.read_page(SECTIONS, info.context, reads.Question()).rows

    @strawberry.field
    def section(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Section | None:  # noqa: A002
        return find_item(SECTIONS, info.context, slug=slug, id=id)

    @strawberry.field(description="The five rungs from chip to grid.")
    def scale(self, info: Info) -> list[Rung]:
        return reads.read_page(RUNGS, info.context, reads.Question()).rows

    @strawberry.field
    def rung(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Rung | None:  # noqa: A002
        return find_item(RUNGS, info.context, slug=slug, id=id)

    @strawberry.field
    def manufacturer(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Manufacturer | None:  # noqa: A002
        return find_item(MANUFACTURERS, info.context, slug=slug, id=id)

    @strawberry.field
    def manufacturers(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> Connection[Manufacturer]:
        return root_page(MANUFACTURERS, info, first=first, after=after, filters={})

    @strawberry.field
    def device(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Device | None:  # noqa: A002
        return find_item(DEVICES, info.context, slug=slug, id=id)

    @strawberry.field(description="Device types. What does not state a quantity is in no range of it.")
    def devices(
        self,
        info: Info,
        manufacturer: Slug = None,
        section: Slug = None,
        device_kind: str | None = None,
        search: str | None = None,
        power_gte: AtLeast = None,
        power_lte: AtLeast = None,
        weight_gte: AtLeast = None,
        weight_lte: AtLeast = None,
        height_gte: AtLeast = None,
        height_lte: AtLeast = None,
        airflow_gte: AtLeast = None,
        airflow_lte: AtLeast = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Device]:
        filters = {
            "manufacturer": text("manufacturer", manufacturer),
            "section": text("section", section),
            "device_kind": text("deviceKind", device_kind),
            "search": text("search", search),
            "power_gte": quantity("powerGte", power_gte, "W"),
            "power_lte": quantity("powerLte", power_lte, "W"),
            "weight_gte": quantity("weightGte", weight_gte, "kg"),
            "weight_lte": quantity("weightLte", weight_lte, "kg"),
            "height_gte": quantity("heightGte", height_gte, "U"),
            "height_lte": quantity("heightLte", height_lte, "U"),
            "airflow_gte": quantity("airflowGte", airflow_gte, "m3/h"),
            "airflow_lte": quantity("airflowLte", airflow_lte, "m3/h"),
        }
        return root_page(DEVICES, info, first=first, after=after, filters=filters)

    @strawberry.field
    def installation(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Installation | None:  # noqa: A002
        return find_item(INSTALLATIONS, info.context, slug=slug, id=id)

    @strawberry.field(description="Real sites and systems.")
    def installations(
        self,
        info: Info,
        country: str | None = None,
        rung: Slug = None,
        status: str | None = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Installation]:
        statuses = parameters.one_of(*InstallationModel.Status.values)
        filters = {
            "country": text("country", country),
            "rung": text("rung", rung),
            "status": None if status is None else statuses("status", status),
        }
        return root_page(INSTALLATIONS, info, first=first, after=after, filters=filters)

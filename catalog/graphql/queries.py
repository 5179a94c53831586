"""The questions that the catalogue answers."""

from decimal import Decimal
from typing import Any

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
from catalog.models import Device as DeviceModel
from catalog.models import Installation as InstallationModel
from core.api import parameters
from core.api.graphql import reads
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, Slug, root_page, text
from core.api.graphql.context import Info
from core.api.graphql.nodes import find_item
from core.facts.graphql import Quantity, between


def _asked(name: str, gte: str | None, lte: str | None, column: str, unit: str) -> dict[str, Decimal | None]:
    """Return two filters rounded as the column is, so that 100 CFM finds itself."""
    field: Any = DeviceModel._meta.get_field(column)
    return between(name, gte, lte, unit, field.decimal_places)


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
        power_gte: Quantity = None,
        power_lte: Quantity = None,
        typical_power_gte: Quantity = None,
        typical_power_lte: Quantity = None,
        weight_gte: Quantity = None,
        weight_lte: Quantity = None,
        height_gte: Quantity = None,
        height_lte: Quantity = None,
        airflow_gte: Quantity = None,
        airflow_lte: Quantity = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Device]:
        filters = {
            "manufacturer": text("manufacturer", manufacturer),
            "section": text("section", section),
            "device_kind": text("deviceKind", device_kind),
            "search": text("search", search),
            **_asked("power", power_gte, power_lte, "power_nameplate_w", "W"),
            **_asked("typical_power", typical_power_gte, typical_power_lte, "power_typical_w", "W"),
            **_asked("weight", weight_gte, weight_lte, "weight_kg", "kg"),
            **_asked("height", height_gte, height_lte, "u_height", "U"),
            **_asked("airflow", airflow_gte, airflow_lte, "airflow_m3_h", "m3/h"),
        }
        return root_page(DEVICES, info, first=first, after=after, filters=filters)

    @strawberry.field
    def installation(self, info: Info, slug: str | None = None, id: strawberry.ID | None = None) -> Installation | None:  # noqa: A002
        return find_item(INSTALLATIONS, info.context, slug=slug, id=id)

    @strawberry.field(
        description="Real sites and systems. The power of one is the greatest that a fact of it states in use.",
        metadata={"kinds": ("fact",)},
    )
    def installations(
        self,
        info: Info,
        country: str | None = None,
        rung: Slug = None,
        status: str | None = None,
        power_gte: Quantity = None,
        power_lte: Quantity = None,
        energy_gte: Quantity = None,
        energy_lte: Quantity = None,
        weight_gte: Quantity = None,
        weight_lte: Quantity = None,
        airflow_gte: Quantity = None,
        airflow_lte: Quantity = None,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Installation]:
        statuses = parameters.one_of(*InstallationModel.Status.values)
        filters = {
            "country": text("country", country),
            "rung": text("rung", rung),
            "status": None if status is None else statuses("status", status),
            **between("power", power_gte, power_lte, "W"),
            **between("energy", energy_gte, energy_lte, "J"),
            **between("weight", weight_gte, weight_lte, "kg"),
            **between("airflow", airflow_gte, airflow_lte, "m3/h"),
        }
        return root_page(INSTALLATIONS, info, first=first, after=after, filters=filters)

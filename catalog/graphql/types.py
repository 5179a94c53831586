"""The catalogue over GraphQL: its types, with the names that REST has in snake_case."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

import strawberry
import strawberry_django

from catalog import models
from catalog.quantities import INSTALLATION as INSTALLATION_QUANTITIES
from core.api.graphql import reads
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, page_of
from core.api.graphql.context import Info
from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import UUIDS, Listing, Narrow, Row
from core.api.graphql.types import Column, columns_of
from core.api.keyset import BY_SLUG, Order, id_key, number_key, text_key
from core.facts.graphql import FACTS, Fact, quantity_narrows
from core.facts.graphql_units import Units, text_in

BY_POSITION = {"position": Order((number_key("position"), id_key()))}


@strawberry_django.type(
    models.Section,
    field_cls=Column,
    description="The subject of an article, a device, a vendor: compute, power, cooling, …",
)
class Section(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    name: strawberry.auto
    description: strawberry.auto
    position: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto

    @strawberry.field
    def devices(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> "Connection[Device]":
        return page_of(self, info, DEVICES, "section_id", first=first, after=after)

    @strawberry.field
    def facts(self, info: Info) -> list[Fact]:
        return reads.many(self, info.context, FACTS, "subject_id", order="field")


@strawberry_django.type(
    models.Rung,
    field_cls=Column,
    description="A step of the scale from chip to grid, with the power that things on it draw.",
)
class Rung(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    name: strawberry.auto
    description: strawberry.auto
    position: strawberry.auto
    min_w: strawberry.auto
    max_w: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto

    @strawberry.field
    def installations(
        self, info: Info, first: First = DEFAULT_FIRST, after: After = None
    ) -> "Connection[Installation]":
        return page_of(self, info, INSTALLATIONS, "rung_id", first=first, after=after)


@strawberry_django.type(models.Manufacturer, field_cls=Column, description="Who makes devices.")
class Manufacturer(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    name: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto

    @strawberry.field
    def devices(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> "Connection[Device]":
        return page_of(self, info, DEVICES, "manufacturer_id", first=first, after=after)


@strawberry.type(description="A weight as its source gives it.")
class Weight:
    value: Decimal | None
    unit: str


@strawberry.type(description="The quantities of a device as people read them: 10.2 kW. Null is unknown.")
class Texts:
    height: str | None
    weight: str | None
    power_nameplate: str | None
    power_typical: str | None
    power_idle: str | None
    airflow: str | None
    cooling_capacity: str | None
    gpu_tdp: str | None


@strawberry_django.type(models.DeviceComponent, field_cls=Column, description="A port, bay or outlet.")
class Component(Row):
    component_kind: strawberry.auto
    name: strawberry.auto
    label: strawberry.auto
    type: strawberry.auto
    maximum_draw_w: strawberry.auto
    allocated_draw_w: strawberry.auto


@strawberry_django.type(
    models.Device,
    field_cls=Column,
    description="A device type, not a serial number. A quantity that nobody states is null: unknown.",
)
class Device(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    model: strawberry.auto
    part_number: strawberry.auto
    device_kind: strawberry.auto = strawberry.field(description="server, switch, storage, rack, pdu…")
    description: strawberry.auto
    comments: strawberry.auto
    u_height: strawberry.auto
    is_full_depth: strawberry.auto
    is_whole_rack: strawberry.auto
    is_powered: strawberry.auto
    airflow: strawberry.auto
    subdevice_role: strawberry.auto
    weight_kg: strawberry.auto
    power_nameplate_w: strawberry.auto
    power_typical_w: strawberry.auto
    power_idle_w: strawberry.auto
    heat_to_liquid_fraction: strawberry.auto
    airflow_m3_h: strawberry.auto
    cooling_capacity_w: strawberry.auto
    gpu_count: strawberry.auto
    gpu_tdp_w: strawberry.auto
    licence: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto
    weight: strawberry.Private[Decimal | None]
    weight_unit: strawberry.Private[str]
    manufacturer_id: strawberry.Private[UUID]
    section_id: strawberry.Private[UUID | None]

    @strawberry.field
    def weight_as_entered(self) -> Weight:
        return Weight(value=self.weight, unit=self.weight_unit)

    @strawberry.field(description="Its quantities in the units that are asked for; else the weight as it was entered.")
    def texts(self, units: Units = None) -> Texts:
        return Texts(
            height=text_in(self.u_height, "U", units),
            weight=text_in(self.weight, self.weight_unit, units),
            power_nameplate=text_in(self.power_nameplate_w, "W", units),
            power_typical=text_in(self.power_typical_w, "W", units),
            power_idle=text_in(self.power_idle_w, "W", units),
            airflow=text_in(self.airflow_m3_h, "m3/h", units),
            cooling_capacity=text_in(self.cooling_capacity_w, "W", units),
            gpu_tdp=text_in(self.gpu_tdp_w, "W", units),
        )

    @strawberry.field
    def manufacturer(self, info: Info) -> Manufacturer:
        return cast(Manufacturer, reads.one(self, info.context, MANUFACTURERS, "manufacturer_id"))

    @strawberry.field
    def section(self, info: Info) -> Section | None:
        return reads.one(self, info.context, SECTIONS, "section_id")

    @strawberry.field(description="What stands behind the quantities: who says so.")
    def facts(self, info: Info) -> list[Fact]:
        return reads.many(self, info.context, FACTS, "subject_id", order="field")

    @strawberry.field
    def components(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> Connection[Component]:
        return page_of(self, info, COMPONENTS, "device_id", first=first, after=after)


@strawberry_django.type(
    models.Installation,
    field_cls=Column,
    description="A real site or system; each of its numbers is a fact with its source.",
)
class Installation(Row, Node):
    id: strawberry.auto
    slug: strawberry.auto
    name: strawberry.auto
    operator: strawberry.auto
    place: strawberry.auto
    country: strawberry.auto = strawberry.field(description="ISO 3166-1 alpha-2.")
    status: strawberry.auto = strawberry.field(description="operating, building, planned, retired, or empty.")
    description: strawberry.auto
    created_at: strawberry.auto
    updated_at: strawberry.auto
    rung_id: strawberry.Private[UUID | None]

    @strawberry.field
    def rung(self, info: Info) -> Rung | None:
        return reads.one(self, info.context, RUNGS, "rung_id")

    @strawberry.field
    def facts(self, info: Info) -> list[Fact]:
        return reads.many(self, info.context, FACTS, "subject_id", order="field")


SECTIONS = node(
    Listing(
        kind="section",
        row=Section,
        visible=models.Section.objects.visible,
        columns=columns_of(Section),
        orders=BY_POSITION,
    )
)
RUNGS = node(
    Listing(
        kind="rung",
        row=Rung,
        visible=models.Rung.objects.visible,
        columns=columns_of(Rung),
        orders=BY_POSITION,
    )
)
MANUFACTURERS = node(
    Listing(
        kind="manufacturer",
        row=Manufacturer,
        visible=models.Manufacturer.objects.visible,
        columns=columns_of(Manufacturer),
        orders=BY_SLUG,
    )
)
COMPONENTS = Listing(
    kind="",
    row=Component,
    visible=lambda at: models.DeviceComponent.objects.all(),
    columns=columns_of(Component),
    orders={"position": Order((text_key("component_kind"), number_key("position"), id_key()))},
    narrows={"device_id": Narrow(lambda rows, p: rows.filter(device_id=p), UUIDS)},
)


def _stated(measures: str) -> Callable[[Any, str, Any], Any]:
    return lambda rows, comparison, value: rows.stating(measures, comparison, value)


INSTALLATIONS = node(
    Listing(
        kind="installation",
        row=Installation,
        visible=models.Installation.objects.visible,
        columns=columns_of(Installation),
        orders=BY_SLUG,
        narrows={
            "country": Narrow(lambda rows, p: rows.filter(country=p)),
            "status": Narrow(lambda rows, p: rows.filter(status=p)),
            "rung": Narrow(lambda rows, p: rows.filter(rung__slug=p)),
            "rung_id": Narrow(lambda rows, p: rows.filter(rung_id=p), UUIDS),
            **{
                name: one
                for quantity, (measures, _) in INSTALLATION_QUANTITIES.items()
                for name, one in quantity_narrows(quantity, _stated(measures)).items()
            },
        },
    )
)


def _column(name: str, column: str) -> dict[str, Narrow]:
    return quantity_narrows(name, lambda rows, end, value: rows.filter(**{f"{column}__{end}": value}))


DEVICES = node(
    Listing(
        kind="device",
        row=Device,
        visible=models.Device.objects.visible,
        columns=columns_of(Device),
        orders=BY_SLUG,
        narrows={
            "manufacturer": Narrow(lambda rows, p: rows.filter(manufacturer__slug=p)),
            "manufacturer_id": Narrow(lambda rows, p: rows.filter(manufacturer_id=p), UUIDS),
            "section": Narrow(lambda rows, p: rows.filter(section__slug=p)),
            "section_id": Narrow(lambda rows, p: rows.filter(section_id=p), UUIDS),
            "device_kind": Narrow(lambda rows, p: rows.filter(device_kind=p)),
            "search": Narrow(lambda rows, p: rows.matching(p)),
            **_column("power", "power_nameplate_w"),
            **_column("typical_power", "power_typical_w"),
            **_column("weight", "weight_kg"),
            **_column("height", "u_height"),
            **_column("airflow", "airflow_m3_h"),
        },
    )
)

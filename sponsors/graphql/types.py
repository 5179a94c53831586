"""The directory over GraphQL. `Vendor` is the edition visible now, under the id of the vendor. Placements disclose."""

from dataclasses import replace
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

import orjson
import strawberry
import strawberry_django
from django.db.models import DateTimeField, Exists, Func, OuterRef, TextField
from django.db.models.functions import Cast

from catalog.graphql.types import MANUFACTURERS, SECTIONS, Manufacturer, Section
from core.api.compiled import Parameter
from core.api.graphql import reads
from core.api.graphql.connections import DEFAULT_FIRST, After, Connection, First, page_of
from core.api.graphql.context import Info
from core.api.graphql.extending import extend
from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import TEXT, UUIDS, Listing, Narrow, Row, text_or_null
from core.api.graphql.types import Column, columns_of
from core.api.keyset import Order, id_key, instant_key, number_key, text_key
from core.api.representations import media_url
from core.facts.graphql import FACTS, Fact
from sponsors import models


@strawberry.enum(description="Nobody's payment changes an order.")
class VendorOrder(Enum):
    NAME = "name"
    NEWEST = "newest"


@strawberry_django.type(
    models.VendorEdition, field_cls=Column, description="An entry of the directory. Nobody pays for it."
)
class Vendor(Row, Node):
    id: strawberry.ID
    slug: strawberry.auto
    name: strawberry.auto
    description: strawberry.auto
    role: strawberry.auto = strawberry.field(description="vendor, builder or operator.")
    company_status: str | None = strawberry.field(description="active, acquired or defunct; null where not known.")
    homepage: str | None
    domain: strawberry.auto = strawberry.field(
        description="The registrable domain of the homepage, proven to be theirs."
    )
    country: str | None = strawberry.field(description="ISO 3166-1 alpha-2.")
    city: str | None = strawberry.field(description="Of the headquarters.")
    unverified: strawberry.auto = strawberry.field(description="Fields whose value nobody checked against a source.")
    published_at: datetime
    updated_at: datetime
    edition: strawberry.auto = strawberry_django.field(field_cls=Column, field_name="number")
    sha256: strawberry.auto
    edition_id: strawberry.Private[UUID]
    manufacturer_id: strawberry.Private[UUID | None]
    parent_id: strawberry.Private[UUID | None]

    @strawberry.field(description="What a link to the homepage carries.")
    def rel(self) -> str:
        return models.VENDOR_REL

    @strawberry.field(description="The sections it works in, the main one first.")
    def sections(self, info: Info) -> list[Section]:
        return reads.many(self, info.context, VENDOR_SECTIONS, "edition_id", "edition_id")

    @strawberry.field(description="Its name in the catalogue, where it makes devices.")
    def manufacturer(self, info: Info) -> Manufacturer | None:
        return reads.one(self, info.context, MANUFACTURERS, "manufacturer_id")

    @strawberry.field(description="The company that owns it, where that is in the directory.")
    def parent(self, info: Info) -> "Vendor | None":
        return reads.one(self, info.context, VENDORS, "parent_id")

    @strawberry.field
    def facts(self, info: Info) -> list[Fact]:
        return reads.many(self, info.context, FACTS, "subject_id", order="field")

    @strawberry.field(
        description="What is shown for it now, and who pays.", metadata={"kinds": ("placement", "vendor")}
    )
    def placements(self, info: Info, first: First = DEFAULT_FIRST, after: After = None) -> "Connection[Placement]":
        return page_of(self, info, PLACEMENTS, "vendor_id", first=first, after=after)


@strawberry.type(description="Who pays, and the word that says so. To be shown with the placement, always.")
class Disclosure:
    label: str
    paid_by: str
    on_behalf_of: str | None


@strawberry.type(description="The picture of a placement, as it was approved.")
class PlacementImage:
    url: str
    width: int
    height: int
    alt: str


@strawberry_django.type(
    models.Placement,
    field_cls=Column,
    description="A paid appearance. Show `disclosure` with it, and give its link `rel`.",
)
class Placement(Row, Node):
    id: strawberry.auto
    slot: strawberry.auto
    lane: strawberry.auto
    headline: strawberry.auto
    text: str | None
    address: strawberry.auto
    begins_at: datetime
    ends_at: datetime
    sha256: strawberry.auto
    label: strawberry.Private[str]
    paid_by: strawberry.Private[str]
    on_behalf_of: strawberry.Private[str | None]
    picture: strawberry.Private[str | None]
    vendor_id: strawberry.Private[UUID]

    @strawberry.field
    def disclosure(self) -> Disclosure:
        return Disclosure(label=self.label, paid_by=self.paid_by, on_behalf_of=self.on_behalf_of)

    @strawberry.field(description="What its link carries.")
    def rel(self) -> str:
        return models.REL

    @strawberry.field
    def image(self) -> PlacementImage | None:
        if self.picture is None:
            return None
        picture = orjson.loads(self.picture)
        return PlacementImage(
            url=media_url(picture["file"]),
            width=picture["width"],
            height=picture["height"],
            alt=picture["alt"],
        )

    @strawberry.field(metadata={"kinds": ("vendor",)})
    def vendor(self, info: Info) -> Vendor | None:
        return reads.one(self, info.context, VENDORS, "vendor_id")


def _bound(column: str, function: str) -> Func:
    return Func(column, function=function, output_field=DateTimeField())


def _in_section(column: str, field: Any = TEXT) -> Narrow:
    def by(rows: Any, value: Any) -> Any:
        working = models.VendorEditionSection.objects.filter(edition=OuterRef("pk"), **{column: value})
        return rows.filter(Exists(working))

    return Narrow(by, field)


NOW = Parameter("now", DateTimeField())


def _shown_for(rows: Any, slug: Any) -> Any:
    return rows.filter(Exists(models.VendorEdition.objects.visible(NOW).filter(vendor=OuterRef("vendor"), slug=slug)))


VENDORS = node(
    Listing(
        kind="vendor",
        row=Vendor,
        visible=models.VendorEdition.objects.visible,
        key="vendor_id",
        columns=columns_of(
            Vendor,
            id="vendor_id",
            edition_id="id",
            updated_at=_bound("live", "lower"),
            **{name: text_or_null(name) for name in ("homepage", "company_status", "country", "city")},
        ),
        orders={
            "name": Order((text_key("name"), id_key("vendor_id"))),
            "newest": Order((instant_key("published_at"), id_key("vendor_id")), falling=True),
        },
        narrows={
            "section": _in_section("section__slug"),
            "section_id": _in_section("section_id", UUIDS),
            "role": Narrow(lambda rows, p: rows.filter(role=p)),
            "company_status": Narrow(lambda rows, p: rows.filter(company_status=p)),
            "country": Narrow(lambda rows, p: rows.filter(country=p)),
            "manufacturer": Narrow(lambda rows, p: rows.filter(manufacturer__slug=p)),
            "manufacturer_id": Narrow(lambda rows, p: rows.filter(manufacturer_id=p), UUIDS),
            "parent": Narrow(lambda rows, p: rows.owned_by(p, NOW)),
            "domain": Narrow(lambda rows, p: rows.filter(domain=p)),
            "search": Narrow(lambda rows, p: rows.matching(p)),
        },
    )
)
# The vendor that once stood at an address and has another one now.
MOVED = replace(
    VENDORS,
    visible=lambda at: models.VendorEdition.objects.moved_from(Parameter("by_slug", TEXT), at),
    narrows={"slug": Narrow(lambda rows, p: rows)},
)
# The sections of an edition, in its order.
VENDOR_SECTIONS = replace(
    SECTIONS,
    orders={"main": Order((number_key("vendor_rows__position"), id_key()))},
    narrows={"edition_id": Narrow(lambda rows, p: rows.filter(vendor_rows__edition_id=p), UUIDS)},
)
PLACEMENTS = node(
    Listing(
        kind="placement",
        row=Placement,
        visible=models.Placement.objects.visible,
        columns=columns_of(
            Placement,
            text=text_or_null("text"),
            on_behalf_of=text_or_null("on_behalf_of"),
            begins_at=_bound("period", "lower"),
            ends_at=_bound("period", "upper"),
            picture=Cast("picture", TextField()),
        ),
        orders={"slot": Order((text_key("slot"), number_key("lane"), id_key()))},
        narrows={
            "slot": Narrow(lambda rows, p: rows.filter(slot=p)),
            "vendor": Narrow(_shown_for),
            "vendor_id": Narrow(lambda rows, p: rows.filter(vendor_id=p), UUIDS),
        },
    )
)


def _vendors_of(by: str, description: str) -> Any:
    def vendors(
        self: Row,
        info: Info,
        order_by: VendorOrder = VendorOrder.NAME,
        first: First = DEFAULT_FIRST,
        after: After = None,
    ) -> Connection[Vendor]:
        return page_of(self, info, VENDORS, by, first=first, after=after, order=order_by)

    return strawberry.field(resolver=vendors, description=description)


extend(Section, vendors=_vendors_of("section_id", "The vendors that work in the section."))
extend(Manufacturer, vendors=_vendors_of("manufacturer_id", "The entries of the directory that are this manufacturer."))

"""What a text links to, and what stands behind its numbers."""

from typing import cast
from uuid import UUID

import strawberry
import strawberry_django
from django.db.models import F

from articles.links import links
from articles.models import Citation as CitationModel
from core.api.graphql import reads
from core.api.graphql.context import Info
from core.api.graphql.reads import UUIDS, Listing, Narrow, Row
from core.api.graphql.types import Column, columns_of
from core.api.keyset import Order, id_key, number_key
from core.facts.graphql import SOURCES, Source
from core.publishing.models import Reference


@strawberry_django.type(
    Reference,
    field_cls=Column,
    description="A record that a text links to or shows. A front-end follows renames by it.",
)
class Link(Row):
    kind: strawberry.auto = strawberry_django.field(
        field_cls=Column, field_name="target_kind", description="article, device, vendor, installation or scenario."
    )
    id: strawberry.ID
    written: strawberry.auto = strawberry_django.field(
        field_cls=Column, field_name="target_key", description="The slug that stands in the text."
    )
    slug: str | None = strawberry.field(description="The slug of today; null where there is nothing to read.")


@strawberry_django.type(CitationModel, field_cls=Column, description="A numbered reference of a text.")
class Citation(Row):
    number: strawberry.auto
    source_id: strawberry.Private[UUID]

    @strawberry.field(description="The source as it is known today.")
    def source(self, info: Info) -> Source:
        return cast(Source, reads.one(self, info.context, SOURCES, "source_id"))


LINKS = Listing(
    kind="",
    row=Link,
    visible=links,
    columns=columns_of(Link, id="target_id", slug=F("today")),
    orders={"made": Order((id_key(),))},
    narrows={"edition_id": Narrow(lambda rows, p: rows.filter(edition_id=p), UUIDS)},
)
CITATIONS = Listing(
    kind="",
    row=Citation,
    visible=lambda at: CitationModel.objects.all(),
    columns=columns_of(Citation),
    orders={"number": Order((number_key("number"), number_key("id")))},
    narrows={"edition_id": Narrow(lambda rows, p: rows.filter(edition_id=p), UUIDS)},
)

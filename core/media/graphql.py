"""Images over GraphQL."""

import strawberry
import strawberry_django

from core.api.graphql import reads
from core.api.graphql.context import Info
from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import UUIDS, Listing, Narrow, Row, text_or_null
from core.api.graphql.types import Column, columns_of
from core.api.keyset import Order, id_key, number_key, text_key
from core.api.representations import media_url_of
from core.media.models import Image as ImageModel
from core.media.models import Rendition as RenditionModel


@strawberry_django.type(
    RenditionModel, field_cls=Column, description="A picture at one of the declared widths: webp, jpeg or png."
)
class Rendition(Row):
    format: str
    width: strawberry.auto
    height: strawberry.auto
    url: str


@strawberry_django.type(
    ImageModel,
    field_cls=Column,
    description="A picture, with what must stand beside it. Its url and size are null while its file is missing.",
)
class Image(Row, Node):
    id: strawberry.auto
    name: strawberry.auto
    url: str | None
    width: strawberry.auto
    height: strawberry.auto
    placeholder: str | None = strawberry.field(
        description="A data URI of a few hundred bytes, to show until the picture is there."
    )
    focal_x: strawberry.auto
    focal_y: strawberry.auto
    alt: strawberry.auto
    credit: strawberry.auto
    licence: strawberry.auto

    @strawberry.field(description="By format and width. It fills a moment after the picture came.")
    def srcset(self, info: Info) -> list[Rendition]:
        return reads.many(self, info.context, RENDITIONS, "image_id")


RENDITIONS = Listing(
    kind="",
    row=Rendition,
    visible=RenditionModel.objects.visible,
    columns=columns_of(Rendition, url=media_url_of("file")),
    orders={"width": Order((text_key("format"), number_key("width"), id_key()))},
    narrows={"image_id": Narrow(lambda rows, key: rows.filter(image_id=key), UUIDS)},
)
IMAGES = node(
    Listing(
        kind="image",
        row=Image,
        visible=ImageModel.objects.visible,
        columns=columns_of(Image, url=media_url_of("file"), placeholder=text_or_null("placeholder")),
        orders={"name": Order((text_key("name"), id_key()))},
    )
)

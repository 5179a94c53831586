"""Images over GraphQL."""

import strawberry
import strawberry_django

from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import Listing, Row
from core.api.graphql.types import Column, columns_of
from core.api.keyset import Order, id_key, text_key
from core.api.representations import media_url_of
from core.media.models import Image as ImageModel


@strawberry_django.type(ImageModel, field_cls=Column, description="A picture, with what must stand beside it.")
class Image(Row, Node):
    id: strawberry.auto
    name: strawberry.auto
    url: str | None = strawberry.field(description="Null while the file is missing, as width and height are.")
    width: strawberry.auto
    height: strawberry.auto
    alt: strawberry.auto
    credit: strawberry.auto
    licence: strawberry.auto


IMAGES = node(
    Listing(
        kind="image",
        row=Image,
        visible=ImageModel.objects.visible,
        columns=columns_of(Image, url=media_url_of("file")),
        orders={"name": Order((text_key("name"), id_key()))},
    )
)

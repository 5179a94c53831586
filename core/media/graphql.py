"""Images over GraphQL."""

import strawberry
import strawberry_django
from django.conf import settings
from django.db.models import TextField, Value
from django.db.models.functions import Concat

from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import Listing, Row
from core.api.graphql.types import Column, columns_of
from core.api.keyset import Order, id_key, text_key
from core.media.models import Image as ImageModel


@strawberry_django.type(ImageModel, field_cls=Column, description="A picture, with what must stand beside it.")
class Image(Row, Node):
    id: strawberry.auto
    name: strawberry.auto
    url: str
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
        columns=columns_of(Image, url=Concat(Value(settings.MEDIA_URL), "file", output_field=TextField())),
        orders={"name": Order((text_key("name"), id_key()))},
    )
)

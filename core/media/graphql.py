"""Images over GraphQL."""

import strawberry
from django.conf import settings
from django.db.models import TextField, Value
from django.db.models.functions import Concat

from core.api.graphql.nodes import Node, node
from core.api.graphql.reads import Listing, Row
from core.api.keyset import Order, id_key, text_key
from core.media.models import Image as ImageModel


@strawberry.type(description="A picture, with what must stand beside it.")
class Image(Row, Node):
    id: strawberry.ID
    name: str
    url: str
    width: int
    height: int
    alt: str
    credit: str
    licence: str


IMAGES = node(
    Listing(
        kind="image",
        row=Image,
        visible=ImageModel.objects.visible,
        columns={
            "id": "id",
            "name": "name",
            "url": Concat(Value(settings.MEDIA_URL), "file", output_field=TextField()),
            **{name: name for name in ("width", "height", "alt", "credit", "licence")},
        },
        orders={"name": Order((text_key("name"), id_key()))},
    )
)

"""The images that texts show: one statement for the names of all texts that were read together, one for the images."""

from typing import Any
from uuid import UUID

from articles.pictures import figures
from core.api.graphql import reads
from core.api.graphql.context import Context
from core.api.graphql.reads import UUIDS, Batch, Listing, Narrow, Row
from core.api.keyset import Order, id_key, text_key
from core.media.graphql import IMAGES, Image


class Named(Row):
    """An image as a text names it."""

    written: str
    id: UUID


FIGURES: Listing[Named] = Listing(
    kind="",
    row=Named,
    visible=lambda at: figures(),
    columns={"written": "target_key", "id": "target_id"},
    orders={"name": Order((text_key("target_key"), id_key()))},
    narrows={"edition_id": Narrow(lambda rows, p: rows.filter(edition_id=p), UUIDS)},
)


def images_of(batch: Batch, context: Context) -> dict[tuple[UUID, str], Image]:
    """Return the images of the texts of a batch, whose rows have `edition_id`, by edition and name as it is written."""

    def read() -> dict[Any, Image]:
        figures = reads.read_parts(FIGURES, context, "edition_id", batch.values("edition_id"))
        named = {(edition, row.written): row.id for edition, rows in figures.items() for row in rows}
        found = reads.read_keys(IMAGES, context, list(dict.fromkeys(named.values())))
        return {key: found[pk] for key, pk in named.items() if pk in found}

    return batch.once("images", read)

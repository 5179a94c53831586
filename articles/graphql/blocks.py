"""The typed blocks of a body. They are frozen with the edition; here the JSON of articles/markup gets GraphQL's types.

What a block shows (a device, an installation) is a record of today: one statement a kind for all blocks that were read
together.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, cast
from uuid import UUID

import strawberry

from articles.graphql.figures import images_of
from articles.graphql.links import LINKS
from catalog.graphql.types import DEVICES, INSTALLATIONS, Device, Installation
from core.api.graphql import reads
from core.api.graphql.context import Info
from core.api.graphql.reads import Batch, Listing, Row
from core.media.graphql import Image
from simulator.graphql.types import SCENARIOS, Scenario
from sponsors.graphql.types import VENDORS, Vendor


class BlockRow(Row):
    """A block, of the edition `edition_id`."""

    edition_id: UUID


@strawberry.type(
    description="A link in a text, `to` as it was written. `links` of the article has the address of today."
)
class InlineLink:
    text: str
    to: str
    kind: str = strawberry.field(description="article, device, vendor, installation, anchor, web or mail.")
    slug: str
    anchor: str


@strawberry.interface(description="What the text of a block mentions, in order, each as often as it stands there.")
class Mentions:
    quantities: list[str] = strawberry.field(description="Keys of `quantities` of the article.")
    links: list[InlineLink]
    citations: list[str] = strawberry.field(description="Slugs of sources.")
    footnotes: list[int]


@strawberry.type(
    description="In `text` a quantity stands as {{key}}, a citation as [n]; `html` is safe and shows values."
)
class ParagraphBlock(BlockRow, Mentions):
    text: str
    html: str


@strawberry.type
class HeadingBlock(BlockRow, Mentions):
    text: str
    html: str
    level: int
    anchor: str


@strawberry.type
class ListItem:
    blocks: list["Block"]


@strawberry.type(description="`start` is null in a list without numbers.")
class ListBlock(BlockRow):
    ordered: bool
    start: int | None
    tight: bool
    items: list[ListItem]


@strawberry.type(description="Each row has as many cells as the header; `align` is left, right, center or empty.")
class TableBlock(BlockRow, Mentions):
    header: list[str]
    align: list[str]
    rows: list[list[str]]
    header_html: list[str]
    rows_html: list[list[str]]


@strawberry.type
class CodeBlock(BlockRow):
    language: str
    text: str


@strawberry.type(description="A line between two parts.")
class RuleBlock(BlockRow):
    @strawberry.field(description="Always true: a type needs a field.")
    def is_rule(self) -> bool:
        return True


@strawberry.type(description="An image with its caption.")
class FigureBlock(BlockRow, Mentions):
    src: str = strawberry.field(description="The name of the image, as it is written.")
    alt: str
    title: str
    credit: str
    caption: str
    caption_html: str

    @strawberry.field(description="The image of today: where it is, how large, and at which other widths.")
    def image(self, info: Info) -> Image | None:
        return images_of(self.batch, info.context).get((self.edition_id, self.src))


@strawberry.type
class CalloutBlock(BlockRow):
    kind: str = strawberry.field(description="note, tip, info, warning or danger.")
    title: str
    blocks: list["Block"]


@strawberry.type(description="Words of another, or a quotation that names nobody.")
class QuoteBlock(BlockRow):
    by: str
    source: str = strawberry.field(description="Where they were said: an https address, or empty.")
    blocks: list["Block"]


@strawberry.type(description="`device` is the record of today, null where there is none any more.")
class DeviceBlock(BlockRow):
    slug: str

    @strawberry.field
    def device(self, info: Info) -> Device | None:
        return record_of(self, info, "device", DEVICES)


@strawberry.type
class InstallationBlock(BlockRow):
    slug: str

    @strawberry.field
    def installation(self, info: Info) -> Installation | None:
        return record_of(self, info, "installation", INSTALLATIONS)


@strawberry.type(description="`vendor` is its entry of today, null where there is none to read.")
class VendorBlock(BlockRow):
    slug: str

    @strawberry.field
    def vendor(self, info: Info) -> Vendor | None:
        return record_of(self, info, "vendor", VENDORS)


@strawberry.type(description="The rack of a saved scenario, which goes by its slug.")
class RackBlock(BlockRow):
    slug: str

    @strawberry.field
    def scenario(self, info: Info) -> Scenario | None:
        return record_of(self, info, "scenario", SCENARIOS)


@strawberry.type(description="A rung of a ladder as it was published; power in kW.")
class LadderRung:
    rung: str = strawberry.field(description="chip, node, rack, hall, campus or grid.")
    count: Decimal = strawberry.field(description="How many there are in all.")
    each_kw: Decimal = strawberry.field(description="What one takes.")
    total_kw: Decimal = strawberry.field(description="What all of them take.")
    kw_per_chip: Decimal
    added_fraction: Decimal | None = strawberry.field(description="What it adds to the rung below; null for the chip.")
    each_text: str
    total_text: str
    per_chip_text: str


@strawberry.type(
    description="The ladder from chip to grid of a saved scenario, which goes by its slug. `rungs` are as they were "
    "published, and empty where the scenario was none; `scenario` is that of today."
)
class LadderBlock(BlockRow):
    slug: str
    rungs: list[LadderRung]

    @strawberry.field
    def scenario(self, info: Info) -> Scenario | None:
        return record_of(self, info, "scenario", SCENARIOS)


Block = Annotated[
    ParagraphBlock
    | HeadingBlock
    | ListBlock
    | TableBlock
    | CodeBlock
    | RuleBlock
    | FigureBlock
    | CalloutBlock
    | QuoteBlock
    | DeviceBlock
    | InstallationBlock
    | VendorBlock
    | RackBlock
    | LadderBlock,
    strawberry.union("Block", description="A part of a body."),
]

_TYPES: dict[str, type[BlockRow]] = {
    "paragraph": ParagraphBlock,
    "heading": HeadingBlock,
    "list": ListBlock,
    "table": TableBlock,
    "code": CodeBlock,
    "rule": RuleBlock,
    "figure": FigureBlock,
    "callout": CalloutBlock,
    "quote": QuoteBlock,
    "device": DeviceBlock,
    "installation": InstallationBlock,
    "vendor": VendorBlock,
    "rack": RackBlock,
    "ladder": LadderBlock,
}


def make_blocks(bodies: Sequence[tuple[UUID, Sequence[Mapping[str, Any]]]]) -> list[list[BlockRow]]:
    """Return the blocks of each body (an edition, its JSON). All are one batch, those inside of others too."""
    every: list[Row] = []
    made = [_make(blocks, edition_id, every) for edition_id, blocks in bodies]
    Batch(every)
    return made


def _make(blocks: Sequence[Mapping[str, Any]], edition_id: UUID, every: list[Row]) -> list[BlockRow]:
    rows = []
    for block in blocks:
        row = object.__new__(_TYPES[block["type"]])
        row.__dict__.update(block, edition_id=edition_id)
        if "scenario" in block:
            row.__dict__["slug"] = row.__dict__.pop("scenario")
        if block["type"] == "ladder":
            # What was published before ladders had data has none.
            row.__dict__["rungs"] = [_rung(rung) for rung in block.get("rungs", [])]
        if "links" in block:
            row.__dict__["links"] = [InlineLink(**link) for link in block["links"]]
        if "blocks" in block:
            row.__dict__["blocks"] = _make(block["blocks"], edition_id, every)
        if "items" in block:
            items = [cast(Any, _make(item["blocks"], edition_id, every)) for item in block["items"]]
            row.__dict__["items"] = [ListItem(blocks=blocks) for blocks in items]
        every.append(row)
        rows.append(row)
    return rows


_TEXTS = ("rung", "each_text", "total_text", "per_chip_text")


def _rung(data: Mapping[str, Any]) -> LadderRung:
    values: dict[str, Any] = {
        name: value if name in _TEXTS or value is None else Decimal(value) for name, value in data.items()
    }
    return LadderRung(**values)


def record_of(block: BlockRow, info: Info, kind: str, listing: Listing[Any]) -> Any:
    """Return the record that a block shows, by the id that its edition froze beside the slug."""
    batch, context = block.batch, info.context
    links = batch.once("links", lambda: reads.read_parts(LINKS, context, "edition_id", batch.values("edition_id")))
    ids = {(edition, link.written): link.id for edition, rows in links.items() for link in rows if link.kind == kind}
    found = batch.once(("records", kind), lambda: reads.read_keys(listing, context, list(dict.fromkeys(ids.values()))))
    return found.get(ids.get((block.edition_id, block.__dict__["slug"])))

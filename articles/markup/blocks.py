"""The typed blocks of a body.

In `text`, soft breaks are spaces, hard breaks newlines, an inline quantity stands as {{name}} and a citation as [n].
`html` is sanitised, and shows the values. Quantities, links, citations and notes are listed in order, each as often as
it stands there. Everything is frozen, and `block_json` gives it to an edition.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is sound. `to` as it is written; `slug` and `anchor` where it leads to a record or into a page."""

    text: str
    to: str
    kind: Literal["article", "device", "vendor", "installation", "anchor", "web", "mail"]
    slug: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """What the text of a block mentions: quantities by name, links, sources by slug, notes by number."""

    quantities: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    citations: tuple[str, ...] = ()
    footnotes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose(Mentions):
    """A run of text."""

    text: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph(Prose):
    type: ClassVar = "paragraph"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading(Prose):
    type: ClassVar = "heading"
    level: int
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
    type: ClassVar = "list_item"
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    """`start` is None in a list without numbers. In a tight list paragraphs stand without space between them."""

    type: ClassVar = "list"
    ordered: bool
    start: int | None
    tight: bool
    items: tuple[ListItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Mentions):
    """Each row has as many cells as the header, and `align` one of "left", "right", "center", "" for each column."""

    type: ClassVar = "table"
    header: tuple[str, ...]
    align: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    header_html: tuple[str, ...]
    rows_html: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """`text` without the newline at its end. `language` is the first word behind the fence."""

    type: ClassVar = "code"
    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    type: ClassVar = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(Mentions):
    """An image, by the name of its record: where it is, and how large, changes. Mentions are the caption's."""

    type: ClassVar = "figure"
    src: str
    alt: str
    title: str = ""
    credit: str = ""
    caption: str = ""
    caption_html: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callout:
    type: ClassVar = "callout"
    kind: str
    title: str
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words of another: a quote directive, or a block quote of Markdown, which names nobody."""

    type: ClassVar = "quote"
    by: str = ""
    source: str = ""
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceBlock:
    type: ClassVar = "device"
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorBlock:
    type: ClassVar = "vendor"
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationBlock:
    type: ClassVar = "installation"
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RackBlock:
    type: ClassVar = "rack"
    scenario: str


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of a ladder as it was when the text was read. Numbers are text, so that they stay exact; kW.

    `each_text` and `total_text` are how people read the power of one and of all.
    """

    rung: str
    count: str
    each_kw: str
    total_kw: str
    kw_per_chip: str
    added_fraction: str | None
    each_text: str
    total_text: str
    per_chip_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderBlock:
    type: ClassVar = "ladder"
    scenario: str
    rungs: tuple[Rung, ...] = ()


@dataclass(frozen=True, slots=True)
class TocEntry:
    """A heading in the contents. `plain` is `text` with the values of quantities."""

    level: int
    text: str
    anchor: str
    plain: str


RecordBlock = DeviceBlock | VendorBlock | InstallationBlock | RackBlock | LadderBlock
Block = Paragraph | Heading | List | Table | Code | Rule | Figure | Callout | Quote | RecordBlock


def block_json(block: Any) -> dict[str, Any]:
    """Return a block, or another of the dataclasses of this package, as JSON; of a block, "type" says which."""
    kind = getattr(block, "type", None)
    named = {"type": kind} if isinstance(kind, str) else {}
    return named | {field.name: _json(getattr(block, field.name)) for field in fields(block)}


def _json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_json(each) for each in value]
    return value if value is None or isinstance(value, str | int | bool) else block_json(value)


def mentions(block: Block) -> Iterator[Mentions]:
    """Yield what has text of its own in `block`, in order: paragraphs of lists and callouts, tables, figures."""
    if isinstance(block, Mentions):
        yield block
    elif isinstance(block, List):
        for item in block.items:
            for inner in item.blocks:
                yield from mentions(inner)
    elif isinstance(block, Callout | Quote):
        for inner in block.blocks:
            yield from mentions(inner)


def text_of(block: Block) -> str:
    """Return the text of `block` and of all blocks in it, a line each."""
    match block:
        case Paragraph() | Heading() | Code():
            return block.text
        case List():
            return "\n".join(text_of(inner) for item in block.items for inner in item.blocks)
        case Callout() | Quote():
            return "\n".join(text_of(inner) for inner in block.blocks)
        case Table():
            return "\n".join("\t".join(row) for row in (block.header, *block.rows))
        case Figure():
            return block.caption or block.alt
        case _:
            return ""

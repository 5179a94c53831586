"""What is known of the whole text while its blocks are built: what exists, what is numbered how, and what was found."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from markdown_it.token import Token

from .anchors import Anchors, anchor_of
from .blocks import TocEntry
from .errors import Report
from .records import Kind, Record, Records


@dataclass(frozen=True, slots=True)
class Reference:
    """A record that the text names. `str()` is its key, of all but quantities behind the kind: "device:h100-sxm5"."""

    kind: Kind
    key: str

    def __str__(self) -> str:
        return self.key if self.kind == "quantity" else f"{self.kind}:{self.key}"


@dataclass(slots=True)
class Node:
    """A block token with the blocks inside it; of an inline token, `token.children` are the inline tokens."""

    token: Token
    children: list["Node"] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """The body, or a note: its blocks, and its inline tokens in order."""

    blocks: list[Node] = field(default_factory=list)
    inlines: list[Token] = field(default_factory=list)


@dataclass(slots=True)
class Note(Part):
    """A note. `label` is compared, `name` is as it is written, `at` its offset."""

    label: str = ""
    name: str = ""
    at: int = 0


@dataclass(slots=True)
class Tree:
    """A whole text. Notes are in the order in which they are written, wherever that is; headings are of all parts."""

    body: Part = field(default_factory=Part)
    notes: list[Note] = field(default_factory=list)
    headings: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    """One text on its way to a document."""

    records: Records
    report: Report
    # Offset and record of each reference; the same record may come often.
    references: list[tuple[int, Reference]] = field(default_factory=list)
    # Labels of notes and slugs of sources, with their numbers from 1, in the order in which a reader meets them.
    notes: dict[str, int] = field(default_factory=dict)
    citations: dict[str, int] = field(default_factory=dict)
    anchors: Anchors = field(default_factory=Anchors)
    # How often each note was referred to so far.
    note_uses: dict[str, int] = field(default_factory=dict)
    # The text with values, piece by piece, as a reader or a search engine gets it.
    plain: list[str] = field(default_factory=list)
    toc: list[TocEntry] = field(default_factory=list)

    def find(self, kind: Kind, key: str, at: int) -> Record | None:
        """Return the record named at the offset `at`, and note the reference; or report that it dangles."""
        record = self.records.find(kind, key)
        if record is None or record.is_unknown:
            self.report.add(at, f"dangling_{kind}" if record is None else f"unknown_{kind}", key)
            return None
        self.references.append((at, Reference(kind, key)))
        return record

    def ordered_references(self) -> tuple[Reference, ...]:
        """Return every record named, once, in order of place."""
        return tuple(dict.fromkeys(reference for _, reference in sorted(self.references, key=lambda pair: pair[0])))


def label_of(name: str) -> str:
    """Return `name` of a note as it is compared: upper and lower case make no difference."""
    return name.casefold()


def build_tree(tokens: Iterable[Token]) -> Tree:
    """Return what `tokens` make, with the notes taken out of the body."""
    tree = Tree()
    part = tree.body
    # The blocks that are open, each with the part around it.
    stack: list[tuple[list[Node], Part]] = []
    blocks = part.blocks
    for token in tokens:
        if token.nesting < 0:
            blocks, part = stack.pop()
            continue
        if token.type == "footnote_reference_open":
            stack.append((blocks, part))
            name = token.meta["label"]
            part = Note(label=label_of(name), name=name, at=token.meta["at"])
            tree.notes.append(part)
            blocks = part.blocks
            continue
        node = Node(token)
        blocks.append(node)
        if token.type == "inline":
            part.inlines.append(token)
        elif token.type == "heading_open":
            tree.headings.append(node)
        if token.nesting > 0:
            stack.append((blocks, part))
            blocks = node.children
    return tree


def number_notes_and_citations(page: Page, body: Part, notes: dict[str, Note]) -> None:
    """Number notes and sources as a reader meets them: first the body, then the notes in the order of their numbers."""
    _number(page, body, notes)
    # A note may refer to another, which is then numbered, and read, after it.
    read = 0
    while read < len(page.notes):
        for label in list(page.notes)[read:]:
            _number(page, notes[label], notes)
            read += 1


def _number(page: Page, part: Part, notes: dict[str, Note]) -> None:
    for inline in part.inlines:
        for token in inline.children or ():
            if token.type == "note" and (label := label_of(token.content)) in notes:
                page.notes.setdefault(label, len(page.notes) + 1)
            elif token.type == "citation" and page.records.find("source", token.content) is not None:
                page.citations.setdefault(token.content, len(page.citations) + 1)


def name_headings(page: Page, headings: Iterable[Node]) -> None:
    """Give each heading its anchor, as `token.meta["anchor"]`."""
    for heading in headings:
        inline = heading.children[0].token
        own = inline.meta.get("own_anchor")
        heading.token.meta["anchor"] = page.anchors.take(own or anchor_of(_bare_text(inline)))


def _bare_text(inline: Token) -> str:
    """Return the words of a heading without what may change: quantities, the numbers of citations and notes."""
    words = []
    for token in inline.children or ():
        if token.type in ("text", "text_special", "code_inline", "malformed_quantity"):
            words.append(token.content)
        elif token.type in ("softbreak", "hardbreak") or token.content == "<br>":
            words.append(" ")
    return "".join(words)

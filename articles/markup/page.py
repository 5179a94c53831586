"""What is known of the whole text while its blocks are built: what exists, what is numbered how, and what was found."""

from collections.abc import Iterable, Iterator
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
class Definition:
    """A note. `label` is compared, `name` is as it is written, `at` its offset."""

    label: str
    name: str
    at: int
    children: list[Node]


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
        if record is None:
            self.report.add(at, f"dangling_{kind}", key)
        else:
            self.references.append((at, Reference(kind, key)))
        return record

    def ordered_references(self) -> tuple[Reference, ...]:
        """Return every record named, once, in order of place."""
        return tuple(dict.fromkeys(reference for _, reference in sorted(self.references, key=lambda pair: pair[0])))


def label_of(name: str) -> str:
    """Return `name` of a note as it is compared: upper and lower case make no difference."""
    return name.casefold()


def build_tree(tokens: Iterable[Token]) -> tuple[list[Node], list[Definition]]:
    """Return the blocks of the body, and the notes in the order in which they are written, wherever they stand."""
    root: list[Node] = []
    stack = [root]
    definitions: list[Definition] = []
    for token in tokens:
        if token.nesting < 0:
            stack.pop()
            continue
        node = Node(token)
        if token.type == "footnote_reference_open":
            name = token.meta["label"]
            definitions.append(Definition(label_of(name), name, token.meta["at"], node.children))
        else:
            stack[-1].append(node)
        if token.nesting > 0:
            stack.append(node.children)
    return root, definitions


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield all of `nodes` and what is in them, in order."""
    for node in nodes:
        yield node
        yield from walk(node.children)


def number_notes_and_citations(page: Page, body: list[Node], definitions: dict[str, Definition]) -> None:
    """Number notes and sources as a reader meets them: first the body, then the notes in the order of their numbers."""
    _number(page, body, definitions)
    # A note may refer to another, which is then numbered, and read, after it.
    read = 0
    while read < len(page.notes):
        for label in list(page.notes)[read:]:
            _number(page, definitions[label].children, definitions)
            read += 1


def _number(page: Page, nodes: list[Node], definitions: dict[str, Definition]) -> None:
    for node in walk(nodes):
        for token in node.token.children or ():
            if token.type == "note" and (label := label_of(token.content)) in definitions:
                page.notes.setdefault(label, len(page.notes) + 1)
            elif token.type == "citation" and page.records.find("source", token.content) is not None:
                page.citations.setdefault(token.content, len(page.citations) + 1)


def name_headings(page: Page, nodes: Iterable[Node]) -> None:
    """Give each heading its anchor, as `token.meta["anchor"]`."""
    for node in walk(nodes):
        if node.token.type == "heading_open":
            inline = node.children[0].token
            own = inline.meta.get("own_anchor")
            node.token.meta["anchor"] = page.anchors.take(own or anchor_of(_bare_text(inline)))


def _bare_text(inline: Token) -> str:
    """Return the words of a heading without what may change: quantities, the numbers of citations and notes."""
    words = []
    for token in inline.children or ():
        if token.type in ("text", "text_special", "code_inline", "malformed_quantity"):
            words.append(token.content)
        elif token.type in ("softbreak", "hardbreak") or token.content == "<br>":
            words.append(" ")
    return "".join(words)

"""What stands where in a text, for who judges how it is written: headings, links, pictures, tables, passages of prose.

`parse()` says what a text means and what is wrong with it, and forgets places on the way; this keeps them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from urllib.parse import unquote

from markdown_it.token import Token

from .anchors import split_own_anchor
from .directives import read_directive
from .errors import Report
from .grammar import read_blocks, read_inline
from .page import Node, build_tree
from .records import Asked
from .source import Source, read_source
from .urls import Target, read_target

# Words of somebody else inside a line. The end must be near: a mark that is never closed is an inch or a mistake.
QUOTED = re.compile(r"“[^“”]{1,400}”|(?<!\w)\"[^\"]{1,400}\"(?!\w)")
TEXTS = ("text", "text_special", "code_inline", "malformed_quantity", "quantity")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the text: line and column from 1, the column in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class HeadingSpot(Spot):
    """A heading. `own_anchor` is what was written by hand, or ""."""

    level: int
    text: str
    own_anchor: str


@dataclass(frozen=True, slots=True)
class LinkSpot(Spot):
    """A link that leads somewhere. `is_bare`: its text is its address."""

    text: str
    target: Target
    is_bare: bool


@dataclass(frozen=True, slots=True)
class PictureSpot(Spot):
    """An image by its name, from Markdown or a figure."""

    name: str
    alt: str
    credit: str


@dataclass(frozen=True, slots=True)
class EmbedSpot(Spot):
    """A scenario that is shown, as `name`: rack or ladder."""

    name: str
    scenario: str


@dataclass(frozen=True, slots=True)
class TableSpot(Spot):
    """A table. `header` has the text of each cell of its first row."""

    header: tuple[str, ...]
    row_count: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The prose of one paragraph, heading or cell.

    In `text` what is no prose (code, quantities, addresses of links, tags, citations) stands as blanks, one for each
    character, so that places hold; and so do the words of others.
    """

    text: str
    is_paragraph: bool
    source: Source
    spans: tuple[tuple[int, int], ...]

    def spot(self, at: int) -> Spot:
        """Return the place of the offset `at` of `text`."""
        begin = self.spans[max(bisect_right(self.spans, at, key=itemgetter(0)) - 1, 0)]
        return Spot(*self.source.place(begin[1] + at - begin[0]))


@dataclass(slots=True)
class Survey:
    """All that was found, each kind in the order in which it is written; notes come behind the body."""

    headings: list[HeadingSpot] = field(default_factory=list)
    links: list[LinkSpot] = field(default_factory=list)
    pictures: list[PictureSpot] = field(default_factory=list)
    tables: list[TableSpot] = field(default_factory=list)
    embeds: list[EmbedSpot] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)


def survey(text: str) -> Survey:
    """Return what stands where in `text`. The time grows with its length and with nothing else."""
    source = read_source(text)
    tokens, _, env = read_blocks(source)
    for index, token in enumerate(tokens):
        if token.type == "inline":
            content = token.content
            if tokens[index - 1].type == "heading_open":
                content, token.meta["own_anchor"] = split_own_anchor(content)
            token.children = read_inline(content, env)
    tree = build_tree(tokens)
    surveyor = _Surveyor(source)
    for part in (tree.body, *tree.notes):
        for node in part.blocks:
            surveyor.visit(node, in_quote=False)
    return surveyor.found


class _Surveyor:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.found = Survey()

    def visit(self, node: Node, *, in_quote: bool) -> None:
        token = node.token
        if token.type == "heading_open":
            inline = node.children[0].token
            self.found.headings.append(
                HeadingSpot(
                    *self.source.place(token.meta["at"]),
                    level=int(token.tag[1:]),
                    text=_text(inline.children or []),
                    own_anchor=inline.meta.get("own_anchor", ""),
                )
            )
        elif token.type == "table_open":
            rows = [row for part in node.children for row in part.children]
            header = tuple(_text(cell.children[0].token.children or []) for cell in rows[0].children)
            self.found.tables.append(
                TableSpot(*self.source.place(token.meta["at"]), header=header, row_count=len(rows) - 1)
            )
        elif token.type == "directive_open":
            # What is wrong with it, `parse()` reports.
            directive = read_directive(
                token.info, token.meta["at"], token.meta["line_at"], Asked(), Report(self.source)
            )
            if directive.name == "figure":
                self.found.pictures.append(
                    PictureSpot(
                        *self.source.place(token.meta["at"]),
                        name=directive.value("src"),
                        alt=directive.value("alt"),
                        credit=directive.value("credit"),
                    )
                )
            elif scenario := directive.value("scenario"):
                place = self.source.place(token.meta["at"])
                self.found.embeds.append(EmbedSpot(*place, name=directive.name, scenario=scenario))
            in_quote = in_quote or directive.name == "quote"
        elif token.type == "inline":
            self._read(token, in_quote=in_quote, is_paragraph=False)
        in_quote = in_quote or token.type == "blockquote_open"
        for child in node.children:
            if token.type == "paragraph_open":
                self._read(child.token, in_quote=in_quote, is_paragraph=True)
            else:
                self.visit(child, in_quote=in_quote)

    def _read(self, inline: Token, *, in_quote: bool, is_paragraph: bool) -> None:
        children = inline.children or []
        spans = tuple(inline.meta["spans"])
        whole = Passage(inline.content, is_paragraph, self.source, spans)
        self.found.links.extend(_links(children, whole))
        self.found.pictures.extend(_pictures(children, whole))
        if in_quote or not inline.content:
            return
        masks = sorted(
            [*_masks(children), *((quote.start(), quote.end()) for quote in QUOTED.finditer(inline.content))]
        )
        self.found.passages.append(Passage(_blanked(inline.content, masks), is_paragraph, self.source, spans))


def _links(children: list[Token], whole: Passage) -> Iterator[LinkSpot]:
    for index, token in enumerate(children):
        if token.type != "link_open":
            continue
        target = read_target(token.meta["destination"])
        if isinstance(target, str):
            continue
        end = _closing(children, index)
        text = " ".join(_text(children[index + 1 : end]).split())
        spot = whole.spot(token.meta["at"])
        bare = text in (target.to, target.to.removeprefix("mailto:")) or text.lower().startswith(
            ("http://", "https://", "www.")
        )
        yield LinkSpot(spot.line, spot.column, text=text, target=target, is_bare=bare and target.kind == "web")


def _pictures(children: list[Token], whole: Passage) -> Iterator[PictureSpot]:
    for index, token in enumerate(children):
        if token.type == "image_open":
            spot = whole.spot(token.meta["at"])
            alt = " ".join(_text(children[index + 1 : _closing(children, index)]).split())
            yield PictureSpot(spot.line, spot.column, name=unquote(token.meta["destination"]), alt=alt, credit="")


def _closing(children: list[Token], index: int) -> int:
    """Return the index of the token that closes the one at `index`: links and images stand in each other rarely."""
    kind, depth = children[index].type.removesuffix("_open"), 0
    for end in range(index, len(children)):
        if children[end].type in (f"{kind}_open", f"{kind}_close"):
            depth += children[end].nesting
            if depth == 0:
                return end
    raise AssertionError(f"{kind} is never closed")


def _text(children: list[Token]) -> str:
    """Return the words of inline tokens, of quantities their names."""
    return "".join(
        token.content if token.type in TEXTS else " " if token.type in ("softbreak", "hardbreak") else ""
        for token in children
    )


def _masks(children: list[Token]) -> Iterator[tuple[int, int]]:
    """Yield where in the content something stands that is no prose."""
    for token in children:
        at = token.meta.get("at", -1)
        if token.type in ("code_inline", "link_close", "image_close"):
            yield at, token.meta["end"]
        elif token.type in ("tag", "html", "comment"):
            yield at, at + len(token.content)
        elif token.type in ("citation", "note", "quantity"):
            # [@…], [^…] and {{…}}: what encloses the name is two or more at the front, and one or two behind.
            yield at, at + len(token.content) + 3 + (token.type == "quantity")


def _blanked(content: str, masks: list[tuple[int, int]]) -> str:
    pieces, last = [], 0
    for begin, end in masks:
        if end > last:
            begin = max(begin, last)
            pieces += [content[last:begin], " " * (end - begin)]
            last = end
    pieces.append(content[last:])
    return "".join(pieces)[: len(content)]

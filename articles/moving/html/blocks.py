"""The block half of the writer: what each element becomes. The rules are those of README rule 11, in docs/moving.md."""

import re
from collections.abc import Callable, Iterable, Mapping

from articles.markup.anchors import anchor_of
from articles.moving import escaping
from articles.moving.directives import quote
from articles.moving.items import Picture, Place
from articles.moving.page import Page

from . import figures, lists, tables
from .inlines import Inlines, Piece
from .notes import Notes, find_notes
from .tree import (
    EMBEDS,
    HEADINGS,
    Node,
    Where,
    attribute,
    classes,
    deepest,
    descendants,
    elements_of,
    find,
    holders_of_blocks,
    is_block,
    read,
    text_of,
)

PARAGRAPH_END = re.compile(r"[ \t]*\n[ \t]*\n\s*")
ADDRESS = re.compile(r"https?://[^\s<>\"]+")
LANGUAGE = re.compile(r"(?:lang(?:uage)?-|brush:\s*)([\w+#.-]+)")
# What they show is text, and goes on in a line of its own.
DROPPED = ("form", "input", "textarea", "select", "button", "svg", "canvas", "style", "map", "object", "template")


class Writer(Inlines):
    """Writes one body. Public to readers are `blocks`, `inline`, `paragraph`, `figure_of`, `place_of` and `page`."""

    def __init__(
        self,
        html: str,
        page: Page,
        where: Where,
        *,
        picture: Callable[[Mapping[str, str]], Picture | None],
        notes: Mapping[str, str],
        elements: Mapping[str, Callable[..., str]],
        breaks_lines: bool,
        embeds_addresses: bool,
    ) -> None:
        self.html, self.page, self._where, self.picture_of = html, page, where, picture
        self._kept_notes, self.elements = notes, elements
        self.breaks_lines, self._embeds_addresses = breaks_lines, embeds_addresses
        self.gone: set[int] = set()
        self._notes = Notes()
        self._numbers: dict[str, str] = {}
        self._holders: set[int] = set()
        self._deepest: set[int] = set()

    def document(self) -> str:
        """Return all of the HTML, with its notes at the end."""
        root = read(self.html)
        self._notes = find_notes(root)
        self.gone = self._notes.gone
        self._holders, self._deepest = holders_of_blocks(root), deepest(root)
        parts = self.blocks(root.children)
        written = 0
        while written < len(self._numbers):
            # A note may refer to another.
            key, number = list(self._numbers.items())[written]
            written += 1
            parts.append(self._note(key, number))
        return "\n\n".join(part for part in parts if part)

    # Places

    def place_of(self, node: Node) -> Place:
        """Return where `node` stands, with the beginning of its source."""
        here = node
        while here is not None and getattr(here, "origin_line", None) is None:
            here = here.parent
        line = here.origin_line if here is not None else 1
        return self._where(line - 1, self._source_of(node))

    def _source_of(self, node: Node) -> str:
        if "-" in node.name and attribute(node, "data-near"):
            return attribute(node, "data-near")  # An element of the reader's own, which knows what stood there.
        offset = getattr(node, "origin_offset", None)
        if offset is None:
            return text_of(node).strip()
        return self.html[offset : offset + 300]

    def drop(self, node: Node, code: str = "html_dropped") -> None:
        """Say that `node` is lost, with its source."""
        self.page.warn(code, self.place_of(node), dropped=node.to_html(pretty=False))

    # Containers

    def blocks(self, nodes: Iterable[Node]) -> list[str]:
        """Return the blocks of Markdown that a row of nodes becomes. What stands in lines is gathered to paragraphs."""
        parts: list[str] = []
        run: list[Node] = []
        for node in nodes:
            if id(node) in self.gone or node.name.startswith(("#comment", "?", "#processing")):
                continue
            if node.name != "#text" and (is_block(node) or id(node) in self._holders):
                self._end_run(run, parts)
                parts += self.block(node)
            else:
                run += self._pieces(node, run, parts)
        self._end_run(run, parts)
        return lists.with_lists_apart([part for part in parts if part.strip()])

    def _pieces(self, node: Node, run: list[Node], parts: list[str]) -> list[Node]:
        """Return what of a node belongs to the run that goes on; a blank line in a text ends the run before."""
        if not self.breaks_lines or node.name != "#text" or "\n" not in (node.data or ""):
            return [node]
        text, at = node.data, 0
        line = node.origin_line
        for end in PARAGRAPH_END.finditer(text):
            run.append(Piece(text[at : end.start()], node.parent, line and line + text.count("\n", 0, at)))
            self._end_run(run, parts)
            at = end.end()
        return [Piece(text[at:], node.parent, line and line + text.count("\n", 0, at))]

    def _end_run(self, run: list[Node], parts: list[str]) -> None:
        nodes, run[:] = list(run), []
        if not nodes:
            return
        if self._embeds_addresses and (embedded := self._embedded(nodes)) is not None:
            parts.append(embedded)
        else:
            parts.append(self.paragraph(nodes))

    def _embedded(self, nodes: list[Node]) -> str | None:
        """Return what stands for an address alone in its paragraph, which old editors show as a player."""
        if not all(node.name == "#text" for node in nodes):
            return None
        text = "".join(node.data for node in nodes)
        if not ADDRESS.fullmatch(text.strip()):
            return None
        first = next(node for node in nodes if node.data.strip())
        before = first.data[: len(first.data) - len(first.data.lstrip())]
        line = (first.origin_line or 1) + before.count("\n")
        return self.page.embed(text.strip(), self._where(line - 1, text.strip()))

    def holds_blocks(self, node: Node) -> bool:
        """Whether there are blocks inside of an element that stands in lines, or in a term or cell."""
        return id(node) in self._holders

    # Elements

    def block(self, node: Node) -> list[str]:
        name = node.name
        if name in self.elements:
            return [self.elements[name](self, node)]
        if id(node) in self._deepest:
            # No reader could follow so many boxes in each other; the words stay.
            self.page.warn("html_dropped", self.place_of(node), dropped=f"<{name}>")
            return [escaping.escape_line(escaping.escape(re.sub(r"\s+", " ", text_of(node)).strip()))]
        if name in HEADINGS:
            return self._heading(node)
        if name in ("img", "amp-img", "picture"):
            return [self.image(node)]
        if name == "figure":
            return figures.blocks_of(self, node)
        if name in ("ul", "ol", "menu", "dir"):
            return [lists.list_of(self, node)]
        if name == "dl":
            return lists.definitions_of(self, node)
        if name == "pre":
            return [self._preformatted(node)]
        if name == "blockquote":
            return [self._blockquote(node)]
        if name == "table":
            return tables.blocks_of(self, node)
        if name == "hr":
            return ["---"]
        if name == "script":
            self.drop(node, "script_dropped")
            return []
        if name in EMBEDS:
            return [self.embed(node)]
        if name == "object" and find(node, "embed"):
            return [self.embed(find(node, "embed"))]
        if name in DROPPED:
            return self._dropped(node)
        return self._other(node)

    def _other(self, node: Node) -> list[str]:
        name = node.name
        if name == "a":
            return self._block_link(node)
        if name == "noscript":
            # What stands in for a script: a copy of a picture that comes later, or a word to those without.
            return [] if find(node, "img", "iframe") else self.blocks(node.children or [])
        if name in ("details", "math") or "-" in name:
            code = "math_kept_as_text" if name == "math" else "html_dropped"
            self.page.warn(code, self.place_of(node), dropped=f"<{name}>")
        if name == "math":
            return [self.paragraph([Piece(re.sub(r"\s+", " ", text_of(node)), node, node.origin_line)])]
        return self.blocks(node.children or [])

    def _dropped(self, node: Node) -> list[str]:
        text = text_of(node).strip() if node.name not in ("style", "template", "select", "textarea", "svg") else ""
        if node.name == "input" and attribute(node, "type") == "checkbox":
            return []
        self.drop(node)
        return self.blocks(node.children or []) if node.name == "form" and text else []

    def _heading(self, node: Node) -> list[str]:
        level = max(2, int(node.name[1]))
        below = [child for child in descendants(node) if child.name in ("img", "picture", *EMBEDS)]
        text = self.inline((child for child in node.children or [] if child not in below), line_break=" ")
        parts = []
        if text:
            anchor = next((name for found in [node, *elements_of(node)] if (name := attribute(found, "id"))), "")
            plain = re.sub(r"\s+", " ", text_of(node)).strip()
            own = f" {{#{anchor}}}" if anchor and anchor != anchor_of(plain) and _is_anchor(anchor) else ""
            parts.append(f"{'#' * level} {escaping.escape_heading(text)}{own}")
        return parts + [part for child in below for part in self.block(child)]

    def _preformatted(self, node: Node) -> str:
        text = text_of(node)
        if "wp-block-verse" in classes(node):
            lines = [escaping.escape_line(escaping.escape(line)) for line in text.strip("\n").split("\n")]
            return re.sub(r"\\\n(?:\\\n)+", "\n\n", "\\\n".join(lines))
        return escaping.code_block(self.visible(text, node), _language(node))

    def _blockquote(self, node: Node) -> str:
        speaker = next((child for child in reversed(elements_of(node)) if child.name in ("cite", "footer")), None)
        rest = [child for child in node.children or [] if child is not speaker]
        text = "\n\n".join(self.blocks(rest))
        if speaker is not None:
            by = re.sub(r"\s+", " ", text_of(speaker)).strip().lstrip("—–- ")
            link = find(speaker, "a")
            source = attribute(link, "href") if link is not None else attribute(node, "cite")
            return quote(text, by=by, source=source) if text else ""
        return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) if text else ""

    # Pictures, embeds, links around blocks

    def image(self, node: Node) -> str:
        """Return the figure of a picture; "" where it may not be shown."""
        return self.figure_of(node)

    def figure_of(self, node: Node, *, caption: str = "", place: Place | None = None) -> str:
        """Return the figure of an <img>, or of the one in `node`, with a caption in Markdown."""
        return figures.figure_of(self, node, caption=caption, place=place)

    def embed(self, node: Node) -> str:
        """Return the link that stands for a player or a frame."""
        source = find(node, "source")
        address = next(
            (
                value
                for value in (
                    attribute(node, "src"),
                    attribute(node, "data-src"),
                    attribute(source, "src") if source else "",
                )
                if value and value != "about:blank"
            ),
            "",
        )
        if address.startswith("//"):
            address = f"https:{address}"
        if not address:
            self.drop(node)
            return ""
        return self.page.embed(address, self.place_of(node))

    def _block_link(self, node: Node) -> list[str]:
        """Return what a link becomes that holds blocks. A picture keeps it in its caption; words become the link."""
        if find(node, "img", "amp-img", "picture"):
            return self.blocks(node.children or [])
        text = re.sub(r"\s+", " ", text_of(node)).strip()
        titles = [child for child in descendants(node) if any("title" in name for name in classes(child))]
        if titles and (title := re.sub(r"\s+", " ", text_of(titles[0])).strip()):
            # A card: the title is what is linked, the rest is what it shows of the other page.
            text = title
        return [self.linked(node, escaping.escape(text))] if text else []

    # Notes

    def note_of(self, node: Node) -> str:
        key = self._notes.references.get(id(node))
        if key is None and attribute(node, "data-fn") in self._kept_notes and node.name == "sup":
            key = attribute(node, "data-fn")
        if key is None:
            return ""
        if key not in self._numbers:
            self._numbers[key] = str(self.page.number())
        return f"[^{self._numbers[key]}]"

    def _note(self, key: str, number: str) -> str:
        body = self._notes.bodies.get(key)
        parts = self.blocks(body.children or []) if body is not None else [self._kept_note(self._kept_notes[key])]
        first, *rest = "\n\n".join(part for part in parts if part).split("\n")
        return "\n".join([f"[^{number}]: {first}", *(f"    {line}" if line else "" for line in rest)])

    def _kept_note(self, html: str) -> str:
        """Return a note that the source keeps outside of the text."""
        writer = Writer(
            html,
            self.page,
            lambda _, near: self._where(0, near),
            picture=self.picture_of,
            notes={},
            elements=self.elements,
            breaks_lines=self.breaks_lines,
            embeds_addresses=False,
        )
        return writer.document()


def _is_anchor(name: str) -> bool:
    return re.fullmatch(r"[^\s{}#]+", name) is not None


def _language(node: Node) -> str:
    for found in [node, *(child for child in elements_of(node) if child.name == "code")]:
        named = LANGUAGE.search(attribute(found, "class"))
        language = named[1] if named else attribute(found, "data-language") or attribute(found, "lang")
        if language:
            return "" if language in ("none", "plaintext", "text") else language
    return ""

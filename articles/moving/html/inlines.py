"""The inline half of the writer: a run of text, emphasis, links and code as one paragraph of Markdown."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from articles.markup.characters import hidden_characters
from articles.moving import escaping
from articles.moving.items import Place
from articles.moving.page import Page

from .lines import Line, split_ends, wrapped
from .tree import Node, attribute, text_of

SPACES = re.compile(r"[ \t\n\r\f]+")
LINE_END = re.compile(r"[ \t]*\n[ \t\n]*")
EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "dfn": "*", "var": "*", "cite": "*"}
CODE = ("code", "tt", "samp")
TAGS = ("sub", "sup", "kbd")
BREAK = "\\\n"


@dataclass(frozen=True)
class Piece:
    """A part of a text node. It stands where a node stands."""

    data: str
    parent: Node
    origin_line: int | None
    name: str = "#text"
    children: tuple[Node, ...] = ()


class Inlines:
    """Reads what stands in a line. Blocks are the other half's (blocks.py)."""

    page: Page
    breaks_lines: bool
    gone: set[int]

    def inline(self, nodes: Iterable[Node], *, line_break: str = BREAK) -> str:
        """Return the Markdown of a run of nodes, on one line but for its breaks, without blanks at its ends."""
        line = Line()
        self._add(line, list(nodes), line_break, frozenset())
        return re.sub(r" *\\\n *", lambda found: BREAK, split_ends(line.text)[1])

    def paragraph(self, nodes: Iterable[Node]) -> str:
        """Return the Markdown of a run of nodes as a paragraph: no line of it begins another block."""
        return "\n".join(escaping.escape_line(line) for line in self.inline(nodes).split("\n"))

    def _add(self, line: Line, nodes: list[Node], line_break: str, within: frozenset[str]) -> None:
        code = ""
        for index, node in enumerate(nodes):
            if node.name in CODE and id(node) not in self.gone:
                # Two pieces of code side by side are one: their backticks would run together.
                code += text_of(node)
                if index + 1 == len(nodes) or nodes[index + 1].name not in CODE:
                    if code.strip():
                        line.add(escaping.code_span(code.strip()))
                    code = ""
            elif node.name == "#text":
                self._add_text(line, node, line_break)
            elif node.name == "br":
                line.add(line_break)
            elif not node.name.startswith("#") and id(node) not in self.gone:
                self._add_element(line, node, line_break, within)

    def _add_text(self, line: Line, node: Node, line_break: str) -> None:
        text = self.visible(node.data or "", node)
        for number, part in enumerate(LINE_END.split(text) if self.breaks_lines else [text]):
            if number and line.text and not line.text.endswith("\n"):
                line.add(line_break)
            line.add(escaping.escape(SPACES.sub(" ", part)))

    def visible(self, text: str, node: Node) -> str:
        """Return `text` without characters that nobody sees, which our markup refuses; a notice says so."""
        hidden = {at for at, _ in hidden_characters(text)}
        if not hidden:
            return text
        self.page.warn("control_character", self.place_of(node))
        return "".join(character for at, character in enumerate(text) if at not in hidden)

    def _add_element(self, line: Line, node: Node, line_break: str, within: frozenset[str]) -> None:
        note = self.note_of(node)
        if note:
            line.text = line.text.rstrip(" ")
            line.add(note)
            return
        mark = EMPHASIS.get(node.name, "")
        children = list(node.children or [])
        if mark in within or not (mark or node.name in TAGS or node.name in ("a", "q")):
            self._add(line, children, line_break, within)
            return
        inner = Line()
        self._add(inner, children, line_break, within | {mark} if mark else within)
        if mark:
            wrapped(line, inner.text, lambda line, text: line.add_emphasis(text, mark))
        elif node.name == "q":
            wrapped(line, inner.text, lambda line, text: line.add(f"“{text}”"))
        elif node.name == "a":
            wrapped(line, inner.text, lambda line, text: line.add(self.linked(node, text)))
        else:
            wrapped(line, inner.text, lambda line, text: line.add(f"<{node.name}>{text}</{node.name}>"))

    def linked(self, node: Node, text: str) -> str:
        """Return `text`, which is Markdown, as the link that an <a> is."""
        address = attribute(node, "href")
        target = self.page.link(address, self.place_of(node)) if address else ""
        return escaping.link(text, target) if target else text

    def note_of(self, node: Node) -> str:
        """Return the reference to a note that `node` is, or ""."""
        raise NotImplementedError

    def place_of(self, node: Node) -> Place:
        raise NotImplementedError

"""The block half of the writer: what each element becomes. The rules are those of README rule 11, in docs/moving.md."""

import re
from collections.abc import Callable, Iterable, Mapping

from articles.markup.anchors import anchor_of
from articles.moving import escaping
from articles.moving.directives import quote
from articles.moving.items import Picture, Place
from articles.moving.page import Page

from . import tables
from .inlines import Inlines, Piece
from .notes import Notes, find_notes
from .tree import (
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
EMBEDS = ("iframe", "video", "audio", "embed")


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
        self.html, self.page, self._where, self._picture = html, page, where, picture
        self._kept_notes, self._elements = notes, elements
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
                parts += self._block(node)
            else:
                run += self._pieces(node, run, parts)
        self._end_run(run, parts)
        return _with_lists_apart([part for part in parts if part.strip()])

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

    def _inside(self, node: Node) -> str:
        return "\n\n".join(self.blocks(node.children or []))

    # Elements

    def _block(self, node: Node) -> list[str]:
        name = node.name
        if name in self._elements:
            return [self._elements[name](self, node)]
        if id(node) in self._deepest:
            # No reader could follow so many boxes in each other; the words stay.
            self.page.warn("html_dropped", self.place_of(node), dropped=f"<{name}>")
            return [escaping.escape_line(escaping.escape(re.sub(r"\s+", " ", text_of(node)).strip()))]
        if name in HEADINGS:
            return self._heading(node)
        if name in ("img", "amp-img", "picture"):
            return [self.image(node)]
        if name == "figure":
            return self._figure(node)
        if name in ("ul", "ol", "menu", "dir"):
            return [self._list(node)]
        if name == "dl":
            return self._definitions(node)
        if name == "pre":
            return [self._preformatted(node)]
        if name == "blockquote":
            return [self._blockquote(node)]
        if name == "table":
            return self._table(node)
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
        return parts + [part for child in below for part in self._block(child)]

    def _list(self, node: Node) -> str:
        start = attribute(node, "start")
        number = int(start) if node.name == "ol" and start.isascii() and start.isdigit() else 1
        items, is_loose = [], False
        for child in node.children or []:
            if (child.name == "#text" and not (child.data or "").strip()) or child.name.startswith("#c"):
                continue
            if id(child) in self.gone:
                continue
            parts = self.blocks(child.children or []) if child.name == "li" else self.blocks([child])
            box = find(child, "input") if child.name == "li" else None
            if box is not None and attribute(box, "type") == "checkbox" and parts:
                parts[0] = f"{'☑' if 'checked' in (box.attrs or {}) else '☐'} {parts[0]}"
            is_loose = is_loose or _is_loose(parts)
            mark = f"{number}." if node.name == "ol" else "-"
            number = min(number + 1, 999_999_999)
            items.append((mark, parts))
        joint = "\n\n" if is_loose else "\n"
        return joint.join(_hanging(mark, joint.join(parts)) for mark, parts in items)

    def _definitions(self, node: Node) -> list[str]:
        parts: list[str] = []
        for child in elements_of(node):
            if child.name == "dt":
                text = self.inline(child.children or [])
                parts += [f"**{text}**"] if text else []
            else:
                parts += self._definitions(child) if child.name == "div" else self.blocks(child.children or [])
        return parts

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

    def _table(self, node: Node) -> list[str]:
        caption = next((child for child in elements_of(node) if child.name == "caption"), None)
        after = [self.paragraph(caption.children or [])] if caption is not None else []
        if tables.is_layout(node):
            cells = (cell for row in tables.own_rows(node) for cell in tables.cells_of(row))
            return [part for cell in cells for part in self.blocks(cell.children or [])] + after
        spanning = tables.spanning(node)
        if spanning is not None:
            self.page.warn("table_span_flattened", self.place_of(spanning))
        below = [part for child in tables.beside_text(node) for part in self._block(child)]
        return [tables.markdown_of(node, self._cell), *after, *below]

    def _cell(self, cell: Node) -> str:
        """Return a cell as one line: what stands in blocks is parted by line breaks."""
        parts: list[str] = []
        run: list[Node] = []
        for child in _leaves_of_cell(cell, self._holders):
            if child is None:
                parts.append(self.inline(run, line_break="<br>"))
                run = []
            else:
                run.append(child)
        parts.append(self.inline(run, line_break="<br>"))
        return "<br>".join(part for part in parts if part).replace("\n", " ")

    # Pictures, embeds, links around blocks

    def image(self, node: Node) -> str:
        """Return the figure of a picture; "" where it may not be shown."""
        return self.figure_of(node)

    def figure_of(self, node: Node, *, caption: str = "", place: Place | None = None) -> str:
        """Return the figure of an <img>, or of the one in `node`, with a caption in Markdown."""
        shown = node if node.name in ("img", "amp-img") else find(node, "img", "amp-img")
        if shown is None:
            return ""
        attributes = {name: value or "" for name, value in (shown.attrs or {}).items()}
        address = _address_of(attributes)
        if _is_lazy(attributes):
            attributes["src"] = address
        picture = self._picture(attributes) if address else None
        place = place or self.place_of(shown)
        if picture is None:
            self.page.warn("unsafe_url", place, dropped=shown.to_html(pretty=False))
            return ""
        link = _link_around(shown)
        if link is not None and not self._leads_to_picture(link, picture):
            target = self.page.link(attribute(link, "href"), self.place_of(link))
            if target and "](" in caption:
                # Links do not stand in links.
                caption = f"{caption} ({escaping.link(escaping.escape(target), target)})"
            elif target:
                caption = escaping.link(caption or escaping.escape(attributes.get("alt") or target), target)
        return self.page.figure(picture, place, alt=attributes.get("alt", "").strip(), caption=caption)

    def _leads_to_picture(self, link: Node, picture: Picture) -> bool:
        """Whether a link around a picture leads to its file: of any size, so names are compared without it."""
        target = self._picture({"src": attribute(link, "href")})
        return target is not None and target.file == picture.file

    def _figure(self, node: Node) -> list[str]:
        captions = [child for child in elements_of(node) if child.name == "figcaption"]
        rest = [child for child in node.children or [] if child not in captions]
        caption = "\n\n".join(self.paragraph(child.children or []) for child in captions).strip()
        pictures = [child for child in descendants(node) if child.name in ("img", "amp-img")]
        others = find(node, "table", "iframe", "video", "audio", "blockquote", "pre", "figure", *self._elements)
        if len(pictures) == 1 and others is None:
            aside = [child for child in rest if find(child, "img", "amp-img") is None and child.name not in ("img",)]
            return [self.figure_of(pictures[0], caption=caption), *self.blocks(aside)]
        if caption and find(node, "blockquote") is not None:
            caption = f"— {caption}"
        return [*self.blocks(rest), caption]

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
            picture=self._picture,
            notes={},
            elements=self._elements,
            breaks_lines=self.breaks_lines,
            embeds_addresses=False,
        )
        return writer.document()


def _is_loose(parts: list[str]) -> bool:
    """Whether an item holds more than a line of text and lists below it, so that it needs blank lines."""
    # Numbers that do not begin with 1 would go on the paragraph above them.
    marks = re.compile(r"(?:[-*+]|1[.)]) ")
    return any(index and not marks.match(part) for index, part in enumerate(parts)) or any(
        part.startswith((":::", "```", "|", ">", "#")) for part in parts
    )


def _with_lists_apart(parts: list[str]) -> list[str]:
    """Return `parts`, where a list that follows a list has another mark: with the same one they would be one list."""
    for index in range(1, len(parts)):
        for mark, other in ((r"- ", "*"), (r"\d{1,9}\. ", ")")):
            if re.match(mark, parts[index]) and re.match(mark, parts[index - 1]):
                marked = re.compile(rf"^(\d*){re.escape('-' if other == '*' else '.')}(?= )", re.MULTILINE)
                parts[index] = marked.sub(lambda found, to=other: f"{found[1]}{to}", parts[index])  # type: ignore[misc]
    return parts


def _hanging(mark: str, text: str) -> str:
    """Return the text of a list item behind its mark; lines that follow are indented below it."""
    first, *rest = text.split("\n")
    indent = " " * (len(mark) + 1)
    return "\n".join([f"{mark} {first}".rstrip(), *(f"{indent}{line}" if line else "" for line in rest)])


def _is_anchor(name: str) -> bool:
    return re.fullmatch(r"[^\s{}#]+", name) is not None


def _language(node: Node) -> str:
    for found in [node, *(child for child in elements_of(node) if child.name == "code")]:
        named = LANGUAGE.search(attribute(found, "class"))
        language = named[1] if named else attribute(found, "data-language") or attribute(found, "lang")
        if language:
            return "" if language in ("none", "plaintext", "text") else language
    return ""


def _address_of(attributes: Mapping[str, str]) -> str:
    """Return the address of a picture; that of one that is loaded late stands elsewhere."""
    if _is_lazy(attributes):
        return next(attributes[name] for name in ("data-src", "data-lazy-src", "data-original") if attributes.get(name))
    return attributes.get("src", "")


def _is_lazy(attributes: Mapping[str, str]) -> bool:
    is_blank = not attributes.get("src") or attributes["src"].startswith("data:")
    return is_blank and any(attributes.get(name) for name in ("data-src", "data-lazy-src", "data-original"))


def _link_around(node: Node) -> Node | None:
    for _ in range(4):
        node = node.parent
        if node is None or node.name in ("figure", "p", "div"):
            return None
        if node.name == "a":
            return node if attribute(node, "href") else None
    return None


def _leaves_of_cell(cell: Node, holders: set[int]) -> list[Node | None]:
    """Return what stands in a cell in order, with None where a block begins or ends. Pictures stand below the table."""
    found: list[Node | None] = []

    def read(nodes: Iterable[Node], depth: int) -> None:
        for node in nodes:
            if node.name in ("img", "picture", "amp-img", "form", "script", "style", *EMBEDS) or node.name[:2] == "#c":
                continue
            if node.name == "pre":
                found.extend([None, Piece(text_of(node), node, node.origin_line), None])
            elif node.name != "#text" and depth and (is_block(node) or id(node) in holders):
                found.append(None)
                read(node.children or [], depth - 1)
                found.append(None)
            else:
                found.append(node)

    read(cell.children or [], 40)
    return found

"""Inline tokens as text, HTML and mentions; judges what they name."""

from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import unquote

from markdown_it.token import Token

from .blocks import Link
from .characters import hidden_characters
from .html import attributes, image, sanitise
from .inline_rules import MAX_INLINE_DEPTH
from .page import Page, label_of
from .urls import Target, is_record, read_target

EMPHASIS = ("em", "strong")


@dataclass(slots=True)
class Written:
    """What became of one inline token. `plain` is the text with the values of quantities."""

    text: str = ""
    plain: str = ""
    html: str = ""
    quantities: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    citations: list[str] = field(default_factory=list)
    footnotes: list[int] = field(default_factory=list)
    # Whether it shows anything at all.
    is_empty: bool = True

    def mentions(self) -> dict[str, Any]:
        return {
            "quantities": tuple(self.quantities),
            "links": tuple(self.links),
            "citations": tuple(self.citations),
            "footnotes": tuple(self.footnotes),
        }


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that is sound enough to show."""

    src: str
    alt: str
    title: str


class Writer:
    """Writes one inline token. Offsets of its tokens become offsets of the text through `place`."""

    def __init__(self, page: Page, inline: Token) -> None:
        self._page = page
        self._inline = inline
        self._spans: list[tuple[int, int]] = inline.meta["spans"]
        self._is_quiet = bool(inline.meta.get("quiet"))
        self._prose = Written()
        self._text: list[str] = []
        self._plain: list[str] = []
        self._html: list[str] = []
        # Whether each open emphasis is written; open links, with what they lead to if they are written, of which the
        # inner can only be an address in angles; and images whose alternative text is being read.
        self._emphasis: list[bool] = []
        self._links: list[tuple[Target | None, int]] = []
        self._images: list[tuple[Token, int, int]] = []
        self._tags = 0
        self._is_too_deep = bool(inline.meta.get("is_too_deep"))
        self.pictures: list[Picture] = []

    def write(self) -> Written:
        for token in self._inline.children or ():
            self._write(token)
        if self._is_too_deep:
            self._page.report.add(self.place(0), "nesting_too_deep", str(MAX_INLINE_DEPTH))
        prose = self._prose
        prose.text = _lines("".join(self._text))
        prose.plain = _lines("".join(self._plain))
        html = "".join(self._html).strip(" \n")
        # Without a tag there is only escaped text.
        prose.html = sanitise(html) if "<" in html else html
        prose.is_empty = not (prose.text or self.pictures or prose.footnotes)
        return prose

    def place(self, at: int) -> int:
        """Return the offset in the text of the offset `at` in the content."""
        spans = self._spans
        low, high = 0, len(spans)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if spans[middle][0] <= at else (low, middle)
        return spans[low][1] + at - spans[low][0]

    def _write(self, token: Token) -> None:
        kind = token.type
        if kind in ("text", "text_special", "malformed_quantity"):
            self._say(token.content)
            if kind == "malformed_quantity":
                self._report(token, kind)
            elif token.info == "entity":
                for _, code in hidden_characters(token.content):
                    self._report(token, code)
        elif kind == "softbreak":
            self._say(" ", "\n")
        elif kind == "hardbreak":
            self._say("\n", "<br>\n")
        elif kind == "code_inline":
            self._say(token.content, f"<code>{escape(token.content, quote=False)}</code>")
        elif token.tag in EMPHASIS:
            self._emphasise(token)
        else:
            WRITERS[kind](self, token)

    def _say(self, text: str, html: str | None = None, plain: str | None = None) -> None:
        self._text.append(text)
        self._plain.append(text if plain is None else plain)
        self._mark(escape(text, quote=False) if html is None else html)

    def _mark(self, html: str) -> None:
        # In an image there is text alone.
        if not self._images:
            self._html.append(html)

    def _report(self, token: Token, code: str, name: str = "") -> None:
        self._page.report.add(self.place(token.meta["at"]), code, name)

    def _emphasise(self, token: Token) -> None:
        if token.nesting > 0:
            written = len(self._emphasis) < MAX_INLINE_DEPTH
            self._is_too_deep |= not written
            self._emphasis.append(written)
        else:
            written = self._emphasis.pop()
        if written:
            self._mark(f"<{'/' if token.nesting < 0 else ''}{token.tag}>")

    def _quantity(self, token: Token) -> None:
        written = f"{{{{{token.content}}}}}"
        record = self._page.find("quantity", token.content, self.place(token.meta["at"]))
        if record is None:
            self._say(written)
            return
        self._prose.quantities.append(token.content)
        named = attributes(class_="quantity", value=record.value or record.text, data_quantity=token.content)
        self._say(written, f"<data{named}>{escape(record.text, quote=False)}</data>", record.text)

    def _citation(self, token: Token) -> None:
        slug = token.content
        if self._page.find("source", slug, self.place(token.meta["at"])) is None:
            self._say(f"[@{slug}]")
            return
        self._prose.citations.append(slug)
        # A source that only a note nobody reads refers to has no number.
        shown = f"[{self._page.citations.get(slug, '?')}]"
        target = attributes(href=f"#cite-{self._page.citations.get(slug)}", data_source=slug)
        inner = shown if self._links else f"<a{target}>{shown}</a>"
        self._say(shown, f'<sup class="citation">{inner}</sup>')

    def _note(self, token: Token) -> None:
        label = label_of(token.content)
        number = self._page.notes.get(label)
        if number is None:
            self._say(f"[^{token.content}]")
            self._report(token, "dangling_footnote", token.content)
            return
        if self._images:
            return
        self._prose.footnotes.append(number)
        use = self._page.note_uses[label] = self._page.note_uses.get(label, 0) + 1
        target = attributes(href=f"#fn-{number}", id=note_reference_id(number, use))
        inner = str(number) if self._links else f"<a{target}>{number}</a>"
        self._mark(f'<sup class="footnote-ref">{inner}</sup>')

    def _open_link(self, token: Token) -> None:
        destination = token.meta["destination"]
        target = read_target(destination)
        if isinstance(target, str):
            self._report(token, target, destination)
            self._links.append((None, len(self._plain)))
            return
        sound = not self._links
        if is_record(target.kind):
            sound &= self._page.find(target.kind, target.slug, self.place(token.meta["at"])) is not None
        elif target.kind == "anchor" and target.anchor not in self._page.anchors.taken:
            self._report(token, "dangling_anchor", target.anchor)
            sound = False
        self._check_title(token)
        self._links.append((target if sound else None, len(self._plain)))
        if sound:
            self._mark(f"<a{_link_attributes(target, token.meta['title'])}>")

    def _close_link(self, token: Token) -> None:
        target, begin = self._links.pop()
        if target is not None:
            text = "".join(self._plain[begin:])
            self._prose.links.append(Link(text, target.to, target.kind, target.slug, target.anchor))
            self._mark("</a>")

    def _open_image(self, token: Token) -> None:
        self._images.append((token, len(self._text), len(self._plain)))

    def _close_image(self, token: Token) -> None:
        opening, text_at, plain_at = self._images.pop()
        alt = " ".join("".join(self._plain[plain_at:]).split())
        del self._text[text_at:], self._plain[plain_at:]
        picture = None if self._images else self._judge_image(opening, alt)
        if picture is None:
            self._say(alt)
        else:
            self.pictures.append(picture)
            self._say(alt, image(picture.src, alt, picture.title))

    def _judge_image(self, token: Token, alt: str) -> Picture | None:
        # Editors write %20 where a name has a blank: Markdown wants it so.
        src = unquote(token.meta["destination"])
        if not alt:
            self._report(token, "missing_alt")
        if "unsafe_url" in (read_target(token.meta["destination"]), read_target(src)):
            self._report(token, "unsafe_url", src)
            return None
        self._check_title(token)
        self._page.find("image", src, self.place(token.meta["at"]))
        return Picture(src, alt, token.meta["title"])

    def _check_title(self, token: Token) -> None:
        # Entities in a title are resolved already. What stands there as itself was found in the text.
        for at, code in hidden_characters(token.meta["title"]):
            if token.meta["title"][at] not in self._inline.content:
                self._report(token, code)

    def _tag(self, token: Token) -> None:
        tag = token.content
        if tag == "<br>":
            self._say("\n", "<br>\n")
            return
        if self._is_quiet:
            # Part of a block of HTML, whose tags are all dropped.
            return
        closes = tag.startswith("</")
        self._tags += -1 if closes else 1
        if self._tags < 0 or self._tags > MAX_INLINE_DEPTH:
            self._is_too_deep |= self._tags > 0
            self._tags = max(self._tags, 0)
            return
        self._mark(tag)

    def _html_piece(self, token: Token) -> None:
        if not self._is_quiet:
            self._report(token, "raw_html")

    def _comment(self, token: Token) -> None:
        if not self._is_quiet:
            self._report(token, "html_comment")


WRITERS = {
    "quantity": Writer._quantity,
    "citation": Writer._citation,
    "note": Writer._note,
    "link_open": Writer._open_link,
    "link_close": Writer._close_link,
    "image_open": Writer._open_image,
    "image_close": Writer._close_image,
    "tag": Writer._tag,
    "html": Writer._html_piece,
    "comment": Writer._comment,
}


def _lines(text: str) -> str:
    """Return `text` without the blanks that nobody sees, at its ends and at those of its lines."""
    return "\n".join(line.strip(" ") for line in text.strip(" \n").split("\n"))


def note_reference_id(number: int, use: int) -> str:
    """Return the id of the place that refers to the note `number` for the `use`-th time."""
    return f"fnref-{number}" if use == 1 else f"fnref-{number}-{use}"


def _link_attributes(target: Target, title: str) -> str:
    if is_record(target.kind):
        named: dict[str, str | None] = {f"data_{target.kind}": target.slug, "data_anchor": target.anchor or None}
    else:
        named = {"href": target.href}
    return attributes(**named, title=title or None)

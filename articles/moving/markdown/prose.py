"""Headings, links, pictures, and HTML inside of lines: read with our own grammar, which says where they stand."""

import re
from collections.abc import Iterator
from html import unescape

from markdown_it.common.utils import normalizeReference
from markdown_it.token import Token

from articles.markup.anchors import anchor_of
from articles.markup.grammar import read_blocks, read_inline
from articles.markup.source import read_source
from articles.moving.escaping import code_span, destination, escape

from .body import Body
from .figures import Picture, place_figures
from .pending import Pending
from .placed import Placed
from .raw_html import words
from .traced import Edit, Traced

ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*([^{}]*)\}[ \t]*$")
OWN_ID = re.compile(r"#([^\s{}#]+)")
IS_ATTRIBUTE = re.compile(r"(?:[#.][^\s{}]+|[\w-]+=\S+|\s)+")
DEFINITION = re.compile(r"^ {0,3}\[((?:[^\[\]\\\n]|\\.)+)\]:[ \t]*\S.*\n?", re.MULTILINE)
# An address in the text, and before it what it must not be looked for in.
BARE = re.compile(r"(`+)[^`]+\1(?!`)|\\.|<[^<>\s]*>|(?<![\w@/\"'=])(https?://[^\s<>`]+)", re.DOTALL | re.IGNORECASE)
BOX = re.compile(r"\[([ xX])\] ")
STRUCK = re.compile(r"(`+)[^`]+\1(?!`)|\\.|(~~(?=[^\s~])(?:(?!~~).)+?(?<=[^\s~])~~)", re.DOTALL)
TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(.*?)(/?)>", re.DOTALL)
VALUE = re.compile(r"""([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s"'>{}]+))""")
MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*"}
KEPT = ("sub", "sup", "kbd")
SILENT = words(
    "span u ins font small big mark abbr time cite q var samp tt s del strike dfn a p div center label bdi bdo data"
)
EMBEDS = ("iframe", "video", "audio", "embed", "source")


def rewrite_prose(traced: Traced, body: Body, pending: Pending) -> Traced:
    """Return the text with its lines in our words."""
    source = read_source(traced.text)
    tokens, _, env = read_blocks(source)
    lines = Lines(traced, body, pending, source.line_starts, env)
    table: Token | None = None
    for index, token in enumerate(tokens):
        if token.type == "table_open":
            table = token
        elif token.type == "table_close":
            table = None
        elif token.type == "heading_open":
            lines.heading(token, tokens[index + 1])
        elif token.type == "inline":
            opening = tokens[index - 1]
            lines.inline(token, table or (opening if opening.type == "heading_open" else None))
        elif token.type == "fence":
            lines.fence(token)
    lines.drop_definitions()
    return traced.edited(lines.edits)


class Lines:
    """Collects the edits of one text."""

    def __init__(
        self, traced: Traced, body: Body, pending: Pending, starts: tuple[int, ...], env: dict[str, object]
    ) -> None:
        self.traced, self.text, self.body, self.pending, self.starts, self.env = (
            traced,
            traced.text,
            body,
            pending,
            starts,
            env,
        )
        self.edits: list[Edit] = []
        self._targets: set[str] = set()

    def line_and_near(self, begin: int, end: int) -> tuple[int, str]:
        return self.traced.line_at(begin), self.traced.written(begin, end)

    # Blocks.

    def heading(self, token: Token, inline: Token) -> None:
        """An `h1` becomes an `h2`; an id that the source gives it, or that something leads to, is kept."""
        if token.tag == "h1":
            at = token.meta["at"]
            if token.markup == "=":
                assert token.map is not None
                begin = self.starts[token.map[1] - 1]
                line = self.text[begin : self.text.find("\n", begin) if "\n" in self.text[begin:] else len(self.text)]
                under = begin + line.index("=")
                self.edits.append(Edit(under, begin + len(line.rstrip()), "-" * len(line.strip(" \t>"))))
            else:
                self.edits.append(Edit(at, at, "#"))
        content = inline.content
        own = ""
        found = ATTRIBUTES.search(content)
        if found and IS_ATTRIBUTE.fullmatch(found[1]):
            named = OWN_ID.search(found[1])
            own = named[1] if named else ""
            words = content[: found.start()]
        else:
            found, words = None, content
        plain = _plain_of(read_inline(words, self.env))
        if not own and (called := self.body.heading_id(plain)) in self.body.fragments:
            own = called
        wanted = f" {{#{own}}}" if own and own != anchor_of(plain) else ""
        place = Placed(inline)
        begin, end = place(len(words)), place(len(content))
        if self.text[begin:end] != wanted:
            self.edits.append(Edit(begin, end, wanted))

    def fence(self, token: Token) -> None:
        """` ```go{1,3}` is Go with lines set off."""
        found = re.match(r"(\{\.?([\w+#-]+)[^}]*\})|([\w+#.-]+)\{", token.info.strip())
        if not found or token.map is None:
            return
        begin = token.meta["at"] + len(token.markup)
        end = self.text.find("\n", begin)
        info = self.text[begin:end]
        rest = info.strip()
        new = rest.replace(found[1], found[2], 1) if found[1] else f"{found[3]} {rest[len(found[3]) :]}"
        self.edits.append(Edit(begin, end, new))

    # Lines.

    def inline(self, token: Token, block: Token | None) -> None:
        """Rewrite one paragraph, heading or cell. `block` is the heading or table, which can hold no figure."""
        if token.content.startswith("["):
            self._box(token, Placed(token))
        children = read_inline(token.content, self.env)
        if not children or (len(children) == 1 and "://" not in token.content and "~~" not in token.content):
            return
        place = Placed(token)
        self._struck(token, place)
        pictures: list[Picture] = []
        taken: list[tuple[int, int]] = []
        self._html(token, children, place, pictures)
        index = 0
        while index < len(children):
            child = children[index]
            if child.type in ("link_open", "image_open"):
                close = _closing(children, index)
                inner = children[index + 1 : close]
                taken.append((child.meta["at"], child.meta["end"]))
                if child.type == "image_open":
                    pictures.append(self._picture(child, inner, place))
                    index = close
                elif "label" in child.meta and (images := [one for one in inner if one.type == "image_open"]):
                    at = inner.index(images[0])
                    picture = self._picture(images[0], inner[at + 1 : _closing(inner, at)], place)
                    begin, end = place(child.meta["at"]), place.behind(child.meta["end"])
                    leads_to = child.meta["destination"]
                    pictures.append(
                        Picture(begin, end, picture.destination, picture.alt, picture.title, leads_to=leads_to)
                    )
                    index = close
                else:
                    self._link(child, token.content, place)
            index += 1
        if self.body.links_bare:
            self._bare(token.content, taken, place)
        if pictures:
            place_figures(self, token, pictures, block, place)

    def _box(self, token: Token, place: Placed) -> None:
        """A task is an item of a list that begins with a box."""
        found = BOX.match(token.content)
        if found and re.search(r"(?:[-*+]|\d[.)])[ \t]+\Z", self.text[: place(0)][-12:]):
            self.edits.append(Edit(place(0), place(0) + 3, "☐" if found[1] == " " else "☑"))

    def _struck(self, token: Token, place: Placed) -> None:
        """Our markup strikes nothing out: as from HTML, the words stay."""
        for found in STRUCK.finditer(token.content) if "~~" in token.content else ():
            if found[2]:
                begin, end = place(found.start(2)), place.behind(found.end(2))
                self.edits += [Edit(begin, begin + 2, ""), Edit(end - 2, end, "")]

    def _picture(self, token: Token, inner: list[Token], place: Placed) -> Picture:
        self._note_label(token)
        begin, end = place(token.meta["at"]), place.behind(token.meta["end"])
        return Picture(begin, end, token.meta["destination"], _plain_of(inner), token.meta["title"])

    def _link(self, token: Token, content: str, place: Placed) -> None:
        begin, end = place(token.meta["at"]), place.behind(token.meta["end"])
        written = token.meta["destination"]
        target = self.body.page.link(self.body.address(written), self.body.where(*self.line_and_near(begin, end)))
        if "label" not in token.meta:
            if target != written and target != written.removeprefix("mailto:"):
                text = escape(written.removeprefix("mailto:"))
                self.edits.append(Edit(begin, end, f"[{text}]({destination(target)})" if target else text))
            return
        is_reference = not content.startswith("(", token.meta["label"][1] + 1)
        if target == written and not is_reference:
            return
        if target == written:
            return
        self._note_label(token)
        label_begin, label_end = place(token.meta["label"][0]), place(token.meta["label"][1])
        if not target:
            self.edits += [Edit(begin, label_begin, ""), Edit(label_end, end, "")]
            return
        title = token.meta["title"]
        titled = ' "' + title.replace("\\", "\\\\").replace('"', '\\"') + '"' if title else ""
        self.edits.append(Edit(label_end, end, f"]({destination(target)}{titled})"))

    def _note_label(self, token: Token) -> None:
        """Note the definition that a link or picture was read from: what nothing refers to any more is dropped."""
        self._targets.add(token.meta["destination"])

    def drop_definitions(self) -> None:
        references = self.env.get("references")
        if not isinstance(references, dict) or not self._targets:
            return
        labels = {label for label, found in references.items() if found["href"] in self._targets}
        for found in DEFINITION.finditer(self.text) if labels else ():
            if normalizeReference(found[1]) in labels:
                self.edits.append(Edit(found.start(), found.end(), ""))

    def _bare(self, content: str, taken: list[tuple[int, int]], place: Placed) -> None:
        for found in BARE.finditer(content):
            if not found[2] or any(begin <= found.start() < end for begin, end in taken):
                continue
            address = _trimmed(found[2])
            begin, end = place(found.start(2)), place.behind(found.start(2) + len(address))
            target = self.body.page.link(address, self.body.where(*self.line_and_near(begin, end)))
            if target.startswith("article:"):
                self.edits.append(Edit(begin, end, f"[{escape(address)}]({destination(target)})"))
            elif target:
                self.edits.append(Edit(begin, end, f"<{target}>"))

    # HTML inside of lines.

    def _html(self, inline: Token, children: list[Token], place: Placed, pictures: list[Picture]) -> None:
        open_tags: list[tuple[str, str]] = []  # Name, and what closes it.
        for token in children:
            if token.type == "comment":
                self.edits.append(Edit(place(token.meta["at"]), place.behind(token.meta["end"]), ""))
                continue
            if token.type != "html":
                continue
            begin, end = place(token.meta["at"]), place.behind(token.meta["end"])
            written = self.text[begin:end]
            found = TAG.match(written)
            if not found:
                self._drop(begin, end, "html_dropped")
                continue
            closes, name, rest = bool(found[1]), found[2].lower(), found[3]
            values = {key.lower(): a or b or c or d for key, a, b, c, d in VALUE.findall(rest)}
            is_component = found[2] != name and found[2] != found[2].upper()
            if closes:
                closing = ""
                if any(name == opened for opened, _ in open_tags):
                    while open_tags:
                        opened, closing = open_tags.pop()
                        if opened == name:
                            break
                self.edits.append(Edit(begin, end, closing))
            elif name == "img" or (is_component and name in ("image", "img", "picture")):
                pictures.append(
                    Picture(begin, end, values.get("src", ""), values.get("alt", ""), values.get("title", ""))
                )
            elif is_component:
                self._drop(begin, end, "html_dropped")
            elif name in MARKS or name in KEPT:
                mark = MARKS.get(name, f"<{name}>")
                self.edits.append(Edit(begin, end, mark))
                open_tags.append((name, mark if name in MARKS else f"</{name}>"))
            elif name == "code":
                self._code(inline, token, place)
            elif name == "a" and values.get("href"):
                place_ = self.body.where(*self.line_and_near(begin, end))
                target = self.body.page.link(self.body.address(values["href"]), place_)
                self.edits.append(Edit(begin, end, "[" if target else ""))
                open_tags.append(("a", f"]({destination(target)})" if target else ""))
            elif name in EMBEDS:
                target = (
                    self.body.page.embed(values["src"], self.body.where(*self.line_and_near(begin, end)))
                    if values.get("src")
                    else ""
                )
                self.edits.append(Edit(begin, end, target))
            elif name in ("script", "style"):
                self._drop(begin, end, "script_dropped" if name == "script" else "html_dropped")
            elif name == "summary":
                self.edits.append(Edit(begin, end, "**"))
                open_tags.append((name, "** "))
            elif name == "br":
                self.edits.append(Edit(begin, end, "<br>"))
            elif name in SILENT:
                self.edits.append(Edit(begin, end, ""))
            else:
                self._drop(begin, end, "html_dropped")

    def _code(self, inline: Token, token: Token, place: Placed) -> None:
        """`<code>` is code where nothing in it is Markdown; else its tags go."""
        begin, end = place(token.meta["at"]), place.behind(token.meta["end"])
        close = inline.content.lower().find("</code>", token.meta["end"])
        inner = inline.content[token.meta["end"] : close] if close >= 0 else ""
        if inner and not re.search(r"[<>*_`\[\]\\]", inner):
            self.edits.append(Edit(begin, place.behind(close + len("</code>")), code_span(unescape(inner))))
        else:
            self.edits.append(Edit(begin, end, ""))

    def _drop(self, begin: int, end: int, code: str) -> None:
        line, near = self.line_and_near(begin, end)
        self.body.page.warn(code, self.body.where(line, near), dropped=near)
        self.edits.append(Edit(begin, end, ""))


def _closing(tokens: list[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    return len(tokens) - 1


def _plain_of(tokens: list[Token]) -> str:
    return " ".join("".join(_words(tokens)).split())


def _words(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline", "malformed_quantity"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "


def _trimmed(address: str) -> str:
    """Return an address without what ends the sentence (GFM, "extended autolink path validation")."""
    while address:
        if address[-1] in "?!.,:*_~'\"" or (address[-1] == ")" and address.count(")") > address.count("(")):
            address = address[:-1]
        else:
            break
    return address

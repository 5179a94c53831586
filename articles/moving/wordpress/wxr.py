"""WordPress's export file (WXR), read as a stream: its authors, categories and items, with the lines where they stand.

https://github.com/WordPress/WordPress/blob/master/wp-admin/includes/export.php writes it. It is XML; no declaration of
a document type is taken, so that no entity is ever expanded and no other file read.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from articles.moving.items import Refused

PIECE = 1 << 18
# What XML 1.0 forbids though UTF-8 can say it (https://www.w3.org/TR/xml/#charsets).
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
EXPORT = re.compile(r"http://wordpress\.org/export/1\.\d+/ (.+)")
EXCERPT = re.compile(r"http://wordpress\.org/export/1\.\d+/excerpt/ (.+)")
NAMES = {
    "http://purl.org/rss/1.0/modules/content/ encoded": "content",
    "http://purl.org/dc/elements/1.1/ creator": "creator",
}


@dataclass
class Text:
    """The text of an element. `line` is where the element begins, `text_line` where its text does; both from 1."""

    text: str = ""
    line: int = 0
    text_line: int = 0


@dataclass
class Label:
    """A category or tag of an item."""

    domain: str
    slug: str
    name: str
    line: int


@dataclass
class Entry:
    """An <item>. `fields` are by their local names: title, link, creator, content, excerpt, post_id, …"""

    line: int
    fields: dict[str, Text] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)
    meta: dict[str, Text] = field(default_factory=dict)
    meta_lists: dict[str, list[str]] = field(default_factory=dict)
    last_line: int = 0
    controls: list[tuple[int, str]] = field(default_factory=list)
    """Control characters that were taken out: line and what stands there."""

    def text(self, name: str) -> str:
        found = self.fields.get(name)
        return found.text.strip() if found else ""

    def line_of(self, name: str) -> int:
        found = self.fields.get(name)
        return found.line if found else self.line


@dataclass
class Channel:
    """What stands above the items."""

    fields: dict[str, str] = field(default_factory=dict)
    authors: list[dict[str, str]] = field(default_factory=list)
    categories: list[dict[str, str]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def read_wxr(path: Path) -> Channel:
    """Return what the file at `path` holds.

    Raises Refused: `not_utf8`, `doctype_forbidden`, `not_well_formed`, `not_wxr`, each with its line.
    """
    reading = _Reading(path.name)
    parser = expat.ParserCreate("UTF-8", namespace_separator=" ")
    parser.StartDoctypeDeclHandler = reading.refuse_doctype
    parser.StartElementHandler = reading.begin
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.characters
    reading.parser = parser
    controls: list[tuple[int, str]] = []
    try:
        for text in _without_controls(_decoded(path), controls):
            parser.Parse(text.encode())
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        message = f"The file is not well-formed XML: {expat.ErrorString(error.code)}. Was the download cut off?"
        raise Refused("not_well_formed", message, file=path.name, line=error.lineno, column=error.offset + 1) from None
    if "wxr_version" not in reading.channel.fields:
        raise reading.refused("not_wxr", "This is no export of WordPress: it does not give its wp:wxr_version.")
    _give_controls(reading.channel.entries, controls)
    return reading.channel


class _Reading:
    """The state of the parser: the elements that are open, and what is gathered."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.channel = Channel()
        self.parser: Any = None
        self._root_line = 1
        self._open: list[str] = []
        self._entry: Entry | None = None
        self._record: dict[str, str] | None = None
        self._label: Label | None = None
        self._pair: dict[str, Text] = {}
        self._parts: list[str] | None = None
        self._text = Text()

    def refused(self, code: str, message: str, line: int = 0) -> Refused:
        return Refused(code, message, file=self.file, line=line or self._root_line)

    def refuse_doctype(self, *_: Any) -> None:
        message = (
            "The file declares a document type, which no export has. It could name other files, or grow endlessly."
        )
        raise self.refused("doctype_forbidden", message, self.parser.CurrentLineNumber)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if not self._open:
            self._root_line = line
            if name != "rss":
                raise self.refused("not_wxr", f"This is no export of WordPress: it begins with <{name.split()[-1]}>.")
        local = _local(name)
        if local == "item" and len(self._open) == 2:
            self._entry = Entry(line)
        elif local in ("author", "category", "tag", "term") and self._entry is None:
            self._record = {}
        elif local == "category":
            self._label = Label(attributes.get("domain", ""), attributes.get("nicename", ""), "", line)
        elif local == "postmeta":
            self._pair = {}
        self._open.append(local)
        self._parts, self._text = [], Text(line=line, text_line=line)

    def characters(self, text: str) -> None:
        if self._parts is not None:
            if not self._parts:
                self._text.text_line = self.parser.CurrentLineNumber
            self._parts.append(text)

    def end(self, name: str) -> None:
        local = self._open.pop()
        if self._parts is not None:
            self._text.text = "".join(self._parts)
            self._take(local, self._text)
        self._parts = None
        if local == "item" and self._entry is not None and len(self._open) == 2:
            self._entry.last_line = self.parser.CurrentLineNumber
            self.channel.entries.append(self._entry)
            self._entry = None
        elif local in ("author", "category", "tag", "term") and self._entry is None and self._record is not None:
            rows = {"author": self.channel.authors, "category": self.channel.categories}.get(local)
            if rows is not None:
                rows.append(self._record)
            self._record = None
        elif local == "postmeta" and self._entry is not None:
            key = self._pair.get("meta_key", Text()).text
            value = self._pair.get("meta_value", Text())
            self._entry.meta[key] = value
            self._entry.meta_lists.setdefault(key, []).append(value.text)

    def _take(self, local: str, text: Text) -> None:
        """Keep the text of an element that holds no other."""
        if self._entry is not None:
            if self._label is not None:
                self._label.name = text.text
                self._entry.labels.append(self._label)
                self._label = None
            elif self._open[-1:] == ["postmeta"]:
                self._pair[local] = text
            elif len(self._open) == 3:
                self._entry.fields[local] = text
        elif self._record is not None:
            self._record[local] = text.text.strip()
        elif len(self._open) == 2:
            self.channel.fields[local] = text.text.strip()


def _local(name: str) -> str:
    """Return by what an element is known here; names of other namespaces stay whole, so that none is mistaken."""
    if " " not in name:
        return name
    if name in NAMES:
        return NAMES[name]
    if found := EXPORT.fullmatch(name):
        return found[1]
    if found := EXCERPT.fullmatch(name):
        return "excerpt"
    return name


def _decoded(path: Path) -> Iterator[str]:
    """Yield the text of a file in pieces: UTF-8 with or without byte order mark, or UTF-16 with one."""
    with path.open("rb") as file:
        first = file.read(PIECE)
        is_wide = first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        decoder = codecs.getincrementaldecoder("utf-16" if is_wide else "utf-8-sig")()
        lines = 1
        piece = first
        while True:
            try:
                text = decoder.decode(piece, final=not piece)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode("utf-16" if is_wide else "utf-8", "replace")
                message = "This is not UTF-8. Save the export as UTF-8; its encoding is not guessed."
                raise Refused("not_utf8", message, file=path.name, line=lines + before.count("\n")) from None
            lines += text.count("\n")
            yield text
            if not piece:
                return
            piece = file.read(PIECE)


def _without_controls(pieces: Iterator[str], found: list[tuple[int, str]]) -> Iterator[str]:
    """Yield the text without what XML forbids, and add the line of each to `found`, with what stands there.

    An encoding that the file declares was settled by reading it.
    """
    lines = 1
    for text in pieces:
        for match in FORBIDDEN.finditer(text):
            begin = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            near = FORBIDDEN.sub("", text[begin : end if end >= 0 else len(text)]).strip()
            found.append((lines + text.count("\n", 0, match.start()), near))
        lines += text.count("\n")
        yield FORBIDDEN.sub("", text)


def _give_controls(entries: list[Entry], controls: list[tuple[int, str]]) -> None:
    for line, near in controls:
        for entry in entries:
            if entry.line <= line <= entry.last_line:
                entry.controls.append((line, near))

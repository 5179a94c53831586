"""One mapping of a YAML file, key by key: values as a record wants them, and the line of what is wrong."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from articles.importing.records import Link
from catalog.importing.checking import NOTHING, NUMBER, TRUTH, kind_of, number_of, suggestion
from catalog.importing.documents import Mapping as MappingNode
from catalog.importing.documents import Node, Sequence, Text
from catalog.importing.problems import Problems
from catalog.importing.records import Place

SLUG = re.compile(r"[-a-z0-9_]{1,120}")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


class Fields:
    """Reads the keys of one mapping. A key that is not in `known` is refused by name, for it would be lost."""

    def __init__(
        self, node: Node, path: str, known: Iterable[str], problems: Problems, links: list[Link], *, offset: int = 0
    ) -> None:
        self.path = path
        self.problems = problems
        self.links = links
        self.offset = offset
        self.line = node.line + offset
        self.entries: dict[str, Node] = {}
        self.lines: dict[str, int] = {}
        known = list(known)
        if not isinstance(node, MappingNode):
            problems.refuse(self.line, path, "wrong_type", f"This has to be keys and values, not a {kind_of(node)}.")
            return
        self.entries = node.entries
        self.lines = node.lines
        for name in node.entries:
            if name not in known:
                message = f"{name} is no key of this{suggestion(name, known)}. Correct or delete it."
                self.refuse(name, "unknown_key", message)

    @property
    def place(self) -> Place:
        return Place(self.problems.file, self.line)

    def line_of(self, name: str) -> int:
        """Return the line of a key, or of the whole mapping where it is missing."""
        return self.lines[name] + self.offset if name in self.lines else self.line

    def refuse(self, name: str, code: str, message: str) -> None:
        self.problems.refuse(self.line_of(name), self._path(name), code, message)

    def text(self, name: str, *, longest: int = 200, required: bool = False, default: str = "") -> str:
        """Return a text as written, on one line; folded and block texts keep their line ends."""
        node = self._scalar(name, required=required)
        if node is None:
            return default
        if found := CONTROL.search(node.text):
            self.refuse(name, "control_character", f"The text holds U+{ord(found[0]):04X}. Delete it.")
        elif len(node.text) > longest:
            self.refuse(name, "too_long", f"{len(node.text)} characters; {longest} are allowed.")
        elif required and not node.text.strip():
            self.refuse(name, "required", f"{name} is empty.")
        else:
            return node.text.strip()
        return default

    def slug(self, name: str, *, required: bool = False, kind: str = "") -> str:
        """Return a slug. With a `kind`, it names a record of that kind, which has to exist."""
        text = self.text(name, longest=200, required=required)
        if text and not SLUG.fullmatch(text):
            message = f"“{text}” is no slug: lower-case letters, digits, hyphens and underscores, at most 120."
            self.refuse(name, "bad_slug", message)
            return ""
        if text and kind:
            self.links.append(Link(kind, text, Place(self.problems.file, self.line_of(name)), self._path(name)))
        return text

    def slugs(self, name: str, *, kind: str = "") -> tuple[str, ...]:
        """Return a list of slugs, each once, in the order in which they are written."""
        found: list[str] = []
        for number, text, line in self._texts(name):
            path = f"{self._path(name)}[{number}]"
            if not SLUG.fullmatch(text):
                self.problems.refuse(line, path, "bad_slug", f"“{text}” is no slug.")
            elif text in found:
                self.problems.refuse(line, path, "twice", f"{text} stands here twice. Delete one.")
            else:
                found.append(text)
                if kind:
                    self.links.append(Link(kind, text, Place(self.problems.file, line), path))
        return tuple(found)

    def texts(self, name: str, *, longest: int = 80) -> tuple[str, ...]:
        """Return a list of short texts."""
        found = []
        for number, text, line in self._texts(name):
            if len(text) > longest or CONTROL.search(text) or not text.strip():
                message = f"This has to be a text of 1 to {longest} characters on one line."
                self.problems.refuse(line, f"{self._path(name)}[{number}]", "bad_text", message)
            else:
                found.append(text.strip())
        return tuple(found)

    def choice(self, name: str, choices: Iterable[str], *, required: bool = False, default: str = "") -> str:
        text = self.text(name, required=required, default=default)
        choices = list(choices)
        if text and text not in choices:
            message = f"“{text}” is none of {', '.join(choices)}{suggestion(text, choices)}."
            self.refuse(name, "not_a_choice", message)
            return default
        return text

    def number(self, name: str) -> Decimal | None:
        """Return a number as written, in decimals; it is required."""
        node = self._scalar(name, required=True)
        if node is None:
            return None
        here = Problems(self.problems.file)
        value = number_of(node, self._path(name), here)
        for refusal in here.refusals:
            self.problems.refuse(refusal.line + self.offset, refusal.field, refusal.code, refusal.message)
        return value

    def truth(self, name: str) -> bool:
        """Return true or false; false where the key is missing."""
        node = self._scalar(name)
        if node is None:
            return False
        value = TRUTH.get(node.text) if node.is_plain else None
        if value is None:
            self.refuse(name, "wrong_type", f"“{node.text}” is not true or false (without quotes).")
        return bool(value)

    def day(self, name: str, *, required: bool = False) -> date | None:
        node = self._scalar(name, required=required)
        if node is None:
            return None
        try:
            return date.fromisoformat(node.text)
        except ValueError:
            self.refuse(name, "not_a_day", f"“{node.text}” is no day; write it as in 2026-03-11.")
        return None

    def mapping(self, name: str, known: Iterable[str]) -> "Fields | None":
        """Return the mapping under a key, or None where it is missing."""
        node = self.entries.get(name)
        if node is None:
            return None
        return Fields(node, self._path(name), known, self.problems, self.links, offset=self.offset)

    def mappings(self, name: str, known: Iterable[str]) -> list["Fields"]:
        """Return the mappings of a list."""
        node = self.entries.get(name)
        if node is None:
            return []
        if not isinstance(node, Sequence):
            self.refuse(name, "wrong_type", f"This has to be a list, not a {kind_of(node)}.")
            return []
        known = list(known)
        return [
            Fields(item, f"{self._path(name)}[{number}]", known, self.problems, self.links, offset=self.offset)
            for number, item in enumerate(node.items)
        ]

    def plain(self, name: str) -> Any:
        """Return what stands under a key as plain values: numbers as int or Decimal, what is in quotes as text."""
        node = self.entries.get(name)
        if node is None:
            self.refuse(name, "required", f"{name} is missing.")
            return None
        return plain(node)

    def _path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def _scalar(self, name: str, *, required: bool = False) -> Text | None:
        node = self.entries.get(name)
        if node is None:
            if required:
                self.refuse(name, "required", f"{name} is missing.")
            return None
        if not isinstance(node, Text):
            self.refuse(name, "wrong_type", f"This has to be one value, not a {kind_of(node)}.")
            return None
        if node.is_plain and node.text in NOTHING:
            self.refuse(name, "no_value", f"{name} has no value. Leave the key out, or write one.")
            return None
        return node

    def _texts(self, name: str) -> list[tuple[int, str, int]]:
        node = self.entries.get(name)
        if node is None:
            return []
        if not isinstance(node, Sequence):
            self.refuse(name, "wrong_type", f"This has to be a list, not a {kind_of(node)}.")
            return []
        found = []
        for number, item in enumerate(node.items):
            if isinstance(item, Text):
                found.append((number, item.text, item.line + self.offset))
            else:
                message = f"This has to be one value, not a {kind_of(item)}."
                self.problems.refuse(item.line + self.offset, f"{self._path(name)}[{number}]", "wrong_type", message)
        return found


def plain(node: Node) -> Any:
    """Return a node as plain values. What is in plain digits is a number, the words true and false are truth values."""
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if isinstance(node, MappingNode):
        return {name: plain(value) for name, value in node.entries.items()}
    if not node.is_plain:
        return node.text
    if node.text in NOTHING:
        return None
    if node.text in ("true", "false"):
        return node.text == "true"
    if NUMBER.fullmatch(node.text):
        return Decimal(node.text) if "." in node.text else int(node.text)
    return node.text


def without_twins(records: Iterable[Any], problems: Mapping[str, Problems], *, key: str = "slug") -> list[Any]:
    """Return the records without those whose `key` an earlier one has; they are refused, naming the first."""
    seen: dict[str, Any] = {}
    kept = []
    for record in records:
        name = getattr(record, key)
        if not name:
            continue  # Refused already, for having none.
        first = seen.setdefault(name, record)
        if first is record:
            kept.append(record)
            continue
        where = f"{first.place.file}, line {first.place.line}"
        problems[record.place.file].refuse(
            record.place.line, key, f"duplicate_{key}", f"{name} stands already in {where}. Keep one."
        )
    return kept

"""YAML text into nodes that keep what was written: scalars as text, with their line.

PyYAML's constructors follow YAML 1.1: `NO` becomes False, `012` ten, `12:30:45` 45,045, and of two equal keys the last
wins without a word. So the events of libyaml are read here, and what a scalar means is left to the field it stands in.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import yaml
import yaml.cyaml

# The whole library, exported as one file, is about 15 MB.
MAX_BYTES = 64 * 1024 * 1024
# YAML 1.2, production 1 (c-printable); libyaml itself tells no line for what it forbids.
NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A type is three levels deep: document, list of components, component.
MAX_DEPTH = 16

NO_ANCHORS = "Anchors, aliases and merge keys are not read. Write the value out where it is used."
NO_TAGS = "Tags are not read. Leave the tag out; put quotes around a value that is text."


class Text(NamedTuple):
    """A scalar as written. `is_plain`: without quotes, so that it may stand for a number, a truth value or nothing."""

    text: str
    line: int
    is_plain: bool


@dataclass(slots=True)
class Sequence:
    line: int
    items: list["Node"] = field(default_factory=list)


@dataclass(slots=True)
class Mapping:
    """`lines` holds the line of each key."""

    line: int
    entries: dict[str, "Node"] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


Node: TypeAlias = Text | Sequence | Mapping


class Fault(NamedTuple):
    """Something in the YAML itself for which its document is refused."""

    line: int
    field: str
    code: str
    message: str


@dataclass(slots=True)
class Document:
    """One document of a file. `root` is None where it is empty."""

    root: Node | None
    faults: list[Fault]


class UnreadableFileError(ValueError):
    """The text cannot be read any further; `fault` says where and why. All of the file is refused."""

    def __init__(self, line: int, code: str, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(line, "", code, message)


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, with or without a byte order mark, or UTF-16 with one.

    Raises UnreadableFileError, codes "too_large", "not_utf8" and "bad_yaml": an encoding is never guessed.
    """
    if len(data) > MAX_BYTES:
        limit_mb = MAX_BYTES // 1024 // 1024
        raise UnreadableFileError(1, "too_large", f"The file has more than {limit_mb} MB. Split it into several files.")
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableFileError(line, "not_utf8", "This is not UTF-8 text. Save the file as UTF-8.") from None
    # Files that were joined on Windows carry a mark at the head of each part.
    text = text.replace("\n\ufeff", "\n")
    if forbidden := NOT_YAML.search(text):
        line = text.count("\n", 0, forbidden.start()) + 1
        message = f"The character U+{ord(forbidden[0]):04X} may not stand in YAML."
        raise UnreadableFileError(line, "bad_yaml", message)
    return text


def read_documents(text: str) -> Iterator[Document]:
    """Yield the documents of a YAML stream.

    Raises UnreadableFileError, codes "bad_yaml", "anchor", "bad_key" and "too_deep", at the place where reading ends.
    Tags and keys that stand twice are faults of their document, which is read on.
    """
    parser: Any = yaml.cyaml.CParser(text)  # type: ignore[attr-defined]  # The stubs leave it out.
    faults: list[Fault] = []
    root: Node | None = None
    # The containers that are open, and for a mapping the key whose value comes next.
    open_nodes: list[Sequence | Mapping] = []
    keys: list[Text | None] = []

    while (event := _next_event(parser)) is not None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            line = event.start_mark.line + 1
            node: Node = Text(event.value, line, event.implicit[0])
            if event.tag is not None:
                faults.append(Fault(line, "", "tag", NO_TAGS))
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            line = event.start_mark.line + 1
            node = Mapping(line) if kind is yaml.MappingStartEvent else Sequence(line)
            if event.tag is not None:
                faults.append(Fault(line, "", "tag", NO_TAGS))
            if len(open_nodes) >= MAX_DEPTH:
                raise UnreadableFileError(line, "too_deep", f"Lists and mappings stand in each other {MAX_DEPTH} deep.")
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            open_nodes.pop()
            keys.pop()
            continue
        elif kind is yaml.AliasEvent:
            raise UnreadableFileError(event.start_mark.line + 1, "anchor", NO_ANCHORS)
        elif kind is yaml.DocumentEndEvent:
            yield Document(root, faults)
            root, faults = None, []
            continue
        else:  # Beginning and end of the stream, beginning of a document: nothing to keep.
            continue
        if event.anchor is not None:
            raise UnreadableFileError(line, "anchor", NO_ANCHORS)

        if not open_nodes:
            # An empty document is a plain scalar without text.
            root = None if node == ("", line, True) else node
        else:
            parent = open_nodes[-1]
            if isinstance(parent, Sequence):
                parent.items.append(node)
            elif keys[-1] is None:
                if not isinstance(node, Text):
                    raise UnreadableFileError(line, "bad_key", "A key has to be text, not a list or a mapping.")
                keys[-1] = node
            else:
                _put(parent, keys[-1], node, faults)
                keys[-1] = None
        if not isinstance(node, Text):
            open_nodes.append(node)
            keys.append(None)


def _put(parent: Mapping, key: Text, node: Node, faults: list[Fault]) -> None:
    name = key.text
    if name in parent.lines:
        first = parent.lines[name]
        faults.append(
            Fault(key.line, name, "duplicate_key", f"The key stands twice, first in line {first}. Keep one of them.")
        )
        return
    parent.entries[name] = node
    parent.lines[name] = key.line


def _next_event(parser: Any) -> Any:
    try:
        return parser.get_event()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        begun = f", {error.context} that begins in line {error.context_mark.line + 1}" if error.context_mark else ""
        message = f"This is not YAML: {error.problem}{begun}."
        raise UnreadableFileError(mark.line + 1 if mark else 1, "bad_yaml", message) from None

"""The front matter of a Markdown file: YAML between ---, TOML between +++, or one JSON object.

Only plain values are read. In YAML that is text, lists and mappings: no tags, no anchors, and a word such as `on` or
`2020` stays the text it is, so that a title of four digits is a title.
"""

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from catalog.importing.documents import Mapping, Node, Sequence, UnreadableFileError, read_documents
from catalog.importing.documents import Text as Scalar

FENCES = {"---": "yaml", "+++": "toml"}
JSON_BEGINS = re.compile(r'\{\s*["}]')
NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
LINE_OF_TOML = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)")
MAX_DEPTH = 16

Value = str | bool | None | list["Value"] | dict[str, "Value"]


class BadFrontMatterError(ValueError):
    """It cannot be read. `code` is "bad_front_matter" or "front_matter_unclosed", `line` that of the file."""

    def __init__(self, line: int, code: str, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.code = code


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`kind` is yaml, toml, json, or "" where the file has none. `lines` are those of the file, from 1, by key.

    `body` begins in line `body_line`. Keys are in lower case, as Hugo reads them; `spelled` is how they are written.
    """

    kind: str
    values: dict[str, Value] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    body: str = ""
    body_line: int = 1
    spelled: dict[str, str] = field(default_factory=dict)

    def line_of(self, *keys: str) -> int:
        """Return the line of the first of `keys` that is there, else that of the file."""
        return next((self.lines[key] for key in keys if key in self.lines), 1)


def split(text: str) -> FrontMatter:
    """Return the front matter and the body of `text`, which has LF line ends. Raises BadFrontMatterError."""
    first, _, _ = text.partition("\n")
    kind = FENCES.get(first.rstrip())
    if kind:
        return _fenced(text, first.rstrip(), kind)
    if JSON_BEGINS.match(text):
        return _json(text)
    return FrontMatter("", body=text)


def _fenced(text: str, fence: str, kind: str) -> FrontMatter:
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.rstrip() == fence), None)
    if end is None:
        raise BadFrontMatterError(1, "front_matter_unclosed", f"The front matter has no end. Close it with {fence}.")
    block = "\n".join(lines[1:end])
    values, keys = _read_yaml(block) if kind == "yaml" else _read_toml(block)
    body = "\n".join(lines[end + 1 :])
    return FrontMatter(kind, *_lowered(values, keys), body=body, body_line=end + 2, spelled=_spelled(values))


def _lowered(values: dict[str, Value], lines: dict[str, int]) -> tuple[dict[str, Value], dict[str, int]]:
    return {key.lower(): value for key, value in values.items()}, {key.lower(): line for key, line in lines.items()}


def _spelled(values: dict[str, Value]) -> dict[str, str]:
    return {key.lower(): key for key in values}


def _refusal(line: int, message: str) -> BadFrontMatterError:
    return BadFrontMatterError(line, "bad_front_matter", message)


def _read_yaml(block: str) -> tuple[dict[str, Value], dict[str, int]]:
    """Return values and lines; those of the block begin with the second line of the file."""
    try:
        documents = list(read_documents(block))
    except UnreadableFileError as error:
        raise _refusal(error.fault.line + 1, error.fault.message) from None
    if not documents:
        return {}, {}
    if documents[0].faults:
        fault = documents[0].faults[0]
        raise _refusal(fault.line + 1, fault.message)
    root = documents[0].root
    if root is None:
        return {}, {}
    if not isinstance(root, Mapping):
        raise _refusal(root.line + 1, "Front matter is made of keys and values.")
    return (
        {key: _plain(node) for key, node in root.entries.items()},
        {key: line + 1 for key, line in root.lines.items()},
    )


def _plain(node: Node) -> Value:
    if isinstance(node, Scalar):
        return None if node.is_plain and node.text in NOTHING else node.text
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return {key: _plain(value) for key, value in node.entries.items()}


def _read_toml(block: str) -> tuple[dict[str, Value], dict[str, int]]:
    try:
        values = tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        found = LINE_OF_TOML.search(str(error))
        line = int(found[1]) if found and found[1] else block.count("\n") + 1
        message = LINE_OF_TOML.sub("", str(error))
        raise _refusal(line + 1, f"This is not TOML: {message}.") from None
    except RecursionError:
        raise _refusal(2, "Values stand too deep in each other.") from None
    keys = {key: _line_of_key(block, rf"^[ \t]*\[*[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=.\]]") for key in values}
    return {key: _value(value) for key, value in values.items()}, {key: line + 1 for key, line in keys.items()}


def _line_of_key(text: str, pattern: str) -> int:
    found = re.search(pattern, text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _value(value: Any) -> Value:
    """Return a value of TOML or JSON with numbers and instants as text."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, list):
        return [_value(each) for each in value]
    if isinstance(value, dict):
        return {key: _value(each) for key, each in value.items()}
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _json(text: str) -> FrontMatter:
    try:
        values, end = json.JSONDecoder(object_pairs_hook=_once).raw_decode(text)
    except json.JSONDecodeError as error:
        raise _refusal(error.lineno, f"This is not JSON: {error.msg}, column {error.colno}.") from None
    except _TwiceError as error:
        line = _line_of_key(text, rf'"{re.escape(error.key)}"\s*:')
        raise _refusal(line, f"The key {error.key} stands twice. Keep one of them.") from None
    except RecursionError:
        raise _refusal(1, "Values stand too deep in each other.") from None
    lines = {key: _line_of_key(text, rf'"{re.escape(key)}"\s*:') for key in values}
    rest = text[end:]
    head, _, body = rest.partition("\n")
    if head.strip():
        body, line = rest, text.count("\n", 0, end) + 1
    else:
        line = text.count("\n", 0, end) + 2
    plain = {key: _value(value) for key, value in values.items()}
    return FrontMatter("json", *_lowered(plain, lines), body=body, body_line=line, spelled=_spelled(plain))


class _TwiceError(ValueError):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(key)
        found[key] = value
    return found


# What the fields of front matter may mean.


def text_of(value: Value) -> str:
    """Return `value` as one line of text; a list, a mapping or nothing is ""."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(value.split()) if isinstance(value, str) else ""


def texts_of(value: Value, *, separators: str = "") -> list[str]:
    """Return a list of texts, or the one that stands there; `separators` part the one (Jekyll: blanks or commas)."""
    if isinstance(value, str):
        parts = re.split(f"[{re.escape(separators)}]", value) if separators else [value]
    elif isinstance(value, list):
        parts = [text_of(each) for each in value]
    else:
        parts = []
    return [part.strip() for part in parts if part.strip()]


def truth_of(value: Value, *, default: bool = False) -> bool:
    """Return what `value` says in any of the words of YAML 1.1."""
    if isinstance(value, bool):
        return value
    return text_of(value).lower() in ("true", "yes", "on", "1") if isinstance(value, str) else default

"""Lists, of items and of definitions. In Markdown the lines of an item hang below its mark."""

import re
from itertools import groupby
from typing import TYPE_CHECKING

from .tree import Node, attribute, find

if TYPE_CHECKING:
    from .blocks import Writer


def list_of(writer: "Writer", node: Node) -> str:
    """Return an ordered or unordered list; a box at the beginning of an item is a task."""
    start = attribute(node, "start")
    number = int(start) if node.name == "ol" and start.isascii() and start.isdigit() else 1
    items, is_loose = [], False
    for child in node.children or []:
        if (child.name == "#text" and not (child.data or "").strip()) or child.name.startswith("#c"):
            continue
        if id(child) in writer.gone:
            continue
        parts = writer.blocks(child.children or []) if child.name == "li" else writer.blocks([child])
        box = find(child, "input") if child.name == "li" else None
        if box is not None and attribute(box, "type") == "checkbox" and parts:
            parts[0] = f"{'☑' if 'checked' in (box.attrs or {}) else '☐'} {parts[0]}"
        is_loose = is_loose or _is_loose(parts)
        mark = f"{number}." if node.name == "ol" else "-"
        number = min(number + 1, 999_999_999)
        items.append((mark, parts))
    joint = "\n\n" if is_loose else "\n"
    return joint.join(_hanging(mark, joint.join(parts)) for mark, parts in items)


def definitions_of(writer: "Writer", node: Node) -> list[str]:
    """Return a list of definitions: its terms in bold type, and below each what it says. Nothing else in it is lost."""
    parts: list[str] = []
    for is_part, children in groupby(node.children or [], key=lambda child: child.name in ("dt", "dd", "div")):
        for child in children if is_part else ():
            if child.name == "dt" and not writer.holds_blocks(child):
                text = writer.inline(child.children or [])
                # Emphasis of its own would end the bold type.
                parts += [text if "*" in text else f"**{text}**"] if text else []
            elif child.name == "div":
                parts += definitions_of(writer, child)
            else:
                parts += writer.blocks(child.children or [])
        parts += [] if is_part else writer.blocks(children)
    return parts


def _is_loose(parts: list[str]) -> bool:
    """Whether an item holds more than a line of text and lists below it, so that it needs blank lines."""
    # Numbers that do not begin with 1 would go on the paragraph above them.
    marks = re.compile(r"(?:[-*+]|1[.)]) ")
    return any(index and not marks.match(part) for index, part in enumerate(parts)) or any(
        part.startswith((":::", "```", "|", ">", "#")) for part in parts
    )


def with_lists_apart(parts: list[str]) -> list[str]:
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

"""Which brackets of a line are links and images, found in one pass.

markdown-it-py looks for the end of each label from its beginning, again and again: a megabyte of brackets would take
hours. This is the method of the CommonMark specification ("look for link or image"): a stack of open brackets, inner
links first.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from markdown_it.common.utils import normalizeReference, unescapeAll
from markdown_it.helpers import parseLinkTitle
from markdown_it.rules_inline import StateInline

from .angles import match_angle

# What matters to brackets: escapes, code, angles, and brackets.
MARKS = re.compile(r"\\.|`+|<|!?\[|\]", re.DOTALL)
RUNS = re.compile("`+")
LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
LABEL_LENGTH = 999
SPACES = re.compile(r"[ \t\n]*")
IN_ANGLES = re.compile(r"<((?:[^<>\n\\]|\\.)*)>")
PLAIN = re.compile(r"(?:[^\x00-\x20\x7f()\\]|\\[^\x00-\x20\x7f])+|\\")
# Parentheses inside a destination. CommonMark asks for three levels at least.
MAX_PARENTHESES = 8


@dataclass(frozen=True, slots=True)
class Linked:
    """A link or image: its label lies in `label_at:label_end`, all of it ends at `end`."""

    label_at: int
    label_end: int
    end: int
    destination: str
    title: str


@dataclass(slots=True)
class _Open:
    at: int
    label_at: int
    is_image: bool
    holds_brackets: bool = False


def find_links(state: StateInline) -> dict[int, Linked]:
    """Return the links and images of `state.src` by the offset of `[` or `![`."""
    src = state.src
    references: dict[str, Any] = state.env.get("references", {})
    links: dict[int, Linked] = {}
    stack: list[_Open] = []
    # Links do not stand in links: once one is found, brackets that opened before it are none. `dead` counts these, from
    # the bottom of the stack.
    dead = 0
    runs: dict[int, list[int]] = {}
    position = 0
    while mark := MARKS.search(src, position):
        position = mark.end()
        text = mark.group()
        if text[0] == "\\":
            continue
        if text[0] == "`":
            position = _end_of_code(src, mark.start(), mark.end(), runs)
        elif text == "<":
            angle = match_angle(state, mark.start())
            position = angle.end if angle else position
        elif text.endswith("["):
            if stack:
                stack[-1].holds_brackets = True
            stack.append(_Open(mark.start(), mark.end(), text == "!["))
        elif text == "]" and stack:
            opener = stack.pop()
            is_dead = len(stack) < dead and not opener.is_image
            dead = min(dead, len(stack))
            linked = None if is_dead else _read_tail(src, opener, mark.start(), references)
            if linked:
                links[opener.at] = linked
                position = linked.end
                if not opener.is_image:
                    dead = len(stack)
    return links


def _end_of_code(src: str, at: int, end: int, runs: dict[int, list[int]]) -> int:
    """Return where the code span that begins at `at` ends, or `end`, behind its backticks, where it is none."""
    if not runs:
        for run in RUNS.finditer(src):
            runs.setdefault(run.end() - run.start(), []).append(run.start())
    # Behind a backslash a run is one shorter than it looks, and may have no like.
    alike = runs.get(end - at, [])
    following = bisect_right(alike, at)
    return alike[following] + end - at if following < len(alike) else end


def _read_tail(src: str, opener: _Open, close: int, references: dict[str, Any]) -> Linked | None:
    """Return what the brackets are, by what follows the closing one at `close`."""
    if src.startswith("(", close + 1):
        tail = _read_inline_tail(src, close + 2)
        if tail:
            destination, title, end = tail
            return Linked(opener.label_at, close, end, destination, title)
    if src.startswith(("@", "^"), opener.label_at) and not opener.is_image:
        # A citation or a note.
        return None
    end = close + 1
    label = ""
    following = LABEL.match(src, close + 1)
    if following:
        label, end = following[1], following.end()
    if not label:
        if opener.holds_brackets or close - opener.label_at > LABEL_LENGTH:
            return None
        label = src[opener.label_at : close]
    definition = references.get(normalizeReference(label)) if references else None
    if definition is None:
        return None
    return Linked(opener.label_at, close, end, definition["href"], definition["title"])


def _read_inline_tail(src: str, at: int) -> tuple[str, str, int] | None:
    """Return destination, title and end of `(destination "title")`, read from behind the parenthesis."""
    at = _skip_spaces(src, at)
    end = _end_of_destination(src, at)
    if end < 0:
        return None
    destination = src[at + 1 : end - 1] if src.startswith("<", at) else src[at:end]
    at = _skip_spaces(src, end)
    title = ""
    if at > end and src[at : at + 1] in ('"', "'", "("):
        found = parseLinkTitle(src, at, len(src))
        if not found.ok:
            return None
        title, at = found.str, _skip_spaces(src, found.pos)
    if not src.startswith(")", at):
        return None
    return unescapeAll(destination), title, at + 1


def _skip_spaces(src: str, at: int) -> int:
    found = SPACES.match(src, at)
    assert found is not None
    return found.end()


def _end_of_destination(src: str, at: int) -> int:
    """Return the offset behind the destination at `at`, which may be empty, or -1 where none can be read."""
    if src.startswith("<", at):
        found = IN_ANGLES.match(src, at)
        return found.end() if found else -1
    depth = 0
    while True:
        if found := PLAIN.match(src, at):
            at = found.end()
        elif src.startswith("(", at):
            depth += 1
            if depth > MAX_PARENTHESES:
                return -1
            at += 1
        elif src.startswith(")", at) and depth:
            depth -= 1
            at += 1
        else:
            return at if not depth else -1

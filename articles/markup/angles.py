"""What `<` may begin inside a line: an address, a piece of HTML, or nothing."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR
from markdown_it.rules_inline import StateInline

from .block_rules import INLINE_TAGS, LOOSE_TAG, UNREAD

# Schemes and addresses as in CommonMark, "Autolinks".
ADDRESS = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*)>")
MAIL = re.compile(
    r"<([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*)>"
)
PLAIN_TAG = re.compile(rf"<(?:/?({'|'.join(INLINE_TAGS[:3])})|(br)[ \t]*/?)>", re.IGNORECASE)
STRICT_TAG = re.compile(HTML_OPEN_CLOSE_TAG_STR.removeprefix("^"))
UNREAD_END = re.compile(rf"</({'|'.join(UNREAD)})(?=[\s/>])", re.IGNORECASE)
TAG_NAME = re.compile(r"<([A-Za-z][A-Za-z0-9-]*)")
# What begins like these ends with the text beside it.
OTHERS = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"))


@dataclass(frozen=True, slots=True)
class Angle:
    """`text`: of an address or mail, what stands between the angles; of a tag, the tag in lower case without blanks."""

    kind: Literal["address", "mail", "tag", "html", "comment"]
    end: int
    text: str = ""


def match_angle(state: StateInline, at: int) -> Angle | None:
    """Return what begins with the `<` at the offset `at`.

    Either it is matched and not read again, or reading stopped before the next `<`: many of them are read once.
    """
    src = state.src
    if found := ADDRESS.match(src, at):
        return Angle("address", found.end(), found[1])
    if found := MAIL.match(src, at):
        return Angle("mail", found.end(), found[1])
    if found := PLAIN_TAG.match(src, at):
        return Angle("tag", found.end(), "<br>" if found[2] else found.group().lower())
    for opening, closing in OTHERS:
        if src.startswith(opening, at):
            return _match_other(state, at, opening, closing)
    if found := STRICT_TAG.match(src, at) or LOOSE_TAG.match(src, at):
        return Angle("html", _end_of_unread(state, at, found.end()))
    return None


def _match_other(state: StateInline, at: int, opening: str, closing: str) -> Angle | None:
    kind: Literal["comment", "html"] = "comment" if opening == "<!--" else "html"
    if opening == "<!" and not state.src[at + 2 : at + 3].isalpha():
        return None
    # `<!-->` is a whole comment.
    begin = at + 2 if kind == "comment" else at + len(opening)
    if state.html_terminator_last(closing) < begin:
        # An open comment hides nothing, but is a mistake all the same.
        return Angle(kind, at + len(opening)) if kind == "comment" else None
    return Angle(kind, state.src.find(closing, begin) + len(closing))


def _end_of_unread(state: StateInline, at: int, end: int) -> int:
    """Return where the content of a script or style sheet ends: it is no text. Of other tags, `end`."""
    name = TAG_NAME.match(state.src, at)
    if not name or name[1].lower() not in UNREAD:
        return end
    closings: dict[str, list[int]] | None = state.env["unread"]
    if closings is None:
        closings = state.env["unread"] = {name: [] for name in UNREAD}
        for found in UNREAD_END.finditer(state.src):
            closings[found[1].lower()].append(found.start())
    ends = closings[name[1].lower()]
    following = bisect_left(ends, end)
    return ends[following] if following < len(ends) else end

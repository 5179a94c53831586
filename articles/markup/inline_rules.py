"""Inline rules of our own: quantities, citations, notes, links, images, and what `<` begins.

They only find things; whether what they name exists is judged later. Each token carries its offset in `meta["at"]`;
links, images and HTML also where they end, and links and images in brackets where their label stands: the importers
rewrite them.
"""

import re
from typing import Any

from markdown_it import rules_inline
from markdown_it.parser_inline import ParserInline, RuleFuncInlineType
from markdown_it.rules_inline import StateInline

from .angles import match_angle
from .brackets import Linked, find_links

# How deep emphasis, links and images may stand in each other.
MAX_INLINE_DEPTH = 20

# A rule is asked at these only; all else is text.
TERMINATORS = re.compile(r"[\n&*\[\\_`<]|!(?=\[)|\{\{")
BRACES = re.compile(r"\{\{([^{}]*)\}\}|\{+")
# slug.field, scenario:slug.field (which may name a field inside another), fact:slug.
QUANTITY = re.compile(
    r"(?:(?:(?:device|installation):)?[A-Za-z0-9][\w-]*\.[A-Za-z]\w*"
    r"|scenario:[A-Za-z0-9][\w-]*(?:\.[A-Za-z]\w*)+"
    r"|fact:[A-Za-z0-9][\w-]*)",
    re.ASCII,
)
CITATION = re.compile(r"\[@([A-Za-z0-9][^\[\]\n]*)\]")
NOTE = re.compile(r"\[\^([^\[\]\n]+)\]")


class InlineParser(ParserInline):
    """The inline parser of markdown-it-py, which asks only the rules that a character may belong to."""

    def __init__(self) -> None:
        super().__init__()
        self.ruler2.enableOnly(["balance_pairs", "emphasis", "fragments_join"])

    def tokenize(self, state: StateInline) -> None:
        """Read `state.src` from `state.pos` up to `state.posMax`."""
        src, end = state.src, state.posMax
        while state.pos < end:
            for rule in RULES.get(src[state.pos], ()):
                if rule(state, False):
                    break
            else:
                # What no rule takes is text, and all that follows up to where one may take something.
                following = TERMINATORS.search(src, state.pos + 1, end)
                begin, state.pos = state.pos, following.start() if following else end
                state.append_pending(src[begin : state.pos])
        if state.pending:
            state.pushPending()


def begin(env: dict[str, Any]) -> None:
    """Forget the line before."""
    env["links"] = None
    env["is_too_deep"] = False
    env["unread"] = None


def _emphasis(state: StateInline, silent: bool) -> bool:
    marker = state.src[state.pos]
    end = state.pos
    while end < state.posMax and state.src[end] == marker:
        end += 1
    if end - state.pos <= 2 * MAX_INLINE_DEPTH:
        return rules_inline.emphasis.tokenize(state, silent)
    # A longer run would open more emphasis than may be nested. It is kept as text, once for all: a token for each
    # of a million asterisks takes a gigabyte.
    if state.scanDelims(state.pos, marker == "*").can_open:
        state.env["is_too_deep"] = True
    state.append_pending(state.src[state.pos : end])
    state.pos = end
    return True


def _quantity(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith("{{", state.pos):
        return False
    found = BRACES.match(state.src, state.pos, state.posMax)
    assert found is not None
    name = (found[1] or "").strip()
    is_quantity = QUANTITY.fullmatch(name) is not None
    token = state.push("quantity" if is_quantity else "malformed_quantity", "", 0)
    token.content = name if is_quantity else found.group()
    token.meta = {"at": state.pos}
    state.pos = found.end()
    return True


def _link(state: StateInline, silent: bool) -> bool:
    at = state.pos
    if state.env["links"] is None:
        state.env["links"] = find_links(state)
    linked: Linked | None = state.env["links"].get(at)
    if linked is None:
        return False
    if state.level >= MAX_INLINE_DEPTH:
        state.env["is_too_deep"] = True
        return False
    kind = "image" if state.src[at] == "!" else "link"
    token = state.push(f"{kind}_open", "", 1)
    token.meta["at"], token.meta["end"] = at, linked.end
    token.meta["label"] = linked.label_at, linked.label_end
    token.meta["destination"], token.meta["title"] = linked.destination, linked.title
    end = state.posMax
    state.pos, state.posMax = linked.label_at, linked.label_end
    state.md.inline.tokenize(state)
    state.push(f"{kind}_close", "", -1).meta = {"at": linked.label_end, "end": linked.end}
    state.pos, state.posMax = linked.end, end
    return True


def _citation(state: StateInline, silent: bool) -> bool:
    return _reference(state, CITATION, "citation")


def _note(state: StateInline, silent: bool) -> bool:
    return _reference(state, NOTE, "note")


def _reference(state: StateInline, pattern: re.Pattern[str], kind: str) -> bool:
    found = pattern.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    token = state.push(kind, "", 0)
    token.content = found[1]
    token.meta = {"at": state.pos}
    state.pos = found.end()
    return True


def _code(state: StateInline, silent: bool) -> bool:
    at, count = state.pos, len(state.tokens)
    if not rules_inline.backtick(state, silent):
        return False
    # What was pending may have become a token too, or is all there is, where the backticks are text.
    for token in state.tokens[count:]:
        if token.type == "code_inline":
            token.meta = {"at": at, "end": state.pos}
    return True


def _angle(state: StateInline, silent: bool) -> bool:
    angle = match_angle(state, state.pos)
    if angle is None or angle.end > state.posMax:
        return False
    at, state.pos = state.pos, angle.end
    if angle.kind in ("address", "mail"):
        token = state.push("link_open", "", 1)
        token.meta["at"], token.meta["end"] = at, angle.end
        token.meta["destination"] = f"mailto:{angle.text}" if angle.kind == "mail" else angle.text
        token.meta["title"] = ""
        state.push("text", "", 0).content = angle.text
        state.push("link_close", "", -1).meta = {"at": at, "end": angle.end}
    else:
        token = state.push(angle.kind, "", 0)
        token.content = angle.text
        token.meta = {"at": at, "end": angle.end}
    return True


def _entity(state: StateInline, silent: bool) -> bool:
    at, count = state.pos, len(state.tokens)
    if not rules_inline.entity(state, silent):
        return False
    # What was pending may have become a token too.
    for token in state.tokens[count:]:
        token.meta["at"] = at
    return True


# In the order in which they are asked, by the character at which each may begin.
RULES: dict[str, tuple[RuleFuncInlineType, ...]] = {
    "\n": (rules_inline.newline,),
    "\\": (rules_inline.escape,),
    "`": (_code,),
    "*": (_emphasis,),
    "_": (_emphasis,),
    "{": (_quantity,),
    "[": (_link, _citation, _note),
    "!": (_link,),
    "<": (_angle,),
    "&": (_entity,),
}

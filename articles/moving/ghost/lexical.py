"""Lexical, Ghost's format since version 5: a tree of nodes in JSON, as HTML with cards."""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from articles.moving.ghost.cards import Cards

# The bits of a text's format (packages/lexical/src/LexicalConstants.ts), outermost first.
FORMATS = ((1, "strong"), (2, "em"), (4, "s"), (8, "u"), (128, "mark"), (16, "code"), (32, "sub"), (64, "sup"))
ELEMENTS = {"paragraph": "p", "quote": "blockquote", "extended-quote": "blockquote", "aside": "blockquote"}
HEADINGS = ("heading", "extended-heading")
LINKS = ("link", "autolink", "at-link")
PUNCTUATION = re.compile(r"[\]\[!\"#$%&'()*+,./:;<=>?@\\^_{|}~]")
DEEPEST = 100


class NotLexicalError(ValueError):
    """The text is no tree of lexical."""


def lexical_html(text: str, cards: Cards) -> str:
    """Return a body in lexical as HTML. Raises NotLexicalError."""
    try:
        tree = json.loads(text)
        root = tree["root"]
        children = root["children"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotLexicalError("This is no body in lexical.") from None
    return "".join(_block(node, cards, 0) for node in _nodes(children))


def _nodes(children: Any) -> Iterator[dict[str, Any]]:
    if isinstance(children, list):
        yield from (node for node in children if isinstance(node, dict))


def _block(node: dict[str, Any], cards: Cards, depth: int) -> str:
    kind = str(node.get("type", ""))
    children = list(_nodes(node.get("children")))
    if depth > DEEPEST:
        return escape(_words(children))
    if kind in ELEMENTS:
        return f"<{ELEMENTS[kind]}>{_line(children, cards, depth)}</{ELEMENTS[kind]}>"
    if kind in HEADINGS:
        tag = node.get("tag") if node.get("tag") in ("h1", "h2", "h3", "h4", "h5", "h6") else "h2"
        return f'<{tag} id="{escape(heading_id(_words(children)))}">{_line(children, cards, depth)}</{tag}>'
    if kind == "list":
        return _list(node, children, cards, depth)
    if children:
        # What wraps blocks (and what a later version may add) means nothing by itself.
        inner = [child.get("type") for child in children]
        if any(each in ("text", "extended-text", "linebreak", *LINKS) for each in inner):
            return f"<p>{_line(children, cards, depth)}</p>"
        return "".join(_block(child, cards, depth + 1) for child in children)
    if kind in ("text", "extended-text", *LINKS):
        return f"<p>{_line([node], cards, depth)}</p>"
    return "" if kind in ("linebreak", "root") or "children" in node else cards.html(kind, node)


def _list(node: dict[str, Any], children: Sequence[dict[str, Any]], cards: Cards, depth: int) -> str:
    is_ordered = node.get("listType") == "number" or node.get("tag") == "ol"
    items: list[str] = []
    for child in children:
        inner = list(_nodes(child.get("children")))
        nested = [each for each in inner if each.get("type") == "list"]
        words = _line([each for each in inner if each.get("type") != "list"], cards, depth)
        below = "".join(_block(each, cards, depth + 1) for each in nested)
        if node.get("listType") == "check":
            words = f"{'☑' if child.get('checked') else '☐'} {words}"
        if nested and not words.strip() and items:
            # Lexical keeps the list inside of an item as an item of its own.
            items[-1] += below
        else:
            items.append(words + below)
    start = node.get("start")
    begins = f' start="{start}"' if is_ordered and isinstance(start, int) and start != 1 else ""
    tag = "ol" if is_ordered else "ul"
    return f"<{tag}{begins}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{tag}>"


def _line(nodes: Sequence[dict[str, Any]], cards: Cards, depth: int) -> str:
    """Return what stands in a line. A format that goes on over several texts is opened once."""
    parts: list[str] = []
    opened: list[str] = []

    def keep(wanted: Sequence[str]) -> None:
        common = 0
        while common < min(len(opened), len(wanted)) and opened[common] == wanted[common]:
            common += 1
        while len(opened) > common:
            parts.append(f"</{opened.pop()}>")
        for tag in wanted[common:]:
            opened.append(tag)
            parts.append(f"<{tag}>")

    for node in nodes:
        kind = node.get("type")
        if kind in ("text", "extended-text", "tab", "code-highlight"):
            bits = node.get("format")
            bits = bits if isinstance(bits, int) else 0
            keep([tag for bit, tag in FORMATS if bits & bit])
            parts.append(escape("\t" if kind == "tab" else str(node.get("text", ""))))
        elif kind == "linebreak":
            parts.append("<br>")
        elif kind in LINKS:
            keep([])
            inner = _line(list(_nodes(node.get("children"))), cards, depth + 1) if depth < DEEPEST else ""
            address = node.get("url")
            parts.append(f'<a href="{escape(address)}">{inner}</a>' if isinstance(address, str) and address else inner)
        elif depth < DEEPEST:
            keep([])
            parts.append(_block(node, cards, depth + 1))
    keep([])
    return "".join(parts)


def _words(nodes: Sequence[dict[str, Any]]) -> str:
    """Return the text of nodes, however deep they stand."""
    words: list[str] = []
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        words.append(str(node.get("text", "")) if "text" in node else " " if node.get("type") == "linebreak" else "")
        stack += reversed(list(_nodes(node.get("children"))))
    return "".join(words)


def heading_id(words: str) -> str:
    """Return what Ghost calls a heading (its slugify since version 4), which fragments of links lead to."""
    bare = re.sub(r"\s+", "-", PUNCTUATION.sub("", words.strip().lower()))
    return re.sub("-{2,}", "-", bare).strip("-")

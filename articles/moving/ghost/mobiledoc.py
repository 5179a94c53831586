"""Mobiledoc, Ghost's format up to version 4: sections of markers, with markups, atoms and cards by number, as HTML."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from articles.moving.ghost.cards import Cards
from articles.moving.ghost.lexical import heading_id

TEXT, IMAGE, LIST, CARD = 1, 2, 3, 10
TAGS = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "aside", "pull-quote")
QUOTES = ("aside", "pull-quote")
MARKUPS = ("a", "b", "strong", "i", "em", "s", "del", "strike", "u", "code", "sub", "sup", "mark", "kbd")


class NotMobiledocError(ValueError):
    """The text is no document of mobiledoc."""


def mobiledoc_html(text: str, cards: Cards) -> str:
    """Return a body in mobiledoc, versions 0.2 and 0.3, as HTML. Raises NotMobiledocError."""
    try:
        tree = json.loads(text)
        sections = tree["sections"]
        if not isinstance(sections, list):
            raise TypeError
        document = _Document(tree, cards)
        if str(tree.get("version", "")).startswith("0.2"):
            # There the two lists stand in one, markups first.
            document.markups, sections = sections[0], sections[1]
        return "".join(document.section(section) for section in sections)
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise NotMobiledocError("This is no body in mobiledoc.") from None


class _Document:
    def __init__(self, tree: dict[str, Any], cards: Cards) -> None:
        self.markups: list[Any] = tree.get("markups") or []
        self._atoms: list[Any] = tree.get("atoms") or []
        self._cards: list[Any] = tree.get("cards") or []
        self._writer = cards

    def section(self, section: Sequence[Any]) -> str:
        kind = section[0]
        if kind == TEXT:
            tag = section[1].lower() if section[1].lower() in TAGS else "p"
            inner = self._line(section[2])
            if tag in QUOTES:
                return f"<blockquote>{inner}</blockquote>"
            named = f' id="{escape(heading_id(self._words(section[2])))}"' if tag[0] == "h" else ""
            return f"<{tag}{named}>{inner}</{tag}>"
        if kind == IMAGE:
            return self._writer.html("image", {"src": section[1]})
        if kind == LIST:
            tag = "ol" if section[1] == "ol" else "ul"
            return f"<{tag}>" + "".join(f"<li>{self._line(item)}</li>" for item in section[2]) + f"</{tag}>"
        if kind == CARD:
            if isinstance(section[1], int):
                name, payload = self._cards[section[1]][:2]
            else:
                name, payload = section[1], section[2]
            return self._writer.html(str(name), payload if isinstance(payload, dict) else {})
        return ""

    def _line(self, markers: Sequence[Any]) -> str:
        parts: list[str] = []
        opened: list[str] = []
        for marker in markers:
            # Version 0.2 knows no atoms, and says no kind.
            kind, opens, closes, value = marker if len(marker) == 4 else (0, *marker)
            for number in opens:
                name, opening = self._markup(number)
                opened.append(name)
                parts.append(opening)
            parts.append(self._atom(value) if kind == 1 else escape(value))
            for _ in range(min(closes, len(opened))):
                name = opened.pop()
                parts.append(f"</{name}>" if name else "")
        parts += [f"</{name}>" for name in reversed(opened) if name]
        return "".join(parts)

    def _markup(self, number: int) -> tuple[str, str]:
        markup = self.markups[number]
        name = markup[0].lower()
        if name not in MARKUPS:
            return "", ""
        attributes = markup[1] if len(markup) > 1 else []
        pairs = dict(zip(attributes[::2], attributes[1::2], strict=False))
        address = pairs.get("href")
        named = f' href="{escape(address)}"' if name == "a" and isinstance(address, str) else ""
        return name, f"<{name}{named}>"

    def _atom(self, number: int) -> str:
        name, text = self._atoms[number][:2]
        return "<br>" if name == "soft-return" else escape(text or "")

    def _words(self, markers: Sequence[Any]) -> str:
        return "".join(str(marker[-1]) for marker in markers if len(marker) == 3 or marker[0] == 0)

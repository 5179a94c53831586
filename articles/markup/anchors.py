"""Anchors of headings."""

import re
import unicodedata

OWN_ANCHOR = re.compile(r"\{#([^\s{}#]+)\}")
# Citations and footnotes have these ids in the HTML; an anchor that took one would send readers astray.
RESERVED = re.compile(r"(?:cite|fn|fnref)-[0-9]")
# What a heading without letters or digits is called.
NAMELESS = "section"


def anchor_of(text: str) -> str:
    """Return `text` in lower case, its letters and digits of any script, the rest as single hyphens."""
    words: list[str] = []
    gap = False
    for character in text.lower():
        # A combining mark belongs to its letter: without it the word is another one.
        if character.isalnum() or (words and not gap and unicodedata.category(character) in ("Mn", "Mc")):
            if gap and words:
                words.append("-")
            words.append(character)
            gap = False
        else:
            gap = True
    return "".join(words) or NAMELESS


def split_own_anchor(content: str) -> tuple[str, str]:
    """Return the Markdown of a heading without `{#own-anchor}` at its end, and that anchor or ""."""
    at = content.rfind("{#")
    found = OWN_ANCHOR.fullmatch(content, at) if at >= 0 else None
    if not found or content[:at].endswith("\\"):
        return content, ""
    return content[:at].rstrip(), found[1]


class Anchors:
    """Gives each heading an anchor of its own: a second of the same gets -2, then -3, skipping what is taken."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        # The last number given to each, so that many headings alike cost no search from the beginning.
        self._numbers: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        if RESERVED.match(wanted):
            wanted = f"{NAMELESS}-{wanted}"
        anchor = wanted
        while anchor in self.taken:
            number = self._numbers[wanted] = self._numbers.get(wanted, 1) + 1
            anchor = f"{wanted}-{number}"
        self.taken.add(anchor)
        return anchor

"""A text that was parsed."""

import re
from dataclasses import dataclass
from typing import Any

from .blocks import Block, Link, TocEntry, block_json
from .errors import MarkupError
from .page import Reference

# Scripts that are written without spaces count a word for each character.
WORD = re.compile(r"[぀-ヿ㐀-鿿豈-﫿]|[^\W_぀-ヿ㐀-鿿豈-﫿](?:[\w'’.,·/-]*\w)?")
WORDS_PER_MINUTE = 230


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note. `n` counts from 1 in the order in which a reader meets them, `back` how often the text refers to it."""

    n: int
    label: str
    back: int
    text: str
    html: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """What a text says, for those who publish it. With errors, it is as much as could be read.

    `text` is plain text for search, with the values of quantities. `citations` are slugs of sources: the first is
    number 1. `quantities` are names, each once. `html` is sanitised.
    """

    blocks: tuple[Block, ...]
    html: str
    text: str
    toc: tuple[TocEntry, ...]
    footnotes: tuple[Footnote, ...]
    citations: tuple[str, ...]
    references: tuple[Reference, ...]
    quantities: tuple[str, ...]
    links: tuple[Link, ...]
    word_count: int
    errors: tuple[MarkupError, ...]

    @property
    def reading_minutes(self) -> int:
        """Return how long a reader takes, at 230 words a minute (Brysbaert 2019 has 238 for English), at least 1."""
        return max(1, round(self.word_count / WORDS_PER_MINUTE))

    def to_json(self) -> dict[str, Any]:
        """Return what an edition freezes: everything but the errors, which it does not have."""
        return {
            "blocks": [block_json(block) for block in self.blocks],
            "html": self.html,
            "text": self.text,
            "toc": [block_json(entry) for entry in self.toc],
            "footnotes": [block_json(note) for note in self.footnotes],
            "citations": list(self.citations),
            "references": [{"kind": reference.kind, "key": reference.key} for reference in self.references],
            "quantities": list(self.quantities),
            "links": [block_json(link) for link in self.links],
            "word_count": self.word_count,
        }


def count_words(text: str) -> int:
    """Return the number of words in `text`; "41.5" and "site-one" are one each."""
    return sum(1 for _ in WORD.finditer(text))

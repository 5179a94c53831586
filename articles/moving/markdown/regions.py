"""What of a Markdown text is code, and what is HTML, by the rules of CommonMark."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

PLAIN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(footnote_plugin)
# In MDX nothing is code because it is indented.
MDX = MarkdownIt("commonmark", {"html": True}).enable("table").use(footnote_plugin).disable("code")
RUN = re.compile("`+")
ESCAPE_OR_RUN = re.compile(r"\\.|`+", re.DOTALL)


class Region(NamedTuple):
    begin: int
    end: int


class Regions:
    """Parts of a text, in order, that do not overlap."""

    def __init__(self, regions: Iterable[Region]) -> None:
        self.all: list[Region] = []
        for region in sorted(regions):
            if self.all and region.begin < self.all[-1].end:
                last = self.all.pop()
                region = Region(last.begin, max(last.end, region.end))
            self.all.append(region)

    def holds(self, at: int) -> bool:
        return self.around(at) is not None

    def around(self, at: int) -> Region | None:
        """Return the region that holds the offset `at`."""
        index = bisect_right(self.all, at, key=lambda region: region.begin) - 1
        return self.all[index] if index >= 0 and at < self.all[index].end else None


class Layout(NamedTuple):
    """`code` are blocks and spans of code; `html` are blocks that begin with a tag or a comment."""

    code: Regions
    html: Regions


def layout_of(text: str, *, is_mdx: bool = False) -> Layout:
    """Return where `text`, with LF line ends, holds code and HTML."""
    grammar = MDX if is_mdx else PLAIN
    starts = line_starts(text)
    code: list[Region] = []
    html: list[Region] = []
    tokens: list[Token] = []
    # Blocks only: reading the lines takes longer, and for brackets that never close takes hours.
    grammar.block.parse(text, grammar, {}, tokens)
    for token in tokens:
        if token.map is None:
            continue
        begin, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        if token.type in ("fence", "code_block"):
            code.append(Region(begin, end))
        elif token.type == "html_block":
            html.append(Region(begin, end))
        elif token.type == "inline":
            code.extend(spans_of_code(text, begin, end))
    return Layout(Regions(code), Regions(html))


def spans_of_code(text: str, begin: int, end: int) -> Iterable[Region]:
    """Yield the spans of code between two offsets, which hold one paragraph, heading or row."""
    runs: dict[int, list[int]] = {}
    for run in RUN.finditer(text, begin, end):
        runs.setdefault(run.end() - run.start(), []).append(run.start())
    at = begin
    while found := ESCAPE_OR_RUN.search(text, at, end):
        at = found.end()
        if found[0][0] == "`":
            alike = runs.get(at - found.start(), [])
            following = bisect_right(alike, found.start())
            if following < len(alike):
                at = alike[following] + at - found.start()
                yield Region(found.start(), at)


def line_starts(text: str) -> list[int]:
    """Return where each line begins, and at the end the length of the text."""
    starts = [0]
    starts.extend(found.end() for found in re.finditer("\n", text))
    if starts[-1] != len(text):
        starts.append(len(text))
    return starts

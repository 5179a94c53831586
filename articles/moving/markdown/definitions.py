"""Lists of definitions, as kramdown and goldmark write them: terms, a line each, and below them `: what it means`.

Our markup has none, so they become what those of HTML become: terms in bold type, and paragraphs.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .regions import Layout, Region, Regions, line_starts, spans_of_code
from .traced import Edit

MARK = re.compile(r" {0,3}:[ \t]+(?=\S)")
# What begins a line that is no term: a heading (or the line under one), a quote, an item, a table, a fence, HTML,
# attributes or a tag of the site, a definition of another kind, a block that is written last, or code.
NO_TERM = re.compile(
    r" {0,3}(?:#|>|[-+*][ \t]|\d{1,9}[.)][ \t]|\||```|~~~|<|\{|:|\[\^?[^\]]*\]:|[=-]+[ \t]*$|[\ufdd0-\ufdd3])| {4}|\t"
)


class _Line(NamedTuple):
    begin: int
    text: str
    is_other: bool
    """It is code or HTML."""

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def definitions(text: str, layout: Layout) -> tuple[list[Edit], Layout]:
    """Return the edits that part terms and definitions, and the layout: what hangs below a definition is no code."""
    starts = line_starts(text)
    lines = [_Line(begin, text[begin:end].rstrip("\n"), _begins_in(begin, layout)) for begin, end in pairwise(starts)]
    edits: list[Edit] = []
    below: list[Region] = []
    index = done = 0
    while index < len(lines):
        terms = _terms_above(lines, index, done) if MARK.match(lines[index].text) else range(0)
        if not terms or lines[index].is_other:
            index += 1
            continue
        edits += _of_terms(lines, terms)
        end = _end_of(lines, index)
        edits += _of_definitions(lines, index, end)
        below.append(Region(lines[index].begin, lines[end - 1].begin + len(lines[end - 1].text)))
        index = done = end
    return edits, _without(layout, below, text) if below else layout


def _begins_in(begin: int, layout: Layout) -> bool:
    # A span of code may begin a term; a block of code that begins here does not look like one.
    region = layout.code.around(begin)
    return layout.html.holds(begin) or (region is not None and region.begin < begin)


def _terms_above(lines: Sequence[_Line], index: int, done: int) -> range:
    """Return which lines are the terms of a definition: the paragraph above it, with one blank line at most between."""
    end = index - 1 if index and lines[index - 1].is_blank else index
    begin = end
    while begin > done and not lines[begin - 1].is_blank:
        begin -= 1
    is_sound = all(not line.is_other and not NO_TERM.match(line.text) for line in lines[begin:end])
    return range(begin, end) if is_sound else range(0)


def _end_of(lines: Sequence[_Line], index: int) -> int:
    """Return behind which line the definitions end that begin in line `index`."""
    end = index + 1
    width = _width(lines[index].text)
    for at in range(index + 1, len(lines)):
        line = lines[at].text
        if lines[at].is_blank:
            continue
        if MARK.match(line) and not lines[at].is_other:
            width = _width(line)
        elif lines[at - 1].is_blank and len(line) - len(line.lstrip(" ")) < width and not line.startswith("\t"):
            break
        end = at + 1
    return end


def _width(line: str) -> int:
    """Return how far the text of a definition is indented; what hangs below it may be indented by four anyway."""
    found = MARK.match(line)
    return min(len(found[0].expandtabs(4)), 4) if found else 4


def _of_terms(lines: Sequence[_Line], terms: range) -> Iterator[Edit]:
    for at in terms:
        line = lines[at]
        first, last = len(line.text) - len(line.text.lstrip()), len(line.text.rstrip())
        apart = "\n" if at > terms.start else ""
        # Emphasis of its own would end the bold type.
        mark = "" if re.search(r"[*_]", line.text) else "**"
        yield Edit(line.begin, line.begin + first, f"{apart}{mark}")
        yield Edit(line.begin + last, line.begin + len(line.text), mark)


def _of_definitions(lines: Sequence[_Line], index: int, end: int) -> Iterator[Edit]:
    width = 0
    for at in range(index, end):
        line = lines[at]
        if (found := MARK.match(line.text)) and not line.is_other:
            width = _width(line.text)
            yield Edit(line.begin, line.begin + found.end(), "" if lines[at - 1].is_blank else "\n")
        elif hanging := re.match(rf"\t| {{1,{width}}}", line.text):
            yield Edit(line.begin, line.begin + hanging.end(), "")


def _without(layout: Layout, below: Sequence[Region], text: str) -> Layout:
    """Return the layout without code that only seemed to be some, because it was indented; spans in it are code."""
    code: list[Region] = []
    for region in layout.code.all:
        around = [one for one in below if one.begin <= region.begin < one.end]
        if around and re.match(r" {4}|\t", text[region.begin : region.end]):
            code += spans_of_code(text, region.begin, region.end)
        else:
            code.append(region)
    return Layout(Regions(code), layout.html)

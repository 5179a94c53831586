"""A text that is edited, and still knows where each part of it stood in the source."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace what stands between two offsets by `text`. Where both are equal, it is inserted."""

    begin: int
    end: int
    text: str


class Span(NamedTuple):
    """From the offset `at` on, the text is that of the source from `source` on; if not `in_step`, it replaces that."""

    at: int
    source: int
    in_step: bool


LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")
BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")


@dataclass(frozen=True, slots=True)
class Traced:
    """`text`, and where it comes from in `source`."""

    source: str
    text: str
    spans: tuple[Span, ...]

    @classmethod
    def of(cls, source: str) -> "Traced":
        return cls(source, source, (Span(0, 0, True),))

    def source_at(self, at: int) -> int:
        """Return the offset in the source of the offset `at`; of what was inserted, that of what it replaces."""
        span = self.spans[bisect_right(self.spans, at, key=lambda span: span.at) - 1]
        return span.source + (at - span.at if span.in_step else 0)

    def line_at(self, at: int) -> int:
        """Return the line, from 0, in the source of the offset `at`."""
        return self.source.count("\n", 0, self.source_at(at))

    def written(self, begin: int, end: int) -> str:
        """Return the source of what stands between two offsets."""
        first = self.source_at(begin)
        return self.source[first : max(first, self.source_at(max(begin, end - 1)) + 1)]

    def edited(self, edits: Iterable[Edit]) -> "Traced":
        """Return the text with `edits` made. Of two that overlap the first counts, or the outer."""
        pieces: list[str] = []
        spans: list[Span] = []
        length = done = 0
        for edit in sorted(edits, key=lambda edit: (edit.begin, edit.begin != edit.end, -edit.end)):
            if edit.begin < done:
                continue
            spans += self._kept(done, edit.begin, length)
            length += edit.begin - done
            pieces += [self.text[done : edit.begin], edit.text]
            if edit.text:
                spans.append(Span(length, self.source_at(edit.begin), False))
                length += len(edit.text)
            done = edit.end
        spans += self._kept(done, len(self.text) + 1, length)
        pieces.append(self.text[done:])
        return Traced(self.source, "".join(pieces), tuple(spans) or (Span(0, 0, True),))

    def _kept(self, begin: int, end: int, at: int) -> Iterable[Span]:
        """Return the spans of what stands between two offsets, moved so that it begins at `at`."""
        if begin >= end:
            return
        first = bisect_right(self.spans, begin, key=lambda span: span.at) - 1
        for index in range(first, len(self.spans)):
            span = self.spans[index]
            if span.at >= end:
                return
            ahead = max(begin - span.at, 0)
            yield Span(at + max(span.at - begin, 0), span.source + (ahead if span.in_step else 0), span.in_step)


def tidied(edit: Edit, text: str) -> Edit:
    """Let what is taken out go with its line, where it stood alone in it between blank lines."""
    if edit.text or edit.begin == edit.end:
        return edit
    begin = text.rfind("\n", 0, edit.begin) + 1
    if text[begin : edit.begin].strip():
        return edit
    behind = LINE_END.match(text, edit.end - (text[edit.end - 1] == "\n"))
    if behind is None:
        return edit
    end = max(edit.end, behind.end())
    if text[:begin].endswith("\n\n") or not begin:
        end += len(BLANK_LINES.match(text, end)[0])  # type: ignore[index]  # It matches nothing, too.
    return Edit(begin, end, "")

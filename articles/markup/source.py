"""The text as it is parsed, and places in it."""

import re
from bisect import bisect_right
from dataclasses import dataclass

NEWLINES = re.compile(r"\r\n?")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Source:
    """The text with LF line ends (`raw`), the same without what no parser may see, and where each line begins."""

    raw: str
    text: str
    line_starts: tuple[int, ...]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of `offset`, both from 1, the column in code points."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_end(self, line: int) -> int:
        """Return the offset of the line feed that ends `line` (from 0)."""
        return self.line_starts[line + 1] - 1 if line + 1 < len(self.line_starts) else len(self.text)


def read_source(stored: str) -> Source:
    """Return `stored` ready to parse. Places in it are places in `stored`, read with LF line ends."""
    raw = NEWLINES.sub("\n", stored)
    # A parser may not see these, nor PostgreSQL store them. One for one, so that offsets stay.
    text = UNSTORABLE.sub("�", raw)
    if not text.endswith("\n"):
        text += "\n"
    starts = [0]
    starts.extend(match.end() for match in re.finditer("\n", text))
    return Source(raw, text, tuple(starts))

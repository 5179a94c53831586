"""A line of Markdown under construction: pieces join so that no two of them become a third thing."""

import re
import unicodedata
from collections.abc import Callable

ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\.\Z", re.DOTALL)


class Line:
    """`text` is what there is so far. Pieces are Markdown, escaped where they are text."""

    def __init__(self) -> None:
        self.text = ""
        self._encodes_next = False

    def add(self, piece: str) -> None:
        """Add `piece`. Blanks do not double, and marks that would mean something together are kept apart."""
        if self.text.endswith((" ", "\n")):
            piece = piece.lstrip(" ")
        if not piece:
            return
        if piece[0] == "\\" and piece[1:2] == "\n":
            self.text = self.text.rstrip(" ")
        if self._encodes_next and not _is_outside(piece[0]):
            piece = f"&#{ord(piece[0])};{piece[1:]}"
        self._encodes_next = False
        last = self.text[-1:]
        if last and not ESCAPED.search(self.text):
            if (last, piece[0]) in (("{", "{"), ("!", "[")):
                self.text = f"{self.text[:-1]}\\{last}"
            elif last == "`" == piece[0]:
                self.text += " "
            elif last == "&" and re.match(r"#?\w{1,32};", piece):
                self.text = f"{self.text[:-1]}\\&"
        self.text += piece

    def add_emphasis(self, text: str, mark: str) -> None:
        """Add `text` between marks that are read as emphasis whatever stands beside them (CommonMark, flanking runs).

        Marks are read only where a blank or punctuation stands outside, or a letter inside. Where neither does, the
        letter outside is written as a reference: a letter for readers, punctuation for the grammar.
        """
        last = self.text[-1:]
        # Runs of one character side by side are read as one longer run. One end of the text may have the same marks;
        # where there is no way out, the words count for more than their emphasis.
        free = [c for c in "*_" if c not in (last, text[0], text[-1])]
        free += [c for c in "*_" if c != last and not text[0] == c == text[-1]]
        if not free:
            self.add(text)
            return
        mark = free[0] * len(mark)
        if last and not _is_outside(last) and not (text[0].isalnum() and mark[0] == "*"):
            self.text = f"{self.text[:-1]}&#{ord(last)};"
        self.add(f"{mark}{text}{mark}")
        self._encodes_next = mark[0] == "_" or not text[-1].isalnum()


def _is_outside(character: str) -> bool:
    """Whether marks are read as emphasis beside `character`, whatever stands on their other side."""
    return character.isspace() or unicodedata.category(character)[0] == "P" or character in "$+<=>^`|~"


def split_ends(text: str) -> tuple[str, str, str]:
    """Return blanks and breaks at the beginning of `text`, what stands between, and those at its end."""
    begin = re.match(r"(?:\s|\\\n|<br>)*", text)
    at = begin.end() if begin else 0
    end = len(text)
    while end > at:
        if text[end - 1] == "\n" and text[end - 2 : end] == "\\\n":
            end -= 2
        elif text[end - 1].isspace():
            end -= 1
        elif text.endswith("<br>", at, end):
            end -= 4
        else:
            break
    return text[:at], text[at:end], text[end:]


def wrapped(line: Line, inner: str, wrap: Callable[[Line, str], None]) -> None:
    """Add what `wrap` makes of `inner`; blanks and breaks at its ends stay outside of the marks."""
    before, text, after = split_ends(inner)
    line.add(before)
    if text:
        wrap(line, text)
    line.add(after)

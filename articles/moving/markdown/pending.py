"""Blocks that are written last, in the order in which they stand: whatever asks the page for pictures.

While a text is edited, such a block is one line: a mark with its number. Callouts are two, since what stands between is
text like any other; how many colons their fences need is known when all of it is written.
"""

import re
from collections.abc import Callable

from articles.moving.directives import FENCE, quoted

# Characters that Unicode keeps for a program's own use: they stand for nothing in any text.
BLOCK, OPENING, CLOSING, END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
OWN = re.compile(f"[{BLOCK}-{END}]")
MARK = re.compile(rf"^([^{BLOCK}-{END}]*)([{BLOCK}{OPENING}{CLOSING}])(\d+){END}[ \t]*$")


class Pending:
    """The blocks of one text that are not written yet."""

    def __init__(self) -> None:
        self._blocks: list[Callable[[], str]] = []

    def block(self, write: Callable[[], str], *, indent: str = "") -> str:
        """Return lines that stand for a block, which `write` will return: Markdown, or "" for nothing."""
        return self._mark(BLOCK, write, indent)

    def opening(self, attributes: str, *, indent: str = "") -> str:
        """Return lines that open a callout with attributes as `callout()` gives them."""
        return self._mark(OPENING, lambda: attributes, indent)

    def closing(self, *, indent: str = "") -> str:
        return self._mark(CLOSING, lambda: "", indent)

    def _mark(self, kind: str, write: Callable[[], str], indent: str) -> str:
        self._blocks.append(write)
        blank = indent.rstrip()
        return f"\n{blank}\n{indent}{kind}{len(self._blocks) - 1}{END}\n{blank}\n"

    def write(self, text: str) -> str:
        """Return `text` with all blocks written. Blank lines around them are one."""
        if not OWN.search(text):
            return text
        # What is open: the lines written so far, and how its fence begins.
        stack: list[tuple[list[str], str, str]] = []
        lines: list[str] = []
        is_behind = False
        for line in text.split("\n"):
            found = MARK.match(line)
            if not found:
                if not is_behind or not _is_blank(line):
                    lines.append(line)
                    is_behind = False
                continue
            before, kind = found[1], found[2]
            # Behind the mark of a list item: its first line begins there, and the others below it.
            indent = re.sub(r"[^>\t]", " ", before)
            written = self._blocks[int(found[3])]()
            if before == indent:
                _end_with_one_blank(lines, indent)
            if kind == OPENING:
                stack.append((lines, indent, written))
                lines = []
            elif kind == CLOSING:
                if stack:
                    lines = _closed(lines, *stack.pop())
            elif written:
                first, *rest = written.split("\n")
                lines += [f"{before}{first}", *(f"{indent}{part}".rstrip() for part in rest), indent.rstrip()]
            elif before != indent:
                lines.append(before.rstrip())
            is_behind = True
        while stack:
            lines = _closed(lines, *stack.pop())
        return "\n".join(lines)


def _is_blank(line: str) -> bool:
    return not line.strip(" \t>")


def _end_with_one_blank(lines: list[str], indent: str) -> None:
    while lines and _is_blank(lines[-1]):
        lines.pop()
    if lines:
        lines.append(indent.rstrip())


def _closed(inner: list[str], lines: list[str], indent: str, attributes: str) -> list[str]:
    """Return `lines` with a directive around `inner`; its fence has more colons than any inside."""
    while inner and _is_blank(inner[-1]):
        inner.pop()
    body = "\n".join(line.removeprefix(indent) for line in inner)
    longest = max((len(found[1]) for found in FENCE.finditer(body)), default=2)
    fence = ":" * max(3, longest + 1)
    return [*lines, f"{indent}{fence} {attributes}", *inner, f"{indent}{fence}", indent.rstrip()]


def callout(kind: str, title: str = "") -> str:
    """Return what follows the fence of a callout."""
    return f"callout kind={kind}" + (f" title={quoted(title)}" if title.strip() else "")

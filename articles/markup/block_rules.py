"""Block rules of our own, beside those of CommonMark: directives, and HTML that is refused without swallowing text.

Each rule has the signature of markdown-it-py: (state, start line, end line, silent) -> matched. In silent mode it only
says whether a block could begin there, and looks at nothing but that line.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field

from markdown_it.common.html_blocks import block_names
from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_RE
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock, reference
from markdown_it.token import Token

Rule = Callable[[StateBlock, int, int, bool], bool]

FENCE = re.compile(r":{3,}")
CODE_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
BLANK = re.compile(r"[ \t]*")

INLINE_TAGS = ("sub", "sup", "kbd", "br")
# Looser than CommonMark, as loose as a browser: a name, then white space, a slash or the end.
LOOSE_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>])[^<>]*>")
TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)")
OTHER_HTML = re.compile(r"<[?]|<![A-Za-z]|<!\[CDATA\[")
BLOCK_NAMES = frozenset(block_names)
# What a browser does not read as text. Their content goes with them, blank lines and all.
UNREAD = ("script", "style")
VERBATIM = ("script", "style", "pre", "textarea")


@dataclass(slots=True)
class Scan:
    """What the block rules of one parse know together. `mistakes` are offset, code and name."""

    mistakes: list[tuple[int, str, str]] = field(default_factory=list)
    depth: int = 0
    # Whether the block at the top was already found to nest too deep.
    is_too_deep: bool = False
    # The comment end found last, from where it was looked for, and how far up no line lets a comment reach it.
    comment_from: int = -1
    comment_end: int = -1
    comment_barred_until: int = -1


def scan_of(state: StateBlock) -> Scan:
    scan = state.env["scan"]
    assert isinstance(scan, Scan)
    return scan


def begin_of(state: StateBlock, line: int) -> int:
    """Return the offset of the first character of `line` inside the containers it stands in."""
    return state.bMarks[line] + state.tShift[line]


def directive(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """`::: name key=value` … `:::`: closed by the first line of at least as many colons that is not inside code."""
    fence = FENCE.match(state.src, begin_of(state, start_line), state.eMarks[start_line])
    if not fence or state.is_code_block(start_line):
        return False
    if silent:
        return True
    line = state.src[fence.end() : state.eMarks[start_line]]
    if not line.strip():
        scan_of(state).mistakes.append((fence.start(), "stray_fence", ""))
        state.line = start_line + 1
        return True
    last, is_closed = _find_closing_fence(state, start_line, end_line, fence.end() - fence.start())
    token = state.push("directive_open", "", 1)
    token.map = [start_line, last]
    token.info = line
    token.meta = {"line_at": fence.end(), "is_closed": is_closed}
    parent, line_max = state.parentType, state.lineMax
    # A paragraph would go on past the closing fence as a lazy continuation.
    state.parentType, state.lineMax = "directive", last
    state.md.block.tokenize(state, start_line + 1, last)
    state.parentType, state.lineMax = parent, line_max
    state.push("directive_close", "", -1)
    state.line = last + 1 if is_closed else last
    return True


def _find_closing_fence(state: StateBlock, start_line: int, end_line: int, colons: int) -> tuple[int, bool]:
    """Return the line of the closing fence and True, or the line where the parent ends and False.

    A fence inside a code block does not count, unless that block has no end of its own.
    """
    code = ""
    inside_code = -1
    line = start_line + 1
    while line < end_line:
        at, end = begin_of(state, line), state.eMarks[line]
        if at < end and state.sCount[line] < state.blkIndent:
            break
        if at < end and state.src[at] in ":`~" and not state.is_code_block(line):
            if state.src[at] == ":":
                fence = FENCE.match(state.src, at, end)
                if fence and fence.end() - at >= colons and BLANK.fullmatch(state.src, fence.end(), end):
                    if not code:
                        return line, True
                    inside_code = line if inside_code < 0 else inside_code
            elif not code:
                opening = CODE_FENCE.match(state.src, at, end)
                code = (opening[1] or opening[2]) if opening else ""
            elif state.src.startswith(code, at) and not state.src[at:end].strip(code[0] + " \t"):
                code, inside_code = "", -1
        line += 1
    return (inside_code, True) if inside_code >= 0 else (line, False)


def definition(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """`[label]: destination "title"`, of CommonMark, unless it was meant to be a note or a citation."""
    if state.src.startswith(("[^", "[@"), begin_of(state, start_line)):
        return False
    return reference(state, start_line, end_line, silent)


def html_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A block that begins with HTML: an error, of which the tags are dropped and the text is kept.

    CommonMark lets an unclosed `<script>` or `<!--` take all that follows. Here such a block ends with its paragraph.
    """
    at, end = begin_of(state, start_line), state.eMarks[start_line]
    if not state.src.startswith("<", at) or at >= end or state.is_code_block(start_line):
        return False
    if state.src.startswith("<!--", at):
        return silent or _comment(state, start_line, end_line)
    tag = TAG_NAME.match(state.src, at, end)
    name = tag[1].lower() if tag else ""
    if not (OTHER_HTML.match(state.src, at, end) or name in BLOCK_NAMES or name in VERBATIM):
        # Any other tag must be all of the line, and does not end a paragraph.
        line = state.src[at:end].rstrip()
        if silent or not _is_one_tag(line):
            return False
    if silent:
        return True
    closing = -1
    if name in VERBATIM and not state.src.startswith("</", at):
        closing = _find_closing_tag(state, start_line, end_line, name)
    last = closing if closing >= 0 else _end_of_paragraph(state, start_line, end_line) - 1
    token = state.push("html_block", "", 0)
    token.map = [start_line, last + 1]
    token.meta = {"code": "raw_html"}
    state.line = last + 1
    if closing < 0 or name not in UNREAD:
        push_paragraph(state, start_line, last + 1, quiet=True)
    return True


def _is_one_tag(line: str) -> bool:
    found = HTML_OPEN_CLOSE_TAG_RE.match(line) or LOOSE_TAG.match(line)
    if not found or found.end() != len(line):
        return False
    name = TAG_NAME.match(line)
    return name is None or name[1].lower() not in INLINE_TAGS


def _find_closing_tag(state: StateBlock, start_line: int, end_line: int, name: str) -> int:
    """Return the line of `</name>`, or -1 when another `<name` or the end of the parent comes first."""
    either = re.compile(f"<(/?){name}(?=[\\s/>]|$)", re.IGNORECASE)
    line, at = start_line, begin_of(state, start_line) + 1
    while True:
        found = either.search(state.src, at, state.eMarks[line])
        if found:
            return line if found[1] else -1
        line += 1
        if line >= end_line or (state.sCount[line] < state.blkIndent and not state.isEmpty(line)):
            return -1
        at = begin_of(state, line)


def _end_of_paragraph(state: StateBlock, start_line: int, end_line: int) -> int:
    line = start_line + 1
    while line < end_line and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        line += 1
    return line


def _comment(state: StateBlock, start_line: int, end_line: int) -> bool:
    at = begin_of(state, start_line)
    end, last = _find_comment_end(state, start_line, end_line)
    token = state.push("html_block", "", 0)
    token.meta = {"code": "html_comment"}
    if last < 0:
        last = _end_of_paragraph(state, start_line, end_line) - 1
    state.line = last + 1
    token.map = [start_line, last + 1]
    if end > at and state.src[end : state.eMarks[last]].strip():
        # What stands behind the comment is text.
        push_text(state, last, end)
    return True


def _find_comment_end(state: StateBlock, start_line: int, end_line: int) -> tuple[int, int]:
    """Return the offset behind `-->` and its line, or -1 and -1 where the parent ends before."""
    scan, at = scan_of(state), begin_of(state, start_line)
    # The same end is found again and again by comments that cannot reach it: look for it once.
    if not scan.comment_from <= at < scan.comment_end:
        found = state.src.find("-->", at + 2)
        scan.comment_from, scan.comment_end = at, len(state.src) + 3 if found < 0 else found + 3
        scan.comment_barred_until = -1
    end = scan.comment_end
    if state.eMarks[end_line - 1] < end or start_line < scan.comment_barred_until:
        return -1, -1
    last = bisect_left(state.eMarks, end, start_line, end_line)
    for line in range(start_line + 1, last + 1):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            scan.comment_barred_until = line
            return -1, -1
    return end, last


def push_paragraph(state: StateBlock, start_line: int, end_line: int, *, quiet: bool = False) -> None:
    """Push the lines as one paragraph, whatever stands in them. `quiet`: their HTML was reported before."""
    state.push("paragraph_open", "p", 1).map = [start_line, end_line]
    token = state.push("inline", "", 0)
    token.map = [start_line, end_line]
    token.content = state.getLines(start_line, end_line, state.blkIndent, False).strip(MD_TRIM_CHARS)
    token.children = []
    token.meta = {"quiet": quiet}
    state.push("paragraph_close", "p", -1)


def push_text(state: StateBlock, line: int, at: int) -> None:
    """Push the rest of `line`, from the offset `at` on, as a paragraph."""
    state.push("paragraph_open", "p", 1).map = [line, line + 1]
    token: Token = state.push("inline", "", 0)
    token.map = [line, line + 1]
    token.content = state.src[at : state.eMarks[line]].strip(MD_TRIM_CHARS)
    token.children = []
    state.push("paragraph_close", "p", -1)

"""The grammar: CommonMark, tables, footnotes, and the rules of this package, assembled on markdown-it-py.

`read_blocks` gives block tokens. Beside what markdown-it-py knows, `token.meta` says where things stand: `at`, the
offset at which a block begins, and, on inline tokens, `spans`, pairs of offsets (in the content, in the text) from
which on both run in step.
"""

import re
from collections.abc import Iterable
from typing import Any

from markdown_it import MarkdownIt, rules_block
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def

from . import inline_rules
from .block_rules import Rule, Scan, begin_of, definition, directive, html_block, push_paragraph, scan_of
from .source import Source

# How deep lists, quotes, notes and directives may stand in each other. What is deeper stays as text, and is an error.
MAX_DEPTH = 20
# The limit of markdown-it-py, beyond which it drops text without a word: out of reach behind ours.
OUT_OF_REACH = 1000

ENDS_ALL = ("paragraph", "reference", "blockquote", "list")
DIGITS = "0123456789"
# Each rule with the characters it may begin with (none: any), and with the blocks it may end. Most lines of a text
# begin with a letter, and most rules need not be asked about them.
KNOWN_RULES: list[tuple[str, Rule, str, tuple[str, ...]]] = [
    ("table", rules_block.table, "", ("paragraph", "reference")),
    ("code", rules_block.code, "", ()),
    ("fence", rules_block.fence, "`~", ENDS_ALL),
    ("blockquote", rules_block.blockquote, ">", ENDS_ALL),
    ("hr", rules_block.hr, "*-_", ENDS_ALL),
    ("list", rules_block.list_block, "*-+" + DIGITS, ("paragraph", "reference", "blockquote")),
    ("reference", definition, "[", ()),
    ("html_block", html_block, "<", ("paragraph", "reference", "blockquote")),
    ("heading", rules_block.heading, "#", ("paragraph", "reference", "blockquote")),
    ("lheading", rules_block.lheading, "", ()),
    ("paragraph", rules_block.paragraph, "", ()),
]

CELL_BAR = re.compile(r"\\?\|")


class BlockParser(ParserBlock):
    """The block parser of markdown-it-py with a limit of depth that loses no text."""

    def __init__(self) -> None:
        super().__init__()
        for name, rule, begins, ends in KNOWN_RULES:
            self.ruler.at(name, _placed(rule, begins), {"alt": list(ends)})
        self.ruler.before("fence", "directive", _placed(directive, ":"), {"alt": list(ENDS_ALL)})
        self.ruler.before("reference", "footnote_def", _placed(footnote_def, "["), {"alt": ["paragraph", "reference"]})

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        """Parse lines in one container more than before."""
        scan = scan_of(state)
        if scan.depth == 1:
            scan.is_too_deep = False
        if scan.depth > MAX_DEPTH:
            _flatten(state, startLine, endLine)
            return
        scan.depth += 1
        super().tokenize(state, startLine, endLine)
        scan.depth -= 1


class Grammar(MarkdownIt):
    """markdown-it-py with our rules. Destinations stay as they are written: `urls` judges them, errors show them."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"maxNesting": OUT_OF_REACH})
        self.block = BlockParser()
        self.inline = inline_rules.InlineParser()
        # Rules are compiled when first asked for: now, before two threads ask at once and one gets the half of them.
        self.block.ruler.getRules("")
        self.inline.ruler2.getRules("")

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url


def read_blocks(source: Source) -> tuple[list[Token], Scan, dict[str, Any]]:
    """Return the block tokens, what the rules noticed, and the environment that inline parsing needs."""
    scan = Scan()
    env: dict[str, Any] = {"scan": scan}
    tokens: list[Token] = []
    GRAMMAR.block.parse(source.text, GRAMMAR, env, tokens)
    for token in tokens:
        if token.type == "inline" and "spans" not in token.meta:
            token.meta["spans"] = _line_spans(token, source)
    return tokens, scan, env


def read_inline(content: str, env: dict[str, Any]) -> list[Token]:
    """Return the inline tokens of `content`. What has a place carries it in `meta["at"]`, an offset in `content`."""
    inline_rules.begin(env)
    if not inline_rules.TERMINATORS.search(content):
        # Most cells of a table, and many paragraphs.
        return [Token("text", "", 0, content=content)] if content else []
    tokens: list[Token] = []
    GRAMMAR.inline.parse(content, GRAMMAR, env, tokens)
    return tokens


def _placed(rule: Rule, begins: str) -> Rule:
    """Return `rule`, which then also notes where the block begins, and where the text of headings and cells stands."""

    def placed(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
        # Read before: lists move the marks of their first line while they work.
        at = state.bMarks[start_line] + state.tShift[start_line]
        if begins and state.src[at] not in begins:
            return False
        if silent:
            return rule(state, start_line, end_line, True)
        first = len(state.tokens)
        if not rule(state, start_line, end_line, False):
            return False
        if len(state.tokens) > first:
            token = state.tokens[first]
            token.meta["at"] = at
            if token.type == "table_open":
                _place_cells(state, first)
            elif token.type == "heading_open" and token.markup.startswith("#"):
                _place_heading(state, first)
        return True

    return placed


def _place_heading(state: StateBlock, first: int) -> None:
    token = state.tokens[first]
    at = token.meta["at"] + len(token.markup)
    while state.src[at] in MD_TRIM_CHARS and state.src[at] != "\n":
        at += 1
    state.tokens[first + 1].meta["spans"] = [(0, at)]


def _place_cells(state: StateBlock, first: int) -> None:
    """Note where the cells of a table stand, and rows that have more of them than the header."""
    cells: Iterable[list[tuple[int, int]]] = iter(())
    width = 0
    for index in range(first, len(state.tokens)):
        token = state.tokens[index]
        if token.type == "tr_open":
            assert token.map is not None
            row = _cells_of_row(state, token.map[0])
            if not width:
                width = len(row)
            elif len(row) > width:
                at = begin_of(state, token.map[0])
                scan_of(state).mistakes.append((at, "table_row_too_long", f"{len(row)} cells, the header has {width}"))
            cells = iter(row)
        elif token.type == "inline":
            # A row that is too short is filled with empty cells, which stand nowhere.
            token.meta["spans"] = next(iter(cells), [(0, 0)])


def _cells_of_row(state: StateBlock, line: int) -> list[list[tuple[int, int]]]:
    """Return the spans of each cell: a new one begins where a backslash before a bar was taken out."""
    begin, end = begin_of(state, line), state.eMarks[line]
    while end > begin and state.src[end - 1] in MD_TRIM_CHARS:
        end -= 1
    edges = [begin]
    escapes: list[list[int]] = [[]]
    for bar in CELL_BAR.finditer(state.src, begin, end):
        if bar.end() - bar.start() == 2:
            escapes[-1].append(bar.start())
        else:
            edges.append(bar.end())
            escapes.append([])
    edges.append(end + 1)
    cells = [
        _cell_spans(state.src, edges[index], edges[index + 1] - 1, escapes[index]) for index in range(len(escapes))
    ]
    # The bars at both ends of the row enclose it.
    if edges[1] - 1 == edges[0]:
        cells.pop(0)
    if cells and edges[-1] - 1 == edges[-2]:
        cells.pop()
    return cells


def _cell_spans(text: str, begin: int, end: int, escapes: list[int]) -> list[tuple[int, int]]:
    while begin < end and text[begin] in MD_TRIM_CHARS:
        begin += 1
    spans = [(0, begin)]
    for taken, escape in enumerate(escapes):
        spans.append((escape - taken - begin, escape + 1))
    return spans


def _line_spans(token: Token, source: Source) -> list[tuple[int, int]]:
    """Return the spans of a paragraph. Each of its lines ends a line of the text: containers take from the left."""
    assert token.map is not None
    spans = []
    content_at = 0
    lines = token.content.split("\n")
    for index, line in enumerate(lines):
        end = source.line_end(token.map[0] + index)
        if index == len(lines) - 1:
            begin_of_line = source.line_starts[token.map[0] + index]
            end = begin_of_line + len(source.text[begin_of_line:end].rstrip(MD_TRIM_CHARS))
        spans.append((content_at, end - len(line)))
        content_at += len(line) + 1
    return spans


def _flatten(state: StateBlock, start_line: int, end_line: int) -> None:
    """Keep what is nested too deep as the plain text of one paragraph, and say so once for the block at the top."""
    scan = scan_of(state)
    first = line = state.skipEmptyLines(start_line)
    last = first
    while line < end_line and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
        if not state.isEmpty(line - 1):
            last = line
    state.line = line
    if last == first:
        return
    if not scan.is_too_deep:
        scan.is_too_deep = True
        at = state.src.rfind("\n", 0, state.bMarks[first]) + 1
        scan.mistakes.append((state.skipSpaces(at), "nesting_too_deep", str(MAX_DEPTH)))
    push_paragraph(state, first, last)


GRAMMAR = Grammar()

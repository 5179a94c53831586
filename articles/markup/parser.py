"""From Markdown to a document."""

from dataclasses import dataclass
from html import escape
from typing import Any

from markdown_it.token import Token

from .anchors import split_own_anchor
from .blocks import Block, TocEntry, mentions, text_of
from .builder import build_blocks
from .characters import hidden_characters
from .document import Document, Footnote, count_words
from .errors import Report
from .grammar import read_blocks, read_inline
from .html import attributes, blocks_html, sanitise
from .page import Note, Page, Tree, build_tree, name_headings, number_notes_and_citations
from .prose import note_reference_id
from .records import Asked, Records, Wanted
from .source import Source, read_source


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was read, but for what its records say: most of the work, done once for both questions about it."""

    source: Source
    mistakes: tuple[tuple[int, str, str], ...]
    tree: Tree

    def wanted(self) -> Wanted:
        """Return every name that the text refers to, whether it exists or not, for a caller to load first."""
        asked = Asked()
        self._build(asked)
        return asked.wanted()

    def document(self, records: Records) -> Document:
        """Return the text as a document. Mistakes are in its `errors`."""
        return _document(*self._build(records))

    def _build(self, records: Records) -> tuple[Page, tuple[Block, ...], tuple[TocEntry, ...], tuple[Footnote, ...]]:
        report = Report(self.source)
        for at, code, name in self.mistakes:
            report.add(at, code, name)
        page = Page(records, report)
        notes = _unique(self.tree.notes, report)
        number_notes_and_citations(page, self.tree.body, notes)
        name_headings(page, self.tree.headings)
        blocks = build_blocks(page, self.tree.body.blocks)
        toc = tuple(page.toc)
        return page, blocks, toc, _footnotes(page, self.tree.notes, notes)


def read(source: str) -> Reading:
    """Return `source`, read. Line ends may be LF, CRLF or CR.

    The time grows with the length of the text and with nothing else.
    """
    text = read_source(source)
    tokens, scan, env = read_blocks(text)
    _read_lines(tokens, env)
    hidden = ((at, code, "") for at, code in hidden_characters(text.raw))
    return Reading(text, (*hidden, *scan.mistakes), build_tree(tokens))


def parse(source: str, records: Records) -> Document:
    """Return `source` as a document. Mistakes are in its `errors`; nothing that a person can type raises."""
    return read(source).document(records)


def wanted(source: str) -> Wanted:
    """Return every name that `source` refers to, whether it exists or not."""
    return read(source).wanted()


def _read_lines(tokens: list[Token], env: dict[str, Any]) -> None:
    """Read the inline content of `tokens`, when all link definitions are known."""
    for index, token in enumerate(tokens):
        if token.type != "inline":
            continue
        content = token.content
        if tokens[index - 1].type == "heading_open":
            content, token.meta["own_anchor"] = split_own_anchor(content)
        token.children = read_inline(content, env)
        token.meta["is_too_deep"] = env["is_too_deep"]


def _unique(written: list[Note], report: Report) -> dict[str, Note]:
    """Return the notes by label: of two with one label, the first."""
    notes: dict[str, Note] = {}
    for note in written:
        if notes.setdefault(note.label, note) is not note:
            report.add(note.at, "duplicate_footnote", note.name)
    return notes


def _footnotes(page: Page, written: list[Note], notes: dict[str, Note]) -> tuple[Footnote, ...]:
    """Return the notes in the order of their numbers. Mistakes in those that nobody reads are reported too."""
    blocks = {label: build_blocks(page, notes[label].blocks) for label in page.notes}
    footnotes = tuple(
        Footnote(
            n=number,
            label=notes[label].name,
            back=page.note_uses.get(label, 0),
            text="\n".join(text_of(block) for block in blocks[label]),
            html=blocks_html(blocks[label]),
            blocks=blocks[label],
        )
        for label, number in page.notes.items()
    )
    # What nobody reads refers to nothing, and is not found by a search.
    plain, references = len(page.plain), len(page.references)
    for note in written:
        is_first = notes[note.label] is note
        if is_first and note.label not in page.notes:
            page.report.add(note.at, "unused_footnote", note.name)
        if not is_first or note.label not in page.notes:
            build_blocks(page, note.blocks)
    del page.plain[plain:], page.references[references:]
    return footnotes


def _document(
    page: Page, blocks: tuple[Block, ...], toc: tuple[TocEntry, ...], footnotes: tuple[Footnote, ...]
) -> Document:
    noted = (block for note in footnotes for block in note.blocks)
    mentioned = [found for block in (*blocks, *noted) for found in mentions(block)]
    text = "\n\n".join(piece for piece in page.plain if piece.strip())
    return Document(
        blocks=blocks,
        html=sanitise(_html(page, blocks, footnotes)),
        text=text,
        toc=toc,
        footnotes=footnotes,
        citations=tuple(page.citations),
        references=page.ordered_references(),
        quantities=tuple(dict.fromkeys(name for found in mentioned for name in found.quantities)),
        links=tuple(link for found in mentioned for link in found.links),
        word_count=count_words(text),
        errors=page.report.errors(),
    )


def _html(page: Page, blocks: tuple[Block, ...], footnotes: tuple[Footnote, ...]) -> str:
    parts = [blocks_html(blocks)]
    if footnotes:
        notes = "\n".join(
            f"<li{attributes(id=f'fn-{note.n}')}>{note.html}\n{_ways_back(note)}</li>" for note in footnotes
        )
        parts.append(f'<section class="footnotes">\n<ol>\n{notes}\n</ol>\n</section>')
    if page.citations:
        sources = "\n".join(_source(page, slug, number) for slug, number in page.citations.items())
        parts.append(f'<section class="sources">\n<ol>\n{sources}\n</ol>\n</section>')
    return "\n".join(parts)


def _ways_back(note: Footnote) -> str:
    targets = (attributes(href=f"#{note_reference_id(note.n, use)}") for use in range(1, note.back + 1))
    return " ".join(f'<a{target} class="footnote-back">↩</a>' for target in targets)


def _source(page: Page, slug: str, number: int) -> str:
    record = page.records.find("source", slug)
    title = escape(record.text if record else slug, quote=False)
    return f"<li{attributes(id=f'cite-{number}', data_source=slug)}>{title}</li>"

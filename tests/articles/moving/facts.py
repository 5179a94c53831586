"""What a fact of the cases asserts about a body. The table is in cases/README.md."""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from articles.markup import Document
from articles.markup.blocks import Callout, Code, Figure, Heading, List, Paragraph, Quote, Table, mentions, text_of

COUNTED = ("quantity", "device", "scenario", "vendor", "installation")


def check(fact: dict[str, Any], body: str, document: Document, files: dict[str, str]) -> str:
    """Return "" where `fact` holds of a body, else what is wrong. `files` has the file of each picture by its name."""
    ((name, expected),) = fact.items()
    return CHECKS[name](expected, body, document, files)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def walk(blocks: Any) -> Iterator[Any]:
    """Yield all blocks, those inside of others too."""
    for block in blocks:
        yield block
        if isinstance(block, List):
            for item in block.items:
                yield from walk(item.blocks)
        elif isinstance(block, Callout | Quote):
            yield from walk(block.blocks)


def everything(document: Document) -> list[Any]:
    return [*walk(document.blocks), *(block for note in document.footnotes for block in walk(note.blocks))]


def of_kind(document: Document, kind: type) -> list[Any]:
    return [block for block in everything(document) if isinstance(block, kind)]


def whole_text(document: Document) -> str:
    return plain("\n".join([*(text_of(block) for block in document.blocks), *(n.text for n in document.footnotes)]))


def _has(expected: str, body: str, document: Document, files: Any) -> str:
    return "" if expected in body else f"{expected!r} is not in the Markdown"


def _hasnt(expected: str, body: str, document: Document, files: Any) -> str:
    # What a code block shows is not what the text says: raw-html.md wants `<script` there and nowhere else.
    outside = re.sub(r"^(`{3,}|~{3,}).*?^\1", "", body, flags=re.DOTALL | re.MULTILINE)
    return f"{expected!r} is in the Markdown" if expected in outside else ""


def _text_has(expected: str, body: str, document: Document, files: Any) -> str:
    text = whole_text(document)
    return "" if plain(expected) in text else f"{expected!r} is not in {text!r}"


def _among(found: list[Any], holds: Callable[[Any], bool], what: str) -> str:
    return "" if any(holds(each) for each in found) else f"no {what} among {found!r}"


def _count(found: int, expected: int) -> str:
    return "" if found == expected else f"{found} instead of {expected}"


def _heading(expected: Any, body: str, document: Document, files: Any) -> str:
    return _among(
        of_kind(document, Heading),
        lambda block: block.level == expected["level"] and plain(block.text) == expected["text"],
        f"heading {expected}",
    )


def _table(expected: Any, body: str, document: Document, files: Any) -> str:
    def holds(table: Table) -> bool:
        rows = [row for row in (table.header, *table.rows) if any(cell.strip() for cell in row)]
        cells = [plain(cell) for row in rows for cell in row]
        return (
            len(table.header) == expected["columns"]
            and len(rows) == expected["rows"]
            and ("cell" not in expected or expected["cell"] in cells)
        )

    return _among(of_kind(document, Table), holds, f"table {expected}")


def _footnote(expected: Any, body: str, document: Document, files: Any) -> str:
    notes = [note for note in document.footnotes if note.n == expected["n"]]
    return _among(notes, lambda note: plain(expected["text_has"]) in plain(note.text), f"note {expected}")


def _code(expected: Any, body: str, document: Document, files: Any) -> str:
    return _among(
        of_kind(document, Code),
        lambda code: code.language == expected["language"] and expected["has"] in code.text,
        f"code {expected}",
    )


def _code_span(expected: str, body: str, document: Document, files: Any) -> str:
    found = re.findall(r"<code>(.*?)</code>", document.html, re.DOTALL)
    spans = [s.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&") for s in found]
    return "" if expected in spans else f"no inline code {expected!r} among {spans!r}"


def _figure(expected: Any, body: str, document: Document, files: dict[str, str]) -> str:
    def holds(figure: Figure) -> bool:
        caption = plain(figure.caption)
        wanted = expected.get("caption_has")
        return (
            files.get(figure.src) == expected["file"]
            and figure.alt == expected["alt"]
            and (wanted is None or (wanted in caption if wanted else not caption))
        )

    return _among(of_kind(document, Figure), holds, f"figure {expected} ({files})")


def _link(expected: Any, body: str, document: Document, files: Any) -> str:
    links = [link for block in everything(document) for found in mentions(block) for link in found.links]
    return _among(
        links,
        lambda link: plain(link.text) == expected["text"] and link.to == expected["to"],
        f"link {expected}",
    )


def _list(expected: Any, body: str, document: Document, files: Any) -> str:
    return _among(
        of_kind(document, List),
        lambda found: (
            found.ordered == expected["ordered"]
            and ("start" not in expected or found.start == expected["start"])
            and len(found.items) == expected["items"]
        ),
        f"list {expected}",
    )


def _callout(expected: Any, body: str, document: Document, files: Any) -> str:
    return _among(
        of_kind(document, Callout),
        lambda found: found.kind == expected["kind"] and plain(expected["text_has"]) in plain(text_of(found)),
        f"callout {expected}",
    )


def _quote(expected: Any, body: str, document: Document, files: Any) -> str:
    return _among(
        of_kind(document, Quote),
        lambda found: plain(expected["text_has"]) in plain(text_of(found)),
        f"quote {expected}",
    )


def _hard_break(expected: list[str], body: str, document: Document, files: Any) -> str:
    def holds(paragraph: Paragraph) -> bool:
        lines = [plain(line) for line in paragraph.text.split("\n")]
        return any(
            before.endswith(expected[0]) and after.startswith(expected[1])
            for before, after in itertools.pairwise(lines)
        )

    return _among(of_kind(document, Paragraph), holds, f"break {expected}")


def _references(expected: int, body: str, document: Document, files: Any) -> str:
    found = [reference for reference in document.references if reference.kind in COUNTED]
    return _count(len(found) + len(document.quantities), expected)


CHECKS: dict[str, Callable[[Any, str, Document, dict[str, str]], str]] = {
    "has": _has,
    "hasnt": _hasnt,
    "text_has": _text_has,
    "heading": _heading,
    "headings": lambda expected, _, document, __: _count(len(of_kind(document, Heading)), expected),
    "table": _table,
    "footnote": _footnote,
    "footnotes": lambda expected, _, document, __: _count(len(document.footnotes), expected),
    "code": _code,
    "code_span": _code_span,
    "figure": _figure,
    "figures": lambda expected, _, document, __: _count(len(of_kind(document, Figure)), expected),
    "link": _link,
    "list": _list,
    "callout": _callout,
    "quote": _quote,
    "paragraphs": lambda expected, _, document, __: _count(
        sum(isinstance(block, Paragraph) for block in document.blocks), expected
    ),
    "hard_break": _hard_break,
    "references": _references,
}

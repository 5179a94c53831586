"""What sources call the kinds of callouts, and the two ways in which plain Markdown writes them."""

import re
from collections.abc import Iterator

from articles.moving.markdown.pending import Pending, callout
from articles.moving.markdown.regions import Layout
from articles.moving.markdown.traced import Edit

KINDS = {
    **dict.fromkeys(
        ("note", "notice", "alert", "callout", "admonition", "hint", "primary", "secondary", "default"), "note"
    ),
    **dict.fromkeys(("seealso", "quote", "example", "question", "abstract", "todo", "remark", "aside"), "note"),
    **dict.fromkeys(("tip", "success", "check", "done"), "tip"),
    **dict.fromkeys(("info", "information", "important"), "info"),
    **dict.fromkeys(("warning", "warn", "caution", "attention"), "warning"),
    **dict.fromkeys(("danger", "error", "bug", "fail", "failure", "critical"), "danger"),
}
ADMONITIONS = ("note", "tip", "info", "warning", "danger", "caution", "important", "success", "secondary")
FENCE = re.compile(r"^([ \t]*)(:{3,})[ \t]*([A-Za-z]*)(.*)$", re.MULTILINE)
TITLE = re.compile(r'^\[(.*?)\]\s*(?:\{.*\})?$|^\{.*?title="([^"]*)".*\}$')
ALERT = re.compile(r"^>[ \t]*\[!([A-Za-z]+)\][+-]?[ \t]*(.*)\n?((?:^>.*\n?)*)", re.MULTILINE)


def admonitions(text: str, layout: Layout, pending: Pending) -> Iterator[Edit]:
    """Yield edits for `:::note Title` … `:::`, as Docusaurus writes them."""
    open_fences: list[tuple[re.Match[str], int]] = []
    for found in FENCE.finditer(text):
        if layout.code.holds(found.start(2)):
            continue
        name, rest = found[3].lower(), found[4].strip()
        if not name and not rest:
            # The nearest of as many colons, or fewer: what is inside of it was never closed.
            index = next((n for n in range(len(open_fences) - 1, -1, -1) if open_fences[n][1] <= len(found[2])), None)
            if index is None:
                continue
            opening = open_fences[index][0]
            del open_fences[index:]
            kind, title = KINDS[opening[3].lower()], _title(opening[4].strip())
            indent = opening[1]
            yield Edit(opening.start(), opening.end(), pending.opening(callout(kind, title), indent=indent))
            yield Edit(found.start(), found.end(), pending.closing(indent=indent))
        elif name in ADMONITIONS:
            open_fences.append((found, len(found[2])))


def _title(written: str) -> str:
    found = TITLE.match(written)
    return re.sub(r"[*`]", "", (found[1] or found[2] or "") if found else written)


def alerts(text: str, layout: Layout, pending: Pending) -> Iterator[Edit]:
    """Yield edits for a quote that begins with `[!NOTE]`, as GitHub, Hugo and many others read it."""
    for found in ALERT.finditer(text):
        kind = KINDS.get(found[1].lower())
        if kind is None or layout.code.holds(found.start()):
            continue
        begin = found.start(3)
        yield Edit(found.start(), begin, pending.opening(callout(kind, found[2].strip())))
        for line in re.finditer(r"^> ?", text[begin : found.end()], re.MULTILINE):
            yield Edit(begin + line.start(), begin + line.end(), "")
        yield Edit(found.end(), found.end(), pending.closing())

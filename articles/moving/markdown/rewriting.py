"""From the Markdown of a source to ours, step by step."""

import re
from collections.abc import Callable, Iterable, Sequence

from .body import Body
from .definitions import definitions
from .pending import OWN, Pending
from .prose import rewrite_prose
from .raw_html import rewrite_html
from .regions import Layout, layout_of
from .traced import Edit, Traced, tidied

Prepare = Callable[[str, Layout, Body, Pending], Sequence[Edit]]
"""What is special in a source (shortcodes, Liquid, admonitions) as edits of its text."""

# A brace before a brace, brackets of a citation, colons that begin a line: in ours they would refer to something.
OURS = re.compile(
    r"\\.|\{(?=\{)|\[(?=@[A-Za-z0-9][^\[\]\n]*\](?![(\[]))"
    r"|^(?P<before>(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*)(?P<colons>:{3,})",
    re.MULTILINE,
)


def rewrite(text: str, body: Body, prepare: Prepare | None = None) -> str:
    """Return `text`, with LF line ends, as Markdown of ours. What it cannot say is a notice of the page.

    What means the same in both stays, byte for byte.
    """
    pending = Pending()
    traced = Traced.of(OWN.sub("�", text))
    layout = layout_of(traced.text, is_mdx=body.is_mdx)
    edits: list[Edit] = []
    if body.has_definitions:
        edits, layout = definitions(traced.text, layout)
    if prepare:
        edits += [tidied(edit, traced.text) for edit in prepare(traced.text, layout, body, pending)]
    traced = traced.edited([*edits, *_escapes(traced.text, layout, edits)])
    traced = rewrite_html(traced, body, pending)
    traced = rewrite_prose(traced, body, pending)
    return pending.write(traced.text).strip("\n")


def _escapes(text: str, layout: Layout, edits: Sequence[Edit]) -> Iterable[Edit]:
    """Yield a backslash before all that only looks like ours, outside of code, of HTML and of what is edited anyway."""
    ordered = sorted(edits)
    index = 0
    for found in OURS.finditer(text):
        at = found.start("colons") if found["colons"] else found.start()
        if found[0][0] == "\\" or layout.code.holds(at) or layout.html.holds(at):
            continue
        while index < len(ordered) and ordered[index].end <= at:
            index += 1
        if index < len(ordered) and ordered[index].begin <= at:
            continue
        yield Edit(at, at, "\\")

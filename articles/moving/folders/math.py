"""Formulas between two dollar signs: kept as the text they are."""

import re
from collections.abc import Iterator
from functools import partial

from articles.moving.escaping import escape, escape_line
from articles.moving.markdown.body import Body
from articles.moving.markdown.pending import Pending
from articles.moving.markdown.regions import Layout
from articles.moving.markdown.traced import Edit

BLOCK = re.compile(r"^([ \t>]*)\$\$((?:(?!\n[ \t]*\n).)*?)\$\$[ \t]*$", re.MULTILINE | re.DOTALL)


def formulas(text: str, layout: Layout, body: Body, pending: Pending) -> Iterator[Edit]:
    """Yield an edit for each formula that is a paragraph of its own."""
    for found in BLOCK.finditer(text):
        inner = found[2]
        if not inner.strip() or "\n\n" in inner or layout.code.holds(found.start(2)):
            continue
        at = found.start(2) + len(inner) - len(inner.lstrip())
        first = inner.strip().split("\n")[0]
        body.page.warn("math_kept_as_text", body.where(text.count("\n", 0, at), first), dropped="")
        lines = ["$$", *(line.strip(" \t>") for line in inner.strip().split("\n")), "$$"]
        written = "\n".join(escape_line(escape(line)) for line in lines)
        yield Edit(found.start(), found.end(), pending.block(partial(str, written), indent=found[1]))

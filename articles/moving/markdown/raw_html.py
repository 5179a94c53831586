"""HTML that stands between the paragraphs of a Markdown text.

What is one whole goes through `to_markdown`. What only opens or closes something around Markdown (`<details>`,
`<div align=center>`, a component of MDX) is dropped, with a notice where it meant something, and what is around stays.
"""

import re
from bisect import bisect_right

from .body import Body
from .pending import Pending
from .regions import MDX, PLAIN, Region, layout_of
from .traced import Edit, Traced, tidied

TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)((?:\"[^\"]*\"|'[^']*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^<>\"'])*?)(/?)>")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
OPEN_COMMENT = re.compile(r"<!--(?:(?!-->).)*\Z", re.DOTALL)


def words(names: str) -> frozenset[str]:
    return frozenset(names.split())


LONGEST_WHOLE = 20_000
"""Characters from the tag that opens a table or a figure to the one that closes it, where blank lines part them."""
VOID = words("area base br col embed hr img input link meta param source track wb")
# They mean nothing by themselves.
TRANSPARENT = words(
    "div span section article main header footer center font p a b i em strong u small big mark abbr time nav aside"
)
# What stands in these makes sense as one whole only, also with blank lines or Markdown in it.
WHOLE = words(
    "table figure ul ol dl pre svg video audio object form picture iframe script style select math blockquote"
)
# Tags that HTML knows: others are components.
KNOWN = (
    TRANSPARENT
    | WHOLE
    | VOID
    | words(
        "h1 h2 h3 h4 h5 h6 li dt dd thead tbody tfoot tr td th caption colgroup code kbd samp var sub "
        "sup s del ins strike q cite figcaption noscript canvas button label textarea option optgroup "
        "fieldset legend address hgroup iframe tt ruby rt rp bdi bdo dfn data output progress meter "
        "search"
    )
)


def rewrite_html(traced: Traced, body: Body, pending: Pending) -> Traced:
    """Return the text without HTML between its paragraphs."""
    text = traced.text
    layout = layout_of(text, is_mdx=body.is_mdx)
    edits: list[Edit] = []
    done = 0
    lowered = text.lower() if layout.html.all else ""
    for region in layout.html.all:
        if region.begin < done:
            continue
        region = _grown(text, region, layout.html.all, lowered)
        done = region.end
        edits.append(tidied(_edit(traced, region, body, pending), text))
    return traced.edited(edits) if edits else traced


def _grown(text: str, region: Region, blocks: list[Region], lowered: str) -> Region:
    """Return the region up to the end of what it opens and does not close, if that makes sense as one whole only."""
    end = region.end
    while True:
        opened = _unclosed(text[region.begin : end])
        name = next((name for name in opened if name in WHOLE), "")
        if not name and not OPEN_COMMENT.search(text, region.begin, end):
            return Region(region.begin, end)
        closing = f"</{name}>" if name else "-->"
        at = lowered.find(closing, end)
        index = bisect_right(blocks, at, key=lambda block: block.begin) - 1
        if at < 0 or at >= blocks[index].end or at - region.begin > LONGEST_WHOLE:
            return Region(region.begin, end)
        end = blocks[index].end


def _unclosed(html: str) -> list[str]:
    """Return the names of the tags that are opened and not closed, outermost first."""
    names: list[str] = []
    for found in TAG.finditer(COMMENT.sub("", html)):
        closes, name, _, closed = found.groups()
        name = name.lower()
        if closes:
            if name in names:
                del names[len(names) - 1 - names[::-1].index(name) :]
        elif not closed and name not in VOID:
            names.append(name)
    return names


def _edit(traced: Traced, region: Region, body: Body, pending: Pending) -> Edit:
    text = traced.text
    chunk = text[region.begin : region.end]
    before = chunk[: len(chunk) - len(chunk.lstrip(" \t>"))]
    html = "\n".join(_without(line, before) for line in chunk.rstrip("\n").split("\n"))
    bare = COMMENT.sub("", html)
    if not bare.strip():
        return Edit(region.begin, region.end, f"{before.rstrip()}\n" if before.strip() else "")
    line = traced.line_at(region.begin)
    if _is_whole(bare):
        # Blank lines in it end a block of HTML, and what follows is Markdown again: let the one that knows write it.
        whole = (MDX if body.is_mdx else PLAIN).render(html) if "\n\n" in html else html
        written = pending.block(lambda: body.html(whole, line), indent=before)
    else:
        written = _loose(html, traced, region, before, body, pending)
    return Edit(region.begin, region.end, written)


def _without(line: str, before: str) -> str:
    return line.removeprefix(before) if line.startswith(before) else line.lstrip(" \t>") if before.strip() else line


def _is_whole(html: str) -> bool:
    """Whether everything that is opened is closed, the other way round, and all of it is HTML that means something."""
    names: list[str] = []
    for found in TAG.finditer(html):
        closes, name, _, closed = found.groups()
        if name.lower() not in KNOWN or (name != name.lower() and name != name.upper()):
            return False
        name = name.lower()
        if closes:
            if not names or names.pop() != name:
                # HTML lets these be left open.
                return bool(names or name in ("p", "li", "td", "tr", "th")) and not _unclosed(html)
        elif not closed and name not in VOID:
            names.append(name)
    return not any(name not in ("p", "li", "td", "tr", "th", "dt", "dd") for name in names)


def _loose(html: str, traced: Traced, region: Region, before: str, body: Body, pending: Pending) -> str:
    """Return the text between tags that open or close something around Markdown."""
    said = False
    pieces: list[str] = []
    at = 0
    bare = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), html)
    for found in TAG.finditer(bare):
        pieces.append(bare[at : found.start()])
        at = found.end()
        name = found[2].lower()
        is_component = found[2] != name or name not in KNOWN
        if not found[1] and not said and (name not in TRANSPARENT or is_component) and name not in ("li", "summary"):
            said = True
            line = traced.line_at(region.begin) + bare.count("\n", 0, found.start())
            tag = " ".join(found[0].split())
            body.page.warn("html_dropped", body.where(line, tag), dropped=found[0])
        if name in ("br", "img", "b", "strong", "i", "em", "code", "a", "sub", "sup", "kbd", "u", "span"):
            pieces.append(found[0])
        elif name == "summary":
            pieces.append("</strong></p>" if found[1] else "<p><strong>")
    pieces.append(bare[at:])
    inner = "".join(pieces).strip()
    if not inner or (not re.sub(r"</?\w+[^>]*>|\s", "", inner) and "<img" not in inner):
        return f"{before.rstrip()}\n" if before.strip() else ""
    line = traced.line_at(region.begin)
    paragraphs = inner if inner.startswith("<p>") else f"<p>{inner}</p>"
    return pending.block(lambda: body.html(paragraphs, line), indent=before)

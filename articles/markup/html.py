"""Blocks as HTML, and the list of what HTML may hold at all.

All HTML is made here from text that was escaped; nothing of an author's own is copied, except <sub>, <sup>, <kbd> and
<br> without attributes. nh3 then lets through what is listed here and nothing else, and closes what was left open.

What only a front-end knows stands as data attributes: data-article, data-device, data-vendor, data-installation (with
data-anchor) on links without href; data-image; data-scenario and data-device, … on empty elements to be replaced.
"""

import re
from collections.abc import Iterable
from html import escape

import nh3

from .blocks import (
    Block,
    Callout,
    Code,
    DeviceBlock,
    Figure,
    Heading,
    InstallationBlock,
    LadderBlock,
    List,
    Paragraph,
    Quote,
    RackBlock,
    Rule,
    Table,
    VendorBlock,
)

HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
LISTS_AND_TABLES = frozenset({"ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"})
BLOCKS = frozenset({"p", "blockquote", "footer", "pre", "hr", "figure", "figcaption", "aside", "div", "section"})
INLINE = frozenset({"em", "strong", "code", "a", "sub", "sup", "kbd", "br", "img", "cite", "span", "data"})
TAGS = HEADINGS | LISTS_AND_TABLES | BLOCKS | INLINE
RECORD_LINK = ("data-article", "data-device", "data-vendor", "data-installation", "data-anchor")
ATTRIBUTES = {
    "a": {"href", "title", "id", "class", "data-source", *RECORD_LINK},
    "aside": {"class", "data-kind"},
    "blockquote": {"cite"},
    "code": {"class"},
    "data": {"class", "value", "data-quantity"},
    "div": {"class", "data-device", "data-vendor", "data-installation", "data-scenario"},
    "figure": {"data-image"},
    **{heading: {"id"} for heading in HEADINGS},
    "img": {"src", "alt", "title", "data-image"},
    "li": {"id", "data-source"},
    "ol": {"start"},
    "p": {"class"},
    "section": {"class"},
    "span": {"class"},
    "sup": {"class"},
    "td": {"class"},
    "th": {"class"},
}
SCHEMES = frozenset({"http", "https", "mailto"})
# Inside the page, or a path of this server, where images may lie; never another host.
OWN_ADDRESS = re.compile(r"#|/(?![/\\])")

LANGUAGE = re.compile(r"[\w.+#-]+")
"""What names a language in a class: c++, f#, objective-c. What else stands behind a fence is in the block only."""


def _judge_attribute(tag: str, name: str, value: str) -> str | None:
    # nh3 knows href and src, but does not look at the scheme of cite.
    return None if name == "cite" and not value.startswith("https://") else value


CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    attribute_filter=_judge_attribute,
    url_schemes=SCHEMES,
    url_relative=lambda url: url if OWN_ADDRESS.match(url) else None,
    clean_content_tags={"script", "style"},
    strip_comments=True,
    link_rel=None,
)


def sanitise(html: str) -> str:
    """Return `html` with nothing in it that is not listed above."""
    return CLEANER.clean(html)


def attributes(**named: str | int | None) -> str:
    """Return ` name="value"` for each that is not None, escaped; `data_x` becomes data-x, `class_` class."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in named.items()
        if value is not None
    )


def image(src: str, alt: str, title: str) -> str:
    """Return an image by its name, which comes first: whoever shows it puts its address of today behind it."""
    return f"<img{attributes(data_image=src, alt=alt, title=title or None)}>"


def blocks_html(blocks: Iterable[Block], *, tight: bool = False) -> str:
    """Return blocks as HTML. `tight`: paragraphs without <p>, as in a tight list."""
    return "\n".join(_block(block, tight=tight) for block in blocks)


def _block(block: Block, *, tight: bool) -> str:
    match block:
        case Paragraph():
            return block.html if tight else f"<p>{block.html}</p>"
        case Heading():
            # Level 1 is an error, and belongs to the page around this body.
            tag = f"h{max(block.level, 2)}"
            return f"<{tag}{attributes(id=block.anchor)}>{block.html}</{tag}>"
        case List():
            tag = "ol" if block.ordered else "ul"
            start = block.start if block.start != 1 else None
            items = "\n".join(f"<li>{blocks_html(item.blocks, tight=block.tight)}</li>" for item in block.items)
            return f"<{tag}{attributes(start=start)}>\n{items}\n</{tag}>"
        case Table():
            return _table(block)
        case Code():
            language = f"language-{block.language}" if LANGUAGE.fullmatch(block.language) else None
            return f"<pre><code{attributes(class_=language)}>{escape(block.text, quote=False)}\n</code></pre>"
        case Rule():
            return "<hr>"
        case Figure():
            return _figure(block)
        case Callout():
            title = f'<p class="callout-title">{escape(block.title, quote=False)}</p>\n' if block.title else ""
            opening = f"<aside{attributes(class_=f'callout callout-{block.kind}', data_kind=block.kind)}>"
            return f"{opening}\n{title}{blocks_html(block.blocks)}\n</aside>"
        case Quote():
            by = f"\n<footer><cite>{escape(block.by, quote=False)}</cite></footer>" if block.by else ""
            opening = f"<blockquote{attributes(cite=block.source or None)}>"
            return f"{opening}\n{blocks_html(block.blocks)}{by}\n</blockquote>"
        case DeviceBlock():
            return f"<div{attributes(class_='device', data_device=block.slug)}></div>"
        case VendorBlock():
            return f"<div{attributes(class_='vendor', data_vendor=block.slug)}></div>"
        case InstallationBlock():
            return f"<div{attributes(class_='installation', data_installation=block.slug)}></div>"
        case LadderBlock() if block.rungs:
            return _ladder(block)
        case RackBlock() | LadderBlock():
            return f"<div{attributes(class_=block.type, data_scenario=block.scenario)}></div>"


def _table(table: Table) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        classes = (f"align-{align}" if align else None for align in table.align)
        inner = "".join(
            f"<{tag}{attributes(class_=aligned)}>{cell}</{tag}>" for cell, aligned in zip(cells, classes, strict=True)
        )
        return f"<tr>{inner}</tr>"

    body = "\n".join(row(cells, "td") for cells in table.rows_html)
    body = f"\n<tbody>\n{body}\n</tbody>" if body else ""
    return f"<table>\n<thead>\n{row(table.header_html, 'th')}\n</thead>{body}\n</table>"


def _ladder(block: LadderBlock) -> str:
    """Write the rungs as a table, for whoever puts nothing in its place: feeds, say."""
    heads = ("Rung", "How many", "Power of one", "Power of all", "For each chip")
    lines = [
        (rung.rung.capitalize(), f"{int(rung.count):,}", rung.each_text, rung.total_text, rung.per_chip_text)
        for rung in block.rungs
    ]
    head, *body = (
        "<tr>" + "".join(f"<{tag}>{escape(cell, quote=False)}</{tag}>" for cell in cells) + "</tr>"
        for cells, tag in ((heads, "th"), *((line, "td") for line in lines))
    )
    rows = "\n".join(body)
    opening = f"<div{attributes(class_=block.type, data_scenario=block.scenario)}>"
    return f"{opening}\n<table>\n<thead>\n{head}\n</thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n</div>"


def _figure(figure: Figure) -> str:
    picture = image(figure.src, figure.alt, figure.title)
    credit = f'<span class="credit">{escape(figure.credit, quote=False)}</span>' if figure.credit else ""
    caption = "\n".join(part for part in (figure.caption_html, credit) if part)
    caption = f"\n<figcaption>{caption}</figcaption>" if caption else ""
    return f"<figure{attributes(data_image=figure.src)}>{picture}{caption}</figure>"

"""Block tokens as typed blocks; judges headings, code and directives."""

from collections.abc import Iterable

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

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
    ListItem,
    Mentions,
    Paragraph,
    Quote,
    RackBlock,
    Rule,
    Table,
    TocEntry,
    VendorBlock,
    mentions,
    text_of,
)
from .directives import DEFAULT_CALLOUT_KIND, SHAPES, Directive, read_directive
from .html import blocks_html
from .page import Node, Page, Reference
from .prose import Picture, Writer, Written

ALIGNMENT = "text-align:"


def build_blocks(page: Page, nodes: Iterable[Node]) -> tuple[Block, ...]:
    """Return the blocks of `nodes`, in order. What gives no block, as HTML that was dropped, is left out."""
    blocks: list[Block] = []
    for node in nodes:
        blocks.extend(_build(page, node))
    return tuple(blocks)


def _build(page: Page, node: Node) -> Iterable[Block]:
    token = node.token
    match token.type:
        case "paragraph_open":
            return _paragraph(page, node)
        case "heading_open":
            return [_heading(page, node)]
        case "bullet_list_open" | "ordered_list_open":
            return [_list(page, node)]
        case "blockquote_open":
            return [Quote(blocks=build_blocks(page, node.children))]
        case "fence" | "code_block":
            return [_code(page, token)]
        case "hr":
            return [Rule()]
        case "table_open":
            return [_table(page, node)]
        case "directive_open":
            return _directive(page, node)
        case "html_block":
            page.report.add(token.meta["at"], token.meta["code"])
            return []
        case _:
            raise AssertionError(f"no block is made of the token {token.type}")


def _write(page: Page, inline: Token) -> tuple[Written, list[Picture]]:
    writer = Writer(page, inline)
    written = writer.write()
    page.plain.append(written.plain)
    return written, writer.pictures


def _paragraph(page: Page, node: Node) -> list[Block]:
    inline = node.children[0].token
    written, pictures = _write(page, inline)
    if written.is_empty:
        return []
    if pictures and _is_one_image(inline):
        picture = pictures[-1]
        return [Figure(src=picture.src, alt=picture.alt, title=picture.title)]
    return [Paragraph(text=written.text, html=written.html, **written.mentions())]


def _is_one_image(inline: Token) -> bool:
    tokens = [token for token in inline.children or () if token.type != "text" or token.content.strip()]
    depth = 0
    for index, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            return index == len(tokens) - 1 and token.type == "image_close"
    return False


def _heading(page: Page, node: Node) -> Heading:
    level = int(node.token.tag[1:])
    if level == 1:
        page.report.add(node.token.meta["at"], "heading_one")
    written, _ = _write(page, node.children[0].token)
    anchor = node.token.meta["anchor"]
    page.toc.append(TocEntry(level, written.text, anchor, written.plain))
    return Heading(level=level, anchor=anchor, text=written.text, html=written.html, **written.mentions())


def _list(page: Page, node: Node) -> List:
    ordered = node.token.type == "ordered_list_open"
    items = tuple(ListItem(blocks=build_blocks(page, item.children)) for item in node.children)
    paragraphs = [
        inner.token for item in node.children for inner in item.children if inner.token.type == "paragraph_open"
    ]
    return List(
        ordered=ordered,
        start=int(node.token.attrs.get("start", 1)) if ordered else None,
        tight=all(token.hidden for token in paragraphs),
        items=items,
    )


def _code(page: Page, token: Token) -> Code:
    if token.type == "fence":
        assert token.map is not None
        # The lines of the code, its opening fence, and its closing one.
        if token.map[1] - token.map[0] < token.content.count("\n") + 2:
            page.report.add(token.meta["at"], "unclosed_code", token.markup)
    words = unescapeAll(token.info).split()
    text = token.content.removesuffix("\n")
    page.plain.append(text)
    return Code(language=words[0] if words else "", text=text)


def _table(page: Page, node: Node) -> Table:
    head, *bodies = node.children
    align = tuple(str(cell.token.attrs.get("style", "")).removeprefix(ALIGNMENT) for cell in head.children[0].children)
    rows = [row for part in (head, *bodies) for row in part.children]
    written = [[_write(page, cell.children[0].token)[0] for cell in row.children] for row in rows]
    return Table(
        header=tuple(cell.text for cell in written[0]),
        align=align,
        rows=tuple(tuple(cell.text for cell in row) for row in written[1:]),
        header_html=tuple(cell.html for cell in written[0]),
        rows_html=tuple(tuple(cell.html for cell in row) for row in written[1:]),
        quantities=tuple(name for row in written for cell in row for name in cell.quantities),
        links=tuple(link for row in written for cell in row for link in cell.links),
        citations=tuple(slug for row in written for cell in row for slug in cell.citations),
        footnotes=tuple(number for row in written for cell in row for number in cell.footnotes),
    )


def _directive(page: Page, node: Node) -> Iterable[Block]:
    token = node.token
    at = token.meta["at"]
    directive = read_directive(token.info, at, token.meta["line_at"], page.records, page.report)
    if not token.meta["is_closed"]:
        page.report.add(at, "unclosed_directive")
    if not directive.name:
        # What it was meant to be is not known; what stands in it is not lost.
        return build_blocks(page, node.children)
    shape = SHAPES[directive.name]
    if directive.found and shape.record:
        attribute, kind = directive.attributes[shape.record[0]], shape.record[1]
        page.references.append((attribute.at, Reference(kind, attribute.value)))
    for name in ("title", "by", "credit"):
        page.plain.append(directive.value(name))
    body = build_blocks(page, node.children)
    if not shape.has_body:
        if body:
            page.report.add(
                at, "bad_directive", f"{directive.name} has no text of its own. Move the text behind its fence."
            )
        return [_record_block(page, directive), *body]
    if directive.name == "callout":
        kind_ = directive.value("kind") or DEFAULT_CALLOUT_KIND
        return [Callout(kind=kind_, title=directive.value("title"), blocks=body)]
    if directive.name == "quote":
        return [Quote(by=directive.value("by"), source=directive.value("source"), blocks=body)]
    return [_figure(page, directive, body)]


def _record_block(page: Page, directive: Directive) -> Block:
    slug, scenario = directive.value("slug"), directive.value("scenario")
    match directive.name:
        case "device":
            return DeviceBlock(slug=slug)
        case "vendor":
            return VendorBlock(slug=slug)
        case "installation":
            return InstallationBlock(slug=slug)
        case "rack":
            return RackBlock(scenario=scenario)
        case "ladder":
            record = page.records.find("scenario", scenario)
            return LadderBlock(scenario=scenario, rungs=() if record is None else record.rungs)
        case _:
            raise AssertionError(f"{directive.name} is no block of a record")


def _figure(page: Page, directive: Directive, body: tuple[Block, ...]) -> Figure:
    src = directive.value("src")
    page.records.find("image", src)
    mentioned: list[Mentions] = [found for block in body for found in mentions(block)]
    one = body[0] if len(body) == 1 else None
    page.plain.append(directive.value("alt"))
    return Figure(
        src=src,
        alt=directive.value("alt"),
        credit=directive.value("credit"),
        caption="\n".join(text_of(block) for block in body),
        caption_html=one.html if isinstance(one, Paragraph) else blocks_html(body),
        quantities=tuple(name for found in mentioned for name in found.quantities),
        links=tuple(link for found in mentioned for link in found.links),
        citations=tuple(slug for found in mentioned for slug in found.citations),
        footnotes=tuple(number for found in mentioned for number in found.footnotes),
    )

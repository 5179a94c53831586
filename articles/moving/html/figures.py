"""Pictures: which address an <img> shows, what it leads to, and the figure that it becomes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from articles.moving import escaping
from articles.moving.items import Picture, Place

from .tree import Node, attribute, descendants, elements_of, find

if TYPE_CHECKING:
    from .blocks import Writer


def figure_of(writer: "Writer", node: Node, *, caption: str = "", place: Place | None = None) -> str:
    """Return the figure of an <img>, or of the one in `node`, with a caption in Markdown."""
    shown = node if node.name in ("img", "amp-img") else find(node, "img", "amp-img")
    if shown is None:
        return ""
    attributes = {name: value or "" for name, value in (shown.attrs or {}).items()}
    address = _address_of(attributes)
    if _is_lazy(attributes):
        attributes["src"] = address
    picture = writer.picture_of(attributes) if address else None
    place = place or writer.place_of(shown)
    if picture is None:
        writer.page.warn("unsafe_url", place, dropped=shown.to_html(pretty=False))
        return ""
    link = _link_around(shown)
    if link is not None and not _leads_to_picture(writer, link, picture):
        target = writer.page.link(attribute(link, "href"), writer.place_of(link))
        if target and "](" in caption:
            # Links do not stand in links.
            caption = f"{caption} ({escaping.link(escaping.escape(target), target)})"
        elif target:
            caption = escaping.link(caption or escaping.escape(attributes.get("alt") or target), target)
    return writer.page.figure(picture, place, alt=attributes.get("alt", "").strip(), caption=caption)


def _leads_to_picture(writer: "Writer", link: Node, picture: Picture) -> bool:
    """Whether a link around a picture leads to its file: of any size, so names are compared without it."""
    target = writer.picture_of({"src": attribute(link, "href")})
    return target is not None and target.file == picture.file


def blocks_of(writer: "Writer", node: Node) -> list[str]:
    """Return a <figure>: of one picture a figure with its caption, else what it holds."""
    captions = [child for child in elements_of(node) if child.name == "figcaption"]
    rest = [child for child in node.children or [] if child not in captions]
    caption = "\n\n".join(writer.paragraph(child.children or []) for child in captions).strip()
    pictures = [child for child in descendants(node) if child.name in ("img", "amp-img")]
    others = find(node, "table", "iframe", "video", "audio", "blockquote", "pre", "figure", *writer.elements)
    if len(pictures) == 1 and others is None:
        aside = [child for child in rest if find(child, "img", "amp-img") is None and child.name not in ("img",)]
        return [figure_of(writer, pictures[0], caption=caption), *writer.blocks(aside)]
    if caption and find(node, "blockquote") is not None:
        caption = f"— {caption}"
    return [*writer.blocks(rest), caption]


def _address_of(attributes: Mapping[str, str]) -> str:
    """Return the address of a picture; that of one that is loaded late stands elsewhere."""
    if _is_lazy(attributes):
        return next(attributes[name] for name in ("data-src", "data-lazy-src", "data-original") if attributes.get(name))
    return attributes.get("src", "")


def _is_lazy(attributes: Mapping[str, str]) -> bool:
    is_blank = not attributes.get("src") or attributes["src"].startswith("data:")
    return is_blank and any(attributes.get(name) for name in ("data-src", "data-lazy-src", "data-original"))


def _link_around(node: Node) -> Node | None:
    for _ in range(4):
        node = node.parent
        if node is None or node.name in ("figure", "p", "div"):
            return None
        if node.name == "a":
            return node if attribute(node, "href") else None
    return None

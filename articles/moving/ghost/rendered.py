"""The HTML that Ghost renders: the cards in it are found by their classes and made to what they were."""

from collections.abc import Iterator
from html import escape
from typing import Any

from articles.moving.ghost.cards import Cards
from articles.moving.html.tree import Node, attribute, classes, descendants, find, read, text_of

# By the class of the card, what it is called.
CARDS = {
    "kg-callout-card": "callout",
    "kg-toggle-card": "toggle",
    "kg-bookmark-card": "bookmark",
    "kg-file-card": "file",
    "kg-audio-card": "audio",
    "kg-video-card": "video",
    "kg-product-card": "product",
    "kg-header-card": "header",
    "kg-signup-card": "signup",
    "kg-email-card": "email",
    "kg-cta-card": "call-to-action",
    "kg-nft-card": "nft",
}


def rendered_html(html: str, cards: Cards) -> str:
    """Return the HTML of a post with its cards as `Cards.html` writes them."""
    if "kg-" not in html:
        return html
    root = read(html)
    found = [(node, name) for node in descendants(root) if (name := _card_of(node))]
    texts: dict[str, str] = {}
    for number, (node, name) in enumerate(found):
        mark = f"ghost-card-{number}"
        texts[mark] = cards.html(name, _fields(node, name))
        node.name, node.attrs = mark, {}
        for child in list(node.children):
            node.remove_child(child)
    written: str = root.to_html(pretty=False) if found else html
    for mark, text in texts.items():
        written = written.replace(f"<{mark}></{mark}>", text)
    return written


def _card_of(node: Node) -> str:
    if node.name == "#text":
        return ""
    return next((CARDS[name] for name in classes(node) if name in CARDS), "")


def _of_class(node: Node, *names: str) -> Iterator[Node]:
    for child in descendants(node):
        if child.name != "#text" and any(name in classes(child) for name in names):
            yield child


def _text(node: Node, *names: str) -> str:
    found = next(_of_class(node, *names), None)
    return " ".join(text_of(found).split()) if found is not None else ""


def _inner(node: Node, *names: str) -> str:
    """Return the HTML inside of the first element with one of these classes."""
    found = next(_of_class(node, *names), None)
    return _html_in(found)


def _html_in(node: Node | None) -> str:
    children = node.children or [] if node is not None else []
    return "".join(escape(c.data or "") if c.name == "#text" else c.to_html(pretty=False) for c in children)


def _href(node: Node) -> str:
    link = node if node.name == "a" else find(node, "a")
    return attribute(link, "href") if link is not None else ""


def _fields(node: Node, name: str) -> dict[str, Any]:
    """Return a rendered card as it stands in lexical."""
    caption = find(node, "figcaption")
    shown = _html_in(caption)
    if name == "callout":
        return {"calloutText": _inner(node, "kg-callout-text")}
    if name == "toggle":
        return {
            "heading": _inner(node, "kg-toggle-heading-text"),
            "content": _inner(node, "kg-toggle-content"),
        }
    if name == "bookmark":
        title = _text(node, "kg-bookmark-title")
        return {"url": _href(node), "metadata": {"title": title}, "caption": shown}
    if name == "file":
        return {
            "src": _href(node),
            "fileTitle": _text(node, "kg-file-card-title"),
            "fileName": _text(node, "kg-file-card-filename"),
            "fileCaption": _text(node, "kg-file-card-caption"),
        }
    if name in ("audio", "video"):
        player = find(node, name)
        return {"src": attribute(player, "src") if player is not None else "", "caption": shown}
    if name == "product":
        image = find(node, "img")
        return {
            "productImageSrc": attribute(image, "src") if image is not None else "",
            "productTitle": _text(node, "kg-product-card-title"),
            "productDescription": _inner(node, "kg-product-card-description"),
            "productUrl": _href(node),
            "productButton": _text(node, "kg-product-card-button"),
        }
    if name == "header":
        return {
            "header": _text(node, "kg-header-card-header", "kg-header-card-heading"),
            "subheader": _text(node, "kg-header-card-subheader", "kg-header-card-subheading"),
            "buttonEnabled": bool(_href(node)),
            "buttonUrl": _href(node),
            "buttonText": _text(node, "kg-header-card-button"),
        }
    if name == "call-to-action":
        image = find(node, "img")
        return {
            "textValue": _inner(node, "kg-cta-text"),
            "showButton": bool(_text(node, "kg-cta-button")),
            "buttonUrl": _href(node),
            "buttonText": _text(node, "kg-cta-button"),
            "imageUrl": attribute(image, "src") if image is not None else "",
        }
    return {"html": node.to_html(pretty=False)}

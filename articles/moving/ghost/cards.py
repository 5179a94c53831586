"""What the cards of Ghost become, whichever format they come in: HTML, our Markdown, or a notice.

A card is a mapping as lexical and mobiledoc have it. Those that are HTML in other words are written as HTML, in line
with the text around; the others stand in it as `<ghost-card n="3">`, and are written when the HTML is.
"""

import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from articles.moving.directives import callout
from articles.moving.html import Writer, to_markdown
from articles.moving.html.tree import Node, attribute
from articles.moving.items import Picture, Place
from articles.moving.markdown.body import Body
from articles.moving.markdown.rewriting import rewrite

Card = Mapping[str, Any]

# Names of mobiledoc, and of older versions, for what lexical calls otherwise.
NAMES = {
    "card-markdown": "markdown",
    "code": "codeblock",
    "hr": "horizontalrule",
    "emailCta": "email-cta",
    "emailcta": "email-cta",
    "divider": "horizontalrule",
    "calltoaction": "call-to-action",
}
# They speak to subscribers, or stand only in e-mails.
DROPPED = ("paywall", "signup", "email", "email-cta", "transistor")


class Cards:
    """The cards of one body. `path` is that of its field in the export."""

    def __init__(self, path: str, picture: Callable[[Mapping[str, str]], Picture | None]) -> None:
        self._path, self._picture = path, picture
        self._kept: list[tuple[str, Card]] = []

    def where(self, line: int, near: str) -> Place:
        return Place(path=self._path, near=near)

    def html(self, name: str, card: Card) -> str:
        """Return the HTML that stands for a card in the text."""
        name = NAMES.get(name, name)
        if not is_public(card) or name not in WRITERS:
            return self._keep("dropped", {"type": name, **card})
        return WRITERS[name](self, card)

    def write(self, html: str, page: Any) -> str:
        """Return the HTML of a body, with its cards, as Markdown of ours."""
        return to_markdown(html, page, self.where, picture=self._picture, elements={"ghost-card": self._write})

    def _keep(self, name: str, card: Card) -> str:
        self._kept.append((name, card))
        return f'<ghost-card n="{len(self._kept) - 1}"></ghost-card>'

    def _write(self, writer: Writer, node: Node) -> str:
        """Return what a card that was kept becomes."""
        number = attribute(node, "n")
        if not number.isdigit() or int(number) >= len(self._kept):
            return ""
        name, card = self._kept[int(number)]
        page = writer.page
        if name == "dropped":
            source = json.dumps(card, ensure_ascii=False)
            page.warn("card_dropped", self.where(0, source[:300]), dropped=source)
            return ""
        if name == "embed":
            return page.embed(card["url"], self.where(0, card["url"]))
        if name == "html":
            # By itself: a comment that never ends would take the rest of the article with it.
            return to_markdown(card["html"], page, self.where, picture=self._picture)
        if name == "callout":
            inner = to_markdown(card["html"], page, self.where, picture=self._picture)
            return callout(inner) if inner else ""
        body = Body(page, self.where, lambda address: self._picture({"src": address}))
        return rewrite(card["markdown"].replace("\r\n", "\n"), body)

    # What each card becomes

    def _image(self, card: Card) -> str:
        if not _text(card, "src"):
            return ""
        image = f'<img src="{_quoted(card, "src")}" alt="{_quoted(card, "alt")}" title="{_quoted(card, "title")}">'
        if _text(card, "href"):
            image = f'<a href="{_quoted(card, "href")}">{image}</a>'
        return f"<figure>{image}{_caption(card)}</figure>"

    def _gallery(self, card: Card) -> str:
        images = card.get("images")
        shown = [self._image(image) for image in images if isinstance(image, dict)] if isinstance(images, list) else []
        return "".join(shown) + _paragraph(_text(card, "caption"))

    def _code(self, card: Card) -> str:
        language = _text(card, "language").split()[0] if _text(card, "language").strip() else ""
        name = f' class="language-{escape(language)}"' if language else ""
        return f"<pre><code{name}>{escape(_text(card, 'code'))}</code></pre>" + _paragraph(_text(card, "caption"))

    def _html(self, card: Card) -> str:
        return self._keep("html", {"html": _text(card, "html")})

    def _markdown(self, card: Card) -> str:
        return self._keep("markdown", {"markdown": _text(card, "markdown")})

    def _embed(self, card: Card) -> str:
        address = _text(card, "url")
        shown = self._keep("embed", {"url": address}) if address else _text(card, "html")
        return shown + _paragraph(_text(card, "caption"))

    def _bookmark(self, card: Card) -> str:
        metadata = card.get("metadata") if isinstance(card.get("metadata"), dict) else {}
        title = _text(metadata or {}, "title") or _text(card, "title") or _text(card, "url")
        return _link(_text(card, "url"), title) + _paragraph(_text(card, "caption"))

    def _file(self, card: Card) -> str:
        title = _text(card, "fileTitle") or _text(card, "fileName") or _text(card, "src")
        return _link(_text(card, "src"), title) + _paragraph(escape(_text(card, "fileCaption")))

    def _player(self, card: Card) -> str:
        shown = self._keep("embed", {"url": _text(card, "src")}) if _text(card, "src") else ""
        return shown + _paragraph(_text(card, "caption"))

    def _button(self, card: Card) -> str:
        return _link(_text(card, "buttonUrl"), _text(card, "buttonText"))

    def _callout(self, card: Card) -> str:
        return self._keep("callout", {"html": _text(card, "calloutText")})

    def _toggle(self, card: Card) -> str:
        return f"<h3>{_text(card, 'heading')}</h3>{_paragraph(_text(card, 'content'))}"

    def _product(self, card: Card) -> str:
        image = self._image({"src": _text(card, "productImageSrc"), "alt": _text(card, "productTitle")})
        title = _text(card, "productTitle")
        link = _link(_text(card, "productUrl"), _text(card, "productButton") or _text(card, "productUrl"))
        return image + (f"<h3>{title}</h3>" if title else "") + _paragraph(_text(card, "productDescription")) + link

    def _header(self, card: Card) -> str:
        heading = f"<h2>{_text(card, 'header')}</h2>" if _text(card, "header").strip() else ""
        shown = heading + _paragraph(_text(card, "subheader"))
        if _truth(card, "buttonEnabled"):
            shown += _link(_text(card, "buttonUrl"), _text(card, "buttonText"))
        if background := _text(card, "backgroundImageSrc"):
            # A picture behind the words: it has no alternative text, and means nothing to those who read.
            shown += self._keep("dropped", {"type": "header", "backgroundImageSrc": background})
        return shown

    def _call(self, card: Card) -> str:
        shown = _paragraph(_text(card, "textValue"))
        if _truth(card, "showButton"):
            shown += _link(_text(card, "buttonUrl"), _text(card, "buttonText"))
        if image := _text(card, "imageUrl"):
            shown += self._keep("dropped", {"type": "call-to-action", "imageUrl": image})
        return shown

    def _rule(self, card: Card) -> str:
        return "<hr>"


WRITERS: Mapping[str, Callable[[Cards, Card], str]] = {
    "image": Cards._image,
    "gallery": Cards._gallery,
    "codeblock": Cards._code,
    "html": Cards._html,
    "markdown": Cards._markdown,
    "embed": Cards._embed,
    "bookmark": Cards._bookmark,
    "file": Cards._file,
    "audio": Cards._player,
    "video": Cards._player,
    "button": Cards._button,
    "callout": Cards._callout,
    "toggle": Cards._toggle,
    "product": Cards._product,
    "header": Cards._header,
    "call-to-action": Cards._call,
    "horizontalrule": Cards._rule,
}


def is_public(card: Card) -> bool:
    """Whether somebody who is no member sees the card in the web."""
    visibility = card.get("visibility")
    if not isinstance(visibility, dict):
        return True
    web = visibility.get("web")
    if isinstance(web, dict):
        return web.get("nonMember") is not False
    # Until version 5.110 it said whether it is shown in the web, and to which members by e-mail.
    return visibility.get("showOnWeb") is not False


def _text(card: Card, key: str) -> str:
    value = card.get(key)
    return value if isinstance(value, str) else ""


def _truth(card: Card, key: str) -> bool:
    return card.get(key) is not False


def _quoted(card: Card, key: str) -> str:
    return escape(_text(card, key))


def _caption(card: Card) -> str:
    caption = _text(card, "caption")
    return f"<figcaption>{caption}</figcaption>" if caption.strip() else ""


def _paragraph(html: str) -> str:
    """Return HTML that may be a line or several blocks."""
    if not html.strip():
        return ""
    return html if html.lstrip().startswith("<p") else f"<div>{html}</div>"


def _link(address: str, text: str) -> str:
    if not address:
        return f"<p>{escape(text)}</p>" if text.strip() else ""
    return f'<p><a href="{escape(address)}">{escape(text.strip() or address)}</a></p>'

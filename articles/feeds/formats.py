"""One feed in three forms: RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from typing import Any
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

import orjson

ATOM = "http://www.w3.org/2005/Atom"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
DC = "http://purl.org/dc/elements/1.1/"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NEVER = "1970-01-01T00:00:00.000000Z"
"""When a feed without entries was changed last: a form demands an instant, and it may not move by itself."""

for _prefix, _space in {"atom": ATOM, "content": CONTENT, "dc": DC}.items():
    register_namespace(_prefix, _space)


@dataclass(frozen=True)
class Entry:
    """An article in a feed. Instants are as the API writes them; `html` is the text, None where the dek has to do."""

    id: str
    url: str
    title: str
    dek: str
    html: str | None
    section: str | None
    authors: Sequence[str]
    tags: Sequence[str]
    published_at: str
    updated_at: str
    corrections: Sequence[dict[str, str]]
    image: str | None

    @property
    def categories(self) -> list[str]:
        return list(dict.fromkeys(name for name in (self.section, *self.tags) if name))


@dataclass(frozen=True)
class Feed:
    """A feed: what it is called, where it and its site are, and its entries, the newest first."""

    title: str
    description: str
    publication: str
    url: str
    site: str
    entries: Sequence[Entry]

    @property
    def updated_at(self) -> str:
        return max((entry.updated_at for entry in self.entries), default=NEVER)


def corrections_html(corrections: Sequence[dict[str, str]]) -> str:
    """Return what was corrected as HTML: the day, how grave, what it said, what it says."""
    return "".join(
        f"<p><strong>Correction, {escape(row['on'])} ({escape(row['gravity'])}).</strong> "
        f"It said: {escape(row['said'])} It says: {escape(row['says'])}</p>"
        for row in corrections
    )


def rss(feed: Feed) -> bytes:
    """Return the feed as RSS 2.0."""
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    _add(channel, "title", feed.title)
    _add(channel, "link", feed.site)
    _add(channel, "description", feed.description)
    SubElement(channel, f"{{{ATOM}}}link", rel="self", type="application/rss+xml", href=feed.url)
    _add(channel, "lastBuildDate", _rfc822(feed.updated_at))
    for entry in feed.entries:
        item = SubElement(channel, "item")
        _add(item, "title", entry.title)
        _add(item, "link", entry.url)
        _add(item, "guid", f"urn:uuid:{entry.id}", isPermaLink="false")
        _add(item, "pubDate", _rfc822(entry.published_at))
        _add(item, f"{{{ATOM}}}updated", entry.updated_at)
        _add(item, "description", _html(entry.dek) + corrections_html(entry.corrections))
        if entry.html is not None:
            _add(item, f"{{{CONTENT}}}encoded", entry.html + corrections_html(entry.corrections))
        for author in entry.authors:
            _add(item, f"{{{DC}}}creator", author)
        for category in entry.categories:
            _add(item, "category", category)
    return _document(root)


def atom(feed: Feed) -> bytes:
    """Return the feed as Atom."""
    # All of it is of one namespace, so that of the root does: some readers look for names without a prefix.
    root = Element("feed", xmlns=ATOM)
    add = _add
    add(root, "id", feed.url)
    add(root, "title", feed.title)
    add(root, "subtitle", feed.description)
    add(root, "updated", feed.updated_at)
    add(root, "link", rel="self", type="application/atom+xml", href=feed.url)
    add(root, "link", rel="alternate", href=feed.site)
    add(add(root, "author"), "name", feed.publication)
    for entry in feed.entries:
        item = add(root, "entry")
        add(item, "id", f"urn:uuid:{entry.id}")
        add(item, "title", entry.title)
        add(item, "link", rel="alternate", href=entry.url)
        add(item, "published", entry.published_at)
        add(item, "updated", entry.updated_at)
        for author in entry.authors:
            add(add(item, "author"), "name", author)
        for category in entry.categories:
            add(item, "category", term=category)
        add(item, "summary", _html(entry.dek) + corrections_html(entry.corrections), type="html")
        if entry.html is not None:
            add(item, "content", entry.html + corrections_html(entry.corrections), type="html")
    return _document(root)


def json_feed(feed: Feed) -> bytes:
    """Return the feed as JSON Feed 1.1; corrections stand in an extension, `_plenum`."""
    items = []
    for entry in feed.entries:
        item: dict[str, Any] = {
            "id": f"urn:uuid:{entry.id}",
            "url": entry.url,
            "title": entry.title,
            "summary": entry.dek,
            "date_published": entry.published_at,
            "date_modified": entry.updated_at,
            "authors": [{"name": name} for name in entry.authors],
            "tags": entry.categories,
            "_plenum": {"corrections": list(entry.corrections)},
        }
        # One of the two must be there (JSON Feed 1.1, items).
        if entry.html is not None:
            item["content_html"] = entry.html + corrections_html(entry.corrections)
        else:
            item["content_html"] = _html(entry.dek) + corrections_html(entry.corrections)
        if entry.image:
            item["image"] = entry.image
        items.append(item)
    return orjson.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": feed.title,
            "description": feed.description,
            "home_page_url": feed.site,
            "feed_url": feed.url,
            "authors": [{"name": feed.publication}],
            "items": items,
        }
    )


def _add(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    child = SubElement(parent, name, attributes)
    if text:
        child.text = _NOT_XML.sub("", text)
    return child


def _html(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _document(root: Element) -> bytes:
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode").encode()


def _rfc822(instant: str) -> str:
    return format_datetime(datetime.fromisoformat(instant).astimezone(UTC), usegmt=True)

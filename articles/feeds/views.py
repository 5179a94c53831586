"""`/feeds/`: the newest articles of the publication, or of a section, in three forms. No draft, nothing paid for."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import orjson
from django.conf import settings
from django.db import models
from django.db.models import F, OuterRef
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.urls import path

from articles.feeds import formats
from articles.feeds.addresses import absolute, article_url
from articles.feeds.formats import Entry, Feed
from articles.models import Edition
from articles.rest.serializers import ArticleSummary, ShownField
from catalog.models import Section
from core.api.addresses import public_base
from core.api.compiled import JsonArray, Parameter, Statement, json_of, statement, text_of
from core.api.errors import not_found
from core.api.representations import ContentField
from core.feed import conditional
from core.feed.views import PublicView

ENTRIES = 50


class FeedEntry(ArticleSummary):
    """An article in a feed."""

    corrections = ContentField("corrections")

    class Meta:
        model = Edition
        fields = [
            "id", "slug", "title", "dek", "section", "authors", "tags", "image", "published_at", "updated_at",
            "corrections",
        ]  # fmt: skip


class FullFeedEntry(FeedEntry):
    """An article in a feed, with its text."""

    html = ShownField("html")

    class Meta:
        model = Edition
        fields = [*FeedEntry.Meta.fields, "html"]


class FeedView(PublicView):
    """A feed. Its tag changes with what is in it: a reader that asks every minute mostly gets a 304."""

    schema = None  # It is no part of the API that OpenAPI describes: each form has a standard of its own.
    kinds = ("article", "section", "author", "tag", "image")

    def write(self, feed: Feed) -> bytes:
        raise NotImplementedError(type(self).__name__)

    def variant(self) -> str:
        return (
            f"{settings.PLENUM_PUBLICATION} {settings.PLENUM_ARTICLE_URL} {settings.PLENUM_SITE_URL} "
            f"{settings.PLENUM_FEED_FULL_TEXT}"
        )

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> str | None:
        return kwargs.get("section")

    def body(self, request: HttpRequest, question: str | None, at: datetime, etag: str) -> HttpResponse:
        entries, name = _read(question, at)
        base = public_base(request)
        publication = settings.PLENUM_PUBLICATION
        feed = Feed(
            title=f"{publication}: {name}" if name else publication,
            description=f"The newest articles of {publication}" + (f" on {name}." if name else "."),
            publication=publication,
            url=base + request.path,
            site=settings.PLENUM_SITE_URL or base + "/",
            entries=[_entry(entry, base) for entry in entries],
        )
        tags = [*self.kinds, *(f"article:{entry['id']}" for entry in entries)]
        return conditional.answer(self.write(feed), etag, tags=tags, media_type=self.media_type)


class Rss(FeedView):
    media_type = "application/rss+xml; charset=utf-8"

    def write(self, feed: Feed) -> bytes:
        return formats.rss(feed)


class Atom(FeedView):
    media_type = "application/atom+xml; charset=utf-8"

    def write(self, feed: Feed) -> bytes:
        return formats.atom(feed)


class Json(FeedView):
    media_type = "application/feed+json; charset=utf-8"

    def write(self, feed: Feed) -> bytes:
        return formats.json_feed(feed)


def _read(section: str | None, at: datetime) -> tuple[list[dict[str, Any]], str]:
    """Return the entries, and the name of the section if one is asked for. Raises RequestRefused for an unknown one."""
    prepared = _statement(settings.PLENUM_FEED_FULL_TEXT, section is not None)
    rows = prepared.rows({"at": at, "section": section})
    if section is None:
        return [orjson.loads(text) for (text,) in rows], ""
    if not rows:
        raise not_found("There is no such section.")
    ((name, entries),) = rows
    return orjson.loads(entries), name


@cache
def _statement(is_full: bool, by_section: bool) -> Statement:
    """Return the statement of a feed: rows are (entry), or one row (name of the section, entries)."""
    at = Parameter("at", models.DateTimeField())
    entry = json_of(FullFeedEntry if is_full else FeedEntry, at)
    newest = Edition.objects.visible(at).order_by("-published_at", "-article_id")
    if not by_section:
        return statement(newest.annotate(entry=text_of(entry)).values_list("entry")[:ENTRIES])
    entries = JsonArray(newest.filter(section=OuterRef("pk")).values_list(entry)[:ENTRIES])
    sections = Section.objects.visible(at).filter(slug=Parameter("section", models.TextField()))
    return statement(
        sections.annotate(called=F("name"), entries=Cast(entries, models.TextField())).values_list("called", "entries")
    )


def _entry(entry: dict[str, Any], base: str) -> Entry:
    section = entry["section"]
    url = article_url(
        base, identifier=entry["id"], slug=entry["slug"], section=section["slug"] if section is not None else None
    )
    image = entry["image"]["url"] if entry["image"] else None
    html = entry.get("html")
    return Entry(
        id=entry["id"],
        url=url,
        title=entry["title"],
        dek=entry["dek"],
        html=None if html is None else absolute(html, base=base, page=url),
        section=section["name"] if section is not None else None,
        authors=[author["name"] for author in entry["authors"]],
        tags=[tag["name"] for tag in entry["tags"]],
        published_at=entry["published_at"],
        updated_at=entry["updated_at"],
        corrections=entry["corrections"] or [],
        image=base + image if image and image.startswith("/") else image,
    )


urlpatterns = [
    path(f"{name}.{ending}", view.as_view(), name=f"feed-{ending}")
    for name in ("articles", "<slug:section>")
    for ending, view in {"rss": Rss, "atom": Atom, "json": Json}.items()
]

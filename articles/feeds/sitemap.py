"""`/sitemap.xml`: where every article stands, and since when it is what it is."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.db import models
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.urls import path

from articles.feeds.addresses import article_url
from articles.models import Edition
from core.api.addresses import public_base
from core.api.compiled import Parameter, Statement, statement
from core.api.errors import not_found
from core.api.representations import InstantField
from core.feed import conditional
from core.feed.views import PublicView
from core.publishing.querysets import LIVE_BEGINS

MOST_PARTS = 50_000
"""Files that an index may name (the protocol)."""
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_written = InstantField().to_representation


class Sitemap(PublicView):
    """All articles; where there are more than fit into one file (the protocol says 50,000), an index of such files."""

    schema = None
    kinds = ("article", "section")
    media_type = "application/xml"
    size: ClassVar[int] = 50_000

    def variant(self) -> str:
        return str(settings.PLENUM_ARTICLE_URL)

    def question(self, asked: Mapping[str, str], **kwargs: Any) -> int | None:
        return kwargs.get("number")

    def body(self, request: HttpRequest, question: int | None, at: datetime, etag: str) -> HttpResponse:
        base = public_base(request)
        number = 1 if question is None else question
        if not 1 <= number <= MOST_PARTS:
            raise not_found("There is no such part of the sitemap.")
        rows = _statement().rows({"at": at, "limit": self.size + 1, "offset": (number - 1) * self.size})
        if question is not None and not rows:
            raise not_found("There is no such part of the sitemap.")
        if question is None and len(rows) > self.size:
            root = self._index(at, base)
        else:
            root = Element("urlset", xmlns=SPACE)
            for identifier, slug, section, since in rows[: self.size]:
                url = SubElement(root, "url")
                SubElement(url, "loc").text = article_url(base, identifier=str(identifier), slug=slug, section=section)
                SubElement(url, "lastmod").text = _written(since)
        document = b'<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode").encode()
        return conditional.answer(document, etag, tags=self.kinds, media_type=self.media_type)

    def _index(self, at: datetime, base: str) -> Element:
        root = Element("sitemapindex", xmlns=SPACE)
        for part, since in _parts_statement().rows({"at": at, "size": self.size}):
            entry = SubElement(root, "sitemap")
            SubElement(entry, "loc").text = f"{base}/sitemap-{part}.xml"
            SubElement(entry, "lastmod").text = _written(since)
        return root


def _visible() -> Any:
    at = Parameter("at", models.DateTimeField())
    return Edition.objects.visible(at).annotate(since=LIVE_BEGINS, in_section=F("section__slug")).order_by("article_id")


@cache
def _statement() -> Statement:
    """Return the statement of a file: rows are (id, slug, slug of the section, since when)."""
    prepared = statement(_visible().values_list("article_id", "slug", "in_section", "since"))
    bounds = (Parameter("limit", models.IntegerField()), Parameter("offset", models.BigIntegerField()))
    return Statement(prepared.sql + " LIMIT %s OFFSET %s", (*prepared.params, *bounds))


@cache
def _parts_statement() -> Statement:
    """Return the statement of the index: rows are (number of the file, the newest instant in it)."""
    prepared = statement(_visible().values_list("article_id", "since"))
    return Statement(
        "SELECT part, max(since) FROM (SELECT 1 + (row_number() OVER (ORDER BY article_id) - 1) / %s::bigint AS part, "
        f"since FROM ({prepared.sql}) AS visible(article_id, since)) AS counted GROUP BY part ORDER BY part",
        (Parameter("size", models.IntegerField()), *prepared.params),
    )


urlpatterns = [
    path("sitemap.xml", Sitemap.as_view(), name="sitemap"),
    path("sitemap-<int:number>.xml", Sitemap.as_view(), name="sitemap-part"),
]

"""Previews by the APIs: publish in a transaction that is undone, and answer in it.

Whoever sends the token of a preview link gets every answer as it would be if what the link shows were live now: item,
lists, search, what stands inside of other records, redirects. No other reader sees any of it, and nothing of it stays.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.db.models import Max

from articles.freezing import freeze
from articles.models import Authorship, BoundQuantity, Citation, Edition, PreviewLink, Tagging
from articles.services import ARTICLE
from core.api.ids import uuid7
from core.publishing import services as publishing
from core.publishing.models import Reference, Review

previewed: ContextVar[UUID | None] = ContextVar("previewed", default=None)
"""The article whose preview this answer is; None for what everybody gets."""


@contextmanager
def rehearsed(link: PreviewLink) -> Iterator[None]:
    """Let what `link` shows be live inside of the block, and undo it at the end.

    Raises ValidationError: what stands in the way of submitting the draft; `slug_taken` when another article that is
    live has its address.
    """
    token = previewed.set(link.article_id)
    try:
        with transaction.atomic():
            _go_live(link)
            yield
            transaction.set_rollback(True)
    finally:
        previewed.reset(token)


def _go_live(link: PreviewLink) -> None:
    # What it takes from readers is given back at the end, so that what links there need not wait for it.
    article = publishing.lock_draft(link.article)
    edition = link.edition or publishing.submit(ARTICLE, article, by=link.made_by, freeze=freeze)
    now = publishing.database_now()
    if Edition.objects.visible(now).filter(pk=edition.pk).exists():
        return
    # What was live once, is scheduled, or was refused by somebody cannot go live as it is: a copy can.
    edition = _copy(edition)
    Review.objects.create(
        kind=ARTICLE.name,
        target_id=edition.pk,
        sha256=edition.sha256,
        verdict="approved",
        reviewer=link.made_by,
        at=now,
    )
    others = Edition.objects.filter(article=article).exclude(live=None)
    ranges: dict[Any, DateTimeTZRange | None] = {edition.pk: DateTimeTZRange(now, None)}
    dates: dict[Any, Any] = {edition.pk: now}
    for other in others:
        if other.live.lower > now:
            ranges[other.pk] = None
            dates[other.pk] = None
        else:
            dates[edition.pk] = min(dates[edition.pk], other.published_at)
            if other.live.upper is None or other.live.upper > now:
                ranges[other.pk] = DateTimeTZRange(other.live.lower, now)
    publishing.set_ranges(ARTICLE, ranges, published_at=dates)


def _copy(edition: Edition) -> Edition:
    number = Edition.objects.filter(article=edition.article_id).aggregate(last=Max("number"))["last"]
    columns = {
        field.attname: getattr(edition, field.attname)
        for field in Edition._meta.concrete_fields
        if not field.generated and field.name not in ("id", "number", "live", "published_at", "withdrawn_reason")
    }
    copy = Edition(**columns | {"number": number + 1, "review_state": "in_review"})
    copy.save(force_insert=True)
    for model in (Authorship, Tagging, Citation, BoundQuantity):
        rows: list[Any] = list(model._default_manager.filter(edition=edition))
        for row in rows:
            row.pk, row.edition = None, copy
        model._default_manager.bulk_create(rows)
    references = list(Reference.objects.filter(edition_id=edition.pk))
    for reference in references:
        reference.pk, reference.edition_id = uuid7(), copy.pk
    Reference.objects.bulk_create(references)
    return copy

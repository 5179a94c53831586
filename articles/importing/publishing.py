"""Articles, brought in by the verbs that editors use: draft, submit, approve, publish."""

from collections.abc import Iterable
from dataclasses import astuple
from datetime import UTC, datetime, time
from typing import Any

from django.core.exceptions import ValidationError

from articles.freezing import freeze
from articles.importing import records
from articles.importing.desk import Desk
from articles.importing.existing import subjects_at
from articles.importing.tally import refusals_of
from articles.models import Article, Author, Edition, Tag
from articles.services import (
    ARTICLE,
    change_article,
    create_article,
    lock_linked,
    publish_article,
    review_article,
    submit_article,
)
from catalog.importing.checking import suggestion
from catalog.importing.problems import Notice, Refusal
from catalog.models import Rung, Section
from core.media.models import Image
from core.publishing.services import database_now, edition_of_draft
from simulator.explanations import explainable_names

# A day has no hour; readers in Europe and America get the same day for this one.
HOUR = time(12, tzinfo=UTC)


def store_drafts(found: Iterable[records.Article], desk: Desk) -> None:
    """Write the drafts of articles. All of them exist before the first is submitted, for they link to each other.

    An article that somebody else has written in since is left alone, with a notice.
    """
    found = list(found)
    rows = subjects_at(Edition, [record.slug for record in found])
    sections = {row.slug: row for row in Section.objects.all()}
    rungs = {row.slug: row for row in Rung.objects.all()}
    images = {row.name: row for row in Image.objects.filter(name__in=[record.image for record in found])}
    authors = {row.slug: row for row in Author.objects.filter(slug__in={s for r in found for s in r.authors})}
    tags = {row.slug: row for row in Tag.objects.filter(slug__in={s for r in found for s in r.tags})}
    for record in found:
        row = rows.get(record.slug)
        if row is not None and not desk.may_write(row, record.slug, record.place):
            continue
        values = {
            "title": record.title,
            "dek": record.dek,
            "body": record.body,
            "section": sections.get(record.section),
            "rung": rungs.get(record.rung),
            "image": images.get(record.image),
            "explains": list(record.explains),
            "corrections": [
                {"said": c.said, "says": c.says, "on": c.on.isoformat(), "gravity": c.gravity}
                for c in record.corrections
            ],
        }
        related = {"authors": [authors[s] for s in record.authors], "tags": [tags[s] for s in record.tags]}
        unknown = sorted(set(record.explains) - set(explainable_names()))
        for name in unknown:
            message = f"The simulator has no {name}{suggestion(name, explainable_names())}. Correct or delete it."
            place = record.place
            desk.tally.refusals.append(Refusal(place.file, place.line, "explains", "unknown_name", message))
        try:
            desk.articles[record.slug] = _write_draft(row, record.slug, values, related, desk)
        except ValidationError as error:
            desk.tally.refusals += refusals_of(error, record.place, body_line=record.body_line)


def _write_draft(row: Article | None, slug: str, values: dict[str, Any], related: Any, desk: Desk) -> Article:
    if row is None:
        title = values.pop("title")
        row = create_article(by=desk.writer, title=title, slug=slug, **values)
        desk.tally.count("articles", "created")
        return change_article(row, based_on=row.draft_version, by=desk.writer, **related)
    version = row.draft_version
    row = change_article(row, based_on=version, by=desk.writer, fields=values, **related)
    if row.draft_version == version:
        desk.unchanged.add(slug)
    desk.tally.count("articles", "unchanged" if row.draft_version == version else "changed")
    return row


def publish_articles(found: Iterable[records.Article], desk: Desk) -> None:
    """Submit, approve and publish what is not live yet; together, so that articles may link to each other."""
    found = [record for record in found if record.slug in desk.articles]
    submitted: list[tuple[records.Article, Edition]] = []
    for record in found:
        article = desk.articles[record.slug]
        try:
            standing = edition_of_draft(ARTICLE, article, freeze=freeze)
            if standing is not None and standing.live is not None:
                continue  # It is, or was withdrawn by an editor: either way this content was decided on.
            submitted.append((record, submit_article(article, by=desk.writer)))
        except ValidationError as error:
            refusals = refusals_of(error, record.place, body_line=record.body_line)
            if record.slug in desk.unchanged and _was_live(article):
                # It was sound when it came in: an editor renamed what it names. What readers have still leads there.
                desk.tally.notices += [Notice(*astuple(each)) for each in refusals]
            else:
                desk.tally.refusals += refusals
    if desk.tally.refusals:
        return  # Nothing will stay; the first mistakes say more than those that follow from them.
    now = database_now()
    together = [edition.article for _, edition in submitted]
    lock_linked([edition for _, edition in submitted], together=together)
    for record, edition in submitted:
        try:
            edition = review_article(edition, by=desk.approvers[0], verdict="approved")
            publish_article(edition, published_at=_published_at(record, now), together=together)
        except ValidationError as error:
            desk.tally.refusals += refusals_of(error, record.place, body_line=record.body_line)
        else:
            desk.tally.count("articles", "published")


def _was_live(article: Article) -> bool:
    newest = article.editions.order_by("-number").first()
    return newest is not None and newest.live is not None


def _published_at(record: records.Article, now: datetime) -> datetime | None:
    """Return the instant at which an article first went live elsewhere; None (now) where that has not come yet."""
    if record.published is None:
        return None
    instant = datetime.combine(record.published, HOUR)
    return instant if instant <= now else None

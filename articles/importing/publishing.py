"""Articles, brought in by the verbs that editors use: draft, submit, approve, publish."""

from collections.abc import Iterable
from dataclasses import astuple
from datetime import UTC, datetime, time

from django.core.exceptions import ValidationError

from articles.importing import records
from articles.importing.desk import Desk
from articles.importing.existing import subjects_at
from articles.importing.tally import refusals_of
from articles.models import Article, Author, Edition, Tag
from articles.services import (
    Change,
    NewArticle,
    change_articles,
    create_articles,
    publish_articles,
    review_articles,
    submit_articles,
)
from catalog.importing.checking import suggestion
from catalog.importing.problems import Notice, Refusal
from catalog.models import Rung, Section
from core.media.models import Image
from core.publishing.batches import accepted
from core.publishing.services import database_now
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
    new: list[tuple[records.Article, NewArticle]] = []
    changes: list[tuple[records.Article, Change]] = []
    for record in found:
        row = rows.get(record.slug)
        if row is not None and not desk.may_write(row, record.slug, record.place):
            continue
        values = {
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
        byline, labels = [authors[slug] for slug in record.authors], [tags[slug] for slug in record.tags]
        unknown = sorted(set(record.explains) - set(explainable_names()))
        for name in unknown:
            message = (
                f"The simulator has no {name}{suggestion(name, sorted(explainable_names()))}. Correct or delete it."
            )
            place = record.place
            desk.tally.refusals.append(Refusal(place.file, place.line, "explains", "unknown_name", message))
        if row is None:
            new.append((record, NewArticle(record.title, record.slug, byline, labels, values)))
        else:
            fields = {"title": record.title, **values}
            changes.append((record, Change(row, row.draft_version, fields, byline, labels)))
    _create(new, desk)
    _change(changes, desk)


def _create(new: list[tuple[records.Article, NewArticle]], desk: Desk) -> None:
    for (record, _), article in accepted(
        new,
        lambda some: create_articles([one for _, one in some], by=desk.writer),
        refused=lambda item, error: _refuse(item[0], error, desk),
    ):
        desk.articles[record.slug] = article
        desk.tally.count("articles", "created")


def _change(changes: list[tuple[records.Article, Change]], desk: Desk) -> None:
    for (record, change), article in accepted(
        changes,
        lambda some: change_articles([one for _, one in some], by=desk.writer),
        refused=lambda item, error: _refuse(item[0], error, desk),
    ):
        desk.articles[record.slug] = article
        is_unchanged = article.draft_version == change.based_on
        if is_unchanged:
            desk.unchanged.add(record.slug)
        desk.tally.count("articles", "unchanged" if is_unchanged else "changed")


def _refuse(record: records.Article, error: ValidationError, desk: Desk) -> None:
    desk.tally.refusals += refusals_of(error, record.place, body_line=record.body_line)


def publish_drafts(found: Iterable[records.Article], desk: Desk) -> None:
    """Submit, approve and publish what is not live yet; together, so that articles may link to each other."""
    submitted = accepted(
        [record for record in found if record.slug in desk.articles],
        # What it holds is, or was withdrawn by an editor: either way that content was decided on.
        lambda some: submit_articles([desk.articles[record.slug] for record in some], by=desk.writer, anew=False),
        refused=lambda record, error: _keep_or_refuse(record, error, desk),
    )
    if desk.tally.refusals:
        return  # Nothing will stay; the first mistakes say more than those that follow from them.
    now = database_now()
    reviewed = accepted(
        [(record, edition) for record, edition in submitted if edition.live is None],
        lambda some: review_articles([edition for _, edition in some], by=desk.approvers[0], verdict="approved"),
        refused=lambda item, error: _refuse(item[0], error, desk),
    )
    waiting = [(record, edition) for (record, _), edition in reviewed]
    together = [edition.article for _, edition in waiting]
    published = accepted(
        waiting,
        lambda some: publish_articles(
            [edition for _, edition in some],
            published_at=[_published_at(record, now) for record, _ in some],
            together=together,
        ),
        refused=lambda item, error: _refuse(item[0], error, desk),
    )
    if published:
        desk.tally.count("articles", "published", len(published))


def _keep_or_refuse(record: records.Article, error: ValidationError, desk: Desk) -> None:
    if record.slug in desk.unchanged and _was_live(desk.articles[record.slug]):
        # It was sound when it came in: an editor renamed what it names. What readers have still leads there.
        refusals = refusals_of(error, record.place, body_line=record.body_line)
        desk.tally.notices += [Notice(*astuple(each)) for each in refusals]
    else:
        _refuse(record, error, desk)


def _was_live(article: Article) -> bool:
    newest = article.editions.order_by("-number").first()
    return newest is not None and newest.live is not None


def _published_at(record: records.Article, now: datetime) -> datetime | None:
    """Return the instant at which an article first went live elsewhere; None (now) where that has not come yet."""
    if record.published is None:
        return None
    instant = datetime.combine(record.published, HOUR)
    return instant if instant <= now else None

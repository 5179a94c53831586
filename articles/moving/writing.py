"""A plan into the database, by the verbs that editors use: the one transaction of a run.

The verbs take a batch at a time, so statements grow with the batches and not with the items.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from articles.addresses import keep_old_addresses
from articles.importing.accounts import importer
from articles.models import Article, ImportedItem
from articles.moving import people
from articles.moving.desk import Desk
from articles.moving.items import Notice, Refused
from articles.moving.plans import Planned
from articles.moving.results import Progress, Result
from articles.services import (
    change_articles,
    create_articles,
    publish_articles,
    review_articles,
    submit_articles,
)
from core.publishing.batches import BatchRefused, accepted
from core.publishing.services import StaleDraft

BATCH = 100
"""Items a batch: enough to make statements few, and few enough to hold their documents in memory."""


@transaction.atomic
def write(
    result: Result,
    *,
    kind: str,
    site: str,
    came: Mapping[str, ImportedItem],
    editor: User | None,
    progress: Progress,
) -> None:
    """Write what `result` says is new or changed, and say in it what came of that. `came` is what came before.

    `editor` approves of what goes live. Raises Refused, by the name and place of the item.
    """
    writer, refusals = importer()
    if refusals:
        raise Refused(refusals[0].code, refusals[0].message)
    authors = people.make(result.bylines, kind=kind, site=site)
    items = [one for one in result.plan.items if result.actions[_key(one)] in ("created", "changed")]
    desk = Desk.of(items, writer=writer, authors=authors)
    new = [one for one in items if result.actions[_key(one)] == "created"]
    articles = _create(new, desk, progress)
    old = [one for one in items if result.actions[_key(one)] == "changed"]
    articles |= _change(old, desk, came, result, progress)
    live = [one for one in new if one.state == "published"]
    if live:
        assert editor is not None
        _publish(live, articles, desk, editor, progress)
        result.published |= {_key(one) for one in live}
    ImportedItem.objects.bulk_create(_row(one, articles[_key(one)], kind, site) for one in new)
    _say_kept(came, result)
    _keep_addresses(items, {key: row.article for key, row in came.items()} | articles, result)


def _key(one: Planned) -> str:
    return one.item.source_id


def _batches(items: Sequence[Planned], progress: Progress, what: str) -> Iterator[Sequence[Planned]]:
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        for one in batch:
            progress(what, one.item.label)
        yield batch


def _create(new: list[Planned], desk: Desk, progress: Progress) -> dict[str, Article]:
    articles: dict[str, Article] = {}
    for batch in _batches(new, progress, "Writing"):
        with _refusing(batch):
            made = create_articles([desk.new(one) for one in batch], by=desk.writer)
        articles |= {_key(one): article for one, article in zip(batch, made, strict=True)}
    return articles


def _change(
    old: list[Planned], desk: Desk, came: Mapping[str, ImportedItem], result: Result, progress: Progress
) -> dict[str, Article]:
    """Write into drafts what the source says now, and return these. What somebody writes in at this moment is kept."""

    def change(batch: Sequence[Planned]) -> list[Article]:
        changes = []
        for one in batch:
            row = came[_key(one)]
            assert row.article is not None
            changes.append(desk.change(row.article, one, based_on=row.draft_version))
        return change_articles(changes, by=desk.writer)

    def keep(one: Planned, error: ValidationError) -> None:
        if not isinstance(error, StaleDraft):
            raise _refusal(one, error)
        result.actions[_key(one)] = "kept"

    articles: dict[str, Article] = {}
    rows = []
    for batch in _batches(old, progress, "Writing"):
        for one, article in accepted(batch, change, refused=keep):
            row = came[_key(one)]
            row.sha256, row.draft_version = one.item.digest, article.draft_version
            row.publish_at = one.item.publish_at
            rows.append(row)
            articles[_key(one)] = article
    ImportedItem.objects.bulk_update(rows, ["sha256", "draft_version", "publish_at"], batch_size=BATCH)
    return articles


def _publish(live: list[Planned], articles: dict[str, Article], desk: Desk, editor: User, progress: Progress) -> None:
    """Submit, approve and publish; together, so that they may link to each other."""
    approved = []
    for batch in _batches(live, progress, "Freezing"):
        with _refusing(batch):
            editions = submit_articles([articles[_key(one)] for one in batch], by=desk.writer)
            approved.append(review_articles(editions, by=editor, verdict="approved"))
    together = {articles[_key(one)] for one in live}
    for batch, editions in zip(_batches(live, progress, "Publishing"), approved, strict=True):
        with _refusing(batch):
            publish_articles(editions, published_at=[one.item.published_at for one in batch], together=together)
    for batch in _batches([one for one in live if one.readers_get_less], progress, "Publishing"):
        changes = [desk.complete(articles[_key(one)], one) for one in batch]
        with _refusing(batch):
            changed = change_articles(changes, by=desk.writer)
        articles |= {_key(one): article for one, article in zip(batch, changed, strict=True)}


def _row(one: Planned, article: Article, kind: str, site: str) -> ImportedItem:
    return ImportedItem(
        source_kind=kind,
        site=site,
        source_id=_key(one),
        article=article,
        sha256=one.item.digest,
        draft_version=article.draft_version,
        publish_at=one.item.publish_at,
    )


def _say_kept(came: Mapping[str, ImportedItem], result: Result) -> None:
    """Say of what an editor changed here that it stays. Once: the next run finds nothing new at the source."""
    rows = []
    for one in result.plan.items:
        if result.actions[_key(one)] == "kept":
            result.notices[_key(one)].append(Notice("edited_here", one.item.place("item")))
            came[_key(one)].sha256 = one.item.digest
            rows.append(came[_key(one)])
    ImportedItem.objects.bulk_update(rows, ["sha256"], batch_size=BATCH)


def _keep_addresses(items: list[Planned], articles: Mapping[str, Article | None], result: Result) -> None:
    pairs = [
        (one, article, path) for one in items if (article := articles[_key(one)]) is not None for path in one.paths
    ]

    def note(pair: tuple[Planned, Article, str], error: ValidationError) -> None:
        one, _, path = pair
        result.notices[_key(one)].append(Notice(error.code or "address_taken", one.item.place("slug"), path))

    for start in range(0, len(pairs), BATCH):
        accepted(
            pairs[start : start + BATCH],
            lambda some: keep_old_addresses([(article, path) for _, article, path in some]),
            refused=note,
        )


@contextmanager
def _refusing(batch: Sequence[Planned]) -> Iterator[None]:
    """A service's refusal of one item refuses the run, by the name and place of the item."""
    try:
        yield
    except BatchRefused as refused:
        position, error = min(refused.errors.items(), key=lambda item: item[0])
        raise _refusal(batch[position], error) from error


def _refusal(one: Planned, error: ValidationError) -> Refused:
    message = f"{one.item.label} “{one.title}”: {' '.join(error.messages)}"
    return Refused(getattr(error, "code", None) or "invalid", message, line=one.item.place("item").line)

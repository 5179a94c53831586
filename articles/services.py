"""What an editor can ask for. Each verb is one function; the mechanism is that of core.publishing."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from articles.drafting import DRAFT_FIELDS as DRAFT_FIELDS
from articles.drafting import Change as Change
from articles.drafting import NewArticle as NewArticle
from articles.drafting import change_article as change_article
from articles.drafting import change_articles as change_articles
from articles.drafting import create_article as create_article
from articles.drafting import create_articles as create_articles
from articles.drafting import free_slug as free_slug
from articles.freezing import freeze, freeze_all
from articles.models import Article, Author, Edition, Tag
from core.publishing import services as publishing
from core.publishing.batches import Refusals, of_one
from core.publishing.models import Reference
from core.publishing.references import refuse_used

ARTICLE = publishing.Kind("article", Edition, "article", approvals=1, independent=False)


def submit_article(article: Article, *, by: User, based_on: int | None = None) -> Edition:
    """Freeze the draft as an edition in review, and return it.

    Raises StaleDraft where it is no longer of the version `based_on`, or ValidationError on title, slug or body.
    """
    return publishing.submit(ARTICLE, article, by=by, freeze=freeze, based_on=based_on)  # type: ignore[no-any-return]


def submit_articles(articles: Sequence[Article], *, by: User, anew: bool = True) -> list[Edition]:
    """Freeze drafts as editions in review, and return them; `anew` is that of core.publishing.services.submit_all.

    Raises BatchRefused, of what `submit_article` raises.
    """
    return publishing.submit_all(ARTICLE, articles, by=by, freeze=freeze_all, anew=anew)


def review_article(edition: Edition, *, by: User, verdict: str, note: str = "") -> Edition:
    """Approve of an edition (`approved`), or ask for changes (`changes_requested`, with a note), and return it."""
    return publishing.review(ARTICLE, edition, by=by, verdict=verdict, note=note)  # type: ignore[no-any-return]


def review_articles(editions: Sequence[Edition], *, by: User, verdict: str, note: str = "") -> list[Edition]:
    """Give one verdict on editions, and return them. Raises BatchRefused, of what `review_article` raises."""
    return publishing.review_all(ARTICLE, editions, by=by, verdict=verdict, note=note)


def publish_article(
    edition: Edition,
    *,
    at: datetime | None = None,
    published_at: datetime | None = None,
    together: Sequence[Article] = (),
    by: User | None = None,
) -> Edition:
    """Make `edition` what readers see from `at` (timezone-aware; None: now) on, and return it.

    `together` are articles that go live with it, so that they may link to each other; `published_at` is the original
    instant of an import; `by` is who asked, for the notices. Raises ValidationError
    `links_to_unpublished`, and those of core.publishing.services.publish_all.
    """
    with of_one():
        return publish_articles([edition], at=at, published_at=[published_at], together=together, by=by)[0]


@transaction.atomic
def publish_articles(
    editions: Sequence[Edition],
    *,
    at: datetime | None = None,
    published_at: Sequence[datetime | None],
    together: Collection[Article] = (),
    by: User | None = None,
) -> list[Edition]:
    """Make editions what readers see from `at` on, together, and return them; `published_at` has an instant for each.

    Raises BatchRefused, of what `publish_article` raises.
    """
    if not editions:
        return []
    # Kept and not locked: two that link to each other may be written in and published at once.
    publishing.keep(Article, {pk for ids in _linked(editions, together).values() for pk in ids})
    live: list[Edition] = publishing.publish_all(ARTICLE, editions, at=at, published_at=published_at, by=by)
    refuse_links_to_unpublished(live, at=live[0].live.lower, together=together)
    return live


def _linked(editions: Sequence[Edition], together: Collection[Article]) -> dict[UUID, set[UUID]]:
    """Return the articles that each of `editions` links to, by its id, but for theirs and those of `together`."""
    ids = [edition.pk for edition in editions]
    links = Reference.objects.filter(edition_id__in=ids, role="link", target_kind="article")
    here = {*(edition.article_id for edition in editions), *(article.pk for article in together)}
    linked: dict[UUID, set[UUID]] = {}
    for edition_id, target_id in links.values_list("edition_id", "target_id"):
        if edition_id is not None and target_id is not None and target_id not in here:
            linked.setdefault(edition_id, set()).add(target_id)
    return linked


def refuse_links_to_unpublished(
    editions: Sequence[Edition], *, at: datetime, together: Collection[Article] = ()
) -> None:
    """Refuse, by name, what links to an article that readers would not find at `at`; raises BatchRefused.

    What it says holds for as long as the articles are kept (`core.publishing.services.keep`).
    """
    linked = _linked(editions, together)
    ids = {pk for targets in linked.values() for pk in targets}
    if not ids:
        return
    live = set(Edition.objects.visible(at).filter(article__in=ids).values_list("article_id", flat=True))
    missing = Article.objects.filter(pk__in=ids - live)
    refusals = Refusals()
    for position, edition in enumerate(editions):
        named = [article for article in missing if article.pk in linked.get(edition.pk, ())]
        if named:
            names = ", ".join(f"“{article}” ({article.slug})" for article in named)
            text = f"It links to what readers will not find then: {names}."
            refusals.errors[position] = ValidationError(text, code="links_to_unpublished")
    refusals.stop()


def cancel_article(edition: Edition, *, by: User | None = None) -> Edition:
    """Cancel a scheduled publication; what readers see now goes on."""
    return publishing.cancel(ARTICLE, edition, by=by)  # type: ignore[no-any-return]


def withdraw_article(article: Article, *, reason: str, at: datetime | None = None, by: User | None = None) -> Edition:
    """Hide the article from readers from `at` (None: now) on, and return the edition that they no longer see."""
    return publishing.withdraw(ARTICLE, article, reason=reason, at=at, by=by)  # type: ignore[no-any-return]


@transaction.atomic
def restore_article(edition: Edition, *, based_on: int, by: User) -> Article:
    """Copy an edition into the draft, and return it. It publishes nothing; the slug of the draft stays.

    What an edition names and what is gone since (a tag, an author) is left out.
    """
    content = edition.content
    authors = Author.objects.in_bulk(content["author_ids"])
    return change_article(
        edition.article,
        based_on=based_on,
        by=by,
        fields={
            "title": content["title"],
            "dek": content["dek"],
            "body": content["body"],
            "section": edition.section,
            "rung": edition.rung,
            "image": edition.image,
            "explains": content["explains"],
            "corrections": content["corrections"],
        },
        authors=[
            author for pk, author in sorted(authors.items(), key=lambda item: content["author_ids"].index(str(item[0])))
        ],
        tags=list(Tag.objects.filter(pk__in=content["tag_ids"])),
    )


@transaction.atomic
def duplicate_article(article: Article, *, by: User) -> Article:
    """Begin another article with the same draft under a new address, and return it. It has never been published."""
    return create_article(
        by=by,
        title=article.title,
        slug=free_slug(article.slug),
        authors=[row.author for row in article.authorships.select_related("author").order_by("position", "id")],
        tags=list(article.tags.all()),
        **{name: getattr(article, name) for name in DRAFT_FIELDS if name not in ("title", "slug")},
    )


@transaction.atomic
def delete_article(article: Article) -> None:
    """Delete an article that readers never saw. Raises ValidationError `was_published`, `is_used`."""
    article = publishing.lock(article)
    if article.editions.exclude(live=None).exists():
        raise ValidationError("Readers have seen it or are about to; withdraw it instead.", code="was_published")
    refuse_used([article.pk])
    Reference.objects.filter(holder_kind="article", holder_id=article.pk).delete()
    article.editions.all().delete()
    article.delete()

"""What an editor can ask for. Each verb is one function; the mechanism is that of core.publishing."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify

from articles.freezing import freeze, keep_draft_references
from articles.models import Article, Author, DraftAuthor, Edition, Tag
from core.publishing import services as publishing
from core.publishing.models import Reference
from core.publishing.references import refuse_used

ARTICLE = publishing.Kind("article", Edition, "article", approvals=1, independent=False)

DRAFT_FIELDS = ("title", "slug", "dek", "body", "section", "rung", "image", "explains", "corrections", "note")


@transaction.atomic
def create_article(
    *,
    by: User,
    title: str,
    slug: str = "",
    authors: Sequence[Author] = (),
    tags: Sequence[Tag] = (),
    **fields: Any,
) -> Article:
    """Begin an article with its draft, and return it. Without a slug one is made of the title.

    `authors` are in the order of the byline. Raises ValidationError: `unique` on `slug` when the address that was asked
    for is taken.
    """
    article = Article(title=title, slug=slug or free_slug(title), draft_writer_ids=[by.pk], **fields)
    article.full_clean()
    article.save(force_insert=True)
    DraftAuthor.objects.bulk_create(
        DraftAuthor(article=article, author=author, position=n) for n, author in enumerate(authors)
    )
    if tags:
        article.tags.add(*tags)
    keep_draft_references(article)
    return article


def free_slug(title: str) -> str:
    """Return an address for `title` that no article has. A title without Latin letters and digits gives article-2, …"""
    base = slugify(title)[:100].strip("-_") or "article"
    taken = set(Article.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slug, n = base, 2
    while slug in taken:
        slug, n = f"{base}-{n}", n + 1
    return slug


@transaction.atomic
def change_article(
    article: Article,
    *,
    based_on: int,
    by: User,
    fields: Mapping[str, Any] = {},
    authors: Sequence[Author] | None = None,
    tags: Sequence[Tag] | None = None,
) -> Article:
    """Write into the draft, if nobody else has since version `based_on`, and return it. Readers see nothing of it.

    `authors` are in the order of the byline; None leaves them. Raises StaleDraft, or ValidationError of the fields.
    """
    unknown = set(fields) - set(DRAFT_FIELDS)
    if unknown:
        raise ValueError(f"An article has no {', '.join(sorted(unknown))}.")
    related = {}
    if authors is not None:
        related["authors"] = lambda draft: _set_authors(draft, authors)
    if tags is not None:
        related["tags"] = lambda draft: _set_tags(draft, tags)
    draft: Article = publishing.change_draft(article, based_on=based_on, by=by, fields=fields, related=related)
    if draft.draft_version != based_on:
        keep_draft_references(draft)
    return draft


def _set_authors(draft: Article, authors: Sequence[Author]) -> bool:
    wanted = [author.pk for author in authors]
    if list(draft.authorships.order_by("position", "id").values_list("author_id", flat=True)) == wanted:
        return False
    draft.authorships.all().delete()
    DraftAuthor.objects.bulk_create(DraftAuthor(article=draft, author_id=pk, position=n) for n, pk in enumerate(wanted))
    return True


def _set_tags(draft: Article, tags: Sequence[Tag]) -> bool:
    if set(draft.tags.values_list("pk", flat=True)) == {tag.pk for tag in tags}:
        return False
    draft.tags.set(tags)
    return True


def submit_article(article: Article, *, by: User, based_on: int | None = None) -> Edition:
    """Freeze the draft as an edition in review, and return it.

    Raises StaleDraft where it is no longer of the version `based_on`, or ValidationError on title, slug or body.
    """
    return publishing.submit(ARTICLE, article, by=by, freeze=freeze, based_on=based_on)  # type: ignore[no-any-return]


def review_article(edition: Edition, *, by: User, verdict: str, note: str = "") -> Edition:
    """Approve of an edition (`approved`), or ask for changes (`changes_requested`, with a note), and return it."""
    return publishing.review(ARTICLE, edition, by=by, verdict=verdict, note=note)  # type: ignore[no-any-return]


@transaction.atomic
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
    `links_to_unpublished`, and those of core.publishing.services.publish.
    """
    lock_linked([edition], together=together)
    live: Edition = publishing.publish(ARTICLE, edition, at=at, published_at=published_at, by=by)
    refuse_links_to_unpublished(live, at=live.live.lower, together=together)
    return live


def lock_linked(editions: Sequence[Edition], *, together: Sequence[Article] = ()) -> None:
    """Lock the articles of `editions` and what these link to, so that nothing is withdrawn until the transaction ends.

    In one order for everybody, so that nobody waits in a circle: who publishes several calls it once, with them all.
    """
    ids = {edition.article_id for edition in editions} | _linked(editions, together)
    list(Article.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk"))


def _linked(editions: Sequence[Edition], together: Sequence[Article]) -> set[UUID]:
    """Return the articles that any of `editions` links to, but for itself and those of `together`."""
    ids = [edition.pk for edition in editions]
    links = Reference.objects.filter(edition_id__in=ids, role="link", target_kind="article")
    pairs = links.values_list("holder_id", "target_id")
    named = {target for holder, target in pairs if target is not None and target != holder}
    return named - {article.pk for article in together}


def refuse_links_to_unpublished(edition: Edition, *, at: datetime, together: Sequence[Article] = ()) -> None:
    """Raise ValidationError, by name, while `edition` links to an article that readers would not find at `at`.

    What it says holds for as long as the articles are locked (`lock_linked`).
    """
    ids = _linked([edition], together)
    live = Edition.objects.visible(at).filter(article__in=ids).values_list("article_id", flat=True)
    missing = Article.objects.filter(pk__in=ids - set(live))
    if missing:
        names = ", ".join(f"“{article}” ({article.slug})" for article in missing)
        raise ValidationError(f"It links to what readers will not find then: {names}.", code="links_to_unpublished")


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
    copy = create_article(
        by=by,
        title=article.title,
        slug=free_slug(article.slug),
        **{name: getattr(article, name) for name in DRAFT_FIELDS if name not in ("title", "slug")},
    )
    _set_authors(copy, [row.author for row in article.authorships.select_related("author").order_by("position", "id")])
    _set_tags(copy, list(article.tags.all()))
    keep_draft_references(copy)
    return copy


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

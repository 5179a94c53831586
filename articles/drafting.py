"""How a draft of an article begins and changes, one or many at a time. Readers see nothing of it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from articles.freezing import authors_of, keep_draft_references, tags_of
from articles.models import Article, Author, DraftAuthor, Tag
from core.publishing import drafts
from core.publishing.batches import insert_all, of_one

DRAFT_FIELDS = ("title", "slug", "dek", "body", "section", "rung", "image", "explains", "corrections", "note")


@dataclass(frozen=True)
class NewArticle:
    """What an article begins with. Without a slug one is made of the title; `authors` stand in the byline's order."""

    title: str
    slug: str = ""
    authors: Sequence[Author] = ()
    tags: Sequence[Tag] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The rest of `DRAFT_FIELDS`."""


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
    with of_one():
        return create_articles([NewArticle(title, slug, authors, tags, fields)], by=by)[0]


@transaction.atomic
def create_articles(new: Sequence[NewArticle], *, by: User) -> list[Article]:
    """Begin articles with their drafts, and return them. Raises BatchRefused, of what `create_article` raises."""
    taken: set[str] = {one.slug for one in new if one.slug}
    articles = []
    for one in new:
        slug = one.slug or free_slug(one.title, taken)
        taken.add(slug)
        articles.append(Article(title=one.title, slug=slug, draft_writer_ids=[by.pk], **one.fields))
    insert_all(articles)
    _write_authors({article.pk: one.authors for article, one in zip(articles, new, strict=True)})
    _write_tags({article.pk: one.tags for article, one in zip(articles, new, strict=True)})
    keep_draft_references(articles)
    return articles


def _write_authors(wanted: Mapping[UUID, Sequence[Author]]) -> None:
    DraftAuthor.objects.bulk_create(
        DraftAuthor(article_id=pk, author=author, position=n)
        for pk, authors in wanted.items()
        for n, author in enumerate(authors)
    )


def _write_tags(wanted: Mapping[UUID, Iterable[Tag]]) -> None:
    through = Article.tags.through
    through.objects.bulk_create(
        through(article_id=pk, tag_id=tag_id) for pk, tags in wanted.items() for tag_id in {tag.pk for tag in tags}
    )


def free_slug(title: str, reserved: Collection[str] = ()) -> str:
    """Return an address for `title` that no article has, and that is not among `reserved`.

    A title without Latin letters and digits gives article-2, …
    """
    base = slugify(title)[:100].strip("-_") or "article"
    taken = {*Article.objects.filter(slug__startswith=base).values_list("slug", flat=True), *reserved}
    slug, n = base, 2
    while slug in taken:
        slug, n = f"{base}-{n}", n + 1
    return slug


@dataclass(frozen=True)
class Change:
    """What is written into a draft, if nobody else has since version `based_on`. None leaves authors or tags."""

    article: Article
    based_on: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    authors: Sequence[Author] | None = None
    tags: Sequence[Tag] | None = None


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
    with of_one():
        return change_articles([Change(article, based_on, fields, authors, tags)], by=by)[0]


@transaction.atomic
def change_articles(changes: Sequence[Change], *, by: User) -> list[Article]:
    """Write into drafts, and return them. Raises BatchRefused, of what `change_article` raises."""
    unknown = {name for change in changes for name in change.fields} - set(DRAFT_FIELDS)
    if unknown:
        raise ValueError(f"An article has no {', '.join(sorted(unknown))}.")
    changed: list[Article] = drafts.change_all(
        [change.article for change in changes],
        based_on=[change.based_on for change in changes],
        by=by,
        fields=[change.fields for change in changes],
        related=[
            lambda rows: _set_authors(rows, [change.authors for change in changes]),
            lambda rows: _set_tags(rows, [change.tags for change in changes]),
        ],
    )
    pairs = zip(changed, changes, strict=True)
    keep_draft_references([draft for draft, change in pairs if draft.draft_version != change.based_on])
    return changed


def _set_authors(rows: Sequence[Article], wanted: Sequence[Sequence[Author] | None]) -> list[int]:
    asked = [draft for draft, authors in zip(rows, wanted, strict=True) if authors is not None]
    held = authors_of(asked) if asked else {}
    moved = {
        position: (draft.pk, authors)
        for position, (draft, authors) in enumerate(zip(rows, wanted, strict=True))
        if authors is not None and held.get(draft.pk, []) != [author.pk for author in authors]
    }
    if moved:
        DraftAuthor.objects.filter(article__in=[pk for pk, _ in moved.values()]).delete()
        _write_authors(dict(moved.values()))
    return list(moved)


def _set_tags(rows: Sequence[Article], wanted: Sequence[Sequence[Tag] | None]) -> list[int]:
    asked = [draft for draft, tags in zip(rows, wanted, strict=True) if tags is not None]
    held = tags_of(asked) if asked else {}
    moved = {
        position: (draft.pk, tags)
        for position, (draft, tags) in enumerate(zip(rows, wanted, strict=True))
        if tags is not None and set(held.get(draft.pk, [])) != {tag.pk for tag in tags}
    }
    if moved:
        Article.tags.through.objects.filter(article__in=[pk for pk, _ in moved.values()]).delete()
        _write_tags(dict(moved.values()))
    return list(moved)

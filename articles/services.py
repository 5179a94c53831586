"""What an editor can ask for. Each verb is one function; the mechanism is that of core.publishing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify

from articles.freezing import authors_of, freeze, freeze_all, keep_draft_references, tags_of
from articles.models import Article, Author, DraftAuthor, Edition, Tag
from core.publishing import services as publishing
from core.publishing.batches import Refusals, insert_all, of_one
from core.publishing.models import Reference
from core.publishing.references import refuse_used

ARTICLE = publishing.Kind("article", Edition, "article", approvals=1, independent=False)

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
    drafts: list[Article] = publishing.change_all(
        [change.article for change in changes],
        based_on=[change.based_on for change in changes],
        by=by,
        fields=[change.fields for change in changes],
        related=[
            lambda drafts: _set_authors(drafts, [change.authors for change in changes]),
            lambda drafts: _set_tags(drafts, [change.tags for change in changes]),
        ],
    )
    pairs = zip(drafts, changes, strict=True)
    keep_draft_references([draft for draft, change in pairs if draft.draft_version != change.based_on])
    return drafts


def _set_authors(drafts: Sequence[Article], wanted: Sequence[Sequence[Author] | None]) -> list[int]:
    asked = [draft for draft, authors in zip(drafts, wanted, strict=True) if authors is not None]
    held = authors_of(asked) if asked else {}
    moved = {
        position: (draft.pk, authors)
        for position, (draft, authors) in enumerate(zip(drafts, wanted, strict=True))
        if authors is not None and held.get(draft.pk, []) != [author.pk for author in authors]
    }
    if moved:
        DraftAuthor.objects.filter(article__in=[pk for pk, _ in moved.values()]).delete()
        _write_authors(dict(moved.values()))
    return list(moved)


def _set_tags(drafts: Sequence[Article], wanted: Sequence[Sequence[Tag] | None]) -> list[int]:
    asked = [draft for draft, tags in zip(drafts, wanted, strict=True) if tags is not None]
    held = tags_of(asked) if asked else {}
    moved = {
        position: (draft.pk, tags)
        for position, (draft, tags) in enumerate(zip(drafts, wanted, strict=True))
        if tags is not None and set(held.get(draft.pk, [])) != {tag.pk for tag in tags}
    }
    if moved:
        Article.tags.through.objects.filter(article__in=[pk for pk, _ in moved.values()]).delete()
        _write_tags(dict(moved.values()))
    return list(moved)


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
    lock_linked(editions, together=together)
    live: list[Edition] = publishing.publish_all(ARTICLE, editions, at=at, published_at=published_at, by=by)
    refuse_links_to_unpublished(live, at=live[0].live.lower, together=together)
    return live


def lock_linked(editions: Sequence[Edition], *, together: Collection[Article] = ()) -> None:
    """Lock the articles of `editions` and what these link to, so that nothing is withdrawn until the transaction ends.

    In one order for everybody, so that nobody waits in a circle: who publishes in batches calls it once, with them all.
    """
    linked = {pk for ids in _linked(editions, together).values() for pk in ids}
    ids = {edition.article_id for edition in editions} | linked
    list(Article.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk"))


def _linked(editions: Sequence[Edition], together: Collection[Article]) -> dict[UUID, set[UUID]]:
    """Return the articles that each of `editions` links to, by its id, but for theirs and those of `together`."""
    ids = [edition.pk for edition in editions]
    links = Reference.objects.filter(edition_id__in=ids, role="link", target_kind="article", target_id__isnull=False)
    here = {*(edition.article_id for edition in editions), *(article.pk for article in together)}
    linked: dict[UUID, set[UUID]] = {}
    for edition_id, target_id in links.values_list("edition_id", "target_id"):
        if target_id not in here:
            linked.setdefault(edition_id, set()).add(target_id)
    return linked


def refuse_links_to_unpublished(
    editions: Sequence[Edition], *, at: datetime, together: Collection[Article] = ()
) -> None:
    """Refuse, by name, what links to an article that readers would not find at `at`; raises BatchRefused.

    What it says holds for as long as the articles are locked (`lock_linked`).
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

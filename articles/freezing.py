"""How a draft of an article becomes the document of an edition."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models

from articles.markup import Document, read, wanted
from articles.models import Article, Authorship, BoundQuantity, Citation, DraftAuthor, Edition, Tagging
from articles.records import Found, find_all_records, find_records
from core.publishing.batches import Refusals, of_one
from core.publishing.models import Reference
from core.publishing.services import Frozen


def read_body(source: str) -> tuple[Document, Found]:
    """Parse a body against the records that exist now."""
    reading = read(source)
    found = find_records(reading.wanted())
    return reading.document(found.known), found


@dataclass(frozen=True, slots=True)
class Mistake:
    """What stands in the way of submitting a draft. Line and column count from 1 in the body, and are 0 elsewhere."""

    field: str
    code: str
    message: str
    line: int = 0
    column: int = 0


def mistakes_of(draft: Article, document: Document) -> list[Mistake]:
    """Return what stands in the way of submitting: on title, slug, body (by line and column) or lead image."""
    missing = [
        Mistake(name, "required", f"An article needs a {name}.")
        for name in ("title", "slug", "body")
        if not getattr(draft, name).strip()
    ]
    if draft.image is not None and not draft.image.alt.strip():
        message = f"“{draft.image.name}” has no alternative text. Say on its page in a few words what to see."
        missing.append(Mistake("image", "missing_alt", message))
    return missing + [Mistake("body", one.code, one.message, one.line, one.column) for one in document.errors]


def check_draft(draft: Article, document: Document) -> None:
    """Raise ValidationError for what stands in the way of submitting, by field; on the body with line and column."""
    problems: dict[str, list[ValidationError]] = {}
    for one in mistakes_of(draft, document):
        place = {"line": one.line, "column": one.column} if one.line else None
        text = f"Line {one.line}, column {one.column}: {one.message}" if one.line else one.message
        problems.setdefault(one.field, []).append(ValidationError(text, code=one.code, params=place))
    if problems:
        raise ValidationError(problems)


def freeze(draft: Article) -> Frozen:
    """Return the edition that `draft` would be now. Raises ValidationError of `check_draft`."""
    with of_one():
        return freeze_all([draft])[0]


def freeze_all(drafts: Sequence[Article]) -> list[Frozen]:
    """Return the editions that drafts would be now. Raises BatchRefused of `check_draft`."""
    refusals = Refusals()
    frozen = []
    readings = [read(draft.body) for draft in drafts]
    records = find_all_records([reading.wanted() for reading in readings])
    authors = authors_of(drafts)
    tags = tags_of(drafts)
    models.prefetch_related_objects(drafts, "image")
    for position, (draft, reading, found) in enumerate(zip(drafts, readings, records, strict=True)):
        with refusals.of(position):
            document = reading.document(found.known)
            check_draft(draft, document)
            frozen.append(_frozen(draft, document, found, authors.get(draft.pk, []), tags.get(draft.pk, [])))
    refusals.stop()
    return frozen


def authors_of(drafts: Iterable[Article]) -> dict[UUID, list[UUID]]:
    """Return the ids of the authors of drafts, in the order of the byline."""
    rows = DraftAuthor.objects.filter(article__in=[draft.pk for draft in drafts]).order_by("position", "id")
    found: dict[UUID, list[UUID]] = {}
    for article_id, author_id in rows.values_list("article_id", "author_id"):
        found.setdefault(article_id, []).append(author_id)
    return found


def tags_of(drafts: Iterable[Article]) -> dict[UUID, list[UUID]]:
    """Return the ids of the tags of drafts, in the order of their slugs."""
    rows = Article.tags.through.objects.filter(article__in=[draft.pk for draft in drafts]).order_by("tag__slug")
    found: dict[UUID, list[UUID]] = {}
    for article_id, tag_id in rows.values_list("article_id", "tag_id"):
        found.setdefault(article_id, []).append(tag_id)
    return found


def _frozen(draft: Article, document: Document, found: Found, author_ids: list[UUID], tag_ids: list[UUID]) -> Frozen:
    content: dict[str, Any] = {
        "title": draft.title.strip(),
        "slug": draft.slug,
        "dek": draft.dek.strip(),
        "body": draft.body,
        **document.to_json(),
        "quantities": [found.quantities[key].frozen() for key in found.quantities],
        "reading_minutes": document.reading_minutes,
        "section_id": str(draft.section_id) if draft.section_id else None,
        "rung_id": str(draft.rung_id) if draft.rung_id else None,
        "image_id": str(draft.image_id) if draft.image_id else None,
        "author_ids": [str(pk) for pk in author_ids],
        "tag_ids": [str(pk) for pk in tag_ids],
        "explains": list(draft.explains),
        "corrections": list(draft.corrections),
    }
    columns = {
        "title": content["title"],
        "dek": content["dek"],
        "plain_text": document.text,
        "word_count": document.word_count,
        "section_id": draft.section_id,
        "rung_id": draft.rung_id,
        "image_id": draft.image_id,
    }

    def rows(edition: Edition) -> Iterator[models.Model]:
        for n, pk in enumerate(author_ids):
            yield Authorship(edition=edition, author_id=pk, position=n)
        for pk in tag_ids:
            yield Tagging(edition=edition, tag_id=pk)
        for n, slug in enumerate(document.citations, start=1):
            yield Citation(edition=edition, source_id=found.ids["source", slug], number=n)
        for n, quantity in enumerate(found.quantities.values()):
            yield BoundQuantity(edition=edition, number=n, **quantity.columns())

    return Frozen(content, columns, _references(draft, found, author_ids), rows)


def keep_draft_references(drafts: Sequence[Article]) -> None:
    """Write what drafts name into the table of references, so that what they need is not deleted under them.

    A draft that names what it named before costs no write.
    """
    records = find_all_records([wanted(draft.body) for draft in drafts])
    authors = authors_of(drafts)
    of_drafts = Reference.objects.filter(holder_kind="article", edition_id=None)
    held: dict[UUID, set[tuple[Any, ...]]] = {draft.pk: set() for draft in drafts}
    names = ("role", "target_kind", "target_id", "target_key")
    for holder_id, *named in of_drafts.filter(holder_id__in=held).values_list("holder_id", *names):
        held[holder_id].add(tuple(named))
    moved: dict[UUID, list[Reference]] = {}
    for draft, found in zip(drafts, records, strict=True):
        references = _references(draft, found, authors.get(draft.pk, []))
        if held[draft.pk] != {tuple(getattr(one, name) for name in names) for one in references}:
            moved[draft.pk] = references
    gone = [pk for pk in moved if held[pk]]
    if gone:
        of_drafts.filter(holder_id__in=gone).delete()
    for pk, references in moved.items():
        for reference in references:
            reference.holder_kind, reference.holder_id = "article", pk
    Reference.objects.bulk_create(one for references in moved.values() for one in references)


def _references(draft: Article, found: Found, author_ids: list[Any]) -> list[Reference]:
    roles = {"article": "link", "source": "citation", "image": "figure"}
    references = [
        Reference(role=roles.get(kind, "mention"), target_kind=kind, target_id=pk, target_key=key)
        for (kind, key), pk in found.ids.items()
    ]
    for key, quantity in found.quantities.items():
        references.append(
            Reference(role="quantity", target_kind=quantity.target_kind, target_id=quantity.target_id, target_key=key)
        )
    references += [Reference(role="byline", target_kind="author", target_id=pk) for pk in author_ids]
    if draft.image_id:
        references.append(Reference(role="image", target_kind="image", target_id=draft.image_id))
    references += [Reference(role="explains", target_kind="simulator", target_key=name) for name in draft.explains]
    return references

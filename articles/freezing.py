"""How a draft of an article becomes the document of an edition."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError

from articles.markup import Document, parse, wanted
from articles.models import Article, Authorship, BoundQuantity, Citation, Edition, Tagging
from articles.records import Found, find_records
from core.publishing.models import Reference
from core.publishing.services import Frozen


def read_body(source: str) -> tuple[Document, Found]:
    """Parse a body against the records that exist now."""
    found = find_records(wanted(source))
    return parse(source, found.known), found


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
    document, found = read_body(draft.body)
    check_draft(draft, document)
    author_ids = list(draft.authorships.order_by("position", "id").values_list("author_id", flat=True))
    tag_ids = list(draft.tags.order_by("slug").values_list("pk", flat=True))
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

    def link(edition: Edition) -> None:
        Authorship.objects.bulk_create(
            Authorship(edition=edition, author_id=pk, position=n) for n, pk in enumerate(author_ids)
        )
        Tagging.objects.bulk_create(Tagging(edition=edition, tag_id=pk) for pk in tag_ids)
        Citation.objects.bulk_create(
            Citation(edition=edition, source_id=found.ids["source", slug], number=n)
            for n, slug in enumerate(document.citations, start=1)
        )
        BoundQuantity.objects.bulk_create(
            BoundQuantity(edition=edition, number=n, **quantity.columns())
            for n, quantity in enumerate(found.quantities.values())
        )

    return Frozen(content, columns, _references(draft, found, author_ids), link)


def keep_draft_references(draft: Article) -> None:
    """Write what the draft names into the table of references, so that what it needs is not deleted under it.

    A draft that names what it named before costs no write.
    """
    found = find_records(wanted(draft.body))
    author_ids = list(draft.authorships.order_by("position", "id").values_list("author_id", flat=True))
    references = _references(draft, found, author_ids)
    held = Reference.objects.filter(holder_kind="article", holder_id=draft.pk, edition_id=None)
    is_said = {(one.role, one.target_kind, one.target_id, one.target_key) for one in references}
    if set(held.values_list("role", "target_kind", "target_id", "target_key")) == is_said:
        return
    held.delete()
    for reference in references:
        reference.holder_kind, reference.holder_id = "article", draft.pk
    Reference.objects.bulk_create(references)


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

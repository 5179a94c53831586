"""What has no reviews and no editions, brought into the database. A row that is right already is not written."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.db import models

from articles.importing import records
from articles.importing.existing import subjects_at
from articles.importing.tally import Tally, refusals_of
from articles.models import Author, Tag
from catalog.models import Device, Installation, Rung, Section
from core.api.ids import uuid7
from core.facts.models import Claim, Fact, Source
from core.facts.services import choose_claim, settle_choices
from core.media.models import Image
from core.media.services import file_values, remove_later
from core.media.uploads import read_picture, refuse_ending
from sponsors.models import VendorEdition


def store_sections(found: Iterable[records.Section], tally: Tally) -> None:
    rows = {row.slug: row for row in Section.objects.all()}
    after = max((row.position for row in rows.values()), default=0)
    for record in found:
        values: dict[str, Any] = {"name": record.name, "description": record.description}
        if record.slug not in rows:
            after += 1
            values["position"] = after
        store(Section, rows.get(record.slug), {"slug": record.slug}, values, record.place, "sections", tally)


def store_rungs(found: Iterable[records.Rung], tally: Tally) -> None:
    rows = {row.slug: row for row in Rung.objects.all()}
    after = max((row.position for row in rows.values()), default=0)
    for record in found:
        values: dict[str, Any] = {
            "name": record.name,
            "description": record.description,
            "min_w": record.min_w,
            "max_w": record.max_w,
        }
        if record.slug not in rows:
            after += 1
            values["position"] = after
        store(Rung, rows.get(record.slug), {"slug": record.slug}, values, record.place, "rungs", tally)


def store_sources(found: Iterable[records.Source], tally: Tally) -> None:
    found = list(found)
    rows = {row.slug: row for row in Source.objects.filter(slug__in=[record.slug for record in found])}
    for record in found:
        values = {
            "title": record.title,
            "publisher": record.publisher,
            "dated": record.dated,
            "address": record.address,
            "licence": record.licence,
        }
        store(Source, rows.get(record.slug), {"slug": record.slug}, values, record.place, "sources", tally)


def store_authors(found: Iterable[records.Author], tally: Tally) -> None:
    found = list(found)
    rows = {row.slug: row for row in Author.objects.filter(slug__in=[record.slug for record in found])}
    for record in found:
        values = {"name": record.name, "bio": record.bio, "homepage": record.homepage}
        store(Author, rows.get(record.slug), {"slug": record.slug}, values, record.place, "authors", tally)


def store_tags(found: Iterable[records.Article], tally: Tally) -> None:
    """Make the tags that articles name and that are missing; one that is there keeps its name."""
    slugs = {slug: article.place for article in found for slug in article.tags}
    known = set(Tag.objects.filter(slug__in=slugs).values_list("slug", flat=True))
    for slug in sorted(slugs):
        if slug in known:
            tally.count("tags", "unchanged")
        else:
            name = slug.replace("-", " ").capitalize()
            store(Tag, None, {"slug": slug}, {"name": name}, slugs[slug], "tags", tally)


def store_installations(found: Iterable[records.Installation], tally: Tally) -> None:
    found = list(found)
    rows = {row.slug: row for row in Installation.objects.filter(slug__in=[record.slug for record in found])}
    rungs = {row.slug: row for row in Rung.objects.all()}
    for record in found:
        values = {
            "name": record.name,
            "operator": record.operator,
            "country": record.country,
            "place": record.place_name,
            "status": record.status,
            "rung": rungs.get(record.rung),
            "description": record.description,
        }
        store(Installation, rows.get(record.slug), {"slug": record.slug}, values, record.place, "installations", tally)


def store_facts(found: Iterable[records.Fact], tally: Tally) -> None:
    """Bring in facts with their claims. Claims that others made stay, and so does what an editor chose here."""
    found = list(found)
    subjects = _subjects(found)
    sources = {row.slug: row for row in Source.objects.filter(slug__in={c.source for f in found for c in f.claims})}
    rows = {row.slug: row for row in Fact.objects.filter(slug__in=[record.slug for record in found])}
    claims: dict[Any, list[Claim]] = {}
    for claim in Claim.objects.filter(fact__in=rows.values()):
        claims.setdefault(claim.fact_id, []).append(claim)
    touched: list[Fact] = []
    wanted: list[tuple[records.Fact, Fact, Claim]] = []
    for record in found:
        kind, pk = subjects.get(record.slug, ("", None))
        values = {"label": record.label, "subject_kind": kind, "subject_id": pk, "field": record.field}
        fact = store(Fact, rows.get(record.slug), {"slug": record.slug}, values, record.place, "facts", tally)
        if fact is None:
            continue
        chosen, is_touched = _store_claims(fact, record, claims.get(fact.pk, []), sources, tally)
        if is_touched:
            touched.append(fact)
        if chosen is not None:
            wanted.append((record, fact, chosen))
    if touched:
        settle_choices(touched)
    for record, fact, chosen in wanted:
        fact.refresh_from_db()
        if fact.chosen_id == chosen.pk:
            continue
        if fact.is_chosen_by_hand:
            place = record.place
            tally.notice(
                place, "claims", "chosen_by_editor", f"{record.slug}: an editor chose another claim; it stays."
            )
        else:
            choose_claim(fact, chosen)
            tally.count("choices", "changed")


def _subjects(found: Iterable[records.Fact]) -> dict[str, tuple[str, Any]]:
    """Return kind and id of the subject of each fact, by the slug of the fact."""
    by_kind: dict[str, type[models.Model]] = {
        "device": Device,
        "installation": Installation,
        "section": Section,
    }
    ids = {
        kind: dict(
            model._default_manager.filter(
                slug__in=[f.subject[1] for f in found if f.subject and f.subject[0] == kind]
            ).values_list("slug", "pk")
        )
        for kind, model in by_kind.items()
    }
    vendors = subjects_at(VendorEdition, [f.subject[1] for f in found if f.subject and f.subject[0] == "vendor"])
    ids["vendor"] = {slug: row.pk for slug, row in vendors.items()}
    return {
        record.slug: (record.subject[0], ids[record.subject[0]][record.subject[1]])
        for record in found
        if record.subject and record.subject[1] in ids.get(record.subject[0], {})
    }


def _store_claims(
    fact: Fact, record: records.Fact, stored: list[Claim], sources: Mapping[str, Source], tally: Tally
) -> tuple[Claim | None, bool]:
    """Write the claims of one fact; return the one that the file chooses, and whether any was written."""
    by_key = {(claim.source_id, claim.claim_kind, claim.value, claim.unit): claim for claim in stored}
    chosen, is_touched = None, False
    for claim in record.claims:
        source = sources[claim.source]
        key = (source.pk, claim.claim_kind, claim.value, claim.unit)
        values = {"dated": claim.dated, "confidence": claim.confidence, "note": claim.note}
        of = {
            "fact": fact,
            "source": source,
            "claim_kind": claim.claim_kind,
            "value": claim.value,
            "unit": claim.unit,
        }
        before = tally.written
        row = store(Claim, by_key.get(key), of, values, record.place, "claims", tally)
        is_touched |= tally.written > before
        if claim.is_chosen:
            chosen = row
    return chosen, is_touched


def store_pictures(found: Iterable[records.Picture], tally: Tally) -> None:
    """Bring in pictures. A file that is written is told to `tally`, which removes it if the run fails."""
    found = list(found)
    rows = {row.name: row for row in Image.objects.filter(name__in=[record.name for record in found])}
    for record in found:
        row = rows.get(record.name)
        try:
            with record.file.open("rb") as file:
                picture = read_picture(file)
            refuse_ending(record.name, picture)
        except ValidationError as error:
            tally.refusals += refusals_of(ValidationError({"name": error}), record.place)
            continue
        values: dict[str, Any] = {"alt": record.alt, "credit": record.credit, "licence": record.licence}
        if row is None or row.sha256 != picture.sha256:
            pk = row.pk if row is not None else uuid7()
            values |= {"id": pk, **file_values(pk, record.name, picture)}
            tally.files.append((default_storage, values["file"]))
            if row is not None:
                remove_later(pk, str(row.file), row.sha256)
        store(Image, row, {"name": record.name}, values, record.place, "pictures", tally)


def store(
    model: type[models.Model],
    row: Any,
    key: Mapping[str, Any],
    values: Mapping[str, Any],
    place: Any,
    kind: str,
    tally: Tally,
) -> Any:
    """Make the row of `key`, or give the one that is there these values. Return it, or None where it was refused."""
    if row is None:
        row, verb = model(**key), "created"
        differing = list(values)
    else:
        differing = [name for name, value in values.items() if getattr(row, name) != value]
        verb = "changed" if differing else "unchanged"
    for name in differing:
        setattr(row, name, values[name])
    if verb != "unchanged":
        # The readers have held the other rules of the tables; that a field has one fact only the database can tell.
        relations = {field.name for field in model._meta.fields if field.is_relation}
        try:
            row.full_clean(exclude=relations, validate_unique=False, validate_constraints=model is Fact)
        except ValidationError as error:
            tally.refusals += refusals_of(error, place)
            return None
        row.save(force_insert=verb == "created")
    tally.count(kind, verb)
    return row

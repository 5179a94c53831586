"""The claims of the records against the facts, claims and sources that are stored."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias
from uuid import UUID

from django.utils.text import slugify

from catalog.importing.plan import Change, Plan
from catalog.importing.records import Claim, DeviceType
from catalog.importing.records import Source as SourceRecord
from catalog.models import Device
from catalog.quantities import DEVICE
from catalog.services import columns_in_use
from core.facts.models import Claim as ClaimRow
from core.facts.models import Fact, Source
from core.facts.services import best_claim

LABELS = {name: quantity.label for name, quantity in DEVICE.items()} | {
    "height_openu": "Height in OpenU",
    "max_payload_kg": "Largest load",
    "power_output_max_w": "Largest output",
    "psu_count": "Power supplies",
    "psu_w": "Rating of a power supply",
}
SourceKey: TypeAlias = tuple[str, str, str]


def plan_claims(plan: Plan, devices: Sequence[tuple[Device, DeviceType]]) -> None:
    """Add the claims that are new. A source that now says otherwise is a change, written by an update only.

    A claim that an editor verified keeps its confidence. A new fact uses its best claim, and a new device gets its
    quantities of it at once; `touched_facts` of the plan are to be settled after writing.
    """
    sources = _sources(plan, (claim.source for _, record in devices for claim in record.claims))
    ids = {row.pk for row, _ in devices if not row._state.adding}
    facts = {
        (fact.subject_id, fact.field): fact for fact in Fact.objects.filter(subject_kind="device", subject_id__in=ids)
    }
    stored: dict[tuple[UUID, UUID, str], list[ClaimRow]] = {}
    for claim in ClaimRow.objects.filter(fact__subject_kind="device", fact__subject_id__in=ids).order_by(
        "created_at", "id"
    ):
        stored.setdefault((claim.fact_id, claim.source_id, claim.claim_kind), []).append(claim)
    by_id = {fact.pk: fact for fact in facts.values()}
    new_facts: list[Fact] = []

    for row, record in devices:
        wanted: dict[tuple[UUID, UUID, str], list[Claim]] = {}
        for claim in record.claims:
            fact = facts.get((row.pk, claim.field))
            if fact is None:
                fact = _new_fact(row, claim.field)
                facts[row.pk, claim.field] = by_id[fact.pk] = fact
                new_facts.append(fact)
            key = (fact.pk, sources[_key(claim.source)].pk, claim.kind)
            wanted.setdefault(key, []).append(claim)
        for key, claims in wanted.items():
            _plan_statements(plan, by_id[key[0]], key, claims, stored.get(key, []), row, record)
    _give_slugs(new_facts)
    plan.facts += new_facts
    _choose(plan, new_facts)
    new_rows = {row.pk: row for row, _ in devices if row._state.adding}
    for pk, columns in columns_in_use(new_facts).items():
        if pk in new_rows:
            for name, value in columns.items():
                setattr(new_rows[pk], name, value)
    # What is new as a whole is settled by now.
    for fact in new_facts:
        if fact.subject_id in new_rows:
            plan.touched_facts.pop(fact.pk, None)


def _choose(plan: Plan, facts: list[Fact]) -> None:
    claims: dict[UUID, list[ClaimRow]] = {}
    for claim in plan.new_claims:
        claims.setdefault(claim.fact_id, []).append(claim)
    for fact in facts:
        fact.chosen = best_claim(claims[fact.pk])


def _plan_statements(
    plan: Plan,
    fact: Fact,
    key: tuple[UUID, UUID, str],
    wanted: list[Claim],
    stored: list[ClaimRow],
    row: Device,
    record: DeviceType,
) -> None:
    """Compare what one source says of one fact with what is stored of it."""
    unmatched = list(stored)
    differing = []
    for claim in wanted:
        same = next((old for old in unmatched if (old.value, old.unit) == (claim.value, claim.unit)), None)
        if same is None:
            differing.append(claim)
            continue
        unmatched.remove(same)
        confidence = same.confidence if same.confidence == ClaimRow.Confidence.VERIFIED else claim.confidence
        note = claim.note or same.note
        if (same.confidence, same.note) != (confidence, note):
            old, new = f"{same} ({same.confidence}), “{same.note}”", f"{same} ({confidence}), “{note}”"
            plan.changes.append(Change(record.place.file, claim.line, str(row), claim.field, old, new))
            if plan.update:
                same.confidence, same.note = confidence, note
                _touch(plan, fact, same)
    for claim in differing:
        if unmatched:
            old_claim = unmatched.pop(0)
            new = f"{claim.value.normalize():f} {claim.unit}".strip()
            plan.changes.append(Change(record.place.file, claim.line, str(row), claim.field, str(old_claim), new))
            if plan.update:
                old_claim.value, old_claim.unit = claim.value, claim.unit
                old_claim.note = claim.note or old_claim.note
                old_claim.confidence = claim.confidence
                _touch(plan, fact, old_claim)
            continue
        plan.new_claims.append(
            ClaimRow(
                fact=fact,
                source_id=key[1],
                claim_kind=claim.kind,
                value=claim.value,
                unit=claim.unit,
                confidence=claim.confidence,
                note=claim.note,
                created_at=plan.at,
            )
        )
        plan.touched_facts[fact.pk] = fact


def _touch(plan: Plan, fact: Fact, claim: ClaimRow) -> None:
    plan.changed_claims.append(claim)
    plan.touched_facts[fact.pk] = fact


def _new_fact(row: Device, field: str) -> Fact:
    label = f"{LABELS.get(field, field)} of {row}"
    return Fact(
        slug=f"{row.slug}-{field.replace('_', '-')}",
        label=label if len(label) <= 200 else label[:199] + "…",
        subject_kind=Fact.SubjectKind.DEVICE,
        subject_id=row.pk,
        field=field,
    )


def _give_slugs(facts: list[Fact]) -> None:
    taken = set(Fact.objects.filter(slug__in=[fact.slug for fact in facts]).values_list("slug", flat=True))
    for fact in facts:
        # Somebody may have written a fact of this name about something else; the id keeps them apart for good.
        if fact.slug in taken:
            fact.slug = f"{fact.slug[:160]}-{fact.pk.hex[-12:]}"


def _sources(plan: Plan, records: Iterable[SourceRecord]) -> dict[SourceKey, Source]:
    """Return the sources by title, publisher and date; those that are new are in the plan."""
    wanted = {_key(record): record for record in records}
    stored = Source.objects.filter(title__in={title for title, _, _ in wanted})
    sources = {(source.title, source.publisher, source.dated): source for source in stored}
    missing = {key: _source_slug(record) for key, record in wanted.items() if key not in sources}
    taken = set(Source.objects.filter(slug__in=missing.values()).values_list("slug", flat=True))
    for key, slug in missing.items():
        record = wanted[key]
        source = Source(
            slug=slug,
            title=record.title,
            publisher=record.publisher,
            dated=record.date,
            address=record.url,
            licence=record.licence,
        )
        if slug in taken:
            source.slug = f"{slug[:100]}-{source.pk.hex[-12:]}"
        taken.add(slug)
        sources[key] = source
        plan.sources.append(source)
    return {key: sources[key] for key in wanted}


def _key(source: SourceRecord) -> SourceKey:
    return source.title, source.publisher, source.date


def _source_slug(source: SourceRecord) -> str:
    # A domain name keeps its parts: supercluster-blog-part-4.
    words = source.title if source.title.startswith(source.publisher) else f"{source.publisher} {source.title}"
    return slugify(words.replace(".", "-").replace("/", "-"))[:110].strip("-") or "source"

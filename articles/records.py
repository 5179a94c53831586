"""What a body refers to, loaded with one statement a kind: the records that exist, and what a quantity says today."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Q

from articles.markup import Known, Record, Rung, Wanted
from articles.models import Article
from catalog.models import Device, Installation
from core.facts.models import Claim, Fact, Source
from core.facts.units import digits_of, show
from core.media.models import Image
from simulator.models import Scenario
from simulator.told import is_unknown, told_number
from sponsors.models import Vendor


@dataclass(frozen=True)
class Quantity:
    """A quantity of prose as it stands now: what is frozen with an edition."""

    key: str
    text: str
    value: str
    unit: str
    target_kind: str
    target_id: UUID
    field: str = ""
    dated: str = ""
    confidence: str = ""
    claim_kind: str = ""
    source_id: UUID | None = None
    source_slug: str = ""

    def frozen(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "key": self.key, "text": self.text, "value": self.value, "unit": self.unit,
            "record": self.target_kind, "record_id": str(self.target_id), "field": self.field,
            "dated": self.dated, "confidence": self.confidence, "claim_kind": self.claim_kind,
            "source_id": str(self.source_id) if self.source_id else None, "source": self.source_slug or None,
        }  # fmt: skip

    def columns(self) -> dict[str, Any]:
        """Return it as the columns of a BoundQuantity."""
        return {
            "key": self.key, "text": self.text, "value": Decimal(self.value), "unit": self.unit,
            "record": self.target_kind, "record_id": self.target_id, "field": self.field,
            "fact_id": self.target_id if self.target_kind == "fact" else None,
            "scenario_id": self.target_id if self.target_kind == "scenario" else None,
            "dated": self.dated, "confidence": self.confidence, "claim_kind": self.claim_kind,
            "source_id": self.source_id, "source_slug": self.source_slug,
        }  # fmt: skip


@dataclass
class Found:
    """The records that a text refers to."""

    known: Known
    ids: dict[tuple[str, str], UUID] = field(default_factory=dict)
    """(kind, key) -> id, for the table of references."""
    quantities: dict[str, Quantity] = field(default_factory=dict)
    scenario_kinds: dict[str, str] = field(default_factory=dict)
    """By slug."""


def find_records(wanted: Wanted) -> Found:
    """Return what exists of what is `wanted`."""
    return find_all_records([wanted])[0]


def find_all_records(wanted: Sequence[Wanted]) -> list[Found]:
    """Return what exists of what each of many texts wants, in statements that do not grow with them."""
    quantities, unknown = _quantities(dict.fromkeys(key for one in wanted for key in one.quantities))
    rows = {
        plural: _rows(model, key, label, dict.fromkeys(name for one in wanted for name in getattr(one, plural)))
        for plural, (_, model, key, label) in _RECORDS.items()
    }
    return [_found(one, quantities, unknown, rows) for one in wanted]


_RECORDS: dict[str, tuple[str, Any, str, str]] = {
    "articles": ("article", Article, "slug", "title"),
    "devices": ("device", Device, "slug", "model"),
    "vendors": ("vendor", Vendor, "slug", "name"),
    "installations": ("installation", Installation, "slug", "name"),
    "scenarios": ("scenario", Scenario, "slug", "title"),
    "sources": ("source", Source, "slug", "title"),
    "images": ("image", Image, "name", "name"),
}
"""By the name in Wanted: the kind, its model, the column that texts name, and the one that they show."""


@dataclass(frozen=True)
class _Row:
    """A record that a text names: its id, what the parser needs of it, and of a scenario its kind."""

    pk: UUID
    record: Record
    kind: str = ""


def _rows(model: Any, key: str, label: str, asked: Iterable[str]) -> dict[str, _Row]:
    names = list(asked)
    if not names:
        return {}
    rows = model._default_manager.filter(**{f"{key}__in": names})
    if model is Scenario:
        # Of the report only what a ladder shows: the rest is long.
        return {
            name: _Row(pk, Record(shown, rungs=_rungs(rungs if kind == "ladder" else None)), kind)
            for name, pk, shown, kind, rungs in rows.values_list(key, "pk", label, "kind", "result__rungs")
        }
    return {name: _Row(pk, Record(shown)) for name, pk, shown in rows.values_list(key, "pk", label)}


def _found(
    wanted: Wanted,
    quantities: Mapping[str, Quantity],
    unknown: Collection[str],
    rows: Mapping[str, Mapping[str, _Row]],
) -> Found:
    """Return what one text wants of what was found for many."""
    ids: dict[tuple[str, str], UUID] = {}
    names: dict[str, dict[str, Record]] = {}
    for plural, (kind, *_) in _RECORDS.items():
        here = {name: rows[plural][name] for name in getattr(wanted, plural) if name in rows[plural]}
        ids |= {(kind, name): row.pk for name, row in here.items()}
        names[plural] = {name: row.record for name, row in here.items()}
    own = {key: quantities[key] for key in wanted.quantities if key in quantities}
    # Claims come before numbers of scenarios: the order in which editions have always frozen them.
    own = dict(sorted(own.items(), key=lambda item: item[1].target_kind == "scenario"))
    shown = {key: Record(found.text, value=found.value) for key, found in own.items()}
    shown |= {key: Record("", is_unknown=True) for key in wanted.quantities if key in unknown}
    known = Known(quantities=shown, **names)
    kinds = {name: rows["scenarios"][name].kind for name in names["scenarios"]}
    return Found(known, ids, own, kinds)


def _rungs(rungs: Any) -> tuple[Rung, ...]:
    """Return the rungs of a ladder, as its saved report has them."""

    def number(value: Any) -> str:
        return digits_of(Decimal(str(value)))

    def power(value: Any) -> str:
        return show(Decimal(str(value)), "kW")

    return tuple(
        Rung(
            rung=row["rung"],
            count=number(row["count"]),
            each_kw=number(row["each_kw"]),
            total_kw=number(row["total_kw"]),
            kw_per_chip=number(row["kw_per_chip"]),
            added_fraction=None if row["added_fraction"] is None else number(row["added_fraction"]),
            each_text=power(row["each_kw"]),
            total_text=power(row["total_kw"]),
            per_chip_text=power(row["kw_per_chip"]),
        )
        for row in rungs or ()
    )


def _quantities(keys: Iterable[str]) -> tuple[dict[str, Quantity], set[str]]:
    """Resolve the keys of quantities, in a few statements however many they are; and those of which none is known.

    `device:slug.field`, `installation:slug.field`, `fact:slug`, `scenario:slug.field`; `slug.field` is a device's, else
    an installation's.
    """
    found: dict[str, Quantity] = {}
    unknown: set[str] = set()
    facts: dict[str, tuple[str, UUID] | None] = {}
    scenarios: list[tuple[str, str, str]] = []
    subjects = _Subjects(keys)
    for key in keys:
        prefix, _, rest = key.rpartition(":")
        slug, _, name = rest.partition(".")
        if prefix == "fact":
            facts[key] = None
        elif prefix == "scenario":
            scenarios.append((key, slug, name))
        else:
            subject = subjects.find(prefix, slug)
            if subject is not None:
                facts[key] = subject
    if facts:
        # Lists, and no condition for each key: a batch of texts may name thousands. What is too much is passed over.
        slugs = {key.rpartition(":")[2] for key, subject in facts.items() if subject is None}
        fields = {key.rpartition(":")[2].partition(".")[2] for key, subject in facts.items() if subject is not None}
        of_subjects = Q(subject_id__in={subject[1] for subject in facts.values() if subject}, field__in=fields)
        rows = list(Fact.objects.filter(Q(slug__in=slugs) | of_subjects).select_related("chosen__source"))
        by_slug = {row.slug: row for row in rows}
        by_subject = {(row.subject_kind, row.subject_id, row.field): row for row in rows}
        for key, subject in facts.items():
            rest = key.rpartition(":")[2]
            row = by_slug.get(rest) if subject is None else by_subject.get((*subject, rest.partition(".")[2]))
            if row is not None and row.chosen is not None:
                found[key] = _of_claim(key, row, row.chosen)
    if scenarios:
        by_slug = {row.slug: row for row in Scenario.objects.filter(slug__in={slug for _, slug, _ in scenarios})}
        for key, slug, name in scenarios:
            scenario = by_slug.get(slug)
            quantity = _of_scenario(key, scenario, name)
            if quantity is not None:
                found[key] = quantity
            elif scenario is not None and is_unknown(scenario.result, name):
                unknown.add(key)
    return found, unknown


class _Subjects:
    """The devices and installations that keys name."""

    def __init__(self, keys: Iterable[str]) -> None:
        slugs = {key.rpartition(":")[2].partition(".")[0] for key in keys if not key.startswith(("fact:", "scenario:"))}
        self.devices = dict(Device.objects.filter(slug__in=slugs).values_list("slug", "pk")) if slugs else {}
        self.installations = (
            dict(Installation.objects.filter(slug__in=slugs).values_list("slug", "pk")) if slugs else {}
        )

    def find(self, prefix: str, slug: str) -> tuple[str, UUID] | None:
        if prefix in ("", "device") and slug in self.devices:
            return "device", self.devices[slug]
        if prefix in ("", "installation") and slug in self.installations:
            return "installation", self.installations[slug]
        return None


def _of_claim(key: str, fact: Fact, claim: Claim) -> Quantity:
    return Quantity(
        key=key,
        text=show(claim.value, claim.unit),
        value=digits_of(claim.value),
        unit=claim.unit,
        target_kind="fact",
        target_id=fact.pk,
        field=fact.field,
        dated=claim.dated,
        confidence=claim.confidence,
        claim_kind=claim.claim_kind,
        source_id=claim.source_id,
        source_slug=claim.source.slug,
    )


def _of_scenario(key: str, scenario: Scenario | None, name: str) -> Quantity | None:
    """Return a number of a scenario's report by its name, whatever its kind; None if it is unknown."""
    found = None if scenario is None else told_number(scenario.result, name)
    if scenario is None or found is None:
        return None
    return Quantity(
        key,
        show(found.value, found.unit),
        digits_of(found.value),
        found.unit,
        "scenario",
        scenario.pk,
        field=name,
        claim_kind="computed",
    )

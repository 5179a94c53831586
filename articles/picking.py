"""What an editor can put into a body: records found by words, each with the text that names it.

The text to insert is made here and nowhere else, so that what the picker and the completion write is what the parser
reads. What a quantity shows is asked of the function that freezes it.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Case, Model, Q, When
from django.db.models.functions import Length

from articles.markup import Wanted
from articles.models import Article
from articles.moving.directives import directive
from articles.moving.escaping import escape, escape_cell
from articles.records import Found, find_records
from catalog.models import Device, Installation
from core.facts.models import Fact, Source
from core.media.models import Image
from core.publishing.services import database_now
from simulator.models import Scenario
from simulator.told import told_numbers
from sponsors.models import Vendor

EACH = 8
"""How many of a kind are found among all kinds."""
ONE_KIND = 30
"""How many are found of a kind that was asked for alone, and of the quantities of one record."""
LONGEST_QUERY = 100


@dataclass(frozen=True)
class Way:
    """A text that can be inserted. A block stands in lines of its own. `value` and `evidence` are a quantity's."""

    label: str
    text: str
    is_block: bool = False
    value: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Pick:
    """A record. `key` is what bodies call it; with `has_more`, `ways_of` has more ways than the one given here."""

    kind: str
    key: str
    title: str
    detail: str = ""
    image: str = ""
    has_more: bool = False
    ways: list[Way] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


# Texts


def plain(text: str) -> str:
    """Return `text` as Markdown that shows it, in a link or a cell of a table."""
    return escape_cell(escape(" ".join(text.split())))


def quantity(key: str) -> str:
    return f"{{{{{key}}}}}"


def citation(slug: str) -> str:
    return f"[@{slug}]"


def link(kind: str, slug: str, words: str) -> str:
    """Return a link to a record: article, device, vendor, installation."""
    return f"[{plain(words)}]({kind}:{slug})"


def card(name: str, **attributes: str) -> str:
    """Return a directive with nothing between its fences, in lines of its own."""
    return f"{directive(name, **attributes)}\n"


def figure(name: str, alt: str = "", credit: str = "") -> str:
    """Return the figure of an image; the alternative text is there to be filled in where the image has none."""
    return f"{directive('figure', src=name, alt=alt, credit=credit.strip() or None)}\n"


# Finding


def find_picks(query: str, *, kinds: Collection[str]) -> list[Pick]:
    """Return what matches all the words of `query`, of the kinds named; without words, the newest of each."""
    words = [word for word in re.split(r"[\s.,:_/-]+", query[:LONGEST_QUERY].casefold()) if word]
    limit = ONE_KIND if len(kinds) == 1 else EACH
    return [pick for kind in KINDS if kind in kinds for pick in KINDS[kind].find(words, limit)]


def ways_of(kind: str, key: str) -> list[Way]:
    """Return all that can be inserted of one record: its link, its card, its quantities with what they show today."""
    record = KINDS[kind].model._default_manager.filter(**{KINDS[kind].key: key}).first()
    return KINDS[kind].ways(record) if record is not None else []


def _matching(model: type[Model], words: Iterable[str], *names: str) -> Any:
    rows = model._default_manager.all()
    for word in words:
        condition = Q()
        for name in names:
            condition |= Q(**{f"{name}__icontains": word})
        rows = rows.filter(condition)
    return rows


def _ordered(rows: Any, words: list[str], slug: str, newest: str) -> Any:
    """What begins with the words, then the shortest address, is likeliest what is meant; without words the newest."""
    if not words:
        return rows.order_by(f"-{newest}", slug)
    begins = Case(When(**{f"{slug}__startswith": words[0]}, then=0), default=1)
    return rows.order_by(begins, Length(slug), slug)


# Quantities


def _shown(keys: Iterable[str]) -> Found:
    return find_records(Wanted(quantities=tuple(keys)))


def _quantity_ways(labels: dict[str, str]) -> list[Way]:
    """Return a way for each key that can be frozen today, with its value, source and date."""
    found = _shown(labels)
    return [
        Way(label, quantity(key), value=found.quantities[key].text, evidence=_evidence(found.quantities[key]))
        for key, label in labels.items()
        if key in found.quantities
    ]


def _evidence(shown: Any) -> str:
    return " · ".join(part for part in (shown.claim_kind, shown.source_slug, shown.dated, shown.confidence) if part)


def _key_of(fact: Fact, slugs: dict[tuple[str, UUID], str]) -> str:
    """Return what bodies call a fact: the field of its device or installation, else its own slug."""
    slug = slugs.get((fact.subject_kind, fact.subject_id)) if fact.subject_id else None
    if slug is None:
        return f"fact:{fact.slug}"
    return f"{slug}.{fact.field}" if fact.subject_kind == "device" else f"{fact.subject_kind}:{slug}.{fact.field}"


def _find_quantities(words: list[str], limit: int) -> list[Pick]:
    names: list[str] = ["label", "slug", "field"]
    rows = Fact.objects.exclude(chosen=None)
    for word in words:
        condition = Q(subject_id__in=Device.objects.filter(Q(slug__icontains=word) | Q(model__icontains=word)))
        condition |= Q(subject_id__in=Installation.objects.filter(Q(slug__icontains=word) | Q(name__icontains=word)))
        for name in names:
            condition |= Q(**{f"{name}__icontains": word})
        rows = rows.filter(condition)
    facts = list(_ordered(rows, words, "slug", "updated_at")[:limit])
    slugs = _slugs_of(facts)
    keys = {fact.pk: _key_of(fact, slugs) for fact in facts}
    found = _shown(keys.values()).quantities
    return [
        Pick(
            "quantity",
            key,
            fact.label,
            _evidence(found[key]),
            ways=[Way("Quantity", quantity(key), value=found[key].text)],
        )
        for fact in facts
        if (key := keys[fact.pk]) in found
    ]


def _slugs_of(facts: Iterable[Fact]) -> dict[tuple[str, UUID], str]:
    slugs: dict[tuple[str, UUID], str] = {}
    for kind, model in (("device", Device), ("installation", Installation)):
        ids = {fact.subject_id for fact in facts if fact.subject_kind == kind}
        if ids:
            rows = model._default_manager.filter(pk__in=ids).values_list("pk", "slug")
            slugs |= {(kind, pk): slug for pk, slug in rows}
    return slugs


def _quantities_of(kind: str, record: Any) -> list[Way]:
    facts = Fact.objects.of(kind, record.pk).exclude(chosen=None).order_by("field")[:ONE_KIND]
    slugs = {(kind, record.pk): record.slug}
    return _quantity_ways({_key_of(fact, slugs): fact.label for fact in facts})


def _quantity_way(fact: Fact) -> list[Way]:
    return _quantity_ways({_key_of(fact, _slugs_of([fact])): fact.label})


# Each kind


def _find_devices(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Device, words, "slug", "model", "manufacturer__name", "part_number").select_related("manufacturer")
    return [
        Pick(
            "device", row.slug, str(row), row.description or row.device_kind, has_more=True, ways=[_card("device", row)]
        )
        for row in _ordered(rows, words, "slug", "updated_at")[:limit]
    ]


def _card(kind: str, row: Any) -> Way:
    return Way("Card", card(kind, slug=row.slug), is_block=True)


def _record_ways(kind: str, label: str) -> Callable[[Any], list[Way]]:
    def ways(row: Any) -> list[Way]:
        linked = Way("Link", link(kind, row.slug, getattr(row, label)))
        numbers = _quantities_of(kind, row) if kind in ("device", "installation") else []
        return [linked, _card(kind, row), *numbers]

    return ways


def _find_installations(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Installation, words, "slug", "name", "operator", "place")
    return [
        Pick(
            "installation",
            row.slug,
            row.name,
            ", ".join(part for part in (row.operator, row.place) if part),
            has_more=True,
        )
        for row in _ordered(rows, words, "slug", "updated_at")[:limit]
    ]


def _find_vendors(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Vendor, words, "slug", "name")
    return [
        Pick("vendor", row.slug, row.name, row.get_role_display(), has_more=True)
        for row in _ordered(rows, words, "slug", "draft_changed_at")[:limit]
    ]


def _find_scenarios(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Scenario, words, "slug", "title").defer("result", "input")
    return [
        Pick("scenario", row.slug, row.title, row.description[:120], has_more=True)
        for row in _ordered(rows, words, "slug", "updated_at")[:limit]
    ]


def _scenario_ways(row: Scenario) -> list[Way]:
    embeds = [
        Way(name.capitalize(), card(name, scenario=row.slug), is_block=True)
        for name in ("rack", "ladder")
        if row.kind == name
    ]
    names = {
        f"scenario:{row.slug}.{name}": f"{number.section}: {name}" if number.section else name
        for name, number in told_numbers(row.result).items()
    }
    return [*embeds, *_quantity_ways(names)]


def _find_sources(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Source, words, "slug", "title", "publisher")
    return [
        Pick(
            "source",
            row.slug,
            row.title,
            ", ".join(part for part in (row.publisher, row.dated) if part),
            ways=_source_ways(row),
        )
        for row in _ordered(rows, words, "slug", "updated_at")[:limit]
    ]


def _source_ways(row: Source) -> list[Way]:
    return [Way("Citation", citation(row.slug))]


def _find_articles(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Article, words, "slug", "title").only("slug", "title")
    rows = list(_ordered(rows, words, "slug", "draft_changed_at")[:limit])
    live = set(
        Article.objects.filter(pk__in=[row.pk for row in rows], editions__live__contains=database_now()).values_list(
            "pk", flat=True
        )
    )
    return [
        Pick(
            "article",
            row.slug,
            str(row),
            "Live" if row.pk in live else "Readers do not see it",
            ways=_article_ways(row),
        )
        for row in rows
    ]


def _article_ways(row: Article) -> list[Way]:
    return [Way("Link", link("article", row.slug, str(row)))]


def _find_images(words: list[str], limit: int) -> list[Pick]:
    rows = _matching(Image, words, "name", "alt", "credit")
    return [
        Pick("image", row.name, row.name, row.alt, image=row.file.url if row.file else "", ways=_image_ways(row))
        for row in _ordered(rows, words, "name", "created_at")[:limit]
    ]


def _image_ways(row: Image) -> list[Way]:
    return [Way("Figure", figure(row.name, row.alt, row.credit), is_block=True)]


@dataclass(frozen=True)
class Kind:
    """A kind of record: who may view its model may pick it. `ways` takes the record."""

    label: str
    model: type[Model]
    key: str
    find: Callable[[list[str], int], list[Pick]]
    ways: Callable[[Any], list[Way]]


KINDS: dict[str, Kind] = {
    "quantity": Kind("Quantities", Fact, "slug", _find_quantities, _quantity_way),
    "source": Kind("Sources", Source, "slug", _find_sources, _source_ways),
    "device": Kind("Devices", Device, "slug", _find_devices, _record_ways("device", "model")),
    "installation": Kind(
        "Installations", Installation, "slug", _find_installations, _record_ways("installation", "name")
    ),
    "scenario": Kind("Scenarios", Scenario, "slug", _find_scenarios, _scenario_ways),
    "vendor": Kind("Vendors", Vendor, "slug", _find_vendors, _record_ways("vendor", "name")),
    "article": Kind("Articles", Article, "slug", _find_articles, _article_ways),
    "image": Kind("Images", Image, "name", _find_images, _image_ways),
}

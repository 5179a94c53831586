"""Numbers with a unit that are typed and not bound to a record, and the record that says just that."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from django.db.models import Case, IntegerField, Q, Value, When

from articles.markup.survey import Passage, Spot
from catalog.models import Device, Installation
from core.facts.models import Fact
from core.facts.units import UNITS, as_decimal

MOST = 30
"""So many are listed: whoever typed more knows by then."""
MOST_RECORDS = 200

# What a person writes for a unit, and the unit. Where a plain word or an ordinary number is written alike ("in", "5G"),
# it is taken for a quantity only if a record says just that.
WRITTEN = {
    "watt": "W", "watts": "W", "kilowatt": "kW", "kilowatts": "kW", "megawatt": "MW", "megawatts": "MW",
    "gigawatt": "GW", "gigawatts": "GW", "kilogram": "kg", "kilograms": "kg", "lbs": "lb", "tonne": "t", "tonnes": "t",
    "KW": "kW", "m³/s": "m3/s",
}  # fmt: skip
CERTAIN = ("power", "apparent_power", "energy", "volume_flow")
CERTAIN_UNITS = {"kg", "lb"}
NEVER = {"in"}
_UNIT_OF = {name: name for name in UNITS if name not in NEVER} | {
    written: unit for written, unit in WRITTEN.items() if unit in UNITS
}
_UNITS = "|".join(re.escape(name) for name in sorted(_UNIT_OF, key=len, reverse=True))
_GAP = r"(?:[ \n\u00a0\u2009\u202f-]|&nbsp;|&thinsp;|&\#160;){0,2}"
# Not in a word, a version, a path, a price, a part number, nor what is about so much; and no range, of which neither
# end is a quantity of anything.
_NUMBER = re.compile(
    r"(?<![\w.,:/#§$€£±×^~≈+=<>≤≥–-])(?<!\d to )(?<!\d and )(?<![~≈<>≤≥±] )"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?|\d{1,12}(?:\.\d{1,9})?)"
    rf"{_GAP}(?P<unit>{_UNITS})"
    r"(?![\w/²³°·^–-])"
)


@dataclass(frozen=True, slots=True)
class Typed(Spot):
    """A quantity that was typed: as it is written, and what it is."""

    text: str
    value: Decimal
    unit: str
    passage: Passage

    @property
    def measure(self) -> tuple[str, Fraction]:
        """What it measures, and how much of it in the base unit: equal where two say the same in other words."""
        unit = UNITS[self.unit]
        return unit.measures, Fraction(self.value) * unit.in_base

    @property
    def is_certain(self) -> bool:
        return UNITS[self.unit].measures in CERTAIN or self.unit in CERTAIN_UNITS


def typed_quantities(passages: Iterable[Passage]) -> Iterator[Typed]:
    """Yield the numbers with units that stand in prose as themselves."""
    for passage in passages:
        for match in _NUMBER.finditer(passage.text):
            spot = passage.spot(match.start())
            yield Typed(
                spot.line,
                spot.column,
                text=" ".join(match[0].replace("&nbsp;", " ").split()),
                value=Decimal(match["number"].replace(",", "")),
                unit=_UNIT_OF[match["unit"]],
                passage=passage,
            )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that says just what was typed: the name under which a body binds it, and of what it is."""

    key: str
    name: str
    is_named: bool
    """Whether the text speaks of its subject."""


def records_saying(
    typed: Iterable[Typed], text: str, subject_ids: Iterable[UUID]
) -> dict[tuple[str, Fraction], list[Candidate]]:
    """Return, by measure, the records that say just what was `typed`: those that the body `text` speaks of come first.

    Three statements at most. `subject_ids` are those of the records that the body refers to.
    """
    wanted = {each.measure for each in typed}
    values: set[Decimal] = set()
    for measures, amount in wanted:
        for unit in UNITS.values():
            if unit.measures == measures:
                value = as_decimal(amount / unit.in_base)
                if Fraction(value) * unit.in_base == amount:
                    values.add(value)
    if not values:
        return {}
    named = list(subject_ids)
    rows = list(
        Fact.objects.filter(chosen__value__in=values)
        .filter(Q(chosen__unit__in=UNITS))
        .select_related("chosen")
        .annotate(is_far=Case(When(subject_id__in=named, then=Value(0)), default=Value(1), output_field=IntegerField()))
        .order_by("is_far", "slug")[:MOST_RECORDS]
    )
    subjects = {
        kind: model._default_manager.in_bulk({row.subject_id for row in rows if row.subject_kind == kind})
        for kind, model in (("device", Device), ("installation", Installation))
        if any(row.subject_kind == kind for row in rows)
    }
    folded = text.casefold()
    found: dict[tuple[str, Fraction], list[Candidate]] = {}
    for row in rows:
        claim = row.chosen
        assert claim is not None, "the filter asks for the claim"
        measure = UNITS[claim.unit].measures, Fraction(claim.value) * UNITS[claim.unit].in_base
        if measure not in wanted:
            continue
        subject = subjects.get(row.subject_kind, {}).get(row.subject_id)
        if subject is None:
            candidate = Candidate(f"fact:{row.slug}", row.label, row.label.casefold() in folded)
        else:
            prefix = "installation:" if row.subject_kind == "installation" else ""
            name = str(getattr(subject, "model", "") or getattr(subject, "name", ""))
            candidate = Candidate(
                f"{prefix}{subject.slug}.{row.field}",
                name,
                row.subject_id in named or name.casefold() in folded or subject.slug in folded,
            )
        found.setdefault(measure, []).append(candidate)
    for candidates in found.values():
        candidates.sort(key=lambda candidate: not candidate.is_named)
    return found

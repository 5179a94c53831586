"""Facts, their claims and their sources, over REST."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.db import models
from django.urls import path

from core.api import parameters
from core.api.errors import bad_request
from core.api.keyset import BY_SLUG
from core.api.representations import Many, Representation
from core.facts.models import Claim, Fact, Source
from core.facts.quantities import IN_USE
from core.facts.shown import IN_UNITS, ConflictField, ConvertedRepresentation, QuantityText
from core.facts.units import UnitError, parse_quantity
from core.feed.views import Filter, ItemView, ListView

NUMBER = models.DecimalField(max_digits=100, decimal_places=24)


def read_quantity(unit: str, places: int = 24) -> parameters.Reader:
    """Return a reader of quantities in `unit`, rounded to `places`, so that 0.1MW is found by 100kW."""

    def read(name: str, text: str) -> Decimal:
        try:
            return parse_quantity(text, unit=unit, places=places)
        except UnitError as error:
            raise bad_request(name, "not_a_quantity", f"{name}: {error}") from error

    return read


def quantity_filters(
    name: str, unit: str, narrow: Callable[[Any, str, Any], Any], places: int = 24
) -> dict[str, Filter]:
    """Return the two filters of a quantity, such as `power_gte` and `power_lte`, that compare in `unit`.

    `narrow` takes the rows, `gte` or `lte`, and the value.
    """

    def by(comparison: str) -> Callable[[Any, Any], Any]:
        return lambda rows, value: narrow(rows, comparison, value)

    ends = (("gte", "At least"), ("lte", "At most"))
    return {
        f"{name}_{end}": Filter(
            read_quantity(unit, places), by(end), NUMBER, f"{said}: 100kW, 50 lb; a bare number is in {unit}."
        )
        for end, said in ends
    }


def _in_use(measures: str) -> Callable[[Any, str, Any], Any]:
    return lambda rows, comparison, value: rows.in_use(measures, comparison, value)


class SourceRepresentation(Representation):
    class Meta:
        model = Source
        fields = ["id", "slug", "title", "publisher", "dated", "address", "licence", "created_at", "updated_at"]


class SourceBrief(Representation):
    class Meta:
        model = Source
        fields = ["id", "slug", "title", "publisher", "dated", "address"]


class ClaimRepresentation(Representation):
    """What one source says. `text` and `converted` are in the units that were asked for; `value` and `unit` its own."""

    text = QuantityText()
    converted = ConvertedRepresentation(source="*")
    source = SourceBrief()  # type: ignore[assignment]  # the metaclass takes it out of the class

    class Meta:
        model = Claim
        fields = [
            "id", "value", "unit", "text", "converted", "claim_kind", "dated", "confidence", "note", "source",
        ]  # fmt: skip


class FactRepresentation(Representation):
    """A quantity with all that was said of it. `conflict`: two claims of one kind differ, as exact quantities."""

    conflict = ConflictField()
    chosen = ClaimRepresentation(allow_null=True)
    claims = Many(
        ClaimRepresentation,
        lambda at, outer: Claim.objects.visible(at).filter(fact=outer).order_by("created_at", "id"),
    )

    class Meta:
        model = Fact
        fields = [
            "id",
            "slug",
            "label",
            "subject_kind",
            "subject_id",
            "field",
            "chosen",
            "conflict",
            "claims",
            "created_at",
            "updated_at",
        ]


class SourceList(ListView):
    """The documents that facts and articles cite."""

    representation = SourceRepresentation
    source = staticmethod(Source.objects.visible)
    kinds = ("source",)
    orders = BY_SLUG
    filters = {
        "publisher": Filter(
            parameters.read_text, lambda rows, p: rows.filter(publisher=p), models.TextField(), "Exact name."
        ),
    }


class SourceItem(ItemView):
    """One source."""

    representation = SourceRepresentation
    source = staticmethod(Source.objects.visible)
    kinds = ("source",)


class FactList(ListView):
    """Sourced quantities; `chosen` is the claim in use, `claims` is everything that was said.

    `power_gte` and the like compare the claim in use as a quantity: 100kW finds 0.1 MW, and nothing but power.
    """

    choices = IN_UNITS
    representation = FactRepresentation
    source = staticmethod(Fact.objects.visible)
    kinds = ("fact", "source")
    orders = BY_SLUG
    filters = {
        "subject_kind": Filter(
            parameters.one_of(*Fact.SubjectKind.values[1:]),
            lambda rows, p: rows.filter(subject_kind=p),
            models.TextField(),
        ),
        "subject_id": Filter(parameters.read_uuid, lambda rows, p: rows.filter(subject_id=p), models.UUIDField()),
        "field": Filter(
            parameters.read_text, lambda rows, p: rows.filter(field=p), models.TextField(), "Such as power_nameplate_w."
        ),
        "source": Filter(
            parameters.read_text,
            lambda rows, p: rows.filter(
                models.Exists(Claim.objects.filter(fact=models.OuterRef("pk"), source__slug=p))
            ),
            models.TextField(),
            "Slug of a source that makes a claim.",
        ),
        "conflict": Filter(
            parameters.read_bool,
            lambda rows, p: rows.in_conflict(p),
            models.BooleanField(),
            "true: facts whose sources disagree.",
        ),
        **{
            name: one
            for quantity, (measures, unit) in IN_USE.items()
            for name, one in quantity_filters(quantity, unit, _in_use(measures)).items()
        },
    }


class FactItem(ItemView):
    """One fact with all its claims."""

    choices = IN_UNITS
    representation = FactRepresentation
    source = staticmethod(Fact.objects.visible)
    kinds = ("fact", "source")


urlpatterns = [
    path("sources/", SourceList.as_view(), name="source-list"),
    path("sources/<str:key>/", SourceItem.as_view(), name="source-item"),
    path("facts/", FactList.as_view(), name="fact-list"),
    path("facts/<str:key>/", FactItem.as_view(), name="fact-item"),
]

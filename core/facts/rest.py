"""Facts, their claims and their sources, over REST."""

from decimal import Decimal

from django.db import models
from django.urls import path

from core.api import parameters
from core.api.errors import bad_request
from core.api.keyset import BY_SLUG
from core.api.representations import Many, Representation
from core.facts.models import Claim, Fact, Source
from core.facts.units import UnitError, parse_quantity
from core.feed.views import Filter, ItemView, ListView


def read_quantity(unit: str) -> parameters.Reader:
    """Return a reader of quantities in `unit`, so that 0.1MW is found by 100kW."""

    def read(name: str, text: str) -> Decimal:
        try:
            return parse_quantity(text, unit=unit)
        except UnitError as error:
            raise bad_request(name, "not_a_quantity", f"{name}: {error}") from error

    return read


class SourceRepresentation(Representation):
    class Meta:
        model = Source
        fields = ["id", "slug", "title", "publisher", "dated", "address", "licence", "created_at", "updated_at"]


class SourceBrief(Representation):
    class Meta:
        model = Source
        fields = ["id", "slug", "title", "publisher", "dated", "address"]


class ClaimRepresentation(Representation):
    source = SourceBrief()  # type: ignore[assignment]  # the metaclass takes it out of the class

    class Meta:
        model = Claim
        fields = ["id", "value", "unit", "claim_kind", "dated", "confidence", "note", "source"]


class FactRepresentation(Representation):
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
    """Sourced quantities; `chosen` is the claim in use, `claims` is everything that was said."""

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
    }


class FactItem(ItemView):
    """One fact with all its claims."""

    representation = FactRepresentation
    source = staticmethod(Fact.objects.visible)
    kinds = ("fact", "source")


urlpatterns = [
    path("sources/", SourceList.as_view(), name="source-list"),
    path("sources/<str:key>/", SourceItem.as_view(), name="source-item"),
    path("facts/", FactList.as_view(), name="fact-list"),
    path("facts/<str:key>/", FactItem.as_view(), name="fact-item"),
]

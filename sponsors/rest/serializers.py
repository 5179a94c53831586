"""What the public reads of the directory and of placements. A vendor is its edition that is visible."""

from typing import Any

from django.db import models
from django.db.models import Case, F, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KT
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalog.models import Section
from catalog.rest.serializers import ManufacturerBrief, SectionBrief
from core.api.compiled import JsonObject
from core.api.representations import (
    BoundField,
    Compiled,
    ConstantField,
    InstantField,
    Many,
    One,
    OptionalTextField,
    Representation,
    media_url,
    media_url_of,
)
from core.facts.models import Fact
from core.facts.rest import FactRepresentation
from sponsors.models import REL, VENDOR_REL, Placement, VendorEdition


class VendorBrief(Representation):
    id = serializers.UUIDField(source="vendor_id")

    class Meta:
        model = VendorEdition
        fields = ["id", "slug", "name"]


def vendor_of(at: Any, outer: Any) -> QuerySet[VendorEdition]:
    """Return the visible edition of the vendor `outer`, none where readers do not see it."""
    return VendorEdition.objects.visible(at).filter(vendor=outer)


_SUMMARY = [
    "id", "slug", "name", "description", "role", "company_status", "homepage", "domain", "rel", "country", "city",
    "sections", "manufacturer", "parent", "unverified", "published_at", "updated_at", "edition", "sha256",
]  # fmt: skip


class VendorSummary(Representation):
    """An entry in a list. `unverified` names the fields whose value nobody checked; nobody pays for an entry."""

    id = serializers.UUIDField(source="vendor_id")
    company_status = OptionalTextField(help_text="active, acquired or defunct; null where it is not known.")
    homepage = OptionalTextField(help_text="https, on `domain`, which is proven to be theirs.")
    rel = ConstantField(VENDOR_REL, help_text="What a link to the homepage carries.")
    country = OptionalTextField(help_text="ISO 3166-1 alpha-2.")
    city = OptionalTextField(help_text="Of the headquarters.")
    sections = Many(
        SectionBrief,
        lambda at, outer: (
            Section.objects.visible(at).filter(vendor_rows__edition=outer).order_by("vendor_rows__position", "id")
        ),
    )
    manufacturer = ManufacturerBrief(allow_null=True)
    parent = One(VendorBrief, vendor_of, key="parent_id")  # type: ignore[assignment]
    updated_at = BoundField("lower", source="live")
    edition = serializers.IntegerField(source="number")

    class Meta:
        model = VendorEdition
        fields = _SUMMARY


class VendorRepresentation(VendorSummary):
    """An entry with the facts about it, each with its sources."""

    facts = Many(
        FactRepresentation,
        lambda at, outer: (
            Fact.objects.visible(at).filter(subject_kind="vendor", subject_id=outer).order_by("field", "id")
        ),
        key="vendor_id",
    )

    class Meta:
        model = VendorEdition
        fields = [*_SUMMARY, "facts"]


class DisclosureRepresentation(Representation):
    """Who pays, and the word that says so. To be shown with the placement, always."""

    on_behalf_of = OptionalTextField()

    class Meta:
        model = Placement
        fields = ["label", "paid_by", "on_behalf_of"]


@extend_schema_field(
    {
        "type": "object",
        "required": ["url", "width", "height", "alt"],
        "properties": {
            "url": {"type": "string"},
            "width": {"type": "integer"},
            "height": {"type": "integer"},
            "alt": {"type": "string"},
        },
    }
)
class PictureField(Compiled, serializers.Field):
    """The picture as it was approved: address, size and the words for those who do not see it."""

    def to_representation(self, value: dict[str, Any]) -> dict[str, Any]:
        return {
            "url": media_url(value["file"]),
            "width": value["width"],
            "height": value["height"],
            "alt": value["alt"],
        }

    def to_sql(self, source: str, at: Any) -> Combinable:
        picture = JsonObject(
            {
                "url": media_url_of(KT(f"{source}__file")),
                "width": F(f"{source}__width"),
                "height": F(f"{source}__height"),
                "alt": F(f"{source}__alt"),
            }
        )
        return Case(
            When(**{f"{source}__isnull": True}, then=Value(None)), default=picture, output_field=models.JSONField()
        )


class PlacementRepresentation(Representation):
    """A paid appearance. Show `disclosure` with it, and give its link `rel`."""

    rel = ConstantField(REL)
    disclosure = DisclosureRepresentation(source="*")
    text = OptionalTextField()
    image = PictureField(source="picture", allow_null=True)
    vendor = One(VendorBrief, vendor_of, key="vendor_id")
    begins_at = BoundField("lower", source="period")
    ends_at = BoundField("upper", source="period")

    class Meta:
        model = Placement
        fields = [
            "id", "slot", "lane", "disclosure", "headline", "text", "address", "rel", "image", "vendor",
            "begins_at", "ends_at", "sha256",
        ]  # fmt: skip


class ShownRepresentation(Representation):
    """A placement that readers saw: who paid, for what, from when until when. `vendor` is null once it is not live."""

    disclosure = DisclosureRepresentation(source="*")
    text = OptionalTextField()
    vendor = One(VendorBrief, vendor_of, key="vendor_id")
    vendor_id = serializers.UUIDField(read_only=True)
    shown_from = InstantField(read_only=True)
    shown_until = InstantField(read_only=True)

    class Meta:
        model = Placement
        fields = [
            "id", "slot", "lane", "disclosure", "headline", "text", "domain", "vendor", "vendor_id",
            "shown_from", "shown_until", "suspended_at", "sha256",
        ]  # fmt: skip

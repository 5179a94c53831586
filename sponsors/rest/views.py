"""The directory and the placements over REST. Nobody's payment changes an order here."""

from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, QuerySet

from core.api import parameters
from core.api.compiled import Parameter
from core.api.errors import bad_request, not_found
from core.api.ids import as_uuid
from core.api.keyset import Order, id_key, instant_key, number_key, text_key
from core.facts.shown import IN_UNITS
from core.feed.views import Filter, ItemView, ListView
from sponsors.countries import countries
from sponsors.models import CompanyStatus, Placement, Role, VendorEdition, VendorEditionSection
from sponsors.rest import serializers

TEXT = models.TextField()
AT = Parameter("at", models.DateTimeField())


def _read_country(name: str, text: str) -> str:
    if text not in countries():
        raise bad_request(name, "not_a_country", f"{name} is two capital letters of ISO 3166-1, not {text!r}.")
    return text


def _by_section(rows: QuerySet[VendorEdition], slug: Parameter) -> QuerySet[VendorEdition]:
    return rows.filter(Exists(VendorEditionSection.objects.filter(edition=OuterRef("pk"), section__slug=slug)))


class VendorList(ListView):
    """The directory, by name. Nobody pays for an entry, or for its place."""

    representation = serializers.VendorSummary
    source = staticmethod(VendorEdition.objects.visible)
    kinds = ("vendor", "section", "manufacturer")
    tag = "vendor_id"
    maximum_limit = 200
    orders = {
        "name": Order((text_key("name"), id_key("vendor_id"))),
        "newest": Order((instant_key("published_at"), id_key("vendor_id")), falling=True),
    }
    filters = {
        "section": Filter(parameters.read_text, _by_section, TEXT, "Slug."),
        "role": Filter(parameters.one_of(*Role.values), lambda rows, p: rows.filter(role=p), TEXT),
        "company_status": Filter(
            parameters.one_of(*CompanyStatus.values), lambda rows, p: rows.filter(company_status=p), TEXT
        ),
        "country": Filter(_read_country, lambda rows, p: rows.filter(country=p), TEXT, "ISO 3166-1 alpha-2."),
        "manufacturer": Filter(parameters.read_text, lambda rows, p: rows.filter(manufacturer__slug=p), TEXT, "Slug."),
        "parent": Filter(
            parameters.read_text, lambda rows, p: rows.owned_by(p, AT), TEXT, "Slug of the company that owns it."
        ),
        "domain": Filter(
            parameters.read_text, lambda rows, p: rows.filter(domain=p), TEXT, "Registrable, in ASCII: example.com."
        ),
        "search": Filter(
            parameters.read_text,
            lambda rows, p: rows.matching(p),
            TEXT,
            "Words of the name, the city or the description.",
        ),
    }


class VendorItem(ItemView):
    """One entry of the directory. An address that it once had redirects to that of today."""

    choices = IN_UNITS
    representation = serializers.VendorRepresentation
    source = staticmethod(VendorEdition.objects.visible)
    moved = staticmethod(VendorEdition.objects.moved_from)
    kinds = ("vendor", "section", "manufacturer", "fact", "source")
    id_column = "vendor_id"


class PlacementList(ListView):
    """What is shown now in the slots, and for whose money."""

    representation = serializers.PlacementRepresentation
    source = staticmethod(Placement.objects.visible)
    kinds = ("placement", "vendor")
    orders = {"slot": Order((text_key("slot"), number_key("lane"), id_key()))}
    filters = {
        "slot": Filter(parameters.read_text, lambda rows, p: rows.filter(slot=p), TEXT, "Where it appears."),
        "vendor": Filter(
            parameters.read_text,
            lambda rows, p: rows.filter(
                Exists(VendorEdition.objects.visible(AT).filter(vendor=OuterRef("vendor"), slug=p))
            ),
            TEXT,
            "Slug.",
        ),
    }


class PlacementItem(ItemView):
    """One placement, while it is shown. It has an id and no slug."""

    representation = serializers.PlacementRepresentation
    source = staticmethod(Placement.objects.visible)
    kinds = ("placement", "vendor")

    def question(self, asked: Any, **kwargs: Any) -> str:
        if as_uuid(kwargs["key"]) is None:
            raise not_found()
        return super().question(asked, **kwargs)


class ReportList(ListView):
    """What was paid for and shown, the newest first: the public record, which outlives the placements.

    It names the domain that a placement led to and gives no address to follow: the domain may have changed hands.
    """

    representation = serializers.ShownRepresentation
    source = staticmethod(Placement.objects.shown_by)
    kinds = ("placement", "vendor")
    orders = {"newest": Order((instant_key("shown_from"), id_key()), falling=True)}
    filters = {
        "slot": Filter(parameters.read_text, lambda rows, p: rows.filter(slot=p), TEXT),
        "vendor": Filter(
            parameters.read_uuid, lambda rows, p: rows.filter(vendor=p), models.UUIDField(), "Id, for it may be gone."
        ),
    }

"""What a text links to or shows, each with its address of today."""

from typing import Any

from django.db.models import Case, OuterRef, QuerySet, Subquery, When

from articles.models import Edition
from catalog.models import Device, Installation
from core.publishing.models import Reference
from simulator.models import Scenario
from sponsors.models import VendorEdition


def links(at: Any) -> QuerySet[Reference]:
    """Return the references that texts make by links and blocks.

    Each has `today`, the slug at `at` (timezone-aware, or an expression) of what it names; null where there is nothing
    to read.
    """
    target = OuterRef("target_id")
    today = {
        "article": Edition.objects.visible(at).filter(article=target),
        "vendor": VendorEdition.objects.visible(at).filter(vendor=target),
        "device": Device.objects.visible(at).filter(pk=target),
        "installation": Installation.objects.visible(at).filter(pk=target),
        "scenario": Scenario.objects.visible(at).filter(pk=target),
    }
    slug = Case(*[When(target_kind=kind, then=Subquery(rows.values("slug")[:1])) for kind, rows in today.items()])
    rows = Reference.objects.filter(role__in=["link", "mention"], target_kind__in=list(today))
    return rows.annotate(today=slug)

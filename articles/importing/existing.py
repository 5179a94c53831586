"""What of the things that a folder names is in the database already, under the slug of today or an earlier one."""

from collections.abc import Collection
from typing import Any

from django.db import models

from articles.models import Author
from catalog.models import Device, Installation, Manufacturer, RackType, Rung, Section
from core.facts.models import Source
from core.media.models import Image
from core.publishing.models import BaseEdition
from simulator.models import Scenario
from sponsors.models import VendorEdition

TABLES: dict[str, tuple[type[models.Model], str]] = {
    "section": (Section, "slug"),
    "rung": (Rung, "slug"),
    "author": (Author, "slug"),
    "source": (Source, "slug"),
    "device": (Device, "slug"),
    "rack_type": (RackType, "slug"),
    "manufacturer": (Manufacturer, "slug"),
    "installation": (Installation, "slug"),
    "scenario": (Scenario, "slug"),
    "image": (Image, "name"),
}


def existing_slugs(kind: str, slugs: Collection[str]) -> set[str]:
    """Return which of `slugs` there are of `kind`."""
    if kind == "vendor":
        return set(subjects_at(VendorEdition, slugs))
    model, column = TABLES[kind]
    return set(model._default_manager.filter(**{f"{column}__in": slugs}).values_list(column, flat=True))


def subjects_at(editions: type[BaseEdition], slugs: Collection[str]) -> dict[str, Any]:
    """Return the article or vendor of each of `slugs`: what has it today, else what last had an edition with it.

    A file keeps the slug that it came with, an editor may give another one. Without the earlier slugs the file would
    come in as a second article, at an address that redirects to the first.
    """
    name = editions.subject_name
    model: Any = editions._meta.get_field(name).related_model
    found = {row.slug: row for row in model.objects.filter(slug__in=slugs)}
    once = editions._default_manager.filter(slug__in=set(slugs) - set(found)).order_by("submitted_at", "pk")
    moved = dict(once.values_list("slug", name))
    rows = model.objects.in_bulk(list(moved.values()))
    return found | {slug: rows[pk] for slug, pk in moved.items()}

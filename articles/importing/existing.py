"""What of the things that a folder names is in the database already."""

from collections.abc import Collection

from django.db import models

from articles.models import Author
from catalog.models import Device, Installation, Manufacturer, RackType, Rung, Section
from core.facts.models import Source
from core.media.models import Image
from simulator.models import Scenario
from sponsors.models import Vendor

TABLES: dict[str, tuple[type[models.Model], str]] = {
    "section": (Section, "slug"),
    "rung": (Rung, "slug"),
    "author": (Author, "slug"),
    "source": (Source, "slug"),
    "device": (Device, "slug"),
    "rack_type": (RackType, "slug"),
    "manufacturer": (Manufacturer, "slug"),
    "installation": (Installation, "slug"),
    "vendor": (Vendor, "slug"),
    "scenario": (Scenario, "slug"),
    "image": (Image, "name"),
}


def existing_slugs(kind: str, slugs: Collection[str]) -> set[str]:
    """Return which of `slugs` there are of `kind`."""
    model, column = TABLES[kind]
    return set(model._default_manager.filter(**{f"{column}__in": slugs}).values_list(column, flat=True))

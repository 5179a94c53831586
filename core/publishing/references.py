"""Where is this used: what the table of references says of a record."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models

from core.publishing.models import Reference


def uses_of(ids: Iterable[Any]) -> list[str]:
    """Return a line for each thing that names one of the records `ids`: an article, a vendor, a scenario."""
    rows = (
        Reference.objects.filter(target_id__in=list(ids))
        .exclude(holder_id=models.F("target_id"))
        .values_list("holder_kind", "holder_id")
        .distinct()
        .order_by("holder_kind", "holder_id")
    )
    holders: dict[str, list[UUID]] = {}
    for kind, pk in rows:
        holders.setdefault(kind, []).append(pk)
    return [line for kind, pks in holders.items() for line in _names(kind, pks)]


def refuse_used(ids: Iterable[Any], *others: str) -> None:
    """Raise ValidationError `is_used`, by name, while something names one of the records `ids`, or is of `others`."""
    uses = list(dict.fromkeys([*others, *uses_of(ids)]))
    if uses:
        raise ValidationError(f"It is in use: {'; '.join(uses)}.", code="is_used")


def _names(kind: str, ids: list[UUID]) -> list[str]:
    """Return the holders by name. A kind is the name of its model: what has gone since is named by its id."""
    model = next((model for model in apps.get_models() if model._meta.model_name == kind), None)
    found = model._default_manager.in_bulk(ids) if model is not None else {}
    return [f"{kind.capitalize()}: {found.get(pk, pk)}" for pk in ids]

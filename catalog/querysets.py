"""How the catalogue is read. All of it is public: it has no drafts."""

from datetime import datetime
from typing import Any, Self

from django.db import models

from core.api.words import words_query
from core.facts.models import Fact


class CatalogQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the rows that the public sees: all."""
        return self.all()


class DeviceQuerySet(CatalogQuerySet):
    def matching(self, words: Any) -> Self:
        """Return the devices in which `words` (as in a search box) stand: as they are spelled, or by their stems."""
        return self.filter(search=words_query(words, "simple", "english"))


class InstallationQuerySet(CatalogQuerySet):
    def stating(self, measures: str, comparison: str, base_value: Any) -> Self:
        """Return the installations whose greatest quantity of what `measures` says is `gte` or `lte` a base value.

        Only claims in use count. Which states none is not found.
        """
        greatest = (
            Fact.objects.filter(
                subject_kind="installation", subject_id=models.OuterRef("pk"), chosen__measures=measures
            )
            .order_by("-chosen__base_value")
            .values("chosen__base_value")[:1]
        )
        name = f"greatest_{measures}"
        return self.annotate(**{name: models.Subquery(greatest)}).filter(**{f"{name}__{comparison}": base_value})

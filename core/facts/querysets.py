"""How facts are read. All of them are public."""

from datetime import datetime
from typing import Any, Self

from django.db import models


class SourceQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the sources that the public sees: all."""
        return self.all()


class FactQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the facts that the public sees: all."""
        return self.all()

    def in_conflict(self, wanted: Any) -> Self:
        """Return the facts whose sources disagree, or those whose sources do not."""
        claims: Any = self.model._meta.get_field("claims").related_model
        found = models.Exists(claims._default_manager.filter(fact=models.OuterRef("pk")).conflicts())
        return self.annotate(is_contested=found).filter(is_contested=wanted)

    def in_use(self, measures: str, comparison: str, base_value: Any) -> Self:
        """Return the facts whose claim in use is of what `measures` says, `gte` or `lte` a value in base units."""
        return self.filter(**{"chosen__measures": measures, f"chosen__base_value__{comparison}": base_value})

    def of(self, subject_kind: str, subject_id: Any) -> Self:
        """Return the facts of one subject."""
        return self.filter(subject_kind=subject_kind, subject_id=subject_id)


class ClaimQuerySet(models.QuerySet):
    def conflicts(self) -> models.QuerySet:
        """Return a row for each kind of claim, of one fact, of which the values differ: exactly, as quantities.

        What is nameplate and what was measured are two things, so they differ without a conflict.
        """
        kinds: models.QuerySet = (
            self.order_by()
            .values("claim_kind")
            .annotate(
                least=models.Min("base_value"),
                most=models.Max("base_value"),
                first=models.Min("measures"),
                last=models.Max("measures"),
            )
            .filter(models.Q(least__lt=models.F("most")) | models.Q(first__lt=models.F("last")))
        )
        return kinds

    def visible(self, at: datetime | Any) -> Self:
        """Return the claims that the public sees: all."""
        return self.all()

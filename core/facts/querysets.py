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

    def of(self, subject_kind: str, subject_id: Any) -> Self:
        """Return the facts of one subject."""
        return self.filter(subject_kind=subject_kind, subject_id=subject_id)


class ClaimQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the claims that the public sees: all."""
        return self.all()

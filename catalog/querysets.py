"""How the catalogue is read. All of it is public: it has no drafts."""

from datetime import datetime
from typing import Any, Self

from django.db import models

from core.api.words import words_query


class CatalogQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the rows that the public sees: all."""
        return self.all()


class DeviceQuerySet(CatalogQuerySet):
    def matching(self, words: Any) -> Self:
        """Return the devices in which `words` (as in a search box) stand: as they are spelled, or by their stems."""
        return self.filter(search=words_query(words, "simple", "english"))

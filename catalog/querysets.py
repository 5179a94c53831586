"""How the catalogue is read. All of it is public: it has no drafts."""

from datetime import datetime
from typing import Any, Self

from django.db import models


class CatalogQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the rows that the public sees: all."""
        return self.all()

"""How editions are read."""

from datetime import datetime
from typing import Any, Self

from django.db import models


class EditionQuerySet(models.QuerySet):
    """Editions of one kind. What readers may see is decided in `visible`, and nowhere else."""

    def visible(self, at: datetime | Any) -> Self:
        """Return the editions that readers see at `at` (timezone-aware, or an expression): at most one a subject."""
        return self.filter(live__contains=at)

    def begun(self, at: datetime | Any) -> Self:
        """Return the editions that were live at some instant up to `at`."""
        return self.filter(live__startswith__lte=at)

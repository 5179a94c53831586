"""How editions are read."""

from datetime import datetime
from typing import Any, Self

from django.db import models
from django.db.models import Func

from core.api.as_of import is_history

STATEMENT_TIME = Func(function="statement_timestamp", output_field=models.DateTimeField())


class EditionQuerySet(models.QuerySet):
    """Editions of one kind. What readers may see is decided in `visible`, and nowhere else."""

    def visible(self, at: datetime | Any) -> Self:
        """Return the editions that readers see at `at` (timezone-aware, or an expression): at most one a subject."""
        rows = self.filter(live__contains=at)
        if is_history(at):
            # What was withdrawn, and is not live again, answers with none of its editions.
            subject = self.model.subject_name
            today = self.model._default_manager.filter(
                live__contains=STATEMENT_TIME, **{subject: models.OuterRef(subject)}
            )
            rows = rows.filter(models.Exists(today))
        return rows

    def begun(self, at: datetime | Any) -> Self:
        """Return the editions that were live at some instant up to `at`."""
        return self.filter(live__startswith__lte=at)

    def moved_from(self, slug: Any, at: datetime | Any) -> Self:
        """Return the visible edition of what once stood at `slug` and has another address now."""
        subject = self.model.subject_name
        once = self.model._default_manager.begun(at).filter(slug=slug, **{subject: models.OuterRef(subject)})
        return self.visible(at).filter(models.Exists(once)).exclude(slug=slug).order_by("-published_at", "-id")

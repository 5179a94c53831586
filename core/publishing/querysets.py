"""How editions are read."""

from datetime import datetime
from typing import Any, Self

from django.apps import apps
from django.db import models
from django.db.models import Case, F, Func, Q, When

from core.api.as_of import is_history

LIVE_BEGINS = Func(F("live"), function="lower", output_field=models.DateTimeField())
LIVE_ENDS = Func(F("live"), function="upper", output_field=models.DateTimeField())
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

    def moved_from(self, slug: Any, at: datetime | Any) -> Self:
        """Return the visible edition of what once stood at `slug` and has another address now."""
        subject = self.model.subject_name
        leads = apps.get_model("publishing", "Redirect").objects.filter(
            kind=subject, address=slug, live__contains=at, subject_id=models.OuterRef(subject)
        )
        return self.visible(at).filter(models.Exists(leads)).order_by("-published_at", "-id")


class RedirectQuerySet(models.QuerySet):
    """Old addresses and where they lead. What leads nowhere any more is told of by its id alone."""

    def visible(self, at: datetime | Any) -> Self:
        """Return the redirects that hold at `at` (timezone-aware, or an expression), as `told` does."""
        return self.filter(live__contains=at).annotate(
            record_id=F("subject_id"), old_address=F("address"), today=F("slug"), changed_at=LIVE_BEGINS
        )

    def told(self, at: datetime | Any) -> Self:
        """Return all that began up to `at`: those that hold then, and what is left of those that ended.

        `changed_at` is when it began or ended. Of what ended nothing is told but that: it may have been withdrawn.
        """
        holds = Q(live__contains=at)
        return self.filter(live__startswith__lte=at).annotate(
            record_id=Case(When(holds, then=F("subject_id"))),
            old_address=Case(When(holds, then=F("address"))),
            today=Case(When(holds, then=F("slug"))),
            changed_at=Case(When(holds, then=LIVE_BEGINS), default=LIVE_ENDS),
        )

    def changed_since(self, since: datetime | Any) -> Self:
        """Return what of `told` began or ended at `since` or later."""
        moved = Q(live__startswith__gte=since) | Q(live__endswith__gte=since)
        return self.filter(moved, changed_at__gte=since)

    def at_address(self, address: Any) -> Self:
        """Return the redirects of one old slug or path."""
        return self.filter(old_address=address)

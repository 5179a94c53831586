"""How the directory and the placements are read. What readers see is decided in `visible`, and nowhere else."""

from datetime import datetime
from typing import Any, Self

from django.contrib.postgres.fields import DateTimeRangeField
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q
from django.db.models.functions import Greatest, Least

from core.api.words import words_query
from core.publishing.querysets import EditionQuerySet


class VendorEditionQuerySet(EditionQuerySet):
    """Editions of vendors: the one that is `visible(at)` is the entry of the directory."""

    def matching(self, words: Any) -> Self:
        """Return the editions in which `words` (as in a search box) stand: as they are spelled, or by their stems."""
        return self.filter(search=words_query(words, "simple", "english"))

    def owned_by(self, slug: Any, at: datetime | Any) -> Self:
        """Return the editions of vendors whose owner stands at `slug` at `at`."""
        return self.filter(Exists(self.model._default_manager.visible(at).filter(vendor=OuterRef("parent"), slug=slug)))


class PlacementQuerySet(models.QuerySet):
    """Paid appearances of vendors."""

    def visible(self, at: datetime | Any) -> Self:
        """Return the placements that readers see at `at` (timezone-aware, or an expression).

        That is within the period, from the second approval (a trigger lets nothing else set `approved_at`) until the
        suspension, while the vendor is live. `sponsors_placement_shown` in the database says the same to the feed.
        """
        return self.filter(
            Q(suspended_at=None) | Q(suspended_at__gt=at),
            period__contains=at,
            approved_at__lte=at,
            vendor__editions__live__contains=at,
        )

    def shown_by(self, at: datetime | Any) -> Self:
        """Return the placements that readers saw at some instant up to `at`, with `shown_from` and `shown_until`.

        The public record of what was paid for. It outlives the placement and the vendor's entry.
        """
        begins = Func(F("period"), function="lower", output_field=models.DateTimeField())
        ends = Func(F("period"), function="upper", output_field=models.DateTimeField())
        shown = Func(
            OuterRef("shown_from"), OuterRef("shown_until"), function="tstzrange", output_field=DateTimeRangeField()
        )
        live = self.model._default_manager.filter(pk=OuterRef("pk"), vendor__editions__live__overlap=shown)
        return self.annotate(
            shown_from=Greatest(begins, "approved_at"), shown_until=Least(ends, "suspended_at")
        ).filter(
            Exists(live),
            approved_at__isnull=False,
            shown_from__lte=at,
            shown_from__lt=F("shown_until"),
        )

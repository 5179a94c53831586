"""How the directory and the placements are read. What readers see is decided in `visible`, and nowhere else."""

from datetime import datetime
from typing import Any, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from core.publishing.querysets import EditionQuerySet


class VendorEditionQuerySet(EditionQuerySet):
    """Editions of vendors: the one that is `visible(at)` is the entry of the directory."""

    def moved_from(self, slug: Any, at: datetime | Any) -> Self:
        """Return the visible edition of a vendor that once stood at `slug` and has another address now."""
        once = self.model._default_manager.begun(at).filter(vendor=OuterRef("vendor"), slug=slug)
        return self.visible(at).filter(Exists(once)).exclude(slug=slug).order_by("-published_at", "-id")


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

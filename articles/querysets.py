"""How the publication is read. What readers see of an article is its edition that is `visible(at)`."""

from datetime import datetime
from typing import Any, Self

from django.db import models

from core.api.words import words_query
from core.publishing.querysets import EditionQuerySet


class BylineQuerySet(models.QuerySet):
    """Authors and tags: records of their own, public as they are, so that a follower of the feed misses none."""

    def visible(self, at: datetime | Any) -> Self:
        """Return the rows that the public sees: all."""
        return self.all()


class ArticleEditionQuerySet(EditionQuerySet):
    """Editions of articles, as the public sees them."""

    def matching(self, words: Any) -> Self:
        """Return the editions in which `words` (as in a search box) stand, by their stems."""
        return self.filter(search=words_query(words, "english"))

    def old_addresses(self, at: datetime | Any) -> Self:
        """Return one edition for each address that a visible article once had and that leads nowhere else now.

        Each has `today`, the slug of the article at `at`.
        """
        editions = self.model._default_manager
        today = editions.visible(at).filter(article=models.OuterRef("article"))
        later_same = editions.begun(at).filter(
            article=models.OuterRef("article"), slug=models.OuterRef("slug"), number__gt=models.OuterRef("number")
        )
        in_use = editions.visible(at).filter(slug=models.OuterRef("slug"))
        return (
            self.begun(at)
            .filter(models.Exists(today), ~models.Exists(later_same), ~models.Exists(in_use))
            .annotate(today=models.Subquery(today.values("slug")[:1]))
        )

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

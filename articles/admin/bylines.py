"""Authors and tags."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from unfold.decorators import display

from articles.models import Author, Authorship, Tag, Tagging
from core.api.admin import RecordAdmin
from core.publishing.admin.states import CLOCK


class CountsArticles:
    """Counts the articles that readers see under a name."""

    joins: Any
    column: str

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        live = (
            self.joins.objects.filter(**{self.column: OuterRef("pk")}, edition__live__contains=CLOCK)
            .order_by()
            .values(self.column)
            .annotate(n=Count("pk"))
            .values("n")
        )
        return super().get_queryset(request).annotate(live_count=Coalesce(Subquery(live), 0))  # type: ignore[misc]

    @display(description="Live articles", ordering="live_count")
    def live_articles(self, row: Any) -> int:
        return row.live_count


@admin.register(Author)
class AuthorAdmin(CountsArticles, RecordAdmin):
    joins, column = Authorship, "author"
    list_display = ["name", "slug", "live_articles"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    autocomplete_fields = ["image"]
    fields = ["name", "slug", "bio", "homepage", "image"]
    empty_sentence = "An author is a byline; it needs no account. Add the people who sign your articles."


@admin.register(Tag)
class TagAdmin(CountsArticles, RecordAdmin):
    joins, column = Tagging, "tag"
    list_display = ["name", "slug", "live_articles"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    fields = ["name", "slug"]
    empty_sentence = "A tag is a free label of an article."

"""The publication over REST."""

from django.db import models
from django.db.models import Exists, OuterRef, QuerySet

from articles.models import Author, Authorship, Edition, Tag, Tagging
from articles.rest import serializers
from articles.uses import KINDS, LOOKED_AT, using
from core.api import parameters
from core.api.compiled import Parameter
from core.api.keyset import BY_SLUG, Order, id_key, instant_key
from core.facts.shown import IN_UNITS
from core.feed.views import Filter, ItemView, ListView

TEXT = models.TextField()
NEWEST = (instant_key("published_at"), id_key("article_id"))
LISTED_KINDS = ("article", "section", "rung", "author", "tag", "image")


def _by_author(rows: QuerySet[Edition], slug: Parameter) -> QuerySet[Edition]:
    return rows.filter(Exists(Authorship.objects.filter(edition=OuterRef("pk"), author__slug=slug)))


def _by_tag(rows: QuerySet[Edition], slug: Parameter) -> QuerySet[Edition]:
    return rows.filter(Exists(Tagging.objects.filter(edition=OuterRef("pk"), tag__slug=slug)))


def _using(kind: str) -> Filter:
    """Return the filter by a record that the text links to, shows, cites or is bound to."""
    key = "Name" if kind == "image" else "Slug"
    return Filter(
        parameters.read_text,
        lambda rows, value: using(rows, kind, value),
        TEXT,
        f"{key} of {kind}: articles that name it.",
        kinds=LOOKED_AT[kind],
    )


class ArticleList(ListView):
    """Articles, the newest first. `as_of` shows the list of another instant."""

    representation = serializers.ArticleSummary
    source = staticmethod(Edition.objects.visible)
    kinds = LISTED_KINDS
    takes_as_of = True
    tag = "article_id"
    orders = {"newest": Order(NEWEST, falling=True), "oldest": Order(NEWEST)}
    filters = {
        **{("links_to" if kind == "article" else kind): _using(kind) for kind in KINDS},
        "section": Filter(parameters.read_text, lambda rows, p: rows.filter(section__slug=p), TEXT, "Slug."),
        "rung": Filter(parameters.read_text, lambda rows, p: rows.filter(rung__slug=p), TEXT, "Slug."),
        "author": Filter(parameters.read_text, _by_author, TEXT, "Slug."),
        "tag": Filter(parameters.read_text, _by_tag, TEXT, "Slug."),
        "search": Filter(
            parameters.read_text,
            lambda rows, p: rows.matching(p),
            TEXT,
            'Words, "a phrase", or, -not.',
        ),
        "published_since": Filter(
            parameters.read_instant, lambda rows, p: rows.filter(published_at__gte=p), models.DateTimeField()
        ),
    }


class ArticleItem(ItemView):
    """One article, whole. An address that it once had redirects to that of today."""

    choices = IN_UNITS
    representation = serializers.ArticleRepresentation
    source = staticmethod(Edition.objects.visible)
    moved = staticmethod(Edition.objects.moved_from)
    kinds = (*LISTED_KINDS, "source", "fact", "device", "installation", "vendor", "scenario")
    takes_as_of = True
    id_column = "article_id"


class AuthorList(ListView):
    """Bylines."""

    representation = serializers.AuthorRepresentation
    source = staticmethod(Author.objects.visible)
    kinds = ("author", "image")
    orders = BY_SLUG


class AuthorItem(ItemView):
    """One byline."""

    representation = serializers.AuthorRepresentation
    source = staticmethod(Author.objects.visible)
    kinds = ("author", "image")


class TagList(ListView):
    """Tags."""

    representation = serializers.TagRepresentation
    source = staticmethod(Tag.objects.visible)
    kinds = ("tag",)
    orders = BY_SLUG


class TagItem(ItemView):
    """One tag."""

    representation = serializers.TagRepresentation
    source = staticmethod(Tag.objects.visible)
    kinds = ("tag",)

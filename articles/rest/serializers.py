"""What readers can get of the publication. An article is its edition that is visible at the instant asked for."""

import json
from typing import Any

from django.db import models
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from rest_framework import serializers

from articles.corrections import GRAVITIES
from articles.links import links
from articles.models import Author, BoundQuantity, Citation, Edition, Tag
from articles.pictures import images_shown, shown_part
from catalog.rest.serializers import RungBrief, SectionBrief
from core.api.addresses import media_base
from core.api.compiled import constant
from core.api.representations import BoundField, Compiled, ContentField, Many, OptionalTextField, Representation
from core.facts.rest import SourceBrief
from core.facts.shown import ConvertedRepresentation, DigitsField, QuantityText
from core.media.rest import ImageRepresentation
from core.publishing.models import Reference


class ShownField(Compiled, serializers.JSONField):
    """A part of the content of an edition, with the images that its HTML names."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: Edition) -> Any:
        rows = Edition.objects.filter(pk=value.pk).annotate(shown=shown_part(self.key, constant(media_base())))
        return json.loads(rows.values_list("shown", flat=True)[0])

    def to_sql(self, source: str, at: Any) -> Combinable:
        return Cast(shown_part(self.key), models.JSONField())


class AuthorRepresentation(Representation):
    image = ImageRepresentation(allow_null=True)

    class Meta:
        model = Author
        fields = ["id", "slug", "name", "bio", "homepage", "image", "created_at", "updated_at"]


class AuthorBrief(Representation):
    class Meta:
        model = Author
        fields = ["id", "slug", "name"]


class TagRepresentation(Representation):
    class Meta:
        model = Tag
        fields = ["id", "slug", "name", "created_at", "updated_at"]


class TagBrief(Representation):
    class Meta:
        model = Tag
        fields = ["id", "slug", "name"]


class CitationRepresentation(Representation):
    """A numbered reference of the text, with the source as it is known today."""

    source = SourceBrief()  # type: ignore[assignment]  # the metaclass takes it out of the class

    class Meta:
        model = Citation
        fields = ["number", "source"]


class TodayRepresentation(serializers.Serializer):
    """What the record behind a quantity says now; all null or empty where it says nothing any more."""

    value = DigitsField(source="now_value", allow_null=True)
    unit = serializers.CharField(source="now_unit")
    text = QuantityText("now_value", "now_unit")
    dated = serializers.CharField(source="now_dated")
    confidence = serializers.CharField(source="now_confidence")
    claim_kind = serializers.CharField(source="now_claim_kind")
    source_id = serializers.UUIDField(source="now_source_id", allow_null=True)
    source = serializers.CharField(source="now_source", allow_null=True)  # type: ignore[assignment]


class QuantityRepresentation(Representation):
    """A quantity of the text, as it was frozen: `value`, `unit` and source never move.

    `text` and `converted` are in the units that were asked for. `stale`: its record says another quantity today, which
    stands in `now`; `source_changed`: the same one, but by another source, date, kind or confidence. Both are about
    today, also in the answer as of an earlier instant.
    """

    value = DigitsField()
    text = QuantityText(stored="text")
    converted = ConvertedRepresentation(source="*")
    source_id = serializers.UUIDField(allow_null=True)
    source = OptionalTextField(source="source_slug")  # type: ignore[assignment]
    stale = serializers.BooleanField(source="is_stale")
    source_changed = serializers.BooleanField(source="is_source_changed")
    now = TodayRepresentation(source="*")

    class Meta:
        model = BoundQuantity
        fields = [
            "key", "text", "value", "unit", "converted", "record", "record_id", "field", "dated", "confidence",
            "claim_kind", "source_id", "source", "stale", "source_changed", "now",
        ]  # fmt: skip


class LinkRepresentation(Representation):
    """What the text links to: `slug` is its address today, null when there is nothing to read."""

    kind = serializers.CharField(source="target_kind")
    id = serializers.UUIDField(source="target_id")
    written = serializers.CharField(source="target_key")
    slug = serializers.CharField(source="today", allow_null=True)

    class Meta:
        model = Reference
        fields = ["kind", "id", "written", "slug"]


_SUMMARY = [
    "id", "slug", "title", "dek", "section", "rung", "authors", "tags", "image",
    "published_at", "updated_at", "edition", "word_count", "reading_minutes", "corrected",
]  # fmt: skip


class ArticleSummary(Representation):
    """An article in a list."""

    id = serializers.UUIDField(source="article_id")
    section = SectionBrief(allow_null=True)
    rung = RungBrief(allow_null=True)
    authors = Many(
        AuthorBrief,
        lambda at, outer: (
            Author.objects.visible(at).filter(authorships__edition=outer).order_by("authorships__position", "id")
        ),
    )
    tags = Many(
        TagBrief, lambda at, outer: Tag.objects.visible(at).filter(taggings__edition=outer).order_by("slug", "id")
    )
    image = ImageRepresentation(allow_null=True)
    updated_at = BoundField("lower", source="live")
    edition = serializers.IntegerField(source="number")
    reading_minutes = serializers.IntegerField(read_only=True)
    corrected = serializers.ChoiceField(choices=GRAVITIES, allow_null=True, read_only=True)

    class Meta:
        model = Edition
        fields = _SUMMARY


class ArticleRepresentation(ArticleSummary):
    """An article whole: Markdown, HTML and typed blocks of the same text, with what stands behind its numbers."""

    markdown = ContentField("body")
    html = ShownField("html")
    blocks = ShownField("blocks")
    images = Many(ImageRepresentation, lambda at, outer: images_shown(at, outer).order_by("name"))
    toc = ContentField("toc")
    footnotes = ShownField("footnotes")
    citations = Many(
        CitationRepresentation, lambda at, outer: Citation.objects.filter(edition=outer).order_by("number")
    )
    quantities = Many(
        QuantityRepresentation, lambda at, outer: BoundQuantity.objects.filter(edition=outer).today().order_by("number")
    )
    links = Many(LinkRepresentation, lambda at, outer: links(at).filter(edition_id=outer).order_by("id"))
    explains = ContentField("explains")
    corrections = ContentField("corrections")

    class Meta:
        model = Edition
        fields = [
            *_SUMMARY, "markdown", "html", "blocks", "images", "toc", "footnotes", "citations", "quantities", "links",
            "explains", "corrections", "sha256",
        ]  # fmt: skip

"""What readers can get of the publication. An article is its edition that is visible at the instant asked for."""

from rest_framework import serializers

from articles.links import links
from articles.models import Author, Citation, Edition, Tag
from catalog.rest.serializers import RungBrief, SectionBrief
from core.api.representations import BoundField, ContentField, Many, Representation
from core.facts.rest import SourceBrief
from core.media.rest import ImageRepresentation
from core.publishing.models import Reference


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
    "published_at", "updated_at", "edition", "word_count", "reading_minutes",
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
    reading_minutes = ContentField("reading_minutes")

    class Meta:
        model = Edition
        fields = _SUMMARY


class ArticleRepresentation(ArticleSummary):
    """An article whole: Markdown, HTML and typed blocks of the same text, with what stands behind its numbers."""

    markdown = ContentField("body")
    html = ContentField("html")
    blocks = ContentField("blocks")
    toc = ContentField("toc")
    footnotes = ContentField("footnotes")
    citations = Many(
        CitationRepresentation, lambda at, outer: Citation.objects.filter(edition=outer).order_by("number")
    )
    quantities = ContentField("quantities")
    links = Many(LinkRepresentation, lambda at, outer: links(at).filter(edition_id=outer).order_by("id"))
    explains = ContentField("explains")
    corrections = ContentField("corrections")

    class Meta:
        model = Edition
        fields = [
            *_SUMMARY, "markdown", "html", "blocks", "toc", "footnotes", "citations", "quantities", "links",
            "explains", "corrections", "sha256",
        ]  # fmt: skip

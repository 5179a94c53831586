"""What came from where: the identity of imported articles, authors and pictures, so that a second run knows them.

Django finds these models by way of articles/models.py.
"""

from django.db import models
from django.db.models.functions import Now

from core.api.fields import IdField
from core.media.models import Image


class Brought(models.Model):
    """Something that came from a site. `source_kind`, `site` and `source_id` are its identity for ever."""

    id = IdField()
    source_kind = models.CharField(max_length=20, help_text="wordpress, ghost, hugo, …")
    site = models.CharField(max_length=300, help_text="Host and path of the site: old.example/blog.")
    source_id = models.CharField(max_length=1000, help_text="What the source calls it.")
    brought_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.source_kind} {self.site} {self.source_id}"


class ImportedItem(Brought):
    """An article that came. Without an article, an editor deleted it here; it does not come back.

    `sha256` is that of what the source said when it came last, `draft_version` that of the draft which then held it:
    a later one was changed here. `publish_at` is when the old site was to publish it; nothing is armed by it.
    """

    article = models.ForeignKey("articles.Article", null=True, on_delete=models.SET_NULL, related_name="imported_items")
    sha256 = models.CharField(max_length=64)
    draft_version = models.PositiveIntegerField()
    publish_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source_kind", "site", "source_id"], name="imported_item_once"),
        ]


class ImportedAuthor(Brought):
    """An author who came. `email` finds the same person in another export; it is never shown."""

    author = models.ForeignKey("articles.Author", on_delete=models.CASCADE, related_name="imported_authors")
    email = models.EmailField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source_kind", "site", "source_id"], name="imported_author_once"),
        ]


class ImportedPicture(Brought):
    """A picture that came: `source_id` is its file below the uploads of the old site, or its address elsewhere."""

    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="imported_pictures")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source_kind", "site", "source_id"], name="imported_picture_once"),
        ]

"""Images. Files live in the storage that settings name; their addresses never carry a signature."""

from datetime import datetime
from decimal import Decimal
from typing import Any, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Concat, Left, Now

from core.api.fields import IdField

MIDDLE = Decimal("0.5")
ACROSS = [MinValueValidator(0), MaxValueValidator(1)]


class ImageQuerySet(models.QuerySet):
    def waiting(self, recipe: str) -> Self:
        """Return the images with a file whose renditions by `recipe` are not made yet."""
        complete = Concat(Left("sha256", 32), models.Value(f":{recipe}"), output_field=models.TextField())
        return self.exclude(file="").exclude(rendered=complete)

    def visible(self, at: datetime | Any) -> Self:
        """Return the images that the public may fetch by name: all. An image says nothing of the drafts that use it."""
        return self.all()


class RenditionQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the renditions of the files that images have now: those of a replaced file are for old pages alone."""
        return self.filter(source_sha256=models.F("image__sha256"))


class Image(models.Model):
    """A picture with what must stand beside it. In a body it goes by its name: `src=pump.png`.

    `file` is blank, and width and height are null, where an import knows of a picture that nobody has supplied yet.
    """

    id = IdField()
    name = models.CharField(max_length=120, unique=True, help_text="The name in bodies: pump.png.")
    file = models.FileField(max_length=300, blank=True, default="")
    width = models.PositiveIntegerField(null=True, editable=False)
    height = models.PositiveIntegerField(null=True, editable=False)
    sha256 = models.CharField(max_length=64, blank=True, default="", editable=False)
    byte_count = models.PositiveIntegerField(null=True, editable=False)
    uploaded_sha256 = models.CharField(
        max_length=64, blank=True, default="", editable=False, help_text="Of the upload, before it was written anew."
    )
    placeholder = models.TextField(
        blank=True, default="", editable=False, help_text="A few hundred bytes to show until the picture is there."
    )
    focal_x = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        default=MIDDLE,
        validators=ACROSS,
        help_text="0 is the left edge, 1 the right.",
    )
    focal_y = models.DecimalField(
        max_digits=4,
        decimal_places=3,
        default=MIDDLE,
        validators=ACROSS,
        help_text="0 is the top, 1 the bottom.",
    )
    alt = models.CharField(
        max_length=400, blank=True, default="", help_text="What a reader who does not see it should know."
    )
    credit = models.CharField(max_length=200, blank=True, default="")
    licence = models.CharField(max_length=80, blank=True, default="")
    source_url = models.URLField(max_length=500, blank=True, default="", help_text="Where an import found it.")
    rendered = models.CharField(
        max_length=200, blank=True, default="", editable=False, help_text="Of which file, by which recipe, it has all."
    )
    render_error = models.TextField(blank=True, default="", editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ImageQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                name="media_image_whole",
                condition=models.Q(file="", sha256="", width=None, height=None)
                | (~models.Q(file="") & ~models.Q(sha256="") & models.Q(width__gt=0, height__gt=0)),
            ),
            models.CheckConstraint(
                name="media_image_focal_point",
                condition=models.Q(focal_x__range=(0, 1), focal_y__range=(0, 1)),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def current_renditions(self) -> list["Rendition"]:
        """The renditions of the file that it has now, the narrowest first."""
        rows = [row for row in self.renditions.all() if row.source_sha256 == self.sha256]
        return sorted(rows, key=lambda row: (row.width, row.format))

    @property
    def srcset(self) -> str:
        """The WebP renditions as an `<img>` of a page of ours takes them."""
        place = self.file.storage
        return ", ".join(
            f"{place.url(row.file)} {row.width}w" for row in self.current_renditions if row.format == "webp"
        )


class Rendition(models.Model):
    """A picture at another width or in another format. Its file never changes: the name holds the hash of its bytes."""

    id = IdField()
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="renditions")
    source_sha256 = models.CharField(max_length=64, help_text="Of the file of the image that it was made from.")
    format = models.CharField(max_length=4, choices=[("webp", "WebP"), ("jpeg", "JPEG"), ("png", "PNG")])
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    byte_count = models.PositiveIntegerField()
    file = models.CharField(max_length=300)

    objects = RenditionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["image", "source_sha256", "format", "width"], name="media_rendition_once")
        ]

    def __str__(self) -> str:
        return f"{self.file} ({self.width} × {self.height})"

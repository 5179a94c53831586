"""Images. Files live in the storage that settings name; their addresses never carry a signature."""

from datetime import datetime
from typing import Any, Self

from django.db import models
from django.db.models.functions import Now

from core.api.fields import IdField


class ImageQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the images that the public may fetch by name: all. An image says nothing of the drafts that use it."""
        return self.all()


class Image(models.Model):
    """A picture with what must stand beside it. In a body it goes by its name: `src=pump.png`."""

    id = IdField()
    name = models.CharField(max_length=120, unique=True, help_text="The name in bodies: pump.png.")
    file = models.ImageField(upload_to="images/", width_field="width", height_field="height")
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    sha256 = models.CharField(max_length=64, editable=False)
    alt = models.CharField(max_length=400, help_text="What a reader who does not see it should know.")
    credit = models.CharField(max_length=200, blank=True, default="")
    licence = models.CharField(max_length=80, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ImageQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

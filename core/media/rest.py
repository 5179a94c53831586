"""How images are shown by other representations."""

from core.api.representations import MediaUrlField, Representation
from core.media.models import Image


class ImageRepresentation(Representation):
    url = MediaUrlField(source="file")

    class Meta:
        model = Image
        fields = ["id", "name", "url", "width", "height", "alt", "credit", "licence"]

"""How images are shown by other representations."""

from core.api.representations import Many, MediaUrlField, OptionalTextField, Representation
from core.media.models import Image, Rendition


class RenditionRepresentation(Representation):
    """A picture at one of the declared widths."""

    url = MediaUrlField(source="file")

    class Meta:
        model = Rendition
        fields = ["format", "width", "height", "url"]


class ImageRepresentation(Representation):
    """A picture. `url` and size are null while its file is missing; `srcset` fills a moment after it came."""

    url = MediaUrlField(source="file")
    srcset = Many(
        RenditionRepresentation,
        lambda at, outer: Rendition.objects.visible(at).filter(image=outer).order_by("format", "width"),
    )
    placeholder = OptionalTextField()

    class Meta:
        model = Image
        fields = [
            "id", "name", "url", "width", "height", "srcset", "placeholder", "focal_x", "focal_y", "alt", "credit",
            "licence",
        ]  # fmt: skip

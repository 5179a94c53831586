"""Pictures of any kind and size, made of a few colours."""

import io
from typing import Any

from PIL import Image as Pictures


def picture(kind: str = "PNG", size: tuple[int, int] = (8, 6), *, mode: str = "RGB", colour: Any = None) -> bytes:
    """Return the bytes of a picture of one colour."""
    stream = io.BytesIO()
    made = Pictures.new(mode, size, (200, 30, 30) if colour is None else colour)
    made.save(stream, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return stream.getvalue()


def photo(kind: str = "JPEG", size: tuple[int, int] = (1600, 900), **options: Any) -> bytes:
    """Return the bytes of a picture with more colours than a drawing has."""
    stream = io.BytesIO()
    round_, rising = (make("L").resize(size) for make in (Pictures.radial_gradient, Pictures.linear_gradient))
    Pictures.merge("RGB", (round_, rising, rising.transpose(Pictures.Transpose.FLIP_TOP_BOTTOM))).save(
        stream, kind, **options
    )
    return stream.getvalue()

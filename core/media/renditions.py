"""Renditions: a picture at declared widths, in WebP and in a format that everything reads.

What JPEG would spoil stays without loss: a picture with transparency, or a drawing (at most 256 colours, 32 if grey)
becomes PNG and lossless WebP; every other one becomes JPEG and lossy WebP. An animation has none: a still of it would
show something else.
"""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PIL import Image as Pictures

RECIPE = 1
"""Counted up when the same picture gives other renditions, so that all are made anew."""
ENDINGS = {"webp": "webp", "jpeg": "jpg", "png": "png"}
DRAWING_COLOURS = {"RGB": 256, "RGBA": 256, "L": 32, "LA": 32}


@dataclass(frozen=True)
class Made:
    """A rendition: `format` is webp, jpeg or png; width and height in pixels."""

    format: str
    width: int
    height: int
    content: bytes


def render(file: Any, widths: Iterable[int]) -> list[Made]:
    """Return the renditions of the stored picture `file` at those of `widths` that it is wide enough for.

    Raises OSError where the file cannot be read as a picture.
    """
    with Pictures.open(file) as picture:
        full_width, full_height = picture.size
        wanted = sorted(width for width in set(widths) if width <= full_width)
        if not wanted or getattr(picture, "n_frames", 1) > 1:
            return []
        sizes = [(width, max(1, round(full_height * width / full_width))) for width in wanted]
        is_photo = picture.format == "JPEG"
        if is_photo:
            # Decoded at a half, a quarter or an eighth where that is still twice as wide as the widest.
            picture.draft(None, (2 * sizes[-1][0], 2 * sizes[-1][1]))
        is_clear = picture.has_transparency_data and _has_holes(picture)
        is_drawing = not is_photo and (is_clear or _is_drawing(picture))
        base = picture.convert("RGBA" if is_clear else "RGB")
    made = []
    for size in sizes:
        small = base.resize(size, Pictures.Resampling.LANCZOS, reducing_gap=3.0)
        if is_drawing:
            made.append(Made("webp", *size, _saved(small, "WEBP", lossless=True, method=4)))
            made.append(Made("png", *size, _saved(small, "PNG", optimize=True)))
        else:
            made.append(Made("webp", *size, _saved(small, "WEBP", quality=80, method=4)))
            made.append(Made("jpeg", *size, _saved(small, "JPEG", quality=82, optimize=True, progressive=True)))
    return made


def _has_holes(picture: Any) -> bool:
    """Return whether a pixel of a picture that could be transparent is."""
    clear = picture if picture.mode in ("RGBA", "LA") else picture.convert("RGBA")
    return bool(clear.getchannel("A").getextrema()[0] < 255)


def _is_drawing(picture: Any) -> bool:
    most = DRAWING_COLOURS.get(picture.mode)
    return most is None or picture.getcolors(most) is not None


def _saved(picture: Any, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()

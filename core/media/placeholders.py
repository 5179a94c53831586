"""Placeholders: what stands where a picture will be, while it is on its way.

A WebP of 16 pixels as a data URI, of some 200 bytes: unlike a hash that is decoded by a script (BlurHash, ThumbHash) it
needs nothing in the browser but `background-image`, and every front-end can use it as it is.
"""

import base64
import io
from typing import Any

from PIL import Image as Pictures

LONGEST_SIDE = 16


def placeholder_of(picture: Any) -> str:
    """Return the placeholder of a picture (Pillow; of an animation its current frame), which stays as it is."""
    factor = LONGEST_SIDE / max(picture.size)
    size = tuple(max(1, round(side * min(factor, 1))) for side in picture.size)
    if picture.mode in ("RGB", "RGBA", "L", "LA", "CMYK"):
        small = picture.resize(size, Pictures.Resampling.BILINEAR, reducing_gap=2.0)
    else:
        # Colours of a palette cannot be mixed, and converting all of a large picture would double its memory.
        small = picture.resize(size, Pictures.Resampling.NEAREST)
    small = small.convert("RGBA" if small.has_transparency_data else "RGB")
    stream = io.BytesIO()
    small.save(stream, "WEBP", quality=25, method=6)
    return "data:image/webp;base64," + base64.b64encode(stream.getvalue()).decode()

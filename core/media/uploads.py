"""Uploads: a picture is what its bytes say, not what its name says, and costs no more memory than we allow."""

import hashlib
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from PIL import Image as Pictures
from PIL import UnidentifiedImageError

MAX_BYTES = 20 * 1024 * 1024
# Decoded, 40 million pixels are 160 MB at most.
MAX_PIXELS = 40_000_000
FORMATS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif"}
ENDINGS = {"PNG": {"png"}, "JPEG": {"jpg", "jpeg"}, "WEBP": {"webp"}, "GIF": {"gif"}}


@dataclass(frozen=True)
class Picture:
    """What was found in an upload. `ending` is that of its format, without the dot."""

    width: int
    height: int
    sha256: str
    format: str
    ending: str


def read_picture(file: Any) -> Picture:
    """Look at an upload (a file that can be sought) and return what it holds; it is left at its beginning.

    Raises ValidationError: `too_large`, `not_a_picture` (SVG too: it can hold scripts), `too_many_pixels`, `corrupt`.
    """
    size = file.seek(0, 2)
    file.seek(0)
    if size > MAX_BYTES:
        raise ValidationError(
            f"This file has {size / 1024 / 1024:.0f} MB; {MAX_BYTES // 1024 // 1024} are allowed.", code="too_large"
        )
    try:
        with Pictures.open(file, formats=list(FORMATS)) as picture:
            kind, width, height = picture.format or "", picture.width, picture.height
            if width * height > MAX_PIXELS:
                raise ValidationError(
                    f"This picture has {width} × {height} pixels; {MAX_PIXELS // 1_000_000} million are allowed.",
                    code="too_many_pixels",
                )
            picture.verify()
        file.seek(0)
        with Pictures.open(file, formats=[kind]) as picture:
            picture.load()  # `verify` believes what a truncated file promises.
    except (Pictures.DecompressionBombError, Pictures.DecompressionBombWarning):
        raise ValidationError(
            f"This picture has too many pixels; {MAX_PIXELS // 1_000_000} million are allowed.", code="too_many_pixels"
        ) from None
    except UnidentifiedImageError:
        raise ValidationError("Upload a PNG, JPEG, WebP or GIF.", code="not_a_picture") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError) as error:
        raise ValidationError(f"This file is damaged: {error}.", code="corrupt") from None
    file.seek(0)
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    file.seek(0)
    return Picture(width, height, digest, kind, FORMATS[kind])

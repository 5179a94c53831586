"""Uploads: a picture is what its bytes say, not what its name says, and costs no more memory than we allow.

What is stored is what was seen, written anew: no script behind the picture, no place where it was taken.
"""

import hashlib
import io
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from PIL import Image as Pictures
from PIL import ImageOps, ImageSequence, JpegImagePlugin, UnidentifiedImageError

MAX_BYTES = 20 * 1024 * 1024
# Decoded, 40 million pixels are 160 MB at most. Those of all frames count: writing an animation holds each.
MAX_PIXELS = 40_000_000
# Another encoder may need more bytes for the same picture.
MAX_STORED_BYTES = 2 * MAX_BYTES
FORMATS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif"}
ENDINGS = {"PNG": {"png"}, "JPEG": {"jpg", "jpeg"}, "WEBP": {"webp"}, "GIF": {"gif"}}


@dataclass(frozen=True)
class Picture:
    """What was found in an upload. `ending` is that of its format, without the dot; `sha256` is that of `content`.

    `content` is what to store: the same for the same upload.
    """

    width: int
    height: int
    sha256: str
    format: str
    ending: str
    content: bytes


class _Bounded(io.BytesIO):
    """Memory that takes MAX_STORED_BYTES."""

    def write(self, data: Any, /) -> int:
        if self.tell() + len(data) > MAX_STORED_BYTES:
            raise ValidationError(
                f"Stored, this picture takes more than the {MAX_STORED_BYTES // 1024 // 1024} MB that are allowed.",
                code="too_large",
            )
        return super().write(data)


def refuse_ending(name: str, picture: Picture) -> None:
    """Raise ValidationError `name_ending` unless `name` ends as its format does: whoever serves it goes by that."""
    if name.rpartition(".")[2].lower() not in ENDINGS[picture.format]:
        raise ValidationError(
            f"The file is a {picture.format}: let its name end in .{picture.ending}.", code="name_ending"
        )


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
            _refuse_many_pixels(picture.width, picture.height)
            # Cameras put a second picture behind a JPEG (MPO); the first is the picture.
            kind = "JPEG" if picture.format == "MPO" else picture.format or ""
            picture.verify()
        file.seek(0)
        is_lossy = kind == "WEBP" and b"VP8L" not in file.read()
        file.seek(0)
        with Pictures.open(file, formats=[kind]) as picture:
            if kind != "JPEG":
                _refuse_many_pixels(picture.width, picture.height, getattr(picture, "n_frames", 1))
            picture.load()  # `verify` believes what a truncated file promises.
            width, height, content = _written_anew(picture, kind, is_lossy=is_lossy)
    except (Pictures.DecompressionBombError, Pictures.DecompressionBombWarning):
        raise ValidationError(
            f"This picture has too many pixels; {MAX_PIXELS // 1_000_000} million are allowed.", code="too_many_pixels"
        ) from None
    except UnidentifiedImageError:
        raise ValidationError("Upload a PNG, JPEG, WebP or GIF.", code="not_a_picture") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError) as error:
        raise ValidationError(f"This file is damaged: {error}.", code="corrupt") from None
    file.seek(0)
    return Picture(width, height, hashlib.sha256(content).hexdigest(), kind, FORMATS[kind], content)


def _refuse_many_pixels(width: int, height: int, frames: int = 1) -> None:
    if width * height * frames > MAX_PIXELS:
        times = f" × {frames} frames" if frames > 1 else ""
        raise ValidationError(
            f"This picture has {width} × {height} pixels{times}; {MAX_PIXELS // 1_000_000} million are allowed.",
            code="too_many_pixels",
        )


def _written_anew(picture: Any, kind: str, *, is_lossy: bool) -> tuple[int, int, bytes]:
    """Return width, height and bytes of a picture without anything beside it: only colours, frames and their times."""
    # Empty values, since what is not given is taken over from the upload.
    options: dict[str, Any] = {"exif": b"", "xmp": b"", "comment": b"", "icc_profile": _profile(picture)}
    shown = picture
    if kind == "JPEG":
        # The tables of the upload: hardly a loss, and no file that grew.
        sampling = JpegImagePlugin.get_sampling(picture)
        options |= {"qtables": picture.quantization, "subsampling": max(sampling, 0), "optimize": True}
        shown = ImageOps.exif_transpose(picture)
    elif getattr(picture, "n_frames", 1) > 1:
        options["save_all"] = True
        if kind == "WEBP":
            # Its times are known once a frame is decoded, and are not taken over.
            options["duration"] = [_duration(frame) for frame in ImageSequence.Iterator(picture)]
            options["loop"] = picture.info.get("loop", 0)
        picture.seek(0)
    if kind == "WEBP":
        # A photo without loss would take many times its bytes, and half a minute.
        options |= {"quality": 92} if is_lossy else {"lossless": True, "method": 0, "exact": True}
    stream = _Bounded()
    shown.save(stream, kind, **options)
    return shown.width, shown.height, stream.getvalue()


def _duration(frame: Any) -> int:
    frame.load()
    return int(frame.info.get("duration", 0))


def _profile(picture: Any) -> bytes | None:
    """Return the colour profile, to the length that it gives itself."""
    profile = picture.info.get("icc_profile")
    return profile[: int.from_bytes(profile[:4], "big")] if profile else None

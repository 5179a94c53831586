"""Uploads: a picture is what its bytes say, not what its name says, and costs no more memory than we allow.

What is stored is what was seen, written anew: no script behind the picture, no place where it was taken. It stands
upright, in sRGB, with 8 bits a channel, as browsers show it everywhere.
"""

import hashlib
import io
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from PIL import Image as Pictures
from PIL import ImageOps, ImageSequence, JpegImagePlugin, UnidentifiedImageError

from core.media.colours import in_srgb
from core.media.placeholders import placeholder_of

MAX_BYTES = 20 * 1024 * 1024
# Decoded, 40 million pixels are 160 MB at most. Those of all frames count: writing an animation holds each.
MAX_PIXELS = 40_000_000
MAX_FRAMES = 1_000
# Another encoder may need more bytes for the same picture.
MAX_STORED_BYTES = 2 * MAX_BYTES
# Writing a WebP takes 24 bytes a pixel: a larger one becomes a JPEG or PNG.
MAX_WEBP_PIXELS = 10_000_000
FORMATS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif"}
"""What is stored, by Pillow's names, and what such a file ends in. AVIF is taken too, and stored as JPEG or PNG."""
ENDINGS = {"PNG": {"png"}, "JPEG": {"jpg", "jpeg"}, "WEBP": {"webp"}, "GIF": {"gif"}}
TAKEN = "PNG, JPEG, WebP, AVIF or GIF"


@dataclass(frozen=True)
class Picture:
    """What was found in an upload. `ending` is that of its format, without the dot; `sha256` is that of `content`.

    `content` is what to store: the same for the same upload. `placeholder` is a data URI of a few hundred bytes.
    """

    width: int
    height: int
    sha256: str
    format: str
    ending: str
    content: bytes
    placeholder: str


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

    Raises ValidationError: `too_large`, `not_a_picture` (SVG too: it can hold scripts), `too_many_pixels`,
    `too_many_frames`, `animated_avif`, `corrupt`.
    """
    size = file.seek(0, 2)
    file.seek(0)
    if size > MAX_BYTES:
        raise ValidationError(
            f"This file has {size / 1024 / 1024:.0f} MB; {MAX_BYTES // 1024 // 1024} are allowed.", code="too_large"
        )
    try:
        with Pictures.open(file, formats=[*FORMATS, "AVIF"]) as picture:
            _refuse_many_pixels(picture.width, picture.height)
            # Cameras put a second picture behind a JPEG (MPO); the first is the picture.
            kind = "JPEG" if picture.format == "MPO" else picture.format or ""
            picture.verify()
        file.seek(0)
        is_lossy = kind == "WEBP" and b"VP8L" not in file.read()
        file.seek(0)
        with Pictures.open(file, formats=[kind]) as picture:
            frames = 1 if kind == "JPEG" else _frames(picture)
            picture.load()  # `verify` believes what a truncated file promises.
            if frames > 1:
                found = _animation(picture, kind, is_lossy=is_lossy)
            else:
                found = _still(picture, kind, is_lossy=is_lossy)
    except (Pictures.DecompressionBombError, Pictures.DecompressionBombWarning):
        raise ValidationError(
            f"This picture has too many pixels; {MAX_PIXELS // 1_000_000} million are allowed.", code="too_many_pixels"
        ) from None
    except UnidentifiedImageError:
        raise ValidationError(_not_a_picture(file), code="not_a_picture") from None
    except MemoryError:
        raise ValidationError("This picture needs more memory than there is.", code="too_many_pixels") from None
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, OverflowError) as error:
        raise ValidationError(f"This file is damaged: {error}.", code="corrupt") from None
    file.seek(0)
    return found


def _not_a_picture(file: Any) -> str:
    file.seek(0)
    if b"<svg" in file.read(4096).lower():
        return f"An SVG can hold scripts, so it is not taken: export it as PNG. Upload a {TAKEN}."
    return f"Upload a {TAKEN}."


def _refuse_many_pixels(width: int, height: int, frames: int = 1) -> None:
    if frames > MAX_FRAMES:
        raise ValidationError(f"This animation has more than {MAX_FRAMES:,} frames.", code="too_many_frames")
    if width * height * frames > MAX_PIXELS:
        times = f" × {frames} frames" if frames > 1 else ""
        raise ValidationError(
            f"This picture has {width} × {height} pixels{times}; {MAX_PIXELS // 1_000_000} million are allowed.",
            code="too_many_pixels",
        )


def _frames(picture: Any) -> int:
    """Return how many frames a picture has. Raises ValidationError `too_many_pixels`, before they are decoded."""
    if picture.format != "GIF":
        frames = int(getattr(picture, "n_frames", 1))
        _refuse_many_pixels(picture.width, picture.height, frames)
        return frames
    # A GIF does not say how many there are, and one may be larger than the first.
    frames = 1
    while True:
        _refuse_many_pixels(picture.width, picture.height, frames)
        try:
            picture.seek(frames)
        except EOFError:
            break
        frames += 1
    picture.seek(0)
    return frames


# Empty values, since what is not given is taken over from the upload.
NOTHING_BESIDE: dict[str, Any] = {"exif": b"", "xmp": b"", "comment": b"", "icc_profile": None}


def _still(picture: Any, kind: str, *, is_lossy: bool) -> Picture:
    """Return what to store of a picture without anything beside it: only its colours."""
    options = dict(NOTHING_BESIDE)
    quality: dict[str, Any] = {"quality": 92}
    if kind == "JPEG":
        # The tables of the upload: hardly a loss, and no file that grew.
        sampling = JpegImagePlugin.get_sampling(picture)
        quality = {"qtables": picture.quantization, "subsampling": max(sampling, 0)}
    mode = picture.mode
    ImageOps.exif_transpose(picture, in_place=True)
    shown = in_srgb(picture)
    if kind == "AVIF" or (kind == "WEBP" and shown.width * shown.height > MAX_WEBP_PIXELS):
        kind = "JPEG" if (is_lossy or kind == "AVIF") and not shown.has_transparency_data else "PNG"
    if kind == "JPEG":
        options |= quality if shown.mode == mode else {"quality": 92}
        options["optimize"] = True
    elif kind == "WEBP":
        # A photo without loss would take many times its bytes, and half a minute.
        options |= quality if is_lossy else {"lossless": True, "method": 0, "exact": True}
    return _stored(shown, kind, options)


def _animation(picture: Any, kind: str, *, is_lossy: bool) -> Picture:
    """Return what to store of an animation: its frames and their times. Raises ValidationError `animated_avif`."""
    if kind == "AVIF":
        raise ValidationError("An animation is taken as WebP or GIF, not as AVIF.", code="animated_avif")
    options = {**NOTHING_BESIDE, "save_all": True}
    if kind == "WEBP":
        # Its times are known once a frame is decoded, and are not taken over.
        options["duration"] = [_duration(frame) for frame in ImageSequence.Iterator(picture)]
        options["loop"] = picture.info.get("loop", 0)
        options |= {"quality": 92} if is_lossy else {"lossless": True, "method": 0, "exact": True}
    picture.seek(0)
    return _stored(picture, kind, options)


def _stored(shown: Any, kind: str, options: dict[str, Any]) -> Picture:
    placeholder = placeholder_of(shown)
    stream = _Bounded()
    shown.save(stream, kind, **options)
    content = stream.getvalue()
    return Picture(
        shown.width, shown.height, hashlib.sha256(content).hexdigest(), kind, FORMATS[kind], content, placeholder
    )


def _duration(frame: Any) -> int:
    frame.load()
    return int(frame.info.get("duration", 0))

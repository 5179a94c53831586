"""Files that were made to cost memory, to hide something, or to be taken for something else."""

import io
import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from PIL import Image as Pictures
from PIL import ImageCms, PngImagePlugin

from core.media.uploads import read_picture
from tests.core.media.pictures import photo, picture

HOSTILE_MB = 60
"""Of memory for files that are refused."""
LARGEST_MB = 700
"""Of memory for the largest that is taken: 40 million pixels."""
SCRIPT = b"<script>alert(document.domain)</script>"


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(
    width: int, height: int, *, bits: int = 8, colour: int = 0, data: bytes = b"\0" * 100, more: bytes = b""
) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + more
        + chunk(b"IDAT", zlib.compress(data, 9))
        + chunk(b"IEND", b"")
    )


def many_frames() -> bytes:
    frame = b"\x21\xf9\x04\x00\x01\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00"
    head = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    return head + frame * 50_000 + b"\x3b"


def growing_gif() -> bytes:
    """A GIF of one pixel whose second frame is as large as a screen can be."""
    frame = b"\x2c\x00\x00\x00\x00%s%s\x00\x02\x02\x44\x01\x00"
    head = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    small, large = (struct.pack("<H", side) for side in (1, 12_000))
    return head + frame % (small, small) + frame % (large, large) + b"\x3b"


TEXT_BOMB = chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 40_000_000, 9))
PROFILE_BOMB = chunk(b"iCCP", b"a\0\0" + zlib.compress(b"x" * 40_000_000, 9))

REFUSED = {
    "30000.png": (png(30_000, 30_000, bits=1), "too_many_pixels"),
    "60000-rgb.png": (png(60_000, 60_000, colour=2), "too_many_pixels"),
    "lying.png": (png(6000, 6000), "corrupt"),
    "torn.png": (photo("PNG", (400, 300))[:-500], "corrupt"),
    "torn.jpg": (photo("JPEG", (400, 300))[:-500], "corrupt"),
    "text-bomb.png": (png(8, 8, data=b"\0" * 72, more=TEXT_BOMB), "corrupt"),
    "text-bombs.png": (png(8, 8, data=b"\0" * 72, more=TEXT_BOMB * 20), "corrupt"),
    "frames.gif": (many_frames(), "too_many_frames"),
    "growing.gif": (growing_gif(), "too_many_pixels"),
    "drawing.svg": (b'<svg xmlns="http://www.w3.org/2000/svg">' + SCRIPT + b"</svg>", "not_a_picture"),
    "quiet.svg": (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "not_a_picture"),
    "document.pdf": (b"%PDF-1.7\n" + picture("PNG"), "not_a_picture"),
    "page.html": (b"<!DOCTYPE html>" + SCRIPT + picture("PNG"), "not_a_picture"),
    "bitmap.bmp": (picture("BMP"), "not_a_picture"),
    "photo.tiff": (picture("TIFF"), "not_a_picture"),
    "empty.png": (b"", "not_a_picture"),
    "signature.png": (b"\x89PNG\r\n\x1a\n", "not_a_picture"),
    "long.png": (b"\x89PNG\r\n\x1a\n" + bytes(21 * 1024 * 1024), "too_large"),
}


def read_in_a_process(*files: Path) -> dict:
    command = [sys.executable, "-m", "tests.core.media.reading", *map(str, files)]
    root = Path(__file__).parents[3]
    return json.loads(subprocess.run(command, cwd=root, capture_output=True, check=True, text=True, timeout=300).stdout)


def test_hostile_files_are_refused_with_a_reason_and_without_memory(tmp_path):
    for name, (content, _) in REFUSED.items():
        (tmp_path / name).write_bytes(content)

    told = read_in_a_process(*(tmp_path / name for name in REFUSED))

    assert {Path(path).name: code for path, code in told["found"].items()} == {
        name: code for name, (_, code) in REFUSED.items()
    }
    assert told["peak_mb"] - told["base_mb"] < HOSTILE_MB, told


def largest(kind: str, mode: str) -> bytes:
    rising = np.linspace(0, 255, 8000, dtype="u1")[None, :] + np.linspace(0, 127, 5000, dtype="u1")[:, None]
    grey = Pictures.fromarray(rising)
    stream = io.BytesIO()
    options = {"WEBP": {"method": 0}, "AVIF": {"speed": 10}, "PNG": {"compress_level": 1}}.get(kind, {})
    Pictures.merge("RGB", (grey, grey, grey)).convert(mode).save(stream, kind, **options)
    return stream.getvalue()


def test_the_largest_photo_that_is_taken_stays_within_the_bound(tmp_path):
    (tmp_path / "a.jpg").write_bytes(largest("JPEG", "RGB"))

    told = read_in_a_process(tmp_path / "a.jpg")

    assert list(told["found"].values()) == ["JPEG 8000x5000"]
    assert told["peak_mb"] - told["base_mb"] < LARGEST_MB, told


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "mode", "stored"),
    [
        ("PNG", "RGBA", "PNG"),
        ("JPEG", "CMYK", "JPEG"),
        ("WEBP", "RGB", "JPEG"),
        ("AVIF", "RGB", "JPEG"),
        ("GIF", "P", "GIF"),
    ],
)
def test_the_largest_of_each_kind_stays_within_the_bound(tmp_path, kind, mode, stored):
    (tmp_path / "a").write_bytes(largest(kind, mode))

    told = read_in_a_process(tmp_path / "a")

    assert list(told["found"].values()) == [f"{stored} 8000x5000"]
    assert told["peak_mb"] - told["base_mb"] < LARGEST_MB, told


def stored(content: bytes) -> Pictures.Image:
    seen = Pictures.open(io.BytesIO(read_picture(io.BytesIO(content)).content))
    seen.load()
    return seen


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_polyglot_keeps_its_picture_and_loses_the_rest(kind):
    content = read_picture(io.BytesIO(picture(kind) + SCRIPT + b"%PDF-1.7 PK\x03\x04")).content

    assert b"script" not in content and b"%PDF" not in content and b"PK\x03\x04" not in content


def test_text_and_place_are_not_stored():
    exif = Pictures.Exif()
    exif.get_ifd(0x8825).update({1: "N", 2: (59.0, 54.0, 30.0), 3: "E", 4: (10.0, 45.0, 0.0)})
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "in the hall of Ada")
    png_stream, jpeg_stream = io.BytesIO(), io.BytesIO()
    Pictures.new("RGB", (8, 6)).save(png_stream, "PNG", pnginfo=text, exif=exif)
    Pictures.new("RGB", (8, 6)).save(jpeg_stream, "JPEG", exif=exif)
    with Pictures.open(io.BytesIO(jpeg_stream.getvalue())) as given:
        assert given.getexif().get_ifd(0x8825)  # The place is in what is sent.

    for content in (png_stream.getvalue(), jpeg_stream.getvalue()):
        seen = stored(content)
        assert not seen.getexif() and not seen.info.get("exif") and "Comment" not in seen.info


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_a_picture_stands_upright(kind):
    exif = Pictures.Exif()
    exif[0x0112] = 6
    stream = io.BytesIO()
    Pictures.new("RGB", (8, 6)).save(stream, kind, exif=exif)

    seen = stored(stream.getvalue())

    assert seen.size == (6, 8) and not seen.getexif()


def test_colours_are_converted_to_srgb():
    stream = io.BytesIO()
    Pictures.new("RGB", (8, 6), (0, 200, 0)).save(stream, "PNG", icc_profile=wide_gamut())

    seen = stored(stream.getvalue())

    assert "icc_profile" not in seen.info and seen.getpixel((0, 0)) != (0, 200, 0)


def wide_gamut() -> bytes:
    """Return the profile of sRGB with red and green exchanged: what it calls green is red."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, green = profile.find(b"rXYZ"), profile.find(b"gXYZ")
    profile[red : red + 4], profile[green : green + 4] = b"gXYZ", b"rXYZ"
    return bytes(profile).replace(b"s\0R\0G\0B", b"x\0R\0G\0B")


def test_a_damaged_profile_counts_as_none():
    stream = io.BytesIO()
    Pictures.new("RGB", (8, 6), (0, 200, 0)).save(stream, "PNG", icc_profile=b"\0\0\0\x10damaged profile")

    seen = stored(stream.getvalue())

    assert "icc_profile" not in seen.info and seen.getpixel((0, 0)) == (0, 200, 0)


def test_print_colours_become_those_of_a_screen():
    stream = io.BytesIO()
    Pictures.new("CMYK", (8, 6), (0, 255, 255, 0)).save(stream, "JPEG", quality=95)

    seen = stored(stream.getvalue())

    red, green, blue = seen.getpixel((4, 3))
    assert seen.mode == "RGB" and red > 200 and green < 60 and blue < 60


def test_sixteen_bits_become_eight():
    stream = io.BytesIO()
    Pictures.fromarray(np.full((6, 8), 0x8040, dtype=np.uint16)).save(stream, "PNG")

    seen = stored(stream.getvalue())

    assert (seen.mode, seen.getpixel((0, 0))) == ("L", 0x80)


def test_avif_is_stored_as_what_everything_reads():
    opaque, clear = (
        picture("AVIF", mode=mode, colour=colour) for mode, colour in [("RGB", (1, 2, 3)), ("RGBA", (1, 2, 3, 0))]
    )

    assert [read_picture(io.BytesIO(content)).format for content in (opaque, clear)] == ["JPEG", "PNG"]


def test_an_animated_avif_is_refused_rather_than_stilled():
    frames = [Pictures.new("RGB", (16, 16), colour) for colour in ("red", "blue")]
    stream = io.BytesIO()
    frames[0].save(stream, "AVIF", save_all=True, append_images=frames[1:])

    with pytest.raises(ValidationError) as refusal:
        read_picture(stream)

    assert refusal.value.code == "animated_avif"

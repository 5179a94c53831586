"""Uploads: what is a picture, what only says so, and what would cost too much."""

import hashlib
import io
import struct
import zlib

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image as Pictures

from core.media.models import Image
from core.media.uploads import MAX_PIXELS, read_picture
from tests.admin.pages import errors_of, fill, said

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'


def picture(kind: str = "PNG", size: tuple[int, int] = (8, 6)) -> bytes:
    stream = io.BytesIO()
    Pictures.new("RGB", size, (200, 30, 30)).save(stream, kind, lossless=True)
    return stream.getvalue()


def bomb(width: int, height: int) -> bytes:
    """Return a PNG of a few bytes that promises width × height pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


def upload(client, name: str, content: bytes, /, **typed):
    file = SimpleUploadedFile(name, content, content_type="image/png")
    return fill(client, reverse("admin:media_image_add"), "image_form", **{"alt": "A red hall", "file": file, **typed})


def test_a_picture_is_measured_hashed_and_named(author):
    response = upload(author, "My Hall.PNG", picture())

    image = Image.objects.get()
    assert said(author, response)
    assert (image.name, image.width, image.height, len(image.sha256)) == ("my-hall.png", 8, 6, 64)
    assert image.file.name.endswith(".png")


@pytest.mark.parametrize(
    ("kind", "name"), [("JPEG", "a.jpg"), ("JPEG", "a.jpeg"), ("WEBP", "a.webp"), ("GIF", "a.gif")]
)
def test_other_formats_are_taken(author, kind, name):
    upload(author, name, picture(kind))

    assert Image.objects.get().name == name


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", SVG),
        ("a.png", SVG),
        ("a.png", b"<html><script>alert(1)</script></html>"),
        ("a.png", b""),
        ("a.png", picture()[:40]),
        ("a.png", picture()[:-20]),
        ("a.png", picture("BMP")),
        ("a.png", bomb(30_000, 30_000)),
        ("a.png", bomb(8_000, 8_000)),
    ],
    ids=["svg", "svg as png", "html", "empty", "torn early", "torn late", "bmp", "bomb", "large"],
)
def test_what_is_no_picture_we_take_is_refused_at_the_file(author, settings, name, content):
    response = upload(author, name, content)

    assert errors_of(response, "file")
    assert not Image.objects.exists() and not list(settings.MEDIA_ROOT.rglob("*.*"))


def test_the_refusal_of_a_bomb_names_the_limit():
    with pytest.raises(ValidationError) as refusal:
        read_picture(io.BytesIO(bomb(MAX_PIXELS // 1000 + 1, 1000)))

    assert refusal.value.code == "too_many_pixels" and "40 million are allowed" in refusal.value.message


@pytest.mark.parametrize("name", ["pump.svg", "pump.html", "pump", "pump.jpg", "../pump.png", "-pump.png", "pump .png"])
def test_a_name_that_says_something_else_is_refused(author, name):
    response = upload(author, "a.png", picture(), name=name)

    assert errors_of(response, "name")
    assert not Image.objects.exists()


def test_alternative_text_is_required(author):
    response = upload(author, "a.png", picture(), alt="")

    assert errors_of(response, "alt") and not Image.objects.exists()


def test_a_picture_stays_what_editions_show(editor):
    upload(editor, "hall.png", picture())
    image = Image.objects.get()
    address = reverse("admin:media_image_change", args=[image.pk])

    fill(
        editor,
        address,
        "image_form",
        alt="Better words",
        name="other.png",
        file=SimpleUploadedFile("b.png", picture(size=(2, 2)), content_type="image/png"),
    )

    after = Image.objects.get()
    assert (after.alt, after.name, after.sha256, after.width) == ("Better words", "hall.png", image.sha256, 8)


def test_the_same_picture_again_is_said(author):
    upload(author, "a.png", picture())

    response = upload(author, "b.png", picture())

    assert any("as a.png" in message for message in said(author, response))


def animation(kind: str) -> bytes:
    frames = [Pictures.new("RGB", (8, 6), colour) for colour in ("red", "green", "blue")]
    stream = io.BytesIO()
    frames[0].save(
        stream, kind, lossless=True, save_all=True, append_images=frames[1:], duration=[100, 200, 300], loop=0
    )
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kind", "make"),
    [*((kind, picture) for kind in ("PNG", "WEBP", "GIF", "JPEG")), *((k, animation) for k in ("PNG", "WEBP", "GIF"))],
)
def test_what_stands_behind_a_picture_is_not_stored(author, kind, make):
    upload(author, f"a.{kind.lower()}", make(kind) + b"<script>alert(1)</script>")

    image = Image.objects.get()
    stored = image.file.read()
    assert b"script" not in stored and hashlib.sha256(stored).hexdigest() == image.sha256
    with Pictures.open(io.BytesIO(stored)) as seen, Pictures.open(io.BytesIO(make(kind))) as given:
        assert (seen.format, seen.size) == (kind, (8, 6))
        frames = getattr(given, "n_frames", 1)
        assert getattr(seen, "n_frames", 1) == frames
        for n in range(frames):
            seen.seek(n), given.seek(n)
            assert seen.convert("RGB").tobytes() == given.convert("RGB").tobytes()
            assert seen.info.get("duration") == given.info.get("duration")


def test_a_photo_loses_its_place_and_stands_upright(author):
    exif = Pictures.Exif()
    exif[0x0112], exif[0x010F] = 6, "Camera of Ada"
    exif.get_ifd(0x8825)[1] = "N"
    stream = io.BytesIO()
    Pictures.new("RGB", (8, 6)).save(stream, "JPEG", exif=exif, comment=b"in the hall", xmp=b"<x:xmpmeta/>")

    upload(author, "a.jpg", stream.getvalue())

    image = Image.objects.get()
    stored = image.file.read()
    assert (image.width, image.height) == (6, 8)
    assert not [word for word in (b"Exif", b"Camera", b"hall", b"xmpmeta") if word in stored]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_the_same_upload_gives_the_same_bytes(kind):
    first, again = (read_picture(io.BytesIO(picture(kind))) for _ in range(2))

    assert first == again


def test_the_pixels_of_all_frames_count():
    stream = io.BytesIO()
    frames = [Pictures.new("L", (4000, 4000), n) for n in range(3)]
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:])

    with pytest.raises(ValidationError) as refusal:
        read_picture(stream)

    assert refusal.value.code == "too_many_pixels" and "3 frames" in refusal.value.message

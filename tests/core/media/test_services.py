"""How images come in from programs: named, found again, registered before their file is there."""

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.db import connection

from core.media.models import Image
from core.media.services import add_image, register_missing_image
from tests.core.media.pictures import picture

RED, BLUE, GREEN = (picture(colour=colour) for colour in [(200, 30, 30), (30, 30, 200), (30, 200, 30)])
pytestmark = pytest.mark.django_db


def test_an_upload_becomes_an_image():
    image = add_image(
        RED, name="pump.png", alt="A pump", credit="M. Lind", licence="CC0", source_url="https://a.example/"
    )

    stored = Image.objects.get(pk=image.pk)
    assert (stored.name, stored.alt, stored.credit, stored.licence, stored.source_url) == (
        "pump.png", "A pump", "M. Lind", "CC0", "https://a.example/",
    )  # fmt: skip
    assert (stored.width, stored.height, stored.byte_count) == (8, 6, default_storage.size(stored.file.name))
    assert stored.file.name == f"images/{image.pk}/pump.{stored.sha256[:16]}.png"


def test_a_name_that_another_picture_has_gets_a_number():
    names = [add_image(content, name="pump.png").name for content in (RED, BLUE, GREEN)]

    assert names == ["pump.png", "pump-2.png", "pump-3.png"]


@pytest.mark.parametrize("make", [bytes, io.BytesIO], ids=["bytes", "a file"])
def test_the_same_bytes_under_the_same_name_are_the_same_image(make):
    first = [add_image(make(content), name="pump.png") for content in (RED, BLUE)]

    again = [add_image(make(content), name="pump.png") for content in (RED, BLUE)]

    assert [row.pk for row in again] == [row.pk for row in first] and Image.objects.count() == 2


def test_the_same_bytes_under_another_name_are_another_image():
    assert add_image(RED, name="pump.png").pk != add_image(RED, name="pump-room.png").pk


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("wp-content/uploads/2024/IMG_2041.PNG", "IMG_2041.png"),
        ("C:\\pictures\\My Hall.png", "my-hall.png"),
        ("Größe.jpeg", "groe.png"),
        ("图.png", "image.png"),
        ("", "image.png"),
        ("../../etc/passwd", "passwd.png"),
        (f"{'a' * 300}.png", f"{'a' * 109}.png"),
    ],
)
def test_a_wanted_name_is_made_sound(wanted, name):
    image = add_image(RED, name=wanted)

    assert image.name == name and image.file.name.startswith(f"images/{image.pk}/")


@pytest.mark.parametrize(
    ("content", "said", "field", "code"),
    [
        (b"<svg/>", {}, "file", "not_a_picture"),
        (RED[:-20], {}, "file", "corrupt"),
        (RED, {"alt": "a" * 401}, "alt", "max_length"),
        (RED, {"source_url": "javascript:alert(1)"}, "source_url", "invalid"),
    ],
)
def test_what_is_refused_leaves_nothing(content, said, field, code):
    with pytest.raises(ValidationError) as refusal:
        add_image(content, name="pump.png", **said)

    assert [(name, error.code) for name, errors in refusal.value.error_dict.items() for error in errors] == [
        (field, code)
    ]
    assert not Image.objects.exists()


def test_an_image_can_come_before_its_file(client):
    missing = register_missing_image(name="hall.jpg", alt="The hall")

    again = register_missing_image(name="hall.jpg", alt="Other words")

    stored = Image.objects.get()
    assert missing.pk == again.pk == stored.pk
    assert (stored.file.name, stored.width, stored.height, stored.sha256, stored.alt) == (
        "",
        None,
        None,
        "",
        "The hall",
    )


def test_the_file_of_a_missing_image_is_supplied_under_its_name():
    missing = register_missing_image(name="pump.png", alt="A pump")

    image = add_image(RED, name="pump.png", alt="Other words", credit="M. Lind")

    stored = Image.objects.get()
    assert image.pk == missing.pk == stored.pk
    assert (stored.alt, stored.credit, stored.width) == ("A pump", "M. Lind", 8)


@pytest.mark.django_db(transaction=True)
def test_two_that_want_one_name_at_once_get_two(settings):
    def add(content: bytes) -> str:
        try:
            return add_image(content, name="pump.png").name
        finally:
            connection.close()

    contents = [picture(colour=(n, n, n)) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(add, contents))
    with connection.cursor() as cursor:
        cursor.execute("delete from procrastinate_jobs")  # The flush leaves them.

    assert sorted(names) == ["pump-2.png", *(f"pump-{n}.png" for n in range(3, 9)), "pump.png"]
    assert Image.objects.count() == 8

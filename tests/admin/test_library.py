"""The media browser, and the page of an image."""

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from core.media.models import Image, Rendition
from core.media.services import add_image, register_missing_image
from tests.admin.pages import errors_of, fill, text_of
from tests.core.media.pictures import photo, picture
from tests.core.media.test_renditions import work
from tests.factories import make_article, make_author, make_live_article

LIST = reverse("admin:media_image_changelist")


def page_of(image: Image) -> str:
    return reverse("admin:media_image_change", args=[image.pk])


def listed(client, **query) -> list[str]:
    return [card["image"].name for card in client.get(LIST, query).context.get("cards", [])]


def test_each_image_is_a_card(editor):
    image = add_image(photo(size=(700, 350)), name="hall.jpg", alt="The hall", credit="M. Lind")
    work()

    page = editor.get(LIST)

    words = text_of(page)
    assert "hall.jpg" in words and "The hall" in words and "700 × 350" in words and "M. Lind" in words
    webp = Rendition.objects.get(format="webp", width=320)
    assert f"{default_storage.url(webp.file)} 320w" in page.content.decode()
    assert page_of(image) in page.content.decode()


def test_the_browser_finds_what_needs_something(editor):
    bare = add_image(picture(colour=(1, 2, 3)), name="bare.png")
    register_missing_image(name="lost.png", alt="Lost")
    lead, byline, drafted, placed = (
        add_image(picture(colour=(n, n, n)), name=f"{n}.png", alt="Words") for n in (10, 20, 30, 40)
    )
    make_live_article(image=lead)
    make_author(image=byline)
    make_article(image=drafted)
    make_live_article(body=f"![Words]({placed.name})\n")

    assert listed(editor, needs="alt") == [bare.name]
    assert listed(editor, needs="file") == ["lost.png"]
    assert listed(editor, needs="use") == [bare.name, "lost.png"]
    assert listed(editor, needs="renditions") == ["10.png", "20.png", "30.png", "40.png", "bare.png"]
    work()
    assert listed(editor, needs="renditions") == [] == listed(editor, needs="repair")
    assert listed(editor, q="Lost") == ["lost.png"]
    assert "File missing" in text_of(editor.get(LIST, {"needs": "file"}))


def test_a_page_costs_the_same_for_5_and_20_images_with_renditions(editor):
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            editor.get(LIST)
        return len(captured)

    for n in range(5):
        add_image(picture("PNG", (330, 10), colour=(n, 0, 0)), name=f"{n}.png", alt="Words")
    work()
    statements()
    few = statements()
    for n in range(5, 20):
        add_image(picture("PNG", (330, 10), colour=(n, 0, 0)), name=f"{n}.png", alt="Words")
    work()

    assert statements() == few and len(listed(editor)) == 20


def test_its_page_says_where_it_is_used(editor):
    image = add_image(picture(), name="pump.png", alt="A pump")
    make_live_article(title="On pumps", body="![A pump](pump.png)\n")

    words = text_of(editor.get(page_of(image)))

    assert "Where it is used" in words and "On pumps" in words


def test_what_is_used_is_not_deleted(editor):
    image = add_image(picture(), name="pump.png", alt="A pump")
    make_live_article(title="On pumps", body="![A pump](pump.png)\n")
    address = reverse("admin:media_image_delete", args=[image.pk])

    shown = editor.get(address)
    editor.post(address, {"post": "yes"})

    assert "On pumps" in text_of(shown)
    assert Image.objects.filter(pk=image.pk).exists() and default_storage.exists(image.file.name)


def test_another_file_takes_its_place_and_the_old_address_stays(editor, client):
    image = add_image(photo(size=(400, 300)), name="hall.jpg", alt="The hall")
    work()
    make_live_article(slug="hall", image=image)
    old = Rendition.objects.get(format="webp")

    fill(editor, page_of(image), "image_form", replacement=SimpleUploadedFile("new.png", picture("PNG", (640, 100))))
    work()

    after = Image.objects.get()
    assert (after.name, after.width, after.height) == ("hall.jpg", 640, 100)
    assert after.sha256 != image.sha256 and after.file.name.endswith(".png") and after.file.name != image.file.name
    assert default_storage.exists(image.file.name) and default_storage.exists(old.file)
    shown = client.get("/api/v1/articles/hall/").json()["image"]
    assert [(row["format"], row["width"]) for row in shown["srcset"]] == [
        ("png", 320), ("png", 640), ("webp", 320), ("webp", 640),
    ]  # fmt: skip


def test_a_missing_file_is_supplied_on_its_page(editor):
    image = register_missing_image(name="hall.jpg", alt="The hall")
    assert "The file is missing" in text_of(editor.get(page_of(image)))

    fill(editor, page_of(image), "image_form", replacement=SimpleUploadedFile("x.jpg", picture("JPEG")))

    assert (Image.objects.get().width, Image.objects.get().name) == (8, "hall.jpg")


def test_a_refused_replacement_changes_nothing(editor):
    image = add_image(picture(), name="pump.png", alt="A pump")

    response = fill(
        editor, page_of(image), "image_form", alt="Other", replacement=SimpleUploadedFile("a.svg", b"<svg/>")
    )

    assert errors_of(response, "replacement")
    assert Image.objects.values_list("alt", "sha256").get() == ("A pump", image.sha256)


@pytest.mark.parametrize(("x", "is_taken"), [("0.25", True), ("1", True), ("1.2", False), ("-0.1", False)])
def test_the_focal_point_lies_in_the_picture(editor, x, is_taken):
    image = add_image(picture(), name="pump.png", alt="A pump")

    response = fill(editor, page_of(image), "image_form", focal_x=x)

    assert bool(response.status_code == 302) is is_taken
    assert (str(Image.objects.get().focal_x.normalize()) == x) is is_taken

"""The address to which scripts of the admin send pictures."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from core.media.models import Image
from tests.admin.conftest import author, editor  # noqa: F401
from tests.core.media.pictures import picture
from tests.factories import make_person

ADDRESS = "/admin/media/image/upload/"


def send(client, content: bytes = b"", name: str = "Pump Room.PNG", **said):
    file = {"file": SimpleUploadedFile(name, content)} if content else {}
    return client.post(ADDRESS, {**file, **said})


def test_it_stands_where_the_contract_says():
    assert reverse("admin:media_image_upload") == ADDRESS


def test_a_picture_is_stored_and_told(author):  # noqa: F811
    response = send(author, picture(), alt="A pump")

    image = Image.objects.get()
    assert response.status_code == 201
    assert response.json() == {
        "id": str(image.pk), "name": "pump-room.png", "alt": "A pump", "url": f"/media/{image.file.name}",
        "width": 8, "height": 6,
    }  # fmt: skip


def test_it_takes_a_name(author):  # noqa: F811
    assert send(author, picture(), name="image.png", alt="").json()["name"] == "image.png"


@pytest.mark.parametrize(
    ("content", "said", "field", "code"),
    [
        (b"", {}, "file", "required"),
        (b"<svg/>", {}, "file", "not_a_picture"),
        (picture(), {"alt": "a" * 401}, "alt", "max_length"),
    ],
)
def test_a_refusal_names_its_field(author, content, said, field, code):  # noqa: F811
    response = send(author, content, **said)

    assert response.status_code == 400
    assert [(error["field"], error["code"]) for error in response.json()["errors"]] == [(field, code)]
    assert not Image.objects.exists()


def test_who_may_not_add_images_may_not_send_one(db):
    client = Client()
    client.force_login(make_person(is_staff=True))

    assert send(client, picture()).status_code == 403
    assert not Image.objects.exists()


def test_strangers_are_sent_to_the_login_and_forged_posts_refused(client, author, db):  # noqa: F811
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(author.person)

    assert send(client, picture()).status_code == 302
    assert send(strict, picture()).status_code == 403
    assert author.get(ADDRESS).status_code == 405
    assert not Image.objects.exists()


# What a picture shows, typed after it was sent


def describe(client, image_id, alt: str):
    return client.post(f"/admin/media/image/{image_id}/describe/", {"alt": alt})


def test_a_picture_without_alternative_text_gets_it_and_one_with_it_keeps_it(author):  # noqa: F811
    image_id = send(author, picture()).json()["id"]

    first = describe(author, image_id, " A pump, its lid off ")
    second = describe(author, image_id, "Something else")

    assert (first.status_code, first.json()["alt"]) == (200, "A pump, its lid off")
    assert (second.status_code, second.json()["alt"]) == (200, "A pump, its lid off")
    assert Image.objects.get().alt == "A pump, its lid off"


def test_a_description_that_is_too_long_or_of_no_picture_is_refused(author):  # noqa: F811
    image_id = send(author, picture()).json()["id"]

    refused = describe(author, image_id, "a" * 401)

    assert refused.status_code == 400
    assert [(error["field"], error["code"]) for error in refused.json()["errors"]] == [("alt", "max_length")]
    assert describe(author, "01890000-0000-7000-8000-000000000000", "A pump").status_code == 404
    assert author.get(f"/admin/media/image/{image_id}/describe/").status_code == 405
    assert Image.objects.get().alt == ""


def test_who_may_not_add_images_describes_none(author):  # noqa: F811
    image_id = send(author, picture()).json()["id"]
    client = Client()
    client.force_login(make_person(is_staff=True))

    assert describe(client, image_id, "A pump").status_code == 403
    assert Image.objects.get().alt == ""

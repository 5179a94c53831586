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

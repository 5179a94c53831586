"""How stored pictures are served: for ever, and as pictures only."""

from pathlib import Path

import pytest

from core.media.services import add_image
from tests.core.media.pictures import picture


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "gif"])
def test_a_picture_is_served_for_ever_and_can_do_nothing(client, kind):
    image = add_image(picture(kind.upper()), name="a")

    response = client.get(f"/media/{image.file.name}")

    assert (response.status_code, response["Content-Type"]) == (200, f"image/{kind}")
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    policy = response["Content-Security-Policy"]
    assert "sandbox" in policy and "default-src 'none'" in policy
    with image.file.open() as stored:
        assert b"".join(response.streaming_content) == stored.read()


@pytest.mark.parametrize("name", ["a.svg", "a.html", "a.SVG", "a.png.html", "a", "a.xml", "a.js", "a.pdf"])
def test_nothing_else_is_served_whatever_lies_in_the_folder(client, tmp_path, name):
    (tmp_path / name).write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")

    assert client.get(f"/media/{name}").status_code == 404


@pytest.mark.parametrize("path", ["../settings.py.png", "%2e%2e/secret.png", "images/"])
def test_nothing_outside_of_the_folder_is_served(client, tmp_path, path):
    (tmp_path.parent / "secret.png").write_bytes(b"x")

    assert client.get(f"/media/{path}").status_code in (400, 404)

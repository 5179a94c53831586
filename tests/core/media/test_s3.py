"""Media in S3, against a real server: what is stored, what is told, what goes; and no signature anywhere."""

import hashlib
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from core.media.models import Image, Rendition
from tests.admin.conftest import author, editor  # noqa: F401
from tests.core.media.object_store import BUCKET, KEY, SECRET, Store, fetch, object_store
from tests.core.media.pictures import photo, picture
from tests.core.media.test_renditions import work
from tests.factories import make_live_article

SIGNS = ["X-Amz-", "Signature=", "AWSAccessKeyId", "x-amz-security-token", KEY, SECRET]
ANSWERS = ["/api/v1/articles/", "/api/v1/articles/hall/", "/api/v1/changes/", "/feeds/rss/", "/feeds/json/"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with object_store(tmp_path_factory.mktemp("s3")) as store:
        yield store


@pytest.fixture
def store(server: Store, settings) -> Store:
    settings.MEDIA_URL = f"{server.endpoint}/{BUCKET}/"
    s3 = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": server.options}
    settings.STORAGES = settings.STORAGES | {"default": s3}
    return server


def send(client, content: bytes, name: str) -> Image:
    response = client.post("/admin/media/image/upload/", {"file": SimpleUploadedFile(name, content), "alt": "A hall"})
    assert response.status_code == 201, response.content
    return Image.objects.get(pk=response.json()["id"])


def everything_stored() -> str:
    """Return every row of every table as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f"select t::text from {connection.ops.quote_name(table)} t")
            rows += [text for (text,) in cursor.fetchall()]
    return "\n".join(rows)


@pytest.mark.django_db
def test_an_image_lives_in_s3_from_upload_to_deletion(client, editor, store):  # noqa: F811
    image = send(editor, photo(size=(700, 350)), "hall.jpg")
    work()
    make_live_article(slug="hall", body="![A hall](hall.jpg)\n", image=image)

    shown = client.get("/api/v1/articles/hall/").json()["image"]

    files = [image.file.name, *Rendition.objects.values_list("file", flat=True)]
    assert store.names() == sorted(files) and len(files) == 5
    assert shown["url"] == f"{store.endpoint}/{BUCKET}/{image.file.name}"
    status, kind, content = fetch(shown["url"])
    assert (status, kind, hashlib.sha256(content).hexdigest()) == (200, "image/jpeg", image.sha256)
    assert [fetch(row["url"])[:2] for row in shown["srcset"]] == [
        (200, f"image/{row['format']}") for row in shown["srcset"]
    ]
    assert f'src="{shown["url"]}"' in client.get("/api/v1/articles/hall/").json()["html"]

    other = send(editor, picture(), "drawing.png")
    address = reverse("admin:media_image_delete", args=[other.pk])
    assert editor.post(address, {"post": "yes"}).status_code == 302
    work()
    assert store.names() == sorted(files) and fetch(f"{store.endpoint}/{BUCKET}/{other.file.name}")[0] == 404


@pytest.mark.django_db
def test_no_signature_is_stored_or_told(client, editor, store):  # noqa: F811
    image = send(editor, photo(size=(700, 350)), "hall.jpg")
    work()
    make_live_article(slug="hall", body="![A hall](hall.jpg)\n", image=image)

    told = [client.get(address).content.decode() for address in ANSWERS]
    query = '{ article(slug: "hall") { html image { url srcset { url } } blocks { __typename } } }'
    told.append(client.post("/graphql/", {"query": query}, content_type="application/json").content.decode())
    pages = [reverse("admin:media_image_changelist"), reverse("admin:media_image_change", args=[image.pk])]
    told += [editor.get(page).content.decode() for page in pages]

    assert sum(image.file.name in text for text in told) >= 4
    for text in [everything_stored(), *told]:
        assert not [sign for sign in SIGNS if sign.lower() in text.lower()]

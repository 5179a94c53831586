"""Renditions: which are made, by whom, and how every surface shows them."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from PIL import Image as Pictures

from core.media import services, tasks
from core.media.models import Image, Rendition
from core.media.services import add_image, register_missing_image
from core.media.uploads import read_picture
from tests.core.media.pictures import photo, picture
from tests.factories import make_live_article

pytestmark = pytest.mark.django_db


TASKS = {
    services.RENDER: tasks.render_image,
    services.REMOVE: tasks.remove_files,
    services.REMOVE_REPLACED: tasks.remove_replaced,
}


@pytest.fixture(autouse=True)
def _no_jobs_are_left() -> Iterator[None]:
    """A flush leaves the jobs of the worker, which are no models of Django that it manages."""
    yield
    with connection.cursor() as cursor:
        cursor.execute("delete from procrastinate_jobs")


def jobs(within_days: int | None = None) -> list[tuple[str, dict]]:
    """Return the jobs of the worker; of those that are scheduled, what is due `within_days` (None: all)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select task_name, args::text from procrastinate_jobs where %s::int is null or scheduled_at is null"
            " or scheduled_at <= clock_timestamp() + %s * interval '1 day' order by id",
            [within_days, within_days],
        )
        return [(name, json.loads(args)) for name, args in cursor.fetchall()]


def work(*, days: int = 0) -> None:
    """Do what the worker would do within `days` from now."""
    for name, arguments in jobs(days):
        TASKS[name](**arguments)


def shown(**found) -> list[tuple[str, int, int]]:
    rows = Rendition.objects.visible(None).filter(**found).order_by("format", "width")
    return [(row.format, row.width, row.height) for row in rows]


def test_an_upload_lets_the_worker_make_its_renditions(client):
    image = add_image(photo(size=(1000, 501)), name="hall.jpg")

    assert jobs() == [(services.RENDER, {"image_id": str(image.pk)})] and shown() == []
    work()

    assert shown(image=image) == [
        ("jpeg", 320, 160), ("jpeg", 640, 321), ("jpeg", 960, 481),
        ("webp", 320, 160), ("webp", 640, 321), ("webp", 960, 481),
    ]  # fmt: skip
    for row in Rendition.objects.all():
        with default_storage.open(row.file) as file, Pictures.open(file) as seen:
            assert (seen.format.lower(), seen.size) == (row.format, (row.width, row.height))
        assert default_storage.size(row.file) == row.byte_count
        assert re.fullmatch(rf"images/{image.pk}/hall-{row.width}\.[0-9a-f]{{16}}\.(jpg|webp)", row.file)


def ask(client, query: str) -> dict:
    return client.post("/graphql/", {"query": query}, content_type="application/json").json()["data"]["article"]


def clear_corner() -> bytes:
    made = Pictures.open(io.BytesIO(photo("PNG", (400, 300)))).convert("RGBA")
    made.putpixel((0, 0), (0, 0, 0, 0))
    stream = io.BytesIO()
    made.save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "formats"),
    [
        (photo("PNG", (400, 300)), ["jpeg", "webp"]),
        (photo("WEBP", (400, 300)), ["jpeg", "webp"]),
        (picture("PNG", (400, 300)), ["png", "webp"]),
        (picture("GIF", (400, 300)), ["png", "webp"]),
        (picture("JPEG", (400, 300)), ["jpeg", "webp"]),
        (clear_corner(), ["png", "webp"]),
        (picture("PNG", (300, 300)), []),
    ],
    ids=["photo png", "photo webp", "drawing", "gif", "jpeg", "transparent", "narrow"],
)
def test_what_jpeg_would_spoil_stays_without_loss(content, formats):
    add_image(content, name="a")
    work()

    assert shown() == [(kind, 320, shown()[0][2]) for kind in formats]


def test_a_transparent_pixel_stays_transparent():
    add_image(clear_corner(), name="a.png")
    work()

    for row in Rendition.objects.all():
        with default_storage.open(row.file) as file, Pictures.open(file) as seen:
            assert seen.getpixel((0, 0))[3] < 255


def test_an_animation_has_none():
    frames = [Pictures.new("RGB", (400, 300), colour) for colour in ("red", "blue")]
    stream = io.BytesIO()
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:])
    image = add_image(stream.getvalue(), name="a.gif")
    work()

    assert shown() == [] and not Image.objects.waiting(services.recipe()).exists()
    with default_storage.open(image.file.name) as file, Pictures.open(file) as seen:
        assert seen.n_frames == 2


def test_both_apis_give_the_srcset_and_the_placeholder(client):
    image = add_image(photo(size=(700, 350)), name="hall.jpg", alt="The hall")
    work()
    make_live_article(slug="lead", image=image)

    rest = client.get("/api/v1/articles/lead/").json()["image"]
    query = '{ article(slug: "lead") { image { url placeholder focalX srcset { format width height url } } } }'
    graph = client.post("/graphql/", {"query": query}, content_type="application/json").json()["data"]["article"][
        "image"
    ]

    assert [(row["format"], row["width"], row["height"]) for row in rest["srcset"]] == [
        ("jpeg", 320, 160), ("jpeg", 640, 320), ("webp", 320, 160), ("webp", 640, 320),
    ]  # fmt: skip
    files = Rendition.objects.order_by("format", "width").values_list("file", flat=True)
    assert [row["url"] for row in rest["srcset"]] == [f"http://testserver/media/{file}" for file in files]
    assert rest["placeholder"] == image.placeholder and image.placeholder.startswith("data:image/webp;base64,")
    assert len(image.placeholder) < 400 and (rest["focal_x"], rest["focal_y"]) == (0.5, 0.5)
    assert graph == {"url": rest["url"], "placeholder": rest["placeholder"], "focalX": 0.5, "srcset": rest["srcset"]}


@pytest.mark.django_db(transaction=True)
def test_an_answer_moves_when_a_rendition_appears(client):
    image = add_image(photo(size=(400, 300)), name="hall.jpg", alt="The hall")
    make_live_article(slug="lead", body=f"![The hall]({image.name})\n", image=image)
    query = {"query": '{ article(slug: "lead") { html } }'}
    before = client.get("/api/v1/articles/lead/")
    graph_before = client.post("/graphql/", query, content_type="application/json")

    work()

    after = client.get("/api/v1/articles/lead/", headers={"If-None-Match": before["ETag"]})
    graph_after = client.post("/graphql/", query, content_type="application/json")
    assert before.json()["image"]["srcset"] == [] and len(after.json()["image"]["srcset"]) == 2
    html_before, html_after = (each.json()["data"]["article"]["html"] for each in (graph_before, graph_after))
    assert " srcset=" not in html_before and " srcset=" in html_after
    assert client.get("/api/v1/articles/lead/", headers={"If-None-Match": after["ETag"]}).status_code == 304


def test_a_text_names_its_images_and_answers_say_where_they_are(client):
    image = add_image(photo(size=(400, 300)), name="hall.jpg", alt="The hall")
    work()
    body = (
        f"![The hall]({image.name})\n\nInline ![again]({image.name}) here.\n\n"
        f"::: callout\n![In it]({image.name})\n:::\n"
    )
    article = make_live_article(slug="lead", body=body)

    content = article.editions.get().content
    answer = client.get("/api/v1/articles/lead/").json()

    webp = Rendition.objects.get(format="webp")
    assert "/media/" not in str(content) and image.file.name not in str(content)
    tag = (
        f'<img data-image="hall.jpg" src="http://testserver/media/{image.file.name}" '
        f'srcset="http://testserver/media/{webp.file} 320w" width="400" height="300" loading="lazy" alt="The hall">'
    )
    assert tag in answer["html"] and answer["html"].count(" srcset=") == 3
    assert " srcset=" in answer["blocks"][1]["html"]
    assert answer["blocks"][0] | {"src": "hall.jpg", "alt": "The hall"} == answer["blocks"][0]
    assert [row["name"] for row in answer["images"]] == ["hall.jpg"] and "url" not in answer["blocks"][0]
    query = (
        '{ article(slug: "lead") { html images { name } blocks { '
        "... on FigureBlock { src image { url srcset { url } } } "
        "... on CalloutBlock { blocks { ... on FigureBlock { image { name } } } } } } }"
    )
    graph = ask(client, query)
    assert graph["html"] == answer["html"] and graph["images"] == [{"name": "hall.jpg"}]
    assert graph["blocks"][0]["image"] == {
        "url": answer["images"][0]["url"], "srcset": [{"url": row["url"]} for row in answer["images"][0]["srcset"]],
    }  # fmt: skip
    assert graph["blocks"][2] == {"blocks": [{"image": {"name": "hall.jpg"}}]}


def test_a_missing_file_is_null_everywhere(client):
    image = register_missing_image(name="hall.jpg", alt="The hall")
    make_live_article(slug="lead", body="![The hall](hall.jpg)\n", image=image)

    answer = client.get("/api/v1/articles/lead/").json()

    found = answer["images"][0]
    assert (found["url"], found["width"], found["height"], found["srcset"], found["placeholder"]) == (
        None, None, None, [], None,
    )  # fmt: skip
    assert answer["image"] == found and '<img data-image="hall.jpg" alt="The hall">' in answer["html"]
    query = '{ article(slug: "lead") { image { url width height } } }'
    graph = ask(client, query)
    assert graph["image"] == {"url": None, "width": None, "height": None}


@pytest.mark.parametrize("public", ["", "https://plenum.example"])
def test_addresses_are_absolute(client, settings, public):
    settings.PLENUM_PUBLIC_URL = public
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.ALLOWED_HOSTS = ["cms.example"]
    image = add_image(picture(), name="a.png", alt="A rack")
    make_live_article(slug="lead", image=image)

    headers = {"Host": "cms.example", "X-Forwarded-Proto": "https"}
    url = client.get("/api/v1/articles/lead/", headers=headers).json()["image"]["url"]

    assert url == f"{public or 'https://cms.example'}/media/{image.file.name}"


def test_making_them_again_changes_nothing():
    image = add_image(photo(size=(400, 300)), name="hall.jpg")
    work()
    before = list(Rendition.objects.order_by("pk").values())

    assert services.render_image(image.pk) == 0
    Image.objects.update(rendered="")
    assert services.render_image(image.pk) == 2

    assert list(Rendition.objects.order_by("pk").values()) == before
    assert len(default_storage.listdir(f"images/{image.pk}")[1]) == 3


def test_other_widths_are_made_anew_by_the_command(settings, capsys):
    image = add_image(photo(size=(400, 300)), name="hall.jpg")
    work()
    settings.PLENUM_RENDITION_WIDTHS = [200, 100]

    call_command("make_renditions")

    assert shown(image=image) == [("jpeg", 100, 75), ("jpeg", 200, 150), ("webp", 100, 75), ("webp", 200, 150)]
    assert "hall.jpg: 4 renditions" in capsys.readouterr().out
    call_command("make_renditions")
    assert "Every image has its renditions." in capsys.readouterr().out


def test_a_failure_is_noted_and_holds_up_no_other(capsys):
    broken, whole = (add_image(photo(size=size), name=f"{size[0]}.jpg") for size in [(401, 300), (400, 300)])
    default_storage.delete(broken.file.name)

    with pytest.raises(FileNotFoundError):
        tasks.render_image(str(broken.pk))
    call_command("make_renditions")

    broken.refresh_from_db()
    assert broken.render_error.startswith("FileNotFoundError") and len(shown(image=whole)) == 2
    assert "401.jpg: FileNotFoundError" in capsys.readouterr().out


def test_a_worker_that_was_killed_loses_nothing():
    """Its job stays behind; a minute later another one finds the image by what it lacks."""
    image = add_image(photo(size=(400, 300)), name="hall.jpg")
    tasks.render_what_waits(0)
    assert shown() == []  # Its own job may be at it.
    with connection.cursor() as cursor:
        cursor.execute("alter table media_image disable trigger media_image_touch")
        cursor.execute("update media_image set updated_at = now() - interval '2 minutes'")
        cursor.execute("alter table media_image enable trigger media_image_touch")

    tasks.render_what_waits(0)

    assert len(shown(image=image)) == 2


def test_files_go_with_their_image(django_capture_on_commit_callbacks):
    image, other = add_image(photo(size=(400, 300)), name="a.jpg"), add_image(photo(size=(401, 300)), name="b.jpg")
    work()
    folder, stays = f"images/{image.pk}", default_storage.listdir(f"images/{other.pk}")
    assert len(default_storage.listdir(folder)[1]) == 3

    services.delete_image(Image.objects.get(pk=image.pk))
    work()

    assert default_storage.listdir(folder)[1] == [] and default_storage.listdir(f"images/{other.pk}") == stays
    assert PurePosixPath(other.file.name).parent.name == str(other.pk)


def files_of(image) -> set[str]:
    return {f"images/{image.pk}/{name}" for name in default_storage.listdir(f"images/{image.pk}")[1]}


def replace(image, content: bytes) -> Image:
    return services.supply_file(Image.objects.get(pk=image.pk), read_picture(io.BytesIO(content)))


def named(image) -> set[str]:
    """Return the files that a picture and its renditions have now."""
    rows = Rendition.objects.visible(None).filter(image=image)
    return {str(Image.objects.get(pk=image.pk).file), *rows.values_list("file", flat=True)}


def test_a_file_that_was_replaced_goes_in_thirty_days_with_its_renditions():
    image = add_image(photo(size=(400, 300)), name="a.jpg")
    work()
    old = files_of(image)
    replace(image, photo(size=(500, 300)))
    work(days=29)
    assert len(old) == 3 and old < files_of(image) and old.isdisjoint(named(image))

    work(days=31)

    assert files_of(image) == named(image) and len(named(image)) == 3
    assert Rendition.objects.filter(image=image).count() == 2


def test_a_picture_that_came_back_stays():
    first = photo(size=(400, 300))
    image = add_image(first, name="a.jpg")
    work()
    kept = named(image)
    replace(image, photo(size=(500, 300)))
    replace(image, first)

    work(days=31)

    assert named(image) == kept == files_of(image)


@pytest.mark.parametrize("event", ["deleted", "replaced"])
def test_what_is_rendered_of_a_picture_that_goes_meanwhile_leaves_no_file(event, monkeypatch):
    image = add_image(photo(size=(400, 300)), name="a.jpg")
    render, later = services.render, photo(size=(500, 300))

    def render_while_it_goes(file, widths):
        made = render(file, widths)
        monkeypatch.setattr(services, "render", render)
        if event == "deleted":
            services.delete_image(Image.objects.get(pk=image.pk))
            name, arguments = jobs()[-1]
            TASKS[name](**arguments)
        else:
            replace(image, later)
        return made

    monkeypatch.setattr(services, "render", render_while_it_goes)
    assert services.render_image(image.pk) == 0

    if event == "deleted":
        assert files_of(image) == set()
    else:
        assert files_of(image) == {image.file.name, *named(image)} and shown(image=image) == []
        work(days=31)
        assert files_of(image) == named(image)


def test_a_worker_that_was_killed_leaves_no_file_of_a_picture_that_is_gone():
    image = add_image(photo(size=(400, 300)), name="a.jpg")
    rendering = jobs()[0][1]
    Image.objects.filter(pk=image.pk).delete()  # As SQL would: no job removes its files.

    tasks.render_image(**rendering)

    assert files_of(image) == set()

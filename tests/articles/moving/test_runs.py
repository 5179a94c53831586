"""What several runs do to each other and to what people changed meanwhile, through the command."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from articles.models import Article, Author, Edition, ImportedAuthor, ImportedItem, ImportedPicture, OldAddress
from articles.moving import storing, writing
from articles.services import change_article, delete_article
from core.media.models import Image
from core.publishing.services import database_now
from tests.articles.moving.wxr import Post, attachment, category, write_wxr
from tests.core.media.pictures import picture
from tests.factories import make_author, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    account = make_person(username="ed")
    account.groups.add(Group.objects.get(name="editors"))
    return account


def bring(path: Path, *, editor: Any = None, **options: Any) -> dict[str, Any]:
    out = StringIO()
    name = editor.username if editor else None
    call_command("import_articles", path, editor=name, format="json", stdout=out, **options)
    return json.loads(out.getvalue())


def live(slug: str) -> Edition | None:
    return Edition.objects.visible(database_now()).filter(article__slug=slug).first()


def codes(item: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in item["warnings"]]


def test_what_changed_at_the_source_becomes_a_draft_beside_what_is_live(tmp_path, editor, client):
    path = write_wxr(tmp_path / "old.xml", [Post(1, "<p>First words.</p>", slug="a"), Post(2, slug="b")])
    bring(path, editor=editor)
    before = live("a").sha256
    write_wxr(path, [Post(1, "<p>Second words.</p>", slug="a-renamed", title="New title"), Post(2, slug="b")])

    report = bring(path, editor=editor)

    assert [(item["source"], item["action"], item["slug"]) for item in report["items"]] == [("post 1", "changed", "a")]
    article = Article.objects.get(slug="a")
    assert (article.title, article.body) == ("New title", "Second words.\n")
    assert live("a").sha256 == before and Edition.objects.filter(article=article).count() == 1
    assert client.get("/api/v1/articles/a/").json()["title"] == "Post 1"
    assert bring(path, editor=editor)["items"] == []


def test_what_was_changed_here_stays_and_is_said_once(tmp_path, editor):
    path = write_wxr(tmp_path / "old.xml", [Post(1, slug="a")])
    bring(path, editor=editor)
    article = Article.objects.get(slug="a")
    change_article(article, based_on=article.draft_version, by=editor, fields={"body": "Ours.\n"})
    write_wxr(path, [Post(1, "<p>Theirs.</p>", slug="a")])

    report = bring(path, editor=editor)

    (item,) = report["items"]
    assert (item["action"], codes(item)) == ("kept", ["edited_here"])
    assert Article.objects.get(slug="a").body == "Ours.\n"
    assert bring(path, editor=editor)["items"] == []


def test_without_the_right_to_approve_all_of_it_is_a_draft(tmp_path, client):
    author = make_person(username="writer")
    author.groups.add(Group.objects.get(name="authors"))
    path = write_wxr(tmp_path / "old.xml", [Post(1, slug="a")])
    out = StringIO()

    call_command("import_articles", path, editor="writer", stdout=out)

    article = Article.objects.get(slug="a")
    assert (article.body, article.note) == ("Words.\n", "The old site published this on 2020-01-02 at 03:04 UTC.")
    assert Edition.objects.count() == 0 and client.get("/api/v1/articles/a/").status_code == 404
    assert "writer may not review and publish, so all of it is a draft." in out.getvalue()
    assert "1 draft." in out.getvalue()


def test_an_editor_nobody_knows_is_refused(tmp_path):
    path = write_wxr(tmp_path / "old.xml", [Post(1)])

    with pytest.raises(CommandError, match="no active account nobody"):
        call_command("import_articles", path, editor="nobody")

    assert Article.objects.count() == 0


def test_a_dry_run_tells_what_a_run_would_do_and_writes_nothing(tmp_path, editor):
    (tmp_path / "uploads").mkdir()
    (tmp_path / "uploads" / "pump.png").write_bytes(picture())
    body = '<p>See <img src="https://old.example/wp-content/uploads/pump.png" alt="Pump"></p>[map id="1"]'
    path = write_wxr(tmp_path / "old.xml", [Post(1, body, slug="a", more=category("power")), Post(2, kind="page")])

    dry = bring(path, editor=editor, dry_run=True)

    tables = (Article, Author, Image, ImportedItem, ImportedAuthor, ImportedPicture, OldAddress)
    assert [table.objects.count() for table in tables] == [0] * len(tables)
    wet = bring(path, editor=editor)
    assert dry == wet | {"dry_run": True}
    assert [table.objects.count() for table in tables] == [1] * len(tables)
    assert codes(wet["items"][0]) == ["shortcode_dropped"]


def test_readers_get_the_text_of_a_link_to_a_draft_and_no_trace_of_it(tmp_path, editor, client):
    posts = [
        Post(1, '<p>See <a href="/secret-plan/#costs">the plan</a> and <a href="/b/">b</a>.</p>', slug="a"),
        Post(2, slug="secret-plan", status="private"),
        Post(3, '<p>Back to <a href="https://www.old.example/a">a</a>.</p>', slug="b"),
    ]

    report = bring(write_wxr(tmp_path / "old.xml", posts), editor=editor)

    assert codes(report["items"][0]) == ["link_not_live"]
    article = Article.objects.get(slug="a")
    assert article.body == "See [the plan](article:secret-plan#costs) and [b](article:b).\n"
    answer = client.get("/api/v1/articles/a/").content.decode()
    assert "the plan" in answer and "secret" not in answer
    assert live("b") is not None
    assert bring(tmp_path / "old.xml", editor=editor)["items"] == []


def test_what_an_editor_deleted_does_not_come_back(tmp_path, editor):
    path = write_wxr(tmp_path / "old.xml", [Post(1, slug="a", status="draft"), Post(2, slug="b")])
    bring(path, editor=editor)
    delete_article(Article.objects.get(slug="a"))
    write_wxr(path, [Post(1, "<p>New.</p>", slug="a", status="draft"), Post(2, "<p>New.</p>", slug="b")])

    report = bring(path, editor=editor)

    told = {item["source"]: (item["action"], item.get("reason")) for item in report["items"]}
    assert told == {"post 1": ("skipped", "deleted_here"), "post 2": ("changed", None)}
    assert not Article.objects.filter(slug="a").exists()


def test_a_run_that_fails_in_the_middle_leaves_no_row_and_no_file(tmp_path, editor, monkeypatch):
    (tmp_path / "uploads").mkdir()
    (tmp_path / "uploads" / "pump.png").write_bytes(picture())
    body = '<img src="https://old.example/wp-content/uploads/pump.png" alt="Pump">'
    path = write_wxr(tmp_path / "old.xml", [Post(1, body), Post(2), Post(3)])
    publish, files = writing.publish_articles, []

    def publish_one_batch(editions: list[Edition], **options: Any) -> list[Edition]:
        files.extend(image.file.name for image in Image.objects.all())
        if any(edition.article.slug == "post-3" for edition in editions):
            raise OSError("the disk is full")
        return publish(editions, **options)

    monkeypatch.setattr(writing, "BATCH", 2)
    monkeypatch.setattr(writing, "publish_articles", publish_one_batch)
    with pytest.raises(OSError, match="the disk is full"):
        bring(path, editor=editor)

    tables = (Article, Edition, Author, Image, ImportedItem, ImportedAuthor, ImportedPicture, OldAddress)
    assert [table.objects.count() for table in tables] == [0] * len(tables)
    assert files and not any(default_storage.exists(name) for name in files)


def test_a_picture_whose_file_comes_later_is_supplied(tmp_path, editor):
    posts = [
        Post(1, '<img class="wp-image-9" src="https://old.example/wp-content/uploads/2020/pump-300x200.png">'),
        attachment(9, "2020/pump.png", "Pump with its lid off"),
    ]
    path = write_wxr(tmp_path / "old.xml", posts)
    first = bring(path, editor=editor)
    assert codes(first["items"][0]) == ["image_missing"] and not Image.objects.get().file
    before = live("post-1").sha256
    (tmp_path / "uploads" / "2020").mkdir(parents=True)
    (tmp_path / "uploads" / "2020" / "pump.png").write_bytes(picture())

    second = bring(path, editor=editor)

    assert (second["items"], second["pictures_supplied"]) == ([], ["pump.png"])
    image = Image.objects.get()
    assert image.file and (image.name, image.alt) == ("pump.png", "Pump with its lid off")
    assert live("post-1").sha256 == before
    assert bring(path, editor=editor)["pictures_supplied"] == []


def test_a_lead_image_without_an_alternative_text_is_for_editors(tmp_path, editor):
    """Where the text shows the same file with one, it is that of the picture, whichever item brought it."""
    (tmp_path / "uploads").mkdir()
    (tmp_path / "uploads" / "pump.png").write_bytes(picture())
    lead = "\t\t<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>\n"
    shown = '<p>Words.</p><img src="https://old.example/wp-content/uploads/pump.png" alt="Pump with its lid off">'
    posts = [Post(1, more=lead), Post(2, shown, more=lead), attachment(9, "pump.png")]

    report = bring(write_wxr(tmp_path / "old.xml", posts), editor=editor)

    first, second, _ = report["items"]
    assert [(item["as"], codes(item)) for item in (first, second)] == [
        ("published", ["lead_image_held_back"]),
        ("published", []),
    ]
    assert Image.objects.get().alt == "Pump with its lid off"
    assert (live("post-1").image, live("post-2").image) == (None, Image.objects.get())
    assert Article.objects.get(slug="post-1").image == Image.objects.get()


def test_a_file_that_is_no_picture_makes_no_figure(tmp_path, editor):
    (tmp_path / "uploads").mkdir()
    (tmp_path / "uploads" / "a.png").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "uploads" / "b.png").write_bytes(picture()[:40])  # It begins as one, and breaks off.
    source = "https://old.example/wp-content/uploads"
    body = f'<p>Words.</p><img src="{source}/a.png" alt="A"><img src="{source}/b.png" alt="B">'

    report = bring(write_wxr(tmp_path / "old.xml", [Post(1, body)]), editor=editor)

    assert codes(report["items"][0]) == ["image_refused", "image_refused"]
    assert Article.objects.get().body == "Words.\n" and live("post-1") is not None
    assert Image.objects.count() == 0


def test_authors_are_told_apart_by_login_and_known_again_by_mail(tmp_path, editor):
    make_author(slug="ines", name="Ines Roth")
    posts = [Post(1, author="a"), Post(2, author="b"), Post(3, author="ines"), Post(4, author="gone")]
    authors = [("a", "Maja Lind", "a@x.example"), ("b", "Maja Lind", "b@x.example"), ("ines", "Ines Roth", "")]
    bring(write_wxr(tmp_path / "one.xml", posts, authors=authors), editor=editor)
    other = [("x", "M. Lind", "A@x.example"), ("y", "Maja Lind", "c@x.example")]
    path = write_wxr(
        tmp_path / "two.xml", [Post(1, author="x"), Post(2, author="y")], authors=other, site="http://two.example"
    )

    report = bring(path, editor=editor)

    assert [item["authors"] for item in report["items"]] == [["maja-lind"], ["maja-lind-3"]]
    bylines = {a.slug: [r.author.slug for r in a.authorships.all()] for a in Article.objects.order_by("slug")}
    assert bylines["post-1"] == ["maja-lind"] and bylines["post-2"] == ["maja-lind-2"]
    assert bylines["post-3"] == ["ines"] and bylines["post-4"] == ["gone"]
    assert bylines["post-1-2"] == ["maja-lind"] and Author.objects.count() == 5


def test_old_addresses_lead_to_the_article(tmp_path, editor, client):
    old_slug = (
        "\t\t<wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>was</wp:meta_value></wp:postmeta>\n"
    )
    path = write_wxr(tmp_path / "old.xml", [Post(1, slug="is", more=old_slug), Post(2, slug="no", status="draft")])

    bring(path, editor=editor)

    assert sorted(OldAddress.objects.values_list("path", "article__slug")) == [("/is", "is"), ("/was", "is")]


def test_of_two_runs_at_once_the_second_is_refused(tmp_path, editor, monkeypatch):
    path = write_wxr(tmp_path / "old.xml", [Post(1)])
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("select pg_advisory_lock(%s)", [storing.LOCK])
        with pytest.raises(CommandError, match="Another import is running"):
            bring(path, editor=editor)
    finally:
        other.close()

    assert Article.objects.count() == 0
    assert len(bring(path, editor=editor)["items"]) == 1


def test_statements_do_not_grow_with_the_posts_of_a_batch(tmp_path, editor, django_assert_max_num_queries):
    def path(number: int) -> Path:
        return write_wxr(tmp_path / f"{number}.xml", [Post(n) for n in range(number)], site=f"https://{number}.example")

    bring(path(1), editor=editor)  # What all of them share, such as the byline, is made once.
    with django_assert_max_num_queries(10_000) as few:
        bring(path(2), editor=editor)
    with django_assert_max_num_queries(10_000) as many:
        bring(path(12), editor=editor)

    assert len(many) == len(few), "all posts of a batch go through each verb together"


def test_all_broken_files_of_a_folder_are_named_at_once(tmp_path, editor):
    posts = tmp_path / "content" / "posts"
    posts.mkdir(parents=True)
    (tmp_path / "hugo.toml").write_text('baseURL = "https://old.example/"\n')
    (posts / "good.md").write_text("---\ntitle: Good\ndate: 2021-03-01\n---\nWords.\n")
    (posts / "date.md").write_text("---\ntitle: Date\ndate: 2021-02-29\n---\nWords.\n")
    (posts / "open.md").write_text("---\ntitle: Open\n")
    (posts / "yaml.md").write_text("---\ntitle: [\n---\nWords.\n")
    out = StringIO()

    with pytest.raises(CommandError) as refused:
        call_command("import_articles", tmp_path, editor="ed", format="json", stdout=out)

    told = json.loads(out.getvalue())["refused"]
    assert [(each["file"], each["code"]) for each in (told, *told["others"])] == [
        ("content/posts/date.md", "bad_date"),
        ("content/posts/open.md", "front_matter_unclosed"),
        ("content/posts/yaml.md", "bad_front_matter"),
    ]
    lines = str(refused.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "content/posts/date.md",
        "content/posts/open.md",
        "content/posts/yaml.md",
    ]
    assert lines[-1].endswith("Nothing was written.")
    assert not Article.objects.exists()

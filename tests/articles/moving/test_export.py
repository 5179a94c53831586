"""`export_articles`: what it writes, what it leaves alone, and that an import reads it back to the same content."""

import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db import transaction

from articles.addresses import keep_old_address
from articles.models import Article, Author, Edition, ImportedItem, OldAddress
from articles.services import change_article
from catalog.models import Rung
from core.media.models import Image
from core.media.services import add_image
from core.publishing.services import database_now
from tests.articles.moving.test_cases import rows
from tests.core.media.pictures import picture
from tests.factories import make_article, make_author, make_live_article, make_person, make_section, make_tag

pytestmark = pytest.mark.django_db

BODY = """## Warm water {#warm}

See [the busway](article:busway#tap-off) and [here](#warm), H<sub>2</sub>O, \\{{ not.ours }}.

::: figure src=pump.png alt="Pump, lid off" credit="M. Lind"
The *new* seal.
:::

```jinja
{{ x.y }}
```
"""
CORRECTIONS = [{"said": "48 °C: too low", "says": "45 °C\nat most", "on": "2026-02-03", "gravity": "major"}]
# What of an edition's document are ids of the database that holds it.
IDS = ("section_id", "rung_id", "image_id", "author_ids", "tag_ids")


@pytest.fixture
def editor() -> Any:
    person = make_person(username="ed")
    person.groups.add(Group.objects.get(name="editors"))
    return person


def publish_two() -> dict[str, Any]:
    """Publish two articles that link to each other, with all that an article can have, and return their documents."""
    add_image(picture(), name="pump.png", alt="A pump", credit="Lind", licence="CC BY 4.0")
    lind = make_author(slug="maja-lind", name="Maja Lind", bio="Writes.\nReads.", homepage="https://lind.example/")
    other = make_author(slug="maja-lind-2", name="Maja Lind")
    busway = make_live_article(
        slug="busway", title="Busway: 1 < 2", body="## Tap off\r\n\r\nText with CR and no end.", dek="No"
    )
    article = make_live_article(
        slug="warm-water",
        title='Warm "water": a {test} #1',
        dek="yes",
        body=BODY,
        section=make_section("cooling"),
        rung=Rung.objects.get(slug="rack"),
        image=Image.objects.get(name="pump.png"),
        authors=[other, lind],
        tags=[make_tag(slug="pue", name="PUE & tools"), make_tag(slug="null", name="null")],
        explains=["density_kw", "method:air"],
        corrections=CORRECTIONS,
        published_at=datetime(2019, 5, 6, 7, 8, 9, 123456, tzinfo=UTC),
    )
    keep_old_address(article, "/2019/05/wärme/")
    make_article(slug="draft-note", title="Not yet", body="Waiting.\n", note="Ask Ines")
    return {one.slug: documents()[one.slug] for one in (busway, article)}


def documents() -> dict[str, Any]:
    """Return what readers get of each article, with names in place of ids, and when it was published."""
    found = {}
    for edition in Edition.objects.visible(database_now()):
        said = {key: value for key, value in edition.content.items() if key not in IDS}
        said["authors"] = [row.author.slug for row in edition.authorships.order_by("position")]
        said["tags"] = sorted((tag.slug, tag.name) for tag in edition.tags.all())
        said["section"], said["rung"] = str(edition.section), str(edition.rung)
        said["image"] = str(edition.image)
        said["published_at"] = edition.published_at
        # A picture has a file of its own in each database.
        for block in said["blocks"]:
            block.pop("url", None)
        said["html"] = said["html"].replace(f"/media/{Image.objects.values_list('file', flat=True).first()}", "FILE")
        found[edition.slug] = said
    return found


def run(command: str, *args: Any, **options: Any) -> str:
    out = StringIO()
    call_command(command, *args, stdout=out, **options)
    return out.getvalue()


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def elsewhere(work: Any) -> Any:
    """Do `work` in a publication that is gone afterwards, as if it were another database."""
    with transaction.atomic():
        found = work()
        transaction.set_rollback(True)
    return found


def test_an_export_imports_to_the_same_content(editor, tmp_path):
    folder = tmp_path / "out"

    def export() -> dict[str, Any]:
        before = publish_two()
        out = run("export_articles", folder)
        assert out == f"3 articles, 1 pictures in {folder}.\n"
        return before

    before = elsewhere(export)
    assert not Article.objects.exists()

    report = json.loads(run("import_articles", folder, editor="ed", format="json"))

    assert {item["slug"]: item["as"] for item in report["items"]} == {
        "busway": "published",
        "warm-water": "published",
        "draft-note": "draft",
    }
    assert [item["warnings"] for item in report["items"]] == [[], [], []]
    assert documents() == before
    draft = Article.objects.get(slug="draft-note")
    assert (draft.title, draft.body, draft.note) == ("Not yet", "Waiting.\n", "")
    lind = Author.objects.get(slug="maja-lind")
    assert (lind.name, lind.bio, lind.homepage) == ("Maja Lind", "Writes.\nReads.", "https://lind.example/")
    pump = Image.objects.get(name="pump.png")
    assert (pump.alt, pump.credit, pump.licence, bool(pump.file)) == ("A pump", "Lind", "CC BY 4.0", True)
    assert list(OldAddress.objects.values_list("path", "article__slug")) == [("/2019/05/wärme", "warm-water")]

    counts, standing = rows(), documents()
    again = json.loads(run("import_articles", folder, editor="ed", format="json"))
    assert (again["items"], rows(), documents()) == ([], counts, standing)


def test_an_export_that_comes_home_changes_nothing(editor, tmp_path):
    publish_two()
    run("export_articles", tmp_path / "out")
    counts, before = rows(), documents()

    report = json.loads(run("import_articles", tmp_path / "out", editor="ed", format="json"))

    assert report["items"] == []
    assert (rows(), documents()) == (counts, before)
    assert not ImportedItem.objects.exists()


def test_two_exports_are_the_same_files_and_the_second_takes_the_place_of_the_first(tmp_path):
    publish_two()
    folder = tmp_path / "out"
    run("export_articles", folder)
    first = files_of(folder)

    run("export_articles", folder)
    assert files_of(folder) == first
    assert b"Ask Ines" not in b"".join(first.values())

    run("export_articles", folder, slugs=["busway"])
    assert sorted(files_of(folder)) == [
        "articles/busway.md",
        "authors.yaml",
        "images.yaml",
        "plenum-export.json",
        "tags.yaml",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_live_has_no_drafts_and_drafts_have_what_readers_do_not_see(tmp_path):
    publish_two()
    busway = Article.objects.get(slug="busway")
    change_article(busway, based_on=busway.draft_version, by=make_person(), fields={"body": "Rewritten 7741.\n"})

    run("export_articles", tmp_path / "live", live=True)
    run("export_articles", tmp_path / "drafts", drafts=True)

    live, drafts = files_of(tmp_path / "live"), files_of(tmp_path / "drafts")
    assert sorted(name for name in live if name.startswith("articles/")) == [
        "articles/busway.md",
        "articles/warm-water.md",
    ]
    assert b"7741" not in b"".join(live.values())
    assert drafts["articles/busway.md"].endswith(b"\n---\n\nRewritten 7741.\n")
    assert b"status: draft" in drafts["articles/warm-water.md"] and b"Waiting." in drafts["articles/draft-note.md"]
    assert live["articles/busway.md"].endswith(b"## Tap off\r\n\r\nText with CR and no end.")


def test_a_folder_that_is_no_export_is_left_alone(tmp_path):
    publish_two()
    (tmp_path / "letters.txt").write_text("Dear Ines")

    with pytest.raises(CommandError, match="holds files that are no export"):
        run("export_articles", tmp_path)
    with pytest.raises(CommandError, match="There is no folder"):
        run("export_articles", tmp_path / "a" / "b")

    assert files_of(tmp_path) == {"letters.txt": b"Dear Ines"}


def test_an_unknown_slug_and_an_empty_publication_are_said(tmp_path):
    with pytest.raises(CommandError, match="there is no article yet"):
        run("export_articles", tmp_path / "out")
    publish_two()

    with pytest.raises(CommandError, match="There is no such article: busways"):
        run("export_articles", tmp_path / "out", slugs=["busways", "busway"])

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "line"),
    [
        ("plenum-export.json", '"version": 1', '"version": 2', "unknown_version", 1),
        ("articles/busway.md", "title: ", "title: *x ", "bad_front_matter", 3),
        ("articles/busway.md", "published_at: '2", "published_at: 'never 2", "bad_date", 6),
        ("authors.yaml", "- slug: maja-lind-2", "- slug: *x", "bad_front_matter", 7),
    ],
)
def test_an_export_that_was_spoilt_is_refused_whole(editor, tmp_path, file, old, new, code, line):
    folder = tmp_path / "out"
    elsewhere(lambda: (publish_two(), run("export_articles", folder)))
    spoilt = folder / file
    text = spoilt.read_bytes().decode()
    assert old in text
    spoilt.write_bytes(text.replace(old, new, 1).encode())
    before = rows()
    out = StringIO()

    with pytest.raises(CommandError, match="Nothing was written"):
        call_command("import_articles", folder, editor="ed", format="json", stdout=out)

    told = json.loads(out.getvalue())["refused"]
    assert (told["code"], told.get("file"), told.get("line")) == (code, file, line)
    assert rows() == before

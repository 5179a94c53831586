"""Every run and every refusal of the cases, through the command and the public API."""

import json
import re
from collections import Counter
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from articles.freezing import read_body
from articles.models import Article, Edition, ImportedItem, OldAddress
from articles.moving.readers import KINDS
from core.publishing.services import database_now
from tests.articles.moving.cases import Run, refusals, runs
from tests.articles.moving.facts import check
from tests.factories import make_person

pytestmark = pytest.mark.django_db

BODIES = re.compile(r"\.(lexical|mobiledoc|html)$")


RUNS = [pytest.param(run, id=run.name) for run in runs()]
REFUSALS = [pytest.param(path, expected, id=path.name) for path, expected in refusals()]


def make_editor() -> str:
    editor = make_person(username="ed")
    editor.groups.add(Group.objects.get(name="editors"))
    return editor.username


def import_run(run: Run, *, editor: str | None = "ed", **more: Any) -> dict[str, Any]:
    """Run the command as a shell would, and return its report."""
    options = run.options
    arguments: dict[str, Any] = {
        "editor": editor,
        "format": "json",
        "now": options.get("now"),
        "site": options.get("site", ""),
        "folders": list(options.get("folders", [])),
        "flavour": options.get("flavour") or _flavour(run),
    }
    if "timezone" in options:
        arguments["timezone"] = options["timezone"]
    if "media" in options:
        arguments["media"] = options["media"]
    out = StringIO()
    call_command("import_articles", run.path, stdout=out, **arguments, **more)
    return json.loads(out.getvalue())


def _flavour(run: Run) -> str:
    site = run.within.strip("/")
    return site if site in KINDS else run.kind if run.kind != "markdown" else ""


def rows() -> dict[str, int]:
    """Return how many rows there are of each model of ours."""
    models = [
        model for app in ("articles", "media", "publishing", "feed") for model in apps.get_app_config(app).get_models()
    ]
    return {model._meta.label: model._default_manager.count() for model in models}


@pytest.mark.parametrize("run", RUNS)
def test_an_import_does_what_the_case_says(client, run):
    make_editor()

    report = import_run(run)

    told = {item["source"]: item for item in report["items"]}
    wrong: list[str] = []
    expected = {item["source"].removeprefix(run.within): item for item in run.items}
    if set(told) != set(expected):
        wrong.append(f"items: {sorted(set(told) ^ set(expected))} are not in both")
    for source, item in expected.items():
        if source in told:
            wrong += [f"{source}: {fault}" for fault in faults(client, run, item, told[source])]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("run", RUNS)
def test_a_second_run_changes_nothing(run):
    make_editor()
    import_run(run)
    before = rows(), standing()

    report = import_run(run)

    assert report["items"] == [] and report["pictures_supplied"] == []
    assert (rows(), standing()) == before


@pytest.mark.parametrize(("path", "expected"), REFUSALS)
def test_a_file_that_cannot_be_trusted_is_refused_whole(path, expected):
    make_editor()
    before = rows()
    out = StringIO()

    with pytest.raises(CommandError) as refused:
        call_command("import_articles", path, editor="ed", format="json", stdout=out)

    told = json.loads(out.getvalue())["refused"]
    assert (told["code"], told.get("line")) == (expected["code"], expected.get("line"))
    assert path.name in str(refused.value) and "Nothing was written" in str(refused.value)
    assert rows() == before


def standing() -> list[Any]:
    """Return ids, slugs and hashes of all that came."""
    articles = Article.objects.order_by("pk").values_list("pk", "slug", "draft_version", "body")
    editions = Edition.objects.order_by("pk").values_list("pk", "slug", "sha256", "live")
    return [*articles, *editions, *ImportedItem.objects.order_by("pk").values_list("pk", "sha256", "draft_version")]


def faults(client: Any, run: Run, expected: dict[str, Any], told: dict[str, Any]) -> list[str]:
    """Return all in which what came differs from what is expected."""
    if expected["as"] == "skipped":
        return _differences(expected, told, ("as", "reason"))
    article = Article.objects.get(slug=told["slug"])
    found = _differences(expected, told, ("as", "slug", "title"))
    found += [
        f"{name} of the draft is {ours!r}, not {expected[name]!r}"
        for name, ours in (("slug", article.slug), ("title", article.title))
        if ours != expected[name]
    ]
    if article.dek != (expected.get("dek") or ""):
        found.append(f"dek is {article.dek!r}")
    authors = [authorship.author.slug for authorship in article.authorships.order_by("position")]
    if authors != expected["authors"]:
        found.append(f"authors are {authors}, not {expected['authors']}")
    section = article.section.slug if article.section else None
    if section != expected["section"]:
        found.append(f"section is {section}, not {expected['section']}")
    tags = sorted(tag.name for tag in article.tags.all())
    if "tags" in expected and tags != sorted(expected["tags"]):
        found.append(f"tags are {tags}, not {expected['tags']}")
    paths = set(OldAddress.objects.filter(article=article).values_list("path", flat=True))
    if paths != {path.rstrip("/") for path in expected["redirects"]}:
        found.append(f"redirects are {paths}, not {expected['redirects']}")
    found += _faults_of_state(client, expected, article)
    found += _faults_of_images(expected, told)
    found += _faults_of_warnings(run, expected, told)
    document, _ = read_body(article.body)
    files = {image["name"]: image["file"] for image in told["images"]}
    for fact in expected["facts"]:
        if fault := check(fact, article.body, document, files):
            found.append(f"{fact}: {fault}\n{article.body}")
    return found


def _differences(expected: dict[str, Any], told: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    return [
        f"{name} is {told.get(name)!r}, not {expected[name]!r}" for name in names if told.get(name) != expected[name]
    ]


def _faults_of_state(client: Any, expected: dict[str, Any], article: Article) -> list[str]:
    """Return what is wrong with what readers find, and when it is said to have been published."""
    response = client.get(f"/api/v1/articles/{article.slug}/")
    live = Edition.objects.visible(database_now()).filter(article=article).first()
    if expected["as"] == "draft":
        found = [] if response.status_code == 404 and live is None else ["readers find it"]
        proposed = ImportedItem.objects.get(article=article).publish_at
        wanted = datetime.fromisoformat(expected["publish_at"]) if "publish_at" in expected else None
        return found + ([] if proposed == wanted else [f"publish_at is {proposed}, not {wanted}"])
    if response.status_code != 200 or live is None:
        return [f"readers get {response.status_code}"]
    wanted = datetime.fromisoformat(expected["published_at"])
    found = [] if live.published_at == wanted else [f"published_at is {live.published_at}, not {wanted}"]
    shown = response.json()
    return found + ([] if shown["title"] == expected["title"] else [f"readers see the title {shown['title']!r}"])


def _faults_of_images(expected: dict[str, Any], told: dict[str, Any]) -> list[str]:
    names = ("file", "alt", "caption", "found")
    ours = [{name: image[name] for name in names} for image in told["images"]]
    by_file = sorted(expected["images"], key=lambda image: image["file"])
    return [] if sorted(ours, key=lambda image: image["file"]) == by_file else [f"images are {ours}"]


def _faults_of_warnings(run: Run, expected: dict[str, Any], told: dict[str, Any]) -> list[str]:
    """Return the differences of warnings by code and place; what stands near must stand there in the source."""
    ours, wanted = Counter(map(_place, told["warnings"])), Counter(map(_place, expected["warnings"]))
    found = [f"no warning {place}" for place in wanted - ours] + [
        f"warning {place} too many" for place in ours - wanted
    ]
    lines = _lines(run, told)
    for warning in told["warnings"]:
        near = warning.get("near", "").rstrip("…")[:20]
        if (
            "line" in warning
            and lines
            and "".join(near.split()) not in "".join("".join(lines[warning["line"] - 1 :][:9]).split())
        ):
            found.append(f"{near!r} does not stand at line {warning['line']}")
    for warning in expected["warnings"]:
        if "line" in warning and lines and warning.get("near", "") not in lines[warning["line"] - 1]:
            found.append(f"the case itself is wrong: {warning['near']!r} does not stand at line {warning['line']}")
    return found


def _place(warning: dict[str, Any]) -> tuple[str, Any]:
    return warning["code"], warning.get("line") or BODIES.sub(".body", warning.get("path", ""))


def _lines(run: Run, told: dict[str, Any]) -> list[str]:
    """Return the lines of the file that an item stands in; none of a JSON file, whose places are paths."""
    path: Path = run.path / told["source"] if run.path.is_dir() else run.path
    if path.suffix == ".json":
        return []
    data = path.read_bytes()
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig").replace("\r\n", "\n")
    return re.sub("[\x00-\x08\x0e-\x1f]", "", text).split("\n")

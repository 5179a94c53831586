"""`manage.py load_publication`: through the services, all or nothing, and nothing at all the second time."""

import shutil
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from articles.models import Article, Edition
from articles.services import change_article, publish_article, review_article, submit_article, withdraw_article
from catalog.models import Device
from core.facts.models import Fact
from core.facts.services import choose_claim
from core.media.models import Image
from core.publishing.models import Review
from core.publishing.services import database_now
from simulator.models import Scenario
from sponsors.models import Vendor, VendorEdition
from sponsors.services import change_vendor, publish_vendor, review_vendor, submit_vendor, withdraw_vendor
from tests.factories import make_person

SAMPLE = Path(__file__).parents[2] / "sample"
PEOPLE = "- {username: sample-one, name: One Person, groups: [editors]}\n"
SOURCES = "- {slug: a-page, title: A page, publisher: Somebody, dated: undated}\n"
FACTS = (
    "- slug: a-fact\n  label: A fact\n  field: a_fact_kw\n  claims:\n"
    "    - {value: 12, unit: kW, confidence: verified, source: a-page}\n"
    "    - {value: 14, unit: kW, confidence: reported, source: a-page, chosen: true}\n"
)
ONE = (
    "---\ntitle: One\nslug: one\nsection: power\ntags: [floor-loading]\npublished: 2024-03-11\n---\n\n"
    "It draws {{fact:a-fact}} [@a-page]. See [two](article:two).\n"
)
VENDOR = (
    "- slug: acme\n  name: Acme\n  description: Makes pumps.\n  role: vendor\n  sections: [cooling]\n"
    "  homepage: https://www.acme-pumps.com/\n  domain: {name: acme-pumps.com, source: Its page.}\n"
)
TWO = "---\ntitle: Two\nslug: two\n---\n\nSee [one](article:one).\n"


@pytest.fixture
def folder(tmp_path):
    """Return a folder with two articles that link to each other."""
    (tmp_path / "articles").mkdir()
    for name, text in {
        "people.yaml": PEOPLE, "sources.yaml": SOURCES, "facts.yaml": FACTS,
        "articles/one.md": ONE, "articles/two.md": TWO,
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    return tmp_path


def load(folder: Path) -> str:
    out = StringIO()
    try:
        call_command("load_publication", str(folder), stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def stored_files() -> set[str]:
    return set(default_storage.listdir("images")[1]) if default_storage.exists("images") else set()


def row_versions() -> dict[str, list[str]]:
    """Return the place of every row of every table: a row that is written, even to the same values, gets another."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"select ctid::text from {connection.ops.quote_name(table)} order by ctid")
            found[table] = [row[0] for row in cursor.fetchall()]
    return found


@pytest.mark.django_db
def test_the_sample_is_published_by_the_importer_and_approved_by_two_people():
    report = load(SAMPLE)

    assert "articles: 15 created, 15 published" in report
    assert "vendors: 25 created, 25 published" in report
    now = database_now()
    assert Edition.objects.visible(now).count() == 15
    assert VendorEdition.objects.visible(now).count() == 25
    assert Device.objects.count() == 25
    importer = User.objects.get(username="importer")
    people = User.objects.filter(username__startswith="sample-")
    assert {account.username for account in people} == {"sample-agnes-whitlock", "sample-daniel-oyelaran"}
    assert not any(account.has_usable_password() for account in [importer, *people])
    assert set(Edition.objects.values_list("submitted_by", flat=True)) == {importer.pk}
    for edition in VendorEdition.objects.all():
        reviewers = Review.objects.filter(target_id=edition.pk, sha256=edition.sha256, verdict="approved")
        assert set(reviewers.values_list("reviewer", flat=True)) == {account.pk for account in people}
        assert edition.vendor.domains.get().proven_by in people
    rack = Scenario.objects.get(slug="four-dgx-h100").result
    assert (rack["power"]["nameplate_kw"], rack["space"]["used_u"]) == (40.8, 32)
    assert (rack["cooling"]["rule_of_thumb"], rack["cooling"]["agrees"]) == ("direct_to_chip", False)
    assert {row["method"]: row["feasible"] for row in rack["cooling"]["methods"]}["air"] is True


@pytest.mark.django_db
def test_a_second_run_writes_no_row():
    load(SAMPLE)
    before = row_versions()

    report = load(SAMPLE)

    assert "Nothing to write" in report
    assert row_versions() == before


@pytest.mark.django_db
def test_articles_that_link_to_each_other_go_live_together_with_their_quantities(folder):
    report = load(folder)

    assert "articles: 2 created, 2 published" in report
    one = Edition.objects.visible(database_now()).get(slug="one")
    assert one.content["quantities"][0]["text"] == "14 kW"
    assert one.published_at == datetime(2024, 3, 11, 12, tzinfo=UTC)
    assert [tag.name for tag in one.tags.all()] == ["Floor loading"]


@pytest.mark.django_db
def test_a_mistake_in_a_body_is_named_by_file_and_line_and_nothing_stays(folder):
    (folder / "articles" / "two.md").write_text(TWO + "\nIt weighs {{fact:gone}}.\n")
    shutil.copytree(SAMPLE / "images", folder / "images")
    (folder / "images.yaml").write_text("- {name: five-rungs.png, alt: Five rungs}\n")
    before, files = row_versions(), stored_files()

    report = load(folder)

    assert "articles/two.md:8: body: column 11: There is no quantity “fact:gone”." in report
    assert "1 refused; nothing was written." in report
    assert row_versions() == before
    assert not Article.objects.exists() and not Image.objects.exists()
    assert stored_files() == files


@pytest.mark.django_db
def test_what_the_folder_names_but_nobody_has_is_refused_before_anything_is_written(folder):
    (folder / "facts.yaml").write_text(FACTS.replace("source: a-page}", "source: b-page}"))
    before = row_versions()

    report = load(folder)

    assert "facts.yaml:5: [0].claims[0].source: There is no source b-page; did you mean a-page." in report
    assert row_versions() == before


@pytest.mark.django_db
def test_a_name_that_the_simulator_does_not_have_cannot_be_explained(folder):
    (folder / "articles" / "two.md").write_text(TWO.replace("slug: two", "slug: two\nexplains: [density_kv]"))

    assert "There is no" not in load(folder)
    assert "The simulator has no density_kv; did you mean density_kw" in load(folder)
    assert not Article.objects.exists()


@pytest.mark.django_db
def test_an_article_that_an_editor_wrote_in_stays_as_it_is(folder):
    load(folder)
    article = Article.objects.get(slug="one")
    change_article(article, based_on=article.draft_version, by=make_person(), fields={"dek": "An editor's."})
    (folder / "articles" / "one.md").write_text(ONE.replace("title: One", "title: Another"))

    report = load(folder)

    assert "one was edited here; what stands here stays." in report
    article.refresh_from_db()
    assert (article.title, article.dek) == ("One", "An editor's.")


@pytest.mark.django_db
def test_what_an_editor_withdrew_stays_withdrawn(folder):
    more = "- {username: sample-two, name: Another Person, groups: [editors]}\n"
    (folder / "people.yaml").write_text(PEOPLE + more)
    (folder / "vendors.yaml").write_text(VENDOR)
    load(folder)
    withdraw_article(Article.objects.get(slug="one"), reason="It was wrong.")
    withdraw_vendor(Vendor.objects.get(slug="acme"), reason="They asked.")
    before = row_versions()

    report = load(folder)

    assert "Nothing to write" in report
    assert row_versions() == before
    assert not VendorEdition.objects.visible(database_now()).exists()


@pytest.mark.django_db
def test_a_file_that_changed_becomes_another_edition(folder):
    load(folder)
    (folder / "articles" / "two.md").write_text(TWO.replace("title: Two", "title: Two, again"))

    report = load(folder)

    assert "articles: 1 unchanged, 1 changed, 1 published" in report
    assert Edition.objects.visible(database_now()).get(slug="two").title == "Two, again"
    assert Article.objects.get(slug="two").editions.count() == 2


@pytest.mark.django_db
def test_a_claim_that_an_editor_chose_stays_chosen(folder):
    load(folder)
    fact = Fact.objects.get(slug="a-fact")
    mine = fact.claims.get(value=12)
    choose_claim(fact, mine)

    report = load(folder)

    assert "a-fact: an editor chose another claim; it stays." in report
    fact.refresh_from_db()
    assert fact.chosen == mine


@pytest.mark.django_db
def test_a_picture_is_what_its_bytes_say_and_nothing_of_another_stays(folder):
    (folder / "images").mkdir()
    (folder / "images" / "pump.png").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>")
    (folder / "images.yaml").write_text("- {name: pump.png, alt: A pump}\n")

    out = load(folder)

    assert "images.yaml:1: name: An SVG can hold scripts, so it is not taken: export it as PNG." in out
    assert "[not_a_picture]" in out
    assert not Image.objects.exists() and not Article.objects.exists()


@pytest.mark.django_db
def test_vendors_need_two_people(folder):
    (folder / "vendors.yaml").write_text(VENDOR)

    report = load(folder)

    assert "2 people have to approve what is imported; people.yaml names 1." in report
    assert not Vendor.objects.exists()


@pytest.mark.django_db
def test_a_homepage_on_a_domain_that_nobody_proved_is_refused(folder):
    (folder / "people.yaml").write_text(PEOPLE + PEOPLE.replace("one", "two").replace("One", "Two"))
    (folder / "vendors.yaml").write_text(
        "- slug: acme\n  name: Acme\n  description: Makes pumps.\n  role: vendor\n  sections: [cooling]\n"
        "  homepage: https://www.acme-pumps.com/\n  domain: {name: other-pumps.com, source: Its page.}\n"
    )

    report = load(folder)

    assert "vendors.yaml:1: homepage: Nobody has shown that acme-pumps.com is theirs" in report
    assert not Vendor.objects.exists() and not Article.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("username", ["sample-one", "importer"])
def test_an_account_that_somebody_logs_in_with_writes_and_approves_nothing(folder, username):
    make_person(username=username)

    report = load(folder)

    assert "[account_in_use]" in report
    assert not Article.objects.exists()


@pytest.mark.django_db
def test_a_folder_without_a_publication_is_an_error(tmp_path):
    assert "holds no publication" in load(tmp_path)
    assert "There is no folder" in load(tmp_path / "nowhere")


@pytest.mark.django_db
def test_what_an_editor_withdrew_is_not_brought_back(folder):
    load(folder)
    withdraw_article(Article.objects.get(slug="two"), reason="Wrong.")
    before = row_versions()

    report = load(folder)

    assert "Nothing to write" in report
    assert row_versions() == before
    assert not Edition.objects.visible(database_now()).filter(slug="two").exists()


def renamed_by_an_editor(article_or_vendor, change, *, slug: str, publish) -> None:
    row = change(article_or_vendor, based_on=article_or_vendor.draft_version, by=make_person(), fields={"slug": slug})
    publish(row)


def published_article(article: Article) -> None:
    edition = review_article(submit_article(article, by=make_person()), by=make_person(), verdict="approved")
    publish_article(edition)


def published_vendor(vendor: Vendor) -> None:
    edition = submit_vendor(vendor, by=make_person())
    for _ in range(2):
        edition = review_vendor(edition, by=make_person(), verdict="approved")
    publish_vendor(edition)


@pytest.mark.django_db
@pytest.mark.parametrize("publish", [published_article, lambda article: None], ids=["published", "draft"])
def test_an_article_that_an_editor_renamed_gets_no_twin(folder, publish):
    load(folder)
    renamed_by_an_editor(Article.objects.get(slug="one"), change_article, slug="uno", publish=publish)
    before = row_versions()

    report = load(folder)

    assert "one is uno today and was edited here; what stands here stays." in report
    assert (
        "articles/two.md:6: body: column 5: There is no article “one”." in report
    )  # It stays; a change has to fix it.
    assert "Nothing to write" in report
    assert row_versions() == before
    assert set(Article.objects.values_list("slug", flat=True)) == {"uno", "two"}


@pytest.mark.django_db
def test_what_stands_at_an_address_today_comes_before_what_once_stood_there(folder):
    load(folder)
    renamed_by_an_editor(Article.objects.get(slug="one"), change_article, slug="uno", publish=published_article)
    (folder / "articles" / "one.md").unlink()
    two = Article.objects.get(slug="two")
    renamed_by_an_editor(two, change_article, slug="one", publish=lambda article: None)
    (folder / "articles" / "two.md").write_text(TWO.replace("slug: two", "slug: one"))

    report = load(folder)

    assert "one was edited here; what stands here stays." in report
    assert set(Article.objects.values_list("slug", flat=True)) == {"uno", "one"}


@pytest.mark.django_db
def test_a_vendor_that_an_editor_renamed_gets_no_twin_and_stays_parent_and_subject(folder):
    more = "- {username: sample-two, name: Another Person, groups: [editors]}\n"
    (folder / "people.yaml").write_text(PEOPLE + more)
    child = "- {slug: child, name: Child, description: Makes fans., role: vendor, sections: [cooling], parent: acme}\n"
    (folder / "vendors.yaml").write_text(VENDOR + child)
    about = FACTS.replace("a-fact", "b-fact").replace("field:", "subject: {kind: vendor, slug: acme}\n  field:")
    (folder / "facts.yaml").write_text(FACTS + about)
    load(folder)
    acme = Vendor.objects.get(slug="acme")
    renamed_by_an_editor(acme, change_vendor, slug="acme-pumps", publish=published_vendor)
    before = row_versions()

    report = load(folder)

    assert "acme is acme-pumps today and was edited here; what stands here stays." in report
    assert "Nothing to write" in report
    assert row_versions() == before
    assert Vendor.objects.get(slug="child").parent == acme
    assert Fact.objects.get(slug="b-fact").subject_id == acme.pk
    # Also where the folder names it and does not hold it.
    (folder / "vendors.yaml").write_text(child)
    assert "Nothing to write" in load(folder)
    assert row_versions() == before


@pytest.mark.django_db
def test_a_database_without_migrations_is_told_what_comes_first(folder):
    with connection.cursor() as cursor:
        cursor.execute("create schema empty")
        cursor.execute("set local search_path to empty")

    with pytest.raises(CommandError, match=r"^Migrations are missing \(\d+\): run `manage.py migrate` first\.$") as it:
        call_command("load_publication", str(folder))
    assert it.value.returncode == 1
    with pytest.raises(CommandError, match=r"run `manage.py migrate` first"):
        call_command("import_devices", str(SAMPLE / "devices"))


@pytest.mark.django_db
def test_mistakes_of_form_and_names_that_nobody_has_are_told_together(folder):
    (folder / "sources.yaml").write_text(SOURCES.replace("title:", "titel:"))
    (folder / "articles" / "two.md").write_text(TWO.replace("slug: two", "slug: two\nsection: powr\nauthors: [gone]"))

    report = load(folder)

    assert "titel is no key of this" in report
    assert "articles/two.md:4: section: There is no section powr; did you mean power." in report
    assert "articles/two.md:5: authors[0]: There is no author gone." in report
    assert "There is no source" not in report  # What sources.yaml holds is not known before it can be read.


@pytest.mark.django_db
def test_a_file_of_a_wrong_name_is_not_told_again_for_each_name_in_it(folder):
    (folder / "sources.yaml").rename(folder / "source.yaml")

    report = load(folder)

    assert "Nothing reads a file of this name; did you mean sources.yaml" in report
    assert "There is no source" not in report

"""The first page: what waits for whom; and duplicates, which are nobody's but their editor's."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from articles import services
from articles.models import Article
from core.facts.services import choose_claim
from core.publishing.services import database_now
from sponsors import services as directory
from tests.admin.conftest import client_of, make_member
from tests.admin.pages import fill, said, text_of
from tests.factories import (
    make_approved_edition,
    make_article,
    make_device,
    make_fact,
    make_live_article,
    make_person,
    make_source,
)
from tests.sponsors.factories import make_placement, make_vendor, submit

pytestmark = pytest.mark.django_db

HOME = "/admin/"


def piles(client) -> dict[str, list[str]]:
    """Return the titles on each pile that is shown."""
    return {pile.key: [entry.title for entry in pile.entries] for pile in client.get(HOME).context["piles"]}


def links(client, key: str) -> list[str]:
    return [entry.link for pile in client.get(HOME).context["piles"] if pile.key == key for entry in pile.entries]


def test_an_empty_desk_says_so_in_each_pile(editor, author):
    assert piles(editor) == {
        key: [] for key in ("review", "changes", "publish", "drafts", "waiting", "scheduled", "moved", "recent")
    }
    page = text_of(editor.get(HOME))
    for sentence in ("Nothing waits for your review.", "Nobody asks you for changes.", "Nothing is scheduled."):
        assert sentence in page
    # An author neither reviews nor publishes.
    assert set(piles(author)) == {"changes", "drafts", "waiting", "scheduled", "moved", "recent"}


def test_each_thing_lies_where_it_waits_and_leads_to_what_is_to_be_done(author, editor):
    ada = author.person
    draft = make_article(by=ada, title="Draft")
    waiting = services.submit_article(make_article(by=ada, title="Waiting"), by=ada)
    asked = services.submit_article(make_article(by=ada, title="Asked"), by=ada)
    services.review_article(asked, by=editor.person, verdict="changes_requested", note="Why?")
    approved = make_approved_edition(by=ada, title="Approved")
    scheduled = make_live_article(by=ada, title="Scheduled", at=database_now() + timedelta(days=2))
    live = make_live_article(by=ada, title="Live")

    assert piles(editor) == {
        "review": ["Waiting"], "changes": [], "publish": ["Approved"], "drafts": [], "waiting": [],
        "scheduled": ["Scheduled"], "moved": [], "recent": ["Live"],
    }  # fmt: skip
    assert piles(author) == {
        "changes": ["Asked"], "drafts": ["Draft"], "waiting": ["Waiting"], "scheduled": ["Scheduled"], "moved": [],
        "recent": ["Live"],
    }  # fmt: skip
    assert links(editor, "review") == [reverse("admin:articles_article_review", args=[waiting.article_id, 1])]
    assert links(editor, "publish") == [reverse("admin:articles_article_publish", args=[approved.article_id, 1])]
    for client, key, article in (
        (author, "drafts", draft), (author, "changes", asked.article), (editor, "scheduled", scheduled),
        (editor, "recent", live),
    ):  # fmt: skip
        assert links(client, key) == [reverse("admin:articles_article_change", args=[article.pk])]


def test_what_one_wrote_is_not_for_one_to_review_where_that_does_not_count(settings, editor, other_editor):
    services.submit_article(make_article(by=editor.person, title="Mine"), by=editor.person)
    submit(make_vendor(by=editor.person, name="Pumps"), by=editor.person)
    make_placement(by=editor.person, vendor=make_vendor(by=make_person(), name="Other"), headline="Buy")
    assert piles(editor)["review"] == ["Mine"]
    others = piles(other_editor)["review"]
    assert others[:2] == ["Mine", "Pumps"] and others[2].startswith("Buy (")

    settings.PLENUM_FOUR_EYES = True

    assert piles(editor)["review"] == []
    assert piles(other_editor)["review"] == others


def test_a_vendor_that_one_approved_of_waits_for_another(editor, other_editor):
    edition = submit(make_vendor(by=make_person(), name="Pumps"), by=make_person())

    directory.review_vendor(edition, by=editor.person, verdict="approved")

    assert (piles(editor)["review"], piles(other_editor)["review"]) == ([], ["Pumps"])


def test_a_live_article_whose_number_moved_lies_on_its_pile_with_how_many(editor):
    device = make_device(slug="dgx")
    fact = make_fact(("10.2", "kW"), subject=device)
    make_live_article(title="Racks", body="It draws {{dgx.power_nameplate_w}}.\n")
    assert piles(editor)["moved"] == []

    claim = fact.claims.create(value=Decimal("10.4"), unit="kW", source=make_source(), confidence="verified")
    choose_claim(fact, claim)

    assert piles(editor)["moved"] == ["Racks"]
    assert "1 moved" in text_of(editor.get(HOME))
    # The link leads to the table that holds what moved, not to the top of a long form.
    link = re.search(r'href="([^"]+)#moved"', editor.get(HOME).content.decode())
    assert link and 'id="moved"' in editor.get(link[1]).content.decode()


def test_instants_are_on_the_clock_of_the_person_and_the_zone_is_named(editor):
    at = (database_now() + timedelta(days=3)).replace(minute=7, second=0, microsecond=0)
    make_live_article(title="Soon", at=at)
    editor.cookies["plenum_zone"] = "Asia/Tokyo"

    page = text_of(editor.get(HOME))

    assert "on the clock of Asia/Tokyo" in page
    assert f"{(at + timedelta(hours=9)):%H:%M} JST" in page


def test_more_than_a_page_is_counted_and_the_statements_do_not_grow(editor):
    def waiting(count: int) -> None:
        for _ in range(count):
            writer = make_person()
            services.submit_article(make_article(by=writer), by=writer)
            make_live_article(by=writer)
            make_article(by=editor.person)

    waiting(7)
    editor.get(HOME)
    with CaptureQueriesContext(
        connection,
    ) as few:
        editor.get(HOME)
    waiting(1)
    with CaptureQueriesContext(connection) as many:
        response = editor.get(HOME)

    counts = {pile.key: (pile.count, len(pile.entries)) for pile in response.context["piles"]}
    assert (counts["review"], counts["drafts"]) == ((8, 6), (8, 6))
    assert "All of them" in text_of(response)
    assert len(few) == len(many)
    assert len(many) < 45


def test_who_may_see_no_drafts_sees_none_on_any_page_of_the_desk(root):
    make_live_article(title="Unheard of", at=database_now() + timedelta(days=1))
    services.submit_article(make_article(title="Unheard of two"), by=make_person())
    submit(make_vendor(name="Unheard of vendor"), by=make_person())
    nobody = client_of(make_person(is_staff=True))

    for address in (
        HOME,
        reverse("notices"),
        reverse("notices") + "?all",
        "/admin/calendar/",
        "/admin/calendar/?view=list",
    ):
        response = nobody.get(address)
        assert "Unheard of" not in response.content.decode(), address
    assert "Your account may see nothing here yet." in text_of(nobody.get(HOME))
    assert nobody.get("/admin/calendar/").status_code == 403
    # And who may see articles only sees no vendor.
    author = client_of(make_member("authors"))
    for address in (HOME, "/admin/calendar/?view=list"):
        page = author.get(address).content.decode()
        assert "Unheard of" in page or address == HOME
        assert "Unheard of vendor" not in page


# Duplicates


def test_a_copy_of_a_published_article_is_a_draft_that_no_public_path_shows(editor, client):
    article = make_live_article(title="Original", slug="original", body="Singular words.\n", note="For us.")

    response = fill(editor, reverse("admin:articles_article_duplicate", args=[article.pk]))

    assert said(editor, response) == ["This is a copy of “Original”, under an address of its own."]
    copy = Article.objects.exclude(pk=article.pk).get()
    assert (copy.slug, copy.title, copy.body) == ("original-2", "Original", "Singular words.\n")
    assert copy.editions.count() == 0
    assert copy.draft_writer_ids == [editor.person.pk]
    for address in (f"/api/v1/articles/{copy.pk}/", f"/api/v1/articles/{copy.slug}/"):
        assert client.get(address).status_code == 404
    assert [row["id"] for row in client.get("/api/v1/articles/").json()["results"]] == [str(article.pk)]
    asked = {"query": '{ articles(first: 10) { edges { node { slug } } } article(slug: "original-2") { title } }'}
    answer = client.post("/graphql/", asked, content_type="application/json").json()
    assert answer["data"] == {"articles": {"edges": [{"node": {"slug": "original"}}]}, "article": None}
    assert "original-2" not in client.get("/api/v1/changes/").content.decode()


def test_who_may_not_see_an_article_may_not_copy_it():
    from django.contrib.auth.models import Permission

    article = make_article(title="Secret")
    person = make_person(is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="add_article"))
    client = client_of(person)
    address = reverse("admin:articles_article_duplicate", args=[article.pk])

    for response in (client.get(address), client.post(address)):
        assert response.status_code == 403
        assert "Secret" not in response.content.decode()
    assert Article.objects.count() == 1

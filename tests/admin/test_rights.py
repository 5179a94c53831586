"""What each group gets, and what it does not: lists, pages, choosers, buttons."""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.urls import reverse

from articles.models import Article, PreviewLink
from articles.previews import make_link
from core.facts.models import Claim, Fact
from core.publishing.models import Review
from core.publishing.services import database_now
from sponsors.models import Vendor
from tests.admin.conftest import client_of
from tests.admin.pages import fill, text_of
from tests.admin.rows import MAKERS
from tests.factories import make_approved_edition, make_article, make_fact, make_live_article, make_person, make_source
from tests.sponsors.factories import make_vendor
from tests.sponsors.factories import submit as submit_vendor

DAY = timedelta(days=1)
LABELS = {model._meta.label: model for model in MAKERS}
AUTHOR_READS = {
    "articles.Article",
    "articles.Author",
    "articles.Tag",
    "catalog.Device",
    "catalog.Installation",
    "catalog.Manufacturer",
    "catalog.ModuleType",
    "catalog.RackType",
    "catalog.Rung",
    "catalog.Section",
    "facts.Fact",
    "facts.Source",
    "media.Image",
    "simulator.Scenario",
}
EDITOR_READS = AUTHOR_READS | {"sponsors.Vendor", "sponsors.Placement"}
# Fields of forms that choose among records of another kind, over /admin/autocomplete/.
CHOOSERS = [
    ("articles", "article", "image", "media.Image"),
    ("articles", "article", "tags", "articles.Tag"),
    ("articles", "draftauthor", "author", "articles.Author"),
    ("facts", "claim", "source", "facts.Source"),
    ("catalog", "device", "manufacturer", "catalog.Manufacturer"),
    ("sponsors", "vendor", "parent", "sponsors.Vendor"),
    ("sponsors", "vendor", "manufacturer", "catalog.Manufacturer"),
]


@pytest.fixture
def nobody(db):
    """An account that may enter the admin and is in no group."""
    return client_of(make_person(is_staff=True))


def url(model, page: str, *args) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def choose(client, app: str, model: str, field: str):
    query = {"app_label": app, "model_name": model, "field_name": field, "term": ""}
    return client.get(reverse("admin:autocomplete"), query)


@pytest.mark.parametrize("label", LABELS)
def test_lists_open_for_those_who_may_read_them(label, author, editor, nobody):
    address = url(LABELS[label], "changelist")

    assert author.get(address).status_code == (200 if label in AUTHOR_READS else 403)
    assert editor.get(address).status_code == (200 if label in EDITOR_READS else 403)
    assert nobody.get(address).status_code == 403


@pytest.mark.parametrize("label", LABELS)
def test_a_record_shows_itself_to_nobody_without_the_right(label, nobody):
    MAKERS[LABELS[label]]()
    pk = LABELS[label]._default_manager.last().pk

    for page in ("change", "delete", "history"):
        assert nobody.get(url(LABELS[label], page, pk)).status_code == 403, page
    assert nobody.get(url(LABELS[label], "add")).status_code == 403


@pytest.mark.parametrize(("app", "model", "field", "label"), CHOOSERS)
def test_choosers_offer_only_what_the_list_would_show(app, model, field, label, author, editor, nobody):
    MAKERS[LABELS[label]]()

    assert choose(author, app, model, field).status_code == (200 if label in AUTHOR_READS else 403)
    assert choose(editor, app, model, field).json()["results"]
    assert choose(nobody, app, model, field).status_code == 403


@pytest.mark.parametrize(
    ("app", "model", "field"),
    [
        ("auth", "user", "groups"),
        ("admin", "logentry", "user"),
        ("articles", "edition", "submitted_by"),
        ("x", "y", "z"),
    ],
)
def test_choosers_reach_no_accounts_nor_editions(app, model, field, editor):
    assert choose(editor, app, model, field).status_code == 403


def test_the_sidebar_and_the_search_name_only_what_may_be_read(author, nobody):
    page = author.get(reverse("admin:index"))
    titles = {item["title"] for group in page.context["sidebar_navigation"] for item in group["items"]}
    found = text_of(author.get(reverse("admin:search"), {"s": "vendor"}))

    assert {"Articles", "Facts"} <= titles and not {"Vendors", "Placements", "Users", "Groups"} & titles
    assert "Vendors" not in found
    assert "may see nothing here yet" in text_of(nobody.get(reverse("admin:index")))


def test_the_first_page_shows_drafts_to_those_who_may_read_them(author, editor, nobody):
    make_article(title="Pumps")
    fill(author, url(Article, "submit", Article.objects.get().pk))
    submit_vendor(make_vendor(name="Acme"))

    for client, seen in ((author, {"Pumps"}), (editor, {"Pumps", "Acme"}), (nobody, set())):
        page = text_of(client.get(reverse("admin:index")))
        assert {name for name in ("Pumps", "Acme") if name in page} == seen


def verbs_of(article: Article) -> dict[str, str]:
    """Return the address of each verb of an article with one approved edition."""
    names = {name: url(Article, name, article.pk) for name in ("submit", "withdraw", "duplicate", "share", "compare")}
    return names | {
        name: url(Article, name, article.pk, 1) for name in ("review", "publish", "cancel", "restore", "edition")
    }


MAY = {
    "author": {"submit", "duplicate", "share", "compare", "restore", "edition"},
    "editor": {
        "submit", "duplicate", "share", "compare", "restore", "edition", "review", "publish", "cancel", "withdraw",
    },
    "nobody": set(),
}  # fmt: skip


@pytest.mark.parametrize("who", MAY)
def test_verbs_open_for_those_who_may(who, request):
    client = request.getfixturevalue(who)
    addresses = verbs_of(make_approved_edition().article)

    opened = {name for name, address in addresses.items() if client.get(address).status_code == 200}

    assert opened == MAY[who]


@pytest.mark.parametrize("who", ["author", "nobody"])
def test_a_button_that_was_not_shown_does_nothing_when_pressed(who, request):
    client = request.getfixturevalue(who)
    edition = make_approved_edition()
    live = make_live_article()
    reviews = Review.objects.count()

    for verb, subject, fields in (
        ("review", edition.article, {"verdict": "approved"}),
        ("publish", edition.article, {"when": "now"}),
        ("withdraw", live, {"when": "now", "reason": "x"}),
    ):
        args = [subject.pk] if verb == "withdraw" else [subject.pk, 1]
        assert client.post(url(Article, verb, *args), fields).status_code == 403

    assert Review.objects.count() == reviews
    assert not edition.article.editions.visible(database_now()).exists()
    assert live.editions.visible(database_now()).exists()


def test_an_author_is_offered_only_what_an_author_may(author):
    page = author.get(url(Article, "change", make_approved_edition().article.pk))

    labels = [step.label for step in page.context["steps"]]
    assert labels == ["Compare", "Duplicate", "Share a preview"]
    assert [step.label for step in page.context["edition_rows"][0].steps] == [
        "Read", "Compare with the draft", "Restore", "Share a preview",
    ]  # fmt: skip


def test_who_may_only_read_gets_a_form_without_fields_and_no_links(editor):
    reader = make_person(is_staff=True)

    reader.user_permissions.add(Permission.objects.get(codename="view_article"))
    article = make_article(title="Read me")
    make_link(article, by=editor.person, lifetime=DAY)
    client = client_of(reader)

    page = client.get(url(Article, "change", article.pk))

    assert "Read me" in text_of(page)
    assert 'name="title"' not in page.content.decode() and "/preview/" not in text_of(page)
    assert client.post(url(Article, "change", article.pk), {"title": "x"}).status_code == 403
    assert client.post(url(Article, "preview", article.pk), {"body": "x"}).status_code == 403


def test_an_author_reads_facts_and_changes_none(author):
    fact = make_fact(("700", "W"))

    assert author.get(url(Fact, "change", fact.pk)).status_code == 200
    assert author.post(url(Fact, "change", fact.pk), {"label": "x"}).status_code == 403
    assert author.get(url(Fact, "add")).status_code == 403


def test_an_author_records_a_source_and_cannot_change_one(author):
    source = make_source()

    assert author.get(url(type(source), "add")).status_code == 200
    assert author.post(url(type(source), "change", source.pk), {"title": "x"}).status_code == 403
    assert Claim.objects.count() == 0


def test_an_author_touches_no_vendor(author):
    vendor = make_vendor()

    for page, args in (("changelist", []), ("change", [vendor.pk]), ("submit", [vendor.pk]), ("prove", [vendor.pk])):
        assert author.get(url(Vendor, page, *args)).status_code == 403


def test_revoking_is_for_those_who_may_write(author, nobody):
    article = make_article()
    link = make_link(article, by=author.person, lifetime=DAY)
    address = url(Article, "revoke", article.pk, link.pk)

    assert nobody.post(address).status_code == 403
    assert author.get(address).status_code == 405
    assert PreviewLink.objects.get().revoked_at is None
    assert author.post(address).status_code == 302
    assert PreviewLink.objects.get().revoked_at is not None


def test_without_an_account_every_page_asks_for_one(client, db):
    article = make_approved_edition().article
    pages = [
        *verbs_of(article).values(),
        *(url(model, "changelist") for model in MAKERS),
        reverse("admin:autocomplete"),
    ]

    for page in pages:
        response = client.get(page)
        assert response.status_code == 302 and "/admin/login/" in response["Location"], page


def test_no_page_of_the_admin_is_registered_twice():
    names = [pattern.name for pattern in admin.site.get_urls() if getattr(pattern, "name", None)]

    assert len(names) == len(set(names))

"""Where a record is used, and that it stays while it is: in the admin, in the services and in the database."""

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from articles import services
from core.facts.models import Source
from core.publishing.models import Reference
from core.publishing.references import where_used
from simulator.models import Scenario
from simulator.services import save_scenario
from sponsors.services import withdraw_vendor
from tests.admin.pages import text_of
from tests.factories import (
    make_approved_edition,
    make_article,
    make_device,
    make_fact,
    make_live_article,
    make_next_edition,
    make_person,
    make_source,
)
from tests.sponsors.factories import make_image, make_live_placement, make_live_vendor

pytestmark = pytest.mark.django_db


def uses(*objs):
    return [(use.kind, use.name, use.states) for use in where_used(objs, [obj.pk for obj in objs])]


def page_of(record):
    options = record._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_change", args=[record.pk])


def test_a_record_is_used_by_what_readers_see_and_by_drafts():
    source = make_source(slug="guide")
    live = make_live_article(title="Live", body="So they say [@guide].\n")
    make_article(title="Draft", body="So they say [@guide].\n")
    make_approved_edition(title="Review", body="So they say [@guide].\n")
    make_next_edition(live, body="Nobody says so.\n")
    fact = make_fact(("1", "W"), label="Idle")
    fact.claims.update(source=source)

    assert uses(source) == [
        ("article", "Draft", ["draft"]),
        ("article", "Review", ["draft", "in review"]),
        ("article", "Live", ["once live"]),
        ("fact", "Idle", []),
    ]


def test_what_a_draft_names_follows_the_draft(django_assert_num_queries):
    source = make_source(slug="guide")
    article = make_article(title="Draft", body="So they say [@guide].\n")
    article = services.change_article(article, based_on=1, by=make_person(), fields={"note": "x"})
    assert uses(source) == [("article", "Draft", ["draft"])]

    services.change_article(article, based_on=2, by=make_person(), fields={"body": "Nobody says so.\n"})

    assert uses(source) == []
    assert not Reference.objects.filter(holder_id=article.pk).exists()


def test_each_kind_of_record_says_what_uses_it():
    device = make_device(slug="dgx")
    make_fact(("10.2", "kW"), subject=device)
    make_fact(("8", "U"), subject=device, field="u_height")
    scenario = save_scenario(slug="one", title="Rack", input={"items": [{"device": "dgx", "quantity": 2}]})
    vendor, image = make_live_vendor(slug="acme"), make_image(name="pump.png")
    placement = make_live_placement(vendor=vendor, image=image)
    linked = make_live_article(slug="linked", title="Linked")
    make_live_article(
        title="Loops",
        image=image,
        body="See [it](article:linked).\n\n::: device slug=dgx\n:::\n\n::: vendor slug=acme\n:::\n\n"
        "::: rack scenario=one\n:::\n",
    )

    loops = ("article", "Loops", ["live", "draft"])
    assert uses(linked) == [loops]
    assert uses(scenario) == [loops]
    assert uses(device) == [loops, ("scenario", "Rack", [])]
    assert uses(vendor) == [loops, ("placement", str(placement), [])]
    assert uses(image) == [loops, ("placement", str(placement), [])]


def test_the_page_of_a_record_shows_where_it_is_used(editor):
    device = make_device(slug="dgx")
    fact = make_fact(("10.2", "kW"), subject=device)
    article = make_live_article(title="Loops", body="It draws {{dgx.power_nameplate_w}}.\n")

    for record in (device, fact):
        response = editor.get(page_of(record))
        assert "Article Loops Live, draft" in text_of(response)
        assert page_of(article) in response.content.decode()
    assert "Nothing uses it yet." in text_of(editor.get(page_of(make_source())))


def test_who_may_not_see_articles_reads_no_title(client):
    source = make_source(slug="guide")
    make_article(title="Secret merger", body="So they say [@guide].\n")
    person = make_person(is_staff=True)
    person.user_permissions.add(*Permission.objects.filter(codename__in=["view_source", "delete_source"]))
    client.force_login(person)

    page = text_of(client.get(page_of(source)))
    refusal = text_of(client.post(reverse("admin:facts_source_delete", args=[source.pk]), {"post": "yes"}))

    assert "Article One that you may not see Draft" in page and "Secret merger" not in page
    assert "Article: One that you may not see" in refusal and "Secret merger" not in refusal
    assert Source.objects.filter(pk=source.pk).exists()


@pytest.mark.parametrize("size", [1, 12])
def test_where_used_costs_the_same_at_any_size(django_assert_num_queries, size):
    source = make_source(slug="guide")
    for _ in range(size):
        make_live_article(body="So they say [@guide].\n")

    with django_assert_num_queries(5):  # references, clock, editions, articles, facts
        found = where_used([source], [source.pk])

    assert len(found) == size


def deletions():
    """Return records that a draft names, each with its table."""
    device = make_device(slug="dgx")
    fact = make_fact(("1", "kW"), slug="one", label="One")
    source, image, vendor = make_source(slug="guide"), make_image(name="pump.png"), make_live_vendor(slug="acme")
    linked = make_article(slug="linked")
    scenario = Scenario.objects.create(slug="rack", title="Rack", input={}, result={}, engine_version="1")
    make_article(
        title="Draft",
        image=image,
        body="{{fact:one}} [@guide] [it](article:linked) [them](vendor:acme)\n\n::: device slug=dgx\n:::\n\n"
        "::: rack scenario=rack\n:::\n",
    )
    return [device, fact, source, image, vendor, linked, scenario]


def test_the_database_keeps_what_even_a_draft_names():
    for record in deletions():
        with (
            pytest.raises(IntegrityError, match="is in use") as error,
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"delete from {record._meta.db_table} where id = %s", [record.pk])

        assert error.value.__cause__.diag.constraint_name == "is_used"
        assert type(record).objects.filter(pk=record.pk).exists()


def test_the_admin_refuses_with_the_list(editor):
    for record in deletions():
        options = record._meta
        page = editor.post(
            reverse(f"admin:{options.app_label}_{options.model_name}_delete", args=[record.pk]), {"post": "yes"}
        )

        assert type(record).objects.filter(pk=record.pk).exists()
        if options.model_name != "vendor":  # which readers saw, so that nobody may ask
            assert "Article: Draft" in text_of(page)


def test_a_vendor_that_is_withdrawn_takes_no_article_from_a_list(client):
    """contentful.js#418: what is referred to and gone must not spoil the answer."""
    vendor = make_live_vendor(slug="acme")
    for n in range(10):
        make_live_article(slug=f"loops-{n}", body="::: vendor slug=acme\n:::\n")

    withdraw_vendor(vendor, reason="Gone.")

    assert len(client.get("/api/v1/articles/").json()["results"]) == 10
    (link,) = client.get("/api/v1/articles/loops-3/").json()["links"]
    assert (link["written"], link["slug"]) == ("acme", None)

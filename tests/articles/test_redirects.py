"""Old addresses and where they lead: exactly while they do, by both APIs, and told of when they end."""

from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from articles import services
from articles.addresses import keep_old_address
from core.api.representations import InstantField
from core.feed.models import Change
from core.publishing.models import Redirect
from core.publishing.services import database_now
from tests.factories import make_article, make_live_article, make_next_edition, make_person
from tests.graphql.asking import data_of
from tests.sponsors.factories import make_live_vendor, republish


def redirects(client, **asked) -> dict:
    """Return what leads where: {from: to}, the same by REST and GraphQL."""
    by_rest = client.get("/api/v1/redirects/", {"limit": 500, **asked}).json()["results"]
    by_graphql = data_of(client, "{ redirects(first: 100) { edges { node { id kind recordId from to changedAt } } } }")
    if not asked:
        nodes = [edge["node"] for edge in by_graphql["redirects"]["edges"]]
        names = {"record_id": "recordId", "changed_at": "changedAt"}
        alike = [{name: node[names.get(name, name)] for name in by_rest[0]} for node in nodes]
        assert alike == by_rest
    return {row["from"]: row["to"] for row in by_rest}


def location(client, slug: str) -> str | int:
    """Return where the item of an old slug leads, or the status that it answers with."""
    response = client.get(f"/api/v1/articles/{slug}/")
    if response.status_code != 301:
        return response.status_code
    return response["Location"].removeprefix("http://testserver/api/v1/articles/").rstrip("/")


@pytest.mark.django_db
def test_chains_are_flat_and_a_way_back_leaves_no_loop(client):
    article = make_live_article(slug="a")
    make_next_edition(article, slug="b")
    make_next_edition(article, slug="c")
    assert redirects(client) == {"a": "c", "b": "c"}
    assert (location(client, "a"), location(client, "b"), location(client, "c")) == ("c", "c", 200)

    make_next_edition(article, slug="a")

    assert redirects(client) == {"b": "a", "c": "a"}
    assert (location(client, "a"), location(client, "b"), location(client, "c")) == (200, "a", "a")


@pytest.mark.django_db
def test_a_slug_in_use_again_wins_and_leads_back_when_that_leaves(client):
    first = make_live_article(slug="busways")
    make_next_edition(first, slug="busways-explained")
    second = make_live_article(slug="busways-again")
    make_next_edition(second, slug="busways")
    assert redirects(client) == {"busways-again": "busways"}
    assert client.get("/api/v1/articles/busways/").json()["id"] == str(second.pk)

    make_next_edition(second, slug="busways-2")
    assert redirects(client) == {"busways": "busways-2", "busways-again": "busways-2"}
    assert location(client, "busways") == "busways-2"

    services.withdraw_article(second, reason="A double.")
    assert redirects(client) == {"busways": "busways-explained"}
    assert (location(client, "busways"), location(client, "busways-again")) == ("busways-explained", 404)


@pytest.mark.django_db
def test_an_address_that_was_never_live_leads_nowhere(client):
    article = make_article(slug="working-title")
    services.change_article(article, based_on=1, by=make_person(), fields={"slug": "second-title"})
    tomorrow = make_live_article(slug="too-early", at=database_now() + timedelta(days=1))
    services.cancel_article(tomorrow.editions.get())
    live = make_live_article(slug="live")
    make_next_edition(live, slug="cancelled", at=database_now() + timedelta(days=1))
    services.cancel_article(live.editions.get(number=2))
    make_next_edition(live, slug="live-2")

    assert redirects(client) == {"live": "live-2"}
    assert Redirect.objects.count() == 1


@pytest.mark.django_db
def test_a_withdrawn_article_takes_its_redirects_with_it_and_brings_them_back(client):
    article = make_live_article(slug="a", title="Lapwing")
    make_next_edition(article, slug="b")
    keep_old_address(article, "/2024/a/")
    before = database_now()
    assert redirects(client) == {"a": "b", "/2024/a": "b"}
    ids = {row["from"]: row["id"] for row in client.get("/api/v1/redirects/").json()["results"]}

    services.withdraw_article(article, reason="It was wrong.")

    assert redirects(client) == {}
    assert location(client, "a") == 404
    ended = client.get("/api/v1/redirects/", {"changed_since": before.isoformat()})
    gone = {"kind": "article", "record_id": None, "from": None, "to": None}
    at = article.editions.get(number=2).live.upper.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert sorted(ended.json()["results"], key=lambda row: row["id"]) == sorted(
        ({"id": pk, **gone, "changed_at": at} for pk in ids.values()), key=lambda row: row["id"]
    )

    make_next_edition(article, slug="b", dek="Mended.")
    assert redirects(client) == {"a": "b", "/2024/a": "b"}


@pytest.mark.django_db
def test_a_scheduled_rename_begins_and_ends_redirects_exactly_then(client):
    article = make_live_article(slug="a")
    make_next_edition(article, slug="b")
    instant = database_now() + timedelta(days=1)
    make_next_edition(article, slug="c", at=instant)
    assert redirects(client) == {"a": "b"}

    def then(at: datetime) -> dict:
        return dict(Redirect.objects.visible(at).values_list("old_address", "today"))

    assert then(instant - timedelta(microseconds=1)) == {"a": "b"}
    assert then(instant) == {"a": "c", "b": "c"}
    assert client.get("/api/v1/redirects/", {"changed_since": instant.isoformat()}).json()["results"] == []

    services.cancel_article(article.editions.get(number=3))
    assert then(instant) == {"a": "b"}


@pytest.mark.django_db
def test_an_old_address_of_an_import_works_from_the_day_its_article_is_live(client):
    article = make_live_article(slug="busways", at=database_now() + timedelta(days=1))
    address = keep_old_address(article, "https://old.example/2024/05/busways.html")
    assert redirects(client) == {}
    services.cancel_article(article.editions.get())

    services.publish_article(article.editions.get())

    assert redirects(client) == {"/2024/05/busways.html": "busways"}
    for asked in ("/2024/05/busways.html", "2024/05/busways.html?x=1", "//h/2024/05/busways.html/"):
        assert redirects(client, **{"from": asked}) == {"/2024/05/busways.html": "busways"}
    address.delete()
    assert redirects(client) == {}


@pytest.mark.django_db
def test_an_article_that_is_live_at_an_address_wins_over_an_old_one(client):
    mine, other = make_live_article(slug="mine"), make_live_article(slug="other")
    keep_old_address(mine, "/other")
    keep_old_address(mine, "/mine")
    assert redirects(client) == {}

    make_next_edition(other, slug="elsewhere")

    assert redirects(client) == {"/other": "mine", "other": "elsewhere"}


@pytest.mark.django_db(transaction=True)
def test_an_old_address_is_told_to_the_feed_only_of_what_is_live(client):
    live, draft = make_live_article(), make_article()
    before = {live.pk: _changes(live), draft.pk: _changes(draft)}
    etag = client.get("/api/v1/redirects/")["ETag"]

    keep_old_address(draft, "/draft")
    assert client.get("/api/v1/redirects/", HTTP_IF_NONE_MATCH=etag).status_code == 304
    keep_old_address(live, "/live")

    assert _changes(draft) == before[draft.pk] == []
    assert _changes(live) == [*before[live.pk], ("upsert", "saved")]
    assert client.get("/api/v1/redirects/", HTTP_IF_NONE_MATCH=etag).status_code == 200


def _changes(article) -> list:
    return list(Change.objects.filter(object_id=article.pk).order_by("id").values_list("change_kind", "reason"))


@pytest.mark.django_db
def test_what_changed_since_is_told_by_both_apis_and_a_copy_ends_with_what_holds(client):
    copy: dict[str, tuple] = {}
    covered_to = "2020-01-01T00:00:00Z"
    one, two = make_live_article(slug="one"), make_live_article(slug="two")
    with connection.cursor() as cursor:
        cursor.execute("select now()")
        open_since = InstantField().to_representation(cursor.fetchone()[0])

    def follow() -> None:
        nonlocal covered_to
        page = client.get("/api/v1/redirects/", {"changed_since": covered_to}).json()
        query = "query ($t: DateTime) { redirects(changedSince: $t) { coveredTo edges { node { id from to } } } }"
        found = data_of(client, query, t=covered_to)["redirects"]
        nodes = [edge["node"] for edge in found["edges"]]
        # This test writes in one transaction, which is open: nothing beyond its beginning is covered.
        assert "2020" < page["covered_to"] <= open_since and "2020" < found["coveredTo"] <= open_since
        assert nodes == [{name: row[name] for name in ("id", "from", "to")} for row in page["results"]]
        for row in page["results"]:
            copy.pop(row["id"], None)
            if row["from"] is not None:
                copy[row["id"]] = (row["from"], row["to"])
        covered_to = found["coveredTo"]

    for change in (
        lambda: make_next_edition(one, slug="one-b"),
        lambda: make_next_edition(two, slug="one"),
        lambda: keep_old_address(two, "/2020/two"),
        lambda: services.withdraw_article(two, reason="Out."),
        lambda: make_next_edition(one, slug="one-c"),
    ):
        change()
        follow()
        assert dict(copy.values()) == redirects(client)
    assert dict(copy.values()) == {"one": "one-c", "one-b": "one-c"}
    assert data_of(client, "{ redirects { coveredTo } }") == {"redirects": {"coveredTo": None}}


@pytest.mark.django_db
def test_vendors_have_redirects_of_their_own(client):
    vendor = make_live_vendor(slug="acme")
    article = make_live_article(slug="acme")
    republish(vendor, slug="acme-power")
    make_next_edition(article, slug="on-acme")

    assert redirects(client, kind="vendor") == {"acme": "acme-power"}
    assert redirects(client, kind="article") == {"acme": "on-acme"}
    assert client.get("/api/v1/vendors/acme/")["Location"] == "http://testserver/api/v1/vendors/acme-power/"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "field", "code"),
    [
        ({"changed_since": "yesterday"}, "changed_since", "not_an_instant"),
        ({"from": "/"}, "from", "address_invalid"),
        ({"kind": "device"}, "kind", "not_a_choice"),
        ({"limit": "501"}, "limit", "limit_out_of_range"),
        ({"form": "/a"}, "form", "unknown_parameter"),
    ],
)
def test_a_wrong_question_is_refused_by_name(client, asked, field, code):
    response = client.get("/api/v1/redirects/", asked)

    assert response.status_code == 400
    assert [(problem["field"], problem["code"]) for problem in response.json()["errors"]] == [(field, code)]


@pytest.mark.django_db
def test_raw_sql_that_moves_many_editions_keeps_the_redirects(client):
    articles = [make_live_article(slug=f"a-{n}") for n in range(3)]
    for article in articles:
        make_next_edition(article, slug=f"b-{article.slug}")
    assert redirects(client) == {f"a-{n}": f"b-a-{n}" for n in range(3)}

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "update articles_edition set live = tstzrange(lower(live), clock_timestamp()) where upper_inf(live)"
        )

    assert redirects(client) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("size", [5_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_a_page_of_500_reads_an_index_however_many_there_are(client, size):
    article = make_live_article(slug="today")
    with connection.cursor() as cursor:
        cursor.execute(
            """
            insert into publishing_redirect (id, kind, subject_id, address, slug, live)
            select publishing_uuid7(), 'article', %s, 'old-' || n, 'today',
                   tstzrange(timestamptz '2024-01-01Z' + n * interval '1 minute', null)
            from generate_series(1, %s) as n
            """,
            [article.pk, size],
        )
        cursor.execute("analyze publishing_redirect")
    with CaptureQueriesContext(connection) as asked:
        page = client.get("/api/v1/redirects/", {"limit": 500}).json()
    assert len(page["results"]) == 500
    assert [row["from"] for row in page["results"][:2]] == ["old-1", "old-2"]
    assert _read(asked) < 2_000

    with CaptureQueriesContext(connection) as asked:
        second = client.get(page["next"]).json()
    assert second["results"][0]["from"] == "old-501"
    assert _read(asked) < 2_000

    with CaptureQueriesContext(connection) as asked:
        found = client.get("/api/v1/redirects/", {"from": "old-4321"}).json()["results"]
    assert [row["to"] for row in found] == ["today"]
    assert _read(asked) < 100


def _read(asked: CaptureQueriesContext) -> int:
    """Return how many rows the last statement read and how many it threw away, on all its steps."""
    with connection.cursor() as cursor:
        cursor.execute("explain (analyze, format json) " + asked.captured_queries[-1]["sql"])
        plan = cursor.fetchone()[0][0]["Plan"]

    def total(step: dict) -> int:
        own = (step["Actual Rows"] + step.get("Rows Removed by Filter", 0)) * step["Actual Loops"]
        return int(own) + sum(total(part) for part in step.get("Plans", []))

    return total(plan)

"""The answers of the change feed: its parameters, its cursor, what is due by time."""

import base64
import json
import threading
import time
from datetime import timedelta

import orjson
import pytest
from django.db import connection, transaction

from catalog.models import Manufacturer
from core.feed.models import Change, Instant
from core.publishing.services import database_now
from sponsors import services
from sponsors.models import VendorEdition
from tests.core.feed.following import CHANGES, Follower, instant, settle
from tests.sponsors.factories import approve, change, make_live_vendor, make_vendor, republish, submit

pytestmark = pytest.mark.django_db(transaction=True)


def problems(response):
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, [(error["field"], error["code"]) for error in response.json()["errors"]]


def sleep_until(at):
    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(greatest(0, extract(epoch from %s - clock_timestamp())) + 0.01)", [at])


def test_a_page_has_these_members_and_is_stored_nowhere(client):
    maker = Manufacturer.objects.create(slug="acme", name="Acme")
    settle()
    response = client.get(CHANGES, {"kind": "manufacturer"})
    page = response.json()
    assert list(page) == [
        "results", "next", "cursor", "covered_to", "lag_seconds", "earliest_available", "epoch",
    ]  # fmt: skip
    (shown,) = page["results"]
    assert instant(shown.pop("at")) <= instant(page["covered_to"])
    assert shown == {
        "kind": "manufacturer",
        "id": str(maker.pk),
        "change_kind": "upsert",
        "reason": "saved",
        "tags": ["manufacturer", f"manufacturer:{maker.pk}"],
        "url": f"http://testserver/api/v1/manufacturers/{maker.pk}/",
    }
    assert (response["Cache-Control"], response["Link"]) == ("no-store", f'<{page["next"]}>; rel="next"')
    assert "ETag" not in response
    assert client.get(page["next"]).json()["results"] == []
    maker.delete()
    settle()
    (gone,) = client.get(page["next"]).json()["results"]
    assert (gone["change_kind"], gone["reason"], "url" in gone) == ("tombstone", "deleted", False)


def test_without_a_change_there_is_still_a_next(client):
    Change.objects.all().delete()
    settle()
    page = client.get(CHANGES).json()
    assert (page["results"], page["earliest_available"]) == ([], None)
    assert page["next"].startswith(f"http://testserver{CHANGES}?cursor=")


def test_what_is_public_makes_changes_and_a_draft_makes_none(client):
    follower = Follower(client, f"{CHANGES}?kind=vendor")
    vendor = make_vendor()
    edition = approve(submit(vendor))
    settle()
    assert follower.catch_up() == []
    services.publish_vendor(edition)
    republish(vendor, city="Oslo")
    change(vendor, city="Bergen")
    services.withdraw_vendor(vendor, reason="Pause.")
    settle()
    assert [(c["id"], c["change_kind"], c["reason"]) for c in follower.catch_up()] == [
        (str(vendor.pk), "upsert", "published"),
        (str(vendor.pk), "upsert", "published"),
        (str(vendor.pk), "tombstone", "withdrawn"),
    ]


def test_pages_are_walked_to_the_end_whatever_their_size(client):
    for n in range(7):
        Manufacturer.objects.create(slug=f"maker-{n}", name="Maker")
    settle()
    walks = []
    for limit in (1, 3, 7, 8, 200):
        follower = Follower(client, f"{CHANGES}?limit={limit}&kind=manufacturer")
        follower.catch_up()
        walks.append([c["id"] for c in follower.seen])
        assert instant(follower.page["earliest_available"]) <= instant(follower.seen[0]["at"])
    assert walks == [walks[0]] * 5
    assert len(walks[0]) == 7


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"limit": "201"}, ("limit", "limit_out_of_range")),
        ({"limit": "0"}, ("limit", "limit_out_of_range")),
        ({"kind": "vendors"}, ("kind", "not_a_choice")),
        ({"since": "2026"}, ("since", "unknown_parameter")),
        ({"cursor": "x"}, ("cursor", "invalid_cursor")),
        ({"cursor": ""}, ("cursor", "invalid_cursor")),
    ],
)
def test_parameters_are_strict(client, asked, problem):
    assert problems(client.get(CHANGES, asked)) == (400, [problem])


def test_a_kind_that_was_never_written_is_known(client):
    for kind in ("vendor", "placement", "article", "device", "section", "fact", "source", "author", "image"):
        assert client.get(CHANGES, {"kind": kind}).status_code == 200, kind


def test_a_cursor_is_bound_to_its_kind(client):
    cursor = client.get(CHANGES, {"kind": "vendor"}).json()["cursor"]
    for asked in ({"cursor": cursor}, {"cursor": cursor, "kind": "section"}):
        assert problems(client.get(CHANGES, asked)) == (400, [("cursor", "cursor_of_other_question")])


def values_of(cursor):
    return orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))


def cursor_of(values):
    return base64.urlsafe_b64encode(json.dumps(values).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize(
    ("place", "value"),
    [(1, "x"), (1, None), (2, -1), (2, "7"), (2, 2**64), (2, True), (3, 2**63), (3, 1.5), (4, "yesterday"),
     (4, "2026-01-01T00:00:00"), (5, None)],
)  # fmt: skip
def test_a_cursor_that_we_never_wrote_is_refused(client, place, value):
    values = values_of(client.get(CHANGES).json()["cursor"])
    assert client.get(CHANGES, {"cursor": cursor_of(values)}).status_code == 200
    values[place] = value
    assert problems(client.get(CHANGES, {"cursor": cursor_of(values)})) == (400, [("cursor", "invalid_cursor")])


def test_a_cursor_lives_90_days(client):
    values = values_of(client.get(CHANGES, {"limit": 2}).json()["cursor"])
    now = database_now()
    for age, status in ((timedelta(days=90, minutes=-1), 200), (timedelta(days=90, minutes=1), 410)):
        values[4] = (now - age).isoformat()
        response = client.get(CHANGES, {"cursor": cursor_of(values), "limit": 2})
        assert response.status_code == status
    assert problems(response) == (410, [("cursor", "cursor_expired")])
    assert response.json()["restart"] == f"http://testserver{CHANGES}?limit=2"
    assert client.get(response.json()["restart"]).status_code == 200


def test_only_reading_is_offered(client):
    response = client.post(CHANGES, {})
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")


def test_an_instant_that_passes_is_told_without_any_worker_once_and_with_its_own_time(client):
    follower = Follower(client, f"{CHANGES}?kind=vendor")
    at = database_now() + timedelta(seconds=2)
    vendor = make_live_vendor(at=at)
    assert follower.catch_up() == []
    sleep_until(at)

    answers = []

    def poll():
        try:
            answers.append(client.get(f"{CHANGES}?kind=vendor").status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=poll) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settle()
    (change_of_vendor,) = follower.catch_up()
    assert answers == [200] * 6
    assert (change_of_vendor["id"], change_of_vendor["change_kind"]) == (str(vendor.pk), "upsert")
    assert instant(change_of_vendor["at"]) == at
    assert follower.of("vendor")[str(vendor.pk)]["slug"] == vendor.slug
    assert Change.objects.filter(kind="vendor").count() == 1


def test_a_scheduled_end_is_told_too_and_a_cancelled_beginning_is_not(client):
    follower = Follower(client, f"{CHANGES}?kind=vendor")
    ending, edition = make_live_vendor(), approve(submit(make_vendor()))
    settle()
    assert [c["change_kind"] for c in follower.catch_up()] == ["upsert"]
    beginning = database_now() + timedelta(seconds=4)
    services.publish_vendor(edition, at=beginning)
    services.cancel_vendor(edition)
    services.withdraw_vendor(ending, reason="The end.", at=database_now() + timedelta(seconds=1))
    sleep_until(beginning)
    client.get(CHANGES)
    settle()
    assert [(c["id"], c["change_kind"]) for c in follower.catch_up()] == [(str(ending.pk), "tombstone")]
    assert follower.of("vendor") == {}


def test_where_nothing_can_be_written_covered_to_stays_before_what_is_due(client):
    at = database_now() + timedelta(seconds=1)
    make_live_vendor(at=at)
    sleep_until(at)
    settle()
    with connection.cursor() as cursor:
        cursor.execute("set default_transaction_read_only = on")
        try:
            page = client.get(CHANGES, {"kind": "vendor"}).json()
        finally:
            cursor.execute("set default_transaction_read_only = off")
    assert page["results"] == []
    assert instant(page["covered_to"]) <= at
    client.get(CHANGES)
    settle()
    (told,) = client.get(page["next"]).json()["results"]
    assert instant(told["at"]) == at


@pytest.mark.parametrize("verb", ["publish", "cancel"])
def test_a_bound_that_passes_before_its_commit_moves_the_tag(client, verb):
    """Others read meanwhile, and another instant passes after it: neither may hold the old answer."""
    path = "/api/v1/vendors/"
    first, second = make_vendor(), make_vendor()
    first_edition, second_edition = approve(submit(first)), approve(submit(second))
    soon = database_now() + timedelta(seconds=1)
    if verb == "cancel":
        services.publish_vendor(first_edition, at=soon)
    services.publish_vendor(second_edition, at=soon + timedelta(milliseconds=100))
    seen = {}

    def read():
        response = client.get(path)
        seen[response["ETag"]] = response.content
        connection.close()

    with transaction.atomic():
        if verb == "publish":
            services.publish_vendor(first_edition, at=soon)
        else:
            services.cancel_vendor(first_edition)
        time.sleep(1.3)
        reader = threading.Thread(target=read)
        reader.start()
        reader.join()
    response = client.get(path)
    assert response.content not in seen.values()
    assert response["ETag"] not in seen
    shown = {vendor["id"] for vendor in response.json()["results"]}
    assert shown == {str(pk) for pk in VendorEdition.objects.visible(database_now()).values_list("vendor", flat=True)}
    assert shown == ({str(first.pk), str(second.pk)} if verb == "publish" else {str(second.pk)})


def test_a_plan_for_later_moves_no_tag(client):
    make_live_vendor()
    tag = client.get("/api/v1/vendors/")["ETag"]
    vendor = make_live_vendor(at=database_now() + timedelta(hours=1))
    assert client.get("/api/v1/vendors/", headers={"if-none-match": tag}).status_code == 304
    services.cancel_vendor(vendor.editions.get())
    assert client.get("/api/v1/vendors/", headers={"if-none-match": tag}).status_code == 304
    assert not Instant.objects.exists()

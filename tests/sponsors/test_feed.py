"""The feed hears of every placement that appears or goes, whether by a verb, by an instant or with its vendor."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction

from core.feed.models import Instant
from core.publishing.services import database_now
from sponsors import services
from sponsors.models import Placement
from tests.core.feed.following import CHANGES, Follower, instant, settle
from tests.sponsors.factories import (
    approve,
    approve_placement,
    make_live_placement,
    make_live_vendor,
    make_person,
    make_placement,
    make_vendor,
    republish,
    submit,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def follower(client):
    return Follower(client, f"{CHANGES}?kind=placement&limit=200")


def told(follower):
    """Catch up, see that the copy is what readers see, and return (record, change_kind, reason) of what was told."""
    follower.client.get(CHANGES)  # What is due is announced,
    settle()  # and whoever did it has committed.
    changes = follower.catch_up()
    shown = Placement.objects.visible(database_now()).values_list("pk", flat=True)
    assert set(follower.of("placement")) == {str(pk) for pk in shown}
    return [(change["id"], change["change_kind"], change["reason"]) for change in changes]


def appeared(placement):
    return (str(placement.pk), "upsert", "published")


def gone(placement):
    return (str(placement.pk), "tombstone", "withdrawn")


def wait_until(at):
    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(greatest(0, extract(epoch from %s - clock_timestamp())) + 0.01)", [at])


def run(sql, *params):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


def bounds(placement):
    """Return what lies ahead of a placement: (instant, whether it opens)."""
    return list(Instant.objects.filter(source_id=placement.pk).order_by("at").values_list("at", "opens"))


def test_the_second_approval_shows_it_and_the_suspension_ends_it(follower):
    placement = make_placement()
    services.review_placement(placement, by=make_person(), verdict="approved")
    assert told(follower) == []
    services.review_placement(placement, by=make_person(), verdict="approved")
    assert told(follower) == [appeared(placement)]
    assert bounds(placement) == [(placement.period.upper, False)]
    services.suspend_placement(placement, reason="Spam.")
    assert told(follower) == [gone(placement)]
    assert bounds(placement) == []


def test_a_placement_that_is_replaced_and_the_one_that_replaces_it(follower):
    vendor = make_live_vendor()
    old = make_live_placement(vendor=vendor, slot="sidebar")
    new = approve_placement(make_placement(vendor=vendor, slot="sidebar", replaces=old))
    assert told(follower) == [appeared(old), gone(old), appeared(new)]


def test_the_bounds_of_its_period_come_by_themselves(follower):
    vendor = make_live_vendor()
    begins_at = database_now() + timedelta(seconds=2)
    ends_at = begins_at + timedelta(seconds=1)
    placement = make_live_placement(vendor=vendor, begins_at=begins_at, ends_at=ends_at)
    assert bounds(placement) == [(begins_at, True), (ends_at, False)]
    wait_until(ends_at)
    assert told(follower) == [appeared(placement), gone(placement)]
    assert [instant(change["at"]) for change in follower.seen[-2:]] == [begins_at, ends_at]


def test_it_comes_and_goes_with_its_vendor(follower):
    vendor = make_vendor()
    placement = make_live_placement(vendor=vendor)
    later = make_live_placement(vendor=vendor, begins_at=database_now() + timedelta(days=1))
    over = make_live_placement(vendor=vendor, ends_at=database_now() + timedelta(seconds=1))
    assert told(follower) == []
    assert bounds(placement) == bounds(later) == []
    wait_until(over.period.upper)

    services.publish_vendor(approve(submit(vendor)))
    assert told(follower) == [appeared(placement)]
    assert len(bounds(placement)) == 1
    assert len(bounds(later)) == 2
    republish(vendor, city="Oslo")  # Another edition, and not an instant without one.
    assert told(follower) == []
    services.withdraw_vendor(vendor, reason="Pause.")
    assert told(follower) == [gone(placement)]
    assert bounds(placement) == bounds(later) == []


def test_it_goes_at_the_instant_at_which_its_vendor_does(follower):
    vendor = make_live_vendor()
    placement = make_live_placement(vendor=vendor)
    assert told(follower) == [appeared(placement)]
    at = database_now() + timedelta(seconds=2)
    services.withdraw_vendor(vendor, reason="The end.", at=at)
    assert bounds(placement) == [(at, False)]
    wait_until(at)
    assert told(follower) == [gone(placement)]
    assert instant(follower.seen[-1]["at"]) == at


def test_it_comes_at_the_instant_at_which_its_vendor_does(follower):
    vendor = make_vendor()
    placement = make_live_placement(vendor=vendor)
    edition = approve(submit(vendor))
    services.publish_vendor(edition, at=database_now() + timedelta(hours=1))
    assert len(bounds(placement)) == 2
    services.cancel_vendor(edition)
    assert bounds(placement) == []
    at = database_now() + timedelta(seconds=1)
    services.publish_vendor(edition, at=at)
    wait_until(at)
    assert told(follower) == [appeared(placement)]


def test_raw_sql_and_bulk_updates_are_heard(follower):
    placements = [make_live_placement() for _ in range(3)]
    assert told(follower) == [appeared(p) for p in placements]
    run("update sponsors_placement set suspended_at = clock_timestamp(), suspended_reason = 'Spam.' where id = %s",
        placements[0].pk)  # fmt: skip
    run("update sponsors_vendoredition set live = tstzrange(lower(live), clock_timestamp()) where vendor_id = any(%s)",
        [p.vendor_id for p in placements])  # fmt: skip
    assert told(follower) == [gone(p) for p in placements]


def test_suspending_a_vendor_tells_of_it_and_of_each_placement(client, follower):
    vendors = Follower(client, f"{CHANGES}?kind=vendor")
    vendor = make_live_vendor()
    placements = [make_live_placement(vendor=vendor) for _ in range(2)]
    told(follower)
    services.suspend_vendor(vendor, reason="The domain was taken over.")
    assert sorted(told(follower)) == sorted(gone(p) for p in placements)
    assert [change["change_kind"] for change in vendors.catch_up()] == ["upsert", "tombstone"]


@pytest.mark.parametrize("first", ["approval", "withdrawal"])
def test_an_approval_and_a_withdrawal_at_the_same_time(follower, first):
    """Each waits for the other, by the lock of the vendor, so the second tells what both make together."""
    vendor = make_live_vendor()
    placement = make_placement(vendor=vendor)
    services.review_placement(placement, by=make_person(), verdict="approved")
    reviewer = make_person()
    last = {
        "approval": lambda: services.review_placement(placement, by=reviewer, verdict="approved"),
        # As raw SQL, which takes no lock by itself.
        "withdrawal": lambda: run(
            "update sponsors_vendoredition set live = tstzrange(lower(live), clock_timestamp())"
            " where vendor_id = %s", vendor.pk,
        ),
    }  # fmt: skip
    second = "withdrawal" if first == "approval" else "approval"
    errors = []

    def other():
        try:
            last[second]()
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        last[first]()
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.5)
        assert thread.is_alive(), "The other verb did not wait."
    thread.join(30)
    assert errors == []
    changes = told(follower)
    assert changes == ([appeared(placement), gone(placement)] if first == "approval" else [])


def test_the_tag_of_the_placements_moves_with_each_bound(client):
    path = "/api/v1/placements/"
    begins_at = database_now() + timedelta(seconds=2)
    placement = make_live_placement(begins_at=begins_at, ends_at=begins_at + timedelta(seconds=3))
    tags = []
    for at in (None, begins_at, placement.period.upper):
        if at is not None:
            wait_until(at)
        response = client.get(path)
        assert [p["id"] for p in response.json()["results"]] == ([str(placement.pk)] if at == begins_at else [])
        tags.append(response["ETag"])
        assert client.get(path, headers={"if-none-match": response["ETag"]}).status_code == 304
    assert len(set(tags)) == 3

"""The public record of what was paid for: it says what was shown, and nothing of what was not."""

from datetime import timedelta

import pytest

from core.publishing.services import database_now
from sponsors import services
from tests.sponsors.factories import make_live_placement, make_live_vendor, make_placement, make_vendor

pytestmark = pytest.mark.django_db


def reported(client, **asked):
    return [row["headline"] for row in client.get("/api/v1/reports/", asked).json()["results"]]


def test_what_was_shown_stays_when_the_placement_and_the_vendor_are_gone(client):
    vendor = make_live_vendor()
    placement = make_live_placement(vendor=vendor, headline="Racks", paid_by="Acme", slot="top")
    services.suspend_placement(placement, reason="It leads elsewhere.")
    services.withdraw_vendor(vendor, reason="It is no more.")

    (row,) = client.get("/api/v1/reports/").json()["results"]

    assert client.get("/api/v1/placements/").json()["results"] == []
    assert (row["headline"], row["disclosure"]["paid_by"], row["domain"]) == ("Racks", "Acme", "example.com")
    assert (row["vendor"], row["vendor_id"]) == (None, str(vendor.pk))
    assert row["shown_from"] < row["shown_until"] == row["suspended_at"]
    assert "address" not in row


def test_what_readers_never_saw_is_not_in_it(client):
    make_placement(headline="In review")
    make_live_placement(headline="To come", begins_at=database_now() + timedelta(hours=1))
    make_live_placement(headline="Of a draft", vendor=make_vendor())
    late = make_placement(headline="Suspended before", begins_at=database_now() + timedelta(hours=2))
    services.suspend_placement(late, reason="No.")
    make_live_placement(headline="Shown")

    assert reported(client) == ["Shown"]


def test_it_is_narrowed_by_slot_and_vendor(client):
    one, other = make_live_placement(headline="One", slot="top"), make_live_placement(headline="Other", slot="side")

    assert reported(client, slot="top") == ["One"]
    assert reported(client, vendor=str(other.vendor_id)) == ["Other"]
    assert reported(client) == ["Other", "One"]
    assert one.pk != other.pk

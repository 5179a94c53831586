"""A placement: one frozen row, two approvals, shown within its period and while its vendor is live."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from core.publishing.canonical import sha256_of
from core.publishing.services import database_now
from sponsors import services
from sponsors.freezing import placement_content
from sponsors.models import Placement
from tests.sponsors.factories import (
    approve,
    approve_placement,
    make_image,
    make_live_placement,
    make_live_vendor,
    make_person,
    make_placement,
    republish,
    submit,
)
from tests.sponsors.test_vendors import codes

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def shown(at=None):
    """Return the ids of the placements that readers see at `at` (None: now)."""
    return set(Placement.objects.visible(at or database_now()).values_list("pk", flat=True))


def test_it_needs_two_people_who_wrote_nothing_of_it():
    submitter, writer, first, second = (make_person() for _ in range(4))
    placement = make_placement(by=submitter, writers=[writer])
    assert placement.writer_ids == sorted([submitter.pk, writer.pk])
    for somebody in (submitter, writer):
        with pytest.raises(ValidationError) as refusal:
            services.review_placement(placement, by=somebody, verdict="approved")
        assert codes(refusal) == [(None, "own_placement")]
    for _ in range(2):  # Twice the same person is one.
        placement = services.review_placement(placement, by=first, verdict="approved")
        assert (placement.review_state, placement.approved_at) == ("in_review", None)
        assert shown() == set()
    placement = services.review_placement(placement, by=second, verdict="approved")
    assert placement.review_state == "approved"
    assert shown() == {placement.pk}
    with pytest.raises(ValidationError) as refusal:
        services.review_placement(placement, by=make_person(), verdict="approved")
    assert codes(refusal) == [(None, "not_in_review")]


def test_it_is_shown_within_its_period_and_no_instant_longer():
    begins_at = database_now() + HOUR
    placement = make_live_placement(begins_at=begins_at, days=2)
    step = timedelta(microseconds=1)
    assert shown() == shown(begins_at - step) == set()
    assert shown(begins_at) == shown(begins_at + timedelta(days=2) - step) == {placement.pk}
    assert shown(begins_at + timedelta(days=2)) == set()


def test_it_is_shown_while_its_vendor_is_live():
    vendor = make_live_vendor()
    placement = make_live_placement(vendor=vendor)
    republish(vendor, city="Oslo")
    assert shown() == {placement.pk}
    services.withdraw_vendor(vendor, reason="They asked.")
    assert shown() == set()
    services.publish_vendor(approve(submit(vendor)))
    assert shown() == {placement.pk}


def test_suspended_it_is_gone_for_good():
    placement = make_live_placement()
    with pytest.raises(ValidationError) as refusal:
        services.suspend_placement(placement, reason=" ")
    assert codes(refusal) == [("reason", "reason_missing")]
    services.suspend_placement(placement, reason="The creative misleads.")
    assert shown() == set()
    with pytest.raises(ValidationError) as refusal:
        services.suspend_placement(placement, reason="Again.")
    assert codes(refusal) == [(None, "already_suspended")]


def test_one_that_waits_can_be_suspended_and_is_not_approved_any_more():
    placement = services.suspend_placement(make_placement(), reason="Booked by mistake.")
    with pytest.raises(ValidationError) as refusal:
        services.review_placement(placement, by=make_person(), verdict="approved")
    assert codes(refusal) == [(None, "not_in_review")]


def test_changes_that_are_asked_for_end_it_and_free_its_lane():
    placement = make_placement(slot="sidebar")
    with pytest.raises(ValidationError) as refusal:
        services.review_placement(placement, by=make_person(), verdict="changes_requested")
    assert codes(refusal) == [("note", "note_missing")]
    services.review_placement(placement, by=make_person(), verdict="changes_requested", note="Says nothing.")
    with pytest.raises(ValidationError) as refusal:
        services.review_placement(placement, by=make_person(), verdict="approved")
    assert codes(refusal) == [(None, "not_in_review")]
    assert make_placement(slot="sidebar").pk != placement.pk


def test_a_lane_is_booked_once_at_any_instant():
    begins_at = database_now() + HOUR
    make_placement(slot="sidebar", lane=1, begins_at=begins_at, days=2)
    for shift in (timedelta(0), timedelta(days=1), timedelta(days=-1), timedelta(days=2, microseconds=-1)):
        with pytest.raises(ValidationError) as refusal:
            make_placement(slot="sidebar", lane=1, begins_at=begins_at + shift, days=2)
        assert codes(refusal) == [("period", "slot_taken")]
    assert Placement.objects.count() == 1
    make_placement(slot="sidebar", lane=1, begins_at=begins_at + timedelta(days=2))  # Half open: one after the other.
    make_placement(slot="sidebar", lane=2, begins_at=begins_at)
    make_placement(slot="newsletter", lane=1, begins_at=begins_at)


def test_one_that_replaces_books_when_it_is_approved():
    vendor = make_live_vendor()
    old = make_live_placement(vendor=vendor, slot="sidebar")
    new = make_placement(vendor=vendor, slot="sidebar", replaces=old)
    assert shown() == {old.pk}
    approve_placement(new)
    assert shown() == {new.pk}
    old.refresh_from_db()
    assert old.suspended_reason == f"Replaced by {new.pk}."
    with pytest.raises(ValidationError) as refusal:
        make_placement(slot="sidebar", replaces=new)
    assert codes(refusal) == [("replaces", "other_vendor")]


def test_one_that_replaces_does_not_take_the_lane_of_a_third():
    vendor = make_live_vendor()
    old = make_live_placement(vendor=vendor, slot="sidebar", lane=1)
    third = make_live_placement(slot="sidebar", lane=2)
    new = make_placement(vendor=vendor, slot="sidebar", lane=2, replaces=old)
    services.review_placement(new, by=make_person(), verdict="approved")
    with pytest.raises(ValidationError) as refusal:
        services.review_placement(new, by=make_person(), verdict="approved")
    assert codes(refusal) == [("period", "slot_taken")]
    assert shown() == {old.pk, third.pk}  # A refused write leaves nothing behind: the old one still stands.


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"address": "http://www.example.com/"}, ("address", "address_not_https")),
        ({"address": "https://example.org/"}, ("address", "domain_not_proven")),
        ({"address": "https://exаmple.com/"}, ("address", "lookalike_domain")),
        ({"ends_at": datetime(2020, 1, 1, tzinfo=UTC)}, ("period", "period_order")),
        ({"begins_at": datetime(2020, 1, 1, tzinfo=UTC)}, ("period", "period_passed")),
        ({"paid_by": " "}, ("paid_by", "blank")),
        ({"label": " "}, ("label", "blank")),
        ({"headline": ""}, ("headline", "blank")),
        ({"headline": "x" * 121}, ("headline", "max_length")),
        ({"slot": "side bar"}, ("slot", "invalid")),
        ({"lane": -1}, ("lane", "min_value")),
    ],
)
def test_what_cannot_be_is_refused(fields, expected):
    with pytest.raises(ValidationError) as refusal:
        make_placement(**fields)
    assert expected in codes(refusal)
    assert not Placement.objects.exists()


def test_it_discloses_in_these_words_unless_told_otherwise():
    placement = make_placement(paid_by=" Example Corporation ")
    assert (placement.label, placement.paid_by, placement.on_behalf_of) == (
        "Advertisement",
        "Example Corporation",
        "",
    )


def test_the_hash_is_of_all_that_readers_get():
    image = make_image(alt="A rack, “open” at the back\twith \\ and \x7f — é 漢字 🙂")
    placement = make_placement(
        image=image, text='Say "hello"\n', headline="Ünïcode — \u2028 and \\", lane=3, on_behalf_of="Somebody"
    )
    assert placement.sha256 == sha256_of(placement_content(placement))
    for name, value in {
        "slot": "other", "lane": 4, "headline": "x", "text": "x", "address": "https://example.com/", "label": "x",
        "paid_by": "x", "on_behalf_of": "x", "picture": None,
    }.items():  # fmt: skip
        was = getattr(placement, name)
        setattr(placement, name, value)
        assert sha256_of(placement_content(placement)) != placement.sha256, name
        setattr(placement, name, was)


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"b": 1, "a": [True, False, None, -5, 12345678901234567890, "", {"é": "ü", "Z": 0, "a": 1, "ﬀ": 2, "🙂": 3}]},
        {"text": "".join(map(chr, range(1, 0x250))) + "\u2028\u2029\ufeff\U0001f600"},
    ],
)
def test_the_database_spells_a_document_as_python_does(document):
    from psycopg.types.json import Jsonb

    with connection.cursor() as cursor:
        cursor.execute("select publishing_sha256(%s)", [Jsonb(document)])
        assert cursor.fetchone() == (sha256_of(document),)


def test_the_picture_is_the_image_as_it_was_approved():
    image = make_image(alt="Before")
    placement = make_placement(image=image)
    image.alt = "After"
    image.save()
    placement = approve_placement(placement)
    assert placement.picture["alt"] == "Before"


def test_an_image_that_changes_while_it_is_submitted_is_seen():
    image = make_image()
    type(image).objects.filter(pk=image.pk).update(sha256="f" * 64)
    with pytest.raises(ValidationError) as refusal:
        make_placement(image=image)
    assert codes(refusal) == [("image", "image_changed")]

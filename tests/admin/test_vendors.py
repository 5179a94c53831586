"""Vendors and placements in the admin: two people who did not write it, and domains that are proven."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from catalog.models import Section
from core.publishing.services import database_now
from sponsors.models import Placement, Vendor
from tests.admin.conftest import client_of, make_member
from tests.admin.pages import errors_of, fill, said, text_of
from tests.sponsors.factories import make_live_vendor, make_placement, make_vendor


@pytest.fixture
def third_editor(db):
    return client_of(make_member("editors", username="theo"))


def address(name: str, vendor: Vendor, number: int | None = None) -> str:
    return reverse(f"admin:sponsors_vendor_{name}", args=[vendor.pk, *([number] if number else [])])


def test_a_vendor_goes_from_draft_to_directory_by_three_people(editor, other_editor, third_editor):
    cooling = Section.objects.get(slug="cooling")
    fill(
        editor,
        reverse("admin:sponsors_vendor_add"),
        "vendor_form",
        **{
            "name": "Acme",
            "slug": "Acme",
            "homepage": "https://www.example.com/",
            "unverified": ["city"],
            "draft_sections-TOTAL_FORMS": "1",
            "draft_sections-0-section": str(cooling.pk),
        },
    )
    vendor = Vendor.objects.get()
    assert (vendor.slug, list(vendor.sections.all()), vendor.unverified) == ("acme", [cooling], ["city"])

    blocked = text_of(editor.get(address("submit", vendor)))
    assert "Nobody has shown that example.com is theirs" in blocked
    proof = {"domain": "www.example.com", "source": "Their imprint, 2026-08-07"}
    assert said(editor, fill(editor, address("prove", vendor), **proof)) == ["example.com is recorded as theirs."]
    assert said(editor, fill(editor, address("submit", vendor))) == ["Edition 1 waits for review."]

    own = fill(editor, address("review", vendor, 1), verdict="approved")
    assert errors_of(own) == ["You wrote a part of this edition; somebody else approves it."]
    first = fill(other_editor, address("review", vendor, 1), verdict="approved")
    assert said(other_editor, first) == ["You approve of edition 1. It needs one more approval."]
    early = fill(editor, address("publish", vendor, 1), when="now")
    assert errors_of(early) == ["This edition is not approved."]
    again = fill(other_editor, address("review", vendor, 1), verdict="approved")
    assert said(other_editor, again) == ["You approve of edition 1. It needs one more approval."]
    second = fill(third_editor, address("review", vendor, 1), verdict="approved")
    assert said(third_editor, second) == ["Edition 1 is approved, and can be published."]

    assert said(editor, fill(editor, address("publish", vendor, 1), when="now")) == ["Edition 1 is live."]
    assert vendor.editions.visible(database_now()).get().name == "Acme"


def test_the_page_counts_approvals(editor, other_editor):
    vendor = make_vendor()
    fill(editor, address("submit", vendor))
    fill(other_editor, address("review", vendor, 1), verdict="approved")

    assert "edition 1, 1 of 2 approvals" in text_of(editor.get(address("change", vendor)))


def test_two_editors_do_not_overwrite_each_other(editor, other_editor):
    vendor = make_vendor(name="Acme", city="Oslo")
    from tests.admin.pages import open_form

    form = open_form(editor, address("change", vendor), "vendor_form")
    fill(other_editor, address("change", vendor), "vendor_form", city="Bergen")

    response = editor.post(address("change", vendor), {**form, "city": "Trondheim"})

    assert response.status_code == 409 and "City Bergen Trondheim" in text_of(response)
    assert Vendor.objects.get().city == "Bergen"


def test_editions_are_compared_and_restored(editor):
    vendor = make_live_vendor(name="Acme", city="Oslo", description="One.")
    fill(editor, address("change", vendor), "vendor_form", city="Bergen", description="Two.")

    page = text_of(editor.get(address("compare", vendor), {"old": "1", "new": "draft"}))
    assert (
        "City Oslo Bergen" in page and "-One." in page and "+Two." in page and "Name" not in page.split("The draft")[-1]
    )

    assert said(editor, fill(editor, address("restore", vendor, 1)))
    assert Vendor.objects.get().city == "Oslo"


def test_suspending_hides_the_vendor_and_says_what_went_with_it(editor):
    vendor = make_live_vendor()
    make_placement(vendor=vendor)

    silent = fill(editor, address("suspend", vendor))
    response = fill(editor, address("suspend", vendor), reason="The domain was sold.")

    assert errors_of(silent, "reason")
    assert said(editor, response) == ["It is suspended, and 1 placement with it."]
    assert not vendor.editions.visible(database_now()).exists()


def test_a_vendor_that_readers_saw_is_not_deleted(root):
    vendor = make_live_vendor()

    assert root.post(address("delete", vendor), {"post": "yes"}).status_code == 403
    draft = make_vendor()
    assert root.post(address("delete", draft), {"post": "yes"}).status_code == 302
    assert list(Vendor.objects.all()) == [vendor]


# Placements


def typed(vendor: Vendor, **more) -> dict:
    begins = timezone.now() + timedelta(days=1)
    return {
        "vendor": str(vendor.pk),
        "slot": "sidebar",
        "begins_local": f"{begins:%Y-%m-%dT%H:%M}",
        "ends_local": f"{begins + timedelta(days=7):%Y-%m-%dT%H:%M}",
        "zone": "Asia/Tokyo",
        "headline": "Cooler racks",
        "address": "https://www.example.com/offer",
        "paid_by": "Acme Corporation",
        **more,
    }


def test_a_placement_is_submitted_and_two_people_approve(editor, other_editor, third_editor):
    vendor = make_live_vendor()

    response = fill(editor, reverse("admin:sponsors_placement_add"), **typed(vendor))

    placement = Placement.objects.get()
    review = reverse("admin:sponsors_placement_review", args=[placement.pk])
    assert said(editor, response) == ["The placement waits for two approvals."]
    assert errors_of(fill(editor, review, verdict="approved")) == ["You wrote a part of it; somebody else approves it."]
    fill(other_editor, review, verdict="approved")
    done = fill(third_editor, review, verdict="approved")
    assert said(third_editor, done) == ["It is approved: readers see it within its period."]
    page = text_of(editor.get(reverse("admin:sponsors_placement_change", args=[placement.pk])))
    assert "Cooler racks" in page and "Approved by olga" in page and "Approved by theo" in page


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"address": "https://elsewhere.example.org/"}, "address"),
        ({"ends_local": "2020-01-01T00:00"}, "ends_local"),
        ({"begins_local": "soon"}, "begins_local"),
        ({"paid_by": ""}, "paid_by"),
    ],
)
def test_a_placement_that_cannot_stand_is_refused_at_its_field(editor, more, field):
    response = fill(editor, reverse("admin:sponsors_placement_add"), **typed(make_live_vendor(), **more))

    assert errors_of(response, field)
    assert not Placement.objects.exists()


def test_a_lane_is_booked_once(editor):
    vendor = make_live_vendor()
    fill(editor, reverse("admin:sponsors_placement_add"), **typed(vendor))

    response = fill(editor, reverse("admin:sponsors_placement_add"), **typed(vendor))

    assert errors_of(response, "ends_local") == ["This lane of the slot is booked then."]
    assert Placement.objects.count() == 1


def test_a_placement_is_frozen(root):
    placement = make_placement()
    address = reverse("admin:sponsors_placement_change", args=[placement.pk])

    assert root.post(address, {"headline": "x"}).status_code == 403
    assert (
        root.post(reverse("admin:sponsors_placement_delete", args=[placement.pk]), {"post": "yes"}).status_code == 403
    )


def test_a_placement_is_suspended_with_a_reason(editor):
    placement = make_placement()

    response = fill(
        editor, reverse("admin:sponsors_placement_suspend", args=[placement.pk]), reason="Not what was approved."
    )

    assert said(editor, response) == ["It is suspended."]
    assert Placement.objects.get().suspended_reason == "Not what was approved."

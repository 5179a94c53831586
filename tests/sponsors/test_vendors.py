"""The life of an entry: draft, two approvals, live, withdrawn, back."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from catalog.models import Manufacturer
from core.publishing.models import Reference, Review
from core.publishing.services import StaleDraft, database_now
from sponsors import services
from sponsors.models import Vendor, VendorDomain, VendorEdition
from tests.sponsors.factories import (
    approve,
    change,
    make_live_placement,
    make_live_vendor,
    make_person,
    make_placement,
    make_section,
    make_vendor,
    republish,
    submit,
)

pytestmark = pytest.mark.django_db


def seen(vendor):
    """Return what readers see of a vendor now, None where they see nothing."""
    return VendorEdition.objects.visible(database_now()).filter(vendor=vendor).first()


def codes(refusal):
    """Return the (field, code) pairs of a ValidationError."""
    error = refusal.value
    if hasattr(error, "error_dict"):
        return [(field, item.code) for field, items in error.error_dict.items() for item in items]
    return [(None, item.code) for item in error.error_list]


def test_it_needs_two_people_who_wrote_nothing_of_it():
    writer, submitter, first, second = (make_person() for _ in range(4))
    vendor = make_vendor(by=writer)
    edition = services.submit_vendor(vendor, by=submitter)
    for somebody in (writer, submitter):
        with pytest.raises(ValidationError) as refusal:
            services.review_vendor(edition, by=somebody, verdict="approved")
        assert codes(refusal) == [(None, "own_edition")]

    edition = services.review_vendor(edition, by=first, verdict="approved")
    assert edition.review_state == "in_review"
    edition = services.review_vendor(edition, by=first, verdict="approved")  # Twice the same person is one.
    assert edition.review_state == "in_review"
    with pytest.raises(ValidationError) as refusal:
        services.publish_vendor(edition)
    assert codes(refusal) == [(None, "not_approved")]
    assert seen(vendor) is None

    edition = services.review_vendor(edition, by=second, verdict="approved")
    assert edition.review_state == "approved"
    assert seen(vendor) is None
    services.publish_vendor(edition)
    assert seen(vendor) == edition


def test_four_eyes_lifts_nothing(settings):
    settings.PLENUM_FOUR_EYES = False
    writer = make_person()
    with pytest.raises(ValidationError) as refusal:
        services.review_vendor(submit(make_vendor(by=writer), by=writer), by=writer, verdict="approved")
    assert codes(refusal) == [(None, "own_edition")]


def test_who_asks_for_changes_stops_it_until_they_approve():
    edition = submit(make_vendor())
    critic = make_person()
    with pytest.raises(ValidationError) as refusal:
        services.review_vendor(edition, by=critic, verdict="changes_requested", note=" ")
    assert codes(refusal) == [("note", "note_missing")]
    services.review_vendor(edition, by=critic, verdict="changes_requested", note="Spam.")
    edition = approve(edition)
    with pytest.raises(ValidationError) as refusal:
        services.publish_vendor(edition)
    assert codes(refusal) == [(None, "not_approved")]

    services.review_vendor(edition, by=critic, verdict="approved")
    assert services.publish_vendor(edition).live is not None


def test_a_byte_voids_the_approvals_and_no_byte_keeps_them():
    vendor = make_vendor(description="Builds racks.")
    edition = approve(submit(vendor))
    assert submit(change(vendor, note="Ask them about lead times.")) == edition
    another = submit(change(vendor, description="Builds racks!"))
    assert another != edition
    assert another.sha256 != edition.sha256
    edition.refresh_from_db()
    assert edition.review_state == "superseded"
    with pytest.raises(ValidationError) as refusal:
        services.publish_vendor(another)
    assert codes(refusal) == [(None, "not_approved")]


def test_the_edition_holds_what_the_draft_held():
    section, other = make_section(), make_section()
    maker = Manufacturer.objects.create(slug="acme", name="Acme")
    parent = make_live_vendor()
    vendor = make_vendor(
        name=" Acme ", slug="acme", description="Builds racks. ", role="builder", homepage="https://Example.com",
        country="NO", city="Oslo", company_status="acquired", parent=parent, manufacturer=maker,
        unverified=["country", "city"], sections=[other, section], note="secret",
    )  # fmt: skip
    edition = submit(vendor)
    assert edition.content == {
        "name": "Acme",
        "slug": "acme",
        "description": "Builds racks.",
        "role": "builder",
        "homepage": "https://example.com",
        "domain": "example.com",
        "country": "NO",
        "city": "Oslo",
        "company_status": "acquired",
        "parent_id": str(parent.pk),
        "manufacturer_id": str(maker.pk),
        "section_ids": [str(other.pk), str(section.pk)],
        "unverified": ["city", "country"],
    }
    assert [row.section for row in edition.section_rows.all()] == [other, section]
    assert {(r.role, r.target_kind, r.target_id) for r in Reference.objects.filter(edition_id=edition.pk)} == {
        ("parent", "vendor", parent.pk),
        ("manufacturer", "manufacturer", maker.pk),
    }


def test_readers_see_the_old_edition_while_the_draft_moves_on():
    vendor = make_live_vendor(name="Before")
    change(vendor, name="After", slug="after")
    assert seen(vendor).name == "Before"
    republish(vendor, description="Now it is.")
    assert (seen(vendor).name, seen(vendor).slug) == ("After", "after")
    assert list(VendorEdition.objects.moved_from("after", database_now())) == []


def test_an_entry_that_has_moved_on_is_not_submitted():
    vendor = make_vendor()
    services.change_vendor(vendor, based_on=1, by=make_person(), fields={"city": "Oslo"})

    with pytest.raises(StaleDraft) as error:
        services.submit_vendor(vendor, by=make_person(), based_on=1)

    assert error.value.version == 2
    assert not vendor.editions.exists()


def test_a_stale_write_is_refused_with_what_differs():
    vendor = make_vendor(name="First")
    change(vendor, name="Second")
    with pytest.raises(StaleDraft) as refusal:
        services.change_vendor(vendor, based_on=1, by=make_person(), fields={"name": "Third", "city": "Oslo"})
    assert refusal.value.changed == {"name": ("Second", "Third"), "city": ("", "Oslo")}
    vendor.refresh_from_db()
    assert (vendor.name, vendor.city) == ("Second", "")


def test_a_field_that_it_has_not_is_a_fault_of_the_caller():
    with pytest.raises(ValueError, match="no draft_version"):
        services.change_vendor(make_vendor(), based_on=1, by=make_person(), fields={"draft_version": 9})


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"homepage": "ftp://www.example.com/"}, "homepage_not_https"),
        ({"homepage": "http://www.example.com/"}, "homepage_not_https"),
        ({"homepage": "https://www.example.org/"}, "domain_not_proven"),
        ({"homepage": "https://example.com.evil.example/"}, "not_a_domain"),
        ({"homepage": "https://notexample.com/"}, "domain_not_proven"),
        ({"homepage": "https://exаmple.com/"}, "lookalike_domain"),
    ],
)
def test_a_homepage_is_https_on_a_proven_domain(fields, code):
    vendor = make_vendor(**fields)
    with pytest.raises(ValidationError) as refusal:
        submit(vendor)
    assert codes(refusal) == [("homepage", code)]
    assert not vendor.editions.exists()


def test_who_has_no_homepage_has_no_link():
    edition = make_live_vendor(homepage="").editions.get()
    assert (edition.homepage, edition.domain) == ("", None)


def test_the_domain_of_another_vendor_proves_nothing():
    make_vendor(domain="example.org")
    with pytest.raises(ValidationError) as refusal:
        submit(make_vendor(homepage="https://example.org/"))
    assert codes(refusal) == [("homepage", "domain_not_proven")]


def test_a_proof_is_recorded_once_with_who_and_what():
    vendor, editor = make_vendor(), make_person()
    record = services.prove_domain(vendor, "www.Example.co.uk", source=" landscape.yml ", by=editor, proof="mail")
    assert (record.domain, record.source, record.proven_by, record.proof) == (
        "example.co.uk",
        "landscape.yml",
        editor,
        "mail",
    )
    again = services.prove_domain(vendor, "example.co.uk", source="Something else", by=make_person())
    assert (again.pk, again.source) == (record.pk, "landscape.yml")
    for arguments, expected in (
        (("example.net", " "), ("source", "source_missing")),
        (("localhost", "x"), ("domain", "not_a_domain")),
        (("exаmple.com", "x"), ("domain", "lookalike_domain")),
    ):
        with pytest.raises(ValidationError) as refusal:
            services.prove_domain(vendor, arguments[0], source=arguments[1], by=editor)
        assert codes(refusal) == [expected]
    with pytest.raises(ValidationError) as refusal:
        services.prove_domain(vendor, "example.net", source="x", by=editor, proof="hope")
    assert codes(refusal) == [("proof", "invalid_choice")]
    assert VendorDomain.objects.filter(vendor=vendor).count() == 2


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"country": "XX"}, ("country", "not_a_country")),
        ({"country": "no"}, ("country", "not_a_country")),
        ({"role": "sponsor"}, ("role", "invalid_choice")),
        ({"company_status": "dead"}, ("company_status", "invalid_choice")),
        ({"unverified": ["colour"]}, ("unverified", "item_invalid")),
        ({"name": ""}, ("name", "blank")),
        ({"slug": "Upper"}, ("__all__", "slug_letters")),
        ({"slug": "01a22b85-0ba4-70a0-ae6f-0925a3e507be"}, ("slug", "slug_is_uuid")),
    ],
)
def test_a_value_that_cannot_be_is_refused(fields, expected):
    with pytest.raises(ValidationError) as refusal:
        make_vendor(**fields)
    assert expected in codes(refusal)
    assert not Vendor.objects.exists()


def test_nobody_owns_itself():
    child = make_vendor()
    middle = make_vendor(parent=child)
    with pytest.raises(ValidationError) as refusal:
        change(child, parent=child)
    assert ("parent", "own_parent") in codes(refusal)
    with pytest.raises(ValidationError) as refusal:
        change(child, parent=make_vendor(parent=middle))
    assert codes(refusal) == [("parent", "own_parent")]


def test_scheduled_and_cancelled():
    at = database_now() + timedelta(days=1)
    vendor = make_live_vendor(at=at)
    edition = vendor.editions.get()
    assert seen(vendor) is None
    assert list(VendorEdition.objects.visible(at)) == [edition]
    assert not VendorEdition.objects.visible(at - timedelta(microseconds=1)).exists()
    services.cancel_vendor(edition)
    assert not VendorEdition.objects.visible(at).exists()


def test_withdrawn_with_a_reason_and_back_unchanged_after_new_approvals():
    vendor = make_live_vendor()
    with pytest.raises(ValidationError) as refusal:
        services.withdraw_vendor(vendor, reason=" ")
    assert codes(refusal) == [("reason", "reason_missing")]
    first = services.withdraw_vendor(vendor, reason="They asked.")
    assert seen(vendor) is None
    assert first.withdrawn_reason == "They asked."

    again = submit(vendor)
    assert again != first
    assert (again.number, again.sha256, again.review_state) == (2, first.sha256, "in_review")
    with pytest.raises(ValidationError) as refusal:
        services.publish_vendor(again)
    assert codes(refusal) == [(None, "not_approved")]
    services.publish_vendor(approve(again))
    assert seen(vendor) == again
    assert again.vendor.editions.first().published_at == first.published_at


def test_restoring_copies_into_the_draft_and_publishes_nothing():
    one, two = make_section(), make_section()
    vendor = make_live_vendor(name="Old", slug="old", city="Oslo", sections=[two, one], unverified=["city"])
    old = vendor.editions.get()
    new = republish(vendor, name="New", slug="new", city="", unverified=[], note="Keep me.")
    vendor.refresh_from_db()
    services.change_vendor(vendor, based_on=vendor.draft_version, by=make_person(), sections=[one])
    vendor.refresh_from_db()
    restored = services.restore_vendor(old, based_on=vendor.draft_version, by=make_person())
    assert (restored.name, restored.slug, restored.city, restored.note) == ("Old", "new", "Oslo", "Keep me.")
    assert restored.unverified == ["city"]
    assert [row.section for row in restored.draft_sections.all()] == [two, one]
    assert seen(vendor) == new


def test_suspending_takes_the_entry_and_its_placements_at_once():
    vendor = make_live_vendor()
    live, waiting = make_live_placement(vendor=vendor), make_placement(vendor=vendor)
    services.publish_vendor(approve(submit(change(vendor, city="Oslo"))), at=database_now() + timedelta(days=1))
    with pytest.raises(ValidationError) as refusal:
        services.suspend_vendor(vendor, reason="")
    assert codes(refusal) == [("reason", "reason_missing")]

    ended = services.suspend_vendor(vendor, reason="The domain was taken over.")

    assert {placement.pk for placement in ended} == {live.pk, waiting.pk}
    assert {placement.suspended_reason for placement in ended} == {"The domain was taken over."}
    assert not VendorEdition.objects.visible(database_now() + timedelta(days=2)).exists()
    assert services.suspend_vendor(vendor, reason="Again.") == []


def test_what_readers_never_saw_can_be_deleted():
    parent = make_vendor()
    vendor = make_vendor(parent=parent)
    approve(submit(vendor))
    with pytest.raises(ValidationError) as refusal:
        services.delete_vendor(parent)
    assert codes(refusal) == [(None, "is_used")] and f"Vendor: {vendor}" in str(refusal.value)
    services.delete_vendor(vendor)
    assert list(Vendor.objects.all()) == [parent]
    assert not Reference.objects.filter(holder_id=vendor.pk).exists()
    assert Review.objects.count() == 2
    with pytest.raises(ValidationError) as refusal:
        services.delete_vendor(make_live_vendor())
    assert codes(refusal) == [(None, "was_published")]


def test_two_vendors_do_not_share_an_address_at_one_instant():
    vendor = make_live_vendor(slug="acme")
    republish(vendor, slug="acme-holding")
    other = make_live_vendor(slug="acme")  # The address is free again.
    assert seen(other).slug == "acme"
    change(other, slug="acme-new")
    with pytest.raises(ValidationError) as refusal:
        republish(vendor, slug="acme")  # Free among drafts, and what readers see of the other.
    assert codes(refusal) == [("slug", "slug_taken")]
    assert seen(vendor).slug == "acme-holding"

"""What the database refuses of vendors and placements, whatever statement is sent."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from core.api.ids import uuid7
from core.publishing.models import Review
from core.publishing.services import database_now
from sponsors import services
from sponsors.models import Placement, VendorEdition
from tests.sponsors.factories import (
    approve,
    approve_placement,
    make_image,
    make_live_placement,
    make_live_vendor,
    make_person,
    make_placement,
    make_section,
    make_vendor,
    submit,
)

pytestmark = pytest.mark.django_db


def run(sql, *params):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.rowcount


def refused(sql, *params):
    """Run a statement that must be refused, and return the name of the rule that it broke."""
    with pytest.raises(DatabaseError) as refusal:
        run(sql, *params)
    return refusal.value.__cause__.diag.constraint_name


def copy_of(row, **changes):
    """Insert a copy of a row with a new id and `changes` (SQL expressions) by raw SQL; return the statement's check."""
    columns = [f.column for f in row._meta.concrete_fields if not f.generated]
    values = {column: f'"{column}"' for column in columns} | {"id": f"'{uuid7()}'"} | changes
    table = row._meta.db_table
    names = ", ".join(f'"{column}"' for column in columns)
    return f"insert into {table} ({names}) select {', '.join(values[c] for c in columns)} from {table} where id = %s"


def rehashed(placement, **changes):
    """Return the statement of `copy_of` in another slot, with the hash that fits `changes`: they alone are wrong."""
    changes = {"slot": "'other'", **changes}
    pairs = ", ".join(f"'{name}', {value}" for name, value in changes.items())
    with connection.cursor() as cursor:
        cursor.execute(
            "select publishing_sha256(sponsors_placement_content(q)) from (select (jsonb_populate_record("
            f"p, jsonb_build_object({pairs}))).* from sponsors_placement p where id = %s) as q",
            [placement.pk],
        )
        (digest,) = cursor.fetchone()
    return copy_of(placement, **{"sha256": f"'{digest}'", **changes})


def everything(table):
    with connection.cursor() as cursor:
        cursor.execute(f"select to_jsonb(t)::text from {table} t order by id")
        return cursor.fetchall()


# Editions of vendors


@pytest.mark.parametrize("approvals", [0, 1])
def test_no_statement_makes_an_edition_live_without_two_approvals(approvals):
    edition = submit(make_vendor())
    for _ in range(approvals):
        services.review_vendor(edition, by=make_person(), verdict="approved")
    before = everything("sponsors_vendoredition")
    for sql in (
        "update sponsors_vendoredition set live = tstzrange(now(), null), published_at = now()",
        "update sponsors_vendoredition set live = tstzrange(now() + interval '1 day', null), published_at = now()",
        "update sponsors_vendoredition set review_state = 'approved', live = tstzrange(now(), null),"
        " published_at = now()",
    ):
        assert refused(sql) == "approvals_missing"
    assert everything("sponsors_vendoredition") == before
    assert not VendorEdition.objects.visible(database_now()).exists()


def test_approvals_of_writers_of_other_hashes_and_of_other_rows_count_for_nothing():
    writer = make_person()
    edition, other = submit(make_vendor(by=writer), by=writer), submit(make_vendor())
    approve(other)
    for values in (
        {"reviewer": writer},
        {"sha256": "0" * 64},
        {"target_id": other.pk, "sha256": edition.sha256},
        {"verdict": "changes_requested", "note": "No."},
    ):
        Review.objects.create(
            **{"kind": "vendor", "target_id": edition.pk, "sha256": edition.sha256, "verdict": "approved",
               "reviewer": make_person(), **values}
        )  # fmt: skip
        assert (
            refused(
                "update sponsors_vendoredition set live = tstzrange(now(), null), published_at = now() where id = %s",
                edition.pk,
            )
            == "approvals_missing"
        )


def test_reviews_stand_as_they_were_given():
    approve(submit(make_vendor()))
    assert refused("update publishing_review set verdict = 'changes_requested'") == "review_frozen"
    assert refused("delete from publishing_review") == "review_frozen"


def test_no_statement_begins_an_edition_live_or_with_another_hash():
    edition = approve(submit(make_vendor()))
    assert (
        refused(copy_of(edition, number="2", live="tstzrange(now(), null)"), edition.pk) == "edition_begins_in_review"
    )
    fresh = {"number": "2", "review_state": "'in_review'"}
    assert refused(copy_of(edition, **fresh, sha256=f"'{'0' * 64}'"), edition.pk) == "edition_hash"
    assert refused(copy_of(edition, **fresh, writer_ids="'{}'"), edition.pk) == "edition_writers"
    run(copy_of(edition, **fresh), edition.pk)  # What is refused above is the change, not the copy.


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("name", "'Casino'"),
        ("slug", "'casino'"),
        ("description", "'Casino'"),
        ("role", "'operator'"),
        ("homepage", "'https://www.example.com/casino'"),
        ("country", "'NO'"),
        ("city", "'Oslo'"),
        ("company_status", "'defunct'"),
        ("unverified", "'{city}'"),
    ],
)
def test_readers_get_what_people_approve_of(column, value):
    edition = submit(make_vendor())
    assert refused(copy_of(edition, number="2", **{column: value}), edition.pk) == "edition_columns"
    assert refused(f"update sponsors_vendoredition set {column} = {value}") == "edition_frozen"
    assert refused("update sponsors_vendoredition set content = '{}'") == "edition_frozen"


def test_the_sections_of_an_edition_are_those_of_its_content():
    section, other = make_section(), make_section()
    edition = approve(submit(make_vendor(sections=[section])))
    live = "update sponsors_vendoredition set live = tstzrange(now(), null), published_at = now()"
    add = "insert into sponsors_vendoreditionsection (edition_id, section_id, position) values (%s, %s, 1)"
    run(add, edition.pk, other.pk)
    assert refused(live) == "edition_columns"
    run("delete from sponsors_vendoreditionsection")
    assert refused(live) == "edition_columns"
    run("insert into sponsors_vendoreditionsection (edition_id, section_id, position) values (%s, %s, 0)",
        edition.pk, section.pk)  # fmt: skip
    run(live)
    assert refused(add, edition.pk, other.pk) == "edition_frozen"
    assert refused("update sponsors_vendoreditionsection set section_id = %s", other.pk) == "edition_frozen"
    assert refused("delete from sponsors_vendoreditionsection") == "edition_frozen"


def test_a_homepage_leads_to_a_domain_that_was_proven():
    vendor = make_vendor()
    edition = submit(vendor)
    fresh = {"number": "2"}

    def with_homepage(homepage, domain):
        content = edition.content | {"homepage": homepage, "domain": domain}
        from core.publishing.canonical import canonical_json

        text = canonical_json(content).decode().replace("'", "''").replace("%", "%%")
        return copy_of(
            edition, **fresh, homepage=f"'{homepage}'", domain=f"'{domain}'", content=f"'{text}'",
            sha256=f"publishing_sha256('{text}')",
        )  # fmt: skip

    for homepage in (
        "http://www.example.com/",
        "https://example.com.evil.example/",
        "https://evilexample.com/",
        "https://user@example.com/",
        "https://example.com:8443/",
        "https://example.com/ a",
        "javascript:alert(1)",
    ):
        assert refused(with_homepage(homepage, "example.com"), edition.pk) == "sponsors_vendoredition_homepage"
    assert refused(with_homepage("https://example.org/", "example.org"), edition.pk) == "sponsors_vendoredition_domain"
    assert refused(copy_of(edition, **fresh, domain="null"), edition.pk) == "edition_columns"
    run(with_homepage("https://shop.example.com/?a=b", "example.com"), edition.pk)
    assert refused("delete from sponsors_vendordomain") == "sponsors_vendoredition_domain"
    assert refused("update sponsors_vendordomain set domain = 'example.net'") == "sponsors_vendoredition_domain"


def test_one_edition_of_a_vendor_and_of_an_address_is_live():
    vendor = make_live_vendor()
    first = vendor.editions.get()
    services.withdraw_vendor(vendor, reason="Pause.")
    second = approve(submit(vendor))
    services.publish_vendor(second)
    live = "update sponsors_vendoredition set live = tstzrange(lower(live), null) where id = %s"
    assert refused(live, first.pk) == "sponsors_vendoredition_one_live"
    other = make_live_vendor()
    assert refused("update sponsors_vendoredition set vendor_id = %s", other.pk) == "edition_frozen"


def test_what_was_published_is_not_deleted():
    make_live_placement()
    assert refused("delete from sponsors_vendoredition") == "edition_frozen"
    assert refused("delete from sponsors_placement") == "placement_frozen"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["sponsors_placement", "sponsors_vendoredition"])
def test_nothing_is_truncated(table):
    with transaction.atomic():
        run("set local plenum.allow_truncate = off")
        assert refused(f"truncate {table} cascade") == "feed_no_truncate"


# Placements


@pytest.mark.parametrize("approvals", [0, 1])
def test_no_statement_shows_a_placement_without_two_approvals(approvals):
    placement = make_placement()
    for _ in range(approvals):
        services.review_placement(placement, by=make_person(), verdict="approved")
    before = everything("sponsors_placement")
    approved = "update sponsors_placement set approved_at = clock_timestamp(), review_state = 'approved'"
    assert refused(approved) == "approvals_missing"
    assert refused("update sponsors_placement set review_state = 'approved'") == "placement_approved_state"
    assert refused(copy_of(placement, approved_at="now()", review_state="'approved'"), placement.pk) == (
        "placement_begins_in_review"
    )
    assert everything("sponsors_placement") == before
    assert not Placement.objects.visible(database_now()).exists()


def test_approvals_of_its_writers_and_of_others_hashes_count_for_nothing():
    writer = make_person()
    placement = make_placement(by=writer)
    approved = "update sponsors_placement set approved_at = clock_timestamp(), review_state = 'approved' where id = %s"
    for values in (
        {"reviewer": writer},
        {"reviewer": writer},
        {},
        {"sha256": "0" * 64},
        {"target_id": uuid7()},
    ):
        Review.objects.create(
            **{"kind": "placement", "target_id": placement.pk, "sha256": placement.sha256, "verdict": "approved",
               "reviewer": make_person(), **values}
        )  # fmt: skip
        assert refused(approved, placement.pk) == "approvals_missing"
    Review.objects.create(
        kind="placement", target_id=placement.pk, sha256=placement.sha256, verdict="approved", reviewer=make_person()
    )
    run(approved, placement.pk)  # The second that counts.
    assert list(Placement.objects.visible(database_now())) == [placement]


@pytest.mark.parametrize("approved", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        "slot = 'other'",
        "lane = 7",
        "period = tstzrange(lower(period), upper(period) + interval '1 year')",
        "headline = 'Casino'",
        "text = 'Casino'",
        "address = 'https://www.example.com/casino'",
        "label = 'Tip'",
        "paid_by = 'Nobody'",
        "on_behalf_of = 'Nobody'",
        "picture = '{}'",
        "sha256 = repeat('0', 64)",
        "writer_ids = '{}'",
        "submitted_at = now()",
    ],
)
def test_a_placement_is_frozen(change, approved):
    placement = make_placement()
    if approved:
        approve_placement(placement)
    assert refused(f"update sponsors_placement set {change}") == "placement_frozen"


def test_an_approval_and_a_suspension_are_of_now_and_stay():
    placement = make_live_placement()
    assert refused("update sponsors_placement set approved_at = now()") == "placement_frozen"
    assert refused("update sponsors_placement set approved_at = null, review_state = 'in_review'") == "placement_frozen"
    suspend = "update sponsors_placement set suspended_reason = 'Spam.', suspended_at = "
    for instant in ("now() - interval '1 hour'", "now() + interval '1 hour'"):
        assert refused(suspend + instant) == "placement_instant"
    assert refused("update sponsors_placement set suspended_at = clock_timestamp()") == "placement_suspended_reason"
    run(suspend + "clock_timestamp()")
    for change in ("suspended_at = null, suspended_reason = ''", "suspended_reason = 'Nothing.'"):
        assert refused(f"update sponsors_placement set {change}") == "placement_frozen"
    waiting = make_placement()
    approve_by = "update sponsors_placement set review_state = 'approved', approved_at = "
    for _ in range(2):
        Review.objects.create(
            kind="placement", target_id=waiting.pk, sha256=waiting.sha256, verdict="approved", reviewer=make_person()
        )
    for instant in ("now() - interval '1 hour'", "now() + interval '1 hour'"):
        assert refused(approve_by + instant + " where id = %s", waiting.pk) == "placement_instant"
    run("update sponsors_placement set suspended_reason = 'Spam.', suspended_at = clock_timestamp() where id = %s",
        waiting.pk)  # fmt: skip
    assert refused(approve_by + "clock_timestamp() where id = %s", waiting.pk) == "placement_frozen"
    assert not Placement.objects.visible(placement.period.lower).exists()


@pytest.mark.parametrize(
    "period",
    [
        "'empty'",
        "tstzrange(null, now())",
        "tstzrange(now(), null)",
        "tstzrange(now(), 'infinity')",
        "tstzrange('-infinity', now())",
        "tstzrange(now(), now() + interval '1 day', '[]')",
        "tstzrange(now(), now() + interval '1 day', '()')",
    ],
)
def test_a_period_is_bounded_and_half_open(period):
    placement = make_placement()
    assert refused(rehashed(placement, period=f"({period})::tstzrange"), placement.pk) == "sponsors_placement_period"


@pytest.mark.parametrize("column", ["period", "slot", "lane", "vendor_id", "paid_by", "label", "domain", "sha256"])
def test_what_the_rules_look_at_is_never_null(column):
    placement = make_placement()
    with pytest.raises(DatabaseError) as refusal:
        run(rehashed(placement, **{column: "null"}), placement.pk)
    assert refusal.value.__cause__.diag.column_name == column


def test_a_lane_is_booked_once_whatever_statement_books_it():
    placement = make_placement(begins_at=database_now() + timedelta(days=1))
    assert refused(copy_of(placement), placement.pk) == "sponsors_placement_one_a_lane"
    services.suspend_placement(placement, reason="Booked by mistake.")
    run(copy_of(placement, suspended_at="null", suspended_reason="''"), placement.pk)


def test_a_placement_discloses_and_leads_to_a_proven_domain():
    placement = make_placement(image=make_image())
    for changes, rule in (
        ({"label": "''"}, "placement_disclosed"),
        ({"label": "'  '"}, "placement_disclosed"),
        ({"paid_by": "' '"}, "placement_disclosed"),
        ({"address": "'http://www.example.com/'"}, "sponsors_placement_address"),
        ({"address": "'https://evil.example/'"}, "sponsors_placement_address"),
        ({"address": "'https://evil.example/'", "domain": "'evil.example'"}, "sponsors_placement_domain"),
        ({"picture": "null"}, "placement_picture"),
    ):
        assert refused(rehashed(placement, **changes), placement.pk) == rule, changes
    assert refused(copy_of(placement, slot="'other'"), placement.pk) == "placement_hash"
    assert refused(copy_of(placement, slot="'sidebar'", writer_ids="'{}'"), placement.pk) == "placement_writers"
    run(rehashed(placement, label="'Sponsored'"), placement.pk)


def test_one_that_waits_is_not_approved_after_its_period():
    vendor = make_live_vendor()
    placement = make_placement(vendor=vendor, ends_at=database_now() + timedelta(milliseconds=500))
    for _ in range(2):
        Review.objects.create(
            kind="placement",
            target_id=placement.pk,
            sha256=placement.sha256,
            verdict="approved",
            reviewer=make_person(),
        )
    run("select pg_sleep(0.6)")
    assert (
        refused("update sponsors_placement set approved_at = clock_timestamp(), review_state = 'approved'")
        == "placement_over"
    )

"""Instants that editors type: on their clock, also where it is put forward or back."""

import pytest
from django.urls import reverse

from core.publishing.admin.forms import WhenForm
from tests.admin.pages import errors_of, fill, text_of
from tests.factories import make_approved_edition


def typed(local: str, zone: str, **more) -> WhenForm:
    return WhenForm({"when": "later", "local": local, "zone": zone, **more})


@pytest.mark.parametrize(
    ("local", "zone", "utc"),
    [
        ("2099-01-05T09:00", "Asia/Tokyo", "2099-01-05T00:00"),
        ("2027-07-01T09:00", "America/New_York", "2027-07-01T13:00"),
        ("2027-01-01T09:00", "America/New_York", "2027-01-01T14:00"),
        ("2027-01-01 09:00", "UTC", "2027-01-01T09:00"),
        ("2027-03-28T03:00", "Europe/Berlin", "2027-03-28T01:00"),
        ("2027-10-31T03:00", "Europe/Berlin", "2027-10-31T02:00"),
        ("2027-01-01T09:00:30.5", "UTC", "2027-01-01T09:00"),
    ],
)
def test_a_time_is_read_on_the_clock_of_its_zone(local, zone, utc):
    form = typed(local, zone)

    assert form.is_valid(), form.errors
    assert form.cleaned_data["at"].isoformat(timespec="minutes") == f"{utc}+00:00"


@pytest.mark.parametrize(
    ("local", "zone", "gap"),
    [
        ("2027-03-28T02:30", "Europe/Berlin", "from 02:00 straight to 03:00"),
        ("2027-03-14T02:00", "America/New_York", "from 02:00 straight to 03:00"),
        ("2026-10-04T02:15", "Australia/Lord_Howe", "from 02:00 straight to 02:30"),
    ],
)
def test_a_time_that_no_clock_shows_is_refused(local, zone, gap):
    form = typed(local, zone)

    assert not form.is_valid()
    assert form.errors.as_data()["local"][0].code == "no_such_time"
    assert gap in form.errors["local"][0]


def test_a_time_that_the_clock_shows_twice_is_asked_about():
    form = typed("2027-10-31T02:30", "Europe/Berlin")

    assert not form.is_valid()
    assert form.errors.as_data()["local"][0].code == "ambiguous_time"
    assert [label for _, label in form.fields["which"].choices] == [
        "The first: 02:30 CEST, that is 00:30 UTC",
        "The second: 02:30 CET, that is 01:30 UTC",
    ]


@pytest.mark.parametrize(("which", "utc"), [("0", "00:30"), ("1", "01:30")])
def test_either_of_the_two_can_be_meant(which, utc):
    form = typed("2027-10-31T02:30", "Europe/Berlin", which=which)

    assert form.is_valid(), form.errors
    assert f"{form.cleaned_data['at']:%H:%M}" == utc


@pytest.mark.parametrize(
    ("local", "zone", "field", "code"),
    [
        ("", "UTC", "local", "required"),
        ("soon", "UTC", "local", "invalid"),
        ("2027-01-01T09:00+02:00", "UTC", "local", "invalid"),
        ("0001-01-01T00:00", "Asia/Tokyo", "local", "invalid"),
        ("9999-12-31T23:59", "America/New_York", "local", "invalid"),
        ("2027-01-01T09:00", "", "zone", "required"),
        ("2027-01-01T09:00", "Mars/Olympus", "zone", "invalid_choice"),
        ("2027-01-01T09:00", "../etc/passwd", "zone", "invalid_choice"),
    ],
)
def test_what_is_no_time_is_refused_at_its_field(local, zone, field, code):
    form = typed(local, zone)

    assert not form.is_valid()
    assert form.errors.as_data()[field][0].code == code


def test_now_asks_for_no_time():
    form = WhenForm({"when": "now", "local": "nonsense"})

    assert form.errors.keys() == {"local"}  # It is not taken silently.
    assert WhenForm({"when": "now", "local": ""}).is_valid()


def test_a_time_is_not_passed_over_where_now_is_still_chosen(editor):
    edition = make_approved_edition()
    address = reverse("admin:articles_article_publish", args=[edition.article_id, 1])

    refused = fill(editor, address, when="now", local="2099-10-24T09:00", zone="Europe/Berlin")

    assert errors_of(refused, "when") == ["A time is filled in. Choose “At this time”, or empty the time to do it now."]
    edition.refresh_from_db()
    assert edition.live is None


def test_the_page_asks_which_of_two_is_meant(editor):
    edition = make_approved_edition()
    address = reverse("admin:articles_article_publish", args=[edition.article_id, 1])
    time = {"when": "later", "local": "2099-10-25T02:30", "zone": "Europe/Berlin"}

    asked = fill(editor, address, **time)
    fill(editor, address, **time, which="1")

    assert "twice" in errors_of(asked, "local")[0] and "The second: 02:30 CET" in text_of(asked)
    edition.refresh_from_db()
    assert edition.live.lower.isoformat() == "2099-10-25T01:30:00+00:00"


def test_a_cookie_that_names_no_zone_changes_nothing(editor):
    edition = make_approved_edition()
    editor.cookies["plenum_zone"] = "/etc/localtime"

    page = text_of(editor.get(reverse("admin:articles_article_change", args=[edition.article_id])))

    assert " UTC" in page

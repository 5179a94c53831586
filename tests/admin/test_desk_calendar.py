"""The calendar: what goes live and what ends, on the clock of the person who looks."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from articles import services
from config.schedule import day_begins
from core.publishing.services import database_now
from sponsors.services import publish_vendor, suspend_placement
from tests.admin.pages import text_of
from tests.factories import make_approved_edition, make_article, make_live_article, make_person
from tests.sponsors.factories import approve, make_placement, make_vendor, submit

pytestmark = pytest.mark.django_db

CALENDAR = "/admin/calendar/"
# A day far enough ahead that nothing of it passes while a test runs, in a year that the zone rules of today reach.
YEAR = datetime.now(UTC).year + 2


def last_sunday(month: int) -> date:
    """Return the day on which clocks in Europe are put forward (3) or back (10)."""
    return max(date(YEAR, month, day) for day in range(25, 32) if date(YEAR, month, day).weekday() == 6)


def days(client, **query) -> dict[str, list[tuple[str, str, str]]]:
    """Return clock, title and what of all that is shown, by day."""
    context = client.get(CALENDAR, query).context
    shown = context["days"] or [day for week in context["weeks"] for day in week]
    return {
        day.on.isoformat(): [(event.clock, event.title, event.what) for event in day.events]
        for day in shown
        if day.events
    }


def in_zone(client, zone: str):
    client.cookies["plenum_zone"] = zone
    return client


def test_what_goes_live_and_what_ends_stands_on_its_day_with_its_time_and_zone(editor):
    noon = datetime(YEAR, 6, 15, 12, 0, tzinfo=UTC)
    article = make_live_article(title="Racks", at=noon)
    withdrawn = make_live_article(title="Gone")
    services.withdraw_article(withdrawn, reason="Old.", at=noon + timedelta(hours=1))
    vendor = make_vendor(name="Pumps")
    publish_vendor(approve(submit(vendor)), at=noon)
    placement = make_placement(vendor=vendor, headline="Buy", begins_at=noon + timedelta(hours=2), days=3)

    editor = in_zone(editor, "Europe/Berlin")
    events = days(editor, on=f"{YEAR}-06-01")

    assert events == {
        f"{YEAR}-06-15": [
            ("14:00 CEST", "Pumps", "edition 1 goes live"),
            ("14:00 CEST", "Racks", "edition 1 goes live"),
            ("15:00 CEST", "Gone", "is withdrawn"),
            ("16:00 CEST", str(placement), "begins (not approved)"),
        ],
        f"{YEAR}-06-18": [("16:00 CEST", str(placement), "ends (not approved)")],
    }
    page = editor.get(CALENDAR, {"on": f"{YEAR}-06-01"})
    assert "Times are on the clock of Europe/Berlin." in text_of(page)
    assert f'href="{reverse("admin:articles_article_change", args=[article.pk])}"' in page.content.decode()
    assert days(editor, view="list", on=f"{YEAR}-06-10") == events
    assert days(editor, on=f"{YEAR}-07-01") == {}
    assert "Nothing goes live or ends in this month." in text_of(editor.get(CALENDAR, {"on": f"{YEAR}-08-01"}))

    suspend_placement(placement, reason="Unpaid.")
    services.cancel_article(article.editions.get())
    assert [title for day in days(editor, on=f"{YEAR}-06-01").values() for _, title, _ in day] == ["Pumps", "Gone"]


def test_one_instant_is_on_different_days_in_tokyo_and_new_york(editor):
    make_live_article(title="Racks", at=datetime(YEAR, 6, 15, 22, 30, tzinfo=UTC))

    assert days(in_zone(editor, "Asia/Tokyo"), on=f"{YEAR}-06-01") == {
        f"{YEAR}-06-16": [("07:30 JST", "Racks", "edition 1 goes live")]
    }
    assert days(in_zone(editor, "America/New_York"), on=f"{YEAR}-06-01") == {
        f"{YEAR}-06-15": [("18:30 EDT", "Racks", "edition 1 goes live")]
    }


def test_a_day_of_23_and_one_of_25_hours_hold_what_happens_in_them(editor):
    spring, autumn = last_sunday(3), last_sunday(10)
    berlin = ZoneInfo("Europe/Berlin")
    for at in (
        datetime(spring.year, 3, spring.day, 0, 0, tzinfo=berlin),
        datetime(spring.year, 3, spring.day, 23, 59, tzinfo=berlin),
        datetime(autumn.year, 10, autumn.day, 2, 30, fold=0, tzinfo=berlin),
        datetime(autumn.year, 10, autumn.day, 2, 30, fold=1, tzinfo=berlin),
        datetime(autumn.year, 10, autumn.day, 23, 59, tzinfo=berlin),
    ):
        make_live_article(title="Racks", at=at.astimezone(UTC))
    editor = in_zone(editor, "Europe/Berlin")

    def clocks(on: date) -> list[str]:
        return [clock for clock, _, _ in days(editor, on=on.isoformat())[on.isoformat()]]

    assert clocks(spring) == ["00:00 CET", "23:59 CEST"]
    assert clocks(autumn) == ["02:30 CEST", "02:30 CET", "23:59 CET"]
    with timezone.override(berlin):
        begins, ends = ([day_begins(on + timedelta(days=n)).astimezone(UTC) for on in (spring, autumn)] for n in (0, 1))
    assert [end - begin for begin, end in zip(begins, ends, strict=True)] == [timedelta(hours=23), timedelta(hours=25)]


def test_a_day_whose_midnight_clocks_leap_over_begins_where_they_land():
    with timezone.override(ZoneInfo("Africa/Cairo")):
        # Egypt put clocks forward at midnight of the 28th of April 2023.
        assert day_begins(date(2023, 4, 28)).astimezone(UTC) == datetime(2023, 4, 27, 22, 0, tzinfo=UTC)


def test_two_at_the_same_instant_are_both_there_and_what_is_hidden_is_counted(editor):
    noon = datetime(YEAR, 6, 15, 12, 0, tzinfo=UTC)
    for n in range(6):
        make_live_article(title=f"Racks {n}", at=noon)

    page = editor.get(CALENDAR, {"on": f"{YEAR}-06-01"})
    day = next(day for week in page.context["weeks"] for day in week if day.events)

    assert [event.title for event in day.shown] == ["Racks 0", "Racks 1", "Racks 2"]
    assert f'href="?view=list&amp;on={YEAR}-06-15">3 more</a>' in page.content.decode()
    assert len(days(editor, view="list", on=f"{YEAR}-06-15")[f"{YEAR}-06-15"]) == 6


def test_what_went_live_is_shown_as_past_and_today_is_marked(editor):
    make_live_article(title="Live")

    page = editor.get(CALENDAR)

    (event,) = [event for week in page.context["weeks"] for day in week for event in day.events]
    assert (event.what, event.is_ahead) == ("edition 1 went live", False)
    assert 'aria-current="date"' in page.content.decode()
    assert "plenum-event--ahead" not in page.content.decode()


def test_a_draft_and_an_edition_in_review_are_not_in_the_calendar(editor):
    make_article(title="Draft")
    make_approved_edition(title="Approved")

    assert days(editor) == {} and days(editor, view="list") == {}


@pytest.mark.parametrize("on", ["nonsense", "9999-12-31", "1999-12-31", "2026-02-30", "0001-01-01"])
def test_a_day_that_is_none_or_out_of_reach_is_today(editor, on):
    for view in ("month", "list"):
        response = editor.get(CALENDAR, {"on": on, "view": view})
        assert (response.status_code, response.context["on"]) == (200, database_now().date())


@pytest.mark.parametrize(("on", "has"), [("2000-01-15", (False, True)), ("2199-12-15", (True, False))])
def test_the_calendar_has_an_end_in_both_directions(editor, on, has):
    context = editor.get(CALENDAR, {"on": on}).context

    assert (context["before"] is not None, context["after"] is not None) == has


def test_the_statements_do_not_grow(editor):
    noon = datetime(YEAR, 6, 15, 12, 0, tzinfo=UTC)

    def schedule(lane: int) -> None:
        make_live_article(at=noon, by=make_person())
        publish_vendor(approve(submit(make_vendor())), at=noon)
        make_placement(vendor=make_vendor(), slot="top", lane=lane, begins_at=noon)

    schedule(0)
    editor.get(CALENDAR)
    with CaptureQueriesContext(connection) as few:
        editor.get(CALENDAR, {"on": f"{YEAR}-06-01"})
    for lane in (1, 2, 3):
        schedule(lane)
    with CaptureQueriesContext(connection) as many:
        response = editor.get(CALENDAR, {"on": f"{YEAR}-06-01"})

    assert response.context["count"] == 16
    assert len(few) == len(many)

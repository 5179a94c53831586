"""The calendar in a real browser: its keys, and what they leave alone."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.admin.browsers import browsing, enter
from tests.factories import make_live_article

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("playwright_beside_django"),
]

YEAR = datetime.now(UTC).year + 2
"""Far enough ahead that nothing of it passes while a test runs."""


@pytest.mark.long
def test_the_calendar_is_turned_by_its_keys_on_the_clock_of_the_reader(live_server, editor):
    # In Tokyo it is the morning of the first of June by then.
    make_live_article(title="Racks", at=datetime(YEAR, 5, 31, 20, 30, tzinfo=UTC))
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, editor, zone="Asia/Tokyo")
        page.goto(f"{live_server.url}/admin/")  # The first page tells the server the zone.
        page.goto(f"{live_server.url}/admin/calendar/?on={YEAR}-05-01")
        heading = page.locator(".plenum-calendar-head h1")
        expect(heading).to_have_text(f"May {YEAR}")

        page.keyboard.press("n")
        expect(heading).to_have_text(f"June {YEAR}")
        cell = page.get_by_role("cell").filter(has=page.locator(f"time[datetime='{YEAR}-06-01']"))
        expect(cell).to_contain_text("Racks")
        expect(cell).to_contain_text("05:30 JST")
        page.keyboard.press("l")
        expect(page.get_by_role("link", name="List")).to_have_attribute("aria-current", "page")
        expect(page.locator(".plenum-agenda")).to_contain_text("Racks")
        page.keyboard.press("m")
        expect(heading).to_have_text(f"June {YEAR}")
        page.keyboard.press("p")
        expect(heading).to_have_text(f"May {YEAR}")

        # With a modifier the key is the browser's, and in a field it is a letter.
        page.keyboard.press("Alt+n")
        expect(heading).to_have_text(f"May {YEAR}")
        page.evaluate("document.querySelector('.plenum-page').append(document.createElement('input'))")
        page.locator(".plenum-page > input").press_sequentially("nd")
        expect(page.locator(".plenum-page > input")).to_have_value("nd")
        expect(heading).to_have_text(f"May {YEAR}")

        page.keyboard.press("Escape")
        heading.click()
        page.keyboard.press("d")
        expect(page.locator("td[aria-current=date]")).to_be_visible()

        page.keyboard.press("l")
        page.goto(f"{live_server.url}/admin/calendar/?on={YEAR}-06-01")
        page.get_by_role("link", name="Racks").click()
        expect(page.get_by_label("Title")).to_have_value("Racks")

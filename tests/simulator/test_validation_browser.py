"""The page of published tables in a real browser: whole without scripts, by keyboard, and in the dark."""

import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

pytestmark = pytest.mark.browser
ADDRESS = "/simulator/validation/"


@pytest.fixture
def page(live_server, monkeypatch):
    """Open a window without scripts on a dark screen; nothing that the page asks for is missing or refused."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop runs in this thread.
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context(java_script_enabled=False, color_scheme="dark", base_url=live_server.url)
        page = context.new_page()
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.on("response", lambda response: faults.append(response.url) if response.status >= 400 else None)
        yield page
        browser.close()
    assert faults == []


def brightness(locator, of):
    """Return how bright a colour of an element is, from 0 to 255."""
    found = locator.evaluate(f"element => getComputedStyle(element).{of}")
    return sum(float(part) for part in re.findall(r"[\d.]+", found)[:3]) / 3


def test_published_tables_are_read_narrowed_and_left_by_keyboard(page, client):
    table = client.get("/api/v1/simulator/validation/").json()
    fabric = [row for row in table["rows"] if row["kind"] == "fabric"]
    page.goto(ADDRESS)

    expect(page.locator("caption")).to_have_text(f"{len(table['rows'])} of {len(table['rows'])} rows")
    assert page.locator("tbody").count() == len(table["rows"])
    assert brightness(page.locator("body"), "backgroundColor") < 60 < 180 < brightness(page.locator("h1"), "color")

    page.keyboard.press("Tab")  # the JSON
    page.keyboard.press("Tab")  # the kind
    expect(page.get_by_label("Kind")).to_be_focused()
    page.keyboard.type("fabric")
    page.keyboard.press("Tab")  # the verdict
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Show")).to_be_focused()
    page.keyboard.press("Enter")

    page.wait_for_url(re.compile(r"kind=fabric"))
    expect(page.locator("caption")).to_have_text(f"{len(fabric)} of {len(table['rows'])} rows")
    assert [each.get_attribute("id") for each in page.locator("tbody").all()] == [row["id"] for row in fabric]
    shown = page.locator(f"[id='{fabric[0]['id']}'] tr:not(.row):not(:has(.unused))")
    assert shown.count() == len(fabric[0]["values"])
    for line, value in zip(shown.all(), fabric[0]["values"], strict=True):
        cells = [cell.inner_text() for cell in line.locator("th, td").all()]
        assert cells[0] == value["name"]
        assert float(cells[1].replace(",", "")) == pytest.approx(value["published"], rel=1e-3)
        assert float(cells[2].replace(",", "")) == pytest.approx(value["ours"], rel=1e-3)
        error = value["error_fraction"]
        assert cells[3] == ("—" if error is None else f"{error:+.2%}" if error else "0%")
        assert cells[4].startswith(value["verdict"])


def test_a_telephone_shows_every_number_without_scrolling_sideways(page):
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(ADDRESS)

    assert page.evaluate("document.documentElement.scrollWidth") == 375
    region = page.get_by_role("region")
    assert region.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    # Blocks to the eye, a table to those who listen.
    table = page.get_by_role("table")
    heads = ["Value", "Published", "Ours", "Error", "Verdict"]
    assert table.get_by_role("columnheader").all_text_contents() == heads
    value = table.locator("tr.value").first
    cells = [*value.get_by_role("rowheader").all(), *value.get_by_role("cell").all()]
    assert len(cells) == len(heads)
    for cell in cells:
        box = cell.bounding_box()
        assert box["width"] > 0 and box["x"] >= 0 and box["x"] + box["width"] <= 375
    shown = [cell.evaluate("each => getComputedStyle(each, '::before').content") for cell in cells[1:4]]
    assert [text.partition(" / ")[0].strip('"') for text in shown] == heads[1:4]


def test_a_page_without_rows_says_so_and_leads_back(page, client):
    fails = client.get("/api/v1/simulator/validation/", {"kind": "fabric", "verdict": "unanswered"}).json()
    assert fails["rows"] == []

    page.goto(f"{ADDRESS}?kind=fabric&verdict=unanswered")
    expect(page.locator(".empty")).to_contain_text("No row is of this kind and verdict.")
    page.get_by_role("link", name="Show all.").click()

    expect(page.locator("caption")).to_be_visible()

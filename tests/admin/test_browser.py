"""An article from an empty form to readers, by two people, each in a real browser."""

import json
import urllib.request

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.admin.browsers import browsing, text_in, write_body
from tests.admin.conftest import make_member
from tests.factories import make_author

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.needs("editor/editor.js"),
    pytest.mark.usefixtures("playwright_beside_django"),
]


def log_in(browser: Browser, faults: list[str], base: str, name: str, zone: str) -> Page:
    page = browser.new_context(timezone_id=zone).new_page()
    page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
    page.on("console", lambda said: faults.append(f"{name}: {said.text}") if said.type == "error" else None)
    page.goto(f"{base}/admin/login/")
    page.fill("#id_username", name)
    page.fill("#id_password", "a long password")
    page.press("#id_password", "Enter")
    expect(page.get_by_role("heading", name="Your drafts")).to_be_visible()
    return page


def ask(base: str, path: str, body: dict | None = None) -> dict:
    request = urllib.request.Request(
        base + path, json.dumps(body).encode() if body else None, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def test_an_article_goes_from_an_empty_form_to_readers(live_server):
    make_member("authors", username="ada")
    make_member("editors", username="edgar")
    make_author(name="Ines Holm")
    base = live_server.url
    with browsing() as (browser, faults):
        ada = log_in(browser, faults, base, "ada", "Europe/Berlin")
        ada.get_by_role("link", name="New article").click()

        # Write: the address follows the title while it is typed.
        ada.get_by_label("Title").press_sequentially("Why racks weigh")
        expect(ada.get_by_label("Slug")).to_have_value("why-racks-weigh")
        ada.get_by_label("Dek").fill("A sentence.")
        write_body(ada, "## Floors\n\nThey carry {{no.such}}.\n")
        ada.get_by_text("Add another Author").click()
        ada.locator("#authorships-group .select2-selection").last.click()
        ada.locator(".select2-search__field").last.fill("Ines")
        ada.get_by_role("option", name="Ines Holm").click()

        # Preview what is typed, in a tab of its own; nothing is saved, and the form still warns of that.
        with ada.context.expect_page() as opened:
            ada.get_by_role("button", name="Preview").click()
        preview = opened.value
        expect(preview.get_by_role("heading", name="Floors")).to_be_visible()
        expect(preview.get_by_text("There is no quantity “no.such”.")).to_be_visible()
        expect(preview.get_by_text("Ines Holm")).to_be_visible()
        preview.close()
        warned = []
        ada.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.dismiss()))
        ada.get_by_role("link", name="Close").click()
        expect(text_in(ada)).to_be_visible()
        assert warned == ["beforeunload"]

        # Save, see the mistake at the body, correct it, submit.
        ada.get_by_role("button", name="Save", exact=True).click()
        expect(ada.get_by_role("button", name="Line 3 There is no quantity “no.such”.")).to_be_visible()
        write_body(ada, "## Floors\n\nThey carry racks.\n")
        ada.get_by_role("button", name="Save and submit…").click()
        ada.get_by_role("button", name="Submit for review").click()
        expect(ada.get_by_text("Edition 1 waits for review.")).to_be_visible()
        expect(ada.get_by_role("link", name="Review edition 1")).to_have_count(0)
        assert ask(base, "/api/v1/articles/")["results"] == []

        # A second person finds it on the first page, approves, and publishes; all by keyboard from the verdict on.
        edgar = log_in(browser, faults, base, "edgar", "Asia/Tokyo")
        edgar.get_by_role("link", name="Why racks weigh").first.click()
        expect(edgar.get_by_role("heading", name="Review edition 1").first).to_be_visible()
        expect(edgar.get_by_text("They carry racks.")).to_be_visible()
        edgar.get_by_label("Approve").focus()
        edgar.keyboard.press("Space")
        edgar.keyboard.press("Tab")
        edgar.keyboard.type("Fine.")
        edgar.keyboard.press("Tab")
        edgar.keyboard.press("Enter")
        expect(edgar.get_by_text("Edition 1 is approved, and can be published.")).to_be_visible()
        edgar.get_by_role("link", name="Publish edition 1").click()
        expect(edgar.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
        edgar.get_by_role("button", name="Publish").click()
        expect(edgar.get_by_text("Edition 1 is live.")).to_be_visible()
        expect(edgar.locator(".plenum-standing")).to_contain_text("JST")

    query = "query($slug: String!) { article(slug: $slug) { title authors { name } html } }"
    asked = ask(base, "/graphql/", {"query": query, "variables": {"slug": "why-racks-weigh"}})
    article = asked["data"]["article"]
    assert (article["title"], article["authors"]) == ("Why racks weigh", [{"name": "Ines Holm"}])
    assert "They carry racks." in article["html"]
    item = ask(base, "/api/v1/articles/why-racks-weigh/")
    assert (item["title"], item["edition"]) == ("Why racks weigh", 1)

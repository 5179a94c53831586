"""Pasting into a body in a real browser, and a window that ended without a word."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from core.media.models import Image
from core.publishing.models import OpenForm
from tests.admin.browsers import browsing, enter, expect_body, text_in
from tests.admin.test_editor_browser import give_file, media_on_disk, picture  # noqa: F401
from tests.factories import make_article

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.django_db(transaction=True),
    pytest.mark.needs("editor/editor.js"),
    pytest.mark.usefixtures("playwright_beside_django"),
]

PASTE = """(target, [html, plain]) => {
  const data = new DataTransfer();
  if (html) data.setData("text/html", html);
  data.setData("text/plain", plain);
  target.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""
HTML = "<h2>Racks</h2><p>It draws <b>40 kW</b>.<img src='file:///a.png'></p>"
PLAIN = "Racks\nIt draws 40 kW."


def give(page: Page, html: str, plain: str) -> None:
    text_in(page).evaluate(PASTE, [html, plain])


def open_at_end(page: Page, base: str, article) -> None:
    page.goto(base + reverse("admin:articles_article_change", args=[article.pk]))
    # What the page asks at first is answered: no request outlives the test.
    expect(page.locator(".plenum-words")).to_have_text(re.compile(r"min to read|No words yet"))
    text_in(page).click()
    page.keyboard.press("ControlOrMeta+End")


def test_what_is_pasted_keeps_its_form_and_one_undo_takes_it_back(live_server, author):
    article = make_article(body="Before here.")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_at_end(page, live_server.url, article)

        give(page, HTML, PLAIN)
        expect_body(page, "Before here.\n\n## Racks\n\nIt draws **40 kW**.")
        told = page.locator(".plenum-told")
        expect(told).to_contain_text("A picture was left out: drop the file on the text.")
        page.keyboard.press("ControlOrMeta+z")
        expect_body(page, "Before here.")
        told.get_by_role("button", name="Close").click()
        expect(told).to_be_empty()

        # Words go into the line, in place of what is selected.
        page.keyboard.press("ControlOrMeta+End")
        page.keyboard.press("ArrowLeft")
        for _ in "here":
            page.keyboard.press("Shift+ArrowLeft")
        give(page, "<b>there</b>", "there")
        expect_body(page, "Before **there**.")
        page.keyboard.press("ControlOrMeta+z")
        expect_body(page, "Before here.")

        # Without HTML, which is what Shift-paste brings, the text is what stands there.
        page.keyboard.press("ControlOrMeta+End")
        give(page, "", " **x**")
        expect_body(page, "Before here. **x**")


def test_without_the_server_the_plain_text_is_inserted(live_server, author):
    article = make_article(body="Before.\n\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_at_end(page, live_server.url, article)
        page.route("**/article/paste/", lambda route: route.abort())

        give(page, HTML, PLAIN)

        expect_body(page, f"Before.\n\n{PLAIN}")
        expect(page.locator(".plenum-told")).to_contain_text("Pasted as plain text. The server cannot be reached.")
        faults[:] = [fault for fault in faults if "ERR_FAILED" not in fault]


def test_the_text_of_a_dropped_picture_stays_with_it_and_an_empty_body_has_no_minutes(live_server, author):
    article = make_article(body="")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_at_end(page, live_server.url, article)
        expect(page.locator(".plenum-words")).to_have_text("No words yet")

        give_file(page, "drop", "Pump.png", picture())
        page.get_by_label("Alternative text of Pump.png").fill('A pump, its "lid" off')
        with page.expect_response("**/describe/") as answer:
            page.keyboard.press("Enter")
        assert answer.value.status == 200

    assert Image.objects.get().alt == 'A pump, its "lid" off'


def test_a_window_that_ended_without_a_word_is_not_somebody_else(live_server, author):
    article = make_article(body="One.")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        with page.expect_response("**/presence/"):
            open_at_end(page, live_server.url, article)
        lost = OpenForm.objects.get().pk
        page.evaluate("navigator.sendBeacon = () => true")

        # While it is there it is told of, with the zone of the time; it does not vanish for another one's sake.
        second = page.context.new_page()
        with second.expect_response("**/presence/"):
            open_at_end(second, live_server.url, article)
        said = second.locator("[data-live-others]")
        expect(said).to_contain_text(re.compile(r"You, in another window, since \d\d:\d\d (CES?T|GMT\+[12])"))
        for each in (second, page):
            each.goto("about:blank")
        assert OpenForm.objects.filter(pk=lost).exists()

        third = page.context.new_page()
        with third.expect_response(lambda answer: "/presence/" in answer.url and answer.status == 200):
            open_at_end(third, live_server.url, article)
        expect(third.locator("[data-live-others]")).to_be_hidden()
        assert not OpenForm.objects.filter(pk=lost).exists()

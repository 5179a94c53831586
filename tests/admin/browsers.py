"""People at the admin, each in a real browser."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

REFUSED_SAVE = re.compile(r"status of 409")
"""What a browser says by itself of a save that was refused: the page shows it, so it is no fault."""


@contextmanager
def browsing() -> Iterator[tuple[Browser, list[str]]]:
    """Open a browser; at the end, no page met a fault: none of its own, none of its policy, nothing missing."""
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser, faults
        # Forms say that they are left: the server hears it before it ends, and with it its connections.
        for page in [page for context in browser.contexts for page in context.pages]:
            page.on("dialog", lambda dialog: dialog.accept())
            page.goto("about:blank")
            page.wait_for_timeout(250)
        browser.close()
    faults = [fault for fault in faults if not REFUSED_SAVE.search(fault)]
    assert faults == [], faults


def enter(browser: Browser, faults: list[str], base: str, client: Any, zone: str = "Europe/Berlin", **options) -> Page:
    """Open a window with the session of a client."""
    context = browser.new_context(timezone_id=zone, **options)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": base}])
    page = context.new_page()
    name = client.person.username
    page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
    page.on("console", lambda said: faults.append(f"{name}: {said.text}") if said.type == "error" else None)
    return page


def text_in(page: Page) -> Locator:
    """Return the text of a body as it is edited."""
    return page.locator("#id_body_text")


def body_of(page: Page) -> str:
    """Return what the form would send as the body."""
    return page.locator("textarea[name=body]").evaluate("area => area.value")


def write_body(page: Page, text: str) -> None:
    """Write a body in place of what stands there, in the editor."""
    text_in(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)
    expect_body(page, text)


def expect_body(page: Page, text: str) -> None:
    """Wait until the form would send this text."""
    expect(page.locator("textarea[name=body]")).to_have_js_property("value", text)

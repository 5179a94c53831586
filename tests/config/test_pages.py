"""The pages for people, in a real browser: they work under their policy, and nothing comes from another host."""

import shutil
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from playwright.sync_api import sync_playwright

from articles.previews import make_link, token_of
from tests.factories import make_article, make_person

pytestmark = pytest.mark.browser


@contextmanager
def opened(live_server):
    """Open a browser; at the end, nothing was refused by a policy, failed to load, or came from elsewhere."""
    faults = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
        page.on("response", lambda response: faults.append(response.url) if response.status >= 400 else None)
        own = (live_server.url, "data:", "blob:")
        page.on("request", lambda request: None if request.url.startswith(own) else faults.append(request.url))
        yield page
        browser.close()
    icon = f"{live_server.url}/favicon.ico"  # Every browser asks for it, and nobody misses it.
    unnamed = "Failed to load resource:"  # The console's word on what is in the list by its address too.
    assert [fault for fault in faults if fault != icon and not fault.startswith(unnamed)] == []


@pytest.fixture(autouse=True)
def playwright_beside_django(monkeypatch):
    """Let Django be called while Playwright's event loop runs in this thread: the two share no connection."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.mark.needs("graphiql/graphiql.js")
def test_graphiql_answers_a_query_and_shows_the_schema(live_server):
    with opened(live_server) as page:
        page.goto(f"{live_server.url}/graphql/")
        page.wait_for_selector(".graphiql-execute-button")
        page.click("[aria-label='Show Documentation Explorer']")
        page.wait_for_selector(".graphiql-doc-explorer >> text=Query")
        page.click(".graphiql-execute-button")
        page.wait_for_selector(".result-window >> text=hasNextPage")


def test_page_without_graphiql_shows_the_schema(live_server, monkeypatch):
    monkeypatch.setattr(finders, "find", lambda path, **options: None)
    with opened(live_server) as page:
        page.goto(f"{live_server.url}/graphql/")
        assert "type Query" in page.inner_text("pre")


def test_rest_docs_list_the_directory(live_server):
    with opened(live_server) as page:
        page.goto(f"{live_server.url}/api/v1/docs/")
        page.wait_for_selector("text=/api/v1/vendors/")


def test_admin_works_under_its_policy(live_server):
    get_user_model().objects.create_superuser("mara", password="a password of a test")
    with opened(live_server) as page:
        page.goto(f"{live_server.url}/admin/")
        page.fill("[name=username]", "mara")
        page.fill("[name=password]", "a password of a test")
        page.click("[type=submit]")
        page.wait_for_selector("text=Articles")
        for path in ("articles/article/", "articles/article/add/", "catalog/device/", "sponsors/vendor/add/"):
            response = page.goto(f"{live_server.url}/admin/{path}")
            assert response.status == 200
            page.wait_for_load_state("networkidle")


def test_shared_preview_has_its_style_under_its_policy(live_server):
    link = make_link(make_article(body="Read me.\n"), by=make_person(), lifetime=timedelta(days=1))
    with opened(live_server) as page:
        page.goto(f"{live_server.url}/preview/{token_of(link)}/")
        page.wait_for_selector("text=Read me.")
        assert page.evaluate("getComputedStyle(document.querySelector('.banner')).display") == "flex"

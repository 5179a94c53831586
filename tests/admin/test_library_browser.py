"""The media library in a real browser: pictures are brought, described, and found where they are used."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from core.media.models import Image
from tests.admin.browsers import browsing, enter
from tests.core.media.pictures import photo
from tests.factories import make_live_article

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("playwright_beside_django"),
]


@pytest.fixture(autouse=True)
def media_on_disk(settings, tmp_path):
    """Let the server of the test serve what was uploaded."""
    files = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": tmp_path / "media"}}
    settings.STORAGES = {**settings.STORAGES, "default": files}


@pytest.mark.long
def test_a_picture_goes_from_the_disk_into_the_library_and_its_page_says_where_it_is_used(live_server, editor):
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, editor)
        page.goto(live_server.url + reverse("admin:media_image_changelist"))
        page.locator(".plenum-drop-input").set_input_files(
            [
                {"name": "hall.jpg", "mimeType": "image/jpeg", "buffer": photo(size=(400, 300))},
                {"name": "broken.png", "mimeType": "image/png", "buffer": b"no picture"},
            ]
        )

        # Each has its own outcome; the one that is none says why, and nothing of it stays.
        outcomes = page.locator(".plenum-drop-list li")
        expect(outcomes).to_have_text(
            ["hall.jpg: stored. Say what it shows.", re.compile("^broken.png: "), "Show them in the library"]
        )
        expect(outcomes.nth(1)).to_have_class("plenum-drop-refused")
        assert list(Image.objects.values_list("name", "alt")) == [("hall.jpg", "")]
        faults.remove(next(fault for fault in faults if "400" in fault))  # The browser says so of the refusal.

        # Its page asks for the alternative text before anything can be saved, and takes the focal point by keyboard.
        page.get_by_role("link", name="hall.jpg: stored").click()
        expect(page.get_by_text("Nothing uses it yet.")).to_be_visible()
        page.get_by_role("group", name="What stays in sight").focus()
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("ArrowUp")
        page.get_by_label("Alt").fill("The hall")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("was changed successfully")).to_be_visible()
        image = Image.objects.get()
        assert (image.alt, str(image.focal_x), str(image.focal_y)) == ("The hall", "0.600", "0.490")

        make_live_article(title="On halls", body="![The hall](hall.jpg)\n")
        page.locator(".plenum-card a, #changelist-form a", has_text="hall.jpg").first.click()
        page.get_by_role("link", name="On halls").click()
        expect(page.get_by_label("Title")).to_have_value("On halls")

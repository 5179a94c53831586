"""The editor of a body in a real browser: writing, picking, images, problems, saving by itself, two people at once."""

import base64
import io
import re

import pytest
from django.urls import reverse
from PIL import Image as Pictures
from playwright.sync_api import Page, expect

from articles import services
from articles.models import Article
from core.media.models import Image
from tests.admin.browsers import body_of, browsing, enter, expect_body, text_in, write_body
from tests.factories import make_article, make_author, make_device, make_fact, make_person, make_source

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.needs("editor/editor.js"),
    pytest.mark.usefixtures("playwright_beside_django"),
]

SAVED = re.compile(r"^Saved \d\d:\d\d")


@pytest.fixture(autouse=True)
def media_on_disk(settings, tmp_path):
    """Let the server of the test serve what was uploaded."""
    files = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": tmp_path / "media"}}
    settings.STORAGES = {**settings.STORAGES, "default": files}


TAKE_FILE = """(target, [kind, name, data]) => {
  const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  const files = new DataTransfer();
  const type = name.endsWith(".pdf") ? "application/pdf" : "image/png";
  files.items.add(new File([bytes], name, {type}));
  const at = target.getBoundingClientRect();
  target.dispatchEvent(kind === "paste"
    ? new ClipboardEvent("paste", {clipboardData: files, bubbles: true, cancelable: true})
    : new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true,
                             clientX: at.left + 20, clientY: at.top + 12}));
}"""


def picture(size=(64, 36)) -> bytes:
    stream = io.BytesIO()
    Pictures.new("RGB", size, (20, 120, 160)).save(stream, "PNG")
    return stream.getvalue()


def give_file(page: Page, kind: str, name: str, data: bytes) -> None:
    text_in(page).evaluate(TAKE_FILE, [kind, name, base64.b64encode(data).decode()])


def address(article: Article) -> str:
    return reverse("admin:articles_article_change", args=[article.pk])


def open_article(page: Page, base: str, article: Article) -> None:
    page.goto(base + address(article))
    expect(page.locator(".plenum-words")).to_contain_text("min to read")


def saved(page: Page) -> None:
    expect(page.locator("[data-live-state]")).to_have_text(SAVED)


def stored(article: Article) -> Article:
    return Article.objects.get(pk=article.pk)


def test_a_quantity_is_picked_by_keyboard_alone_and_the_draft_saves_itself(live_server, author):
    make_fact(("10200", "W"), subject=make_device(slug="dgx-h100", model="DGX H100"), label="Nameplate power")
    article = make_article(body="## Power\n\nIt draws")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author, viewport={"width": 1280, "height": 900})
        open_article(page, live_server.url, article)

        # Into the text by its label, to its end, and a space.
        text_in(page).focus()
        page.keyboard.press("ControlOrMeta+End")
        page.keyboard.type(" ")
        page.keyboard.press("ControlOrMeta+k")
        expect(page.get_by_role("combobox", name="Search records")).to_be_focused()
        page.keyboard.type("h100 nameplate")
        found = page.get_by_role("listbox", name="Found").get_by_role("option")
        expect(found).to_have_count(1)
        expect(found).to_contain_text("Nameplate power")
        expect(found).to_contain_text("10.2 kW")
        page.keyboard.press("Enter")
        expect_body(page, "## Power\n\nIt draws {{dgx-h100.power_nameplate_w}}")
        page.keyboard.type(" and {{no.such}} too.")

        # The preview and the problems follow; a problem leads to its place.
        expect(page.locator(".plenum-preview data.quantity")).to_have_text("10.2 kW")
        problem = page.get_by_role("button", name="Line 3 There is no quantity “no.such”.")
        problem.focus()
        page.keyboard.press("Enter")
        expect(text_in(page)).to_be_focused()
        page.keyboard.press("Shift+End")
        assert page.evaluate("getSelection().toString()") == "{{no.such}} too."
        page.keyboard.press("Delete")
        expect(page.locator(".plenum-problems summary")).to_have_text("No mistakes")

        # Escape, then Tab leaves the text.
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        expect(text_in(page)).not_to_be_focused()
        saved(page)

    assert stored(article).body == "## Power\n\nIt draws {{dgx-h100.power_nameplate_w}} and "
    assert stored(article).draft_writer_ids[-1] == author.person.pk


@pytest.mark.parametrize("kind", ["drop", pytest.param("paste", marks=pytest.mark.long)])
def test_an_image_goes_from_the_hand_into_the_text(live_server, author, kind):
    article = make_article(body="Before.\n\nBehind.\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        text_in(page).click(position={"x": 30, "y": 20})

        give_file(page, kind, "Pump lid.png", picture())
        field = page.get_by_label("Alternative text of Pump lid.png")
        expect(field).to_be_focused()
        page.keyboard.type('A pump, its "lid" off')
        page.keyboard.press("Enter")

        figure = '::: figure src=pump-lid.png alt="A pump, its \\"lid\\" off"\n:::'
        expect_body(page, f"Before.\n\n{figure}\n\nBehind.\n")
        expect(page.locator(".plenum-preview img")).to_have_attribute("alt", 'A pump, its "lid" off')
        expect(page.locator(".plenum-problems summary")).not_to_contain_text("mistake to")
        saved(page)

    assert Image.objects.get().name == "pump-lid.png"
    assert figure in stored(article).body


def test_a_file_that_is_refused_says_why_and_the_text_stays(live_server, author):
    article = make_article(body="Before.\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)

        give_file(page, "drop", "not.png", b"<svg><script>alert(1)</script></svg>")

        strip = page.get_by_role("alert").filter(has_text="not.png")
        expect(strip).to_contain_text("was not uploaded.")
        expect(strip.get_by_role("button", name="Try again")).to_be_visible()
        assert body_of(page) == "Before.\n"
        strip.get_by_role("button", name="Cancel").click()
        expect(strip).to_have_count(0)
        faults[:] = [fault for fault in faults if "status of 400" not in fault]

    assert not Image.objects.exists()


def test_a_document_that_is_dropped_stays_out_of_the_text_and_says_so(live_server, author):
    article = make_article(body="Before.\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)

        give_file(page, "drop", "Data sheet.pdf", b"%PDF-1.7 of the maker")

        strip = page.get_by_role("alert").filter(has_text="Data sheet.pdf")
        expect(strip).to_contain_text("It is no picture.")
        expect(strip.get_by_role("button")).to_have_text(["Cancel"])
        strip.get_by_role("button", name="Cancel").click()
        expect(strip).to_have_count(0)
        assert body_of(page) == "Before.\n"

    assert not Image.objects.exists()
    assert stored(article).body == "Before.\n"


def test_the_second_of_two_editors_sees_what_changed_and_loses_nothing(live_server, author, other_editor):
    article = make_article(title="Racks", dek="Before, a dek.", body="One.\n")
    base = live_server.url
    with browsing() as (browser, faults):
        ada, olga = (enter(browser, faults, base, client) for client in (author, other_editor))
        for page in (ada, olga):
            open_article(page, base, article)
        expect(olga.locator("[data-live-others]")).to_contain_text("Also open here: ada, since")

        ada.get_by_label("Dek").fill("By Ada.")
        ada.get_by_label("Title").fill("By Ada too")
        saved(ada)
        olga.get_by_label("Title").fill("By Olga")
        write_body(olga, "Olga's text, long thought about.\n")

        # She sees both values, and goes on writing.
        expect(olga.locator("[data-live-state]")).to_contain_text("Changed by ada. Yours is kept here")
        clash = olga.locator("[data-live-clash]")
        title = clash.get_by_role("row", name="Title")
        expect(title).to_contain_text("By Ada too")
        expect(title).to_contain_text("By Olga")
        expect(title.get_by_label("Keep mine")).to_be_checked()
        expect(clash.get_by_role("row", name="Dek").get_by_label("Take theirs")).to_be_checked()
        write_body(olga, "Olga's text, long thought about, and more.\n")
        assert stored(article).title == "By Ada too"

        # She takes Ada's title, keeps her text, and both stand.
        title.get_by_label("Take theirs").check()
        clash.get_by_role("button", name="Save what is chosen").click()
        saved(olga)
        expect(olga.get_by_label("Title")).to_have_value("By Ada too")
        expect(olga.get_by_label("Dek")).to_have_value("By Ada.")

    after = stored(article)
    assert (after.title, after.dek) == ("By Ada too", "By Ada.")
    assert after.body == "Olga's text, long thought about, and more.\n"
    assert after.draft_version == 3


@pytest.mark.long
def test_what_a_crash_left_unsaved_is_offered(live_server, author):
    article = make_article(body="One.\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        page.route("**/autosave/", lambda route: route.abort())
        write_body(page, "Typed, and never sent.\n")
        expect(page.locator("[data-live-state]")).to_have_text("Offline, will retry")
        page.on("dialog", lambda dialog: dialog.accept())

        page.reload()
        kept = page.get_by_role("region", name="What this browser kept")
        expect(kept).to_contain_text("Typed, and never sent.")
        assert body_of(page) == "One.\n"
        page.unroute("**/autosave/")
        kept.get_by_role("button", name="Put it back").click()
        expect_body(page, "Typed, and never sent.\n")
        expect(text_in(page)).to_contain_text("Typed, and never sent.")
        saved(page)
        page.reload()
        expect(page.locator(".plenum-words")).to_contain_text("min to read")
        expect(kept).to_have_count(0)
        faults[:] = [fault for fault in faults if "ERR_FAILED" not in fault]

    assert stored(article).body == "Typed, and never sent.\n"


@pytest.mark.long
def test_a_step_is_taken_on_what_was_typed(live_server, author):
    article = make_article(body="One.\n", authors=[make_author()])
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        write_body(page, "Typed just now.\n")

        page.get_by_role("link", name="Submit for review").click()
        page.get_by_role("button", name="Submit for review").click()
        expect(page.get_by_text("Edition 1 waits for review.")).to_be_visible()

    assert article.editions.get().content["body"] == "Typed just now.\n"


@pytest.mark.long
def test_typing_the_beginning_of_a_citation_completes_it(live_server, author):
    make_source(slug="latif-2025", title="Power of training")
    make_article(slug="thin-air", title="Thin air")
    article = make_article(body="Text")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        text_in(page).click()
        page.keyboard.press("ControlOrMeta+End")

        page.keyboard.type(" [@lat")
        expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("Power of training")
        page.wait_for_timeout(120)  # An offer that has just come up takes no Enter.
        page.keyboard.press("Enter")
        expect_body(page, "Text [@latif-2025]")
        page.keyboard.type(" and article:thin")
        expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("Thin air")
        page.wait_for_timeout(120)
        page.keyboard.press("Enter")
        expect_body(page, "Text [@latif-2025] and [Thin air](article:thin-air)")


@pytest.mark.long
def test_a_table_is_made_and_filled_by_keyboard(live_server, author):
    article = make_article(body="Text.\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        text_in(page).click()
        page.keyboard.press("ControlOrMeta+End")
        page.keyboard.press("Control+Alt+t")
        page.get_by_label("Columns").fill("2")
        page.get_by_label("Rows below the header").fill("1")
        page.keyboard.press("Enter")

        for cell in ("Rack", "Power, nameplate", "DGX \\| H100", "40 kW"):
            page.keyboard.type(cell)
            page.keyboard.press("Tab")
        page.keyboard.type("last")
        page.keyboard.press("Tab")

        expect_body(
            page,
            "Text.\n\n"
            "| Rack        | Power, nameplate |\n"
            "| ----------- | ---------------- |\n"
            "| DGX \\| H100 | 40 kW            |\n"
            "| last        |                  |\n",
        )
        expect(page.locator(".plenum-preview td").first).to_have_text("DGX | H100")


@pytest.mark.long
def test_the_toolbar_does_and_undoes_by_keyboard(live_server, author):
    article = make_article(body="one two\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        text_in(page).click()
        page.keyboard.press("ControlOrMeta+Home")
        page.keyboard.press("ControlOrMeta+Shift+ArrowRight")
        for key, text in (
            ("ControlOrMeta+b", "**one** two\n"),
            ("ControlOrMeta+b", "one two\n"),
            ("ControlOrMeta+i", "*one* two\n"),
            ("ControlOrMeta+z", "one two\n"),
            ("Control+Alt+2", "## one two\n"),
            ("Control+Alt+3", "### one two\n"),
            ("Control+Alt+3", "one two\n"),
            ("Control+Shift+8", "- one two\n"),
            ("Control+Shift+7", "1. one two\n"),
            ("ControlOrMeta+z", "- one two\n"),
        ):
            page.keyboard.press(key)
            expect_body(page, text)

        # The toolbar is one stop of Tab, with arrows inside.
        page.keyboard.press("Alt+F10")
        expect(page.get_by_role("button", name="Bold")).to_be_focused()
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("button", name="Keys")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Leave the text by keyboard")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Keys")).to_be_focused()


@pytest.mark.long
def test_no_byte_of_a_text_changes_that_nobody_touched(live_server, author):
    text = "Tabs\t, trails  \nand\u00a0\u2028 odd\u200d 👩‍🔬 ends\n\n\n   \n"
    article = make_article(body=text)
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        assert body_of(page) == text
        page.get_by_label("Dek").fill("Typed.")
        saved(page)

    assert (stored(article).body, stored(article).dek) == (text, "Typed.")


def test_what_one_is_writing_stands_above_the_bar_that_saves(live_server, author):
    article = make_article(body="## Racks\n\n" + "A line of text.\n\n" * 60)
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author, viewport={"width": 1280, "height": 720})
        open_article(page, live_server.url, article)
        bar = page.locator("#submit-row")

        text_in(page).focus()
        page.keyboard.press("ControlOrMeta+End")
        page.keyboard.type("The last line.")
        last = page.locator(".cm-line", has_text="The last line.")
        expect(last).to_be_visible()
        line, below = last.bounding_box(), bar.bounding_box()
        assert line["y"] + line["height"] <= below["y"]

        # A field further down that is reached by Tab stands above it too.
        page.evaluate("scrollTo(0, 0)")
        page.locator("[name=explains]").focus()
        field = page.locator("[name=explains]").bounding_box()
        assert field["y"] + field["height"] <= bar.bounding_box()["y"]


@pytest.mark.long
def test_in_the_dark_and_in_a_narrow_window_everything_can_be_reached(live_server, author):
    article = make_article(body="## Racks\n\nText.\n")
    with browsing() as (browser, faults):
        size = {"width": 700, "height": 900}
        page = enter(browser, faults, live_server.url, author, color_scheme="dark", viewport=size)
        open_article(page, live_server.url, article)
        assert page.locator("html").evaluate("html => html.classList.contains('dark')")
        page.get_by_role("button", name="Side by side").click()
        preview = page.locator(".plenum-preview")
        expect(preview.get_by_role("heading", name="Racks")).to_be_visible()
        source = page.locator(".plenum-source").bounding_box()
        below = preview.bounding_box()
        assert (round(below["x"]), round(below["width"])) == (round(source["x"]), round(source["width"]))
        assert below["y"] >= source["y"] + source["height"] - 1
        light = "background => { const [r, g, b] = background.match(/[\\d.]+/g).map(Number); return r + g + b; }"
        ink, paper = (
            page.evaluate(f"({light})(getComputedStyle(document.querySelector('.plenum-preview')).{name})")
            for name in ("color", "backgroundColor")
        )
        assert ink - paper > 400
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_javascript_the_plain_text_area_remains(live_server, author):
    article = make_article(body="One.\n")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author, java_script_enabled=False)
        page.goto(live_server.url + address(article))

        page.locator("textarea[name=body]").fill("Typed plainly.\n")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("textarea[name=body]")).to_have_value("Typed plainly.\n")

    assert stored(article).body == "Typed plainly.\n"


@pytest.mark.long
def test_a_new_article_says_when_it_begins_to_save_itself(live_server, author):
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        page.goto(live_server.url + reverse("admin:articles_article_add"))
        expect(page.locator("[data-live-state]")).to_have_text("It saves itself from your first Save on.")
        page.get_by_label("Title").press_sequentially("New one")
        write_body(page, "Begun.\n")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("[data-live-state]")).to_have_text("Saves itself while you write")
        write_body(page, "Begun, and gone on.\n")
        saved(page)

    assert Article.objects.get().body == "Begun, and gone on.\n"


@pytest.mark.long
def test_a_colleagues_save_is_told_before_one_types(live_server, author):
    article = make_article(title="Racks")
    with browsing() as (browser, faults):
        page = enter(browser, faults, live_server.url, author)
        open_article(page, live_server.url, article)
        ines = make_person(first_name="Ines", last_name="Holm")
        services.change_article(article, based_on=1, by=ines, fields={"title": "By Ines"})

        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("[data-live-others]")).to_contain_text("Ines Holm saved version 2 meanwhile.")
        page.get_by_role("link", name="Show it").click()
        expect(page.get_by_label("Title")).to_have_value("By Ines")

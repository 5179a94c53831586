"""What the editor of a body asks: the preview with problems by line, and the picker with the text to insert."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from articles.freezing import read_body
from articles.models import Article
from articles.picking import figure, link, ways_of
from core.media.models import Image
from simulator.models import Scenario
from tests.admin.conftest import client_of
from tests.admin.rows import MAKERS
from tests.factories import (
    make_article,
    make_author,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_person,
    make_source,
    make_tag,
)
from tests.sponsors.factories import make_vendor

PREVIEW = "admin:articles_article_preview_body"
PICK = "admin:articles_article_pick"


def preview(client, body: str, **fields):
    return client.post(reverse(PREVIEW), {"body": body, **fields})


def pick(client, q: str = "", **fields):
    return client.get(reverse(PICK), {"q": q, **fields})


def texts(response, kind: str | None = None) -> list[str]:
    """Return what each pick would insert, with its ways fetched where it has more."""
    picks = [p for p in response.json()["picks"] if kind in (None, p["kind"])]
    return [way["text"] for p in picks for way in p["ways"]]


# The preview


def test_a_preview_has_html_words_and_minutes(author):
    make_fact(("10200", "W"), subject=make_device(slug="dgx"))

    answer = preview(author, "## Power\r\n\r\nIt draws {{dgx.power_nameplate_w}}.\r\n").json()

    assert '<h2 id="power">Power</h2>' in answer["html"]
    assert '<data class="quantity" value="10200" data-quantity="dgx.power_nameplate_w">10.2 kW</data>' in answer["html"]
    assert (answer["words"], answer["reading_minutes"], answer["problem_count"]) == (5, 1, 0)
    assert not Article.objects.exists()


def test_problems_have_line_and_column_in_characters(author):
    errors = preview(author, "Fine.\n\n🧊 𝛥 {{no.such}} is\n\n## Ok\n\n<b>no</b>\n").json()["problems"]
    problems = [p for p in errors if p["level"] == "error"]

    assert next((p["line"], p["column"], p["code"]) for p in problems) == (3, 5, "dangling_quantity")
    assert problems[0]["message"].startswith("There is no quantity “no.such”.")
    assert {p["code"] for p in problems} == {"dangling_quantity", "raw_html"}


def test_hostile_html_reaches_no_preview(author):
    body = "<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n<img src=x onerror=alert(1)>\n"

    html = preview(author, body).json()["html"]

    assert "<script" not in html and "<img" not in html and 'href="javascript' not in html


def test_a_body_beyond_the_limit_is_one_problem_and_not_parsed(author):
    answer = preview(author, "x" * 300_001).json()

    assert [p["code"] for p in answer["problems"]] == ["max_length"]
    assert answer["html"] == ""


def test_many_problems_are_counted_and_a_hundred_are_told(author):
    answer = preview(author, "{{no.such}}\n\n" * 150, html="0").json()

    assert sum(p["level"] == "error" for p in answer["problems"]) == 100
    assert answer["problem_count"] >= 150
    assert "html" not in answer


def test_readers_and_strangers_preview_and_pick_nothing(client, db):
    assert preview(client, "x").status_code == 302 and pick(client).status_code == 302
    reader = make_person(is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_article"))
    reading = client_of(reader)

    assert preview(reading, "x").status_code == 403 and pick(reading).status_code == 403


def test_a_preview_is_asked_by_post(author):
    assert author.get(reverse(PREVIEW)).status_code == 405


# The picker


def test_a_quantity_of_a_device_is_found_by_words_of_both_and_shows_its_value(author):
    device = make_device(slug="dgx-h100", model="DGX H100")
    make_fact(("10200", "W"), subject=device, label="Nameplate power")
    make_fact(("127.6", "kg"), subject=device, label="Weight", field="weight_kg")

    found = pick(author, "h100 nameplate", kind="quantity").json()["picks"]

    assert [(p["key"], p["title"], p["ways"][0]["text"], p["ways"][0]["value"]) for p in found] == [
        ("dgx-h100.power_nameplate_w", "Nameplate power", "{{dgx-h100.power_nameplate_w}}", "10.2 kW")
    ]
    assert "source-" in found[0]["detail"] and "reported" in found[0]["detail"]


def test_what_is_inserted_is_what_the_parser_reads(author):
    device = make_device(slug="dgx", model="DGX [H100] *x*")
    site = make_installation(slug="site", name="Site | one")
    make_fact(("10200", "W"), subject=device)
    make_fact(("30", "MW"), subject=site, field="site_mw")
    make_fact(("176", "TWh"), slug="us-energy")
    make_source(slug="latif-2025")
    make_vendor(slug="acme", name="Acme <b>")
    make_article(slug="thin-air", title="Thin `air` {{x}}")
    for label in ("media.Image", "simulator.Scenario"):
        next(maker for model, maker in MAKERS.items() if model._meta.label == label)()
    wanted = {
        "quantity": "us-energy", "source": "latif-2025", "device": "dgx", "installation": "site",
        "vendor": "acme", "article": "thin-air",
    }  # fmt: skip
    wanted |= {"scenario": Scenario.objects.get().slug, "image": Image.objects.get().name}

    ways = [way for kind, key in wanted.items() for way in ways_of(kind, key)]
    body = "\n\n".join(way.text for way in ways if 'alt=""' not in way.text)
    document, _ = read_body(body)

    assert len(ways) > 12
    assert document.errors == ()
    assert {"dgx.power_nameplate_w", "installation:site.site_mw", "fact:us-energy"} <= set(document.quantities)
    assert "DGX [H100] *x*" in document.text and "Thin `air` {{x}}" in document.text and "Acme <b>" in document.text


def test_attributes_are_quoted_as_the_parser_unquotes_them(author):
    assert figure("pump.png", 'A "pump", C:\\x') == '::: figure src=pump.png alt="A \\"pump\\", C:\\\\x"\n:::\n'
    assert figure("pump.png", "{{ left }}") == '::: figure src=pump.png alt="{ { left }}"\n:::\n'
    assert figure("pump.png", 'The "lid"\noff', "M. Lind") == (
        '::: figure src=pump.png alt="The \\"lid\\" off" credit="M. Lind"\n:::\n'
    )
    assert link("article", "thin-air", "Thin [air] | _a_") == "[Thin \\[air\\] \\| \\_a\\_](article:thin-air)"


def test_only_what_a_person_may_see_is_found(author, editor):
    make_vendor(slug="acme-secret", name="Acme secret")
    for client, kinds in ((author, {"vendor"}), (editor, set())):
        answer = pick(client, "acme secret")
        assert {"vendor"} - {kind["name"] for kind in answer.json()["kinds"]} == kinds
        assert len(answer.json()["picks"]) == 1 - len(kinds)
    assert pick(author, "acme", kind="vendor").status_code == 403
    assert pick(author, kind="vendor", of="acme-secret").status_code == 403
    assert [way["text"] for way in pick(editor, kind="vendor", of="acme-secret").json()["ways"]] == [
        "[Acme secret](vendor:acme-secret)", "::: vendor slug=acme-secret\n:::\n",
    ]  # fmt: skip
    unknown = pick(author, kind="user")
    assert (unknown.status_code, unknown.json()["errors"][0]["code"]) == (400, "unknown_kind")


def test_articles_say_whether_readers_find_them(author):
    make_live_article(slug="out-now", title="Pumps out")
    make_article(slug="draft-yet", title="Pumps in")

    found = {
        p["key"]: (p["detail"], p["ways"][0]["text"]) for p in pick(author, "pumps", kind="article").json()["picks"]
    }

    assert found == {
        "out-now": ("Live", "[Pumps out](article:out-now)"),
        "draft-yet": ("Readers do not see it", "[Pumps in](article:draft-yet)"),
    }


@pytest.mark.parametrize("q", ["%", "_", "\0", "'; drop table", "x" * 5000, "{{", "a b c d e f g h"])
def test_any_words_may_be_typed(author, q):
    make_source(slug="plain")

    assert pick(author, q).status_code == 200


def test_picking_costs_the_same_at_3_and_at_30_rows(editor):
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert pick(editor, "").status_code == 200
        return len(captured)

    def add(rows: int) -> None:
        for _ in range(rows):
            make_fact(("1", "kW"), subject=make_device())
            make_fact(("1", "MW"), subject=make_installation(), field="site_mw")
            make_article()
            make_vendor()

    add(3)
    cost()
    few = cost()
    add(27)

    assert cost() == few


def test_the_form_of_an_article_costs_the_same_with_much_in_it(author):
    def cost(many: int) -> list[str]:
        device = make_device()
        for n in range(many):
            make_fact(("1", "kW"), subject=device, field=f"power_{n}_kw")
        article = make_article(
            body="\n\n".join(
                f"It draws {{{{{device.slug}.power_{n}_kw}}}} [@{make_source().slug}]." for n in range(many)
            ),
            authors=[make_author() for _ in range(many)],
            tags=[make_tag() for _ in range(many)],
        )
        address = reverse("admin:articles_article_change", args=[article.pk])
        author.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert author.get(address).status_code == 200
        return [query["sql"] for query in captured.captured_queries]

    few, many = cost(2), cost(15)

    assert len(many) == len(few), "\n\n".join(sorted(set(many) - set(few)))

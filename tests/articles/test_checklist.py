"""The checklist of a draft: mistakes and advice, with the place in the text."""

import time
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from articles import services
from articles.checklist import advise
from articles.models import LONGEST_BODY
from core.api.errors import problems_of
from core.publishing.services import database_now
from tests.factories import (
    make_article,
    make_author,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_person,
    make_section,
)
from tests.sponsors.factories import make_image

pytestmark = pytest.mark.django_db

DEK = "Where the heat of a rack goes, and how."


def advice_of(body: str, **fields) -> list[tuple[int, int, str]]:
    """Return line, column and code of what is said of a body, without what is missing beside it."""
    article = make_article(body=body, **{"dek": DEK, **fields})
    return [
        (one.line, one.column, one.code)
        for one in advise(article)
        if one.code not in ("missing_section", "missing_rung", "missing_author")
    ]


def messages_of(body: str, code: str) -> list[str]:
    return [one.message for one in advise(make_article(body=body)) if one.code == code]


def test_a_sound_draft_is_given_no_advice():
    from catalog.models import Rung

    body = "Water.\n\n## Pumps\n\nSee [the loop](https://maker.example/loop).\n\n### Seals\n\n## Valves\n\nThey shut.\n"
    article = make_article(
        title="Warm water", dek=DEK, body=body, section=make_section(), rung=Rung.objects.first(),
        authors=[make_author()],
    )  # fmt: skip

    assert advise(article) == []


def test_what_is_missing_is_named_with_its_field():
    article = make_article(dek="")

    said = [(one.field, one.code, one.message, one.level) for one in advise(article)]

    assert said == [
        ("authors", "missing_author", "It has no author.", "advice"),
        ("dek", "missing_dek", "It has no dek.", "advice"),
        ("rung", "missing_rung", "It has no rung.", "advice"),
        ("section", "missing_section", "It has no section.", "advice"),
    ]


def test_mistakes_are_errors_and_are_just_what_submission_refuses():
    article = make_article(body="# One\n\n![](pump.png)\n\n[x](javascript:a) [y](article:nowhere) 700 W\n")

    said = [(one.line, one.column, one.code) for one in advise(article) if one.level == "error"]
    with pytest.raises(ValidationError) as error:
        services.submit_article(article, by=make_person())

    assert said == [
        (1, 1, "heading_one"), (3, 1, "dangling_image"), (3, 1, "missing_alt"),
        (5, 1, "unsafe_url"), (5, 19, "dangling_article"),
    ]  # fmt: skip
    refused = [(one.params["line"], one.params["column"], one.code) for one in error.value.error_dict["body"]]
    assert sorted(refused) == said
    assert article.editions.count() == 0


def test_advice_stands_in_nobodys_way():
    article = make_article(body="### Deep\n\nIt draws 700 W, see [here](https://maker.example/).\n", dek="")
    assert {one.level for one in advise(article)} == {"advice"}

    assert services.submit_article(article, by=make_person()).number == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        # Headings.
        ("### Deep\n", [(1, 1, "heading_skips")]),
        ("## A\n\n#### B\n\n### C\n\n## D\n", [(3, 1, "heading_skips")]),
        ("## A\n\n### B\n\n## C\n\n### D\n", []),
        ("## Same\n\nText.\n\n##  *same*\n", [(5, 1, "heading_twice")]),
        ("## Same\n\n## Same {#other}\n", []),
        ("##\n\nText.\n", [(1, 1, "empty_heading")]),
        # Links.
        ("See [here](https://a.example/).\n", [(1, 5, "vague_link")]),
        ("See [*Click here*.](https://a.example/)\n", [(1, 5, "vague_link")]),
        ("> [read more](https://a.example/)\n", [(1, 3, "vague_link")]),
        ("<https://a.example/>\n", [(1, 1, "bare_link")]),
        ("[https://a.example/x](https://a.example/y)\n", [(1, 1, "bare_link")]),
        ("Before [](https://a.example/) after.\n", [(1, 8, "empty_link")]),
        ("<desk@a.example> and [hereabouts](https://a.example/)\n", []),
        ("| a | b |\n|---|---|\n| x | [here](https://a.example/) |\n", [(3, 7, "vague_link")]),
        # Tables.
        ("|  |  |\n|---|---|\n| x | y |\n", [(1, 1, "table_without_header")]),
        ("| a |\n|---|\n", [(1, 1, "empty_table")]),
        ("| a | b |\n|---|---|\n| x | y |\n", []),
        # Length, sparingly.
        ("A word. " * 101 + "\n", [(1, 1, "long_paragraph")]),
        ("One. " + "and so on " * 21 + "\n", [(1, 6, "long_sentence")]),
        ("One thing at 10.2 and then another. " * 15 + "\n", []),
    ],
)  # fmt: skip
def test_what_a_reader_would_stumble_over_is_named_with_its_place(body, said):
    assert advice_of(body) == said


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"title": "T" * 91}, "long_title"),
        ({"dek": "D" * 221}, "long_dek"),
        ({"dek": "Short."}, "short_dek"),
        ({"title": "How warm water cools", "dek": "How warm water cools"}, "dek_is_title"),
    ],
)
def test_titles_and_deks_have_a_length(fields, code):
    assert advice_of("Text.\n", **fields) == [(0, 0, code)]


# Numbers with units


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("It draws 700 W.\n", [(1, 10)]),
        ("It draws **10.2 kW** and weighs 1,300 kg.\n", [(1, 12), (1, 33)]),
        ("- 700\u00a0W\n- a 40-MW site\n", [(1, 3), (2, 5)]),
        ("Two\nlines, 700&nbsp;W\n", [(2, 8)]),
        ("| power |\n|---|\n| 700 W |\n", [(3, 3)]),
        ("::: callout kind=tip\nIt draws 700 W.\n:::\n", [(2, 10)]),
        ("[It draws 700 W](https://a.example/700-W)\n", [(1, 11)]),
        ("Note[^a].\n\n[^a]: It is 3.5 MWh.\n", [(3, 13)]),
        # What is none, or not ours to bind.
        ("In 2024 it was on rack 3, see section 4.2 and v2.1.\n", []),
        ("`700 W` and\n\n    700 W\n\n```\n700 W\n```\n", []),
        ("<https://a.example/?a=700%20W> [x y](https://a.example/ \"700 W\")\n", [(1, 1)]),
        ("> It draws 700 W.\n\n::: quote by=\"A B\"\nIt draws 700 W.\n:::\n", []),
        ("She said “it draws 700 W”, and then \"only 500 W\".\n", []),
        ("Between 30–40 kW, from 30 to 40 kW, ~40 kW, ≤ 40 kW, <40 kW, 40 kW/m²\n", []),
        ("A 700W-class part for $5 m, 10 in the hall\n", []),
        ("A 42U rack is 2 m high and 5 ft deep.\n", []),
        ("Model XR700 W, M.2280 W, 1.2.3 W, 12/30 kW, #5 kg\n", []),
    ],
)  # fmt: skip
def test_a_typed_quantity_is_listed_where_it_stands_and_nothing_else_is(body, places):
    said = advice_of(body)

    assert [(line, column) for line, column, code in said if code in ("unbound_quantity", "bare_link")] == places


def test_a_suggestion_names_the_record_that_says_just_this():
    make_fact(("0.7", "kW"), subject=make_device(slug="h100-sxm5", model="H100 SXM5"))
    make_fact(("150", "MW"), subject=make_installation(slug="site-one", name="Site One"), field="power_w")
    make_fact(("42", "U"), slug="rack-height", label="Height of a rack", field="height_u")
    make_fact(("701", "W"), subject=make_device(slug="other"))

    said = messages_of("700 W, 150,000 kW, 42U, 500 W.\n", "unbound_quantity")

    assert said == [
        "700 W is {{h100-sxm5.power_nameplate_w}}, of H100 SXM5: bind it, and it keeps its source.",
        "150,000 kW is {{installation:site-one.power_w}}, of Site One: bind it, and it keeps its source.",
        "42U is {{fact:rack-height}}, of Height of a rack: bind it, and it keeps its source.",
        "500 W is typed and has no source. Record the fact, and bind it: {{slug.field}}.",
    ]
    for key in ("h100-sxm5.power_nameplate_w", "installation:site-one.power_w", "fact:rack-height"):
        assert advice_of(f"It is {{{{{key}}}}}.\n") == []


def test_of_several_records_the_one_that_the_text_speaks_of_is_meant():
    make_fact(("700", "W"), subject=make_device(slug="aaa", model="Triple A"))
    make_fact(("700", "W"), subject=make_device(slug="h100-sxm5", model="H100 SXM5"))
    make_fact(("700", "W"), subject=make_device(slug="mi300", model="MI300"))

    nobody = messages_of("It draws 700 W.\n", "unbound_quantity")
    one = messages_of("::: device slug=mi300\n:::\n\nIt draws 700 W.\n", "unbound_quantity")
    near = messages_of("The MI300 draws 700 W.\n\nSo 700 W goes into an H100 SXM5.\n", "unbound_quantity")

    assert nobody == [
        "700 W is typed, and several records say just this. Bind the one that is meant: {{aaa.power_nameplate_w}} or "
        "{{h100-sxm5.power_nameplate_w}} or {{mi300.power_nameplate_w}}."
    ]
    assert ["{{mi300.power_nameplate_w}}, of MI300" in message for message in one] == [True]
    assert ["of MI300" in near[0], "of H100 SXM5" in near[1]] == [True, True]


# Links to articles


def test_links_to_what_readers_do_not_find_are_named():
    live = make_live_article(slug="live", title="Live", body="## Why\n\nText.\n")
    withdrawn = make_live_article(slug="gone", title="Gone")
    services.withdraw_article(withdrawn, reason="Wrong.")
    make_live_article(slug="soon", title="Soon", at=database_now() + timedelta(days=1))
    make_article(slug="draft", title="Draft")

    said = advice_of(
        "[a1](article:live), [a2](article:live#why), [a3](article:live#how), [a4](article:gone),\n"
        "[a5](article:soon), [a6](article:draft)\n"
    )

    assert said == [
        (1, 45, "dead_anchor"), (1, 69, "link_to_withdrawn"), (2, 1, "link_to_scheduled"), (2, 21, "link_to_draft"),
    ]  # fmt: skip
    # A heading that the draft has and readers do not see is none yet.
    services.change_article(live, based_on=1, by=make_person(), fields={"body": "## How\n"})
    assert advice_of("[a3](article:live#how)\n") == [(1, 1, "dead_anchor")]


# Images


def test_images_without_credit_or_licence_or_with_a_file_name_for_an_alternative_text_are_named():
    bare, full = make_image(), make_image()
    type(bare).objects.filter(pk=bare.pk).update(credit="", licence="", alt="")
    type(full).objects.filter(pk=full.pk).update(credit="M. Lind", licence="CC BY 4.0")

    body = (
        f"![A pump]({full.name})\n\n![pump.png]({full.name})\n\n"
        f"::: figure src={bare.name} alt=\"A pump\" credit=\"M. Lind\"\n:::\n"
    )  # fmt: skip
    bare, full = (type(bare).objects.get(pk=image.pk) for image in (bare, full))

    assert advice_of(body) == [(3, 1, "alt_is_name"), (5, 1, "missing_licence")]
    assert advice_of("Text.\n", image=bare) == [
        (0, 0, "missing_alt"), (0, 0, "missing_credit"), (0, 0, "missing_licence"),
    ]  # fmt: skip
    draft = make_article(image=bare)
    with pytest.raises(ValidationError) as error:
        services.submit_article(draft, by=make_person())
    assert problems_of(error.value) == [
        ("image", "missing_alt", f"“{bare.name}” has no alternative text. Say on its page in a few words what to see.")
    ]
    assert not draft.editions.exists()
    assert advice_of("Text.\n", image=full) == []


# Bounds


def test_the_statements_do_not_grow_with_what_is_named(django_assert_num_queries):
    def body_of(count: int) -> str:
        articles = [make_live_article() for _ in range(count)]
        images = [make_image() for _ in range(count)]
        for n in range(count):
            make_fact((str(700 + n), "W"), subject=make_device())
            make_fact((str(900 + n), "kg"), subject=make_installation(), field="weight_kg")
        return "\n\n".join(
            f"[loop {n}](article:{articles[n].slug}#x)\n\n![Pump {n}]({images[n].name})\n\n{700 + n} W, {900 + n} kg"
            for n in range(count)
        )

    few, many = make_article(body=body_of(1)), make_article(body=body_of(8))
    for article, count in ((few, 1), (many, 8)):
        with django_assert_num_queries(9):  # bodies: articles, images; authors; clock, links; images; facts, 2 subjects
            said = advise(article)
        assert sum(one.code == "dead_anchor" for one in said) == count


@pytest.mark.parametrize(
    "unit",
    [
        "700 W ",
        "700 W\n\n",
        "[here](https://a.example/) ",
        "## A\n\n",
        "“a ",
        '"',
        "a ",
        "a. ",
        "1,",
        "`a` ",
        "{{a.b}} ",
    ],
)
def test_the_time_grows_with_the_length_of_the_body(unit):
    def seconds(size: int) -> float:
        article = make_article(body=unit * (size // len(unit)) + "\n")
        begun = time.process_time()
        advise(article)
        return time.process_time() - begun

    # What is quadratic takes 64 times as long.
    assert any(seconds(20_000) < 24 * max(seconds(2_500), 0.002) for _ in range(3))


@pytest.mark.long
@pytest.mark.parametrize("unit", ["700 W ", "“a ", "[here](article:x) ", "| 700 W |\n|---|\n\n"])
def test_the_longest_body_is_judged_in_seconds(unit):
    article = make_article(body=unit * (LONGEST_BODY // len(unit)))

    begun = time.process_time()
    said = advise(article)

    assert said
    assert time.process_time() - begun < 30


def test_the_editor_hears_of_a_text_that_is_being_typed_mistakes_and_advice(admin_client):
    make_fact(("700", "W"), subject=make_device(slug="h100-sxm5", model="H100 SXM5"))

    answer = admin_client.post(
        "/admin/articles/article/preview-body/", {"body": "It draws 700 W.\n\n[x](article:nowhere)\n"}
    ).json()

    assert [(one["line"], one["column"], one["code"], one["level"]) for one in answer["problems"]] == [
        (3, 1, "dangling_article", "error"), (1, 10, "unbound_quantity", "advice"),
    ]  # fmt: skip
    assert "{{h100-sxm5.power_nameplate_w}}" in answer["problems"][1]["message"]

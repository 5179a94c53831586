"""A ladder in a text has the rungs of its scenario, as they were when it was published."""

import pytest

from articles.checklist import advise
from articles.graphql.blocks import make_blocks
from articles.markup import Known, parse
from articles.models import Edition
from core.api.ids import uuid7
from core.publishing.canonical import sha256_of
from simulator.services import save_scenario
from tests.factories import make_article, make_live_article
from tests.simulator.test_layers import LADDER
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
BODY = "Up it goes.\n\n::: ladder scenario=site\n:::\n"
CAMPUS = {
    "rung": "campus",
    "count": "1",
    "each_kw": "150450",
    "total_kw": "150450",
    "kw_per_chip": "1.5045",
    "added_fraction": "0.18",
    "each_text": "150.45 MW",
    "total_text": "150.45 MW",
    "per_chip_text": "1.5045 kW",
}


def save(**changes):
    return save_scenario(slug="site", title="Site", kind="ladder", input={**LADDER, **changes})


def ladder_of(client, article):
    blocks = client.get(f"/api/v1/articles/{article.pk}/").json()["blocks"]
    return next(block for block in blocks if block["type"] == "ladder")


def ask(client, article):
    query = """query($id: ID) { article(id: $id) { blocks { ... on LadderBlock {
        slug scenario { kind } rungs { rung count totalKw addedFraction totalText }
    } } } }"""
    body = {"query": query, "variables": {"id": str(article.pk)}}
    answer = client.post("/graphql/", body, content_type="application/json").json()
    return next(block for block in answer["data"]["article"]["blocks"] if block)


def test_both_apis_give_the_rungs(client):
    save()
    article = make_live_article(body=BODY)

    block = ladder_of(client, article)
    told = ask(client, article)

    assert (block["scenario"], [rung["rung"] for rung in block["rungs"]]) == (
        "site",
        ["chip", "node", "rack", "hall", "campus", "grid"],
    )
    assert block["rungs"][4] == CAMPUS
    assert (block["rungs"][0]["count"], block["rungs"][0]["added_fraction"]) == ("100000", None)
    assert (told["slug"], told["scenario"]) == ("site", {"kind": "ladder"})
    assert told["rungs"][4] == {
        "rung": "campus",
        "count": 1,
        "totalKw": 150450,
        "addedFraction": 0.18,
        "totalText": "150.45 MW",
    }


def test_the_html_has_them_as_a_table_for_who_puts_nothing_in_its_place(client):
    save()

    html = client.get(f"/api/v1/articles/{make_live_article(body=BODY).pk}/").json()["html"]

    assert '<div class="ladder" data-scenario="site">\n<table>' in html
    assert "<td>Chip</td><td>100,000</td><td>700 W</td><td>70 MW</td><td>700 W</td>" in html


def test_what_was_published_stays_until_another_edition_says_otherwise(client):
    save()
    article = make_live_article(body=BODY)
    before = ladder_of(client, article)

    save(pue=1.3)

    assert ladder_of(client, article) == before
    edition = Edition.objects.get()
    assert edition.sha256 == sha256_of(edition.content)


def test_what_is_no_ladder_has_no_rungs_and_an_editor_is_told(client):
    make_dgx()
    save_scenario(slug="site", title="Site", input=FOUR)
    article = make_live_article(body=BODY)

    assert ladder_of(client, article)["rungs"] == []
    assert ask(client, article)["rungs"] == []
    assert (
        '<div class="ladder" data-scenario="site"></div>'
        in client.get(f"/api/v1/articles/{article.pk}/").json()["html"]
    )
    advice = [one for one in advise(make_article(body=BODY)) if one.code == "scenario_of_another_kind"]
    assert [(one.line, one.column, one.level) for one in advice] == [(3, 1, "advice")]
    assert "is of the kind rack" in advice[0].message


def test_what_was_published_before_there_were_rungs_has_none():
    blocks = make_blocks([(uuid7(), [{"type": "ladder", "scenario": "site"}])])[0]

    assert [(block.slug, block.rungs) for block in blocks] == [("site", [])]


def test_names_alone_are_enough_to_parse_it():
    document = parse(BODY, Known(scenarios=["site"]))

    assert (document.errors, document.blocks[1].rungs) == ((), ())

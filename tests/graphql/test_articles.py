"""Articles over GraphQL: items, lists, pages, history, and the body with what stands behind its numbers."""

from datetime import UTC, datetime, timedelta

import pytest

from articles import services
from articles.models import Edition
from catalog.models import Rung
from core.publishing.services import database_now
from tests.factories import (
    make_article,
    make_author,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_next_edition,
    make_person,
    make_section,
    make_source,
    make_tag,
)
from tests.graphql.asking import codes_of, data_of, post
from tests.sponsors.factories import make_live_vendor

pytestmark = pytest.mark.django_db

TITLES = "edges { node { title } } pageInfo { hasNextPage endCursor }"


def titles(page) -> list[str]:
    return [edge["node"]["title"] for edge in page["edges"]]


def instant(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_an_article_with_all_that_it_holds(client):
    author, tag = make_author(slug="ines", name="Ines", bio="Writes."), make_tag(slug="busway", name="Busways")
    article = make_live_article(
        title="Busways",
        slug="busways",
        dek="Of copper.",
        body="## Copper\n\nIt carries.\n",
        section=make_section("power"),
        rung=Rung.objects.get(slug="rack"),
        authors=[author],
        tags=[tag],
        explains=["density_kw"],
        corrections=[{"said": "10 kW", "says": "10.2 kW", "on": "2026-11-30", "gravity": "minor"}],
    )
    edition = Edition.objects.get(article=article)
    query = """{ article(slug: "busways") {
      id slug title dek publishedAt updatedAt edition wordCount readingMinutes sha256 markdown html explains
      section { slug name } rung { slug minW } image { url } authors { slug name bio } tags { slug name }
      toc { level text anchor plain } corrections { said says on gravity }
    } }"""

    assert data_of(client, query)["article"] == {
        "id": str(article.pk),
        "slug": "busways",
        "title": "Busways",
        "dek": "Of copper.",
        "publishedAt": instant(edition.published_at),
        "updatedAt": instant(edition.live.lower),
        "edition": 1,
        "wordCount": 3,
        "readingMinutes": 1,
        "sha256": edition.sha256,
        "markdown": "## Copper\n\nIt carries.\n",
        "html": '<h2 id="copper">Copper</h2>\n<p>It carries.</p>',
        "explains": ["density_kw"],
        "section": {"slug": "power", "name": "Power"},
        "rung": {"slug": "rack", "minW": 2000},
        "image": None,
        "authors": [{"slug": "ines", "name": "Ines", "bio": "Writes."}],
        "tags": [{"slug": "busway", "name": "Busways"}],
        "toc": [{"level": 2, "text": "Copper", "anchor": "copper", "plain": "Copper"}],
        "corrections": [{"said": "10 kW", "says": "10.2 kW", "on": "2026-11-30", "gravity": "minor"}],
    }


def test_an_article_without_section_rung_dek_and_author_is_whole(client):
    make_live_article(slug="bare", dek="")
    query = (
        '{ article(slug: "bare") { dek section { slug } rung { slug } image { url } authors { slug } tags { slug } } }'
    )

    assert data_of(client, query)["article"] == {
        "dek": "",
        "section": None,
        "rung": None,
        "image": None,
        "authors": [],
        "tags": [],
    }


def test_an_article_is_found_by_slug_or_by_id_and_by_one_of_them(client):
    article = make_live_article(slug="busways")
    query = "query ($slug: String, $id: ID) { article(slug: $slug, id: $id) { id } }"

    assert data_of(client, query, slug="busways") == data_of(client, query, id=str(article.pk))
    assert data_of(client, query, slug="nowhere") == {"article": None}
    assert data_of(client, query, id="01a22b87-b3d0-7340-9443-9cdcecd4db38") == {"article": None}
    assert codes_of(client, query) == ["slug_or_id"]
    assert codes_of(client, query, slug="busways", id=str(article.pk)) == ["slug_or_id"]
    assert codes_of(client, query, id="busways") == ["not_an_id"]


def test_bylines_keep_their_order(client):
    one, two, three = make_author(name="C"), make_author(name="A"), make_author(name="B")
    make_live_article(slug="byline", authors=[one, two, three])

    data = data_of(client, '{ article(slug: "byline") { authors { name } } }')

    assert [author["name"] for author in data["article"]["authors"]] == ["C", "A", "B"]


def test_an_old_address_answers_with_the_article_of_today(client):
    article = make_live_article(slug="old-name")
    make_next_edition(article, slug="new-name")
    query = "query ($slug: String!) { article(slug: $slug) { slug } }"

    assert data_of(client, query, slug="old-name") == {"article": {"slug": "new-name"}}

    make_live_article(slug="old-name-2")
    assert data_of(client, query, slug="old-name-2") == {"article": {"slug": "old-name-2"}}


def test_blocks_have_types(client):
    make_device(slug="dgx", model="DGX H100")
    make_fact(("10.2", "kW"), subject=make_device(slug="hgx"))
    make_installation(slug="site", name="Site One")
    make_live_vendor(slug="acme", name="Acme")
    make_source(slug="guide", title="The guide")
    body = """## Power

It draws {{hgx.power_nameplate_w}} [@guide], see [it](device:dgx).[^n]

[^n]: At nameplate.

- one
- two

1. first

| Rack | kW |
|:-----|---:|
| A    | 41 |

```text
code
```

::: callout kind=warning title="Before"
Lock out.
:::

> It never ran cold.

::: device slug=dgx
:::

::: installation slug=site
:::

::: vendor slug=acme
:::

---
"""
    make_live_article(slug="blocks", body=body)
    query = """{ article(slug: "blocks") {
      blocks { __typename
        ... on HeadingBlock { level text anchor }
        ... on ParagraphBlock { text quantities citations footnotes links { text kind slug } }
        ... on ListBlock { ordered start items { blocks { ... on ParagraphBlock { text } } } }
        ... on TableBlock { header align rows }
        ... on CodeBlock { language text }
        ... on CalloutBlock { kind title blocks { ... on ParagraphBlock { text } } }
        ... on QuoteBlock { by blocks { ... on ParagraphBlock { text } } }
        ... on DeviceBlock { slug device { model } }
        ... on InstallationBlock { slug installation { name } }
        ... on VendorBlock { slug vendor { name } }
      }
      footnotes { n label back text blocks { ... on ParagraphBlock { text } } }
      citations { number source { slug title } }
      quantities { key text value unit record field source }
      links { kind written slug }
    } }"""

    article = data_of(client, query)["article"]

    assert article["blocks"] == [
        {"__typename": "HeadingBlock", "level": 2, "text": "Power", "anchor": "power"},
        {
            "__typename": "ParagraphBlock",
            "text": "It draws {{hgx.power_nameplate_w}} [1], see it.",
            "quantities": ["hgx.power_nameplate_w"],
            "citations": ["guide"],
            "footnotes": [1],
            "links": [{"text": "it", "kind": "device", "slug": "dgx"}],
        },
        {
            "__typename": "ListBlock",
            "ordered": False,
            "start": None,
            "items": [{"blocks": [{"text": "one"}]}, {"blocks": [{"text": "two"}]}],
        },
        {"__typename": "ListBlock", "ordered": True, "start": 1, "items": [{"blocks": [{"text": "first"}]}]},
        {"__typename": "TableBlock", "header": ["Rack", "kW"], "align": ["left", "right"], "rows": [["A", "41"]]},
        {"__typename": "CodeBlock", "language": "text", "text": "code"},
        {"__typename": "CalloutBlock", "kind": "warning", "title": "Before", "blocks": [{"text": "Lock out."}]},
        {"__typename": "QuoteBlock", "by": "", "blocks": [{"text": "It never ran cold."}]},
        {"__typename": "DeviceBlock", "slug": "dgx", "device": {"model": "DGX H100"}},
        {"__typename": "InstallationBlock", "slug": "site", "installation": {"name": "Site One"}},
        {"__typename": "VendorBlock", "slug": "acme", "vendor": {"name": "Acme"}},
        {"__typename": "RuleBlock"},
    ]
    assert article["footnotes"] == [
        {"n": 1, "label": "n", "back": 1, "text": "At nameplate.", "blocks": [{"text": "At nameplate."}]}
    ]
    assert article["citations"] == [{"number": 1, "source": {"slug": "guide", "title": "The guide"}}]
    [quantity] = article["quantities"]
    assert {name: quantity[name] for name in ("key", "value", "unit", "record", "field")} == {
        "key": "hgx.power_nameplate_w",
        "value": "10.2",
        "unit": "kW",
        "record": "fact",
        "field": "power_nameplate_w",
    }
    assert {(link["kind"], link["slug"]) for link in article["links"]} == {
        ("device", "dgx"),
        ("installation", "site"),
        ("vendor", "acme"),
    }


def test_links_follow_a_rename(client):
    linked = make_live_article(slug="linked")
    make_live_article(slug="linking", body="See [that](article:linked).\n")
    make_next_edition(linked, slug="renamed")
    query = '{ article(slug: "linking") { links { kind id written slug } } }'

    assert data_of(client, query)["article"]["links"] == [
        {"kind": "article", "id": str(linked.pk), "written": "linked", "slug": "renamed"}
    ]


def test_lists_are_narrowed(client):
    ines, busway = make_author(slug="ines"), make_tag(slug="busway")
    make_live_article(
        title="Right",
        section=make_section("power"),
        rung=Rung.objects.get(slug="rack"),
        authors=[ines],
        tags=[busway],
        body="Of zirconium.\n",
    )
    make_live_article(title="Wrong")
    for narrowed in (
        'section: "power"',
        'rung: "rack"',
        'author: "ines"',
        'tag: "busway"',
        'search: "zirconium"',
        'section: "power", author: "ines", tag: "busway", search: "zirconium or nothing"',
    ):
        page = data_of(client, f"{{ articles({narrowed}) {{ totalCount {TITLES} }} }}")["articles"]
        assert (titles(page), page["totalCount"]) == (["Right"], 1), narrowed
    nothing = data_of(client, f'{{ articles(section: "nowhere") {{ totalCount {TITLES} }} }}')["articles"]
    assert (titles(nothing), nothing["totalCount"]) == ([], 0)
    assert nothing["pageInfo"] == {"hasNextPage": False, "endCursor": None}


def test_lists_refuse_what_rest_refuses(client):
    assert codes_of(client, '{ articles(section: "") { totalCount } }') == ["empty"]
    assert codes_of(client, f'{{ articles(search: "{"a" * 201}") {{ totalCount }} }}') == ["too_long"]


@pytest.mark.parametrize("order", ["NEWEST", "OLDEST"])
def test_pages_follow_each_other_without_gap_or_repetition(client, order):
    editor, now = make_person(), database_now()
    # Ties, so that only the id tells them apart.
    for n in range(7):
        make_live_article(by=editor, title=f"{n}", published_at=now - timedelta(days=n // 3))
    query = f"query ($after: String) {{ articles(first: 2, after: $after, orderBy: {order}) {{ {TITLES} }} }}"

    found, after, pages = [], None, 0
    while pages < 10:
        page = data_of(client, query, after=after)["articles"]
        found += titles(page)
        pages += 1
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break

    whole = data_of(client, f"{{ articles(orderBy: {order}) {{ {TITLES} }} }}")["articles"]
    assert (found, pages) == (titles(whole), 4)
    assert len(set(found)) == 7


def test_a_cursor_of_any_edge_goes_on_after_it(client):
    for n in range(3):
        make_live_article(title=f"{n}")
    edges = data_of(client, "{ articles { edges { cursor node { title } } } }")["articles"]["edges"]
    query = "query ($after: String) { articles(after: $after) { edges { node { title } } } }"

    after_first = data_of(client, query, after=edges[0]["cursor"])["articles"]

    assert titles(after_first) == [edge["node"]["title"] for edge in edges[1:]]


def test_a_cursor_belongs_to_its_question(client):
    section = make_section("power")
    for _ in range(2):
        make_live_article(section=section, authors=[make_author()])
    cursor = data_of(client, "{ articles(first: 1) { pageInfo { endCursor } } }")["articles"]["pageInfo"]["endCursor"]

    for other in (
        f'{{ articles(section: "power", after: "{cursor}") {{ totalCount }} }}',
        f'{{ articles(orderBy: OLDEST, after: "{cursor}") {{ totalCount }} }}',
        f'{{ section(slug: "power") {{ articles(after: "{cursor}") {{ totalCount }} }} }}',
        f'{{ authors(after: "{cursor}") {{ totalCount }} }}',
        f'{{ articles(asOf: "2026-01-01T00:00:00Z", after: "{cursor}") {{ totalCount }} }}',
    ):
        assert set(codes_of(client, other)) <= {"cursor_of_other_question", "invalid_cursor"}, other
    for broken in ("nothing", cursor[:-4], "W10"):
        assert codes_of(client, f'{{ articles(after: "{broken}") {{ totalCount }} }}') == ["invalid_cursor"]


def test_pages_inside_of_rows_go_on_for_each_parent(client):
    author = make_author(slug="ines")
    for n in range(3):
        make_live_article(title=f"{n}", authors=[author])
    query = f'query ($after: String) {{ author(slug: "ines") {{ articles(first: 2, after: $after) {{ {TITLES} }} }} }}'

    first = data_of(client, query)["author"]["articles"]
    second = data_of(client, query, after=first["pageInfo"]["endCursor"])["author"]["articles"]

    assert (titles(first), titles(second)) == (["2", "1"], ["0"])
    assert (first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (True, False)


def test_each_parent_gets_its_own_top_rows(client):
    authors = [make_author(slug=f"author-{letter}") for letter in "abc"]
    for n in range(4):
        for author in authors[:2]:
            make_live_article(title=f"{author.slug} {n}", authors=[author])
    query = "{ authors { edges { node { slug articles(first: 2) { totalCount edges { node { title } } } } } } }"

    found = {edge["node"]["slug"]: edge["node"]["articles"] for edge in data_of(client, query)["authors"]["edges"]}

    assert {slug: (page["totalCount"], titles(page)) for slug, page in found.items()} == {
        "author-a": (4, ["author-a 3", "author-a 2"]),
        "author-b": (4, ["author-b 3", "author-b 2"]),
        "author-c": (0, []),
    }


def test_one_field_with_two_arguments_gives_two_pages(client):
    author = make_author(slug="ines")
    for n in range(3):
        make_live_article(title=f"{n}", authors=[author])
    query = f"""{{ author(slug: "ines") {{
      newest: articles(first: 1) {{ {TITLES} }} oldest: articles(first: 2, orderBy: OLDEST) {{ {TITLES} }}
    }} }}"""

    author = data_of(client, query)["author"]

    assert (titles(author["newest"]), titles(author["oldest"])) == (["2"], ["0", "1"])


def test_history_is_that_of_what_is_still_live(client):
    editor = make_person()
    article = make_live_article(by=editor, title="Before", slug="before", authors=[make_author(slug="ines")])
    then = instant(database_now())
    make_next_edition(article, by=editor, title="After", slug="after")
    query = """query ($at: DateTime) {
      article(slug: "before", asOf: $at) { title authors { articles { edges { node { title } } } } }
      articles(asOf: $at) { edges { node { title } } }
      section(slug: "power") { articles { totalCount } }
    }"""

    past = data_of(client, query, at=then)
    assert past["article"]["title"] == "Before"
    assert titles(past["articles"]) == ["Before"]
    assert titles(past["article"]["authors"][0]["articles"]) == ["Before"]
    assert titles(data_of(client, query)["articles"]) == ["After"]

    services.withdraw_article(article, reason="It was wrong.")
    gone = data_of(client, query, at=then)
    assert (gone["article"], gone["articles"]["edges"]) == (None, [])


def test_the_future_is_not_public(client):
    make_live_article(slug="soon", title="Soon", at=database_now() + timedelta(hours=1))

    for field in ('article(slug: "soon", asOf: $at) { title }', "articles(asOf: $at) { totalCount }"):
        query = f"query ($at: DateTime) {{ {field} }}"
        answer = post(client, query, at="2999-01-01T00:00:00Z")
        assert "data" not in answer
        assert [error["extensions"]["code"] for error in answer["errors"]] == ["as_of_in_future"]
    assert data_of(client, '{ article(slug: "soon") { title } }') == {"article": None}


@pytest.mark.parametrize("value", ["2026-01-01", "2026-01-01T00:00:00", "yesterday", "2026-13-01T00:00:00Z"])
def test_an_instant_needs_its_zone(client, django_assert_num_queries, value):
    with django_assert_num_queries(0):
        assert codes_of(client, f'{{ articles(asOf: "{value}") {{ totalCount }} }}') == ["not_an_instant"]
        assert codes_of(client, "query ($at: DateTime) { articles(asOf: $at) { totalCount } }", at=value) == [
            "not_an_instant"
        ]


def test_one_instant_may_be_given_to_several_fields(client):
    make_live_article(slug="one")
    now = instant(database_now())
    query = (
        'query ($at: DateTime) { a: article(slug: "one", asOf: $at) { slug } b: articles(asOf: $at) { totalCount } }'
    )

    assert data_of(client, query, at=now) == {"a": {"slug": "one"}, "b": {"totalCount": 1}}


def test_articles_of_what_they_are_about(client):
    make_device(slug="dgx")
    make_installation(slug="site")
    make_source(slug="guide")
    make_live_vendor(slug="acme")
    body = (
        "Of it [@guide].\n\n::: device slug=dgx\n:::\n\n::: installation slug=site\n:::\n\n::: vendor slug=acme\n:::\n"
    )
    make_live_article(title="About", body=body, tags=[make_tag(slug="busway")], rung=Rung.objects.get(slug="rack"))
    make_live_article(title="Else")
    make_article(title="Draft", body=body)
    query = """{
      device(slug: "dgx") { articles { edges { node { title } } } }
      installation(slug: "site") { articles { edges { node { title } } } }
      source(slug: "guide") { articles { edges { node { title } } } }
      vendor(slug: "acme") { articles { edges { node { title } } } }
      tag(slug: "busway") { articles { edges { node { title } } } }
      rung(slug: "rack") { articles { edges { node { title } } } }
    }"""

    found = data_of(client, query)

    assert {name: titles(value["articles"]) for name, value in found.items()} == {name: ["About"] for name in found}

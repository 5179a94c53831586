"""No field of the schema, however it is reached, tells a word of what readers do not see."""

import pytest
from django.db import transaction

from tests.graphql.asking import data_of, post
from tests.graphql.hidden import WORDS, make_shown_and_hidden
from tests.graphql.walking import Walk, introspected, words_in
from tests.simulator.asking import literal
from tests.simulator.test_layers import INPUTS

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def hidden(django_db_setup, django_db_blocker):
    """What is hidden, made once for all tests here: none of them writes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_shown_and_hidden()
        transaction.set_rollback(True)


HALL = f"{{hall: {literal(INPUTS['hall'])}}}"
KNOWN = {
    "article": 'slug: "second"',
    "author": 'slug: "ines"',
    "tag": 'slug: "busway"',
    "section": 'slug: "power"',
    "rung": 'slug: "rack"',
    "vendor": 'slug: "acme"',
    "manufacturer": 'slug: "acme"',
    "device": 'slug: "dgx"',
    "installation": 'slug: "site"',
    "source": 'slug: "guide"',
    "search": 'q: "busways"',
    "simulateSweep": f'input: {{ladder: {literal(INPUTS["ladder"])}}}, axes: [{{field: "pue", low: 1.1, high: 1.3}}]',
    "simulateCompare": f"compared: [{{input: {HALL}}}, {{input: {HALL}}}]",
    **{f"simulate{name.capitalize()}": f"input: {literal(data)}" for name, data in INPUTS.items()},
}
"""Arguments with which the root fields that need any find a record that is joined to hidden ones."""

OTHERS = ("fact", "scenario", "nodes", "simulateRack")
"""Root fields that need arguments and give the same types as others, or read nothing but devices."""


def assert_tells_nothing(answer, query):
    told = words_in(answer)
    for state, word in WORDS.items():
        assert word not in told, f"{query} tells of: {state}"


@pytest.mark.parametrize(("levels", "at_least"), [(3, 60), pytest.param(4, 300, marks=pytest.mark.long)])
def test_no_query_of_so_many_levels_tells_a_word_of_what_is_hidden(client, hidden, levels, at_least):
    walk = Walk(introspected(client), first=2)
    seen, asked = set(), 0
    for root in walk.roots():
        if root.name in OTHERS:
            continue
        for way, field in walk.queries(root, levels - 1, KNOWN.get(root.name, "")):
            if (root.type, way) in seen:
                continue
            seen.add((root.type, way))
            query = f"{{ {field} }}"
            answer = post(client, query)
            assert "errors" not in answer, (query, answer["errors"])
            assert_tells_nothing(answer, query)
            asked += 1
    assert asked > at_least


def test_the_words_would_be_found_if_they_were_shown(client, hidden):
    shown = data_of(
        client, "{ articles { edges { node { title markdown } } } placements { edges { node { headline } } } }"
    )

    assert [edge["node"]["title"] for edge in shown["articles"]["edges"]] == ["Shown"]
    assert "busways" in shown["articles"]["edges"][0]["node"]["markdown"]
    assert [edge["node"]["headline"] for edge in shown["placements"]["edges"]] == ["Shown"]


def test_nothing_hidden_is_found_by_its_slug_or_id(client, hidden):
    for kind, keys in hidden.items():
        for slug, pk in keys:
            query = f"""query ($slug: String, $id: ID, $ids: [ID!]!) {{
              by: {kind}(slug: $slug) {{ id }} also: {kind}(id: $id) {{ id }} nodes(ids: $ids) {{ id }}
            }}"""
            assert data_of(client, query, slug=slug, id=pk, ids=[pk]) == {"by": None, "also": None, "nodes": [None]}


def test_an_address_of_a_hidden_edition_leads_nowhere(client, hidden):
    query = "query ($slug: String!) { article(slug: $slug) { slug title } }"

    for state in ("future edition of a live article", "draft of a live article", "replaced edition"):
        assert data_of(client, query, slug=f"on-{WORDS[state]}") == {"article": None}
    assert data_of(client, query, slug="first") == {"article": {"slug": "second", "title": "Shown"}}
    assert data_of(client, "{ redirects { edges { node { from to } } } }") == {
        "redirects": {"edges": [{"node": {"from": "first", "to": "second"}}]}
    }


def test_search_and_filters_find_and_count_nothing_hidden(client, hidden):
    query = """query ($word: String!) {
      search(q: $word) { totalCount edges { node { title } } }
      articles(search: $word) { totalCount edges { node { title } } }
      vendors(search: $word) { totalCount edges { node { name } } }
      devices(search: $word) { totalCount edges { node { model } } }
    }"""

    for word in WORDS.values():
        found = data_of(client, query, word=word)
        assert found == {name: {"totalCount": 0, "edges": []} for name in found}, word


def test_totals_count_what_is_shown(client, hidden):
    total = "articles { totalCount }"
    query = f"""{{
      {total} vendors {{ totalCount }} placements {{ totalCount }} redirects {{ totalCount }}
      author(slug: "ines") {{ {total} }}
      tag(slug: "busway") {{ {total} }}
      section(slug: "power") {{ {total} vendors {{ totalCount }} }}
      rung(slug: "rack") {{ {total} }}
      device(slug: "dgx") {{ {total} }}
      installation(slug: "site") {{ {total} }}
      vendor(slug: "acme") {{ {total} placements {{ totalCount }} parent {{ id }} }}
      source(slug: "guide") {{ {total} }}
    }}"""

    found = data_of(client, query)

    assert found["vendor"].pop("parent") is None
    one = {"totalCount": 1}
    assert found == {
        name: one if set(value) == {"totalCount"} else dict.fromkeys(value, one) for name, value in found.items()
    }


def test_links_to_what_was_withdrawn_have_no_address(client, hidden):
    links = data_of(client, '{ article(slug: "second") { links { kind written slug } } }')["article"]["links"]

    assert {(link["kind"], link["written"], link["slug"]) for link in links} == {
        ("article", "gone", None),
        ("device", "dgx", "dgx"),
        ("installation", "site", "site"),
        ("vendor", "acme", "acme"),
    }

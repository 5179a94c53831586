"""What costs too much is refused before any SQL runs, and at once."""

import json
import time
from contextlib import suppress

import pytest
from graphql import GraphQLError, parse, validate

from config.schema import schema
from core.api.graphql import limits
from tests.graphql.asking import codes_of, data_of, post

pytestmark = pytest.mark.django_db


def repeated(text: str, times: int) -> str:
    """Return `text` so often, with the number of each time for the letter N."""
    return " ".join(text.replace("N", str(n)) for n in range(times))


CIRCULAR = (
    "{ articles { edges { node { ...A } } } } fragment A on Article { title ...B } fragment B on Article { ...A }"
)
ONWARD = "section { articles { edges { node { "
DEEP = "{ articles { edges { node { " + ONWARD * 4 + "title" + " } } } }" * 5
DOUBLING = (
    "{ articles { edges { node { ...F0 } } } } fragment F30 on Article { title slug } "
    + " ".join(f"fragment F{n} on Article {{ ...F{n + 1} ...F{n + 1} }}" for n in range(30))
)  # fmt: skip

REFUSED = {
    "fields inside of fields": (DEEP, "too_deep"),
    "inline fragments inside of each other": ("{ " + "... { " * 200 + "__typename" + " }" * 201, "too_deep"),
    "aliases": ("{ " + repeated("aN: sections { slug }", 300) + " }", "too_many_aliases"),
    "a thousand aliases": ("{ " + repeated("aN: __typename", 1000) + " }", "too_many_tokens"),
    "aliases in a fragment (CVE-2026-47707)": (
        "{ ...Many } fragment Many on Query { " + repeated("aN: sections { slug }", 200) + " }",
        "too_many_aliases",
    ),
    "aliases through many spreads": (
        "{ ...A ...B } fragment A on Query { "
        + repeated("aN: __typename", 20)
        + " } fragment B on Query { "
        + repeated("bN: __typename", 20)
        + " }",
        "too_many_aliases",
    ),
    "a fragment that holds itself (CVE-2026-47706)": (CIRCULAR, "circular_fragment"),
    "a fragment that nobody spreads and that holds itself": (
        "{ __typename } fragment A on Article { ...A }",
        "circular_fragment",
    ),
    "fragments that double each other": (DOUBLING, "too_many_fields"),
    "many fragments": (
        "{ __typename } " + repeated("fragment FN on Article { id }", 100),
        "too_many_fragments",
    ),
    "one field again and again": ("{ " + "sections { slug } " * 400 + "}", "too_many_fields"),
    "tokens": ("{ " + "__typename " * 4_000 + "}", "too_many_tokens"),
    "comments": ("#\n" * 20_000 + "{ __typename }", "too_many_tokens"),
    "a long document": ('{ device(slug: "' + "a" * 60_000 + '") { id } }', "document_too_large"),
    "a page over the limit": ("{ articles(first: 101) { totalCount } }", "limit_out_of_range"),
    "a page inside of another over the limit": (
        "{ sections { articles(first: 101) { totalCount } } }",
        "limit_out_of_range",
    ),
    "an empty page": ("{ articles(first: 0) { totalCount } }", "limit_out_of_range"),
    "pages in pages in pages": (
        "{ articles(first: 100) { edges { node { authors { articles(first: 100) { edges { node { title } } } } } } } }",
        "too_heavy",
    ),
    "two instants": (
        '{ a: articles(asOf: "2026-01-01T00:00:00Z") { totalCount } b: articles(asOf: "2026-01-02T00:00:00Z") '
        "{ totalCount } }",
        "as_of_conflict",
    ),
    "an instant and now": (
        '{ a: articles(asOf: "2026-01-01T00:00:00Z") { totalCount } article(slug: "a") { id } }',
        "as_of_conflict",
    ),
    "aliases of introspection": ("{ a: __schema { types { name } } }", "too_many_aliases"),
    "introspection without an end": (
        "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
        "invalid_document",
    ),
    "an unknown field": ("{ article(slug: 1) { nothing } }", "invalid_document"),
    "no GraphQL": ("articles", "syntax_error"),
    "a mutation": ("mutation { publish }", "invalid_document"),
    "a subscription": ("subscription { articles { totalCount } }", "invalid_document"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_much_is_refused_without_sql(client, django_assert_num_queries, name):
    query, code = REFUSED[name]

    with django_assert_num_queries(0):
        answer = post(client, query)

    assert "data" not in answer
    assert {error["extensions"]["code"] for error in answer["errors"]} == {code}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_costs_little_more_than_reading_the_document(client, name):
    query = REFUSED[name][0]

    assert cost_of(client, query) < 3 * (cost_of(client, "{ __typename }") + cost(lambda: read(query)))


def cost_of(client, query):
    body = json.dumps({"query": query})
    return cost(lambda: client.post("/graphql/", body, content_type="application/json"))


def cost(do):
    """Return the least time of the processor that `do` took, of five."""
    took = []
    for _ in range(5):
        began = time.process_time()
        do()
        took.append(time.process_time() - began)
    return min(took)


def read(query):
    """Read and validate a document as GraphQL asks of every server."""
    with suppress(GraphQLError):
        validate(schema._schema, parse(query))


def test_a_document_of_a_megabyte_is_refused_at_once(client, django_assert_num_queries):
    body = json.dumps({"query": "{ " + "__typename " * 100_000 + "}"})
    assert len(body) > 1_000_000

    with django_assert_num_queries(0):
        response = client.post("/graphql/", body, content_type="application/json")

    assert cost(lambda: client.post("/graphql/", body, content_type="application/json")) < cost(
        lambda: parse("{ " + "__typename " * 10_000 + "}")
    )
    assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (413, "document_too_large")


def test_operations_in_a_batch_are_refused(client, django_assert_num_queries):
    body = json.dumps([{"query": "{ sections { slug } }"}] * 50)

    with django_assert_num_queries(0):
        response = client.post("/graphql/", body, content_type="application/json")

    assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (400, "batch_refused")


def test_variables_cannot_smuggle_a_page_over_the_limit(client, django_assert_num_queries):
    query = "query ($n: Int!) { articles(first: $n) { totalCount } }"

    with django_assert_num_queries(0):
        assert codes_of(client, query, n=101) == ["limit_out_of_range"]
        assert codes_of(client, query.replace("$n: Int!", "$n: Int! = 500")) == ["limit_out_of_range"]
        assert codes_of(client, query, n="20") == ["invalid_variable"]
        assert codes_of(client, query) == ["invalid_variable"]
    assert "100" in post(client, query, n=101)["errors"][0]["message"]
    assert data_of(client, query, n=100) == {"articles": {"totalCount": 0}}


def test_ids_are_limited_like_pages(client, django_assert_num_queries):
    query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }"
    ids = ["01a22b87-b3d0-7340-9443-9cdcecd4db38"] * 101

    with django_assert_num_queries(0):
        assert codes_of(client, query, ids=ids) == ["limit_out_of_range"]
    assert data_of(client, query, ids=ids[:100]) == {"nodes": [None] * 100}


def test_a_document_at_the_limits_is_answered(client):
    fields = repeated("aN: sections { slug }", limits.MAX_ALIASES)
    deep = ("section { articles(first: 1) { edges { node { " * 2) + "title" + " } } } }" * 2

    assert len(data_of(client, f"{{ {fields} }}")) == limits.MAX_ALIASES
    data_of(client, f"{{ articles(first: 1) {{ edges {{ node {{ {deep} }} }} }} }}")


def test_every_operation_of_a_document_is_measured(client):
    query = f"query Small {{ __typename }} query Large {DEEP}"

    assert codes_of(client, query, operation="Small") == ["too_deep"]


def test_the_operation_to_run_is_named(client):
    query = "query A { __typename } query B { __typename }"

    assert data_of(client, query, operation="A") == {"__typename": "Query"}
    assert codes_of(client, query) == ["unknown_operation"]
    assert codes_of(client, query, operation="C") == ["unknown_operation"]
    assert codes_of(client, "fragment A on Article { id }") == ["invalid_document"]


def test_without_introspection_nothing_describes_the_schema(client, settings, django_assert_num_queries):
    settings.PLENUM_GRAPHQL_INTROSPECTION = False

    with django_assert_num_queries(0):
        assert codes_of(client, "{ __schema { types { name } } }") == ["introspection_off"]
        assert codes_of(client, '{ ...A } fragment A on Query { __type(name: "Article") { name } }') == [
            "introspection_off"
        ]
        unknown = post(client, '{ articl(slug: "a") { titel } articles { edges { node { titel } } } }')
    told = json.dumps(unknown)
    assert {error["extensions"]["code"] for error in unknown["errors"]} == {"invalid_document"}
    for name in ("Article", "article", "title", "Query", "Did you mean"):
        assert name not in told
    assert data_of(client, "{ __typename }") == {"__typename": "Query"}

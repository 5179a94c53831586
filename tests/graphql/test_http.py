"""GraphQL over HTTP: who may ask how, what can be cached, and what an error says."""

import hashlib
import json
import logging

import pytest
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, ValidationError
from django.test import Client

from articles import services
from config.schema import schema
from core.api.errors import Problem, RequestRefused
from core.api.graphql import reads
from core.api.graphql.documents import registered
from tests.factories import make_device, make_live_article, make_section
from tests.graphql.asking import codes_of, data_of, post

pytestmark = pytest.mark.django_db

DOCUMENT = """query Newest($section: String) {
  articles(section: $section, first: 2) { edges { node { id title section { name } } } }
}
"""
SHA = hashlib.sha256(DOCUMENT.encode()).hexdigest()


@pytest.fixture
def documents(tmp_path, settings):
    (tmp_path / "newest.graphql").write_text(DOCUMENT)
    settings.PLENUM_GRAPHQL_DOCUMENTS = str(tmp_path)
    return tmp_path


def code_of(response) -> str:
    return response.json()["errors"][0]["extensions"]["code"]


def test_a_post_is_never_stored(client):
    response = client.post("/graphql/", json.dumps({"query": "{ __typename }"}), content_type="application/json")

    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    assert response.json() == {"data": {"__typename": "Query"}}


def test_the_newer_media_type_gives_a_refusal_its_status(client):
    body = json.dumps({"query": "{ nothing }"})

    older = client.post("/graphql/", body, content_type="application/json")
    newer = client.post(
        "/graphql/", body, content_type="application/json", headers={"Accept": "application/graphql-response+json"}
    )

    assert (older.status_code, older["Content-Type"]) == (200, "application/json")
    assert (newer.status_code, newer["Content-Type"]) == (400, "application/graphql-response+json")
    assert older.json() == newer.json()


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        ("{ sections { slug } }", "application/graphql", 415, "unsupported_media_type"),
        ("query=%7B%20__typename%20%7D", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        ("{", "application/json", 400, "not_json"),
        ('"{ __typename }"', "application/json", 400, "not_an_object"),
        ("{}", "application/json", 400, "required"),
        ('{"query": 1}', "application/json", 400, "required"),
        ('{"query": "{ __typename }", "variables": []}', "application/json", 400, "not_an_object"),
        ('{"query": "{ __typename }", "operationName": 1}', "application/json", 400, "not_a_text"),
        ('{"query": "{ __typename }", "debug": true}', "application/json", 400, "unknown_parameter"),
    ],
)
def test_what_is_no_request_is_refused(client, django_assert_num_queries, body, content_type, status, code):
    with django_assert_num_queries(0):
        response = client.post("/graphql/", body, content_type=content_type)

    assert (response.status_code, code_of(response)) == (status, code)


def test_other_methods_are_told_which_there_are(client):
    for method in ("put", "patch", "delete"):
        response = getattr(client, method)("/graphql/")
        assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS, POST")
        assert code_of(response) == "method_not_allowed"
    assert client.options("/graphql/").status_code == 204


def test_it_needs_no_csrf_token_and_sets_no_cookie():
    response = Client(enforce_csrf_checks=True).post(
        "/graphql/", json.dumps({"query": "{ __typename }"}), content_type="application/json"
    )

    assert response.status_code == 200
    assert not response.cookies


def test_a_free_query_over_get_is_refused(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/graphql/", {"query": "{ __typename }"})

    assert (response.status_code, code_of(response), response["Cache-Control"]) == (400, "query_over_get", "no-store")


def test_a_registered_document_is_answered_and_revalidated(client, documents, django_assert_num_queries):
    make_live_article(title="Here", section=make_section("power"))
    url = f"/graphql/?doc={SHA}&variables=%7B%22section%22%3A%22power%22%7D"

    first = client.get(url)

    assert first.json()["data"]["articles"]["edges"][0]["node"]["title"] == "Here"
    assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert {"article", "section"} <= set(first["Cache-Tag"].split(","))
    assert f"article:{first.json()['data']['articles']['edges'][0]['node']['id']}" in first["Cache-Tag"]
    with django_assert_num_queries(1):
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/graphql/?doc=sha256:{SHA}").status_code == 200


@pytest.mark.django_db(transaction=True)  # A version counts transactions.
def test_the_tag_of_a_document_moves_with_what_it_shows_and_with_nothing_else(client, documents):
    article = make_live_article(section=make_section("power"))
    tag = client.get("/graphql/", {"doc": SHA})["ETag"]

    make_device()
    assert client.get("/graphql/", {"doc": SHA})["ETag"] == tag

    section = make_section("power")
    section.name = "Power and its price"
    section.save()
    renamed = client.get("/graphql/", {"doc": SHA}, headers={"If-None-Match": tag})
    assert "Power and its price" in renamed.content.decode()
    assert renamed["ETag"] != tag

    services.withdraw_article(article, reason="It was wrong.")
    gone = client.get("/graphql/", {"doc": SHA}, headers={"If-None-Match": renamed["ETag"]})
    assert gone.json() == {"data": {"articles": {"edges": []}}}


def test_what_a_document_narrows_by_moves_its_tag(client, tmp_path, settings):
    document = '{ articles(section: "power") { totalCount } }'
    (tmp_path / "count.graphql").write_text(document)
    settings.PLENUM_GRAPHQL_DOCUMENTS = str(tmp_path)
    sha = hashlib.sha256(document.encode()).hexdigest()
    make_live_article(section=make_section("power"))
    first = client.get("/graphql/", {"doc": sha})
    section = make_section("power")
    section.slug = "energy"
    section.save()

    second = client.get("/graphql/", {"doc": sha}, headers={"If-None-Match": first["ETag"]})

    assert first.json()["data"] == {"articles": {"totalCount": 1}}
    assert second.json()["data"] == {"articles": {"totalCount": 0}}


def test_other_variables_have_another_tag(client, documents):
    one = client.get("/graphql/", {"doc": SHA, "variables": '{"section": "power"}'})
    other = client.get("/graphql/", {"doc": SHA, "variables": '{"section": "cooling"}'})

    assert one["ETag"] != other["ETag"]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"doc": "0" * 64}, 404, "unknown_document"),
        ({"doc": "newest"}, 404, "unknown_document"),
        ({"variables": "{}"}, 400, "required"),
        ({}, 400, "required"),
        ({"doc": SHA, "variables": "{"}, 400, "not_json"),
        ({"doc": SHA, "variables": "[]"}, 400, "not_an_object"),
        ({"doc": SHA, "varables": "{}"}, 400, "unknown_parameter"),
        ({"doc": SHA, "variables": '{"section": 1}'}, 200, "invalid_variable"),
        ({"doc": SHA, "operationName": "Oldest"}, 200, "unknown_operation"),
    ],
)
def test_what_is_wrong_with_a_get_is_said_without_sql(
    client, documents, django_assert_num_queries, asked, status, code
):
    with django_assert_num_queries(0):
        response = client.get("/graphql/", asked)

    assert (response.status_code, code_of(response), response["Cache-Control"]) == (status, code, "no-store")


def test_an_answer_with_errors_is_not_stored(client, documents, monkeypatch):
    monkeypatch.setattr(reads, "read_page", lambda *args: 1 / 0)

    response = client.get("/graphql/", {"doc": SHA})

    assert (code_of(response), response["Cache-Control"]) == ("server_error", "no-store")
    assert "ETag" not in response


def test_a_document_that_cannot_be_used_stops_the_start(tmp_path):
    (tmp_path / "wrong.graphql").write_text("{ nothing }")

    with pytest.raises(ImproperlyConfigured, match=r"wrong\.graphql cannot be used"):
        registered(schema._schema, str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match="no folder"):
        registered(schema._schema, str(tmp_path / "nowhere"))


def test_graphiql_is_shown_to_people_outside_of_production(client, settings, monkeypatch):
    browser = {"Accept": "text/html,application/xhtml+xml"}
    monkeypatch.setattr("config.graphql.finders.find", lambda name: f"/static/{name}")
    assert b"graphiql/graphiql.js" in client.get("/graphql/", headers=browser).content

    monkeypatch.setattr("config.graphql.finders.find", lambda name: None)
    plain = client.get("/graphql/", headers=browser)
    assert plain["Content-Type"].startswith("text/html")
    assert "type Query {" in plain.content.decode()

    settings.PRODUCTION = True
    refused = client.get("/graphql/", headers=browser)
    assert (refused.status_code, code_of(refused)) == (400, "required")
    assert b"type Query" not in refused.content


def test_other_origins_may_ask_where_settings_say_so(client, settings):
    origin = "https://front-end.example"
    preflight = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    assert "Access-Control-Allow-Origin" not in client.options("/graphql/", headers=preflight)

    settings.CORS_ALLOWED_ORIGINS = [origin]

    allowed = client.options("/graphql/", headers=preflight)
    assert allowed["Access-Control-Allow-Origin"] == origin
    assert "POST" in allowed["Access-Control-Allow-Methods"]
    assert "content-type" in allowed["Access-Control-Allow-Headers"]
    answer = client.post(
        "/graphql/",
        json.dumps({"query": "{ __typename }"}),
        content_type="application/json",
        headers={"Origin": origin},
    )
    assert answer["Access-Control-Allow-Origin"] == origin


def test_a_crash_tells_nothing_of_itself(client, monkeypatch, caplog):
    def crash(*args):
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(reads, "read_page", crash)

    with caplog.at_level(logging.ERROR, "plenum.errors"):
        answer = post(client, "{ sections { slug } }")

    assert answer == {
        "data": None,
        "errors": [
            {
                "message": "The server failed; it has been logged.",
                "locations": [{"line": 1, "column": 3}],
                "path": ["sections"],
                "extensions": {"code": "server_error"},
            }
        ],
    }
    assert "swordfish" in caplog.text


def test_a_crash_before_anything_is_read_is_an_answer_of_graphql(client, monkeypatch):
    def crash():
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr("config.graphql.read_moment", crash)

    response = client.post("/graphql/", json.dumps({"query": "{ __typename }"}), content_type="application/json")

    assert (response.status_code, code_of(response)) == (500, "server_error")
    assert b"swordfish" not in response.content


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValidationError("No.", code="not_live"), [("not_live", None)]),
        (ValidationError({"slug": ValidationError("Taken.", code="slug_taken")}), [("slug_taken", "slug")]),
        (PermissionDenied(), [("forbidden", None)]),
        (RequestRefused(400, [Problem("a", "one", "1"), Problem("b", "two", "2")]), [("one", "a"), ("two", "b")]),
    ],
)
def test_errors_of_services_carry_their_codes(client, monkeypatch, error, expected):
    def refuse(*args):
        raise error

    monkeypatch.setattr(reads, "read_page", refuse)

    errors = post(client, "{ sections { slug } }")["errors"]

    assert [(e["extensions"]["code"], e["extensions"].get("field")) for e in errors] == expected


@pytest.mark.parametrize(
    "query",
    [
        'query { article(slug: "\\u0000") { id } }',
        'query { articles(search: "\\u0000") { totalCount } }',
        'query { search(q: "\\u0000") { totalCount } }',
        'query { vendors(domain: "\\u0000") { totalCount } }',
    ],
)
def test_a_nul_reaches_no_database(client, query):
    answer = post(client, query)

    assert answer.get("data") == {"article": None} or codes_of(client, query) == ["invalid"]


def test_one_instant_is_read_for_all_fields(client, django_assert_num_queries):
    with django_assert_num_queries(3):  # the moment, sections, rungs
        data_of(client, "{ sections { slug } scale { slug } }")

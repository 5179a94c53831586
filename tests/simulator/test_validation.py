"""The engine beside published tables, for anyone to see: REST, GraphQL, and a page."""

import json
from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from core.api.openapi import shared_schemas
from simulator.engine import ENGINE_VERSION
from simulator.rest.openapi import validation_schema
from simulator.tables import PUBLISHED

TABLE = "/api/v1/simulator/validation/"
PAGE = "/simulator/validation/"


def test_each_row_is_shown_with_ours_and_its_verdict_without_the_database(client):
    answer = client.get(TABLE).json()

    published = {row["id"]: row for row in json.loads(PUBLISHED.read_text())}
    assert [row["id"] for row in answer["rows"]] == list(published)
    for row in answer["rows"]:
        known = published[row["id"]]
        assert row["source"] == known["source"]
        assert {value["name"]: value["published"] for value in row["values"]} == known["expected"]
    counted = Counter(value["verdict"] for row in answer["rows"] for value in row["values"])
    totals = answer["totals"]
    assert (answer["engine_version"], answer["holds"]) == (ENGINE_VERSION, True)
    assert totals["rows_count"] == len(published)
    assert totals["values_count"] == sum(counted.values())
    verdicts = ("holds", "fails", "differs", "unanswered")
    assert {name: totals[f"{name}_count"] for name in verdicts} == {name: counted[name] for name in verdicts}
    schema = {**validation_schema(), "components": {"schemas": shared_schemas()}}
    assert list(Draft202012Validator(schema).iter_errors(answer)) == []


def test_one_value_of_one_row_is_exact(client):
    rows = {row["id"]: row for row in client.get(TABLE, {"kind": "fabric"}).json()["rows"]}

    row = rows["fabric-b200-su2"]
    assert {each["kind"] for each in rows.values()} == {"fabric"}
    assert (row["status"], row["verdict"]) == ("published", "holds")
    assert row["values"][1] == {
        "name": "leaf_switches_count",
        "published": 16,
        "ours": 16,
        "error_fraction": 0,
        "verdict": "holds",
        "reason": "",
    }


def test_what_has_not_changed_is_not_sent_again(client):
    etag = client.get(TABLE)["ETag"]

    assert client.get(TABLE, headers={"if-none-match": etag}).status_code == 304
    assert client.get(TABLE, {"kind": "rack"})["ETag"] != etag


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"kind": "racks"}, ("kind", "not_a_choice")),
        ({"verdict": "fine"}, ("verdict", "not_a_choice")),
        ({"kinds": "rack"}, ("kinds", "unknown_parameter")),
    ],
)
def test_what_there_is_not_is_refused(client, asked, problem):
    response = client.get(TABLE, asked)

    error = response.json()["errors"][0]
    assert (response.status_code, error["field"], error["code"]) == (400, *problem)


def test_the_page_shows_what_the_api_does(client):
    rows = client.get(TABLE).json()["rows"]
    page = client.get(PAGE).content.decode()

    assert page.count("<tbody") == len(rows)
    for row in rows:
        assert f'<tbody role="rowgroup" id="{row["id"]}">' in page
    assert page.count('scope="row"') == sum(len(row["values"]) for row in rows)
    assert "http://" not in page.replace('href="http://', "")


def test_the_page_is_narrowed_without_javascript_and_says_when_nothing_is_left(client):
    some = client.get(PAGE, {"kind": "carbon", "verdict": "holds"}).content.decode()
    none = client.get(PAGE, {"kind": "carbon", "verdict": "unanswered"}).content.decode()

    assert "<option selected>carbon</option>" in some
    assert some.count("<tbody") == len(client.get(TABLE, {"kind": "carbon", "verdict": "holds"}).json()["rows"]) > 0
    assert ("No row is of this kind" in none, "<tbody" in none) == (True, False)


def test_the_page_may_load_nothing_from_elsewhere(client):
    response = client.get(PAGE)

    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "style-src 'self'" in policy
    assert "script-src" not in policy
    assert client.get(PAGE, headers={"if-none-match": response["ETag"]}).status_code == 304

"""Each layer over REST: its report is the engine's, its description is true, and all that is wrong is said at once."""

import pytest
from jsonschema import Draft202012Validator

from core.api.openapi import shared_schemas
from simulator.engine import LAYERS, as_data, read_layer, run_asked
from simulator.rest.asking import LONGEST_INPUT_BYTES
from simulator.rest.openapi import layer_input_schema, layer_report_schema
from tests.factories import make_live_article
from tests.simulator.test_layers import INPUTS

pytestmark = pytest.mark.django_db


def ask(client, name, data):
    return client.post(f"/api/v1/simulator/{name}/", data, content_type="application/json")


def valid(schema, data):
    whole = {**schema, "components": {"schemas": shared_schemas()}}
    return [error.message for error in Draft202012Validator(whole).iter_errors(data)]


def errors_of(response):
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_answers_with_the_report_of_the_engine_in_one_statement(client, name, django_assert_num_queries):
    reported = as_data(run_asked(LAYERS[name], read_layer(LAYERS[name], INPUTS[name])))
    explained = make_live_article(explains=[reported["trace"][0]["quantity"]])

    with django_assert_num_queries(1):  # what articles explain
        response = ask(client, name, INPUTS[name])

    report = response.json()
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    assert report["trace"][0]["article_id"] == str(explained.pk)
    assert valid(layer_input_schema(LAYERS[name].input_type), INPUTS[name]) == []
    assert valid(layer_report_schema(LAYERS[name]), report) == []
    for row in (*report["trace"], *report["warnings"]):
        del row["article_id"]
    assert report == reported


@pytest.mark.parametrize("name", LAYERS)
def test_a_field_that_there_is_not_is_named_with_the_nearest(client, name):
    first = next(iter(INPUTS[name]))

    response = ask(client, name, {**INPUTS[name], f"{first}x": 1})

    assert errors_of(response) == {(f"{first}x", "unknown_key")}
    assert f"Did you mean {first}?" in response.json()["errors"][0]["message"]


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("body", ["[]", '"x"', "3", "null"])
def test_what_is_no_object_is_refused(client, name, body):
    assert errors_of(ask(client, name, body)) == {(None, "wrong_type")}


def test_all_that_is_wrong_is_said_at_once_by_its_path(client):
    wrong = {
        **INPUTS["hall"],
        "racks": [{"name": "a", "count": 0, "nameplate_kw": 140}, {"count": 1, "nameplate_kw": "much"}],
        "rows": 1.5,
        "water": "cold",
        "row_kw_max": {"low": 5, "typical": 4, "high": 9},
    }

    assert errors_of(ask(client, "hall", wrong)) == {
        ("racks[0].count", "out_of_range"),
        ("racks[1].name", "required"),
        ("racks[1].nameplate_kw", "wrong_type"),
        ("rows", "wrong_type"),
        ("water", "not_a_choice"),
        ("row_kw_max", "conflict"),
    }


def test_a_range_says_how_far_each_quantity_moves(client):
    asked = {**INPUTS["ladder"], "pue": {"low": 1.1, "typical": 1.18, "high": 1.4}}

    report = ask(client, "ladder", asked).json()

    ranges = {row["quantity"]: row for row in report["ranges"]}
    assert ranges["campus_kw"] == {
        "quantity": "campus_kw",
        "unit": "kW",
        "low": 140250,
        "typical": 150450,
        "high": 178500,
    }
    assert "rack_kw" not in ranges
    assert valid(layer_input_schema(LAYERS["ladder"].input_type), asked) == []


def test_too_many_ranges_and_absurd_sizes_are_refused_before_work_starts(client):
    ranges = {
        name: {"low": value, "typical": value, "high": value * 1.01}
        for name, value in {
            "it_kw": 100,
            "load_factor": 0.5,
            "hours": 8000,
            "pue": 1.2,
            "wue_l_per_kwh": 1,
            "grid_water_l_per_kwh": 1,
            "usd_per_kwh": 0.1,
            "usd_per_kw_month": 5,
            "grid_g_per_kwh": 300,
        }.items()
    }
    racks = [{"name": f"r{n}", "count": 1, "nameplate_kw": 1} for n in range(10_000)]

    assert errors_of(ask(client, "campus", ranges)) == {(None, "too_many")}
    beside = {**ranges, "hours": -1, "gpus": {"low": 8, "typical": 8, "high": 9}}
    assert errors_of(ask(client, "campus", beside)) == {(None, "too_many"), ("hours", "out_of_range")}
    huge = ask(client, "hall", {**INPUTS["hall"], "racks": racks})
    assert (huge.status_code, huge.json()["errors"][0]["code"]) == (413, "document_too_large")
    assert LONGEST_INPUT_BYTES == 100_000
    assert errors_of(ask(client, "hall", {**INPUTS["hall"], "racks": racks[:1000]})) == {("racks", "too_many")}
    assert errors_of(ask(client, "ladder", {**INPUTS["ladder"], "racks": 10**9})) == {("racks", "out_of_range")}
    (error,) = ask(client, "ladder", {**INPUTS["ladder"], "racks": 10**30}).json()["errors"]
    assert (error["field"], error["code"]) == ("racks", "out_of_range")
    assert error["message"] == f"racks is 1{'0' * 30}; it must be at least 1 and at most 10000000 racks."


def test_a_layer_is_asked_by_post_alone_and_takes_no_parameters(client):
    assert client.get("/api/v1/simulator/hall/").status_code == 405
    response = client.post("/api/v1/simulator/hall/?rows=3", INPUTS["hall"], content_type="application/json")
    assert errors_of(response) == {("rows", "unknown_parameter")}

"""All problems of a request in one answer: of the parameters of a picture or a list, and of the keys of its JSON."""

import json
from urllib.parse import urlencode

import pytest

from simulator.models import Run
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
LADDER = INPUTS["ladder"]


def errors_of(response):
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    return [(error["field"], error["code"]) for error in response.json()["errors"]]


def drawn(client, name, **asked):
    return client.get(f"/api/v1/simulator/{name}?{urlencode(asked)}")


def test_a_picture_tells_every_parameter_that_is_wrong(client):
    make_dgx()
    items = "nvidia-dgx-h100:4,foo:2,bar,:3"

    response = drawn(client, "rack.svg", items=items, units="x", nope="1", width="thin")

    assert errors_of(response) == [
        ("nope", "unknown_parameter"),
        ("width", "not_a_choice"),
        ("units", "not_a_number"),
        ("items", "malformed_items"),
    ]
    malformed = response.json()["errors"][-1]["message"]
    assert malformed == "items is written slug:n,slug:n with whole numbers; 'bar', ':3' are not."


@pytest.mark.parametrize(
    ("asked", "errors"),
    [
        ({"items": "nvidia-dgx-h100:4,foo:2", "nope": 1}, [("nope", "unknown_parameter"), ("items", "unknown_device")]),
        ({"items": "foo:2", "units": "x"}, [("units", "not_a_number"), ("items", "unknown_device")]),
        (
            {"items": "nvidia-dgx-h100:4", "units": 1000, "nope": 1},
            [("nope", "unknown_parameter"), ("units", "out_of_range")],
        ),
        ({"nope": 1}, [("nope", "unknown_parameter"), ("items", "required")]),
        ({"input": "{", "nope": 1}, [("nope", "unknown_parameter"), ("input", "parse_error")]),
        ({"input": "{}", "items": "a:1", "nope": 1}, [("nope", "unknown_parameter"), ("items", "conflict")]),
        ({"items": "nvidia-dgx-h100:4\x00", "units": "x"}, [("items", "invalid"), ("units", "not_a_number")]),
    ],
)
def test_a_picture_of_a_rack_tells_what_is_wrong_with_its_devices_beside_all_else(client, asked, errors):
    make_dgx()

    assert errors_of(drawn(client, "rack.json", **asked)) == errors


def test_a_picture_of_a_sweep_tells_its_input_beside_what_is_to_be_shown(client):
    given = {"layer": "ladder", "input": {**LADDER, "chip_w": -1}, "axes": [{"field": "puee", "low": 1, "high": 2}]}

    assert errors_of(drawn(client, "sweep.svg", input=json.dumps(given), nope=1)) == [
        ("nope", "unknown_parameter"),
        ("show", "required"),
        ("input.axes[0].field", "unknown_key"),
        ("input.input.chip_w", "out_of_range"),
    ]


def test_lists_tell_every_parameter_that_is_wrong(client):
    assert errors_of(client.get("/api/v1/scenarios/?limit=x&count=maybe&kind=cellar&order=up&nope=1")) == [
        ("nope", "unknown_parameter"),
        ("order", "not_a_choice"),
        ("limit", "not_a_number"),
        ("kind", "not_a_choice"),
        ("count", "not_a_boolean"),
    ]
    assert errors_of(client.get("/api/v1/simulator/validation/?kind=cellar&verdict=so&nope=1")) == [
        ("nope", "unknown_parameter"),
        ("kind", "not_a_choice"),
        ("verdict", "not_a_choice"),
    ]


def post(client, name, text):
    return client.post(f"/api/v1/simulator/{name}/", text, content_type="application/json")


@pytest.mark.parametrize("name", ["rack", "hall", "ladder", "sweep", "compare", "plan"])
def test_a_key_that_stands_twice_is_refused_with_its_path(client, name):
    body = (
        '{"items": [{"device": "a", "quantity": 1, "quantity": 900}], "basis": "idle", "basis": "typical", "basis": 1}'
    )

    response = post(client, name, body)

    assert errors_of(response) == [("basis", "duplicate_key"), ("items[0].quantity", "duplicate_key")]
    assert response.json()["errors"][1]["message"] == "quantity stands twice in its object; give it once."
    assert not Run.objects.exists()


def test_a_key_that_stands_twice_in_an_address_is_refused(client):
    assert errors_of(drawn(client, "ladder.json", input='{"pue": 1.1, "pue": 1.2}')) == [("input.pue", "duplicate_key")]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"query": "{ __typename }", "query": "{ __typename }"}', "query"),
        ('{"query": "{ __typename }", "variables": {"a": {"b": 1, "b": 1}}}', "variables.a.b"),
    ],
)
def test_a_key_that_stands_twice_in_a_graphql_request_is_refused(client, body, field):
    response = client.post("/graphql/", body, content_type="application/json")

    (error,) = response.json()["errors"]
    assert (response.status_code, error["extensions"]) == (400, {"code": "duplicate_key", "field": field})


@pytest.mark.parametrize("digits", [401, 5_000, 50_000])
def test_a_whole_number_of_very_many_digits_is_out_of_range_in_our_words(client, digits):
    make_dgx()
    body = json.dumps(FOUR).replace('"quantity": 4', f'"quantity": {"1" * digits}')

    response = post(client, "rack", body)

    (error,) = response.json()["errors"]
    assert (error["field"], error["code"]) == ("items[0].quantity", "out_of_range")
    assert error["message"].startswith("quantity is 1.11111111111111E+")
    assert "sys." not in error["message"]


def test_a_whole_number_of_many_digits_where_a_text_belongs_is_told_too(client):
    long = "1" * 5000
    body = f'{{"layer": {long}, "compared": [{{"name": {long}, "input": {{}}}}, {{"scenario": {long}}}]}}'

    assert errors_of(post(client, "compare", body)) == [
        ("layer", "not_a_choice"),
        ("compared[0].name", "wrong_type"),
        ("compared[1].scenario", "unknown_scenario"),
    ]

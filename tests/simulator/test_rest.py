"""The simulator over REST."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from core.api.errors import Problem, problem_json
from core.api.openapi import shared_schemas
from core.publishing.services import database_now
from simulator.engine.cooling import METHODS
from simulator.engine.layer_list import LAYER_WARNINGS
from simulator.engine.notices import WARNINGS
from simulator.engine.trace import quantities
from simulator.explanations import explainable_names
from simulator.plots.elevation import STYLE_CSP
from simulator.rest.openapi import input_schema, report_schema
from simulator.services import save_scenario
from tests.factories import make_device, make_live_article
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
RACK, SVG = "/api/v1/simulator/rack/", "/api/v1/simulator/rack.svg"


def post(client, data, **extra):
    return client.post(RACK, data, content_type="application/json", **extra)


def errors_of(response):
    assert response["Content-Type"] == "application/problem+json"
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


def test_a_rack_is_run(client, django_assert_num_queries):
    make_dgx()

    with django_assert_num_queries(2):  # the devices, what articles explain
        response = post(client, FOUR)

    report = response.json()
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert list(report) == ["space", "power", "weight", "electrical", "cooling", "warnings", "trace", "ranges"]
    assert '"nameplate_kw":40.8,' in response.content.decode()
    assert '"equipment_kg":521.8,' in response.content.decode()
    assert report["electrical"] is None
    assert [method["method"] for method in report["cooling"]["methods"]] == list(METHODS)
    assert {row["article_id"] for row in (*report["trace"], *report["cooling"]["methods"])} == {None}


def test_json_is_asked_and_answered_and_nothing_is_negotiated(client):
    make_dgx()

    assert post(client, FOUR, HTTP_ACCEPT="text/html").content == post(client, FOUR).content
    form = client.post("/api/v1/simulator/rack/", FOUR["items"][0])
    assert (form.status_code, [error["code"] for error in form.json()["errors"]]) == (415, ["unsupported_media_type"])
    assert post(client, {}).status_code == 400


def test_the_same_input_gets_the_same_bytes(client):
    make_dgx()

    assert post(client, FOUR).content == post(client, FOUR).content


def test_numbers_methods_and_warnings_name_the_live_article_that_explains_them(client):
    make_dgx()
    article = make_live_article(explains=["density_kw", "method:air", "warning:cold_plates_unknown"])

    report = post(client, FOUR).json()

    explained = {row["quantity"]: row["article_id"] for row in report["trace"]}
    assert explained["density_kw"] == str(article.pk)
    assert explained["airflow_m3_h"] is None
    assert {row["method"]: row["article_id"] for row in report["cooling"]["methods"]} == {
        **dict.fromkeys(METHODS),
        "air": str(article.pk),
    }
    warned = {row["code"]: row["article_id"] for row in report["warnings"]}
    assert warned == {"cold_plates_unknown": str(article.pk)}


def test_an_article_that_is_not_live_explains_nothing(client):
    make_dgx()
    make_live_article(explains=["density_kw"], at=database_now().replace(year=2999))

    report = post(client, FOUR).json()

    assert {row["article_id"] for row in report["trace"]} == {None}


def test_what_can_be_explained_has_names_of_its_own():
    names = explainable_names()

    assert len(names) == len(set(names)) == len(quantities()) + len(METHODS) + len(WARNINGS) + len(LAYER_WARNINGS)
    assert {"density_kw", "method:rear_door", "warning:does_not_fit"} <= set(names)


def test_every_problem_is_answered_at_once(client):
    make_dgx()

    response = post(
        client,
        {
            "items": [{"device": "nvidia-dgx-h100", "quantity": 0}, {"device": "dgx", "quantity": 1}],
            "altitude": 100,
            "rack": {"units": 101, "colour": "black"},
            "feed": {"voltage_v": 415, "phases": 2},
        },
    )

    assert response.status_code == 400
    assert errors_of(response) == {
        ("items[0].quantity", "out_of_range"),
        ("items[1].device", "unknown_device"),
        ("altitude", "unknown_key"),
        ("rack.units", "out_of_range"),
        ("rack.colour", "unknown_key"),
        ("feed.phases", "not_a_choice"),
        ("feed.breaker_a", "required"),
    }


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "parse_error"),
        ("", 400, "required"),
        ("[]", 400, "wrong_type"),
        ('{"items": [{"device": "a", "quantity": NaN}]}', 400, "parse_error"),
        ('{"items": [{"device": "a", "quantity": 1e999}]}', 400, "wrong_type"),
        ("[" * 50_000, 400, "parse_error"),
        ('"' + "a" * 100_000 + '"', 413, "document_too_large"),
        ("\xff", 400, "parse_error"),
    ],
)
def test_what_is_no_input_is_refused(client, body, status, code):
    response = client.generic("POST", RACK, body.encode("latin-1"), content_type="application/json")

    assert response.status_code == status
    assert code in {found for _, found in errors_of(response)}


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ('{"items": [{}]}', {("items[0].device", "required"), ("items[0].quantity", "required")}),
        ('{"items": [{"quantity": 1}]}', {("items[0].device", "required")}),
        ('{"items": [{"device": null, "quantity": 1}]}', {("items[0].device", "required")}),
        ('{"items": [{"device": "a\\u0000", "quantity": 1}]}', {("items[0].device", "wrong_type")}),
        ('{"items": [{"device": "\\ud800", "quantity": 1}]}', {("items[0].device", "wrong_type")}),
        ('{"items": [{"device": "nvidia-dgx-h100", "quantity": "\\ud800"}]}', {("items[0].quantity", "wrong_type")}),
    ],
)
def test_a_line_without_a_device_that_can_be_looked_up_is_refused(client, body, problems):
    make_dgx()

    response = client.generic("POST", RACK, body.encode(), content_type="application/json")

    assert (response.status_code, errors_of(response)) == (400, problems)


@pytest.mark.parametrize(
    ("members", "field", "code"),
    [
        (r'"rack": {"type": "a\u0000"}', "rack.type", "wrong_type"),
        (r'"rack": {"type": "\ud800"}', "rack.type", "wrong_type"),
        (r'"rack": {"\ud800": 1}', r"rack.\ud800", "unknown_key"),
        (r'"\ud800": 1', r"\ud800", "unknown_key"),
        (r'"a\u0000": 1', "a\x00", "unknown_key"),
        (r'"coolant": "\ud800"', "coolant", "wrong_type"),
        (r'"basis": "\udfff"', "basis", "wrong_type"),
        (r'"limits": {"air_class": "\ud800"}', "limits.air_class", "wrong_type"),
        (
            r'"feed": {"voltage_v": 1, "phases": 1, "breaker_a": 1, "redundancy": "\ud800"}',
            "feed.redundancy",
            "wrong_type",
        ),
    ],
)
def test_text_that_no_database_or_answer_can_hold_is_refused_by_its_path(client, members, field, code):
    make_dgx()
    body = '{"items": [{"device": "nvidia-dgx-h100", "quantity": 1}], ' + members + "}"

    response = client.generic("POST", RACK, body.encode(), content_type="application/json")

    assert (response.status_code, errors_of(response)) == (400, {(field, code)})


@pytest.mark.parametrize(
    ("member", "field", "named"),
    [
        ({"air_rise_k": 1e-30}, "air_rise_k", "at least 0.1 and at most 60 K"),
        ({"coolant_rise_k": 1e-300}, "coolant_rise_k", "at least 0.1 and at most 60 K"),
        ({"airflow_available_m3_h": 1e-300}, "airflow_available_m3_h", "at least 1 and at most 1000000 m³/h"),
        ({"rack": {"footprint_m2": 1e-300}}, "rack.footprint_m2", "at least 0.05 and at most 20 m²"),
        ({"rack": {"max_kg": 1e-300}}, "rack.max_kg", "at least 1 and at most 20000 kg"),
        ({"feed": {"voltage_v": 1e-300}}, "feed.voltage_v", "at least 1 and at most 1000 V"),
        ({"feed": {"breaker_a": 1e-300}}, "feed.breaker_a", "at least 0.1 and at most 6300 A"),
        ({"feed": {"power_factor": 1e-300}}, "feed.power_factor", "at least 0.05 and at most 1"),
        ({"feed": {"continuous_fraction": 1e-300}}, "feed.continuous_fraction", "at least 0.05 and at most 1"),
        ({"limits": {"rear_door_max_kw": 1e-300}}, "limits.rear_door_max_kw", "at least 0.1 and at most 100000 kW"),
    ],
)
def test_a_number_below_what_is_physical_is_refused_with_its_range(client, member, field, named):
    make_dgx()
    if "feed" in member:
        member = {"feed": {"voltage_v": 415, "phases": 3, "breaker_a": 60, **member["feed"]}}

    response = post(client, {**FOUR, **member})

    assert (response.status_code, errors_of(response)) == (400, {(field, "out_of_range")})
    assert f"it must be {named}." in response.json()["errors"][0]["message"]


def test_the_smallest_numbers_that_are_allowed_give_a_report(client):
    make_dgx(heat_to_liquid_fraction="0.001")
    smallest = {
        "items": [{"device": "nvidia-dgx-h100", "quantity": 1000}],
        "rack": {"footprint_m2": 0.05, "tare_kg": 1e-300, "max_kg": 1},
        "air_rise_k": 0.1,
        "coolant_rise_k": 0.1,
        "airflow_available_m3_h": 1,
        "altitude_m": 11000,
        "feed": {"voltage_v": 1, "phases": 1, "breaker_a": 0.1, "continuous_fraction": 0.05, "power_factor": 0.05},
        "limits": {"rear_door_max_kw": 0.1, "direct_to_chip_max_kw": 0.1, "immersion_max_kw": 0.1},
    }

    response = post(client, smallest)

    assert response.status_code == 200
    Draft202012Validator(strict(whole(report_schema()))).validate(response.json())


def test_a_refusal_can_be_written_whatever_it_says_back():
    response = problem_json(400, [Problem("a\ud800", "unknown", "\udfff is not known.")], sent={"\ud800": ["\ud800"]})

    body = json.loads(response.content)
    assert body["errors"] == [{"field": r"a\ud800", "code": "unknown", "message": r"\udfff is not known."}]
    assert body["sent"] == {r"\ud800": [r"\ud800"]}


def test_another_media_type_and_another_method_are_refused(client):
    assert client.post(RACK, {"items": "a"}).status_code == 415
    assert client.get(RACK).status_code == 405
    assert client.post(SVG).status_code == 405


def test_a_query_parameter_is_unknown(client):
    make_dgx()

    response = client.post(f"{RACK}?basis=idle", FOUR, content_type="application/json")

    assert errors_of(response) == {("basis", "unknown_parameter")}


def test_the_schema_of_the_answer_is_what_is_answered(client):
    make_dgx(heat_to_liquid_fraction="0.5")
    make_device(slug="bare")
    feed = {"voltage_v": 415, "phases": 3, "breaker_a": 60}
    limits = {"air_class": "A3"}
    inputs = [
        FOUR,
        {**FOUR, "rack": {"units": 8, "footprint_m2": 0.7}, "feed": feed, "limits": limits, "inlet_c": 41},
        {"items": [*FOUR["items"], {"device": "bare", "quantity": 1}], "feed": {**feed, "redundancy": "n+1"}},
    ]
    given, told = whole(input_schema()), whole(report_schema())
    Draft202012Validator.check_schema(told)
    Draft202012Validator.check_schema(given)

    for asked in inputs:
        Draft202012Validator(given).validate(asked)
        Draft202012Validator(strict(told)).validate(post(client, asked).json())
    assert not Draft202012Validator(given).is_valid({**FOUR, "altitude": 1})


def whole(schema):
    """Return a schema with those that it refers to."""
    return {**schema, "components": {"schemas": shared_schemas()}}


def strict(schema):
    """Return the schema with every object closed: a member that it does not tell of is found."""
    if isinstance(schema, dict):
        closed = {"additionalProperties": False} if "properties" in schema else {}
        return {key: strict(value) for key, value in schema.items()} | closed
    return [strict(each) for each in schema] if isinstance(schema, list) else schema


def test_the_elevation_is_drawn(client):
    make_dgx()
    make_device(slug="switch", u_height=1, model="<Switch> & more")

    response = client.get(SVG, {"items": "nvidia-dgx-h100:4,switch:2"})

    root = ElementTree.fromstring(response.content)
    assert response["Content-Type"] == "image/svg+xml"
    assert response["Content-Security-Policy"] == f"default-src 'none'; style-src {STYLE_CSP}"
    assert root.find("{http://www.w3.org/2000/svg}title").text == "Rack of 42 U, 34 U used"
    assert "Acme <Switch> & more, 1 U from U 33, front" in [each.text for each in root.iter()]


@pytest.mark.django_db(transaction=True)
def test_an_unchanged_drawing_is_a_304_and_a_changed_device_draws_anew(client, django_assert_num_queries):
    device = make_dgx()
    etag = client.get(SVG, {"items": "nvidia-dgx-h100:4"})["ETag"]

    with django_assert_num_queries(1):
        assert client.get(SVG, {"items": "nvidia-dgx-h100:4"}, headers={"if-none-match": etag}).status_code == 304
    device.u_height = 6
    device.save()
    assert client.get(SVG, {"items": "nvidia-dgx-h100:4"}, headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({}, ("items", "required")),
        ({"items": "nvidia-dgx-h100"}, ("items", "malformed_items")),
        ({"items": "nvidia-dgx-h100:x"}, ("items", "malformed_items")),
        ({"items": "nvidia-dgx-h100:1,"}, ("items", "malformed_items")),
        ({"items": "nvidia-dgx-h100:0"}, ("items", "out_of_range")),
        ({"items": "nvidia-dgx-h100:1001"}, ("items", "out_of_range")),
        ({"items": "dgx:1"}, ("items", "unknown_device")),
        ({"items": "a\x00:1"}, ("items", "invalid")),
        ({"items": "nvidia-dgx-h100:1,\ufffd:1"}, ("items", "invalid")),
        ({"items": ",".join(["nvidia-dgx-h100:1"] * 201)}, ("items", "too_many")),
        ({"items": "nvidia-dgx-h100:1", "units": "101"}, ("units", "out_of_range")),
        ({"items": "nvidia-dgx-h100:1", "units": "x"}, ("units", "not_a_number")),
        ({"items": "nvidia-dgx-h100:1", "color": "red"}, ("color", "unknown_parameter")),
    ],
)
def test_a_drawing_of_nothing_sensible_is_refused(client, query, problem):
    make_dgx()

    response = client.get(SVG, query)

    assert response.status_code == 400
    assert errors_of(response) == {problem}


def test_scenarios_are_listed_and_read(client, django_assert_num_queries):
    make_dgx()
    scenario = save_scenario(slug="four-racks", title="Four", input=FOUR)

    with django_assert_num_queries(2):
        page = client.get("/api/v1/scenarios/").json()
    with django_assert_num_queries(2):
        item = client.get("/api/v1/scenarios/four-racks/").json()

    assert [row["slug"] for row in page["results"]] == ["four-racks"]
    assert "report" not in page["results"][0]
    assert item["id"] == str(scenario.pk)
    assert item["input"] == FOUR
    assert item["report"]["power"]["density_kw"] == 40.8
    assert client.get(f"/api/v1/scenarios/{scenario.pk}/").json() == item
    assert client.get("/api/v1/scenarios/five/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_change_of_a_scenario_changes_its_etag(client):
    make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)
    etag = client.get("/api/v1/scenarios/four/")["ETag"]
    assert client.get("/api/v1/scenarios/four/", headers={"if-none-match": etag}).status_code == 304

    save_scenario(slug="four", title="Four racks", input=FOUR)

    response = client.get("/api/v1/scenarios/four/", headers={"if-none-match": etag})
    assert (response.status_code, response.json()["title"]) == (200, "Four racks")


def test_the_report_of_a_scenario_is_plain_json(client):
    make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)

    text = client.get("/api/v1/scenarios/four/").content.decode()

    assert json.loads(text)["report"]["weight"]["equipment_kg"] == 521.8
    assert "521.8," in text


def test_a_number_of_a_rack_may_be_a_range(client):
    make_dgx()

    response = post(client, {**FOUR, "inlet_c": {"low": 20, "typical": 25, "high": 30}})

    ranges = {row["quantity"]: row for row in response.json()["ranges"]}
    # Four DGX H100 of 10.2 kW at a rise of 12 K.
    assert ranges["airflow_m3_h"] == {
        "quantity": "airflow_m3_h",
        "unit": "m³/h",
        "low": 10114.5,
        "typical": 10287.1,
        "high": 10459.6,
    }

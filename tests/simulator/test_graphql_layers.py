"""The layers and the published tables over GraphQL: the names of REST in camelCase, and the same values."""

import pytest
from graphql import get_named_type, is_leaf_type

from config.schema import schema
from simulator.engine import LAYERS
from tests.factories import make_live_article
from tests.simulator.asking import camel
from tests.simulator.test_graphql import ask
from tests.simulator.test_layers import INPUTS

pytestmark = pytest.mark.django_db


def everything_of(named):
    """Return the selection of all fields of a type."""
    parts = []
    for name, field in named.fields.items():
        inner = get_named_type(field.type)
        parts.append(name if is_leaf_type(inner) else f"{name} {everything_of(inner)}")
    return "{ " + " ".join(parts) + " }"


def question(name):
    field = f"simulate{name.capitalize()}"
    definition = schema._schema.query_type.fields[field]
    given = definition.args["input"].type
    return f"query($input: {given}) {{ {field}(input: $input) {everything_of(get_named_type(definition.type))} }}"


@pytest.mark.parametrize("name", LAYERS)
def test_both_surfaces_give_one_report(client, name):
    make_live_article(explains=["rack_kw", "it_kw", "pue", "warning:racks_left"])

    answer = ask(client, question(name), input=camel(INPUTS[name]))

    report = client.post(f"/api/v1/simulator/{name}/", INPUTS[name], content_type="application/json").json()
    assert "errors" not in answer
    assert answer["data"][f"simulate{name.capitalize()}"] == camel(report)


MORE = {
    "fabric": {"nodes": 128, "switch_ports": 128, "oversubscription": 2, "leaf_split": "fewest_switches"},
    "hall": {**INPUTS["hall"], "cdu_kw": {"low": 800, "typical": 1000, "high": 1300}, "cdu_redundancy": "n+1"},
    "throttle": {"chip_w": 1000, "resistance_k_w": 0.03, "coolant_c": {"low": 30, "typical": 40, "high": 60}},
}


@pytest.mark.parametrize("name", MORE)
def test_both_surfaces_give_one_report_of_leaves_coolant_units_and_cold_plates(client, name):
    answer = ask(client, question(name), input=camel(MORE[name]))

    report = client.post(f"/api/v1/simulator/{name}/", MORE[name], content_type="application/json").json()
    assert "errors" not in answer
    assert answer["data"][f"simulate{name.capitalize()}"] == camel(report)
    told = {
        "fabric": ("spine_switches_count", 5),
        "hall": ("cdus_installed_count", report.get("cdus_needed_count", 0) + 1),
        "throttle": ("chip_c", 70),
    }[name]
    assert report[told[0]] == told[1]


def test_a_chip_without_air_or_coolant_is_refused_on_both_surfaces(client):
    asked = {"chip_w": 700, "resistance_k_w": 0.06}

    answer = ask(client, "query($i: SimulateThrottleInput!) { simulateThrottle(input: $i) { chipC } }", i=camel(asked))
    response = client.post("/api/v1/simulator/throttle/", asked, content_type="application/json")

    told = [(each["field"], each["code"]) for each in response.json()["errors"]]
    assert (response.status_code, told) == (
        400,
        [("rated_airflow_m3_h", "required"), ("airflow_m3_h", "required")],
    )
    assert [(each["extensions"]["field"], each["extensions"]["code"]) for each in answer["errors"]] == [
        ("ratedAirflowM3H", "required"),
        ("airflowM3H", "required"),
    ]


def test_a_range_stands_for_a_number_in_a_variable_and_in_the_text(client):
    spelt = (
        "{ simulateLadder(input: {chipW: 700, nodeKw: 10.2, nodesPerRack: 4, racks: 3125,"
        " pue: {low: 1.1, typical: 1.18, high: 1.4}}) { ranges { quantity low typical high } } }"
    )
    asked = {**INPUTS["ladder"], "pue": {"low": 1.1, "typical": 1.18, "high": 1.4}}

    answer = ask(client, spelt)
    given = ask(client, question("ladder"), input=camel(asked))

    ranges = {row["quantity"]: row for row in answer["data"]["simulateLadder"]["ranges"]}
    assert ranges["campus_kw"] == {"quantity": "campus_kw", "low": 140250, "typical": 150450, "high": 178500}
    assert {row["quantity"] for row in given["data"]["simulateLadder"]["ranges"]} == set(ranges)


def test_what_is_wrong_is_named_in_the_names_of_this_surface(client):
    wrong = {
        "racks": [{"name": "a", "count": 0, "nameplateKw": 140}],
        "rows": 0,
        "rowPositions": 12,
        "rowKwMax": {"low": 5, "typical": 4, "high": 9},
    }

    errors = ask(client, "query($i: SimulateHallInput!) { simulateHall(input: $i) { basis } }", i=wrong)["errors"]

    assert {(error["extensions"]["field"], error["extensions"]["code"]) for error in errors} == {
        ("racks[0].count", "out_of_range"),
        ("rows", "out_of_range"),
        ("rowKwMax", "conflict"),
    }


@pytest.mark.parametrize("value", ['"1.2"', "true", "[1]"])
def test_what_is_neither_a_number_nor_a_range_is_refused(client, value):
    given = f"{{chipW: 700, nodeKw: 10.2, nodesPerRack: 4, racks: 3, pue: {value}}}"
    query = f"{{ simulateLadder(input: {given}) {{ basis }} }}"

    answer = ask(client, query)

    assert "Give a number, or a range" in answer["errors"][0]["message"]
    assert not answer.get("data")


def test_a_document_runs_a_few_layers_and_no_more(client):
    one = "simulateLadder(input: {chipW: 700, nodeKw: 10.2, nodesPerRack: 4, racks: 3, pue: 1.2}) { basis }"

    few = ask(client, "{ " + " ".join(f"a{n}: {one}" for n in range(4)) + " }")
    many = ask(client, "{ " + " ".join(f"a{n}: {one}" for n in range(6)) + " }")

    assert few["data"]["a3"] == {"basis": "nameplate"}
    assert [error["extensions"]["code"] for error in many["errors"]] == ["too_heavy"]


def test_the_published_tables_are_those_of_rest(client):
    all_of_it = everything_of(schema._schema.type_map["SimulatorValidation"])
    query = f"query($kind: String) {{ simulatorValidation(kind: $kind) {all_of_it} }}"

    answer = ask(client, query, kind="fabric")["data"]["simulatorValidation"]

    table = client.get("/api/v1/simulator/validation/", {"kind": "fabric"}).json()
    assert len(answer["rows"]) == len(table["rows"]) > 0
    assert answer["totals"] == camel(table["totals"])
    assert answer["engineVersion"] == table["engine_version"]
    for ours, theirs in zip(answer["rows"], table["rows"], strict=True):
        assert ours["source"] == {name: theirs["source"].get(name) for name in ours["source"]}
        assert [(v["name"], v["published"], v["ours"], v["errorFraction"], v["verdict"]) for v in ours["values"]] == [
            (v["name"], v["published"], v["ours"], v["error_fraction"], v["verdict"]) for v in theirs["values"]
        ]


def test_a_kind_of_rows_that_there_is_not_is_refused(client):
    errors = ask(client, '{ simulatorValidation(kind: "racks") { holds } }')["errors"]

    assert [(error["extensions"]["field"], error["extensions"]["code"]) for error in errors] == [
        ("kind", "not_a_choice")
    ]

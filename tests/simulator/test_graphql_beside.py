"""Sweeps and comparisons over GraphQL: the answers and the refusals of REST, in camelCase."""

import pytest
from graphql import get_named_type

from config.schema import schema
from simulator.services import save_scenario
from tests.factories import make_live_article
from tests.simulator.asking import camel
from tests.simulator.test_graphql import ask
from tests.simulator.test_graphql_layers import everything_of
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
LADDER = INPUTS["ladder"]
PUE = {"field": "pue", "low": 1.1, "high": 1.3, "points": 3}


def question(field):
    definition = schema._schema.query_type.fields[field]
    given = definition.args.items()
    variables = ", ".join(f"${name}: {argument.type}" for name, argument in given)
    arguments = ", ".join(f"{name}: ${name}" for name, _ in given)
    return f"query({variables}) {{ {field}({arguments}) {everything_of(get_named_type(definition.type))} }}"


def of_rest(client, name, data):
    return client.post(f"/api/v1/simulator/{name}/", data, content_type="application/json").json()


def problems_of(answer):
    assert not any((answer.get("data") or {}).values())
    return {(error["extensions"]["field"], error["extensions"]["code"]) for error in answer["errors"]}


def swept(client, layer, given, axes):
    return ask(client, question("simulateSweep"), input={layer: camel(given)}, axes=axes)


def compared(client, rows, **more):
    return ask(client, question("simulateCompare"), compared=rows, **more)


@pytest.mark.parametrize(
    ("layer", "axes"),
    [
        ("ladder", [PUE]),
        ("ladder", [PUE, {"field": "racks", "low": 1, "high": 3}]),
        ("hall", [{"field": "racks[0].nameplate_kw", "low": 20, "high": 60, "points": 4}]),
        ("campus", [{"field": "load_factor", "low": 0.5, "high": 0.9}]),
    ],
)
def test_both_surfaces_sweep_alike(client, layer, axes):
    make_live_article(explains=["campus_kw", "it_kw"])
    asked = [{**axis, "field": camel({axis["field"]: 0}).popitem()[0]} for axis in axes]

    answer = swept(client, layer, INPUTS[layer], asked)

    theirs = of_rest(client, "sweep", {"layer": layer, "input": INPUTS[layer], "axes": axes})
    report = camel(theirs)
    assert "errors" not in answer
    assert [axis.pop("field") for axis in report["axes"]] == [axis["field"] for axis in axes]
    assert [axis.pop("field") for axis in answer["data"]["simulateSweep"]["axes"]] == [axis["field"] for axis in asked]
    assert answer["data"]["simulateSweep"] == report
    assert report["pointsCount"] > 2


def test_a_rack_of_the_catalogue_is_swept(client):
    make_dgx()
    axes = [{"field": "altitude_m", "low": 0, "high": 1800, "points": 5}]

    answer = swept(client, "rack", FOUR, [{**axes[0], "field": "altitudeM"}])["data"]["simulateSweep"]

    report = of_rest(client, "sweep", {"layer": "rack", "input": FOUR, "axes": axes})
    assert answer["quantities"] == camel(report["quantities"])
    assert answer["warnings"] == camel(report["warnings"])


def test_the_filling_of_a_rack_is_swept(client):
    make_dgx()
    axes = [{"field": "items[0].quantity", "low": 1, "high": 7, "points": 4}]

    answer = swept(client, "rack", FOUR, axes)["data"]["simulateSweep"]

    report = of_rest(client, "sweep", {"layer": "rack", "input": FOUR, "axes": axes})
    assert answer["axes"] == [{"field": "items[0].quantity", "values": [1, 3, 5, 7]}]
    assert answer["quantities"] == camel(report["quantities"])
    assert answer["outcomes"] == report["outcomes"]
    assert problems_of(swept(client, "rack", FOUR, [{**axes[0], "points": 3, "high": 8}])) == {
        ("axes[0].points", "conflict")
    }


def test_a_sweep_says_from_how_many_nodes_on_air_no_longer_suffices(client):
    make_dgx()
    query = """query($input: SimulatorQuestion!, $axes: [SimulatorSweepAxisInput!]!) {
      simulateSweep(input: $input, axes: $axes) {
        axes { values } warnings { code pointsCount runs { first last } } outcomes { path runs { value first last } }
      }
    }"""
    given = {"rack": camel({**FOUR, "airflow_available_m3_h": 3000})}

    answer = ask(client, query, input=given, axes=[{"field": "items[0].quantity", "low": 1, "high": 8}])

    report = answer["data"]["simulateSweep"]
    (air,) = (row for row in report["outcomes"] if row["path"] == "cooling.methods[air].feasible")
    assert air["runs"] == [{"value": True, "first": 0, "last": 0}, {"value": False, "first": 1, "last": 7}]
    assert report["axes"][0]["values"][air["runs"][1]["first"]] == 2
    assert {"code": "does_not_fit", "pointsCount": 3, "runs": [{"first": 5, "last": 7}]} in report["warnings"]


def test_both_surfaces_compare_answers_alike(client):
    make_dgx()
    rows = [{"input": {**FOUR, "airflow_available_m3_h": flow}} for flow in (3000, 90000)]

    answer = compared(client, [{"input": {"rack": camel(row["input"])}} for row in rows])["data"]["simulateCompare"]

    report = of_rest(client, "compare", {"compared": rows})
    assert answer["outcomes"] == report["outcomes"]
    assert {"path": "cooling.methods[air].feasible", "values": [False, True], "differs": True} in answer["outcomes"]


def test_both_surfaces_compare_alike(client):
    make_live_article(explains=["campus_kw"])
    rows = [{"name": "as built", "input": LADDER}, {"input": {**LADDER, "pue": 1.3}}, {"input": {**LADDER, "racks": 9}}]

    answer = compared(client, [{**row, "input": {"ladder": camel(row["input"])}} for row in rows])

    report = of_rest(client, "compare", {"layer": "ladder", "compared": rows})
    assert "errors" not in answer
    assert answer["data"]["simulateCompare"] == camel(report)
    campus = next(row for row in report["quantities"] if row["quantity"] == "campus_kw")
    assert campus["differences"][:2] == [0, 15300]
    assert campus["article_id"] is not None


@pytest.mark.parametrize("more", [{}, {"layer": "hall"}])
def test_scenarios_are_compared_without_a_word_on_their_layer(client, more):
    save_scenario(kind="hall", slug="hall", title="A hall", input=INPUTS["hall"])
    rows = [{"scenario": "hall"}, {"name": "again", "scenario": "hall"}]

    answer = compared(client, rows, **more)["data"]["simulateCompare"]

    assert answer == camel(of_rest(client, "compare", {"compared": rows, **more}))
    assert (answer["layer"], answer["names"]) == ("hall", ["hall", "again"])


@pytest.mark.parametrize(
    ("given", "axes", "problems"),
    [
        (
            {**LADDER, "chip_w": -1},
            [{**PUE, "low": 0.9}],
            {("input.ladder.chipW", "out_of_range"), ("axes[0].low", "out_of_range")},
        ),
        (LADDER, [PUE, PUE], {("axes", "conflict")}),
        (LADDER, [], {("axes", "required")}),
        (LADDER, [{**PUE, "field": "pu.e"}], {("axes[0].field", "unknown_key")}),
        (LADDER, [{**PUE, "low": 2}], {("axes[0].high", "conflict")}),
        (
            {**LADDER, "chip_w": {"low": 600, "typical": 700, "high": 800}},
            [PUE],
            {("input.ladder.chipW", "range_not_allowed")},
        ),
        (
            LADDER,
            [{**PUE, "points": 30}, {**PUE, "field": "chipW", "low": 600, "high": 900, "points": 20}],
            {("axes", "too_many")},
        ),
        (LADDER, [{**PUE, "points": 501}], {("axes[0].points", "out_of_range")}),
    ],
)
def test_a_sweep_that_cannot_be_is_refused_by_its_paths(client, monkeypatch, given, axes, problems):
    monkeypatch.setattr("simulator.graphql.beside.sweep_report", lambda *args: pytest.fail("Work was begun."))

    assert problems_of(swept(client, "ladder", given, axes)) == problems


@pytest.mark.parametrize(
    ("rows", "problems"),
    [
        ([{"input": {"ladder": camel(LADDER)}}], {("compared", "too_few")}),
        (
            [{"input": {"ladder": camel({**LADDER, "pue": 0.5})}}, {}],
            {("compared[0].input.ladder.pue", "out_of_range"), ("compared[1]", "conflict")},
        ),
        (
            [
                {"input": {"ladder": camel({**LADDER, "pue": 0.5})}},
                {"input": {"ladder": camel({**LADDER, "chip_w": 0})}},
            ],
            {("compared[0].input.ladder.pue", "out_of_range"), ("compared[1].input.ladder.chipW", "out_of_range")},
        ),
        (
            [{"input": {"ladder": camel(LADDER)}}, {"input": {"hall": camel(INPUTS["hall"])}}],
            {("compared[1].input.hall", "conflict")},
        ),
        (
            [{"scenario": "none"}, {"scenario": "a\x00"}],
            {("compared[0].scenario", "unknown_scenario"), ("compared[1].scenario", "unknown_scenario")},
        ),
    ],
)
def test_a_comparison_that_cannot_be_is_refused_by_its_paths(client, rows, problems):
    assert problems_of(compared(client, rows)) == problems


def test_one_question_is_asked_of_one_layer(client):
    both = {"ladder": camel(LADDER), "hall": camel(INPUTS["hall"])}

    answer = ask(client, question("simulateSweep"), input=both, axes=[PUE])

    assert problems_of(answer) == {("input", "conflict")}
    assert len(answer["errors"]) == 1


def test_a_document_sweeps_once(client):
    one = (
        "simulateSweep(input: {ladder: {chipW: 700, nodeKw: 10.2, nodesPerRack: 4, racks: 3, pue: 1.2}},"
        ' axes: [{field: "pue", low: 1, high: 2}]) { pointsCount }'
    )

    assert ask(client, f"{{ {one} }}")["data"] == {"simulateSweep": {"pointsCount": 21}}
    twice = ask(client, f"{{ a: {one} b: {one} }}")
    assert [error["extensions"]["code"] for error in twice["errors"]] == ["too_heavy"]

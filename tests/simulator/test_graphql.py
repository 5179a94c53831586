"""The simulator over GraphQL: the names of REST in camelCase, and the same report."""

import pytest

from simulator.models import Scenario
from simulator.services import save_scenario
from tests.factories import make_live_article
from tests.simulator.asking import camel
from tests.simulator.test_services import FOUR, make_dgx, make_rack_type

pytestmark = pytest.mark.django_db

REPORT = """
    space { usedU freeU fits elevation { device positionU face } atLeast { usedU } unknown }
    power { nameplateKw typicalKw idleKw densityKw basis
        atLeast { nameplateKw typicalKw idleKw densityKw } unknown }
    weight { equipmentKg totalKg floorLoadKgM2 floorLoadKnM2
        atLeast { equipmentKg totalKg floorLoadKgM2 floorLoadKnM2 } unknown }
    electrical { loadKva capacityKva usableKva redundancy ok atLeast { loadKva } unknown }
    cooling { ruleOfThumb agrees methods { method feasible limitKw marginKw reason articleId } bindingLimit
        airHeatKw liquidHeatKw airflowM3H airflowCfm coolantLMin
        atLeast { airHeatKw liquidHeatKw airflowM3H airflowCfm coolantLMin } unknown }
    warnings { code message devices articleId }
    trace { quantity value unit formula inputs { name value } source articleId }
    ranges { quantity unit low typical high }
"""
SIMULATE = "query($input: SimulateRackInput!) { simulateRack(input: $input) {" + REPORT + "} }"


def ask(client, query, **variables):
    response = client.post("/graphql/", {"query": query, "variables": variables}, content_type="application/json")
    return response.json()


def test_both_surfaces_give_one_report(client):
    make_dgx()
    make_rack_type()
    make_live_article(explains=["density_kw", "method:air", "warning:feed_overloaded"])
    asked = {
        **FOUR,
        "rack": {"type": "apc-ar3100"},
        "feed": {"voltage_v": 415, "phases": 3, "breaker_a": 32, "redundancy": "2n"},
        "airflow_available_m3_h": 9000,
        "altitude_m": 1800,
    }

    answer = ask(client, SIMULATE, input=camel(asked))

    report = client.post("/api/v1/simulator/rack/", asked, content_type="application/json").json()
    assert "errors" not in answer
    assert answer["data"]["simulateRack"] == camel(report)


def test_a_range_a_door_and_the_supply_of_a_coolant_are_taken_as_rest_takes_them(client):
    make_dgx()
    asked = {
        **FOUR,
        "rack": {"footprint_m2": 0.72, "tare_kg": 120, "floor_max_kg_m2": {"low": 500, "typical": 900, "high": 1200}},
        "inlet_c": {"low": 18, "typical": 24, "high": 30},
        "coolant_supply_c": 32,
        "limits": {"rear_door_max_kw": {"low": 30, "typical": 40, "high": 60}},
        "door": {"conductance_kw_k": 3.2, "water_in_c": 17, "water_l_min": {"low": 60, "typical": 90, "high": 120}},
    }

    answer = ask(client, SIMULATE, input=camel(asked))

    report = client.post("/api/v1/simulator/rack/", asked, content_type="application/json").json()
    assert "errors" not in answer
    assert answer["data"]["simulateRack"] == camel(report)
    assert "rear_door_capacity_kw" in {row["quantity"] for row in report["ranges"]}


def test_a_run_costs_three_statements_however_much_is_asked(client, django_assert_num_queries):
    make_dgx()

    with django_assert_num_queries(3):
        ask(client, SIMULATE, input=FOUR)
    with django_assert_num_queries(2):  # Nobody asks for articles here.
        ask(client, "query($i: SimulateRackInput!) { simulateRack(input: $i) { power { densityKw } } }", i=FOUR)


def test_what_is_wrong_is_named_in_the_names_of_this_surface(client):
    make_dgx()
    asked = {"items": [{"device": "dgx", "quantity": 1}], "altitudeM": 20000, "rack": {"tareKg": -1}}

    errors = ask(client, SIMULATE, input=asked)["errors"]

    assert {(error["extensions"]["field"], error["extensions"]["code"]) for error in errors} == {
        ("items[0].device", "unknown_device"),
        ("altitudeM", "out_of_range"),
        ("rack.tareKg", "out_of_range"),
    }


def test_a_saved_run_is_read_with_its_report(client):
    make_dgx()
    article = make_live_article(explains=["density_kw"])
    scenario = save_scenario(slug="four-racks", title="Four", description="In one rack.", input=FOUR)

    query = "query($slug: String) { scenario(slug: $slug) { id engineVersion input report {" + REPORT + "} } }"
    answer = ask(client, query, slug="four-racks")["data"]["scenario"]

    assert answer["id"] == str(scenario.pk)
    assert answer["input"] == FOUR
    report = answer["report"]
    assert report["power"]["densityKw"] == 40.8
    assert [row["articleId"] for row in report["trace"] if row["quantity"] == "density_kw"] == [str(article.pk)]
    assert report == ask(client, SIMULATE, input=FOUR)["data"]["simulateRack"]


def test_a_scenario_without_a_report_says_so(client):
    Scenario.objects.create(slug="bare", title="Bare", input={}, result={}, engine_version="0")

    assert ask(client, '{ scenario(slug: "bare") { slug report { power { basis } } } }')["data"] == {
        "scenario": {"slug": "bare", "report": None}
    }


def test_pages_of_scenarios_cost_the_same_at_any_size(client, django_assert_num_queries):
    make_dgx()
    for n in range(6):
        save_scenario(slug=f"scenario-{n}", title="Four", input=FOUR)
    query = "query($n: Int!) { scenarios(first: $n) { edges { node { slug report { trace { articleId } } } } } }"

    for size in (2, 6):
        with django_assert_num_queries(3):
            answer = ask(client, query, n=size)
        assert len(answer["data"]["scenarios"]["edges"]) == size


def test_text_that_no_database_can_hold_is_refused_by_its_path(client):
    line = {"device": "a\x00", "quantity": 1}

    answer = ask(client, SIMULATE, input={"items": [line], "rack": {"type": "a\x00", "footprintM2": 1e-300}})

    problems = {(error["extensions"]["field"], error["extensions"]["code"]) for error in answer["errors"]}
    assert problems == {
        ("items[0].device", "wrong_type"),
        ("rack.type", "wrong_type"),
        ("rack.footprintM2", "out_of_range"),
    }


@pytest.mark.parametrize(
    "body",
    [
        r'{"query": "{ simulateRack(input: {items: [{device: \\"\\\\ud800\\", quantity: 1}]}) { space { fits } } }"}',
        r'{"query": "query($d: String!) { simulateRack(input: {items: [{device: $d, quantity: 1}]})'
        r' { space { fits } } }",'
        r' "variables": {"d": "\ud800"}}',
    ],
)
def test_half_a_character_is_refused(client, body):
    response = client.generic("POST", "/graphql/", body.encode(), content_type="application/json")

    assert response.status_code == 400
    assert response.json()["errors"]

"""What an axis of a sweep may name, and its points where nobody says how many."""

import pytest

from simulator.services import save_scenario
from tests.simulator.test_graphql import ask as ask_graphql
from tests.simulator.test_graphql_beside import problems_of, swept
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_rest_beside import FEED, LADDER, PUE, ask, errors_of
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
HALL = INPUTS["hall"]


@pytest.mark.parametrize(
    ("layer", "axes", "problems", "said"),
    [
        ("ladder", [{**PUE, "field": "puee"}], {("axes[0].field", "unknown_key")}, "Did you mean pue?"),
        (
            "ladder",
            [{**PUE, "field": "puee"}, {"field": "chip_w", "low": 3, "high": 2}],
            {("axes[0].field", "unknown_key"), ("axes[1].high", "conflict")},
            "Did you mean pue?",
        ),
        (
            "ladder",
            [{**PUE, "field": "puee", "points": 1, "lo": 2}],
            {("axes[0].field", "unknown_key"), ("axes[0].points", "out_of_range"), ("axes[0].lo", "unknown_key")},
            "Did you mean pue?",
        ),
        ("hall", [{**PUE, "field": "basis"}], {("axes[0].field", "wrong_type")}, "an axis runs over one"),
        ("hall", [{**PUE, "field": "racks"}], {("axes[0].field", "wrong_type")}, "an axis runs over one"),
        (
            "hall",
            [{**PUE, "field": "racks[49].nameplate_kw"}],
            {("axes[0].field", "unknown_key")},
            "has nothing at racks[49].nameplate_kw",
        ),
        (
            "hall",
            [{**PUE, "field": "racks[0].cuont"}],
            {("axes[0].field", "unknown_key")},
            "Did you mean racks[0].count?",
        ),
        ("hall", [{**PUE, "field": "☃"}], {("axes[0].field", "unknown_key")}, "as in pue or racks[0].count"),
    ],
)
def test_an_axis_that_is_no_number_of_the_input_is_told_on_it_beside_all_else(client, layer, axes, problems, said):
    response = ask(client, "sweep", {"layer": layer, "input": INPUTS[layer], "axes": axes})

    assert errors_of(response) == problems
    assert said in next(each["message"] for each in response.json()["errors"] if each["field"] == "axes[0].field")


def test_an_unknown_axis_is_told_beside_what_is_wrong_with_the_input(client):
    asked = {"layer": "ladder", "input": {**LADDER, "chip_w": -1}, "axes": [{**PUE, "field": "puee"}]}

    assert errors_of(ask(client, "sweep", asked)) == {
        ("axes[0].field", "unknown_key"),
        ("input.chip_w", "out_of_range"),
    }


def test_graphql_tells_an_unknown_axis_beside_another_mistake(client):
    axes = [{**PUE, "field": "puee"}, {"field": "chipW", "low": 3, "high": 2}]

    assert problems_of(swept(client, "ladder", LADDER, axes)) == {
        ("axes[0].field", "unknown_key"),
        ("axes[1].high", "conflict"),
    }


RELIABLE = {"nodes": 10, "failures_per_1000_node_days": 7}


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (1, 1000, [1 + 37 * n for n in range(28)]),
        (1, 9, [*range(1, 10)]),
        (1, 5000, [1, 251, 501, 751, 1001, 1251, 1501, 1751]),
        (1, 101, [*range(1, 102, 5)]),
    ],
)
def test_points_of_a_whole_number_are_chosen_where_none_are_asked_for(client, low, high, values):
    axis = {"field": "nodes", "low": low, "high": high, "points": None}

    response = ask(client, "sweep", {"layer": "reliability", "input": RELIABLE, "axes": [axis]})
    told = response.json()["axes"][0]["values"]

    assert response.status_code == 200
    assert told[: len(values)] == values
    assert (told[0], told[-1], len(told)) == (low, high, len(values) if values[-1] == high else 21)


def test_points_that_are_chosen_of_two_numbers_stay_few_enough_for_an_answer_at_once(client):
    axes = [{"field": "nodes", "low": 1, "high": 1000}, {"field": "failures_per_1000_node_days", "low": 1, "high": 9}]

    response = ask(client, "sweep", {"layer": "reliability", "input": RELIABLE, "axes": axes})

    assert (response.status_code, response.json()["points_count"]) == (200, 441)


def test_one_of_some_choices_meets_them_where_no_points_are_asked_for(client):
    make_dgx()
    asked = {"layer": "rack", "input": {**FOUR, "feed": FEED}, "axes": [{"field": "feed.phases", "low": 1, "high": 3}]}

    assert ask(client, "sweep", asked).json()["axes"] == [{"field": "feed.phases", "values": [1, 3]}]


@pytest.mark.parametrize(
    ("points", "high", "said"),
    [
        (400, 5000, "give 4789 or 5188 as high, or no points, to have them chosen."),
        (21, 1000, "give 28 points, or 981 or 1001 as high, or no points, to have them chosen."),
        (3, 10_000_000, "give 4 points, or 9999999 as high, or no points, to have them chosen."),
    ],
)
def test_points_that_lie_between_whole_numbers_are_refused_with_such_as_would_do(client, points, high, said):
    axis = {"field": "nodes", "low": 1, "high": high, "points": points}

    response = ask(client, "sweep", {"layer": "reliability", "input": RELIABLE, "axes": [axis]})

    assert errors_of(response) == {("axes[0].points", "conflict")}
    assert response.json()["errors"][0]["message"].endswith(said)


RANGED = {**LADDER, "pue": {"low": 1.1, "typical": 1.2, "high": 1.3}}


def test_a_scenario_with_a_range_is_compared_at_its_typical_values_and_said_to_be(client):
    save_scenario(kind="ladder", slug="ranged", title="Ranged", input=RANGED)
    rows = [{"scenario": "ranged"}, {"name": "same", "input": {**LADDER, "pue": 1.2}}]

    report = ask(client, "compare", {"compared": rows}).json()

    assert {tuple(row["differences"]) for row in report["quantities"] if None not in row["values"]} == {(0, 0)}
    assert report["warnings"][-1] == {"code": "at_typical", "holds": [True, False]}
    both = '[{scenario: "ranged"}, {name: "b", scenario: "ranged"}]'
    theirs = ask_graphql(client, f"{{ simulateCompare(compared: {both}) {{ warnings {{ code holds }} }} }}")
    assert theirs["data"]["simulateCompare"]["warnings"][-1] == {
        "code": "at_typical",
        "holds": [True, True],
    }


def test_a_range_of_an_own_input_is_refused_where_it_stands(client):
    rows = [{"input": RANGED}, {"input": LADDER}]

    assert errors_of(ask(client, "compare", {"layer": "ladder", "compared": rows})) == {
        ("compared[0].input.pue", "range_not_allowed")
    }


def test_a_scenario_that_cannot_be_run_today_is_told_on_its_name(client):
    make_dgx()
    scenario = save_scenario(slug="four", title="Four", input=FOUR)
    type(scenario).objects.filter(pk=scenario.pk).update(input={"items": [{"device": "gone", "quantity": 4}]})

    response = ask(client, "compare", {"compared": [{"scenario": "four"}, {"input": FOUR}]})

    assert errors_of(response) == {("compared[0].scenario", "unknown_device")}
    message = response.json()["errors"][0]["message"]
    assert "items[0].device" in message
    assert message.endswith("Leave it out, or compare an input of your own.")

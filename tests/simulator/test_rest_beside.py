"""Sweeps and comparisons over REST."""

import pytest
from jsonschema import Draft202012Validator
from procrastinate.contrib.django.models import ProcrastinateJob

from core.api.openapi import shared_schemas
from simulator.models import Run
from simulator.rest.openapi import comparison_input_schema, comparison_schema, sweep_input_schema, sweep_report_schema
from simulator.services import save_scenario
from simulator.tasks import perform_run
from tests.factories import make_live_article
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
LADDER = INPUTS["ladder"]
PUE = {"field": "pue", "low": 1.1, "high": 1.3, "points": 3}


def ask(client, name, data):
    return client.post(f"/api/v1/simulator/{name}/", data, content_type="application/json")


def errors_of(response):
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


def valid(schema, data):
    whole = {**schema, "components": {"schemas": shared_schemas()}}
    return [error.message for error in Draft202012Validator(whole).iter_errors(data)]


def test_a_sweep_tells_every_quantity_at_every_point(client):
    article = make_live_article(explains=["campus_kw"])
    asked = {"layer": "ladder", "input": LADDER, "axes": [{**PUE, "points": 3}]}

    response = ask(client, "sweep", asked)

    report = response.json()
    assert response.status_code == 200
    assert report["axes"] == [{"field": "pue", "values": [1.1, 1.2, 1.3]}]
    assert (report["points_count"], report["exact_points_count"]) == (3, 0)
    assert next(row for row in report["quantities"] if row["quantity"] == "campus_kw") == {
        "quantity": "campus_kw",
        "unit": "kW",
        "values": [140250, 153000, 165750],
        "article_id": str(article.pk),
    }
    assert valid(sweep_input_schema(), asked) == []
    assert valid(sweep_report_schema(), report) == []


def test_a_rack_is_swept_over_two_numbers_and_warnings_are_counted(client):
    make_dgx()
    feed = {"voltage_v": 415, "phases": 3, "breaker_a": 60}
    axes = [
        {"field": "feed.breaker_a", "low": 60, "high": 100, "points": 3},
        {"field": "altitude_m", "low": 0, "high": 1800, "points": 2},
    ]

    report = ask(client, "sweep", {"layer": "rack", "input": {**FOUR, "feed": feed}, "axes": axes}).json()

    values = {row["quantity"]: row["values"] for row in report["quantities"]}
    assert report["points_count"] == 6
    assert values["density_kw"] == [40.8] * 6
    assert values["airflow_m3_h"][0] < values["airflow_m3_h"][1]
    assert {row["code"]: row["points_count"] for row in report["warnings"]}["feed_overloaded"] == 2


def runs_of(row, *more):
    return [tuple(run[name] for name in ("first", "last", *more)) for run in row["runs"]]


def test_a_sweep_says_from_how_many_nodes_on_air_no_longer_suffices(client):
    """A DGX H100 has 10.2 kW and 8 U: 3,000 m³/h at 12 K carry one of them, and a rack of 42 U holds five."""
    make_dgx()
    asked = {
        "layer": "rack",
        "input": {**FOUR, "airflow_available_m3_h": 3000},
        "axes": [{"field": "items[0].quantity", "low": 1, "high": 8}],
    }

    report = ask(client, "sweep", asked).json()

    outcomes = {row["path"]: row for row in report["outcomes"]}
    air = outcomes["cooling.methods[air].feasible"]
    assert runs_of(air, "value") == [(0, 0, True), (1, 7, False)]
    assert report["axes"][0]["values"][air["runs"][1]["first"]] == 2
    assert runs_of(outcomes["space.fits"], "value") == [(0, 4, True), (5, 7, False)]
    assert runs_of(outcomes["power.basis"], "value") == [(0, 7, "nameplate")]
    assert not [path for path in outcomes if path.endswith("].method")]
    warnings = {row["code"]: row for row in report["warnings"]}
    assert (warnings["does_not_fit"]["points_count"], runs_of(warnings["does_not_fit"])) == (3, [(5, 7)])
    # What it says is of six of them, the first that do not fit: as a single question says it.
    six = {"items": [{**FOUR["items"][0], "quantity": 6}], "airflow_available_m3_h": 3000}
    said = {row["code"]: row["message"] for row in ask(client, "rack", six).json()["warnings"]}
    assert warnings["does_not_fit"]["message"] == said["does_not_fit"]
    assert valid(sweep_report_schema(), report) == []


def test_of_two_axes_a_warning_holds_at_runs_of_the_second(client):
    make_dgx()
    axes = [
        {"field": "altitude_m", "low": 0, "high": 1800, "points": 2},
        {"field": "items[0].quantity", "low": 4, "high": 7},
    ]

    report = ask(client, "sweep", {"layer": "rack", "input": FOUR, "axes": axes}).json()

    (warning,) = (row for row in report["warnings"] if row["code"] == "does_not_fit")
    assert (warning["points_count"], runs_of(warning)) == (4, [(2, 3), (6, 7)])


def test_a_whole_number_runs_over_whole_numbers(client):
    axes = [{"field": "racks", "low": 1, "high": 3, "points": 9}]

    report = ask(client, "sweep", {"layer": "ladder", "input": LADDER, "axes": axes}).json()

    assert report["axes"] == [{"field": "racks", "values": [1, 2, 3]}]
    assert report["points_count"] == 3


def test_the_filling_of_a_rack_is_swept(client):
    """10.2 kW a DGX H100, more than 42 units hold too: what does not fit is a warning."""
    make_dgx()
    axes = [{"field": "items[0].quantity", "low": 1, "high": 8}]

    report = ask(client, "sweep", {"layer": "rack", "input": FOUR, "axes": axes}).json()

    values = {row["quantity"]: row["values"] for row in report["quantities"]}
    assert report["axes"] == [{"field": "items[0].quantity", "values": [1, 2, 3, 4, 5, 6, 7, 8]}]
    assert values["nameplate_kw"] == [10.2, 20.4, 30.6, 40.8, 51, 61.2, 71.4, 81.6]


def test_the_line_that_is_named_is_swept_wherever_a_rack_sorts_it(client):
    make_dgx()
    make_dgx(slug="a-switch", model="Switch", power_nameplate_w=1000)
    items = [*FOUR["items"], {"device": "a-switch", "quantity": 3}]
    axes = [{"field": "items[1].quantity", "low": 1, "high": 5, "points": 3}]

    report = ask(client, "sweep", {"layer": "rack", "input": {**FOUR, "items": items}, "axes": axes}).json()

    values = {row["quantity"]: row["values"] for row in report["quantities"]}
    assert report["axes"] == [{"field": "items[1].quantity", "values": [1, 3, 5]}]
    assert values["nameplate_kw"] == [41.8, 43.8, 45.8]


def test_a_refused_point_names_the_lines_as_they_were_asked_for(client):
    """A rack has 1,000 devices at most: 300 of one leave no place for 800 of the other."""
    make_dgx()
    make_dgx(slug="a-switch", model="Switch", power_nameplate_w=1000)
    items = [*FOUR["items"], {"device": "a-switch", "quantity": 3}]
    axes = [
        {"field": f"items[{n}].quantity", "low": 100, "high": high, "points": 2} for n, high in ((0, 300), (1, 800))
    ]

    response = ask(client, "sweep", {"layer": "rack", "input": {**FOUR, "items": items}, "axes": axes})

    assert [(each["field"], each["code"]) for each in response.json()["errors"]] == [("input.items", "too_many")]
    said = "(At items[0].quantity 300, items[1].quantity 800, a point of the sweep.)"
    assert response.json()["errors"][0]["message"].endswith(said)


QUANTITY = {"field": "items[0].quantity", "low": 1, "high": 8}
FEED = {"voltage_v": 415, "phases": 3, "breaker_a": 60}


@pytest.mark.parametrize(
    ("more", "axis", "field", "code", "message"),
    [
        (
            {},
            {**QUANTITY, "high": 11, "points": 5},
            "axes[0].points",
            "conflict",
            "5 points from 1 to 11 lie between whole numbers too; "
            "give 6 points, or 9 or 13 as high, or no points, to have them chosen.",
        ),
        (
            {},
            {**QUANTITY, "high": 8.5},
            "axes[0].high",
            "wrong_type",
            "high is 8.5; items[0].quantity is a whole number, so give one.",
        ),
        ({}, {**QUANTITY, "low": 0}, "axes[0].low", "out_of_range", None),
        ({}, {**QUANTITY, "high": 1001, "points": 2}, "axes[0].high", "out_of_range", None),
        ({"feed": FEED}, {"field": "feed.phases", "low": 1, "high": 2}, "axes[0].high", "not_a_choice", None),
        (
            {"feed": FEED},
            {"field": "feed.phases", "low": 1, "high": 3, "points": 3},
            "axes[0].points",
            "not_a_choice",
            "feed.phases is one of 1, 3; give points that meet no others.",
        ),
    ],
)
def test_a_sweep_of_a_whole_number_says_what_it_could_be(client, more, axis, field, code, message):
    make_dgx()

    (error,) = ask(client, "sweep", {"layer": "rack", "input": {**FOUR, **more}, "axes": [axis]}).json()["errors"]

    assert (error["field"], error["code"]) == (field, code)
    assert message is None or error["message"] == message


def test_devices_of_all_lines_are_counted_at_the_end_of_a_sweep(client):
    make_dgx()
    make_dgx(slug="a-switch", model="Switch")
    items = [*FOUR["items"], {"device": "a-switch", "quantity": 3}]
    axes = [{**QUANTITY, "high": 999, "points": 3}]

    (error,) = ask(client, "sweep", {"layer": "rack", "input": {**FOUR, "items": items}, "axes": axes}).json()["errors"]

    assert (error["field"], error["code"]) == ("axes[0].high", "too_many")


@pytest.mark.parametrize(
    ("asked", "problems"),
    [
        ({}, {("layer", "required"), ("axes", "required"), ("input", "required")}),
        (
            {"layer": "ladders", "axes": [{**PUE, "low": 2}, {"field": "pue", "low": 1, "high": 2, "points": 501}]},
            {
                ("layer", "not_a_choice"),
                ("axes[0].high", "conflict"),
                ("axes[1].points", "out_of_range"),
                ("input", "required"),
            },
        ),
        ({"layer": "ladder", "input": LADDER, "axes": [PUE, PUE]}, {("axes", "conflict")}),
        ({"layer": "ladder", "input": LADDER, "axes": [{**PUE, "field": "pu.e"}]}, {("axes[0].field", "unknown_key")}),
        ({"layer": "ladder", "input": LADDER, "axes": [{**PUE, "field": "puee"}]}, {("axes[0].field", "unknown_key")}),
        (
            {"layer": "ladder", "input": {**LADDER, "chip_w": -1}, "axes": [{**PUE, "low": 0.9}]},
            {("input.chip_w", "out_of_range"), ("axes[0].low", "out_of_range")},
        ),
        (
            {"layer": "ladder", "input": {**LADDER, "racks": 0}, "axes": [{**PUE, "field": "chips_per_node"}]},
            {("axes[0].low", "wrong_type"), ("axes[0].high", "wrong_type"), ("input.racks", "out_of_range")},
        ),
        (
            {
                "layer": "ladder",
                "input": {**LADDER, "chip_w": {"low": 600, "typical": 700, "high": 800}},
                "axes": [PUE],
            },
            {("input.chip_w", "range_not_allowed")},
        ),
        (
            {
                "layer": "ladder",
                "input": LADDER,
                "axes": [{**PUE, "points": 200}, {**PUE, "field": "chip_w", "points": 200}],
            },
            {("axes", "too_many")},
        ),
        (
            {"layer": "ladder", "input": LADDER, "axes": [{**PUE, "low": {"low": 1, "typical": 1, "high": 1}}]},
            {("axes[0].low", "range_not_allowed")},
        ),
        (
            {
                "layer": "ladder",
                "input": {**LADDER, "chip_w": -1, "pue": "any", "racks": 0, "rack": 1},
                "axes": [PUE, {**PUE, "field": "chip.w"}, {**PUE, "points": 1}],
                "more": 1,
            },
            {
                ("more", "unknown_key"),
                ("axes", "too_many"),
                ("axes[1].field", "unknown_key"),
                ("input.chip_w", "out_of_range"),
                ("input.racks", "out_of_range"),
                ("input.rack", "unknown_key"),
            },
        ),
        (
            {"layer": "ladder", "input": {**LADDER, "racks": 0}, "axes": [PUE, {**PUE, "field": "chip.w"}]},
            {("axes[1].field", "unknown_key"), ("input.racks", "out_of_range")},
        ),
        ({"layer": "ladder", "input": [], "axes": 3}, {("axes", "wrong_type"), ("input", "wrong_type")}),
    ],
)
def test_a_sweep_that_cannot_be_is_refused_by_its_paths(client, asked, problems):
    assert errors_of(ask(client, "sweep", asked)) == problems
    assert not Run.objects.exists()


def test_an_end_of_an_axis_is_named_as_the_axis_names_it(client):
    response = ask(client, "sweep", {"layer": "ladder", "input": LADDER, "axes": [{**PUE, "low": 0.9}]})

    (error,) = response.json()["errors"]
    assert (error["field"], error["message"]) == ("axes[0].low", "low is 0.9; it must be at least 1 and at most 10.")


def test_a_large_sweep_is_done_by_the_worker(client):
    asked = {
        "layer": "ladder",
        "input": LADDER,
        "axes": [{**PUE, "points": 30}, {"field": "chip_w", "low": 600, "high": 1200, "points": 20}],
    }

    waiting = ask(client, "sweep", asked)
    for arguments in ProcrastinateJob.objects.filter(queue_name="simulator").values_list("args", flat=True):
        perform_run(**arguments)
    done = client.get(waiting["Location"].removeprefix("http://testserver")).json()

    assert (waiting.status_code, waiting.json()["kind"], waiting.json()["state"]) == (202, "sweep", "waiting")
    assert (done["state"], done["errors"], done["report"]["points_count"]) == ("done", [], 600)
    campus = next(row for row in done["report"]["quantities"] if row["quantity"] == "campus_kw")
    assert (campus["values"][0], campus["values"][-1]) == (140250, 165750)


def test_a_sweep_of_many_lines_waits_for_the_worker_too(client):
    racks = [{"name": f"kind {n}", "count": 1, "nameplate_kw": 10} for n in range(50)]
    asked = {
        "layer": "hall",
        "input": {"racks": racks, "rows": 5, "row_positions": 10},
        "axes": [{"field": "inlet_c", "low": 10, "high": 30, "points": 401}],
    }

    waiting = ask(client, "sweep", asked)
    at_once = ask(client, "sweep", {**asked, "axes": [{**asked["axes"][0], "points": 400}]})

    # 401 points of 50 lines are 20,050.
    assert (waiting.status_code, waiting.json()["state"], at_once.status_code) == (202, "waiting", 200)


def test_inputs_are_compared_with_the_first(client):
    article = make_live_article(explains=["campus_kw"])
    asked = {
        "layer": "ladder",
        "compared": [
            {"name": "as built", "input": LADDER},
            {"input": {**LADDER, "pue": 1.3}},
            {"input": {**LADDER, "node_kw": 5}},
        ],
    }

    response = ask(client, "compare", asked)

    report = response.json()
    assert response.status_code == 200
    assert report["names"] == ["as built", "2", "3"]
    assert next(row for row in report["quantities"] if row["quantity"] == "campus_kw") == {
        "quantity": "campus_kw",
        "unit": "kW",
        "values": [150450, 165750, 73750],
        "differences": [0, 15300, -76700],
        "ratios": [1, 1.10169, 0.490196],
        "article_id": str(article.pk),
    }
    assert report["warnings"] == [{"code": "node_below_chips", "holds": [False, False, True]}]
    assert valid(comparison_input_schema(), asked) == []
    assert valid(comparison_schema(), report) == []


def test_answers_are_compared_and_those_that_differ_are_marked(client):
    make_dgx()
    feed = {"voltage_v": 415, "phases": 3, "breaker_a": 60}
    rows = [
        {"input": {"items": [{**FOUR["items"][0], "quantity": n}], "airflow_available_m3_h": 3000, **more}}
        for n, more in ((1, {}), (2, {"feed": feed}), (6, {}))
    ]

    report = ask(client, "compare", {"compared": rows}).json()

    outcomes = {row["path"]: (row["values"], row["differs"]) for row in report["outcomes"]}
    assert outcomes["cooling.methods[air].feasible"] == ([True, False, False], True)
    assert outcomes["space.fits"] == ([True, True, False], True)
    assert outcomes["power.basis"] == (["nameplate"] * 3, False)
    # Where nothing was asked of a feed there is no answer.
    assert outcomes["electrical.ok"] == ([None, True, None], True)
    assert not [path for path in outcomes if path.endswith("].method")]
    assert valid(comparison_schema(), report) == []


def test_tiers_that_bind_are_compared(client):
    given = INPUTS["supply"]
    rows = [{"input": given}, {"input": {**given, "load_kw": given["load_kw"] / 10}}]

    report = ask(client, "compare", {"layer": "supply", "compared": rows}).json()

    outcomes = {row["path"]: (row["values"], row["differs"]) for row in report["outcomes"]}
    assert outcomes["ok"] == ([False, True], True)
    assert outcomes["tiers[phase].ok"] == ([False, True], True)
    assert outcomes["tiers[utility].ok"] == ([True, True], False)
    assert outcomes["binding_tier"][0][0] == "phase"


def test_scenarios_are_compared_as_they_would_run_today(client):
    dgx = make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)
    dgx.power_nameplate_w = 10_000
    dgx.save()
    two = {"items": [{**FOUR["items"][0], "quantity": 2}]}

    report = ask(client, "compare", {"compared": [{"scenario": "four"}, {"input": two}]}).json()

    density = next(row for row in report["quantities"] if row["quantity"] == "density_kw")
    assert report["names"] == ["four", "2"]
    assert (density["values"], density["differences"]) == ([40, 20], [0, -20])


def test_scenarios_are_compared_as_their_kind_where_no_layer_is_named(client):
    save_scenario(kind="ladder", slug="ladder", title="Up", input=LADDER)

    report = ask(client, "compare", {"compared": [{"scenario": "ladder"}, {"input": {**LADDER, "pue": 1.3}}]}).json()

    assert (report["layer"], report["names"]) == ("ladder", ["ladder", "2"])


@pytest.mark.parametrize(
    ("asked", "problems"),
    [
        ([], {(None, "wrong_type")}),
        ({}, {("compared", "required")}),
        ({"compared": []}, {("compared", "too_few")}),
        ({"compared": [{"input": {}}]}, {("compared", "too_few")}),
        ({"compared": [{"input": {}}] * 7, "layers": 1}, {("compared", "too_many"), ("layers", "unknown_key")}),
        (
            {"layer": "ladder", "compared": [{"input": {**LADDER, "pue": 0.5}}, {"input": {**LADDER, "rack": 1}}]},
            {("compared[0].input.pue", "out_of_range"), ("compared[1].input.rack", "unknown_key")},
        ),
        (
            {"compared": [{"scenario": "none"}, {"input": {}, "scenario": "x"}, {"scenario": "a\x00"}, 3]},
            {
                ("compared[0].scenario", "unknown_scenario"),
                ("compared[1]", "conflict"),
                ("compared[2].scenario", "unknown_scenario"),
                ("compared[3]", "wrong_type"),
            },
        ),
        (
            {"layer": "ladder", "compared": [{"name": "a", "input": LADDER}, {"name": "a", "input": LADDER}]},
            {("compared", "conflict")},
        ),
        (
            {"compared": [{"scenario": "\ud800"}, {"name": "\ud800", "\ud800": 1, "input": {}}], "\ud800": 1},
            {
                ("compared[0].scenario", "unknown_scenario"),
                ("compared[1].name", "wrong_type"),
                ("compared[1].\\ud800", "unknown_key"),
                ("\\ud800", "unknown_key"),
                ("compared[1].input.items", "required"),
            },
        ),
        (
            {
                "layer": "ladder",
                "compared": [
                    {"name": "a", "input": {**LADDER, "pue": 0.5}},
                    {"name": "a", "input": None},
                    {"scenario": "none"},
                    {},
                ],
            },
            {
                ("compared", "conflict"),
                ("compared[0].input.pue", "out_of_range"),
                ("compared[1].input", "wrong_type"),
                ("compared[2].scenario", "unknown_scenario"),
                ("compared[3]", "conflict"),
            },
        ),
        ({"layer": "ladders", "compared": 3}, {("layer", "not_a_choice"), ("compared", "wrong_type")}),
        ({"layer": "ladders", "compared": [{"input": {}}] * 2}, {("layer", "not_a_choice")}),
    ],
)
def test_a_comparison_that_cannot_be_is_refused_by_its_paths(client, asked, problems):
    assert errors_of(ask(client, "compare", asked)) == problems

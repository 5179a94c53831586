"""A question with next to nothing in it is answered with a notice of what could be given."""

import pytest

from tests.simulator.test_layers import INPUTS

pytestmark = pytest.mark.django_db
HALL = {"racks": [{"name": "a", "count": 2, "nameplate_kw": 40}], "rows": 1, "row_positions": 4}


def notices(client, layer, data):
    report = client.post(f"/api/v1/simulator/{layer}/", data, content_type="application/json").json()
    return [each["message"] for each in report["warnings"] if each["code"] == "little_given"]


@pytest.mark.parametrize(
    ("layer", "data", "names"),
    [
        (
            "reliability",
            {"nodes": 10},
            ["failures_per_1000_node_days", "job_mttf_h", "write_s", "restart_s", "run_days"],
        ),
        ("supply", {"load_kw": 100}, ["feeds", "shelves", "ups", "generators", "utility_kw", "stages"]),
        ("hall", HALL, ["air_transport_fraction", "liquid_transport_fraction", "distribution_loss_fraction"]),
    ],
)
def test_one_notice_says_what_could_be_given(client, layer, data, names):
    (message,) = notices(client, layer, data)

    assert [name for name in names if name not in message] == []


@pytest.mark.parametrize(
    ("layer", "data"),
    [
        ("reliability", {"nodes": 10, "job_mttf_h": 100}),
        ("reliability", {"nodes": 10, "failures_per_1000_node_days": 7}),
        ("reliability", {"nodes": 10, "outage": {}}),
        ("supply", {"load_kw": 100, "utility_kw": 200}),
        ("hall", {**HALL, "distribution_loss_fraction": 0.05}),
        *INPUTS.items(),
    ],
)
def test_there_is_none_where_something_is_given(client, layer, data):
    assert notices(client, layer, data) == []


def test_a_load_on_three_phases_is_told_to_be_shares(client):
    with_shares = {**INPUTS["supply"], "feeds": {"voltage_v": 400, "voltage_is": "line", "phases": 3, "breaker_a": 63}}
    answers = [
        client.post(
            "/api/v1/simulator/supply/",
            {**with_shares, "phase_loads": {"a_va": 3 * n, "b_va": 2 * n, "c_va": n}},
            content_type="application/json",
        ).json()
        for n in (1, 1000)
    ]

    # Its trace tells the shares as they were given.
    told = [{name: value for name, value in answer.items() if name != "trace"} for answer in answers]
    assert told[0] == told[1]
    assert told[0]["warnings"][0]["code"] == "phases_unequal"

"""What no plan should be asked for, by HTTP: a 400 that names each field, and never a run that fails by our fault."""

import json
import random

import pytest

from simulator import runs
from simulator.models import Run
from tests.factories import make_device
from tests.simulator.test_hostile_inputs import NEVER, NO_JSON, SOMETIMES, fields_of, is_named, numbers_of, put, written

pytestmark = pytest.mark.django_db

PLAN = {
    "accelerators": 64,
    "devices": [{"device": "server", "price": 300_000, "available": 20}, {"device": "small", "price": 70_000}],
    "each_rack": [{"device": "switch", "quantity": 2}],
    "rack": {"units": 42, "footprint_m2": 0.72, "tare_kg": 100, "max_kg": 1500, "floor_max_kg_m2": 2000},
    "rows": {"count": 3, "racks_max": 8, "power_max_kw": 300},
    "rack_power_max_kw": 44,
    "rack_weight_max_kg": 1400,
    "rack_airflow_max_m3_h": 12_000,
    "rack_price": 9000,
    "racks_max": 20,
    "site_power_max_kw": 500,
    "budget": 9_000_000,
    "inlet_c": 25,
    "altitude_m": 0,
    "air_rise_k": 12,
    "time_limit_s": 1,
}
BODIES = [
    "[]",
    "7",
    "null",
    '"x"',
    "{}",
    "[" * 20_000,
    '{"a":' * 5000,
    '{"accelerators": 1, "devices": [' + "[" * 500 + "]" * 500 + "]}",
    '{"accelerators": 1, "devices": {"device": "server"}}',
    '{"accelerators": 1, "devices": ["server"]}',
    '{"accelerators": 1, "devices": [{"device": "\\ud800"}]}',
    '{"accelerators": 1, "devices": [{"device": "\\u0000"}]}',
    '{"accelerators": 1, "devices": [{"device": "server"}], "\\udfff": 1}',
    '{"accelerators": 1, "devices": [{"device": "server"}], "basis": "\\ud83d"}',
    '{"accelerators": 1, "devices": [{"device": "server"}], "rack": {"type": "\\ud83d"}}',
    '{"accelerators": 1, "devices": [{"device": "server"}, {"device": "server"}]}',
    '{"accelerators": 1, "devices": [{"device": ["server"]}]}',
    '{"accelerators": 1000000000, "devices": [{"device": "server"}]}',
    '{"accelerators": 0, "devices": [{"device": "server"}]}',
    '{"accelerators": 1, "devices": [{"device": "server"}], "each_rack": [{"device": "server", "quantity": 1}]}',
    '{"accelerators": 1, "devices": [{"device": "server"}], "each_rack": [{"device": "whole", "quantity": 1}]}',
    json.dumps({"accelerators": 1, "devices": [{"device": f"none-{n}"} for n in range(61)]}),
    json.dumps({"accelerators": 1, "devices": [{"device": "server", "available": 10**400}]}),
]


@pytest.fixture(autouse=True)
def catalogue():
    known = {"is_full_depth": True, "heat_to_liquid_fraction": 0}
    make_device(slug="server", u_height=8, weight_kg="130.4", power_nameplate_w=10_200, gpu_count=8, **known)
    make_device(slug="small", u_height=2, weight_kg=30, power_nameplate_w=2_000, gpu_count=2, **known)
    make_device(slug="switch", u_height=1, weight_kg=10, power_nameplate_w=500, gpu_count=0, **known)
    make_device(slug="whole", is_whole_rack=True, weight_kg=1300, power_nameplate_w=120_000, gpu_count=72)
    make_device(slug="silent", u_height=None, weight_kg=None, power_nameplate_w=None, gpu_count=None)


def ask(client, body):
    return client.post("/api/v1/simulator/plan/", body, content_type="application/json")


def done(client, response):
    """Let the worker do a run that was asked for, and return it."""
    key = response.json()["id"]
    runs.perform(key)
    run = client.get(f"/api/v1/simulator/runs/{key}/").json()
    Run.objects.all().delete()
    return run


def judged(client, path, raw, *, must_be_refused):
    response = ask(client, written(PLAN, path, raw))
    told = f"{path} {raw[:40]}: {response.status_code} {response.content[:300]!r}"
    assert response.status_code in ((400,) if must_be_refused else (202, 400)), told
    if response.status_code == 400:
        assert is_named(path, fields_of(response)), told
        assert not Run.objects.exists()
        return
    run = done(client, response)
    assert run["state"] == "done", (told, run["errors"])
    assert run["report"]["status"] in ("optimal", "feasible", "infeasible"), told
    if run["report"]["status"] == "infeasible":
        assert run["report"]["shortfalls"] or run["report"]["unusable"], told


def every(raws):
    return [(path, raw) for path in numbers_of(PLAN) for raw in raws]


def test_the_plan_that_is_spoilt_here_is_sound(client):
    run = done(client, ask(client, json.dumps(PLAN)))

    assert (run["state"], run["report"]["status"], run["report"]["racks_count"]) == ("done", "optimal", 2)


def test_what_is_no_number_is_named_by_its_path(client):
    for path, raw in random.Random("never").sample(every(NEVER), 40):
        judged(client, path, raw, must_be_refused=True)


def test_extreme_numbers_are_planned_or_named(client):
    for path, raw in random.Random("sometimes").sample(every(SOMETIMES), 12):
        judged(client, path, raw, must_be_refused=False)


@pytest.mark.long
def test_every_number_of_a_plan_takes_every_hostile_value(client):
    for path, raw in every(NEVER):
        judged(client, path, raw, must_be_refused=True)
    for path, raw in every(SOMETIMES):
        judged(client, path, raw, must_be_refused=False)


def test_a_range_stands_for_no_number_of_a_plan(client):
    for path, _ in every([""]):
        judged(client, path, '{"low": 1, "typical": 2, "high": 3}', must_be_refused=True)


@pytest.mark.parametrize("body", BODIES)
def test_another_body_is_refused(client, body):
    response = ask(client, body)

    assert response.status_code == 400, response.content
    assert response.json()["errors"]
    assert len(response.content) < 20_000
    assert not Run.objects.exists()


def test_a_body_of_a_megabyte_is_too_large(client):
    response = ask(client, json.dumps({**PLAN, "x": "y" * 1_000_000}))

    assert (response.status_code, response.json()["errors"][0]["code"]) == (413, "document_too_large")


def test_what_is_no_json_is_refused(client):
    for raw in NO_JSON:
        response = ask(client, written(PLAN, "budget", raw))
        assert (response.status_code, response.json()["errors"][0]["code"]) == (400, "parse_error"), raw


def test_all_numbers_at_once_are_all_named(client):
    data, paths = PLAN, list(numbers_of(PLAN))
    for path in paths:
        data = put(data, path, "many")

    response = ask(client, json.dumps(data))

    assert response.status_code == 400
    assert set(fields_of(response)) == set(paths)


@pytest.mark.parametrize(
    ("devices", "limits", "codes"),
    [
        ([{"device": "silent"}], {}, ["no_accelerators"]),
        ([{"device": "switch"}], {}, ["no_accelerators"]),
        ([{"device": "server"}], {"budget": 10**9}, ["unknown_price"]),
        ([{"device": "whole"}, {"device": "server"}], {"rack_power_max_kw": 5}, ["power_kw_exceeded"] * 2),
    ],
)
def test_what_cannot_be_used_is_told_for_each_device(client, devices, limits, codes):
    run = done(client, ask(client, json.dumps({"accelerators": 8, "devices": devices, "time_limit_s": 1, **limits})))

    assert (run["report"]["status"], [each["code"] for each in run["report"]["unusable"]]) == ("infeasible", codes)


def test_sixty_devices_are_planned_in_their_time(client):
    known = {"is_full_depth": True, "heat_to_liquid_fraction": 0}
    for n in range(60):
        size = {"u_height": 1 + n % 5, "weight_kg": 20 + n, "power_nameplate_w": 1_000 + 137 * n}
        make_device(slug=f"many-{n}", gpu_count=1 + n % 8, **size, **known)
    devices = [{"device": f"many-{n}", "price": 1_000 + 999 * n, "available": 3 + n} for n in range(60)]
    asked = {"accelerators": 700, "devices": devices, "rack_power_max_kw": 33, "objective": "lowest_cost"}

    run = done(client, ask(client, json.dumps({**asked, "time_limit_s": 5})))

    assert (run["state"], run["report"]["status"] in ("optimal", "feasible")) == ("done", True)
    assert run["report"]["gap_fraction"] < 0.02

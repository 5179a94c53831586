"""What no input should be, to every layer by HTTP: a 400 that names each field, never a 500, and never long work."""

import json
import random
from copy import deepcopy

import pytest

from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import make_dgx

pytestmark = pytest.mark.django_db

RACK = {
    "items": [{"device": "nvidia-dgx-h100", "quantity": 4}],
    "rack": {"units": 48, "max_kg": 1500, "footprint_m2": 0.72, "floor_max_kg_m2": 2000},
    "inlet_c": 24,
    "altitude_m": 1800,
    "air_rise_k": 12,
    "coolant_rise_k": 10,
    "coolant_supply_c": 30,
    "airflow_available_m3_h": 8000,
    "feed": {"voltage_v": 415, "phases": 3, "breaker_a": 60, "power_factor": 0.95},
    "limits": {"immersion_max_kw": 100, "direct_to_chip_max_kw": 120},
    "door": {"conductance_kw_k": 2, "water_in_c": 18, "water_l_min": 60, "dew_point_c": 12},
}
BESIDE = {
    "sweep": {
        "layer": "ladder",
        "input": INPUTS["ladder"],
        "axes": [{"field": "pue", "low": 1.1, "high": 1.5, "points": 3}],
    },
    "compare": {"layer": "ladder", "compared": [{"input": INPUTS["ladder"]}, {"name": "b", "input": INPUTS["ladder"]}]},
}
ASKED = {"rack": RACK, **INPUTS}

# As they are written in JSON. A number that is allowed somewhere is fine; what is none must be named.
NEVER = [
    '"NaN"',
    '"1e3"',
    "true",
    '""',
    "[]",
    "[1]",
    '{"low": 1}',
    '{"low": 2, "typical": 1, "high": 3}',
    '{"low": [], "typical": {}, "high": null}',
    '{"x": 1}',
    "[" * 40 + "]" * 40,
    "9" * 400,
    "-" + "9" * 40 + ".5",
    "1e308",
    "1e999",
]
SOMETIMES = [
    "0",
    "-0.0",
    "-1",
    "0.1234567890123456789012345678901234567891",
    "1e-320",
    "1e15",
    "2.5",
    "null",
    '{"low": 0, "typical": 1, "high": 1e15}',
    '{"low": 1, "typical": 1, "high": 1}',
]
NO_JSON = ["NaN", "Infinity", "-Infinity", "{", "'1'", "0x10", "\x00"]


def numbers_of(data, path=""):
    """Give the path of each number of an input, with what a client would call it."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from numbers_of(value, f"{path}.{name}" if path else name)
    elif isinstance(data, list):
        for n, value in enumerate(data):
            yield from numbers_of(value, f"{path}[{n}]")
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield path


def put(data, path, value):
    steps = path.replace("[", ".").replace("]", "").split(".")
    place = data = deepcopy(data)
    for step in steps[:-1]:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[steps[-1]] = value
    return data


def post(client, layer, body):
    return client.post(f"/api/v1/simulator/{layer}/", body, content_type="application/json")


def written(data, path, raw):
    """Return the JSON of an input with `raw` in the place of a number."""
    return json.dumps(put(data, path, "@@")).replace('"@@"', raw)


def fields_of(response):
    return [error["field"] for error in response.json()["errors"]]


def is_named(path, fields):
    """Whether a field is the path, inside of it, or around it (what two values together forbid)."""
    return any(field.startswith(path) or path.startswith(field) for field in fields if field)


@pytest.fixture
def catalogue():
    make_dgx()


def judged(client, layer, data, path, raw, *, must_be_refused):
    response = post(client, layer, written(data, path, raw))
    told = f"{layer} {path} {raw[:40]}: {response.status_code} {response.content[:300]!r}"
    assert response.status_code in ((400,) if must_be_refused else (200, 400)), told
    if response.status_code == 400:
        assert is_named(path, fields_of(response)) or not must_be_refused, told
        assert fields_of(response), told


def every(layer, raws):
    return [(path, raw) for path in numbers_of(ASKED[layer]) for raw in raws]


@pytest.mark.parametrize("layer", ASKED)
def test_the_inputs_that_are_spoilt_here_are_sound(client, catalogue, layer):
    response = post(client, layer, json.dumps(ASKED[layer]))

    assert response.status_code == 200, response.content


@pytest.mark.parametrize("layer", ASKED)
def test_what_is_no_number_is_named_by_its_path(client, catalogue, layer):
    for path, raw in random.Random(layer).sample(every(layer, NEVER), 12):
        judged(client, layer, ASKED[layer], path, raw, must_be_refused=True)


@pytest.mark.parametrize("layer", ASKED)
def test_extreme_numbers_are_computed_or_named(client, catalogue, layer):
    for path, raw in random.Random(layer).sample(every(layer, SOMETIMES), 12):
        judged(client, layer, ASKED[layer], path, raw, must_be_refused=False)


@pytest.mark.long
@pytest.mark.parametrize("layer", ASKED)
def test_every_number_of_every_input_takes_every_hostile_value(client, catalogue, layer):
    for raws, must_be_refused in ((NEVER, True), (SOMETIMES, False)):
        for path, raw in every(layer, raws):
            judged(client, layer, ASKED[layer], path, raw, must_be_refused=must_be_refused)


@pytest.mark.parametrize("layer", ASKED)
def test_what_is_no_json_is_refused(client, catalogue, layer):
    path = next(numbers_of(ASKED[layer]))
    for raw in NO_JSON:
        response = post(client, layer, written(ASKED[layer], path, raw))
        assert (response.status_code, [error["code"] for error in response.json()["errors"]]) == (
            400,
            ["parse_error"],
        ), raw


@pytest.mark.parametrize("layer", ASKED)
def test_all_numbers_at_once_are_all_named(client, catalogue, layer):
    data, paths = ASKED[layer], list(numbers_of(ASKED[layer]))
    for path in paths:
        data = put(data, path, "many")

    response = post(client, layer, json.dumps(data))

    assert response.status_code == 400
    assert set(fields_of(response)) == set(paths)


@pytest.mark.parametrize("layer", ASKED)
def test_a_name_that_is_not_known_is_named_beside_what_is_wrong_else(client, catalogue, layer):
    path = next(numbers_of(ASKED[layer]))

    response = post(client, layer, json.dumps({**put(ASKED[layer], path, -1e9), "x" * 3000: 1, "nodess": 2}))

    fields = fields_of(response)
    assert response.status_code == 400
    assert "nodess" in fields
    assert is_named(path, fields)
    assert len(response.content) < 20_000


@pytest.mark.parametrize("layer", ASKED)
@pytest.mark.parametrize("body", ["[]", "7", "null", '"x"', "{}", "[" * 20_000, '{"a":' * 5000])
def test_another_body_is_refused(client, catalogue, layer, body):
    response = post(client, layer, body)

    assert response.status_code == 400


@pytest.mark.long
@pytest.mark.parametrize("what", BESIDE)
def test_every_number_of_a_sweep_and_a_comparison_takes_every_hostile_value(client, what):
    # What an axis runs over is not read of the input.
    paths = [path for path in numbers_of(BESIDE[what]) if path != "input.pue"]
    assert post(client, what, json.dumps(BESIDE[what])).status_code == 200
    for path in paths:
        for raw in NEVER:
            judged(client, what, BESIDE[what], path, raw, must_be_refused=True)
        for raw in SOMETIMES:
            judged(client, what, BESIDE[what], path, raw, must_be_refused=False)


@pytest.mark.parametrize("what", BESIDE)
def test_the_smallest_and_the_largest_numbers_of_sweeps_and_comparisons_are_told(client, what):
    path = "input.chip_w" if what == "sweep" else "compared[0].input.chip_w"
    for raw in ("1e-320", "1e15", "1e308", "0"):
        judged(client, what, BESIDE[what], path, raw, must_be_refused=False)

"""Whatever a layer refuses is told by a field that its input has, or of all of it: never by what follows from it."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import LAYERS, RACK, Asked, InvalidParameters, Line, Span, run_asked
from simulator.engine.layers import has_path
from simulator.engine.parameters import declared
from tests.simulator.builders import make_device

HALL = {"racks": [{"name": "hot", "count": 1_000_000, "nameplate_kw": 50}], "rows": 10_000, "row_positions": 1000}
DEVICES = (
    make_device("hot", power_nameplate_w=1_000_000, power_typical_w=None, heat_to_liquid_fraction=1),
    make_device("cold", power_nameplate_w=0, power_typical_w=0, power_idle_w=0),
    make_device("unknown", power_nameplate_w=None, power_typical_w=None, power_idle_w=None, weight_kg=None),
)


def ends(parameter):
    """Return the numbers at and near the ends of what a parameter may be."""
    if parameter.choices:
        return list(parameter.choices)
    allowed = parameter.allowed
    low = allowed.low if allowed.low is not None else allowed.above
    high = allowed.high if allowed.high is not None else allowed.below
    low, high = Decimal(low), Decimal(high)
    least = Decimal(1) if parameter.kind == "whole" or allowed.step else (high - low) * Decimal("1E-9")
    near = [low if allowed.low is not None else low + least, high if allowed.high is not None else high - least]
    near += [low + least, low + 10 * least, (low + high) / 2, low + (high - low) / 1000]
    step = Decimal(1) if parameter.kind == "whole" else allowed.step
    fit = [each // step * step if step else each for each in near]
    kept = [each for each in fit if allowed.problem("", each) is None]
    return [int(each) for each in kept] if parameter.kind == "whole" else kept


def value_of(data, name, parameter):
    if parameter.part is Line:
        return tuple(Line(each, data.draw(st.sampled_from([1, 7, 300]))) for each in DEVICES)
    if parameter.kind == "parts":
        return tuple(made(data, parameter.part) for _ in range(data.draw(st.integers(1, 2))))
    if parameter.kind == "part":
        return made(data, parameter.part)
    if parameter.kind == "choice":
        return data.draw(st.sampled_from(parameter.choices))
    if parameter.kind == "flag":
        return data.draw(st.booleans())
    if parameter.kind == "text":
        return f"{name} {data.draw(st.integers(0, 10**9))}"
    return data.draw(st.sampled_from(ends(parameter)))


def made(data, of):
    """Return an input of allowed values, each at an end of its range. Raises InvalidParameters where they conflict."""
    known = declared(of).items()
    asked = {name: each for name, (each, _) in known if each.is_required or data.draw(st.booleans())}
    return of(**{name: value_of(data, name, each) for name, each in asked.items() if name != "type"})


def spans_of(data, layer, asked):
    """Return ranges of some numbers at the top of an input, to an end of what each may be."""
    numbers = {name: each for name, (each, _) in declared(layer.input_type).items() if each.is_rangeable}
    found = {}
    for name in data.draw(st.lists(st.sampled_from(sorted(numbers)), max_size=2, unique=True)):
        typical = getattr(asked, name)
        if typical is not None:
            typical = Decimal(typical)
            low, high = sorted([typical, Decimal(data.draw(st.sampled_from(ends(numbers[name]))))])
            found[name] = Span(low, typical, high, numbers[name].is_stepped)
    return found


def walk(data):
    layer = data.draw(st.sampled_from([RACK, *LAYERS.values()]))
    try:
        asked = made(data, layer.input_type)
    except InvalidParameters:
        return  # It is refused before the layer runs; `test_hostile_inputs` reads such.
    try:
        run_asked(layer, Asked(asked, spans_of(data, layer, asked)))
    except InvalidParameters as error:
        lost = [each for each in error.problems if not has_path(layer.input_type, each.field)]
        assert (layer.name, lost) == (layer.name, [])


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_every_problem_of_every_layer_names_a_field_of_its_input(data):
    walk(data)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None)
@given(st.data())
def test_every_problem_of_very_many_inputs_names_a_field_of_them(data):
    walk(data)


@pytest.mark.parametrize(
    ("path", "is_there"),
    [
        ("", True),
        ("racks", True),
        ("racks[3].count", True),
        ("racks[3].cuont", False),
        ("heat_kw", False),
        ("rows.a", False),
    ],
)
def test_a_path_is_one_of_the_declared(path, is_there):
    assert has_path(LAYERS["hall"].input_type, path) is is_there


def ask(client, layer, data):
    return client.post(f"/api/v1/simulator/{layer}/", data, content_type="application/json")


def test_a_hall_of_a_million_hot_racks_is_answered(client, db):
    report = ask(client, "hall", HALL).json()

    assert (report["racks_placed_count"], report["it_kw"], report["heat_rejected_kw"]) == (1_000_000, 50_000_000, None)
    # 5e10 W / (1.184 kg/m³ · 1005 J/(kg·K) · 12 K) · 3600 s
    assert report["hall_airflow_m3_h"] == pytest.approx(50e9 / (1.18414 * 1005 * 12) * 3600, rel=1e-3)


@pytest.mark.parametrize(
    ("layer", "more"),
    [
        ("reliability", {"nodes": 1, "job_mttf_h": 100_000_000, "write_s": 1}),
        ("reliability", {"nodes": 1, "interval_s": 100_000_000, "restart_s": 100_000_000, "outage": {"outage_s": 60}}),
        ("reliability", {"nodes": 10_000_000, "gpus_per_node": 1024, "interval_s": 1, "restart_s": 1, "outage": {}}),
        ("hall", {**HALL, "cdu_kw": 0.001, "racks": [{**HALL["racks"][0], "liquid_fraction": 1}]}),
    ],
)
def test_what_each_number_allows_is_answered_together(client, db, layer, more):
    response = ask(client, layer, more)

    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


def test_what_follows_from_the_input_is_told_of_all_of_it(client, db):
    supply = {
        "load_kw": 10_000_000,
        "stages": [{"name": "poor", "efficiency": 0.05, "below": "breaker"}],
        "feeds": {"voltage_v": 400, "voltage_is": "line", "phases": 3, "breaker_a": 63},
    }

    response = ask(client, "supply", supply)
    swept = {"layer": "supply", "input": supply, "axes": [{"field": "load_kw", "low": 9_000_000, "high": 10_000_000}]}

    (error,) = response.json()["errors"]
    assert (response.status_code, error["field"], error["code"]) == (400, None, "out_of_range")
    assert error["message"].endswith("real_kw follows from the input: change the numbers that it is made of.")
    (error,) = ask(client, "sweep", swept).json()["errors"]
    assert (error["field"], error["code"]) == ("input", "out_of_range")


@pytest.mark.parametrize(
    ("layer", "data", "field"),
    [
        (
            "rack",
            {"items": [{"device": "d", "quantity": {"low": 1.5, "typical": 2, "high": 3}}]},
            "items[0].quantity.low",
        ),
        ("hall", {**HALL, "rows": {"low": 1, "typical": 2, "high": 3.5}}, "rows.high"),
        ("hall", {**HALL, "rows": {"low": 1, "typical": "2", "high": 3}}, "rows.typical"),
    ],
)
def test_an_end_of_a_range_of_a_whole_number_is_said_to_be_one(client, db, layer, data, field):
    response = ask(client, layer, data)

    told = {error["field"]: (error["code"], error["message"]) for error in response.json()["errors"]}
    assert told[field] == ("wrong_type", f"{field.rpartition('.')[2]} must be a whole number.")


def test_an_end_of_a_range_of_another_number_is_said_to_be_a_number(client, db):
    response = ask(client, "hall", {**HALL, "inlet_c": {"low": "1", "typical": 2, "high": 3}})

    (error,) = response.json()["errors"]
    assert (error["field"], error["message"]) == ("inlet_c.low", "low must be a number.")

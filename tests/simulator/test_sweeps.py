"""A sweep gives at every point what a single question gives there, and computes its points together."""

from contextlib import suppress
from decimal import Decimal
from itertools import pairwise
from time import process_time

import pytest

from simulator.engine import LAYERS, RACK, InvalidParameters, Line, RackInput, read_layer
from simulator.engine.electrical import Feed
from simulator.engine.layers import replaced
from simulator.engine.numbers import REPORT_DIGITS, precise, rounded
from simulator.engine.outcomes import are_told, outcomes_of
from simulator.engine.parameters import declared, problem_with
from simulator.engine.sweeps import points_of, sweep
from simulator.engine.throttle import chip_c, throttle_airflow
from tests.simulator.builders import DGX_H100
from tests.simulator.test_layers import INPUTS

FACTORS = ("0.913", "0.957", "1", "1.031", "1.072", "1.0999")


def single(layer, given, axes):
    """Return each quantity, each warning and each outcome at every point, asked one by one."""
    points = points_of(axes)
    values, warned, answers = {}, {}, {}
    said = {}
    for index, point in enumerate(points):
        asked = given
        for path, value in zip(axes, point, strict=True):
            asked = replaced(asked, path, value)
        report = layer.run(asked)
        for entry in report.trace:
            told = None if entry.value is None else float(rounded(entry.value, REPORT_DIGITS))
            values.setdefault(entry.quantity, [None] * len(points))[index] = told
        for warning in report.warnings:
            warned.setdefault(warning.code, [False] * len(points))[index] = True
            said.setdefault(warning.code, warning.message)
        for path, answer in outcomes_of(report).items():
            answers.setdefault(path, [None] * len(points))[index] = answer
    told = {path: row for path, row in answers.items() if are_told(path, row)}
    return values, warned, said, told


def swept(layer, given, axes):
    found = sweep(layer, given, axes)
    count = len(points_of(axes))
    warned = {}
    for row in found.warnings:
        holds = [False] * count
        for run in row.runs:
            assert holds[run.first : run.last + 1] == [False] * (run.last + 1 - run.first)
            holds[run.first : run.last + 1] = [True] * (run.last + 1 - run.first)
        # As few runs as can be, and their points are counted.
        assert len(row.runs) == sum(here and not before for before, here in pairwise([False, *holds]))
        assert row.points_count == sum(holds)
        warned[row.code] = holds
    outcomes = {}
    for row in found.outcomes:
        assert [run.first for run in row.runs] == [0, *(run.last + 1 for run in row.runs[:-1])]
        assert all(one.value != other.value for one, other in pairwise(row.runs))
        outcomes[row.path] = [run.value for run in row.runs for _ in range(run.first, run.last + 1)]
    values = {row.quantity: list(row.values) for row in found.quantities}
    return values, warned, {row.code: row.message for row in found.warnings}, outcomes


def numbers_of(name):
    """Return the numbers of a layer's example that move what follows one way, each with values that it can have."""
    given = read_layer(LAYERS[name], INPUTS[name]).input
    for path, (parameter, _) in declared(type(given)).items():
        current = getattr(given, path)
        if not parameter.is_rangeable or parameter.is_stepped or not current:
            continue
        values = {rounded(Decimal(current) * Decimal(factor), 15) for factor in FACTORS}
        if parameter.kind == "whole":
            values = {Decimal(int(value)) for value in values}
        yield path, sorted(value for value in values if parameter.allowed.problem(path, value) is None)


EVERY = [pytest.param(name, path, values, id=f"{name}.{path}") for name in LAYERS for path, values in numbers_of(name)]


@pytest.mark.parametrize(("name", "path", "values"), EVERY)
def test_every_number_swept_equals_the_single_questions(name, path, values):
    given = read_layer(LAYERS[name], INPUTS[name]).input
    assert swept(LAYERS[name], given, {path: values}) == single(LAYERS[name], given, {path: values})


def arrangements(of, given, path=""):
    """Return the counts and choices by which things are arranged, each with values that it can have."""
    for name, (parameter, _) in declared(of).items():
        current, here = getattr(given, name), f"{path}{name}"
        if parameter.kind == "part" and current is not None:
            yield from arrangements(parameter.part, current, f"{here}.")
        elif parameter.kind == "parts" and current:
            yield from arrangements(parameter.part, current[0], f"{here}[0].")
        elif parameter.kind == "whole" and (parameter.is_stepped or parameter.choices) and current is not None:
            near = parameter.choices or [current + n for n in range(-3, 9)]
            yield here, [Decimal(value) for value in near if problem_with(here, parameter, Decimal(value)) is None]


ARRANGED = [
    pytest.param(name, path, values, id=f"{name}.{path}")
    for name in LAYERS
    for path, values in arrangements(LAYERS[name].input_type, read_layer(LAYERS[name], INPUTS[name]).input)
]


@pytest.mark.parametrize(("name", "path", "values"), ARRANGED)
def test_every_count_by_which_things_are_arranged_swept_equals_the_single_questions(name, path, values):
    given = read_layer(LAYERS[name], INPUTS[name]).input
    sound = []
    for value in values:
        with suppress(InvalidParameters):
            LAYERS[name].run(replaced(given, path, value))
            sound.append(value)

    assert sound
    assert swept(LAYERS[name], given, {path: sound}) == single(LAYERS[name], given, {path: sound})


@pytest.mark.parametrize(
    "axes",
    [
        {"inlet_c": [10, 27, 35, 44], "altitude_m": [0, 900, 1800, 3050]},
        {"air_rise_k": [5, 8, 12, 20], "airflow_available_m3_h": [4000, 9000, 12000]},
        {"items[0].quantity": [1, 2, 4, 5, 9]},
        {"rack.units": [20, 32, 36, 42, 48]},
        {"feed.phases": [1, 3]},
        {"feed.count": [2, 3, 4, 5]},
    ],
)
def test_a_rack_is_swept(axes):
    feed = Feed(voltage_v=Decimal(415), phases=3, breaker_a=Decimal(60), count=2)
    given = RackInput(items=(Line(DGX_H100, 4),), airflow_available_m3_h=Decimal(9000), feed=feed)
    axes = {path: [Decimal(value) for value in values] for path, values in axes.items()}

    assert swept(RACK, given, axes) == single(RACK, given, axes)


def test_two_numbers_make_a_grid_whose_last_moves_fastest():
    given = read_layer(LAYERS["ladder"], INPUTS["ladder"]).input
    axes = {"racks": [Decimal(1000), Decimal(2000)], "pue": [Decimal("1.1"), Decimal("1.2"), Decimal("1.3")]}

    found = sweep(LAYERS["ladder"], given, axes)

    campus = next(row for row in found.quantities if row.quantity == "campus_kw")
    assert campus.values == (44880, 48960, 53040, 89760, 97920, 106080)
    assert found.exact_points_count == 0


def test_answers_and_warnings_tell_the_runs_of_points_at_which_they_hold():
    """10.2 kW a DGX H100 in 8 of 42 units: five fit, and 3,000 m³/h carry 10.2 kW and no 20.4 kW at 12 K."""
    given = RackInput(items=(Line(DGX_H100, 4),), airflow_available_m3_h=Decimal(3000))

    found = sweep(RACK, given, {"items[0].quantity": [Decimal(n) for n in range(1, 9)]})

    outcomes = {row.path: [(run.value, run.first, run.last) for run in row.runs] for row in found.outcomes}
    assert outcomes["space.fits"] == [(True, 0, 4), (False, 5, 7)]
    assert outcomes["cooling.methods[air].feasible"] == [(True, 0, 0), (False, 1, 7)]
    assert outcomes["power.basis"] == [("nameplate", 0, 7)]
    assert "cooling.methods[air].method" not in outcomes
    warnings = {row.code: [(run.first, run.last) for run in row.runs] for row in found.warnings}
    assert warnings["does_not_fit"] == [(5, 7)]
    # What a warning says, it says of the first point at which it holds.
    alone = RACK.run(replaced(given, "items[0].quantity", Decimal(6))).warnings
    assert {row.code: row.message for row in found.warnings}["does_not_fit"] in {each.message for each in alone}


def test_a_warning_of_several_tiers_is_counted_once_a_point():
    given = read_layer(LAYERS["supply"], INPUTS["supply"]).input
    values = [given.load_kw * n for n in (1, 2, 3, 4, 5)]

    found = sweep(LAYERS["supply"], given, {"load_kw": values})

    overloaded = next(row for row in found.warnings if row.code == "tier_overloaded")
    assert (overloaded.points_count, [(run.first, run.last) for run in overloaded.runs]) == (5, [(0, 4)])


def test_a_point_that_is_refused_is_named():
    given = read_layer(LAYERS["ladder"], INPUTS["ladder"]).input

    with pytest.raises(InvalidParameters) as refused:
        sweep(LAYERS["ladder"], given, {"pue": [Decimal("1.5"), Decimal("1.2"), Decimal("0.9")]})

    problem = refused.value.problems[0]
    assert (problem.field, problem.code) == ("pue", "out_of_range")
    assert "(At pue 0.9, a point of the sweep.)" in problem.message


@pytest.mark.parametrize(
    ("name", "path"),
    [("ladder", "pue"), ("campus", "load_factor"), ("reliability", "restart_s"), ("throttle", "inlet_c")],
)
def test_a_point_of_a_sweep_costs_a_tenth_of_a_single_evaluation_at_most(name, path):
    layer = LAYERS[name]
    given = read_layer(layer, INPUTS[name]).input
    current = Decimal(getattr(given, path))
    values = [current * (1 - Decimal(n) / 10_000) for n in range(500)]

    def once(work):
        before = process_time()
        work()
        return process_time() - before

    # The least of several: what else the machine does can only add.
    # Each of another point, as none of a sweep was rounded before.
    points = [replaced(given, path, value) for value in values[:20]]
    alone = min(once(lambda: layer.run(point)) for point in points)  # noqa: B023 - called at once
    together = min(once(lambda: sweep(layer, given, {path: values})) for _ in range(5)) / len(values)
    assert together <= alone / 10


@pytest.mark.parametrize("upstream_w", ["0", "1", "350", "90000"])
@pytest.mark.parametrize(("chip_w", "limit_c"), [("700", "83"), ("0.5", "83"), ("700", "25.001"), ("1500", "150")])
def test_at_the_flow_at_which_a_chip_throttles_it_is_at_its_limit(upstream_w, chip_w, limit_c):
    asked = {**INPUTS["throttle"], "upstream_w": float(upstream_w), "chip_w": float(chip_w), "limit_c": float(limit_c)}
    given = read_layer(LAYERS["throttle"], asked).input

    with precise():
        flow = throttle_airflow(given)
        if flow is None:
            assert chip_c(given, Decimal(100_000)) > given.limit_c
        elif flow == Decimal("0.1"):
            assert chip_c(given, flow) <= given.limit_c
        else:
            assert Decimal("0.1") < flow < 100_000
            assert abs(chip_c(given, flow) - given.limit_c) < Decimal("1e-40")


@pytest.mark.parametrize("name", LAYERS)
def test_an_input_can_be_remembered(name):
    one, other = (read_layer(LAYERS[name], INPUTS[name]).input for _ in range(2))

    assert {one: 1}[other] == 1

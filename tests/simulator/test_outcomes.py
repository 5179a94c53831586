"""Answers of a report that are no numbers, by their paths: in the report itself, and in what is stored of it."""

from dataclasses import replace

import pytest

from simulator.engine import LAYERS, RACK, Line, RackInput, as_data, read_layer
from simulator.engine.outcomes import are_told, is_answer, outcomes_of
from tests.simulator.builders import DGX_H100
from tests.simulator.test_layers import INPUTS

SUPPLY = {
    "basis": "nameplate",
    "tiers[phase].tier": "phase",
    "tiers[phase].ok": False,
    "tiers[breaker].tier": "breaker",
    "tiers[breaker].ok": False,
    "tiers[shelf].tier": "shelf",
    "tiers[shelf].ok": False,
    "tiers[ups].tier": "ups",
    "tiers[ups].ok": True,
    "tiers[generator].tier": "generator",
    "tiers[generator].ok": True,
    "tiers[utility].tier": "utility",
    "tiers[utility].ok": True,
    "binding_tier": "phase",
    "ok": False,
}


def test_verdicts_are_found_by_the_names_of_what_they_are_of():
    report = LAYERS["supply"].run(read_layer(LAYERS["supply"], INPUTS["supply"]).input)

    assert outcomes_of(report) == SUPPLY
    assert outcomes_of(as_data(report)) == SUPPLY


@pytest.mark.parametrize("name", LAYERS)
def test_a_report_and_what_is_stored_of_it_say_the_same(name):
    report = LAYERS[name].run(read_layer(LAYERS[name], INPUTS[name]).input)
    stored = outcomes_of(as_data(report))

    found = outcomes_of(report)
    assert found.keys() <= stored.keys()
    assert {path: each for path, each in stored.items() if is_answer(each)} == {
        path: each for path, each in found.items() if is_answer(each)
    }


def test_a_verdict_that_is_unknown_is_told_and_a_part_that_is_not_there_is_not():
    report = RACK.run(RackInput(items=(Line(replace(DGX_H100, height_u=None), 1),)))

    found = outcomes_of(report)

    assert (found["space.fits"], found["cooling.methods[direct_to_chip].feasible"]) == (None, None)
    assert not [path for path in found if path.startswith(("electrical", "at_least"))]
    # A number that is unknown is told with its quantity.
    assert "space.used_u" not in found
    assert outcomes_of(as_data(report))["space.used_u"] is None


def test_entries_without_a_short_name_go_by_their_place():
    stored = {
        "rows": [{"name": "a row", "ok": True}, {"ok": None, "kw": 3}, "word", {"tier": "x" * 61}, {"rung": "chip-1"}],
        "fits": False,
        "trace": [{"quantity": "kw"}],
        "warnings": [{"code": "hot"}],
        "ranges": [{"unit": "kW"}],
        "at": {"elevation": [{"face": "front"}], "reason": "3 kW", "unknown": ["weight"], "basis": "typical"},
    }

    assert outcomes_of(stored) == {
        "rows[0].name": "a row",
        "rows[0].ok": True,
        "rows[1].ok": None,
        "rows[2]": "word",
        "rows[3].tier": "x" * 61,
        "rows[chip-1].rung": "chip-1",
        "fits": False,
        "at.basis": "typical",
    }


@pytest.mark.parametrize(
    ("path", "answers", "told"),
    [
        ("ok", [True, True], True),
        ("ok", [False, None], True),
        ("binding_limit", [None, None], True),
        ("tiers[ups].tier", ["ups", "ups"], False),
        ("tiers[ups].tier", ["ups", None], True),
        ("rows[0].name", ["a row", "a row"], True),
        ("tiers[ups].tier", ["ups", "other"], True),
        ("name", ["ups"], True),
    ],
)
def test_what_its_path_says_is_not_told_again(path, answers, told):
    assert are_told(path, answers) is told

"""What GraphQL refuses before a layer runs: by code, path and what to do, whether it is a literal or a variable."""

import logging

import pytest

from tests.simulator.asking import camel, literal
from tests.simulator.test_graphql import ask
from tests.simulator.test_layers import INPUTS

pytestmark = pytest.mark.django_db
LADDER = INPUTS["ladder"]
PUE = [{"field": "pue", "low": 1, "high": 2, "points": 3}]
FIELDS = {
    "simulateSweep": ("pointsCount", {"input": "SimulatorQuestion!", "axes": "[SimulatorSweepAxisInput!]!"}),
    "simulateCompare": ("layer", {"compared": "[SimulatorComparedInput!]!"}),
    "simulateHall": ("basis", {"input": "SimulateHallInput!"}),
    "simulateLadder": ("trace { quantity }", {"input": "SimulateLadderInput!"}),
}


@pytest.fixture(params=["literal", "variable"])
def refused(request, client, caplog):
    """Ask, and return what is refused: (field, code, message) of each error. Nothing is logged as a fault of ours."""

    def refusals(field, **given):
        inner, types = FIELDS[field]
        if request.param == "literal":
            arguments = ", ".join(f"{name}: {literal(value)}" for name, value in given.items())
            answer = ask(client, f"{{ {field}({arguments}) {{ {inner} }} }}")
        else:
            variables = ", ".join(f"${name}: {types[name]}" for name in given)
            arguments = ", ".join(f"{name}: ${name}" for name in given)
            query = f"query({variables}) {{ {field}({arguments}) {{ {inner} }} }}"
            answer = ask(client, query, **{name: camel(value) for name, value in given.items()})
        assert not any((answer.get("data") or {}).values())
        assert [row for row in caplog.records if row.levelno >= logging.ERROR] == []
        return [
            (error["extensions"]["field"], error["extensions"]["code"], error["message"]) for error in answer["errors"]
        ]

    return refusals


@pytest.mark.parametrize(
    ("field", "given", "path"),
    [
        ("simulateSweep", {"input": {}, "axes": PUE}, "input"),
        ("simulateSweep", {"input": {"ladder": LADDER, "rack": {"items": []}}, "axes": PUE}, "input"),
        ("simulateSweep", {"input": {"rack": None}, "axes": PUE}, "input.rack"),
        ("simulateCompare", {"compared": [{"scenario": "a"}, {"name": "b", "input": {}}]}, "compared[1].input"),
        (
            "simulateCompare",
            {"compared": [{"input": {"ladder": LADDER}}, {"input": {"rack": None}}]},
            "compared[1].input.rack",
        ),
    ],
)
def test_a_question_to_no_layer_or_to_two_is_refused_at_its_place(refused, field, given, path):
    ((told, code, message),) = refused(field, **given)

    assert (told, code) == (path, "conflict")
    assert message.endswith("Give exactly one of the fields of this input, and not null.")


def test_a_null_for_what_is_asked_is_refused(refused):
    ((field, code, _),) = refused("simulateSweep", input=None, axes=PUE)

    assert field == "input"
    assert code in ("invalid_document", "invalid_variable")


def test_what_is_no_number_is_told_by_its_path(refused):
    racks = [{"name": "a", "count": True, "nameplate_kw": "x"}]

    found = refused("simulateHall", input={"racks": racks, "rows": 1, "row_positions": [9]})

    assert {(field, code) for field, code, _ in found} == {
        ("racks[0].count", "invalid_argument"),
        ("racks[0].nameplateKw", "invalid_argument"),
        ("rowPositions", "invalid_argument"),
    }
    assert all("Give a number, or a range: {low: 40, typical: 60, high: 90}." in message for *_, message in found)


def test_what_is_missing_or_unknown_is_told_by_its_path(refused):
    found = refused("simulateHall", input={"racks": [{"name": 1, "kw": 2}], "rows": 1})

    assert {field for field, *_ in found} == {"racks[0].name", "racks[0].kw", "racks[0].count", "rowPositions"}
    assert {code for _, code, _ in found} <= {"invalid_document", "invalid_variable"}


def test_paths_of_a_sweep_begin_with_its_argument(refused):
    given = {"input": {"ladder": {**LADDER, "pue": "x"}}, "axes": [{**PUE[0], "low": "1"}]}

    found = refused("simulateSweep", **given)

    assert {field for field, *_ in found} == {"input.ladder.pue", "axes[0].low"}


def test_a_variable_inside_of_an_input_is_told_by_the_path_of_the_whole(client):
    query = """query($racks: [SimulatorHallRackInput!]!) {
        simulateHall(input: {racks: $racks, rows: 1, rowPositions: 9}) { basis } }"""

    answer = ask(client, query, racks=[{"name": "a", "count": 1}, {"name": "b", "count": "2"}])

    assert [error["extensions"] for error in answer["errors"]] == [
        {"code": "invalid_argument", "field": "racks[1].count"}
    ]


def test_an_introspection_that_is_off_keeps_the_schema_and_tells_the_place(client, settings):
    settings.PLENUM_GRAPHQL_INTROSPECTION = False
    given = literal({"chip_w": "x", "chipWW": 1, **{name: LADDER[name] for name in LADDER if name != "chip_w"}})

    answer = ask(client, f"{{ simulateLadder(input: {given}) {{ nothing }} }}")

    assert {(error["extensions"].get("field"), error["message"]) for error in answer["errors"]} == {
        ("chipW", "Give a number, or a range: {low: 40, typical: 60, high: 90}."),
        ("chipWW", "This does not fit the schema, which is published as schema.graphql."),
        (None, "This does not fit the schema, which is published as schema.graphql."),
    }


def test_two_simulations_that_fail_are_both_told_and_a_third_is_answered(client):
    asked = [{**LADDER, "chip_w": -1}, {**LADDER, "racks": 0}, LADDER]
    fields = " ".join(
        f"{name}: simulateLadder(input: {literal(each)}) {{ gridOverChips }}"
        for name, each in zip("abc", asked, strict=True)
    )

    answer = ask(client, f"{{ {fields} }}")

    assert [(error["path"], error["extensions"]) for error in answer["errors"]] == [
        (["a"], {"code": "out_of_range", "field": "chipW"}),
        (["b"], {"code": "out_of_range", "field": "racks"}),
    ]
    assert answer["data"] == {"a": None, "b": None, "c": {"gridOverChips": 2.14929}}

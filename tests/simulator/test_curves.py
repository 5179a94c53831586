"""The curves of sweeps: told apart, named with their units, and with what is unknown of them noted."""

from dataclasses import dataclass
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from simulator.engine import as_data
from simulator.engine.ladder.layer import LADDER
from simulator.engine.reading_layers import read_layer
from simulator.engine.sweeps import sweep
from simulator.plots.curves import Curve, Swept, curves
from simulator.plots.grids import grid_curves, sweep_curves
from simulator.plots.svg import drawn
from simulator.plots.theme import COLOURS
from tests.simulator.builders import DESIGN

SVG = "{http://www.w3.org/2000/svg}"


def swept():
    values = tuple(Decimal(n) for n in (1, 2, 3))
    return Swept("pue", "", values), [
        Curve("campus_kw", "kW", tuple(100 * each for each in values)),
        Curve("grid_kw", "kW", (Decimal(5), None, Decimal(7))),
        Curve("grid_over_chips", "", values),
    ]


def test_curves_are_told_in_words_and_told_apart_by_dashes_and_marks():
    axis, found = swept()

    picture = curves(axis, found, subject="ladder")

    assert picture.title == "Campus, grid and grid over chips over PUE"
    assert picture.rows[1] == (2, 200, None, 2)
    assert "Campus goes from 100 to 300 kW" in picture.description
    root = ElementTree.fromstring(drawn(picture))
    solid, dashed = [
        [p for p in root.iter(f"{SVG}path") if p.get("stroke") == COLOURS[name][0] and p.get("stroke-width") == "2.2"]
        for name in ("one", "two")
    ]
    assert not any(path.get("stroke-dasharray") for path in solid)
    assert dashed
    assert all(path.get("stroke-dasharray") for path in dashed)


@pytest.mark.parametrize(
    "found",
    [
        [],
        [Curve("campus_kw", "kW", (Decimal(1),) * 3, f"racks {n}") for n in range(7)],
        [Curve("campus_kw", "kW", (Decimal(1),))],
    ],
)
def test_curves_that_nobody_could_read_are_refused(found):
    with pytest.raises(ValueError, match="curve"):
        curves(swept()[0], found, subject="ladder")


@dataclass(frozen=True)
class Told:
    quantity: str
    unit: str
    values: tuple[float | None, ...]


def test_a_sweep_of_one_input_is_a_curve_a_quantity():
    axes = {"stages[0].efficiency": (Decimal("0.9"), Decimal("0.95"))}

    picture = grid_curves(axes, [Told("utility_load_kw", "kW", (110.5, None))], subject="supply")

    assert picture.title == "Utility load over efficiency"
    assert picture.rows == ((Decimal("0.9"), Decimal("110.5")), (Decimal("0.95"), None))


@pytest.mark.parametrize("is_racks_first", [False, True])
def test_a_sweep_of_two_inputs_is_a_curve_a_value_of_the_shorter_one(is_racks_first):
    pue, racks = (Decimal(1), Decimal("1.5"), Decimal(2)), (Decimal(10), Decimal(20))
    first, second = (racks, pue) if is_racks_first else (pue, racks)
    axes = {"racks": racks, "pue": pue} if is_racks_first else {"pue": pue, "racks": racks}
    values = tuple(float(a * b) for a in first for b in second)

    picture = grid_curves(axes, [Told("campus_kw", "kW", values)], subject="ladder")

    assert [column.label for column in picture.columns] == ["PUE", "Campus, Racks 10", "Campus, Racks 20"]
    assert picture.rows == ((1, 10, 20), (Decimal("1.5"), 15, 30), (2, 20, 40))


def test_of_more_values_than_can_be_told_apart_six_are_drawn_and_it_says_so():
    axes = {"pue": tuple(Decimal(n) for n in range(1, 31)), "racks": tuple(Decimal(n) for n in range(1, 12))}
    values = tuple(float(a * b) for a in axes["pue"] for b in axes["racks"])

    picture = grid_curves(axes, [Told("campus_kw", "kW", values)], subject="ladder")

    assert [column.label for column in picture.columns[1:]] == [f"Campus, Racks {n}" for n in (1, 3, 5, 7, 9, 11)]
    assert picture.notes == ("6 of 11 values of racks are drawn.",)
    assert picture.rows[-1] == (30, 30, 90, 150, 210, 270, 330)


def test_a_sweep_of_the_engine_is_drawn():
    given = read_layer(LADDER, DESIGN).input
    axes = {"pue": tuple(Decimal(n) / 10 for n in range(11, 16))}
    swept = as_data(sweep(LADDER, given, axes))
    report = {"layer": "ladder", "axes": [{"field": "pue", "values": as_data(axes["pue"])}], **swept}

    picture = sweep_curves(report, ["campus_kw", "grid_over_chips"])

    assert [column.label for column in picture.columns] == ["PUE", "Campus", "Grid over chips"]
    assert picture.rows[0] == (Decimal("1.1"), 1320, Decimal("1.71875"))
    assert picture.rows[-1][1] == 1800
    with pytest.raises(KeyError, match="nothing"):
        sweep_curves(report, ["nothing"])


def test_what_is_told_in_two_units_is_named_once():
    values = tuple(map(Decimal, (1, 2, 3)))

    picture = curves(
        swept()[0], [Curve("airflow_m3_h", "m³/h", values), Curve("airflow_cfm", "ft³/min", values)], subject="rack"
    )

    assert picture.title == "Airflow over PUE"
    texts = {each.text for each in ElementTree.fromstring(drawn(picture)).iter(f"{SVG}text")}
    assert {"Airflow, m³/h", "Airflow, ft³/min"} <= texts


def test_what_is_unknown_is_noted_and_has_no_curve():
    axis, found = swept()

    picture = curves(
        axis, [*found, Curve("hall_kw", "kW", (None,) * 3), Curve("free_u", "U", (None,) * 3)], subject="x"
    )

    assert picture.title == "Campus, grid and grid over chips over PUE"
    assert picture.notes == ("Grid is unknown at 1 of 3 points.", "Hall is unknown.", "Free is unknown.")
    assert picture.rows[0] == (1, 100, 5, 1, None, None)
    texts = {each.text for each in ElementTree.fromstring(drawn(picture)).iter(f"{SVG}text")}
    assert {"Campus", "Grid"} <= texts
    assert not {"Hall", "Free, U"} & texts


def test_a_curve_of_which_nothing_is_known_is_an_empty_panel_that_says_so():
    picture = curves(
        Swept("racks", "", (Decimal(1), Decimal(2))), [Curve("load_kw", "kW", (None, None))], subject="hall"
    )

    assert picture.description == "Racks from 1 to 2. Load is unknown."
    texts = [each.text for each in ElementTree.fromstring(drawn(picture)).iter(f"{SVG}text")]
    assert "Load, kW: unknown" in texts
    assert picture.notes == ("Load is unknown.",)
    assert not any("1." in text for text in texts)

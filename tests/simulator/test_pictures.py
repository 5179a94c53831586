"""The pictures: what they say is in the report, they are whole without colour or sight, and the same every time."""

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from simulator.engine import RACK, Asked, Line, RackInput, as_data
from simulator.engine.ladder.layer import LADDER
from simulator.engine.layers import Span, run_asked
from simulator.engine.reading_layers import read_layer
from simulator.engine.sweeps import sweep
from simulator.plots.amounts import number, percent, power
from simulator.plots.cooling import cooling
from simulator.plots.curves import Curve, Swept, curves
from simulator.plots.grids import grid_curves, sweep_curves
from simulator.plots.ladder import ladder
from simulator.plots.svg import drawn
from simulator.plots.theme import COLOURS, STYLE
from simulator.plots.waterfall import waterfall
from simulator.wording import unit_of, words
from tests.simulator.builders import DGX_H100, make_device, report_of

SVG = "{http://www.w3.org/2000/svg}"
DESIGN = {
    "chip_w": 1000,
    "chips_per_node": 4,
    "node_kw": 5,
    "nodes_per_rack": 20,
    "racks": 10,
    "hall_other_kw": 200,
    "pue": 1.2,
    "chain_efficiency_fraction": 0.96,
}


def climbed(**changes):
    return run_asked(LADDER, read_layer(LADDER, {**DESIGN, **changes}))


def swept():
    values = tuple(Decimal(n) for n in (1, 2, 3))
    return Swept("pue", "", values), [
        Curve("campus_kw", "kW", tuple(100 * each for each in values)),
        Curve("grid_kw", "kW", (Decimal(5), None, Decimal(7))),
        Curve("grid_over_chips", "", values),
    ]


def every_picture():
    axis, found = swept()
    return [
        ladder(climbed(pue={"low": 1.1, "typical": 1.2, "high": 1.5})),
        waterfall(climbed()),
        cooling(report_of((DGX_H100, 4))),
        cooling(report_of((make_device("bare", power_nameplate_w=None, heat_to_liquid_fraction=None), 1))),
        curves(axis, found, subject="ladder"),
    ]


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("is_narrow", [False, True])
def test_a_drawing_is_whole_without_colour_script_or_anything_from_outside(n, is_narrow):
    picture = every_picture()[n]

    drawing = drawn(picture, is_narrow=is_narrow)

    root = ElementTree.fromstring(drawing)
    title, description, style = root[0], root[1], root[2]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert (title.text, description.text) == (picture.title, picture.description)
    assert style.text == STYLE
    assert root.get("viewBox").split()[2] == ("360" if is_narrow else "720")
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "path", "text", "g", "use", "defs", "clipPath", "rect"}
    assert not any(name == "style" or name.startswith("on") for each in root.iter() for name in each.attrib)
    assert drawing.count("http") == 1  # The name of the format.
    ids = {each.get("id") for each in root.iter() if each.get("id")}
    named = {each.get("href", "")[1:] for each in root.iter() if each.get("href")}
    named |= {each.get("clip-path")[5:-1] for each in root.iter() if each.get("clip-path")}
    assert named <= ids


def test_every_colour_follows_the_scheme():
    light = {light for light, _ in COLOURS.values()}

    for picture in every_picture():
        for each in ElementTree.fromstring(drawn(picture)).iter():
            for name in ("fill", "stroke"):
                value = each.get(name, "none")
                assert value == "none" or value in light, (picture.name, value)
                assert value == "none" or f"pl-{name[0]}-" in each.get("class")


def test_the_text_of_a_drawing_stays_within_it():
    for picture in every_picture():
        for is_narrow in (False, True):
            root = ElementTree.fromstring(drawn(picture, is_narrow=is_narrow))
            width = float(root.get("viewBox").split()[2])
            for each in root.iter(f"{SVG}text"):
                x, room = float(each.get("x")), len(each.text) * float(each.get("font-size")[:-2]) * 0.58
                begin = {"end": x - room, "middle": x - room / 2}.get(each.get("text-anchor"), x)
                assert begin > -1, each.text
                assert begin + room < width + 1, each.text


def box_of(text):
    """Return where a text stands at the least: letters are some 0.45 of their size wide in any font."""
    x, y, size = float(text.get("x")), float(text.get("y")), float(text.get("font-size")[:-2])
    room = len(text.text) * size * 0.45
    begin = {"end": x - room, "middle": x - room / 2}.get(text.get("text-anchor"), x)
    return begin, y - 0.7 * size, begin + room, y


def corners(path):
    numbers = [float(each) for each in re.findall(r"-?[\d.]+", path.get("d"))]
    xs, ys = numbers[::2], numbers[1::2]
    return min(xs), min(ys), max(xs), max(ys)


def crossed(drawing):
    """Return the texts through which a line of a drawing runs: neither the words' ground nor a bar hides it there."""
    shapes = [each for each in ElementTree.fromstring(drawing).iter() if each.tag in (f"{SVG}path", f"{SVG}text")]
    found = []
    for n, text in enumerate(shapes):
        if text.tag != f"{SVG}text" or float(text.get("font-size")[:-2]) < 12:
            continue
        left, top, right, bottom = box_of(text)
        hidden_from = max(
            (
                i
                for i, each in enumerate(shapes[:n])
                if each.tag == f"{SVG}path" and each.get("fill") == COLOURS["ground"][0]
                and corners(each)[0] <= left and corners(each)[1] <= top
                and corners(each)[2] >= right and corners(each)[3] >= bottom
            ),
            default=0,
        )  # fmt: skip
        for i, line in enumerate(shapes):
            if line.tag != f"{SVG}path" or line.get("fill") != "none" or i < hidden_from:
                continue
            x0, y0, x1, y1 = corners(line)
            if x0 < right and x1 > left and y0 < bottom - 0.5 and y1 > top:
                found.append(text.text)
    return found


@pytest.mark.parametrize("watts", [300, 14_000, 44_200, 74_000, 132_000, 900_000])
@pytest.mark.parametrize("is_known", [True, False])
def test_the_words_of_cooling_are_whole_wherever_the_rack_stands(watts, is_known):
    unknown = [] if is_known else [(make_device("bare", power_nameplate_w=None), 1)]
    picture = cooling(report_of((make_device("load", power_nameplate_w=watts), 1), *unknown))

    drawing = drawn(picture, is_narrow=True)

    assert crossed(drawing) == []
    label = next(e for e in ElementTree.fromstring(drawing).iter(f"{SVG}text") if e.text.startswith("This rack: "))
    half = len(label.text) * 12 * 0.66 / 2  # A wide bold font.
    assert label.get("text-anchor") == "middle"
    assert half <= float(label.get("x")) <= 360 - half


@pytest.mark.parametrize("changes", [{}, {"node_kw": 3}, {"hall_other_kw": 0, "pue": 1.01}, {"pue": 3}])
@pytest.mark.parametrize("is_narrow", [False, True])
def test_no_line_of_a_waterfall_runs_through_its_words(changes, is_narrow):
    assert crossed(drawn(waterfall(climbed(**changes)), is_narrow=is_narrow)) == []


def test_a_line_of_a_title_never_ends_between_a_number_and_its_unit():
    drawing = drawn(waterfall(climbed(hall_other_kw=50_000_000)), is_narrow=True)

    root = ElementTree.fromstring(drawing)
    lines = [each.text for each in root.iter(f"{SVG}text") if each.get("font-size") == "16px"]
    assert lines == ["Of 62.5\u00a0GW from the grid", "0.0013\u00a0% reach the chips"]


def test_colours_of_data_stand_off_their_ground_in_both_schemes():
    def luminance(colour):
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one, other):
        low, high = sorted([luminance(one), luminance(other)])
        return (high + 0.05) / (low + 0.05)

    for scheme in (0, 1):
        ground = COLOURS["ground"][scheme]
        for name in ("one", "two", "three", "four", "five", "six"):
            assert contrast(COLOURS[name][scheme], ground) >= 3, (name, scheme)
        for name in ("ink", "soft"):
            assert contrast(COLOURS[name][scheme], ground) >= 4.5, (name, scheme)


def test_the_same_picture_has_the_same_bytes():
    first = drawn(waterfall(climbed()))
    drawn.cache_clear()

    assert drawn(waterfall(climbed())) == first
    assert drawn(waterfall(climbed(racks=11))) != first


def test_the_ladder_tells_each_rung_and_how_far_it_reaches():
    picture = ladder(climbed(pue={"low": 1.1, "typical": 1.2, "high": 1.5}))

    assert picture.title == "From a chip of 1 kW to 1.5 MW at the grid"
    assert picture.rows == (
        ("Chip", 800, Decimal("1"), Decimal("1"), Decimal("1"), Decimal("800")),
        ("Node", 200, Decimal("5"), Decimal("5"), Decimal("5"), Decimal("1000")),
        ("Rack", 10, Decimal("100"), Decimal("100"), Decimal("100"), Decimal("1000")),
        ("Hall", 1, Decimal("1200"), Decimal("1200"), Decimal("1200"), Decimal("1200")),
        ("Campus", 1, Decimal("1440"), Decimal("1320"), Decimal("1800"), Decimal("1440")),
        ("Grid", 1, Decimal("1500"), Decimal("1375"), Decimal("1875"), Decimal("1500")),
    )
    assert "Campus 1.44 MW (1.32 MW to 1.8 MW)" in picture.description


def test_the_waterfall_adds_up_to_the_grid():
    picture = waterfall(climbed())

    assert picture.title == "Of 1.5 MW from the grid 53 % reach the chips"
    assert [(row[0], row[1]) for row in picture.rows] == [
        ("Chips", 800),
        ("Rest of the nodes", 200),
        ("Rest of the racks", 0),
        ("Rest of the hall", 200),
        ("Cooling and building", 240),
        ("Losses before the meter", 60),
        ("Grid", 1500),
    ]
    assert sum(row[1] for row in picture.rows[:-1]) == picture.rows[-1][1]


def test_a_node_that_takes_less_than_its_chips_goes_down_and_is_warned_of():
    picture = waterfall(climbed(node_kw=3))

    assert picture.rows[1][1] == -200
    assert picture.notes == ("4 chips of 1000 W take more than the 3 kW of a node.",)
    assert picture.title == "Chips of 800 kW stand in nodes that take 600 kW: they cannot all run at that"
    assert "− 200 kW" in drawn(picture)
    # What is more than the whole is no part of it.
    assert "%" not in drawn(waterfall(climbed(node_kw=3, chip_w=3000)))


def test_a_picture_says_that_it_is_drawn_at_typical_values_of_ranges():
    ranged = climbed(pue={"low": 1.1, "typical": 1.2, "high": 1.5})
    rack = run_asked(
        RACK, Asked(RackInput(items=(Line(DGX_H100, 4),)), {"items[0].quantity": Span(*map(Decimal, (1, 4, 5)))})
    )

    assert waterfall(ranged).notes == (
        "Its input has ranges: it is drawn at their typical values. What the grid gives goes from 1.38 MW to 1.88 MW.",
    )
    assert ladder(ranged).notes == (
        "Its input has ranges: a dot stands at the typical values, a bar reaches from the least to the most.",
    )
    assert cooling(rack).notes[-1] == (
        "Its input has ranges: it is drawn at their typical values. Its power goes from 10.2 kW to 51 kW."
    )
    assert waterfall(climbed()).notes == ()


def test_cooling_tells_what_carries_the_rack_and_what_is_unknown():
    picture = cooling(report_of((DGX_H100, 4)))

    assert picture.title == "A rack of 40.8 kW: cooled by air or rear door"
    assert [row[:3] for row in picture.rows] == [
        ("Air", "yes", None),
        ("Rear door", "yes", 75),
        ("Direct to chip", None, None),
        ("Immersion", None, 300),
    ]
    texts = [each.text for each in ElementTree.fromstring(drawn(picture)).iter(f"{SVG}text")]
    assert "carries it, no limit given" in texts
    assert "not known, to 300 kW" in texts
    assert "This rack: 40.8 kW" in texts


def test_a_rack_known_in_part_stands_where_it_is_at_least():
    bare = make_device("bare", power_nameplate_w=None)

    picture = cooling(report_of((DGX_H100, 2), (bare, 1)))

    assert picture.title.startswith("A rack of at least 20.4 kW: ")
    assert "This rack: at least 20.4 kW" in drawn(picture)


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


@pytest.mark.parametrize(
    ("kw", "text"),
    [
        ("0", "0 kW"),
        ("0.7", "700 W"),
        ("40.8", "40.8 kW"),
        ("999.4", "999 kW"),
        ("999.96", "1 MW"),
        ("131000", "131 MW"),
        ("2.5e6", "2.5 GW"),
    ],
)
def test_powers_take_the_unit_that_needs_no_zeros(kw, text):
    assert power(Decimal(kw)) == text


def test_numbers_have_few_digits():
    assert [number(Decimal(each)) for each in ("0.01253", "1.5", "12345", "-3", "100")] == [
        "0.0125", "1.5", "12,345", "-3", "100",
    ]  # fmt: skip
    assert percent(Decimal("0.0744")) == "7.4 %"
    assert number(None) == "unknown"


@pytest.mark.parametrize(
    ("name", "said", "unit"),
    [
        ("stages[1].efficiency", "Efficiency", ""),
        ("racks[0].node_kw", "Node", "kW"),
        ("pue", "PUE", ""),
        ("airflow_m3_h", "Airflow", "m³/h"),
        ("chips_count", "Chips", ""),
        ("free_u", "Free", "U"),
        ("airflow_cfm", "Airflow", "ft³/min"),
        ("air_density_kg_m3", "Air density", "kg/m³"),
        ("cdus_needed_count", "CDUs needed", ""),
        ("kw", "kW", ""),
    ],
)
def test_names_are_said_as_words_with_the_unit_that_they_end_in(name, said, unit):
    assert (words(name), unit_of(name)) == (said, unit)


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


def test_drawing_looks_at_no_fonts_of_the_machine():
    drawn(waterfall(run_asked(LADDER, read_layer(LADDER, DESIGN))))
    from matplotlib.font_manager import fontManager

    # Exactly these: a list that Matplotlib did not take would be replaced by all fonts that it finds.
    assert {Path(font.fname).name for font in fontManager.ttflist} == {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"}
    assert all(Path(font.fname).is_file() for font in fontManager.ttflist)

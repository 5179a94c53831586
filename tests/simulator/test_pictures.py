"""The pictures: what they say is in the report, they are whole without colour or sight, and the same every time."""

from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from simulator.engine import RACK, Asked, Line, RackInput
from simulator.engine.ladder.layer import LADDER
from simulator.engine.layers import Span, run_asked
from simulator.engine.reading_layers import read_layer
from simulator.plots.cooling import cooling
from simulator.plots.curves import curves
from simulator.plots.ladder import ladder
from simulator.plots.svg import drawn
from simulator.plots.theme import COLOURS, STYLE
from simulator.plots.waterfall import waterfall
from tests.simulator.builders import DESIGN, DGX_H100, make_device, report_of
from tests.simulator.test_curves import swept

SVG = "{http://www.w3.org/2000/svg}"


def climbed(**changes):
    return run_asked(LADDER, read_layer(LADDER, {**DESIGN, **changes}))


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


def test_drawing_looks_at_no_fonts_of_the_machine():
    drawn(waterfall(run_asked(LADDER, read_layer(LADDER, DESIGN))))
    from matplotlib.font_manager import fontManager

    # Exactly these: a list that Matplotlib did not take would be replaced by all fonts that it finds.
    assert {Path(font.fname).name for font in fontManager.ttflist} == {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"}
    assert all(Path(font.fname).is_file() for font in fontManager.ttflist)

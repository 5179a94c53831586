"""The words in pictures: no line runs through them, no edge cuts them, whatever the numbers."""

import re
from xml.etree import ElementTree

import pytest

from simulator.plots.cooling import cooling
from simulator.plots.svg import drawn
from simulator.plots.theme import COLOURS
from simulator.plots.waterfall import waterfall
from tests.simulator.builders import make_device, report_of
from tests.simulator.test_pictures import SVG, climbed


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

"""The drawing of a rack: well-formed, readable aloud, and deaf to what a name contains."""

import base64
import hashlib
from decimal import Decimal
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import Line, Rack, RackInput, rack_report
from simulator.plots.elevation import STYLE_CSP, rack_elevation
from tests.simulator.builders import DGX_H100, make_device

SVG = "{http://www.w3.org/2000/svg}"


def drawing_of(*lines, is_narrow=False, **given):
    asked = RackInput(items=tuple(Line(device, quantity) for device, quantity in lines), **given)
    return rack_elevation(asked, rack_report(asked), is_narrow=is_narrow)


def test_it_has_a_title_and_a_description_for_those_who_cannot_see_it():
    root = ElementTree.fromstring(drawing_of((DGX_H100, 4)))

    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert title.text == "Rack of 42 U, 32 U used"
    assert description.text == "From the bottom: 4 × NVIDIA DGX H100 (front, from U 1)."


def test_its_title_is_seen_too():
    root = ElementTree.fromstring(drawing_of((DGX_H100, 4)))

    assert [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "el-i"] == ["Rack of 42 U, 32 U used"]


def test_the_narrow_one_has_the_rear_below_the_front():
    lines = [(make_device("switch", is_full_depth=False), 2), (DGX_H100, 1)]

    faces = {}
    for is_narrow in (False, True):
        root = ElementTree.fromstring(drawing_of(*lines, is_narrow=is_narrow))
        said = [text for text in root.iter(f"{SVG}text") if text.text in ("Front", "Rear")]
        faces[is_narrow] = (root.get("viewBox"), [(text.get("x"), text.get("y")) for text in said])
        boxes = [rect for rect in root.iter(f"{SVG}rect") if rect.get("class") in ("el-b", "el-d", "el-h")]
        height = int(root.get("viewBox").split()[3])
        assert all(int(box.get("y")) + int(box.get("height")) < height for box in boxes)

    assert faces == {
        False: ("0 0 566 826", [("34", "46"), ("300", "46")]),
        True: ("0 0 300 1612", [("34", "46"), ("34", "832")]),
    }


def test_devices_are_drawn_where_they_stand():
    root = ElementTree.fromstring(drawing_of((make_device("half", height_u="1.5", name="Half"), 2), rack=Rack(4)))

    boxes = [box for box in root.iter(f"{SVG}rect") if box.get("class") == "el-d"]
    assert [(box.get("y"), box.get("height")) for box in boxes] == [("101", "27"), ("74", "27")]
    assert [each.text for each in root.iter(f"{SVG}title")][1:] == [
        "Half, 1.5 U from U 1, front",
        "Half, 1.5 U from U 2.5, front",
    ]


def test_the_rear_is_drawn_where_something_is_mounted_there():
    switch = make_device("switch", is_full_depth=False)

    assert ">Rear<" not in drawing_of((switch, 1))
    both = drawing_of((switch, 2), (DGX_H100, 1))
    assert ">Rear<" in both
    assert both.count('class="el-d"') == 3
    assert both.count('class="el-h"') == 1


def test_what_cannot_be_drawn_is_said():
    pdu = make_device("pdu", name="PDU", height_u=0)

    drawing = drawing_of((DGX_H100, 6), (pdu, 2))

    assert "Beside the rails: 2 × PDU." in drawing
    assert "No place: 1 × NVIDIA DGX H100." in drawing


def test_a_long_name_beside_the_rails_is_written_whole():
    name = "Vertiv Geist rPDU Switched, 0U, Input (1) IEC 60309 60 A 3P+N+E, Outputs (24) C13 (24) C19"

    root = ElementTree.fromstring(drawing_of((make_device("pdu", name=name, height_u=0), 2)))

    below = [text for text in root.iter(f"{SVG}text") if int(text.get("y")) > 56 + 42 * 18]
    assert " ".join(text.text for text in below) == f"Beside the rails: 2 × {name}."
    assert all(len(text.text) * 7 <= 266 for text in below)
    assert max(int(text.get("y")) for text in below) < int(root.get("viewBox").split()[3])


def test_it_follows_the_colour_scheme_and_its_style_has_a_fixed_hash():
    root = ElementTree.fromstring(drawing_of((DGX_H100, 1)))

    style = root.find(f"{SVG}style").text
    assert "prefers-color-scheme:dark" in style
    assert f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'" == STYLE_CSP


def test_a_whole_rack_fills_it():
    nvl72 = make_device("nvl72", is_whole_rack=True, height_u=None)

    box = next(
        box for box in ElementTree.fromstring(drawing_of((nvl72, 1))).iter(f"{SVG}rect") if box.get("class") == "el-d"
    )

    assert (box.get("y"), box.get("height")) == ("56", "756")


def test_the_same_report_gives_the_same_drawing():
    assert drawing_of((DGX_H100, 4)) == drawing_of((DGX_H100, 2), (DGX_H100, 2))


def test_markup_in_a_name_is_text():
    name = '</text><script>alert(1)</script>" onload="alert(2)&amp;'

    root = ElementTree.fromstring(drawing_of((make_device(name=name), 1)))

    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "line", "text", "g",
    }  # fmt: skip
    assert not any(key.startswith("on") for child in root.iter() for key in child.attrib)
    assert name in [each.text.removesuffix(", 1 U from U 1, front") for each in root.iter(f"{SVG}title")]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_name_gives_a_well_formed_drawing(name):
    drawing = drawing_of((make_device(name=name), 1), (make_device("pdu", name=name, height_u=0), 1))

    root = ElementTree.fromstring(drawing.encode())

    assert len(list(root.iter(f"{SVG}script"))) == 0
    lines = [text for text in root.iter(f"{SVG}text") if int(text.get("y")) > 56 + 42 * 18]
    assert root.get("viewBox") == f"0 0 300 {56 + 42 * 18 + 14 + 16 * len(lines)}"
    assert Decimal(root.get("viewBox").split()[3]) > 0

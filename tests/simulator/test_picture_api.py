"""The pictures over REST: addresses that can stand in a page, strict, conditional, and with the numbers beside them."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from simulator.plots.theme import PAGE_STYLE, STYLE_CSP, hash_of
from simulator.rest.picture_formats import TABLE
from tests.factories import make_device

pytestmark = pytest.mark.django_db

BASE = "/api/v1/simulator/"
DESIGN = {"chip_w": 1000, "chips_per_node": 4, "node_kw": 5, "nodes_per_rack": 20, "racks": 10, "pue": 1.2}


def asked(client, address, data=None, **query):
    if data is not None:
        query["input"] = json.dumps(data)
    return client.get(BASE + address, query)


def make_dgx(**fields):
    known = {"slug": "nvidia-dgx-h100", "u_height": 8, "power_nameplate_w": 10200, "weight_kg": "130.45", **fields}
    return make_device(**known)


def errors_of(response):
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


@pytest.mark.parametrize("name", ["ladder", "waterfall"])
def test_a_ladder_is_drawn_told_and_shown(client, name, django_assert_num_queries):
    with django_assert_num_queries(1):
        drawing = asked(client, f"{name}.svg", DESIGN)
    table = asked(client, f"{name}.json", DESIGN)
    page = asked(client, f"{name}.html", DESIGN)

    assert drawing["Content-Type"] == "image/svg+xml"
    assert drawing["Content-Security-Policy"] == f"default-src 'none'; style-src {STYLE_CSP}"
    title = ElementTree.fromstring(drawing.content).find("{http://www.w3.org/2000/svg}title").text
    told = table.json()
    Draft202012Validator(TABLE).validate(told)
    assert told["title"] == title
    assert client.get(told["svg"]).content == drawing.content
    assert page["Content-Type"] == "text/html; charset=utf-8"
    assert page["Content-Security-Policy"] == f"default-src 'none'; style-src {STYLE_CSP} {hash_of(PAGE_STYLE)}"
    text = page.content.decode()
    assert f"<title>{title}</title>" in text
    assert text.count("<svg ") == 2
    assert text.count("<tr>") == 1 + len(told["rows"])
    assert '<td class="n">800</td>' in text


def test_the_table_has_the_numbers_of_the_report(client):
    report = client.post(f"{BASE}ladder/", DESIGN, content_type="application/json").json()

    rows = asked(client, "ladder.json", DESIGN).json()["rows"]

    assert [row["each_kw"] for row in rows] == [rung["each_kw"] for rung in report["rungs"]]
    assert [row["total_kw"] for row in rows] == [rung["total_kw"] for rung in report["rungs"]]


@pytest.mark.parametrize("name", ["rack", "cooling"])
def test_a_picture_of_a_range_says_which_point_is_drawn(client, name):
    make_dgx()
    items = [{"device": "nvidia-dgx-h100", "quantity": {"low": 1, "typical": 4, "high": 6}}]

    notes = asked(client, f"{name}.json", {"items": items}).json()["notes"]
    page = asked(client, f"{name}.html", {"items": items}).content.decode()

    elsewhere = next(note for note in notes if "No place for 1 of 6" in note)
    assert elsewhere.startswith("Somewhere in the ranges: ")
    assert notes[-1].startswith("Its input has ranges: it is drawn at their typical values. ")
    assert notes[-1].endswith("Its power goes from 10.2 kW to 61.2 kW.")
    assert all(f"<li>{note}</li>" in page for note in notes)


def test_a_rack_has_two_widths_and_a_heading(client):
    make_dgx()
    make_device(slug="switch", u_height=1, is_full_depth=False)
    items = "nvidia-dgx-h100:1,switch:2"

    views = [asked(client, "rack.svg", items=items, width=width).content for width in ("wide", "narrow")]
    page = asked(client, "rack.html", items=items).content.decode()

    assert [ElementTree.fromstring(view).get("viewBox").split()[2] for view in views] == ["566", "300"]
    assert '<h1 class="unseen">Rack of 42 U, 9 U used</h1>' in page
    assert all(view.decode().strip() in page for view in views)


def test_a_picture_has_two_widths(client):
    narrow = asked(client, "waterfall.svg", DESIGN, width="narrow")

    assert ElementTree.fromstring(narrow.content).get("viewBox").startswith("0 0 360 ")
    assert errors_of(asked(client, "waterfall.svg", DESIGN, width="huge")) == {("width", "not_a_choice")}


@pytest.mark.django_db(transaction=True)
def test_a_picture_is_kept_until_a_device_changes(client, django_assert_num_queries):
    device = make_dgx()
    query = {"items": "nvidia-dgx-h100:4"}
    first = asked(client, "cooling.svg", **query)

    with django_assert_num_queries(1):
        again = client.get(f"{BASE}cooling.svg", query, headers={"if-none-match": first["ETag"]})
    device.power_nameplate_w = 9000
    device.save()
    changed = client.get(f"{BASE}cooling.svg", query, headers={"if-none-match": first["ETag"]})

    assert again.status_code == 304
    assert b"40.8 kW" in first.content
    assert b"36 kW" in changed.content
    assert f"device:{device.pk}" in first["Cache-Tag"]


def test_a_rack_can_be_given_whole(client):
    make_dgx()
    data = {"items": [{"device": "nvidia-dgx-h100", "quantity": 4}], "airflow_available_m3_h": 6000}

    rows = asked(client, "cooling.json", data).json()["rows"]
    elevation = asked(client, "rack.json", data).json()

    assert [row["feasible"] for row in rows] == ["no", "yes", None, None]
    assert elevation["rows"][0] == {
        "position_u": 1,
        "height_u": 8,
        "face": "front",
        "device": "nvidia-dgx-h100",
        "name": elevation["rows"][0]["name"],
    }
    assert len(elevation["rows"]) == 4


def test_markup_in_a_name_is_text_in_every_format(client):
    make_dgx(model="</title><script>alert(1)</script>")

    for address in ("rack.html", "rack.svg", "cooling.html"):
        text = asked(client, address, items="nvidia-dgx-h100:2").content.decode()
        assert "<script" not in text
        assert "&lt;script&gt;" in text or address == "cooling.html"


SWEEP = {"layer": "ladder", "axes": [{"field": "pue", "low": 1.1, "high": 1.5, "points": 5}], "input": DESIGN}


def test_a_sweep_is_drawn_by_the_quantities_that_are_named(client):
    told = asked(client, "sweep.json", SWEEP, show="campus_kw,grid_over_chips").json()
    drawing = asked(client, "sweep.svg", SWEEP, show="campus_kw,grid_over_chips")

    assert told["title"] == "Campus and grid over chips over PUE"
    assert [row["pue"] for row in told["rows"]] == [1.1, 1.2, 1.3, 1.4, 1.5]
    assert [row["campus_kw"] for row in told["rows"]] == [1100, 1200, 1300, 1400, 1500]
    assert client.get(told["svg"]).content == drawing.content


def test_the_filling_of_a_rack_is_drawn(client):
    device = make_dgx()
    rack = {"items": [{"device": device.slug, "quantity": 1}]}
    axes = [{"field": "items[0].quantity", "low": 1, "high": 4}]
    sweep = {"layer": "rack", "input": rack, "axes": axes}

    told = asked(client, "sweep.json", sweep, show="nameplate_kw").json()
    drawing = asked(client, "sweep.svg", sweep, show="nameplate_kw")

    assert (drawing.status_code, drawing["Content-Type"]) == (200, "image/svg+xml")
    assert told["title"] == "Nameplate over quantity"
    assert [row["nameplate_kw"] for row in told["rows"]] == [10.2, 20.4, 30.6, 40.8]


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ([], "At quantity 6 to 8"),
        ([{"field": "altitude_m", "low": 0, "high": 900, "points": 2}], "At 6 of 16 points"),
    ],
)
def test_a_sweep_says_where_its_warnings_hold(client, more, where):
    """A rack of 42 U has place for five of 8 U."""
    device = make_dgx()
    axes = [{"field": "items[0].quantity", "low": 1, "high": 8}, *more]
    sweep = {"layer": "rack", "input": {"items": [{"device": device.slug, "quantity": 1}]}, "axes": axes}

    notes = asked(client, "sweep.json", sweep, show="nameplate_kw").json()["notes"]

    assert [note for note in notes if note.endswith(f" ({where}.)")] == [notes[-1]]
    assert " U" in notes[-1]


@pytest.mark.parametrize(("low", "where"), [(1, "At quantity 6"), (6, "At all points")])
def test_a_warning_of_one_point_or_of_all_says_so(client, low, where):
    device = make_dgx()
    axes = [{"field": "items[0].quantity", "low": low, "high": 6 if low == 1 else 8}]
    sweep = {"layer": "rack", "input": {"items": [{"device": device.slug, "quantity": 1}]}, "axes": axes}

    notes = asked(client, "sweep.json", sweep, show="nameplate_kw").json()["notes"]

    assert notes[-1].endswith(f" ({where}.)")


def test_a_sweep_is_computed_for_the_first_of_its_readers(client, monkeypatch):
    asked(client, "sweep.svg", SWEEP, show="campus_kw")
    monkeypatch.setattr("simulator.rest.picture_kinds.sweep_report", lambda *args: pytest.fail("It is computed again."))

    assert asked(client, "sweep.svg", SWEEP, show="campus_kw", width="narrow").status_code == 200
    assert asked(client, "sweep.json", SWEEP, show="campus_kw").status_code == 200


def test_a_sweep_of_two_numbers_has_a_curve_for_each_value_of_one(client):
    axes = [*SWEEP["axes"], {"field": "racks", "low": 10, "high": 30, "points": 3}]

    told = asked(client, "sweep.json", {**SWEEP, "axes": axes}, show="campus_kw").json()

    assert [column["label"] for column in told["columns"]] == [
        "PUE", "Campus, Racks 10", "Campus, Racks 20", "Campus, Racks 30",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("address", "query", "problems"),
    [
        ("ladder.svg", {}, {("input", "required")}),
        ("ladder.svg", {"input": "{"}, {("input", "parse_error")}),
        ("ladder.svg", {"input": "[" * 5000}, {("input", "parse_error")}),
        ("ladder.svg", {"input": '"' + "x" * 20_000 + '"'}, {("input", "too_long")}),
        ("ladder.svg", {"input": "3"}, {("input", "wrong_type")}),
        ("ladder.svg", {"items": "a:1"}, {("items", "unknown_parameter"), ("input", "required")}),
        ("ladder.json", {"input": json.dumps(DESIGN), "width": "narrow"}, {("width", "unknown_parameter")}),
        (
            "waterfall.html",
            {"input": json.dumps({**DESIGN, "pue": 0.5, "racks": 0})},
            {("input.pue", "out_of_range"), ("input.racks", "out_of_range")},
        ),
        ("cooling.svg", {}, {("items", "required")}),
        ("cooling.svg", {"items": "a:1", "input": "{}"}, {("items", "conflict")}),
        (
            "cooling.svg",
            {"input": json.dumps({"items": [{"device": "nothing", "quantity": 1}]})},
            {("input.items[0].device", "unknown_device")},
        ),
        ("sweep.svg", {"input": json.dumps(SWEEP)}, {("show", "required")}),
        ("sweep.svg", {"input": json.dumps(SWEEP), "show": "a,b,c,d,e,f,g"}, {("show", "too_many")}),
        ("sweep.svg", {"input": json.dumps(SWEEP), "show": "nothing"}, {("show", "not_a_choice")}),
        (
            "sweep.svg",
            {
                "input": json.dumps(
                    {
                        **SWEEP,
                        "axes": [
                            {"field": "pue", "low": 1.1, "high": 2, "points": 500},
                            {"field": "racks", "low": 1, "high": 9, "points": 2},
                        ],
                    }
                ),
                "show": "campus_kw",
            },
            {("input.axes", "too_many")},
        ),
        (
            "sweep.svg",
            {"input": json.dumps({**SWEEP, "axes": [{"field": "pue", "low": 0.1, "high": 2}]}), "show": "campus_kw"},
            {("input.axes[0].low", "out_of_range")},
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_the_parameter_it_came_from(client, address, query, problems):
    response = client.get(BASE + address, query)

    assert response.status_code == 400
    assert errors_of(response) == problems

"""One document of the library's layout: what is stored, what is refused with line and field, what is remarked on."""

from decimal import Decimal

import pytest

from catalog.importing.library import device_draw


def codes(reading):
    return [(notice.line, notice.field, notice.code) for notice in reading.notices if notice.code != "no_power_source"]


def test_numbers_are_decimals_and_text_stays_text(read):
    reading = read(
        """\
        part_number: 070001949
        weight: 10.11
        weight_unit: kg
        interfaces:
          - name: 01
            type: other
          - name: 1.10
            type: other
            label: 0o17
        """,
        device=True,
    )

    (device,) = reading.devices
    assert device.part_number == "070001949"
    assert device.weight.value == Decimal("10.11")
    assert [component.name for component in device.components] == ["01", "1.10"]
    assert (6, "part_number", "kept_as_text") in codes(reading)


@pytest.mark.parametrize("weight", ["8.7", "10.11", "19.9", "0.07", "1.1", "33.33", "12500", "0.29"])
def test_weights_to_the_hundredth_are_valid(read, weight):
    (device,) = read(f"weight: {weight}\nweight_unit: kg\n", device=True).devices
    assert device.weight.value == Decimal(weight)


def test_a_weight_finer_than_the_hundredth_is_refused(refusals):
    assert refusals("weight: 10.111\nweight_unit: kg\n", device=True) == [(6, "weight", "not_a_multiple")]


@pytest.mark.parametrize(
    ("weight", "unit", "kg"),
    [
        ("105", "lb", "47.62719885"),
        ("9.17", "oz", "0.259965127056"),
        ("450", "g", "0.450"),
        ("30.5", "kg", "30.5"),
    ],
)
def test_a_weight_is_kept_as_entered_and_converted_exactly(read, weight, unit, kg):
    (device,) = read(f"weight: {weight}\nweight_unit: {unit}\n", device=True).devices

    assert (str(device.weight.value), device.weight.unit) == (weight, unit)
    assert device.weight.kg == Decimal(kg)
    claim = next(claim for claim in device.claims if claim.field == "weight_kg")
    assert (str(claim.value), claim.unit) == (weight, unit)


def test_a_weight_without_a_unit_is_refused(refusals):
    assert refusals("weight: 12.5\n", device=True) == [(6, "weight", "weight_without_unit")]


def test_two_wrong_fields_are_reported_together(refusals):
    text = """\
    weight: -4
    weight_unit: kg
    power-ports:
      - name: PSU1
        type: iec-60320-c14
        maximum_draw: 100
        allocated_draw: 200
    """
    assert refusals(text, device=True) == [
        (6, "weight", "negative"),
        (12, "power-ports[0].allocated_draw", "allocated_over_maximum"),
    ]


def test_an_allocated_draw_over_the_maximum_names_both_fields(read):
    text = "power-ports:\n  - name: PSU1\n    type: iec-60320-c14\n    maximum_draw: 100\n    allocated_draw: 200\n"
    (refusal,) = read(text, device=True).refusals

    assert "allocated_draw is 200 W" in refusal.message
    assert "maximum_draw, 100 W (line 9)" in refusal.message


@pytest.mark.parametrize("draw", [32_767, 140_000, 1_200_000])
def test_draws_reach_the_megawatt(read, draw):
    text = f"power-ports:\n  - name: DC in\n    type: hardwired\n    maximum_draw: {draw}\n"
    (device,) = read(text, device=True).devices

    assert device.components[0].attributes["maximum_draw"] == draw
    assert [claim.value for claim in device.claims if claim.field == "power_nameplate_w"] == [draw]


def test_two_ports_of_one_name_are_refused_with_port_and_line(read):
    text = """\
    power-ports:
      - name: Power Port 1
        type: iec-60320-c14
      - name: Power Port 2
        type: iec-60320-c14
      - name: Power Port 2
        type: iec-60320-c14
    """
    (refusal,) = read(text, device=True).refusals

    assert (refusal.line, refusal.field, refusal.code) == (11, "power-ports[2].name", "duplicate_name")
    assert "“Power Port 2”, the first in line 9" in refusal.message


def test_two_ports_of_one_name_on_one_line_are_refused_too(refusals):
    text = "power-ports: [{name: A, type: hardwired}, {name: A, type: hardwired}]\n"
    assert refusals(text, device=True) == [(6, "power-ports[1].name", "duplicate_name")]


def test_one_name_in_two_lists_is_no_clash(read):
    text = "console-ports:\n  - {name: A, type: rj-45}\npower-ports:\n  - {name: A, type: hardwired}\n"
    assert read(text, device=True).refusals == ()


@pytest.mark.parametrize("height", ["0.25", "1.75", "0.4"])
def test_a_part_of_half_a_unit_is_refused_with_a_hint(read, height):
    (refusal,) = read(f"manufacturer: A\nmodel: B\nslug: a-b\nis_full_depth: true\nu_height: {height}\n").refusals

    assert (refusal.line, refusal.field, refusal.code) == (5, "u_height", "not_half_u")
    assert "bay of a parent" in refusal.message


@pytest.mark.parametrize("height", ["0", "0.5", "1.5", "7.0", "42"])
def test_half_units_are_valid(read, height):
    (device,) = read(f"manufacturer: A\nmodel: B\nslug: a-b\nis_full_depth: true\nu_height: {height}\n").devices
    assert device.u_height == Decimal(height)


@pytest.mark.parametrize(
    "written", ["'1'", "010", "1e3", "0x1F", "1_000", "1:30", ".inf", "-.inf", ".nan", "one", "1,5", "+-1", "1.", ".5"]
)
def test_a_number_in_other_than_plain_digits_is_refused(read, written):
    (refusal,) = read(f"manufacturer: A\nmodel: B\nslug: a-b\nis_full_depth: true\nu_height: {written}\n").refusals
    assert (refusal.line, refusal.field) == (5, "u_height")
    assert refusal.code in ("not_a_number", "wrong_type")


@pytest.mark.parametrize(
    ("written", "code"),
    [("9" * 40, "too_long"), ("0." + "5" * 12, "too_long"), ("2000", "too_large"), ("-1", "negative")],
)
def test_a_number_beyond_reason_is_refused(read, written, code):
    (refusal,) = read(f"manufacturer: A\nmodel: B\nslug: a-b\nis_full_depth: true\nu_height: {written}\n").refusals
    assert (refusal.field, refusal.code) == ("u_height", code)


@pytest.mark.parametrize(
    ("written", "value"), [("true", True), ("yes", True), ("On", True), ("no", False), ("off", False), ("FALSE", False)]
)
def test_a_truth_value_is_read_where_one_is_due(read, written, value):
    (device,) = read(f"manufacturer: A\nmodel: B\nslug: a-b\nu_height: 1\nis_full_depth: {written}\n").devices
    assert device.is_full_depth is value


@pytest.mark.parametrize("written", ["'true'", "1", "y", "maybe", "[true]"])
def test_a_truth_value_is_not_guessed(refusals, written):
    text = f"manufacturer: A\nmodel: B\nslug: a-b\nu_height: 1\nis_full_depth: {written}\n"
    assert refusals(text) == [(5, "is_full_depth", "wrong_type")]


def test_all_that_is_missing_is_named(refusals):
    assert refusals("slug: a-b\n") == [
        (1, "is_full_depth", "required"),
        (1, "manufacturer", "required"),
        (1, "model", "required"),
        (1, "u_height", "required"),
    ]


@pytest.mark.parametrize("empty", ["", "~", "null"])
def test_a_key_without_a_value_is_refused(refusals, empty):
    assert refusals(f"part_number: {empty}\n", device=True) == [(6, "part_number", "no_value")]


@pytest.mark.parametrize("blank", ["''", "'  '"])
def test_an_identity_is_not_blank(read, blank):
    text = f"manufacturer: A\nmodel: {blank}\nslug: a-b\nu_height: 1\nis_full_depth: true\n"
    assert ("model", "blank") in [(refusal.field, refusal.code) for refusal in read(text).refusals]


def test_an_unknown_key_is_refused_where_the_schema_is_closed(read):
    (refusal,) = read("weigth: 3\n", device=True).refusals

    assert (refusal.line, refusal.field, refusal.code) == (6, "weigth", "unknown_key")
    assert "did you mean weight" in refusal.message


def test_an_unknown_key_of_a_component_is_remarked_on_and_its_value_left_out(read):
    reading = read("power-ports:\n  - name: A\n    type: hardwired\n    maximum-draw: 180\n", device=True)

    (notice,) = reading.notices
    assert (notice.line, notice.field, notice.code) == (9, "power-ports[0].maximum-draw", "unknown_key")
    assert "did you mean maximum_draw" in notice.message
    assert "maximum_draw" not in reading.devices[0].components[0].attributes


def test_one_odd_key_of_many_ports_is_one_notice(read):
    ports = "".join(f"  - {{name: p{n}, type: other, enabled: true}}\n" for n in range(40))
    (notice,) = [found for found in read("interfaces:\n" + ports, device=True).notices if found.code == "unknown_key"]
    assert "40 times" in notice.message


def test_a_wrong_choice_gets_the_nearest_right_one(read):
    (refusal,) = read("airflow: front-to-back\n", device=True).refusals
    assert (refusal.line, refusal.field, refusal.code) == (6, "airflow", "not_a_choice")
    assert "did you mean front-to-rear" in refusal.message


@pytest.mark.parametrize(
    ("slug", "code"),
    [
        ("Trap Box", "bad_pattern"),
        ("trap/../box", "bad_pattern"),
        ("größe", "bad_pattern"),
        ("|\n  trap", "control_character"),
        ("0190c3a4-5b6e-7f80-9a1b-2c3d4e5f6a7b", "slug_is_uuid"),
        ("a" * 130, "too_long"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused(refusals, slug, code):
    text = f"manufacturer: A\nmodel: B\nu_height: 1\nis_full_depth: true\nslug: {slug}\n"
    assert refusals(text) == [(5, "slug", code)]


@pytest.mark.parametrize("text", [r'"a\0b"', r'"a\rb"', r'"a\nb"', r'"a\x1bb"', "|\n  a\n  b"])
def test_hidden_characters_are_refused_in_names(refusals, text):
    assert refusals(f"part_number: {text}\n", device=True) == [(6, "part_number", "control_character")]


def test_prose_keeps_its_lines_and_nothing_else_that_is_hidden(read, refusals):
    text = "manufacturer: A\nmodel: B\nslug: a-b\nu_height: 1\nis_full_depth: true\ncomments: |\n  1\n  2\n"
    (device,) = read(text.replace("\n", "\r\n").encode()).devices
    assert device.comments == "1\n2\n"
    assert refusals(r'comments: "a\x07b"', device=True) == [(6, "comments", "control_character")]


def test_a_name_in_another_script_alone_makes_no_address(refusals):
    text = "manufacturer: 华为\nmodel: B\nslug: a-b\nu_height: 1\nis_full_depth: true\n"
    assert refusals(text) == [(1, "manufacturer", "no_slug")]


@pytest.mark.parametrize(
    ("text", "is_remarked"),
    [
        ("", True),
        ("is_powered: true\n", True),
        ("is_powered: false\n", False),
        ("subdevice_role: child\n", False),
        ("power-ports:\n  - {name: A, type: hardwired}\n", False),
        ("module-bays:\n  - {name: PSU 1, position: '1'}\n", False),
        ("module-bays:\n  - {name: PEM0, position: '0'}\n", False),
        ("module-bays:\n  - {name: Slot 1, position: '1', label: Power Supply 1}\n", False),
        ("device-bays:\n  - {name: Power shelf}\n", False),
        ("module-bays:\n  - {name: Fan 1, position: '1'}\n", True),
        ("interfaces:\n  - {name: eth0, type: 1000base-t, poe_mode: pd}\n", False),
        ("interfaces:\n  - {name: eth0, type: 1000base-t, poe_mode: pse}\n", True),
    ],
)
def test_power_may_come_from_ports_bays_ethernet_or_nowhere(read, text, is_remarked):
    reading = read(text, device=True)
    assert ("no_power_source" in [notice.code for notice in reading.notices]) is is_remarked
    assert len(reading.devices) == 1


def test_odd_devices_are_remarked_on(read):
    reading = read(
        """\
        subdevice_role: parent
        weight: 0
        weight_unit: kg
        power-ports:
          - {name: A, type: hardwired, allocated_draw: 5}
        power-outlets:
          - {name: O, type: hardwired, power_port: B}
        """,
        device=True,
    )

    assert [code for _, _, code in codes(reading)] == [
        "parent_without_bays",
        "weight_zero",
        "allocated_without_maximum",
        "unknown_power_port",
    ]
    assert "weight_kg" not in [claim.field for claim in reading.devices[0].claims]
    assert reading.devices[0].weight.value == 0


def port(name, **draws):
    draw = "".join(f", {key}: {value}" for key, value in draws.items())
    return f"  - {{name: {name}, type: hardwired{draw}}}\n"


@pytest.mark.parametrize(
    ("text", "draw"),
    [
        ("", None),
        ("power-ports:\n" + port("A"), None),
        ("power-ports:\n" + port("A", maximum_draw=0), None),
        ("power-ports:\n" + port("A", maximum_draw=750), 750),
        ("power-ports:\n" + port("A", allocated_draw=750), None),
        ("power-ports:\n" + port("A", maximum_draw=750) + port("B", maximum_draw=750), None),
        ("power-ports:\n" + port("A", maximum_draw=750) + port("B"), None),
        ("power-ports:\n" + port("A", maximum_draw=750) + "power-outlets:\n  - {name: O, type: hardwired}\n", None),
    ],
    ids=["no port", "no draw", "zero", "one", "allocated only", "two", "two, one silent", "passes power on"],
)
def test_the_draw_of_a_device_is_claimed_only_where_one_port_tells_it(read, text, draw):
    (device,) = read(text, device=True).devices

    found = device_draw(device.components)
    assert (found and found[0]) == draw
    claims = [
        (claim.value, claim.kind, claim.confidence) for claim in device.claims if claim.field == "power_nameplate_w"
    ]
    assert claims == ([] if draw is None else [(draw, "nameplate", "reported")])


def test_a_module_gets_its_address_from_maker_and_model(read):
    (module,) = read("manufacturer: Rohde & Schwarz\nmodel: PSU-2+ (AC)\npart_number: '007'\n").modules
    assert (module.slug, module.part_number) == ("rohde-schwarz-psu-2-ac", "007")


def test_a_rack_keeps_its_units(read, refusals):
    text = """\
    manufacturer: Panduit
    model: R4
    slug: panduit-r4
    form_factor: 4-post-frame
    width: 19
    u_height: 52
    starting_unit: 1
    outer_width: 23.25
    outer_unit: in
    max_weight: 2500
    weight_unit: lb
    """
    (rack,) = read(text).racks
    assert (rack.outer_width, rack.outer_unit) == (Decimal("23.25"), "in")
    assert (rack.max_weight.value, rack.max_weight.unit, rack.max_weight.kg) == (2500, "lb", Decimal("1133.980925"))

    assert refusals(text.replace("outer_unit: in", "").replace("weight_unit: lb", "").replace("52", "1.5")) == [
        (6, "u_height", "not_a_multiple"),
        (8, "outer_width", "length_without_unit"),
        (10, "max_weight", "weight_without_unit"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [("- a\n", "not_a_mapping"), ("text\n", "not_a_mapping"), ("", "not_a_mapping"), ("---\n", "not_a_mapping")],
)
def test_what_is_no_type_is_refused(refusals, text, code):
    assert refusals(text) == [(1, "", code)]


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        ("interfaces: none\n", 6, "interfaces"),
        ("interfaces:\n  a: b\n", 7, "interfaces"),
        ("interfaces:\n  - eth0\n", 7, "interfaces[0]"),
        ("interfaces:\n  - {name: [eth0], type: other}\n", 7, "interfaces[0].name"),
        ("part_number: {a: b}\n", 6, "part_number"),
    ],
)
def test_a_wrong_shape_is_refused(refusals, text, line, field):
    assert refusals(text, device=True)[0] == (line, field, "wrong_type")


def test_what_a_component_needs_is_named(refusals):
    text = f"interfaces:\n  - {{name: {'x' * 65}, type: other}}\n  - {{label: a}}\n  - {{name: '', type: other}}\n"
    assert refusals(text, device=True) == [
        (7, "interfaces[0].name", "too_long"),
        (8, "interfaces[1].name", "required"),
        (8, "interfaces[1].type", "required"),
        (9, "interfaces[2].name", "blank"),
    ]

"""The input as plain data: strict, and with every problem in one answer."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import RACK, Device, Feed, InvalidParameters, Line, Rack, RackInput, run_asked
from simulator.engine.reading import named_slugs, read_rack_asked, read_rack_input
from tests.simulator.builders import DGX_H100, make_device

DEVICES = {device.slug: device for device in (DGX_H100, make_device("switch"))}
RACKS = {"apc-ar3100": Rack(42, "apc-ar3100", Decimal("0.64"), Decimal(125), Decimal(1700))}


def read(**data):
    return read_rack_input({"items": [{"device": "switch", "quantity": 1}], **data}, devices=DEVICES, racks=RACKS)


def problems_of(data):
    with pytest.raises(InvalidParameters) as error:
        read_rack_input(data, devices=DEVICES, racks=RACKS)
    return {(problem.field, problem.code) for problem in error.value.problems}


def test_a_whole_input_is_read():
    given = read_rack_input(
        {
            "items": [{"device": "nvidia-dgx-h100", "quantity": 4}, {"device": "switch", "quantity": 2}],
            "rack": {"units": 48, "footprint_m2": 0.72, "tare_kg": 120.5, "max_kg": 1600},
            "basis": "typical",
            "inlet_c": 24.5,
            "altitude_m": 520,
            "air_rise_k": 13,
            "airflow_available_m3_h": 9000,
            "coolant": "water",
            "coolant_rise_k": 8,
            "feed": {
                "voltage_v": 230,
                "line": False,
                "phases": 3,
                "breaker_a": 63,
                "continuous_fraction": 1,
                "power_factor": 0.97,
                "redundancy": "2n",
            },
        },
        devices=DEVICES,
    )

    assert given == RackInput(
        items=(Line(DGX_H100, 4), Line(make_device("switch"), 2)),
        rack=Rack(48, None, Decimal("0.72"), Decimal("120.5"), Decimal(1600)),
        basis="typical",
        inlet_c=Decimal("24.5"),
        altitude_m=Decimal(520),
        air_rise_k=Decimal(13),
        airflow_available_m3_h=Decimal(9000),
        coolant="water",
        coolant_rise_k=Decimal(8),
        feed=Feed(Decimal(230), 3, Decimal(63), False, Decimal(1), Decimal("0.97"), "2n"),
    )


def test_what_is_left_out_or_null_has_its_default():
    nulls = dict.fromkeys(["rack", "basis", "inlet_c", "airflow_available_m3_h", "coolant", "feed", "limits"])

    assert read(**nulls) == read() == RackInput(items=(Line(make_device("switch"), 1),))


def test_a_rack_type_gives_what_is_left_out():
    assert read(rack={"type": "apc-ar3100"}).rack == RACKS["apc-ar3100"]
    assert read(rack={"type": "apc-ar3100", "units": 24}).rack.units == 24


def test_a_float_of_a_client_is_the_number_it_meant():
    assert read(inlet_c=0.1 + 0.2).inlet_c == Decimal("0.3")
    assert read(rack={"units": 42.0}).rack.units == 42


def test_lines_of_one_device_are_one_in_any_order():
    split = [{"device": "switch", "quantity": 1}, {"device": "nvidia-dgx-h100", "quantity": 2}]

    one, other = (read(items=items).lines for items in (split + split, [*reversed(split), *split]))

    assert one == other == (Line(DGX_H100, 4), Line(make_device("switch"), 2))


def test_every_problem_is_in_one_answer_with_its_path():
    found = problems_of(
        {
            "items": [
                {"device": "nvidia-dgx-h1000", "quantity": 1},
                {"device": "switch", "quantity": 0},
                {"device": "switch", "quantity": 1, "colour": "red"},
                {"device": "switch"},
                {"quantity": "4"},
                "switch",
            ],
            "rack": {"units": 0, "type": "no-such-rack", "footprint": 1},
            "basis": "peak",
            "inlet_c": 61,
            "altitude_m": "high",
            "air_rise_k": 0,
            "airflow_available_m3_h": True,
            "coolant": "oil",
            "coolant_rise_k": float("nan"),
            "feed": {"voltage_v": 415, "phases": 2, "breaker_a": -1, "line": 1},
            "limits": {"air_class": "A9", "rear_door_max_kw": -5},
            "colour": "red",
        }
    )

    assert found == {
        ("items[0].device", "unknown_device"),
        ("items[1].quantity", "out_of_range"),
        ("items[2].colour", "unknown_key"),
        ("items[3].quantity", "required"),
        ("items[4].device", "required"),
        ("items[4].quantity", "wrong_type"),
        ("items[5]", "wrong_type"),
        ("rack.units", "out_of_range"),
        ("rack.type", "unknown_rack_type"),
        ("rack.footprint", "unknown_key"),
        ("basis", "not_a_choice"),
        ("inlet_c", "out_of_range"),
        ("altitude_m", "wrong_type"),
        ("air_rise_k", "out_of_range"),
        ("airflow_available_m3_h", "wrong_type"),
        ("coolant", "not_a_choice"),
        ("coolant_rise_k", "wrong_type"),
        ("feed.line", "wrong_type"),
        ("feed.phases", "not_a_choice"),
        ("feed.breaker_a", "out_of_range"),
        ("limits.air_class", "not_a_choice"),
        ("limits.rear_door_max_kw", "out_of_range"),
        ("colour", "unknown_key"),
    }


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], ("", "wrong_type")),
        ({}, ("items", "required")),
        ({"items": []}, ("items", "required")),
        ({"items": {"switch": 1}}, ("items", "wrong_type")),
        ({"items": [{"device": "switch", "quantity": 1}] * 201}, ("items", "too_many")),
        ({"items": [{"device": "switch", "quantity": 501}] * 2}, ("items", "too_many")),
        ({"items": [{"device": "switch", "quantity": 1001}]}, ("items[0].quantity", "out_of_range")),
        ({"items": [{"device": "switch", "quantity": 1.5}]}, ("items[0].quantity", "wrong_type")),
        ({"items": [{"device": "switch", "quantity": 10**400}]}, ("items[0].quantity", "out_of_range")),
        ({"items": [{"device": "s" * 201, "quantity": 1}]}, ("items[0].device", "wrong_type")),
        ({"items": [{"device": "a\x00b", "quantity": 1}]}, ("items[0].device", "wrong_type")),
        ({"items": [{"device": "switch", "quantity": 1}], "rack": {"units": 101}}, ("rack.units", "out_of_range")),
        ({"items": [{"device": "switch", "quantity": 1}], "feed": []}, ("feed", "wrong_type")),
        ({"items": [{"device": "switch", "quantity": 1}], "feed": {}}, ("feed.voltage_v", "required")),
    ],
)
def test_what_cannot_be_a_rack_is_refused(data, problem):
    assert problem in problems_of(data)


def test_a_limit_that_is_broken_is_named():
    with pytest.raises(InvalidParameters, match="items has 1002 devices; 1000 is the most for a rack"):
        read(items=[{"device": "switch", "quantity": 501}] * 2)


def test_a_misspelt_key_is_answered_with_the_right_one():
    with pytest.raises(InvalidParameters, match="Did you mean altitude_m"):
        read(altitude=100)


def test_two_devices_of_one_slug_are_refused():
    twins = (Line(make_device(weight_kg=1), 1), Line(make_device(weight_kg=2), 1))

    with pytest.raises(InvalidParameters, match="Two devices are called server; they differ in weight_kg"):
        RackInput(items=twins)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"height_u": "0.25"}, "height_u is 0.25.*bays"),
        ({"height_u": "1.3"}, "multiple of 0.5"),
        ({"height_u": -1}, "height_u is -1"),
        ({"weight_kg": -1}, "weight_kg is -1"),
        ({"power_nameplate_w": 20_000_000}, "power_nameplate_w is 20000000"),
        ({"heat_to_liquid_fraction": "1.1"}, "heat_to_liquid_fraction is 1.1"),
        ({"heat_to_liquid_fraction": 0, "has_cold_plates": True}, "has_cold_plates is True"),
        ({"accelerators_count": "1.5"}, "accelerators_count is 1.5"),
    ],
)
def test_an_impossible_device_names_what_is_impossible(fields, named):
    with pytest.raises(InvalidParameters, match=named):
        make_device(**fields)


def test_a_device_draws_more_than_32767_watts():
    """netbox#4641: draws of GPU cabinets do not end where a small integer does."""
    assert make_device(power_nameplate_w=140_000).power_nameplate_w == 140_000


def test_a_device_needs_a_slug():
    with pytest.raises(InvalidParameters, match="needs a slug"):
        Device("")


def test_the_slugs_to_look_up_are_found_in_any_data():
    items = [{"device": "b"}, {"device": "a", "quantity": 1}, {"device": "b"}, {"device": 3}, "c", None]

    assert named_slugs({"items": items, "rack": {"type": "r"}}) == (["b", "a"], "r")
    assert named_slugs({"items": [{"device": str(n)} for n in range(5000)]})[0] == [str(n) for n in range(200)]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
shaped = st.fixed_dictionaries(
    {"items": st.lists(st.fixed_dictionaries({"device": st.sampled_from(["switch", "x"]), "quantity": json_values}))},
    optional={
        key: json_values | st.dictionaries(st.sampled_from(["units", "type", "voltage_v", "phases"]), json_values)
        for key in ("rack", "basis", "inlet_c", "feed", "limits", "coolant")
    },
)


@settings(max_examples=200, deadline=None)
@given(json_values | shaped)
def test_any_data_is_read_or_refused_by_name(data):
    named_slugs(data)

    try:
        read_rack_input(data, devices=DEVICES, racks=RACKS)
        refused = None
    except InvalidParameters as error:
        refused = error.problems

    assert refused is None or (refused and all(problem.code and problem.message for problem in refused))


def test_a_range_may_stand_for_the_devices_of_a_line_whatever_the_order_of_the_lines():
    lines = [
        {"device": "switch", "quantity": {"low": 1, "typical": 2, "high": 4}},
        {"device": "nvidia-dgx-h100", "quantity": {"low": 1, "typical": 2, "high": 3}},
        {"device": "switch", "quantity": 1},
    ]

    told = run_asked(RACK, read_rack_asked({"items": lines}, devices=DEVICES))

    (power,) = (each for each in told.ranges if each.quantity == "nameplate_kw")
    assert (power.low, power.typical, power.high) == (Decimal("11.2"), Decimal("21.9"), Decimal("33.1"))


def test_a_count_inside_of_a_range_that_is_no_arrangement_is_left_out_and_one_at_its_end_is_refused():
    def rack(high):
        feed = {"voltage_v": 400, "phases": 1, "breaker_a": 100, "redundancy": "2n"}
        count = {"low": 2, "typical": 4, "high": high}
        return {"items": [{"device": "switch", "quantity": 1}], "feed": {**feed, "count": count}}

    told = run_asked(RACK, read_rack_asked(rack(6), devices=DEVICES))

    (capacity,) = (each for each in told.ranges if each.quantity == "capacity_kva")
    assert (capacity.low, capacity.typical, capacity.high) == (80, 160, 240)
    assert problems_of(rack(5)) == {("feed.count.high", "conflict")}

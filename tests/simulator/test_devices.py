"""What a device may say of itself, and how a refusal or a warning tells what is wrong."""

from decimal import Decimal

import pytest

from simulator.engine import InvalidParameters, Line, Rack
from simulator.engine.devices import merged
from tests.simulator.builders import make_device, report_of, warnings_of


def refusals_of(**fields):
    """Return the field, code and message of each problem of a device."""
    with pytest.raises(InvalidParameters) as refused:
        make_device(**fields)
    return [(each.field, each.code, each.message) for each in refused.value.problems]


@pytest.mark.parametrize(
    ("fields", "is_told_of_bays"),
    [
        ({"height_u": "0.25"}, True),
        ({"height_u": "0.52"}, False),
        ({"height_u": "1.25"}, False),
        ({"height_u": "-0.5"}, False),
        ({"heat_to_liquid_fraction": "-0.2"}, False),
        ({"accelerators_count": "0.25"}, False),
    ],
)
def test_only_a_height_below_half_a_unit_is_told_of_the_bays_of_a_shelf(fields, is_told_of_bays):
    [(field, code, message)] = refusals_of(**fields)

    assert (field, code) == (*fields, "out_of_range")
    hint = " Enter the shelf or chassis as the device, with bays for what sits in it."
    assert message.endswith(hint) is is_told_of_bays


@pytest.mark.parametrize(("fraction", "has_plates"), [("0", True), ("0.7", False)])
def test_a_share_of_liquid_and_cold_plates_that_contradict_each_other_are_refused(fraction, has_plates):
    message = f"has_cold_plates is {has_plates}, but heat_to_liquid_fraction is {fraction}; correct one of them."

    assert refusals_of(heat_to_liquid_fraction=fraction, has_cold_plates=has_plates) == [
        ("has_cold_plates", "conflict", message)
    ]


@pytest.mark.parametrize(("fraction", "has_plates"), [("0", False), ("0.7", True), (None, True), (None, False)])
def test_a_share_of_liquid_and_cold_plates_that_agree_are_taken(fraction, has_plates):
    device = make_device(heat_to_liquid_fraction=fraction, has_cold_plates=has_plates)

    assert device.cold_plates is has_plates


def test_two_devices_of_one_slug_are_refused_with_what_they_differ_in():
    with pytest.raises(InvalidParameters) as refused:
        merged([Line(make_device(), 1), Line(make_device(height_u=2, weight_kg=21), 1)])

    assert [(each.field, each.message) for each in refused.value.problems] == [
        ("items", "Two devices are called server; they differ in height_u, weight_kg.")
    ]


@pytest.mark.parametrize(
    ("basis", "said"),
    [("nameplate", "nameplate"), ("typical", "typical or nameplate"), ("idle", "idle or nameplate")],
)
def test_an_unknown_power_is_told_with_the_basis_that_it_lacks_on(basis, said):
    report = report_of((make_device(power_nameplate_w=None), 1), basis=basis)

    assert warnings_of(report)["power_unknown"] == ("server",)
    message = next(each.message for each in report.warnings if each.code == "power_unknown")
    assert message == f"The {said} power is unknown of server."


@pytest.mark.parametrize(
    ("heights", "used", "at_least"),
    [((None,), None, None), ((None, None), None, None), ((None, 2), None, Decimal(2)), ((0, 2), Decimal(2), None)],
)
def test_the_space_is_at_least_what_is_known_and_nothing_where_no_height_is(heights, used, at_least):
    lines = [(make_device(f"device-{index}", height_u=height), 1) for index, height in enumerate(heights)]

    space = report_of(*lines).space

    assert space.used_u == used
    assert (space.at_least.used_u if space.at_least else None) == at_least


def test_shares_of_the_heat_name_what_they_are_made_of():
    report = report_of((make_device(power_nameplate_w=1000, heat_to_liquid_fraction="0.8"), 2))

    made_of = {each.quantity: {one.name: one.value for one in each.inputs} for each in report.trace}
    assert made_of["liquid_fraction"] == {"liquid_heat_kw": 1.6, "density_kw": 2}
    assert made_of["air_fraction"] == {"air_heat_kw": 0.4, "density_kw": 2}


@pytest.mark.parametrize(("altitude_m", "is_warned"), [(3050, False), ("3050.1", True)])
def test_a_class_holds_up_to_its_highest_altitude(altitude_m, is_warned):
    report = report_of((make_device(), 1), altitude_m=Decimal(altitude_m))

    assert ("altitude_above_class" in warnings_of(report)) is is_warned


def test_a_device_that_is_a_whole_rack_has_no_frame_beside_it():
    report = report_of(
        (make_device(is_whole_rack=True, height_u=None, weight_kg=1400), 1), rack=Rack(tare_kg=Decimal(9))
    )

    made_of = {each.quantity: {one.name: one.value for one in each.inputs} for each in report.trace}
    assert (report.weight.total_kg, made_of["total_kg"]) == (1400, {"equipment_kg": 1400, "tare_kg": 0})


@pytest.mark.parametrize(("fraction", "air_kw", "liquid_kw"), [(0, None, 0), ("0.5", None, None), (1, 0, None)])
def test_heat_of_unknown_power_is_none_where_all_of_it_goes_to_the_other_side(fraction, air_kw, liquid_kw):
    cooling = report_of((make_device(power_nameplate_w=None, heat_to_liquid_fraction=fraction), 1)).cooling

    assert (cooling.air_heat_kw, cooling.liquid_heat_kw) == (air_kw, liquid_kw)
    assert cooling.unknown == ("server",)


def test_what_accelerators_have_of_the_power_of_a_rack():
    """2 · (8 · 700 + 1 · 300) W = 11.8 kW of 2 · 8 + 2 · 4 + 1 = 25 kW; a switch that holds none adds none."""
    eight = make_device("eight", power_nameplate_w=8000, accelerators_count=8, accelerator_tdp_w=700)
    one = make_device("one", power_nameplate_w=4000, accelerators_count=1, accelerator_tdp_w=300)
    none = make_device("none", power_nameplate_w=1000, accelerators_count=0)
    unsaid = make_device("unsaid", power_nameplate_w=1000)

    known, part = report_of((eight, 2), (one, 2), (none, 1)), report_of((eight, 2), (unsaid, 1))

    told = {each.quantity: each.value for each in known.trace}
    assert told["accelerators_count"] == 18
    assert (told["accelerator_fraction"], told["power_per_accelerator_kw"]) == (Decimal("0.472"), Decimal("1.38889"))
    assert "accelerator_fraction" not in {each.quantity for each in part.trace}

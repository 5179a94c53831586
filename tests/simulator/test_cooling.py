"""The rule of thumb, the feasible methods, and the flows behind them."""

from decimal import Decimal

import pytest

from simulator.engine import InvalidParameters, Line, Rack
from simulator.engine.air import air_density_kg_m3, air_pressure_pa, airflow_m3_h, heat_carried_kw
from simulator.engine.amounts import Total
from simulator.engine.climate import air_class, derated_max_c
from simulator.engine.coolant import COOLANTS, coolant_flow_l_min
from simulator.engine.cooling import (
    CoolingLimits,
    CoolingQuestion,
    cooling_methods,
    rule_of_thumb,
    smallest_rear_door_kw,
)
from simulator.engine.heat import Streams
from tests.simulator.builders import DGX_H100, make_device, method_of, report_of, warnings_of


def heater(kw, **fields):
    return make_device("heater", power_nameplate_w=Decimal(str(kw)) * 1000, **fields)


def known(kw):
    return Total(Decimal(str(kw)), Decimal(str(kw)))


@pytest.mark.parametrize(
    ("kw", "rule"),
    [
        (0, "air"),
        ("14.999", "air"),
        (15, "transition"),
        ("29.999", "transition"),
        (30, "direct_to_chip"),
        ("40.8", "direct_to_chip"),
        ("59.999", "direct_to_chip"),
        (60, "immersion"),
        (1200, "immersion"),
    ],
)
def test_the_bands_of_the_rule_include_their_lower_bound(kw, rule):
    assert rule_of_thumb(known(kw)) == rule


def test_an_unknown_part_leaves_the_rule_open_unless_it_changes_nothing():
    assert rule_of_thumb(Total(None, Decimal(20), ("x",))) is None
    assert rule_of_thumb(Total(None, None, ("x",))) is None
    assert rule_of_thumb(Total(None, Decimal(61), ("x",))) == "immersion"


def test_the_rule_is_by_nameplate_whatever_the_basis():
    device = heater(40, power_typical_w=9000)

    report = report_of((device, 1), basis="typical")

    assert report.power.density_kw == 9
    assert report.cooling.rule_of_thumb == "direct_to_chip"


def test_four_dgx_h100_are_air_cooled_where_the_rule_says_direct_to_chip():
    report = report_of((DGX_H100, 4))

    assert report.cooling.rule_of_thumb == "direct_to_chip"
    assert report.cooling.agrees is False
    assert method_of(report, "air").feasible is True
    assert method_of(report, "rear_door").feasible is True
    assert method_of(report, "direct_to_chip").feasible is None
    assert method_of(report, "immersion").feasible is None
    assert report.cooling.air_heat_kw == Decimal("40.8")
    assert report.cooling.liquid_heat_kw is None
    assert report.cooling.airflow_m3_h == Decimal("10287.1")
    assert warnings_of(report)["cold_plates_unknown"] == ("nvidia-dgx-h100",)


def test_a_whole_rack_that_does_not_say_whether_it_has_cold_plates_may_not_be_cooled_by_air():
    rack = make_device("nvl72", is_whole_rack=True, power_nameplate_w=60_000, heat_to_liquid_fraction=None)

    unsaid = report_of((rack, 1))
    enough = report_of((rack, 1), airflow_available_m3_h=Decimal(20_000))
    short = report_of((rack, 1), airflow_available_m3_h=Decimal(1000))

    assert [method_of(unsaid, name).feasible for name in ("air", "rear_door", "direct_to_chip")] == [None] * 3
    assert method_of(unsaid, "air").reason == "Not said whether they have cold plates: nvl72."
    assert method_of(unsaid, "rear_door").reason == "Not said whether they have cold plates: nvl72."
    assert method_of(enough, "air").feasible is None
    # With cold plates or without, this much air does not carry it.
    assert method_of(short, "air").feasible is False


def test_a_door_too_small_for_a_whole_rack_is_too_small_whatever_is_unsaid():
    rack = make_device("nvl72", is_whole_rack=True, power_nameplate_w=120_000, heat_to_liquid_fraction=None)

    report = report_of((rack, 1))

    assert method_of(report, "air").feasible is None
    assert method_of(report, "rear_door").feasible is False


@pytest.mark.parametrize("said", [{"has_cold_plates": False, "heat_to_liquid_fraction": None}, {}])
def test_a_whole_rack_without_cold_plates_is_cooled_by_air(said):
    rack = make_device("rack", is_whole_rack=True, power_nameplate_w=60_000, **said)

    assert method_of(report_of((rack, 1)), "air").feasible is True
    assert method_of(report_of((rack, 1)), "rear_door").feasible is True


def test_the_airflow_at_hand_limits_air():
    enough = report_of((DGX_H100, 4), airflow_available_m3_h=Decimal("10288"))
    short = report_of((DGX_H100, 4), airflow_available_m3_h=Decimal("10287"))

    assert method_of(enough, "air").feasible is True
    assert method_of(enough, "air").limit_kw == Decimal("40.8037")
    assert enough.cooling.binding_limit == "airflow_available_m3_h"
    assert method_of(short, "air").feasible is False
    assert method_of(short, "air").margin_kw < 0
    assert "carries only 40.8 kW" in method_of(short, "air").reason


def test_the_same_airflow_carries_less_on_a_mountain():
    airflow = Decimal("10288")

    report = report_of((DGX_H100, 4), airflow_available_m3_h=airflow, altitude_m=Decimal(1800))

    assert method_of(report, "air").feasible is False
    assert report.cooling.airflow_m3_h == Decimal("12791.1")


@pytest.mark.parametrize(
    ("rule_kw", "feasible", "agrees"),
    [(10, {"air"}, True), (20, {"air", "rear_door"}, True), (70, {"air", "rear_door"}, False)],
)
def test_the_rule_agrees_where_its_method_is_feasible(rule_kw, feasible, agrees):
    report = report_of((heater(rule_kw, is_immersible=None), 1))

    assert feasible <= {method.method for method in report.cooling.methods if method.feasible}
    assert report.cooling.agrees is agrees


def test_transition_agrees_with_a_door_alone():
    report = report_of((heater(20), 1), airflow_available_m3_h=Decimal(1000))

    assert method_of(report, "air").feasible is False
    assert report.cooling.rule_of_thumb == "transition"
    assert report.cooling.agrees is True


def test_cold_plates_need_liquid_and_leave_the_rest_to_the_air():
    """The published split of a GB200 rack: 115 kW to liquid, 17 kW to air."""
    rack = make_device("gb200", is_whole_rack=True, power_nameplate_w=132000, heat_to_liquid_fraction="0.875")

    report = report_of((rack, 1), airflow_available_m3_h=Decimal(5000))

    assert method_of(report, "air").feasible is False
    assert method_of(report, "rear_door").feasible is False
    assert method_of(report, "direct_to_chip").feasible is True
    assert report.cooling.liquid_heat_kw == Decimal("115.5")
    assert report.cooling.air_heat_kw == Decimal("16.5")
    assert report.cooling.coolant_l_min == Decimal("172.907")
    assert report.cooling.rule_of_thumb == "immersion"

    short = report_of((rack, 1), airflow_available_m3_h=Decimal(4000))

    assert method_of(short, "direct_to_chip").feasible is False
    assert short.cooling.binding_limit == "airflow_available_m3_h"
    # 4,000 m³/h carry 15.86 kW, which is what an eighth of this may be.
    assert method_of(short, "direct_to_chip").limit_kw == Decimal("126.917")


@pytest.mark.parametrize(
    ("door", "tank", "binding"),
    [
        ("0.5", 1, "rear_door_max_kw"),
        ("0.5", "0.5", "rear_door_max_kw"),
        (1, "0.5", "immersion_max_kw"),
        ("0.9", "0.8", "immersion_max_kw"),
    ],
)
def test_the_least_margin_binds_and_of_equal_ones_the_first(door, tank, binding):
    limits = CoolingLimits(rear_door_max_kw=Decimal(door), immersion_max_kw=Decimal(tank))

    told = report_of((heater("0.5"), 1), limits=limits)

    assert told.cooling.binding_limit == binding


@pytest.mark.parametrize(
    ("capacity", "limit", "by"), [(39, 39, "door"), (40, 40, "rear_door_max_kw"), (41, 40, "rear_door_max_kw")]
)
def test_a_door_is_limited_by_its_water_where_that_takes_less_than_the_largest(capacity, limit, by):
    """What water takes has an exponential in it, and is never just 40."""
    heat = known(30)
    question = CoolingQuestion(
        lines=(Line(heater(30), 1),),
        heat=heat,
        streams=Streams(heat, heat, known(0), ()),
        limits=CoolingLimits(rear_door_max_kw=Decimal(40)),
        air_limit_kw=None,
        airflow_m3_h=known(9000),
        door_capacity_kw=Decimal(capacity),
    )

    [door] = [method for method in cooling_methods(question) if method.method == "rear_door"]

    assert (door.limit_kw, door.margin_kw, door.limited_by, door.feasible) == (limit, limit - 30, by, True)


def test_a_method_of_which_nothing_can_be_said_binds_nothing():
    fields = {"is_whole_rack": True, "power_nameplate_w": 132000, "heat_to_liquid_fraction": "0.87"}

    unsaid = report_of((make_device("rack", **fields, is_immersible=None), 1))
    said = report_of((make_device("rack", **fields, is_immersible=True), 1))

    assert unsaid.cooling.binding_limit == "direct_to_chip_max_kw"
    assert said.cooling.binding_limit == "immersion_max_kw"
    assert method_of(said, "immersion").margin_kw < method_of(said, "direct_to_chip").margin_kw


def test_a_loop_has_a_limit_of_its_own():
    rack = make_device("rack", is_whole_rack=True, power_nameplate_w=400000, heat_to_liquid_fraction=1)

    assert method_of(report_of((rack, 1)), "direct_to_chip").feasible is False
    limits = CoolingLimits(direct_to_chip_max_kw=Decimal(400))
    assert method_of(report_of((rack, 1), limits=limits), "direct_to_chip").feasible is True
    assert report_of((rack, 1)).cooling.air_heat_kw == 0


@pytest.mark.parametrize(
    ("kw", "liquid", "airflow", "feasible", "reason"),
    [
        # 0.9 · 100 = 90 kW to liquid, 10 kW to air, and 5,000 m³/h carry 19.8 kW.
        (100, "0.9", 5000, True, "Cold plates take 90.0 kW; 10.0 kW are left to the air."),
        # 400 kW are more than the loop's 305.7.
        (400, 1, 5000, False, "The loop takes 305.7 kW."),
        # 1,000 m³/h · 1.184 kg/m³ · 1,005 J/(kg·K) · 12 K / 3,600 = 4.0 kW, where 50 are left.
        (100, "0.5", 1000, False, "The heat that is left to the air is more than the 4.0 kW it carries."),
        (100, None, 5000, None, "The heat to liquid and air is not known of rack."),
    ],
)
def test_cold_plates_say_why(kw, liquid, airflow, feasible, reason):
    rack = make_device(
        "rack",
        is_whole_rack=True,
        power_nameplate_w=kw * 1000,
        heat_to_liquid_fraction=liquid,
        has_cold_plates=True,
    )

    method = method_of(report_of((rack, 1), airflow_available_m3_h=Decimal(airflow)), "direct_to_chip")

    assert (method.feasible, method.reason) == (feasible, reason)


def test_plates_of_unknown_share_leave_both_streams_unknown():
    device = heater(50, heat_to_liquid_fraction=None, has_cold_plates=True)

    report = report_of((device, 1))

    assert report.cooling.air_heat_kw is None
    assert report.cooling.liquid_heat_kw is None
    assert report.cooling.unknown == ("heater",)
    assert method_of(report, "air").feasible is False
    assert method_of(report, "direct_to_chip").feasible is None


def test_no_plates_mean_all_heat_to_air_and_no_direct_to_chip():
    report = report_of((heater(50, heat_to_liquid_fraction=None, has_cold_plates=False), 1))

    assert (report.cooling.air_heat_kw, report.cooling.liquid_heat_kw) == (50, 0)
    assert method_of(report, "direct_to_chip").feasible is False


def test_what_is_unsaid_beside_plates_does_not_refuse_them():
    plated = make_device("plated", power_nameplate_w=50000, heat_to_liquid_fraction=1)
    unsaid = make_device("unsaid", power_nameplate_w=20000, heat_to_liquid_fraction=None)
    airflow = Decimal(2000)  # Carries 7.9 kW: enough for nothing certain, too little for what is unsaid.

    report = report_of((plated, 1), (unsaid, 1), airflow_available_m3_h=airflow)

    assert method_of(report, "direct_to_chip").feasible is None
    assert report.cooling.at_least.liquid_heat_kw == 50


def test_unknown_power_leaves_methods_open_unless_what_is_known_is_too_much():
    unknown = make_device("unknown", power_nameplate_w=None)

    open_ = report_of((heater(50), 1), (unknown, 1))
    assert [method.feasible for method in open_.cooling.methods] == [None, None, False, None]
    assert open_.cooling.rule_of_thumb is None
    assert open_.cooling.agrees is None

    too_much = report_of((heater(301), 1), (unknown, 1))
    assert method_of(too_much, "rear_door").feasible is False
    assert method_of(too_much, "immersion").feasible is False
    assert too_much.cooling.rule_of_thumb == "immersion"


@pytest.mark.parametrize(("said", "feasible"), [(True, True), (False, False), (None, None)])
def test_immersion_needs_devices_that_say_they_may_be(said, feasible):
    report = report_of((heater(70, is_immersible=said), 1))

    assert method_of(report, "immersion").feasible is feasible
    assert report.cooling.agrees is (feasible is True)


def test_where_nothing_is_known_to_work_it_says_so():
    report = report_of((heater(400, is_immersible=False), 1), airflow_available_m3_h=Decimal(1000))

    assert warnings_of(report)["no_method"] == ("heater",)
    assert "no_method" not in warnings_of(report_of((heater(10), 1)))


@pytest.mark.parametrize(("kw", "door"), [(0, 35), (35, 35), ("35.1", 55), (75, 75), ("75.1", None)])
def test_the_smallest_rear_door(kw, door):
    assert smallest_rear_door_kw(Decimal(str(kw))) == door


def test_the_inlet_is_judged_by_its_class_at_the_altitude():
    device = make_device()

    assert "inlet_outside_recommended" not in warnings_of(report_of((device, 1), inlet_c=Decimal(27)))
    assert "inlet_outside_recommended" in warnings_of(report_of((device, 1), inlet_c=Decimal(28)))
    assert "inlet_outside_allowable" not in warnings_of(report_of((device, 1), inlet_c=Decimal(35)))
    high = warnings_of(report_of((device, 1), inlet_c=Decimal(33), altitude_m=Decimal(1800)))
    assert "inlet_outside_allowable" in high
    assert "inlet_outside_recommended" not in high
    assert "altitude_above_class" in warnings_of(report_of((device, 1), altitude_m=Decimal(3051)))
    a4 = report_of((device, 1), inlet_c=Decimal(44), limits=CoolingLimits(air_class="A4"))
    assert "inlet_outside_allowable" not in warnings_of(a4)


def test_altitude_below_the_start_takes_nothing_off():
    assert derated_max_c(Decimal(35), altitude_m=Decimal(900), metres_per_c=Decimal(300)) == 35
    assert derated_max_c(Decimal(35), altitude_m=Decimal(-100), metres_per_c=Decimal(300)) == 35
    assert derated_max_c(Decimal(27), altitude_m=Decimal(2000), metres_per_c=None) == 27


def test_air_carries_back_what_it_was_sized_for():
    density = air_density_kg_m3(air_pressure_pa(Decimal(1500)), Decimal(22))

    flow = airflow_m3_h(Decimal("33.3"), density_kg_m3=density, rise_k=Decimal(11))

    assert round(heat_carried_kw(flow, density_kg_m3=density, rise_k=Decimal(11)), 20) == Decimal("33.3")


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: air_pressure_pa(Decimal(11_001)), "altitude_m is 11001"),
        (lambda: air_pressure_pa(Decimal(-501)), "altitude_m is -501"),
        (lambda: air_density_kg_m3(Decimal(101325), Decimal(61)), "temperature_c is 61"),
        (lambda: airflow_m3_h(Decimal(1), density_kg_m3=Decimal("1.2"), rise_k=Decimal(0)), "rise_k is 0"),
        (lambda: airflow_m3_h(Decimal(-1), density_kg_m3=Decimal("1.2"), rise_k=Decimal(1)), "heat_kw is -1"),
        (lambda: coolant_flow_l_min(Decimal(1), coolant=COOLANTS["water"], rise_k=Decimal(61)), "rise_k is 61"),
        (lambda: air_class("A5"), "air_class is A5; choose one of recommended, A1, A2, A3, A4"),
        (lambda: CoolingLimits(rear_door_max_kw=Decimal(0)), "rear_door_max_kw is 0"),
        (lambda: Rack(footprint_m2=Decimal(0)), "footprint_m2 is 0"),
    ],
)
def test_a_value_out_of_range_names_its_parameter(call, named):
    with pytest.raises(InvalidParameters, match=named):
        call()


@pytest.mark.parametrize(
    ("given", "feasible"),
    [
        ({"inlet_c": 35}, [True, True, False, True]),
        ({"inlet_c": "35.1"}, [False, False, False, True]),
        ({"inlet_c": 45, "limits": CoolingLimits(air_class="A4")}, [True, True, False, True]),
        # From 900 m on a degree less for each 300 m: 32 °C at 1,800 m.
        ({"inlet_c": 32, "altitude_m": 1800}, [True, True, False, True]),
        ({"inlet_c": "32.1", "altitude_m": 1800}, [False, False, False, True]),
    ],
)
def test_air_that_equipment_is_not_built_for_does_not_cool_it(given, feasible):
    numbers = {name: value if name == "limits" else Decimal(str(value)) for name, value in given.items()}

    told = report_of((heater(5), 1), **numbers)

    methods = {each.method: each for each in told.cooling.methods}
    assert [methods[each].feasible for each in ("air", "rear_door", "direct_to_chip", "immersion")] == feasible
    if not feasible[0]:
        at = numbers.get("altitude_m", 0)
        limit = {0: "35.0", 1800: "32.0"}[int(at)]
        assert methods["air"].reason == f"Air of {numbers['inlet_c']} °C; ASHRAE class A2 ends at {limit} °C at {at} m."
        assert methods["air"].margin_kw is None


@pytest.mark.parametrize(
    ("fraction", "inlet", "supply", "feasible", "reason"),
    [
        ("0.8", 25, 40, True, None),
        ("0.8", 25, "40.5", False, "Coolant of 40.5 °C; ASHRAE class S40 ends at 40 °C."),
        ("0.8", 36, 30, False, "Air of 36 °C; ASHRAE class A2 ends at 35.0 °C at 0 m."),
        # What leaves nothing to the air breathes none.
        (1, 36, 30, True, None),
    ],
)
def test_cold_plates_end_at_their_class_and_where_what_is_left_to_the_air_may_not_be(
    fraction, inlet, supply, feasible, reason
):
    limits = CoolingLimits(coolant_class="S40")
    device = heater(5, heat_to_liquid_fraction=fraction)

    told = report_of((device, 1), limits=limits, inlet_c=Decimal(inlet), coolant_supply_c=Decimal(str(supply)))

    method = method_of(told, "direct_to_chip")
    assert method.feasible is feasible
    assert reason is None or method.reason == reason

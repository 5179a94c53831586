"""Limits of a rack that its surroundings set: coolant temperature, the door's water and air, the floor, the chip."""

from decimal import Decimal

import pytest

from simulator.engine import LAYERS, RACK, InvalidParameters, Rack, as_data, read_layer, run_asked
from simulator.engine.coolant import COOLANTS, coolant_at
from simulator.engine.door import RearDoor, door_capacity_kw, effectiveness
from simulator.engine.numbers import precise, rounded
from simulator.engine.reading import read_rack_asked
from tests.simulator.builders import make_device, method_of, report_of, warnings_of

DOOR = RearDoor(conductance_kw_k=Decimal("2.5"), water_in_c=Decimal(18), water_l_min=Decimal(90))


def throttle(**given):
    """Return the report of a chip of 700 W in 150 m³/h."""
    data = {"chip_w": 700, "resistance_k_w": 0.06, "rated_airflow_m3_h": 150, "airflow_m3_h": 150, **given}
    return as_data(run_asked(LAYERS["throttle"], read_layer(LAYERS["throttle"], data)))


@pytest.mark.parametrize(
    ("name", "temperature_c", "density", "capacity"),
    [
        ("water", 5, "999.97", "4205.0"),
        ("water", 25, "996.93", "4181.95"),
        ("water", 80, "971.79", "4196.8"),
        ("pg25", 40, "1009.91", "3968.6"),
        ("pg25", 45, "1007.145", "3980.5"),
    ],
)
def test_properties_of_a_coolant_at_a_temperature(name, temperature_c, density, capacity):
    found = coolant_at(name, Decimal(temperature_c))

    assert (found.density_kg_m3, found.heat_capacity_j_kg_k) == (Decimal(density), Decimal(capacity))


def test_the_reference_of_pg25_is_its_value_at_40_degrees():
    found = coolant_at("pg25", Decimal(40))

    assert (found.density_kg_m3, found.heat_capacity_j_kg_k) == (
        COOLANTS["pg25"].density_kg_m3,
        COOLANTS["pg25"].heat_capacity_j_kg_k,
    )


@pytest.mark.parametrize(("name", "temperature_c", "field"), [("water", 4, "temperature_c"), ("oil", 20, "coolant")])
def test_a_coolant_outside_of_its_range_is_refused(name, temperature_c, field):
    with pytest.raises(InvalidParameters) as refused:
        coolant_at(name, Decimal(temperature_c))

    assert [problem.field for problem in refused.value.problems] == [field]


def test_a_rack_takes_the_coolant_at_the_mean_of_supply_and_return():
    plated = make_device(power_nameplate_w=100_000, heat_to_liquid_fraction=1)

    at_40 = report_of((plated, 1), coolant_supply_c=Decimal(35)).cooling.coolant_l_min
    colder = report_of((plated, 1), coolant_supply_c=Decimal(15)).cooling.coolant_l_min

    assert at_40 == report_of((plated, 1)).cooling.coolant_l_min == Decimal("149.703")
    assert colder == Decimal("150.147")


def test_a_coolant_that_leaves_too_warm_is_refused():
    with pytest.raises(InvalidParameters, match="coolant_supply_c is 75"):
        report_of((make_device(), 1), coolant_supply_c=Decimal(75))
    at_80 = report_of(
        (make_device(heat_to_liquid_fraction=1), 1), coolant_supply_c=Decimal(75), coolant_rise_k=Decimal(5)
    )
    assert at_80.cooling.coolant_l_min is not None


def test_a_rear_door_ends_where_its_water_ends_it():
    hot = make_device(power_nameplate_w=40_000)

    small = report_of((hot, 1), door=DOOR)
    cold = report_of((hot, 1), door=RearDoor(Decimal(5), Decimal(15), Decimal(200)))

    limited, free = method_of(small, "rear_door"), method_of(cold, "rear_door")
    assert (limited.feasible, limited.limit_kw) == (False, Decimal("29.9756"))
    assert limited.reason == "With its water and this air the door takes 30.0 kW."
    assert (free.feasible, free.limit_kw) == (True, Decimal("54.0404"))


@pytest.mark.parametrize(
    ("conductance", "hot", "cold", "expected"),
    [("1", "1", "1", "0.5"), ("2", "1", "2", "0.7746"), ("2", "2", "1", "0.7746"), ("1", "1", "100", "0.630767")],
)
def test_effectiveness_of_a_counterflow_exchanger(conductance, hot, cold, expected):
    with precise():
        found = effectiveness(Decimal(conductance), Decimal(hot), Decimal(cold))

    assert rounded(found, 6) == Decimal(expected)


def test_water_that_is_warmer_than_the_air_takes_nothing():
    assert door_capacity_kw(DOOR, airflow=Decimal(5000), density_kg_m3=Decimal("1.2"), air_c=Decimal(18)) == 0


@pytest.mark.parametrize(("dew_point", "codes"), [("16.1", {"door_below_dew_point"}), ("16", set()), (None, set())])
def test_water_close_to_the_dew_point_is_warned_of(dew_point, codes):
    door = RearDoor(Decimal(5), Decimal(18), Decimal(90), None if dew_point is None else Decimal(dew_point))

    assert warnings_of(report_of((make_device(), 1), door=door, rack=Rack(tare_kg=Decimal(0)))).keys() == codes


@pytest.mark.parametrize(("limit", "warned"), [(1200, False), (1199, True)])
def test_a_floor_carries_so_much(limit, warned):
    rack = Rack(tare_kg=Decimal(100), footprint_m2=Decimal("0.1"), floor_max_kg_m2=Decimal(limit))

    assert ("over_floor" in warnings_of(report_of((make_device(), 1), rack=rack))) is warned


def test_a_floor_load_that_is_partly_unknown_is_at_least_so_much():
    rack = Rack(tare_kg=Decimal(100), footprint_m2=Decimal("0.1"), floor_max_kg_m2=Decimal(900))

    report = report_of((make_device(), 1), (make_device("unknown", weight_kg=None), 1), rack=rack)

    message = next(each.message for each in report.warnings if each.code == "over_floor")
    assert message == "It puts at least 1,200.0 kg/m² on the floor, which carries 900.0 kg/m²."


@pytest.mark.parametrize(("inlet", "warned"), [("17.9", True), (18, False), (27, False), ("27.1", True)])
def test_the_recommended_range_includes_its_ends(inlet, warned):
    report = report_of((make_device(), 1), inlet_c=Decimal(inlet))

    assert ("inlet_outside_recommended" in warnings_of(report)) is warned


def test_a_chip_reaches_its_limit():
    told = throttle(upstream_w=300)

    # 1.184 kg/m³ at 25 °C are a little thinner than the 1.2 of the rating.
    assert (told["chip_c"], told["throttles"]) == (73.5068, False)
    assert (told["throttle_inlet_c"], told["throttle_power_w"]) == (34.4932, 856.522)
    assert told["throttle_airflow_m3_h"] == 120.795
    assert [warning["code"] for warning in told["warnings"]] == ["limit_is_of_the_trade"]


def test_at_the_flow_of_its_limit_a_chip_is_at_its_limit():
    least = throttle(limit_c=80, altitude_m=1500)["throttle_airflow_m3_h"]

    assert throttle(limit_c=80, altitude_m=1500, airflow_m3_h=least)["chip_c"] == pytest.approx(80, abs=0.001)


def test_a_chip_throttles_and_no_flow_helps():
    told = throttle(inlet_c=60, limit_c=60)

    assert told["throttle_airflow_m3_h"] is None
    assert {warning["code"] for warning in told["warnings"]} == {"throttles", "no_airflow_is_enough"}


def test_a_number_of_a_rack_may_be_a_range():
    devices = {"server": make_device("server", power_nameplate_w=10_000, heat_to_liquid_fraction="0.8")}
    data = {
        "items": [{"device": "server", "quantity": 2}],
        "inlet_c": {"low": 20, "typical": 25, "high": 30},
        "coolant_supply_c": {"low": 30, "typical": 45, "high": 60},
        "limits": {"direct_to_chip_max_kw": {"low": 10, "typical": 20, "high": 30}},
    }

    report = run_asked(RACK, read_rack_asked(data, devices=devices))

    ranges = {each.quantity: (each.low, each.typical, each.high) for each in report.ranges}
    assert ranges["direct_to_chip_limit_kw"] == (Decimal("12.5"), 25, Decimal("37.5"))
    assert ranges["airflow_m3_h"] == (Decimal("991.622"), Decimal("1008.53"), Decimal("1025.45"))
    # The least flow is where PG25 carries most, at 50 °C between supply and return: inside of the range.
    assert ranges["coolant_l_min"] == (Decimal("23.9408"), Decimal("23.9408"), Decimal("23.966"))
    assert "density_kw" not in ranges


def test_an_end_of_a_range_is_judged_with_its_path():
    data = {
        "items": [{"device": "server", "quantity": 2}],
        "inlet_c": {"low": 20, "typical": 25, "high": 300},
        "limits": {"rear_door_max_kw": {"low": 10, "typical": 20}},
    }

    with pytest.raises(InvalidParameters) as refused:
        read_rack_asked(data, devices={"server": make_device()})

    assert [(problem.field, problem.code) for problem in refused.value.problems] == [
        ("inlet_c.high", "out_of_range"),
        ("limits.rear_door_max_kw.high", "required"),
    ]


def test_a_door_behind_a_rack_of_no_heat_gets_a_cubic_metre_an_hour():
    """At 25 °C 1.183925 kg/m³: 1 m³/h is 1.183925 · 1.005 / 3600 = 0.000330512 kW/K; all of its 37 − 18 K is moved."""
    told = report_of((make_device(power_nameplate_w=0), 1), door=DOOR)

    assert method_of(told, "rear_door").limit_kw == Decimal("0.00627974")

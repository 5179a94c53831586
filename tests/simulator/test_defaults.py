"""What an input means that leaves a number out. A default is a promise: where it changes, every such answer does."""

from decimal import Decimal

import pytest

from simulator.engine import LAYERS, Device, InvalidParameters, Line, Rack, RackInput
from simulator.engine.climate import AIR_CLASSES, air_class, derated_max_c, water_class_max_c
from simulator.engine.cooling import CoolingLimits
from simulator.engine.electrical import Feed
from simulator.engine.parameters import declared
from tests.simulator.builders import make_device

# One switch is not broken out, one plane, one link an accelerator, a server of eight; nothing is lost that is not said
# (efficiency 1, load factor 1, no waiting); 8,760 hours are a year of 365 days; 14 bytes a parameter are 2 of weights
# and 12 of Adam with a master copy; 6.28 is ASHRAE 90.1's least COP; 83 °C the trade's limit of an H100; servers are
# written off in 5 years; air goes in at 25 °C and leaves 12 K warmer.
DEFAULTS = {
    "SupplyInput": {"basis": "nameplate", "power_factor": "0.95", "mechanical_kw": 0},
    "Stage": {"below": "utility"},
    "Feeds": {"region": "north_america", "redundancy": "none"},
    "PhaseLoads": {"connection": "wye"},
    "Bank": {"redundancy": "n"},
    "Ups": {},
    "Generators": {"derate_fraction": 1},
    "HallInput": {
        "basis": "nameplate",
        "inlet_c": 25,
        "altitude_m": 0,
        "air_rise_k": 12,
        "cdu_redundancy": "n",
        "water": "chilled",
        "chiller_cop": "6.28",
        "cycles_of_concentration": 5,
    },
    "HallRack": {"liquid_fraction": 0},
    "FabricInput": {
        "gpus_per_node": 8,
        "links_per_gpu": 1,
        "planes": 1,
        "switch_ports": 64,
        "switch_port_gbps": 400,
        "breakout": 1,
        "links_per_cable": 1,
        "oversubscription": 1,
        "unused_leaf_ports": 0,
        "leaf_split": "all_ports",
        "is_rail_optimised": True,
        "spare_node_ports": 0,
    },
    "ScaleUp": {"is_switched": True},
    "StorageInput": {"bytes_per_parameter": 14, "scalable_units": 1, "blocking_fraction": 1},
    "DataFeed": {"is_overlapped": True},
    "MemoryPool": {"deviations": 2},
    "ReliabilityInput": {"gpus_per_node": 8, "detect_s": 0},
    "Outage": {"outage_s": 30, "storage_s": 0},
    "CampusInput": {"basis": "typical", "load_factor": 1, "hours": 8760, "usd_per_kw_month": 0, "life_years": 5},
    "Embodied": {},
    "LadderInput": {
        "chips_per_node": 8,
        "rack_other_kw": 0,
        "hall_other_kw": 0,
        "chain_efficiency_fraction": 1,
        "basis": "nameplate",
    },
    "ThrottleInput": {"upstream_w": 0, "inlet_c": 25, "altitude_m": 0, "limit_c": 83},
}

# Of other counts (ports, planes, units of a layout) each whole number of a range is an arrangement of its own.
STEADY_COUNTS = {
    "FabricInput": {"nodes"},
    "ReliabilityInput": {"nodes"},
    "CampusInput": {"gpus"},
    "Embodied": {"count"},
    "LadderInput": {"nodes_per_rack", "racks"},
    "HallRack": {"count"},
    "DataFeed": {"gpus", "nodes"},
    "MemoryPool": {"servers"},
}


def inputs_of(kind):
    """Return an input and the inputs in it."""
    inner = [parameter.part for parameter, _ in declared(kind).values() if parameter.part]
    return [kind, *(each for one in inner for each in inputs_of(one))]


KINDS = {each.__name__: each for layer in LAYERS.values() for each in inputs_of(layer.input_type)}


def test_every_input_has_its_defaults_listed():
    assert set(KINDS) == set(DEFAULTS)


@pytest.mark.parametrize("name", DEFAULTS)
def test_what_is_left_out_has_its_default(name):
    told = {
        field: (default, type(default), parameter.kind)
        for field, (parameter, default) in declared(KINDS[name]).items()
        if not parameter.is_required and default not in (None, ())
    }

    assert told == {
        field: (Decimal(value), Decimal, "number")
        if told[field][2] == "number"
        else (value, type(value), told[field][2])
        for field, value in DEFAULTS[name].items()
    }


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_range_may_stand_for_any_number_but_one_of_some_choices(name):
    told = declared(KINDS[name])

    numeric = {
        field: parameter
        for field, (parameter, _) in told.items()
        if parameter.kind in ("number", "whole") and not parameter.choices
    }
    assert {field for field, (parameter, _) in told.items() if parameter.is_rangeable} == set(numeric)
    steady = {field for field, each in numeric.items() if each.kind == "whole" and not each.is_stepped}
    assert steady == STEADY_COUNTS.get(name, set())


def test_a_rack_is_of_42_units_in_air_of_25_degrees_at_sea_level_and_nothing_else_is_assumed_of_it():
    given = RackInput(items=(Line(make_device(), 1),))

    assert (given.rack, given.rack.name) == (Rack(units=42), "rack")
    assert (given.rack.footprint_m2, given.rack.tare_kg, given.rack.max_kg, given.rack.floor_max_kg_m2) == (None,) * 4
    assert (given.basis, given.coolant) == ("nameplate", "pg25")
    assert (given.inlet_c, given.altitude_m, given.air_rise_k, given.coolant_rise_k) == (25, 0, 12, 10)
    assert (given.airflow_available_m3_h, given.coolant_supply_c, given.feed, given.door) == (None,) * 4


def test_a_device_is_no_whole_rack_and_passes_no_power_on_unless_it_says_so():
    said = Device("server")

    assert (said.is_whole_rack, said.is_power_path) == (False, False)
    assert (said.is_full_depth, said.has_cold_plates, said.is_immersible) == (None, None, None)


def test_a_feed_is_of_line_voltage_and_carries_80_percent_of_its_breaker():
    """NEC 210.20 and 215.3: 125 % of a continuous load is 80 % of the breaker. 80 PLUS Platinum: 0.95 or more."""
    feed = Feed(voltage_v=Decimal(415), phases=3, breaker_a=Decimal(60))

    assert (feed.line, feed.redundancy, feed.count) == (True, "none", None)
    assert (feed.continuous_fraction, feed.power_factor) == (Decimal("0.8"), Decimal("0.95"))


def test_methods_of_cooling_end_where_the_largest_on_sale_do():
    limits = CoolingLimits()

    assert (limits.rear_door_max_kw, limits.direct_to_chip_max_kw) == (75, Decimal("305.7"))
    assert (limits.immersion_max_kw, limits.air_class) == (300, "A2")
    with pytest.raises(InvalidParameters, match="air_class is A9; choose one of recommended, A1, A2, A3, A4, H1"):
        CoolingLimits(air_class="A9")


# ASHRAE TC 9.9, 2021 reference card: dry bulb from and to in °C, metres that take a degree off above 900 m, the end of
# what is recommended in °C, dew points from and to in °C, the highest relative humidity.
ASHRAE_2021 = [
    ("recommended", 18, 27, None, 27, -9, 15, "0.7"),
    ("A1", 15, 32, 300, 27, -12, 17, "0.8"),
    ("A2", 10, 35, 300, 27, -12, 21, "0.8"),
    ("A3", 5, 40, 175, 27, -12, 24, "0.85"),
    ("A4", 5, 45, 125, 27, -12, 24, "0.9"),
    ("H1", 5, 25, 500, 22, -12, 17, "0.8"),
]


@pytest.mark.parametrize(("name", "low", "high", "metres", "recommended", "dew_low", "dew_high", "rh"), ASHRAE_2021)
def test_air_classes_are_those_of_the_reference_card(name, low, high, metres, recommended, dew_low, dew_high, rh):
    found = AIR_CLASSES[name]

    assert (found.recommended_min_c, found.recommended_max_c) == (18, recommended)
    assert (found.min_dew_point_c, found.max_dew_point_c) == (dew_low, dew_high)
    assert found.max_rh_fraction == Decimal(rh)

    assert (found.name, found.min_c, found.max_c, found.metres_per_c) == (name, low, high, metres)
    # All end at 3,050 m; air may change by 5 K an hour with tape drives, by 20 with others.
    assert (found.start_m, found.max_altitude_m) == (900, 3050)
    assert (found.max_rate_tape_c_per_h, found.max_rate_other_c_per_h) == (5, 20)


def test_there_are_no_other_air_classes():
    assert list(AIR_CLASSES) == [name for name, *_ in ASHRAE_2021]
    with pytest.raises(InvalidParameters, match="air_class is A9; choose one of"):
        air_class("A9")


@pytest.mark.parametrize(("name", "warmest"), [("W17", 17), ("W27", 27), ("W32", 32), ("W40", 40), ("W45", 45)])
def test_classes_of_facility_water_are_named_for_their_end(name, warmest):
    assert water_class_max_c(name) == warmest


def test_water_without_an_end_has_no_warmest():
    with pytest.raises(InvalidParameters, match=r"water_class is W\+; choose one of W17, W27, W32, W40, W45\."):
        water_class_max_c("W+")


@pytest.mark.parametrize(
    ("altitude_m", "end"),
    # 300 m above 900 take a degree off 35 °C; nothing is taken off, or added, below.
    [(0, 35), (900, 35), (1200, 34), (3000, 28)],
)
def test_altitude_lowers_the_end_of_a_class(altitude_m, end):
    assert derated_max_c(Decimal(35), altitude_m=Decimal(altitude_m), metres_per_c=Decimal(300)) == end
    assert derated_max_c(Decimal(35), altitude_m=Decimal(altitude_m), metres_per_c=None) == 35

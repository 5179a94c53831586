"""Phases of a supply, computed by hand as phasors 120° apart."""

from decimal import Decimal

import pytest

from simulator.engine.supply.phases import (
    delta_line_currents_a,
    imbalance_fraction,
    neutral_current_a,
    wye_line_currents_a,
)
from tests.simulator.test_layers import SUPPLY, problems, report

FEED = {"voltage_v": 100, "voltage_is": "line", "phases": 3, "breaker_a": 100}


@pytest.mark.parametrize(
    ("currents", "square"),
    [
        ((10, 10, 10), 0),
        ((10, 0, 0), 100),
        ((0, 10, 0), 100),
        ((0, 0, 10), 100),
        # 25 + 9 + 1 − 15 − 3 − 5
        ((5, 3, 1), 12),
        # 16 + 1 + 49 − 4 − 7 − 28
        ((4, 1, 7), 27),
    ],
)
def test_the_neutral_carries_what_the_phases_leave(currents, square):
    assert round(neutral_current_a(*map(Decimal, currents)) ** 2, 20) == square


def test_a_line_carries_the_difference_of_its_two_loads():
    """3, 2 and 1 kVA at 100 V are 30, 20 and 10 A: A has AB and CA, 900 + 300 + 100; B has AB and BC, 900 + 600 + 400;
    C has BC and CA, 400 + 200 + 100."""
    currents = delta_line_currents_a(Decimal(3000), Decimal(2000), Decimal(1000), line_v=Decimal(100))

    assert [round(each**2, 20) for each in currents] == [1300, 1900, 700]


def test_a_line_to_neutral_carries_its_own_load():
    assert wye_line_currents_a([Decimal(3000), Decimal(2000), Decimal(0)], phase_v=Decimal(100)) == (30, 20, 0)


def test_imbalance_is_the_largest_departure_over_the_mean():
    """The mean of 30, 20 and 10 is 20, and 10 is half of it; of 9, 9 and 3 it is 7, and 3 is 4 below."""
    assert imbalance_fraction([Decimal(30), Decimal(20), Decimal(10)]) == Decimal("0.5")
    assert imbalance_fraction([Decimal(9), Decimal(9), Decimal(3)]) == Decimal(4) / 7
    assert imbalance_fraction([Decimal(0)] * 3) == 0


@pytest.mark.parametrize(("a", "b", "c"), [(3, 2, 1), (3, 1, 2), (2, 1, 3), (1, 2, 3), (1, 3, 2), (2, 3, 1)])
def test_the_fullest_line_of_a_delta_is_between_its_two_largest_loads(a, b, c):
    """6 kVA parted 3 : 2 : 1 at 100 V: √1900 = 43.5890 A, whichever line it is."""
    loads = {"a_va": a, "b_va": b, "c_va": c, "connection": "delta"}

    told = report("supply", {"load_kw": 6, "power_factor": 1, "feeds": FEED, "phase_loads": loads})

    assert (told["line_current_max_a"], told["neutral_current_a"]) == (43.589, 0)


def test_a_delta_lies_between_lines_whose_voltage_is_the_root_of_three_of_a_phase():
    """6 kVA parted 3 : 2 : 1 at 100 V · √3: √1900 / √3 = 25.1661 A."""
    loads = {"a_va": 3, "b_va": 2, "c_va": 1, "connection": "delta"}
    feeds = FEED | {"voltage_is": "phase"}

    told = report("supply", {"load_kw": 6, "power_factor": 1, "feeds": feeds, "phase_loads": loads})

    assert told["line_current_max_a"] == 25.1661


def test_a_wye_divides_a_line_voltage_by_the_root_of_three():
    """6 kVA parted 3 : 2 : 1 at 100 V / √3: 3000 · √3 / 100 = 51.9615 A; in the neutral (30, 20, 10) · √3, of which the
    square is 3 · (900 + 400 + 100 − 600 − 200 − 300) = 900."""
    loads = {"a_va": 3, "b_va": 2, "c_va": 1}

    told = report("supply", {"load_kw": 6, "power_factor": 1, "feeds": FEED, "phase_loads": loads})

    assert (told["line_current_max_a"], told["neutral_current_a"]) == (51.9615, 30)
    assert told["phase_imbalance_fraction"] == 0.5


def test_a_supply_has_up_to_twenty_stages():
    stages = [{"name": f"stage {number}", "efficiency": 1} for number in range(21)]

    assert report("supply", {"load_kw": 6, "stages": stages[:20]})["grid_kw"] == 6
    assert problems("supply", {"load_kw": 6, "stages": stages}) == [("stages", "too_many")]


@pytest.mark.parametrize("loaded", ["a_va", "b_va", "c_va"])
def test_one_phase_that_is_loaded_is_enough_and_none_is_refused(loaded):
    """6 kVA on one line at 100 V / √3 are 103.923 A, and so much comes back in the neutral."""
    nothing = {"a_va": 0, "b_va": 0, "c_va": 0}
    data = {"load_kw": 6, "power_factor": 1, "feeds": FEED}

    told = report("supply", data | {"phase_loads": nothing | {loaded: 1}})

    assert (told["line_current_max_a"], told["neutral_current_a"]) == (103.923, 103.923)
    assert problems("supply", data | {"phase_loads": nothing}) == [("phase_loads.a_va", "out_of_range")]


@pytest.mark.parametrize(
    ("redundancy", "count", "left_kw"),
    [("n", 1, 100), ("n+1", 2, 100), ("n+1", 5, 400), ("n+2", 3, 100), ("n+2", 5, 300), ("2n", 4, 200), ("2n", 5, 200)],
)
def test_a_bank_carries_what_is_left_when_its_spare_units_are_lost(redundancy, count, left_kw):
    bank = {"count": count, "unit_kw": 100, "redundancy": redundancy}

    [tier] = report("supply", {"load_kw": 60, "shelves": bank})["tiers"]

    assert (tier["tier"], tier["capacity_kw"], tier["margin_kw"]) == ("shelf", left_kw, left_kw - 60)


def test_generators_carry_what_height_and_heat_leave_of_their_rating():
    """2 · 100 kW · 0.8; 50 kW with the 10 kW that cool it are a kilowatt-hour of 0.25 l 60 times an hour."""
    generators = {"units": {"count": 2, "unit_kw": 100}, "derate_fraction": 0.8, "full_load_l_h": 25, "tank_l": 60}

    told = report("supply", {"load_kw": 50, "mechanical_kw": 10, "generators": generators})

    [tier] = told["tiers"]
    assert (tier["capacity_kw"], tier["load_kw"], tier["margin_kw"]) == (160, 60, 100)
    assert (told["generators_needed_count"], told["generator_fuel_l_h"], told["tank_hours"]) == (1, 15, 4)


@pytest.mark.parametrize(("redundancy", "count"), [("n+1", 1), ("n+2", 2), ("2n", 1)])
def test_a_bank_of_only_spare_units_is_refused(redundancy, count):
    bank = {"count": count, "unit_kw": 100, "redundancy": redundancy}

    assert problems("supply", {"load_kw": 60, "shelves": bank}) == [("shelves.count", "conflict")]


@pytest.mark.parametrize(("efficiencies", "is_taken"), [((0.25, 0.2), True), ((0.25, 0.19), False), ((), True)])
def test_stages_let_a_twentieth_through_or_more(efficiencies, is_taken):
    """6 kW behind 0.25 · 0.2 = 0.05 are 120 kW of the grid."""
    stages = [{"name": f"stage {number}", "efficiency": each} for number, each in enumerate(efficiencies)]
    data = {"load_kw": 6, "stages": stages}

    if is_taken:
        assert report("supply", data)["grid_kw"] == (120 if stages else 6)
    else:
        assert problems("supply", data) == [("stages", "out_of_range")]


@pytest.mark.parametrize("feeds", [None, FEED | {"phases": 1}])
def test_loads_of_phases_need_feeds_of_three(feeds):
    loads = {"a_va": 3, "b_va": 2, "c_va": 1}

    assert problems("supply", {"load_kw": 6, "feeds": feeds, "phase_loads": loads}) == [("phase_loads", "conflict")]


def codes(told):
    return {each["code"] for each in told["warnings"]}


@pytest.mark.parametrize(("load_kw", "trips"), [(8, False), (8.1, True), (16, True), (16.1, False)])
def test_feeds_trip_after_a_failure_where_both_carry_and_one_does_not(load_kw, trips):
    """100 V · 100 A · 0.8 are 8 kVA a feed: two carry up to 16 between them, one of them up to 8."""
    feeds = FEED | {"phases": 1, "redundancy": "2n", "continuous_fraction": 0.8}

    told = report("supply", {"load_kw": load_kw, "power_factor": 1, "feeds": feeds})

    assert (told["feed_normal_kva"], told["feed_failover_kva"]) == (load_kw / 2, load_kw)
    assert ("failover_trips" in codes(told)) is trips
    assert ("tier_overloaded" in codes(told)) is (load_kw > 8)


@pytest.mark.parametrize(("loads", "is_warned"), [((11, 10, 9), False), ((111, 100, 89), True), ((10, 10, 10), False)])
def test_phases_are_unequal_by_more_than_a_tenth(loads, is_warned):
    phases = dict(zip(("a_va", "b_va", "c_va"), loads, strict=True))

    feeds = FEED | {"voltage_is": "phase"}
    told = report("supply", {"load_kw": 6, "power_factor": 1, "feeds": feeds, "phase_loads": phases})

    assert ("phases_unequal" in codes(told)) is is_warned


@pytest.mark.parametrize(("start_s", "is_warned"), [(30, False), (30.1, True), (None, False)])
def test_a_ups_carries_the_load_until_the_generators_do(start_s, is_warned):
    """3,000 kJ carry 100 kW for 30 s."""
    ups = {"modules": {"count": 1, "unit_kw": 100}, "energy_kj": 3000}
    generators = {"units": {"count": 1, "unit_kw": 100}, "start_s": start_s}

    told = report("supply", {"load_kw": 100, "ups": ups, "generators": generators})

    assert told["ups_ride_through_s"] == 30
    assert ("gap_before_generator" in codes(told)) is is_warned


@pytest.mark.parametrize(("load_kw", "ok"), [(100, True), (100.1, False)])
def test_a_tier_carries_just_its_capacity(load_kw, ok):
    told = report("supply", {"load_kw": load_kw, "utility_kw": 100})

    assert (told["ok"], told["tiers"][0]["ok"], "tier_overloaded" in codes(told)) == (ok, ok, not ok)


def test_the_binding_tier_is_the_fullest_and_the_first_of_equal_ones():
    """50 of 100 kW on shelves; with 20 kW of cooling 70 of 140 at generators and of 139 at the utility."""
    bank = {"count": 1, "unit_kw": 100}
    data = {"load_kw": 50, "mechanical_kw": 20, "shelves": bank, "generators": {"units": bank | {"unit_kw": 140}}}

    assert report("supply", data | {"utility_kw": 140})["binding_tier"] == "shelf"
    assert report("supply", data | {"utility_kw": 139})["binding_tier"] == "utility"
    assert report("supply", {"load_kw": 50})["binding_tier"] is None


def test_every_number_of_a_supply_can_be_computed_again_from_what_its_trace_names():
    told = {entry["quantity"]: entry for entry in report("supply", SUPPLY)["trace"]}

    def inputs(quantity):
        return {each["name"]: each["value"] for each in told[quantity]["inputs"]}

    line = inputs("line_current_max_a")
    va = line["phase_load_kw"] / line["power_factor"] / line["feeds_left"] * 1000
    share = max(line[name] for name in ("a_va", "b_va", "c_va")) / sum(line[name] for name in ("a_va", "b_va", "c_va"))
    volts = line["voltage_v"] / (3**0.5 if line["voltage_is_line"] else 1)
    assert told["line_current_max_a"]["value"] == pytest.approx(va * share / volts, rel=1e-5)
    phase = inputs("phase_capacity_kw")
    most = phase["phase_load_kw"] * phase["breaker_a"] * phase["continuous_fraction"] / phase["line_current_max_a"]
    assert told["phase_capacity_kw"]["value"] == pytest.approx(most, rel=1e-5)
    breaker = inputs("breaker_capacity_kw")
    kva = 3**0.5 * breaker["voltage_v"] * breaker["breaker_a"] / 1000
    assert (breaker["voltage_is_line"], breaker["phases"]) == (1, 3)
    assert breaker["feed_kva"] == pytest.approx(kva, rel=1e-5)
    of = kva * breaker["feeds_left"] * breaker["continuous_fraction"] * breaker["power_factor"]
    assert told["breaker_capacity_kw"]["value"] == pytest.approx(of, rel=1e-5)
    assert inputs("shelf_capacity_kw") == {"unit_kw": 33, "units_left": 4}
    assert inputs("ups_capacity_kw") == {"unit_kw": 100, "units_left": 2}
    assert inputs("generator_capacity_kw") == {"unit_kw": 250, "units_left": 1, "derate_fraction": 1}
    assert inputs("utility_capacity_kw") == {"utility_kw": 1000}
    assert inputs("ups_load_kw") == {"load_kw": 132, "efficiency_fraction": 0.975, "mechanical_kw": 0}
    assert inputs("utility_load_kw") == {"load_kw": 132, "efficiency_fraction": 0.94575, "mechanical_kw": 20}
    assert all(entry["inputs"] for entry in told.values())

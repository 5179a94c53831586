"""Edges of single functions: where a comparison turns, a default that no report leaves out, the last rack of a row."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from simulator.engine import LAYERS, InvalidParameters, Line, RackInput, Span, read_layer, run_asked
from simulator.engine.columns import Column
from simulator.engine.cooling import CoolingLimits
from simulator.engine.door import effectiveness
from simulator.engine.fabric.tree import Ports, Tree, leaf_ports, three_tier_max, tree, two_tier_max
from simulator.engine.hall.filling import Caps, Group, fill
from simulator.engine.layers import POINTS_MAX, Asked
from simulator.engine.numbers import precise
from simulator.engine.reliability.outage import survives
from simulator.engine.space import devices_per_rack
from simulator.engine.supply.backup import ride_through_s, units_needed
from simulator.engine.throttle import chip_c
from tests.simulator.builders import make_device, method_of, report_of, warnings_of
from tests.simulator.test_layers import HALL, LADDER, RELIABILITY, STORAGE, THROTTLE, codes, problems, report


def d(value):
    return Decimal(str(value))


# Air, chips and coils


def test_a_chip_whose_air_is_warmer_than_its_limit_may_take_no_power():
    told = report("throttle", THROTTLE | {"inlet_c": 60, "limit_c": 40})

    assert (told["throttle_power_w"], told["throttles"], told["throttle_airflow_m3_h"]) == (0, True, None)


def test_a_coil_of_nearly_equal_flows_is_computed_by_the_whole_formula():
    """At c = 0.999999 and NTU = 1: (1 − e^−0.000001) / (1 − 0.999999·e^−0.000001) = 0.50000012…, not 1/2."""
    with precise():
        found = effectiveness(d("0.999999"), d("0.999999"), d(1))

    assert found == pytest.approx(d("0.500000124999"), abs=d("1e-11"))
    assert found > d("0.5000001")


def test_an_inlet_at_the_end_of_a_class_is_within_it():
    limits = {"inlet_c": d(10)}  # The least of class A2, which servers are built for unless it is said.
    server = make_device("a")

    assert "inlet_outside_allowable" not in warnings_of(report_of((server, 1), **limits))
    assert "inlet_outside_recommended" in warnings_of(report_of((server, 1), **limits))


@pytest.mark.parametrize("most_kw", [300, "0.5"])
def test_a_tank_for_devices_of_unknown_heat_says_whose_it_is(most_kw):
    limits = CoolingLimits(immersion_max_kw=d(most_kw))
    method = method_of(report_of((make_device("a", power_nameplate_w=None), 1), limits=limits), "immersion")

    assert (method.feasible, method.reason) == (None, "The heat is not known of a.")


# Power


def test_storage_that_ends_as_the_generator_takes_the_load_carries_it():
    assert survives(d(30), storage_s=d(10), generator_start_s=d(10))
    assert not survives(d(30), storage_s=d("9.9"), generator_start_s=d(10))


def test_stored_energy_lasts_for_the_part_of_it_that_may_be_used():
    assert ride_through_s(d(3000), d(100), usable_fraction=d("0.8")) == 24
    assert ride_through_s(d(3000), d(100)) == 30


def test_a_rating_stands_where_no_derate_is_given():
    assert units_needed(d(24), d("2.5")) == 10


# Trees


@pytest.mark.parametrize(
    ("radix", "ratio", "down", "up"),
    # 128 / 3 = 42.7: with 42 up, 86 down would be more than 2:1.
    [(64, 1, 32, 32), (64, 3, 48, 16), (128, 2, 85, 43), (2, 64, 1, 1), (4096, "1.5", 2457, 1639)],
)
def test_ports_of_a_leaf_never_pass_the_ratio(radix, ratio, down, up):
    assert leaf_ports(radix, d(ratio)) == Ports(down, up)
    assert down <= d(ratio) * up


def test_nothing_is_blocked_where_no_ratio_is_given():
    assert leaf_ports(64) == Ports(32, 32)
    assert (two_tier_max(64), three_tier_max(64)) == (2048, 65536)


def test_one_leaf_has_no_spine_and_one_more_than_full_pods_is_a_pod():
    half = Ports(4, 4)

    assert tree(1, ports=half, radix=8) == Tree(1, 1, 0, 0, 0, 0)
    # Two pods of 4 leaves and 4 spines, and one of one leaf, whose 4 uplinks of a spine of 4 ports down need one spine.
    # Cores: 4 groups of 2, since 3 pods would fill 1.5 and 2 divides 4.
    assert tree(9, ports=half, radix=8) == Tree(3, 9, 9, 8, 36, 36)


def test_ports_for_managers_are_no_free_ports():
    full = {"nodes": 31, "spare_node_ports": 8}

    assert "leaf_not_full" not in codes(report("fabric", full))
    assert "leaf_not_full" in codes(report("fabric", full | {"spare_node_ports": 7}))


def test_as_many_accelerators_as_the_most_are_allowed():
    most = {"nodes": 100_000, "gpus_per_node": 1000, "switch_ports": 4096}

    assert report("fabric", most)["gpus_count"] == 100_000_000
    assert problems("fabric", most | {"nodes": 100_001}) == [("nodes", "out_of_range")]


# Halls


def test_racks_that_take_no_power_are_held_by_positions_alone():
    filled = fill([Group("panel", 30, d(0), d(0), d(0))], Caps(2, 10, row_kw=d(100)))

    assert (filled.placed, filled.rows_used, filled.binding) == ({"panel": 20}, 2, "positions")


def test_what_one_kind_of_racks_takes_is_gone_for_the_next():
    """13 of 10 kW leave 20 of 150 kW for racks of 6, and rows of ten hold ten and three, then three more."""
    big, small = Group("big", 13, d(10), d(10), d(0)), Group("small", 9, d(6), d(6), d(0))

    filled = fill([big, small], Caps(4, 10, hall_kw=d(150)))

    assert (filled.placed, filled.rows_used, filled.binding) == ({"big": 13, "small": 3}, 2, "hall_kw_max")


def test_ranges_of_caps_that_leave_racks_out_are_refused():
    caps = {key: value for key, value in HALL.items() if key != "row_kw_max"} | {"rows": 5}

    assert problems("hall", caps | {"hall_kw_max": {"low": 3000, "typical": 6000, "high": 7000}}) == [
        ("hall_kw_max", "range_not_allowed")
    ]
    fine = report("hall", caps | {"hall_kw_max": {"low": 6000, "typical": 6500, "high": 7000}})
    assert fine["racks_left_count"] == 0


def test_racks_of_unknown_power_are_placed_nowhere_in_the_trace_too():
    racks = [{"name": "a", "count": 2, "nameplate_kw": 10}, {"name": "b", "count": 3}]

    told = report("hall", {"racks": racks, "rows": 1, "row_positions": 10})

    entry = next(each for each in told["trace"] if each["quantity"] == "it_kw")
    placed = {each["name"]: each["value"] for each in entry["inputs"] if each["name"].endswith("placed_count")}
    assert placed == {"a.placed_count": 2, "b.placed_count": 0}


def test_a_tower_takes_up_the_work_of_compressors_too():
    """100 kW and fans of 5 kW; compressors of 105 / 5 = 21 kW: 126 kW, which take 1.47 · (1 + 1/4) · 1.26 l."""
    rack = {"name": "a", "count": 1, "nameplate_kw": 100}
    plant = {"air_transport_fraction": 0.05, "liquid_transport_fraction": 0.02, "chiller_cop": 5}

    told = report("hall", {"racks": [rack], "rows": 1, "row_positions": 1, "evaporative_fraction": 1, **plant})

    assert (told["cooling_kw"], told["heat_rejected_kw"], told["wue_l_per_kwh"]) == (26, 126, 2.31525)


# Racks, jobs, data


@pytest.mark.parametrize(
    ("quantities", "fits"),
    [([5] * 200, True), ([1] * 201, False), ([6] * 201, False), ([999, 1], True), ([999, 2], False)],
)
def test_a_rack_has_up_to_a_thousand_devices_in_two_hundred_lines(quantities, fits):
    items = tuple(Line(make_device(f"s{at}"), quantity) for at, quantity in enumerate(quantities))

    if fits:
        assert len(RackInput(items=items).lines) == len(quantities)
    else:
        with pytest.raises(InvalidParameters) as refused:
            RackInput(items=items, inlet_c=d(-300))
        found = sorted((each.field, each.code) for each in refused.value.problems)
        assert found == [("inlet_c", "out_of_range"), ("items", "too_many")]


def test_two_of_half_depth_stand_where_one_of_full_depth_does():
    full, half = (make_device(height_u=4, is_full_depth=each) for each in (True, False))

    assert (devices_per_rack(full, 42), devices_per_rack(half, 42)) == (10, 20)


def test_a_job_is_small_below_256_nodes():
    assert "small_job" in codes(report("reliability", RELIABILITY | {"nodes": 255}))
    assert "small_job" not in codes(report("reliability", RELIABILITY | {"nodes": 256}))


def test_links_of_nodes_count_only_where_both_their_number_and_rate_are_given():
    def supplied(**feed):
        return report("storage", STORAGE | {"feed": STORAGE["feed"] | feed})["supplied_read_gb_s"]

    assert supplied() == 125
    assert supplied(nodes=2) == 125
    assert supplied(node_read_gb_s=40) == 125
    assert supplied(nodes=2, node_read_gb_s=40) == 80


# Points and columns


def test_as_many_points_as_the_most_are_computed():
    calls = []

    def run(given):
        calls.append(given)
        return told

    def asked_with(inner):
        turning = replace(
            layer, run=run, turns=lambda given, spans: {"pue": [1 + d(n + 1) / 10_000 for n in range(inner)]}
        )
        return run_asked(turning, Asked(given, {"pue": Span(d(1), d("1.1"), d(2))}))

    layer = LAYERS["ladder"]
    given = read_layer(layer, LADDER).input
    told = layer.run(given)
    asked_with(POINTS_MAX - 2)
    assert len(calls) == 1 + POINTS_MAX == 1601
    with pytest.raises(InvalidParameters, match="give 1601 points; 1600 is the most"):
        asked_with(POINTS_MAX - 1)


def test_columns_divide_and_answer_for_a_single_point():
    column = Column(np.array([6.0]))

    assert list((column / Decimal(4)).values) == [1.5]
    assert list((Decimal(3) / column).values) == [0.5]
    assert column > 5
    with pytest.raises(TypeError):
        column % 3


@pytest.mark.parametrize("other", [True, "1", 1.5, None])
def test_columns_are_computed_with_whole_numbers_and_decimals_only(other):
    with pytest.raises(TypeError, match="is no number"):
        Column(np.array([1.0])) + other


def test_many_kinds_of_racks_with_many_ranges_are_refused_before_any_is_computed(monkeypatch):
    names = ("inlet_c", "altitude_m", "air_rise_k", "chiller_cop", "distribution_loss_fraction", "server_fan_fraction",
             "hall_kw_max", "air_kw_max")  # fmt: skip
    data = {
        "racks": [{"name": f"kind {n}", "count": 1, "nameplate_kw": 10} for n in range(50)],
        "rows": 5,
        "row_positions": 10,
        **{name: {"low": 0.1, "typical": 0.2, "high": 0.3} for name in names},
        "air_rise_k": {"low": 10, "typical": 11, "high": 12},
        "chiller_cop": {"low": 3, "typical": 4, "high": 5},
    }
    asked = read_layer(LAYERS["hall"], data)
    layer = replace(LAYERS["hall"], run=lambda given: None, turns=lambda given, spans: pytest.fail("turns"))

    with pytest.raises(InvalidParameters) as refused:
        run_asked(layer, asked)

    assert [(each.field, each.code) for each in refused.value.problems] == [("", "too_many")]
    assert "256 points, of 12,800 lines in all; 6,000" in refused.value.problems[0].message


def test_a_kind_without_heat_into_the_air_is_not_held_by_what_the_air_takes():
    wet = Group("wet", 5, d(100), d(0), d(100))

    filled = fill([wet], Caps(1, 10, air_kw=d(1)))

    assert (filled.placed, filled.binding) == ({"wet": 5}, None)


def test_one_kind_of_racks_under_a_cap_of_rows_takes_ranges_and_two_kinds_without_it():
    one = {"racks": HALL["racks"][:1], "rows": 5, "row_positions": 10, "row_kw_max": 1360}
    two = {key: value for key, value in HALL.items() if key != "row_kw_max"} | {"rows": 5}
    power = {"low": 100, "typical": 120, "high": 136}

    for data in (one, two):
        racks = [data["racks"][0] | {"nameplate_kw": power}, *data["racks"][1:]]
        ranges = {
            each["quantity"]: (each["low"], each["high"]) for each in report("hall", data | {"racks": racks})["ranges"]
        }
        rest = 200 if len(racks) == 2 else 0
        assert ranges["it_kw"] == (4000 + rest, 5440 + rest)
    racks = [HALL["racks"][0] | {"nameplate_kw": power}, HALL["racks"][1]]
    assert problems("hall", HALL | {"racks": racks}) == [("racks[0].nameplate_kw", "range_not_allowed")]


def test_water_of_generation_is_counted_in_cubic_metres():
    campus = {"it_kw": 1000, "pue": 1.25, "hours": 100, "grid_water_l_per_kwh": 2}

    # 1,000 · 100 · 1.25 kWh · 2 l.
    assert report("campus", campus)["source_water_m3"] == 250


def test_what_was_measured_of_a_small_job_is_not_doubted():
    small = {"nodes": 8, "write_s": 60}

    assert "small_job" not in codes(report("reliability", small | {"job_mttf_h": 30}))
    assert "small_job" in codes(report("reliability", small | {"failures_per_1000_node_days": 6.5}))


def test_a_write_that_is_long_or_unknown_is_said_so_only_where_it_is_known():
    known = {"nodes": 1000, "job_mttf_h": 1}

    assert "write_not_short" in codes(report("reliability", known | {"write_s": 360}))
    assert "write_not_short" not in codes(report("reliability", known | {"write_s": 359}))
    assert report("reliability", known)["young_interval_s"] is None
    assert codes(report("reliability", {"nodes": 1000, "write_s": 360})) == ["little_given"]


def test_columns_become_whole_numbers_towards_zero():
    assert int(Column(np.array([2.6, 2.7]))) == 2
    assert int(Column(np.array([-2.6, -2.7]))) == -2
    with pytest.raises(TypeError):
        Column(np.array([1.0])) + "x"


def test_a_chip_at_its_limit_does_not_throttle():
    given = read_layer(LAYERS["throttle"], THROTTLE).input
    with precise():
        at_limit = replace(given, limit_c=chip_c(given, given.airflow_m3_h))

    told = LAYERS["throttle"].run(at_limit)

    assert (told.throttles, told.chip_margin_k) == (False, 0)
    assert "throttles" not in [each.code for each in told.warnings]

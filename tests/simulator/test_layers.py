"""What all layers share: reading with every problem at once, ranges, traces. And pinned reports of each."""

from decimal import Decimal

import pytest

from simulator.engine import LAYERS, RACK, Device, InvalidParameters, as_data, read_layer, run_asked
from simulator.engine.reading import read_rack_asked
from simulator.engine.trace import quantities

SUPPLY = {
    "load_kw": 132,
    "mechanical_kw": 20,
    "stages": [
        {"name": "shelf", "efficiency": 0.975, "below": "phase"},
        {"name": "ups", "efficiency": 0.97, "below": "generator"},
    ],
    "feeds": {
        "voltage_v": 415,
        "voltage_is": "line",
        "phases": 3,
        "breaker_a": 100,
        "redundancy": "2n",
        "count": 4,
    },
    "phase_loads": {"a_va": 3, "b_va": 2, "c_va": 1},
    "shelves": {"count": 8, "unit_kw": 33, "redundancy": "2n"},
    "ups": {"modules": {"count": 3, "unit_kw": 100, "redundancy": "n+1"}, "energy_kj": 3000},
    "generators": {
        "units": {"count": 2, "unit_kw": 250, "redundancy": "n+1"},
        "start_s": 30,
        "full_load_l_h": 60,
        "tank_l": 1000,
    },
    "utility_kw": 1000,
}
HALL = {
    "racks": [
        {"name": "nvl72", "count": 40, "nameplate_kw": 140, "liquid_fraction": 0.87, "gpus_count": 72},
        {"name": "net", "count": 10, "nameplate_kw": 20, "gpus_count": 0},
    ],
    "rows": 4,
    "row_positions": 12,
    "row_kw_max": 1360,
    "water": "warm",
    "air_transport_fraction": 0.05,
    "liquid_transport_fraction": 0.02,
    "distribution_loss_fraction": 0.03,
    "server_fan_fraction": 0.02,
    "evaporative_fraction": 1,
}
FABRIC = {
    "nodes": 288,
    "switch_ports": 144,
    "switch_port_gbps": 800,
    "efficiency_fraction": 0.9,
    "switch_usd": 100000,
    "cable_usd": 1000,
    "switch_w": 2900,
    "scale_up": {"domain_gpus": 72, "links_per_gpu": 18, "link_bidirectional_gb_s": 100},
}
STORAGE = {
    "parameters_billion": 405.85,
    "level": "best",
    "interval_s": 600,
    "blocking_fraction": 0.5,
    "feed": {"gpus": 1000, "samples_per_gpu_s": 1000, "sample_mb": 0.15},
}
RELIABILITY = {
    "nodes": 2048,
    "failures_per_1000_node_days": 6.5,
    "write_s": 60,
    "restart_s": 300,
    "run_days": 54,
    "outage": {"usd_per_gpu_h": 2, "generator_start_s": 10},
}
CAMPUS = {
    "it_kw": 28230,
    "pue": 1.09,
    "usd_per_kwh": 0.094,
    "usd_per_kw_month": 10,
    "grid_g_per_kwh": 365,
    "wue_l_per_kwh": 0.16,
    "embodied": [{"name": "hgx", "count": 100, "kgco2e_each": 1312}],
    "gpus": 800,
    "gpus_per_day": 300,
}
THROTTLE = {
    "chip_w": 700,
    "resistance_k_w": 0.06,
    "rated_airflow_m3_h": 150,
    "airflow_m3_h": 150,
    "upstream_w": 300,
}
LADDER = {"chip_w": 700, "node_kw": 10.2, "nodes_per_rack": 4, "racks": 3125, "pue": 1.18}
INPUTS = {
    "supply": SUPPLY,
    "hall": HALL,
    "fabric": FABRIC,
    "storage": STORAGE,
    "reliability": RELIABILITY,
    "campus": CAMPUS,
    "ladder": LADDER,
    "throttle": THROTTLE,
}


def report(name, data):
    """Return the report of a layer as plain data."""
    return as_data(run_asked(LAYERS[name], read_layer(LAYERS[name], data)))


def problems(name, data):
    """Return (field, code) of all that a layer refuses."""
    with pytest.raises(InvalidParameters) as refused:
        run_asked(LAYERS[name], read_layer(LAYERS[name], data))
    return [(problem.field, problem.code) for problem in refused.value.problems]


def codes(told):
    return [warning["code"] for warning in told["warnings"]]


def test_every_layer_has_an_example_here():
    assert set(INPUTS) == set(LAYERS)


@pytest.mark.parametrize("name", INPUTS)
def test_every_number_of_a_report_is_in_its_trace(name):
    told = report(name, INPUTS[name])

    traced = {entry["quantity"]: entry["value"] for entry in told["trace"]}
    untraced = {
        field: value
        for field, value in told.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and field not in ("tiers", "rows_used")
        and traced.get(field) != value
        and not (name == "ladder" and field == "grid_kw")
    }
    assert untraced == {}
    assert traced.keys() <= quantities().keys()
    assert all(entry["formula"] and entry["source"] for entry in told["trace"])


@pytest.mark.parametrize("name", INPUTS)
def test_a_layer_gives_the_same_report_again(name):
    assert report(name, INPUTS[name]) == report(name, INPUTS[name])


def test_supply_names_the_tier_that_binds():
    told = report("supply", SUPPLY)

    assert told["binding_tier"] == "phase"
    assert [(tier["tier"], tier["capacity_kw"], tier["load_kw"], tier["ok"]) for tier in told["tiers"]] == [
        ("phase", 72.8385, 135.385, False),
        ("breaker", 109.258, 135.385, False),
        ("shelf", 132, 135.385, False),
        ("ups", 200, 135.385, True),
        ("generator", 250, 159.572, True),
        ("utility", 1000, 159.572, True),
    ]
    assert (told["feed_normal_kva"], told["feed_failover_kva"]) == (35.6275, 71.2551)
    assert (told["grid_kw"], told["conversion_loss_kw"]) == (159.572, 7.57177)
    assert (told["generator_fuel_l_h"], told["tank_hours"]) == (38.2972, 26.1116)
    assert set(codes(told)) == {"tier_overloaded", "phases_unequal", "failover_trips", "gap_before_generator"}


@pytest.mark.parametrize(("region", "fraction"), [("north_america", 0.8), ("iec", 1)])
def test_a_region_names_what_of_a_breaker_may_be_used(region, fraction):
    feeds = {"voltage_v": 230, "voltage_is": "phase", "phases": 3, "breaker_a": 32, "region": region}

    (tier,) = report("supply", {"load_kw": 10, "power_factor": 1, "feeds": feeds})["tiers"]

    assert tier["capacity_kw"] == pytest.approx(22.08 * fraction)


def test_delta_loads_take_the_root_of_three_of_one_load():
    feeds = {"voltage_v": 208, "voltage_is": "line", "phases": 3, "breaker_a": 30}
    loads = {"a_va": 1, "b_va": 1, "c_va": 1, "connection": "delta"}

    told = report("supply", {"load_kw": 6.24, "power_factor": 1, "feeds": feeds, "phase_loads": loads})

    assert (told["line_current_max_a"], told["neutral_current_a"]) == (17.3205, 0)
    assert told["phase_imbalance_fraction"] == 0


def test_one_load_between_two_lines_uses_two_of_three():
    feeds = {"voltage_v": 208, "voltage_is": "line", "phases": 3, "breaker_a": 30}
    loads = {"a_va": 1, "b_va": 0, "c_va": 0, "connection": "delta"}

    told = report("supply", {"load_kw": 4.16, "power_factor": 1, "feeds": feeds, "phase_loads": loads})

    assert (told["line_current_max_a"], told["phase_imbalance_fraction"]) == (20, 1)
    assert "phases_unequal" in codes(told)


def test_a_line_that_lies_below_the_mean_is_not_said_to_be_the_fullest():
    feeds = {"voltage_v": 400, "voltage_is": "line", "phases": 3, "breaker_a": 63}
    loads = {"a_va": 10_000, "b_va": 8000, "c_va": 5000}

    told = report("supply", {"load_kw": 23, "power_factor": 1, "feeds": feeds, "phase_loads": loads})

    # 43.3, 34.6 and 21.7 A: the fullest is 30 % above the mean of 33.2 A, the emptiest 35 % below.
    (warning,) = told["warnings"]
    assert warning["message"] == "The fullest line carries 43.3 A; one lies 35% from the mean of the three."


def test_a_hall_names_the_cap_that_binds_and_what_is_left():
    told = report("hall", HALL)

    assert [(each["name"], each["placed_count"]) for each in told["placed"]] == [("nvl72", 36), ("net", 10)]
    assert (told["binding_limit"], told["full_power_racks_per_row"]) == ("row_kw_max", 9.71429)
    assert (told["racks_left_count"], told["positions_empty_count"], told["hall_gpus_count"]) == (4, 2, 2592)
    assert (told["it_kw"], told["air_kw"], told["liquid_kw"]) == (5240, 855.2, 4384.8)
    assert (told["cooling_kw"], told["facility_load_kw"], told["pue"]) == (130.456, 5527.66, 1.0549)
    assert (told["pue_fans_as_cooling"], told["wue_l_per_kwh"]) == (1.07642, 1.88325)
    assert codes(told) == ["racks_left", "positions_stranded"]


def test_chilled_water_takes_compressors():
    warm, chilled = report("hall", HALL), report("hall", {**HALL, "water": "chilled"})

    # 5,240 kW and the 130.456 kW that moves them, over a coefficient of performance of 6.28.
    assert chilled["cooling_kw"] - warm["cooling_kw"] == pytest.approx(855.168, abs=0.001)
    # Made of a quotient, so it has six digits.
    assert chilled["heat_rejected_kw"] == 6225.62


@pytest.mark.parametrize(
    ("caps", "binding", "placed"),
    [
        ({"hall_kw_max": 1000}, "hall_kw_max", 7),
        ({"liquid_kw_max": 500}, "liquid_kw_max", 4),
        ({"air_kw_max": 100}, "air_kw_max", 5),
        ({"rack_kw_max": 130}, "rack_kw_max", 0),
        ({"row_positions": 2}, "positions", 8),
        ({"floor_kg_m2_max": 1000}, "floor_kg_m2_max", 0),
    ],
)
def test_each_cap_of_a_hall_can_bind(caps, binding, placed):
    rack = {"name": "r", "count": 20, "nameplate_kw": 140, "liquid_fraction": 0.87, "floor_load_kg_m2": 1890}

    told = report("hall", {"racks": [rack], "rows": 4, "row_positions": 12, **caps})

    assert (told["binding_limit"], told["racks_placed_count"]) == (binding, placed)


def test_a_rack_of_unknown_power_leaves_sums_unknown_with_a_floor():
    racks = [{"name": "a", "count": 2, "typical_kw": 10}, {"name": "b", "count": 1, "nameplate_kw": 5}]

    told = report("hall", {"racks": racks, "rows": 1, "row_positions": 5, "basis": "typical"})

    assert (told["it_kw"], told["at_least"]["it_kw"], told["unknown"]) == (None, 20, ["a", "b"])
    assert "rack_power_unknown" in codes(told)


def test_spines_divide_the_uplinks():
    told = report("fabric", FABRIC)

    assert (told["leaf_switches_count"], told["spine_switches_count"], told["cables_count"]) == (32, 18, 4608)
    assert (told["fabric_cost_usd"], told["fabric_power_kw"]) == (9608000, 145)
    assert (told["effective_per_gpu_gbps"], told["cost_per_effective_gbps_usd"]) == (720, 5.79186)
    assert (told["scale_up_pair_gb_s"], told["scale_up_over_scale_out"]) == (900, 9)
    assert codes(told) == ["uneven_spines"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        # Eight rails are eight leaves, however few nodes there are.
        ({"nodes": 4}, (2, 8, 4, 0)),
        ({"nodes": 4, "is_rail_optimised": False}, (1, 1, 0, 0)),
        ({"nodes": 256}, (2, 64, 32, 0)),
        ({"nodes": 257}, (3, 72, 72, 64)),
        ({"nodes": 64, "oversubscription": 3}, (2, 16, 4, 0)),
        ({"nodes": 64, "switch_ports": 64, "breakout": 2, "switch_port_gbps": 800}, (2, 8, 4, 0)),
    ],
)
def test_trees_of_switches(data, expected):
    told = report("fabric", data)

    names = ("leaf_switches_count", "spine_switches_count", "core_switches_count")
    assert (told["tiers"], *(told[name] for name in names)) == expected


@pytest.mark.parametrize(("nodes", "warned"), [(32, []), (31, ["leaf_not_full"])])
def test_leaves_with_free_ports_are_warned_of(nodes, warned):
    assert codes(report("fabric", {"nodes": nodes})) == warned


def test_a_fabric_beyond_three_tiers_is_refused():
    assert problems("fabric", {"nodes": 100_000}) == [("nodes", "out_of_range")]
    assert problems("fabric", {"nodes": {"low": 8, "typical": 16, "high": 100_000}}) == [("nodes", "out_of_range")]


def test_ports_that_are_broken_out_into_too_many_links_are_refused():
    assert report("fabric", {"nodes": 8, "switch_ports": 1024, "breakout": 4})["per_gpu_gbps"] == 100
    assert problems("fabric", {"nodes": 8, "switch_ports": 1024, "breakout": 5}) == [("breakout", "out_of_range")]


def test_checkpoints_and_feed():
    told = report("storage", STORAGE)

    assert (told["checkpoint_gb"], told["checkpoint_gib"]) == (5681.9, 5291.68)
    assert (told["checkpoint_write_s"], told["checkpoint_blocked_s"]) == (91.6435, 45.8218)
    assert (told["checkpoint_time_fraction"], told["starved_fraction"]) == (0.0709511, 0.166667)
    assert codes(told) == ["starved"]


@pytest.mark.parametrize(("servers", "gb"), [(1, 800), (2, 741.421), (4, 700), (16, 650), (64, 625)])
def test_memory_that_is_shared_needs_less_for_each(servers, gb):
    pool = {"mean_gb": 600, "deviation_gb": 100, "servers": servers, "latency_ns": 250, "lines_in_flight": 48}

    told = report("storage", {"parameters_billion": 1, "memory": pool})

    assert (told["pooled_memory_gb_per_server"], told["core_read_gb_s"]) == (gb, 12.288)
    assert told["pooling_saving_fraction"] == pytest.approx(1 - gb / 800, abs=1e-6)


def test_without_overlap_loading_adds_to_computing():
    told = report("storage", {**STORAGE, "feed": {**STORAGE["feed"], "is_overlapped": False}})

    # 150 GB/s are needed, 125 supplied.
    assert told["starved_fraction"] == 0.545455


def test_a_job_its_failures_and_an_outage():
    told = report("reliability", RELIABILITY)

    assert (told["job_mttf_h"], told["failures_count"]) == (1.80288, 718.848)
    assert (told["young_interval_s"], told["daily_interval_s" if False else "daly_interval_s"]) == (882.523, 842.976)
    assert (told["lost_per_failure_s"], told["ettr_fraction"]) == (721.488, 0.845781)
    assert (told["survives_outage"], told["outage_lost_gpu_h"], told["outage_cost_usd"]) == (False, 3420.11, 6840.21)


def test_what_rides_through_an_outage_loses_nothing():
    outage = {"storage_s": 15, "generator_start_s": 10, "usd_per_gpu_h": 2}

    told = report("reliability", {**RELIABILITY, "outage": outage})

    assert (told["survives_outage"], told["outage_lost_with_ride_through_gpu_h"]) == (True, 0)
    assert (told["outage_cost_usd"], told["outage_cost_with_ride_through_usd"]) == (6840.21, 0)


def test_a_year_of_a_campus():
    told = report("campus", CAMPUS)

    assert (told["it_energy_kwh"], told["facility_energy_kwh"]) == (247294800, 269551332)
    assert (told["energy_cost_usd"], told["demand_cost_usd"]) == (25337825.208, 3692484)
    assert (told["average_usd_per_mwh"], told["site_water_m3"]) == (107.699, 39567.168)
    assert (told["operational_tco2e"], told["embodied_tco2e_per_year"]) == (98386.23618, 26.24)
    assert (told["build_days"], codes(told)) == (3, [])


def test_the_ladder_of_a_hundred_thousand_chips():
    told = report("ladder", LADDER)

    totals = {rung["rung"]: rung["total_kw"] for rung in told["rungs"]}
    assert totals == {
        "chip": 70000,
        "node": 127500,
        "rack": 127500,
        "hall": 127500,
        "campus": 150450,
        "grid": 150450,
    }
    assert (told["chips_count"], told["grid_over_chips"]) == (100000, 2.14929)


def test_all_problems_are_told_at_once_with_their_paths():
    data = {
        "load_kw": 0,
        "stages": [{"name": "a"}, {"name": "b", "efficiency": 2}],
        "feeds": {"voltage_v": 415, "phases": 2.5, "breaker_a": "x", "colour": "red"},
        "shelves": {"count": 1, "unit_kw": 5, "redundancy": "2n"},
        "utility_kw": {"low": 3, "typical": 2, "high": 1},
        "power": 1,
    }

    assert sorted(problems("supply", data)) == [
        ("feeds.breaker_a", "wrong_type"),
        ("feeds.colour", "unknown_key"),
        ("feeds.phases", "wrong_type"),
        ("feeds.voltage_is", "required"),
        ("load_kw", "out_of_range"),
        ("power", "unknown_key"),
        ("shelves.count", "conflict"),
        ("stages[0].efficiency", "required"),
        ("stages[1].efficiency", "out_of_range"),
        ("utility_kw", "conflict"),
    ]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        (
            "supply",
            {"load_kw": 9, "feeds": {**SUPPLY["feeds"], "phases": {"low": 1, "typical": 3, "high": 3}}},
            [("feeds.phases", "range_not_allowed")],
        ),
        ("fabric", {"nodes": 10, "planes": {"low": 1, "typical": 2, "high": 17}}, [("planes.high", "out_of_range")]),
        ("fabric", {"nodes": {"low": 1, "typical": 2}}, [("nodes.high", "required")]),
        ("fabric", {"nodes": {"low": 1, "typical": 2, "high": 10**7}}, [("nodes.high", "out_of_range")]),
        ("fabric", {"nodes": 10**7}, [("nodes", "out_of_range")]),
        ("fabric", [], [("", "wrong_type")]),
        ("fabric", {"nodes": True}, [("nodes", "wrong_type")]),
        ("hall", {**HALL, "racks": HALL["racks"] * 26}, [("racks", "too_many")]),
        ("hall", {**HALL, "racks": HALL["racks"] * 2}, [("racks", "conflict")]),
        ("hall", {**HALL, "racks": []}, [("racks", "required")]),
        ("storage", {**STORAGE, "write_gb_s": 1, "read_gb_s": 1}, [("level", "conflict")]),
        ("reliability", {**RELIABILITY, "job_mttf_h": 2}, [("job_mttf_h", "conflict")]),
        ("campus", {**CAMPUS, "pue": 0.99}, [("pue", "out_of_range")]),
        ("campus", {**CAMPUS, "basis": "measured"}, [("basis", "not_a_choice")]),
    ],
)
def test_what_cannot_be_computed_is_refused(name, data, expected):
    assert problems(name, data) == expected


def test_a_range_gives_low_typical_and_high():
    told = report("campus", {**CAMPUS, "pue": {"low": 1.05, "typical": 1.09, "high": 1.2}})

    ranges = {each["quantity"]: (each["low"], each["typical"], each["high"]) for each in told["ranges"]}
    assert ranges["facility_energy_kwh"] == (259659540, 269551332, 296753760)
    assert "it_energy_kwh" not in ranges
    assert told["facility_energy_kwh"] == 269551332


def test_an_optimum_inside_of_a_range_is_its_low():
    data = {"nodes": 2048, "job_mttf_h": 1.8, "write_s": 60, "interval_s": {"low": 100, "typical": 2000, "high": 5000}}

    told = report("reliability", data)

    low = next(each["low"] for each in told["ranges"] if each["quantity"] == "checkpoint_overhead_fraction")
    assert Decimal(str(low)) == Decimal("0.136083")  # √(2 · 60 / 6480)


def test_a_range_that_changes_what_finds_a_place_is_refused():
    rack = {"name": "r", "count": 40, "nameplate_kw": {"low": 130, "typical": 140, "high": 150}}
    hall = {"racks": [rack], "rows": 4, "row_positions": 12, "row_kw_max": 1360}

    assert problems("hall", hall) == [("racks[0].nameplate_kw", "range_not_allowed")]
    assert report("hall", {**hall, "racks": [{**rack, "count": 30}]})["ranges"][1] == {
        "quantity": "it_kw",
        "unit": "kW",
        "low": 3900,
        "typical": 4200,
        "high": 4500,
    }


def test_too_many_ranges_are_refused_before_work_starts():
    span = {"low": 0.9, "typical": 0.95, "high": 0.99}
    stages = [{"name": f"s{n}", "efficiency": span} for n in range(9)]

    assert problems("supply", {"load_kw": 1, "stages": stages}) == [("", "too_many")]


def test_many_points_of_many_lines_are_refused_before_work_starts():
    devices = {f"d{n}": Device(slug=f"d{n}", height_u=Decimal(1), power_nameplate_w=Decimal(9)) for n in range(200)}
    spans = {
        "inlet_c": {"low": 18, "typical": 22, "high": 26},
        "altitude_m": {"low": 0, "typical": 100, "high": 900},
        "air_rise_k": {"low": 10, "typical": 12, "high": 15},
        "airflow_available_m3_h": {"low": 1000, "typical": 2000, "high": 3000},
        "coolant_rise_k": {"low": 8, "typical": 10, "high": 12},
    }

    def asked(lines: int):
        items = [{"device": slug, "quantity": 1} for slug in list(devices)[:lines]]
        return read_rack_asked({"items": items, **spans}, devices=devices, racks={})

    with pytest.raises(InvalidParameters) as refusal:
        run_asked(RACK, asked(200))

    assert [(problem.field, problem.code) for problem in refusal.value.problems] == [("", "too_many")]
    assert run_asked(RACK, asked(2)).ranges != ()


def test_each_count_of_a_range_is_an_arrangement_of_its_own():
    fabric = {"nodes": 48}
    alone = [report("fabric", {**fabric, "switch_ports": ports})["switches_count"] for ports in (24, 26, 28, 30)]
    assert alone == [92, 240, 95, 110]

    told = report("fabric", {**fabric, "switch_ports": {"low": 24, "typical": 28, "high": 30}})

    (switches,) = (each for each in told["ranges"] if each["quantity"] == "switches_count")
    assert (switches["low"], switches["typical"], switches["high"]) == (92, 95, 240)


def test_a_range_of_more_counts_than_are_computed_is_refused_before_work_starts():
    rows = {"rows": {"low": 1, "typical": 4, "high": 1000}, "row_positions": {"low": 1, "typical": 12, "high": 1000}}

    with pytest.raises(InvalidParameters) as refused:
        report("hall", {**HALL, **rows})

    (problem,) = refused.value.problems
    assert (problem.code, problem.message) == (
        "too_many",
        "The ranges give 1000000 points; 1600 is the most. Give a narrower range, or one number.",
    )


def test_phases_are_least_unequal_inside_of_a_range():
    supply = {**SUPPLY, "load_kw": 30, "mechanical_kw": 0, "stages": []}
    loads = {"a_va": {"low": 5000, "typical": 12000, "high": 15000}, "b_va": 9000, "c_va": 10000}

    told = report("supply", {**supply, "phase_loads": loads})

    ranges = {each["quantity"]: each for each in told["ranges"]}
    for quantity, at in (("line_current_max_a", 10000), ("phase_imbalance_fraction", 9500)):
        alone = report("supply", {**supply, "phase_loads": {**loads, "a_va": at}})
        assert ranges[quantity]["low"] == alone[quantity]
    # (9000² + 10000²) / 19000 VA on a: of shares a, b, c the neutral carries √(…) / (a + b + c) of all currents.
    least = 181_000_000 / 19_000
    alone = report("supply", {**supply, "phase_loads": {**loads, "a_va": round(least, 9)}})
    assert ranges["neutral_current_a"]["low"] == alone["neutral_current_a"]


@pytest.mark.parametrize(
    ("connection", "ranged"), [("delta", ("a_va",)), ("delta", ("b_va", "c_va")), ("wye", ("a_va", "b_va", "c_va"))]
)
def test_loads_of_phases_whose_currents_have_no_bounds_between_take_no_range(connection, ranged):
    loads = {"connection": connection, "a_va": 3, "b_va": 2, "c_va": 1}
    loads |= {name: {"low": 1, "typical": 2, "high": 3} for name in ranged}

    assert problems("supply", {**SUPPLY, "phase_loads": loads}) == [
        (f"phase_loads.{name}", "range_not_allowed") for name in ranged
    ]


def test_the_spines_of_a_ratio_inside_of_a_range_are_counted():
    """At 1.125 a leaf of 64 ports has 31 up: 31 spines, as it is prime, where 16 of 64 ports would carry 128 nodes."""
    told = report("fabric", {"nodes": 128, "oversubscription": {"low": 1, "typical": 1.5, "high": 2.25}})

    (spines,) = (each for each in told["ranges"] if each["quantity"] == "spine_switches_count")
    alone = report("fabric", {"nodes": 128, "oversubscription": 1.125})["spine_switches_count"]
    assert (spines["low"], spines["high"], alone) == (10, 31, 31)


@pytest.mark.parametrize("name", INPUTS)
def test_every_number_names_what_it_is_computed_from(name):
    assert [entry["quantity"] for entry in report(name, INPUTS[name])["trace"] if not entry["inputs"]] == []


@pytest.mark.parametrize(
    "ranged",
    [{"switch_ports": {"low": 10, "typical": 14, "high": 20}}, {"links_per_gpu": {"low": 1, "typical": 1, "high": 2}}],
)
def test_the_ends_of_a_range_of_counts_are_answered_or_refused(ranged):
    """Three tiers of switches of 10 ports join too few leaves, and those of 14 too few for two links each."""
    with pytest.raises(InvalidParameters) as refused:
        report("fabric", {"nodes": 48, "switch_ports": 14, **ranged})

    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("nodes", "out_of_range")
    assert problem.message.endswith("a corner of the ranges.)")

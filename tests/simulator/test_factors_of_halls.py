"""Halls, fabrics, campuses and ladders, computed by hand, on both sides of where an answer turns."""

from decimal import Decimal

import pytest

from simulator.engine import LAYERS, InvalidParameters, Span, read_layer
from simulator.engine.fabric.links import scale_up_chip_ports, scale_up_links
from simulator.engine.fabric.tree import even_spread, kary_tree, leaf_count, switch_capacity_tbps, two_tier_spines
from tests.simulator.test_layers import CAMPUS, codes, problems, report


def d(value):
    return Decimal(str(value))


def hall(*racks, **given):
    """Return the report of a hall of one row of ten places, unless it is said."""
    return report("hall", {"racks": list(racks), "rows": 1, "row_positions": 10, "server_fan_fraction": 0.1, **given})


WET = {"name": "wet", "count": 4, "nameplate_kw": 100, "liquid_fraction": 0.75, "gpus_count": 72}
PLANT = {"air_transport_fraction": 0.1, "liquid_transport_fraction": 0.05, "distribution_loss_fraction": 0.08}


@pytest.mark.parametrize(
    ("given", "cooling_kw"),
    [
        # 100 kW to the air and 300 to liquid: fans of 10 kW, pumps of 15. All of 425 kW through compressors of COP 5
        # are 85 kW, half of it 42.5.
        ({}, 110),
        ({"water": "warm"}, 25),
        ({"mechanical_fraction": 0.5}, 67.5),
        ({"water": "warm", "mechanical_fraction": 0.5}, 67.5),
        ({"mechanical_fraction": 0}, 25),
    ],
)
def test_compressors_take_their_part_of_the_heat(given, cooling_kw):
    told = hall(WET, chiller_cop=5, **PLANT, **given)

    assert (told["it_kw"], told["air_kw"], told["liquid_kw"], told["hall_gpus_count"]) == (400, 100, 300, 288)
    assert (told["cooling_kw"], told["heat_rejected_kw"]) == (cooling_kw, 400 + cooling_kw)
    assert (told["loss_kw"], told["facility_load_kw"]) == (32, 432 + cooling_kw)
    assert told["pue"] == pytest.approx((432 + cooling_kw) / 400, abs=1e-9)
    assert told["pue_fans_as_cooling"] == pytest.approx((432 + cooling_kw) / 360, rel=1e-5)
    assert told["wue_l_per_kwh"] is None
    assert codes(told) == []


@pytest.mark.parametrize(("evaporative_fraction", "cycles", "water"), [(1, 3, 2.34281), (0.5, 5, 0.976172), (0, 5, 0)])
def test_water_evaporates_for_a_part_of_the_heat(evaporative_fraction, cycles, water):
    """425 kW of 400 kW of IT: 1.47 · (1 + 1 / 2) · 1.0625 l, and half of 1.47 · (1 + 1 / 4) · 1.0625."""
    told = hall(WET, water="warm", evaporative_fraction=evaporative_fraction, cycles_of_concentration=cycles, **PLANT)

    assert told["wue_l_per_kwh"] == water


def test_what_is_not_given_of_a_plant_is_unknown():
    told = hall(WET, evaporative_fraction=1)

    assert [told[name] for name in ("cooling_kw", "heat_rejected_kw", "loss_kw", "facility_load_kw", "pue")] == 5 * [
        None
    ]
    assert told["wue_l_per_kwh"] is None
    assert (told["unknown"], told["at_least"]) == ([], None)


def test_the_air_of_a_hall_carries_what_liquid_does_not():
    """At sea level and 25 °C air weighs 1.184 kg/m³: 100 kW / (1.184 · 1005 · 12 K) are 7.003 m³/s."""
    assert hall(WET)["hall_airflow_m3_h"] == pytest.approx(100_000 / (1.184 * 1005 * 12) * 3600, rel=1e-3)
    assert hall(WET, air_rise_k=24)["hall_airflow_m3_h"] == pytest.approx(hall(WET)["hall_airflow_m3_h"] / 2, rel=1e-5)


def test_a_hall_that_takes_no_power_has_no_pue():
    told = hall({"name": "panel", "count": 2, "nameplate_kw": 0}, evaporative_fraction=1, **PLANT)

    assert (told["it_kw"], told["cooling_kw"], told["pue"], told["wue_l_per_kwh"]) == (0, 0, None, None)
    assert told["full_power_racks_per_row"] is None
    # No cap of power keeps them out, however low.
    told = hall({"name": "panel", "count": 2, "nameplate_kw": 0}, hall_kw_max=1, rack_kw_max=0.5)
    assert (told["racks_placed_count"], codes(told)) == (2, [])


def test_racks_of_half_a_kilowatt_fill_a_row():
    told = hall({"name": "small", "count": 2, "nameplate_kw": 0.5}, row_kw_max=4)

    assert (told["full_power_racks_per_row"], told["it_kw"]) == (8, 1)


def test_racks_of_unknown_power_or_accelerators_are_told_beside_what_is_known():
    dark = {"name": "dark", "count": 3}
    plain = {"name": "plain", "count": 2, "nameplate_kw": 10}

    told = hall(WET, dark, plain, **PLANT)

    counts = ("racks_asked_count", "racks_placed_count", "racks_left_count", "positions_empty_count")
    assert [told[name] for name in counts] == [9, None, None, None]
    assert (told["unknown"], told["at_least"]) == (["dark", "plain"], {"it_kw": 420, "hall_gpus_count": 288})
    assert (told["air_kw"], told["liquid_kw"], told["hall_airflow_m3_h"], told["pue"]) == (None, None, None, None)
    assert {each["name"]: each["placed_count"] for each in told["placed"]} == {"wet": 4, "dark": 0, "plain": 2}
    assert codes(told) == ["rack_power_unknown"]
    told = hall(dark)
    assert (told["full_power_racks_per_row"], told["at_least"]) == (None, {"it_kw": None, "hall_gpus_count": None})
    # Only the accelerators are unknown of these.
    told = hall(WET, plain)
    assert (told["it_kw"], told["hall_gpus_count"]) == (420, None)
    assert (told["unknown"], told["at_least"]) == (["plain"], {"it_kw": None, "hall_gpus_count": 288})
    assert [told[name] for name in counts] == [6, 6, 0, 4]


@pytest.mark.parametrize(
    ("given", "warned"),
    [
        ({"row_positions": 4}, []),
        ({"row_positions": 3}, ["racks_left"]),
        ({"row_kw_max": 400}, []),
        ({"row_kw_max": 399}, ["racks_left", "positions_stranded"]),
        ({"rack_kw_max": 100}, []),
        ({"rack_kw_max": 99}, ["racks_left", "rack_over_cap", "positions_stranded"]),
    ],
)
def test_what_is_said_of_a_hall_turns_at_its_caps(given, warned):
    assert codes(hall(WET, **given)) == warned


def test_fans_that_are_not_given_are_said_so():
    assert codes(report("hall", {"racks": [WET], "rows": 1, "row_positions": 4})) == ["fans_unknown"]


def test_a_hall_has_at_most_fifty_kinds_of_racks():
    kinds = [{"name": f"kind {n}", "count": 1, "nameplate_kw": 1} for n in range(51)]
    fifty = {"racks": kinds[:50], "rows": 10, "row_positions": 10}

    assert report("hall", fifty)["racks_placed_count"] == 50
    assert problems("hall", fifty | {"racks": kinds}) == [("racks", "too_many")]


def test_a_range_of_a_rack_may_end_where_the_last_finds_its_place():
    def asked(high):
        rack = {"name": "r", "count": 10, "nameplate_kw": {"low": 30, "typical": 35, "high": high}}
        return {"racks": [rack], "rows": 1, "row_positions": 10, "row_kw_max": 400}

    ranges = {each["quantity"]: (each["low"], each["high"]) for each in report("hall", asked(40))["ranges"]}
    # 400 / 30 racks are more than ten places, at 40 kW they are just ten.
    assert ranges["it_kw"] == (300, 400)
    assert problems("hall", asked(40.1)) == [("racks[0].nameplate_kw", "range_not_allowed")]


def test_two_kinds_under_a_cap_of_rows_have_no_range_even_where_all_find_a_place():
    racks = [
        {"name": "r", "count": 2, "nameplate_kw": {"low": 30, "typical": 35, "high": 40}},
        {"name": "s", "count": 2, "nameplate_kw": 10},
    ]
    hall = {"racks": racks, "rows": 1, "row_positions": 10}

    assert problems("hall", hall | {"row_kw_max": 1000}) == [("racks[0].nameplate_kw", "range_not_allowed")]
    assert report("hall", hall | {"hall_kw_max": 1000})["racks_left_count"] == 0


# Fabrics


def test_counts_of_a_fabric_of_two_planes():
    """16 nodes of 4 accelerators with 2 links in each of 2 planes: 128 links a plane, on 8 rails of 16.

    32 ports of 800 broken out in two are 64 links of 400, 32 of them down: a leaf a rail. 8 leaves of 32 uplinks are
    256, which 4 spines of 64 take; cables carry two links.
    """
    told = report(
        "fabric",
        {
            "nodes": 16,
            "gpus_per_node": 4,
            "links_per_gpu": 2,
            "planes": 2,
            "switch_ports": 32,
            "switch_port_gbps": 800,
            "breakout": 2,
            "links_per_cable": 2,
            "spare_node_ports": 3,
            "efficiency_fraction": 0.5,
            "switch_usd": 1000,
            "cable_usd": 10,
            "switch_w": 500,
        },
    )

    assert (told["gpus_count"], told["tiers"], told["switches_count"]) == (64, 2, 24)
    assert (told["leaf_switches_count"], told["spine_switches_count"], told["core_switches_count"]) == (16, 8, 0)
    # 256 links to nodes and 3 more cables; 512 links up.
    cables = ("node_leaf_cables_count", "leaf_spine_cables_count", "spine_core_cables_count", "cables_count")
    assert [told[name] for name in cables] == [131, 256, 0, 387]
    assert (told["two_tier_max_endpoints_count"], told["three_tier_max_endpoints_count"]) == (2048, 65536)
    assert told["switch_one_way_capacity_tbps"] == 25.6
    # 2 links · 2 planes · 400.
    assert (told["per_gpu_gbps"], told["effective_per_gpu_gbps"], told["cross_leaf_per_gpu_gbps"]) == (1600, 800, 1600)
    assert (told["fabric_power_kw"], told["fabric_cost_usd"]) == (12, 27870)
    assert told["cost_per_effective_gbps_usd"] == 0.544336  # 27,870 / (64 · 800)
    assert codes(told) == ["leaf_not_full"]


@pytest.mark.parametrize("left_out", ["switch_usd", "cable_usd", "efficiency_fraction"])
def test_a_price_that_lacks_a_part_is_unknown(left_out):
    given = {"nodes": 16, "switch_usd": 1000, "cable_usd": 10, "efficiency_fraction": 0.5}
    told = report("fabric", {key: value for key, value in given.items() if key != left_out})

    assert told["cost_per_effective_gbps_usd"] is None
    assert (told["fabric_cost_usd"] is None) is (left_out != "efficiency_fraction")
    assert told["fabric_power_kw"] is None


def test_three_tiers_of_small_switches():
    """8 ports are 4 down and 4 up: 24 leaves in 6 pods of 4 leaves and 4 spines; cores are 4 groups of 4, as 3 does not
    divide the 4 uplinks of a spine."""
    told = report("fabric", {"nodes": 12, "switch_ports": 8, "is_rail_optimised": True})

    assert (told["tiers"], told["leaf_switches_count"], told["spine_switches_count"]) == (3, 24, 24)
    assert told["switches_count"] == 64
    assert (told["core_switches_count"], told["leaf_spine_cables_count"], told["spine_core_cables_count"]) == (
        16,
        96,
        96,
    )


def test_a_scale_up_domain_against_its_fabric():
    """18 links of 50 GB/s are 0.9 TB/s both ways, 450 GB/s one way: 3,600 of 400 Gb/s are 9. A mesh shares them."""
    domain = {"domain_gpus": 10, "links_per_gpu": 18, "link_bidirectional_gb_s": 50}

    told = report("fabric", {"nodes": 8, "scale_up": domain})
    mesh = report("fabric", {"nodes": 8, "scale_up": {**domain, "is_switched": False}})

    names = ("scale_up_per_gpu_bidirectional_tb_s", "scale_up_domain_bidirectional_tb_s", "scale_up_over_scale_out")
    assert [told[name] for name in names] == [0.9, 9, 9]
    assert (told["scale_up_pair_gb_s"], mesh["scale_up_pair_gb_s"]) == (450, 50)
    assert problems("fabric", {"nodes": 8, "scale_up": {**domain, "domain_gpus": 1}}) == [
        ("scale_up.domain_gpus", "out_of_range")
    ]
    assert report("fabric", {"nodes": 8, "scale_up": {**domain, "domain_gpus": 2}})["scale_up_pair_gb_s"] == 450
    assert (scale_up_links(72, 18), scale_up_chip_ports(72, 18, 18)) == (1296, 72)


def test_a_count_of_a_fabric_names_what_it_is_made_of():
    told = report("fabric", {"nodes": 16, "planes": 2, "switch_w": 500})

    inputs = {each["quantity"]: {one["name"]: one["value"] for one in each["inputs"]} for each in told["trace"]}
    assert inputs["gpus_count"] == {"nodes": 16, "gpus_per_node": 8}
    assert inputs["leaf_switches_count"] == {
        "nodes": 16,
        "gpus_per_node": 8,
        "links_per_gpu": 1,
        "planes": 2,
        "groups": 8,
        "radix": 64,
        "down_ports": 32,
        "uplinks": 32,
        "links_per_cable": 1,
    }
    # 8 leaves of 32 uplinks are 4 spines, in two planes.
    assert inputs["fabric_power_kw"] == {"switches_count": 24, "switch_w": 500}


def test_a_range_of_nodes_may_cross_a_hundred_leaves():
    """A rail has a leaf for each 32 nodes: 32 to 3,231 nodes fill the first to the hundredth."""
    prices = {"efficiency_fraction": 0.9, "switch_usd": 100_000, "cable_usd": 1000}
    given = read_layer(LAYERS["fabric"], {"nodes": 50, **prices}).input

    found = LAYERS["fabric"].turns(given, {"nodes": Span(d(32), d(50), d(3231))})
    assert found["nodes"] == [end for leaf in range(1, 101) for end in (32 * leaf, 32 * leaf + 1)]
    with pytest.raises(InvalidParameters) as refused:
        LAYERS["fabric"].turns(given, {"nodes": Span(d(32), d(50), d(3232))})
    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("nodes", "too_many")
    assert problem.message.startswith("nodes crosses 101 leaves, ")
    # At both ends of a range of the ratio too: 3:1 is 48 down.
    ratio = {"nodes": Span(d(32), d(40), d(50)), "oversubscription": Span(d(1), d(1), d(3))}
    assert LAYERS["fabric"].turns(given, ratio)["nodes"] == [32, 33, 32, 33, 0, 1, 48, 49]


def test_switches_of_a_tree_one_by_one():
    assert [even_spread(72, at_least) for at_least in (1, 16, 18, 37, 72, 73)] == [1, 18, 18, 72, 72, None]
    assert [leaf_count(endpoints, groups=8, down=32) for endpoints in (1, 256, 257, 512)] == [8, 8, 16, 16]
    # 64 leaves of 32 uplinks are the 2,048 ports of 32 spines of 64; one leaf more has no port left.
    assert [two_tier_spines(leaves, up=32, radix=64) for leaves in (1, 2, 3, 64, 65)] == [1, 1, 2, 32, None]
    assert switch_capacity_tbps(144, d(800)) == d("115.2")


def test_a_full_fat_tree_of_four_ports():
    """4 pods: 16 hosts, 8 edge and 8 aggregation switches, 4 cores, 48 links."""
    found = kary_tree(4)

    assert (found.hosts, found.edge, found.aggregation, found.core, found.links) == (16, 8, 8, 4, 48)
    assert found.nodes == 36


# Campuses and ladders


def test_carbon_and_water_of_a_campus():
    """1,000 kW for 100 h at half load and a PUE of 1.2: 50,000 kWh of IT, 60,000 of the facility."""
    told = report(
        "campus",
        {
            "it_kw": 1000,
            "load_factor": 0.5,
            "hours": 100,
            "pue": 1.2,
            "wue_l_per_kwh": 2,
            "usd_per_kwh": 0.1,
            "usd_per_kw_month": 5,
            "grid_g_per_kwh": 300,
            "embodied": [
                {"name": "a", "count": 10, "kgco2e_each": 1500},
                {"name": "b", "count": 5, "kgco2e_each": 1000},
            ],
            "life_years": 4,
            "gpus": 92,
            "gpus_per_day": 10,
        },
    )

    assert (told["it_energy_kwh"], told["facility_energy_kwh"], told["overhead_energy_kwh"]) == (50_000, 60_000, 10_000)
    assert (told["facility_kw"], told["site_water_m3"], told["source_water_m3"]) == (1200, 100, None)
    assert (told["energy_cost_usd"], told["demand_cost_usd"], told["bill_usd"]) == (6000, 72_000, 78_000)
    assert told["average_usd_per_mwh"] == 1300
    # 15 + 5 t over four years, beside 18 t of operation.
    assert (told["operational_tco2e"], told["embodied_tco2e"], told["embodied_tco2e_per_year"]) == (18, 20, 5)
    # 23 t over 92 · 100 · 0.5 accelerator hours.
    assert (told["carbon_tco2e_per_year"], told["gco2e_per_gpu_h"], told["build_days"]) == (23, 5000, 10)
    assert codes(told) == ["partial_year"]


def test_carbon_without_devices_is_that_of_operation_and_without_a_grid_is_unknown():
    campus = {"it_kw": 1000, "pue": 1.25, "hours": 8}

    told = report("campus", campus | {"grid_g_per_kwh": 100})
    assert (told["carbon_tco2e_per_year"], told["embodied_tco2e"], told["gco2e_per_gpu_h"]) == (1, None, None)
    devices = [{"name": "a", "count": 2, "kgco2e_each": 500}]
    told = report("campus", campus | {"embodied": devices})
    assert (told["carbon_tco2e_per_year"], told["embodied_tco2e"]) == (None, 1)
    assert (told["bill_usd"], told["average_usd_per_mwh"], told["build_days"]) == (None, None, None)


@pytest.mark.parametrize(
    ("given", "warned"),
    [
        ({}, []),
        ({"basis": "nameplate"}, ["nameplate_all_year"]),
        ({"basis": "nameplate", "load_factor": 0.9}, []),
        ({"usd_per_kw_month": 0}, ["no_demand_charge"]),
        ({"usd_per_kw_month": 0, "usd_per_kwh": None}, []),
        ({"embodied": None}, ["embodied_unknown"]),
        ({"embodied": None, "grid_g_per_kwh": None}, []),
        ({"hours": 8759}, ["partial_year"]),
        ({"hours": 8784}, []),
    ],
)
def test_what_is_said_of_a_campus(given, warned):
    data = {key: value for key, value in {**CAMPUS, **given}.items() if value is not None}

    assert codes(report("campus", data)) == warned


def test_a_campus_has_at_most_fifty_kinds_of_devices():
    kinds = [{"name": f"kind {n}", "count": 1, "kgco2e_each": 10} for n in range(51)]

    assert report("campus", CAMPUS | {"embodied": kinds[:50]})["embodied_tco2e"] == 0.5
    assert problems("campus", CAMPUS | {"embodied": kinds}) == [("embodied", "too_many")]


@pytest.mark.parametrize(("node_kw", "warned"), [(5.6, []), (5.59, ["node_below_chips"])])
def test_a_node_takes_at_least_what_its_chips_do(node_kw, warned):
    """8 chips of 700 W are 5.6 kW."""
    ladder = {"chip_w": 700, "node_kw": node_kw, "nodes_per_rack": 4, "racks": 10, "pue": 1.2}

    assert codes(report("ladder", ladder)) == warned


def test_a_ladder_has_at_most_a_billion_chips():
    ladder = {"chip_w": 700, "chips_per_node": 100, "node_kw": 100, "nodes_per_rack": 10, "racks": 10**6, "pue": 1.2}

    assert report("ladder", ladder)["chips_count"] == 10**9
    assert problems("ladder", ladder | {"racks": 10**6 + 1}) == [("racks", "out_of_range")]


def test_a_rung_of_a_ladder_is_told_for_each_and_for_all():
    """0.7, 10.2, 4 · 10.2 = 40.8 and 3,125 · 40.8 = 127,500 kW; at 1.18 150,450."""
    told = report("ladder", {"chip_w": 700, "node_kw": 10.2, "nodes_per_rack": 4, "racks": 3125, "pue": 1.18})

    each = [(rung["rung"], rung["count"], rung["each_kw"], rung["kw_per_chip"]) for rung in told["rungs"]]
    assert each == [
        ("chip", 100_000, 0.7, 0.7),
        ("node", 12_500, 10.2, 1.275),
        ("rack", 3125, 40.8, 1.275),
        ("hall", 1, 127_500, 1.275),
        ("campus", 1, 150_450, 1.5045),
        ("grid", 1, 150_450, 1.5045),
    ]

"""Campuses and ladders, computed by hand, on both sides of where an answer turns."""

import pytest

from tests.simulator.test_layers import CAMPUS, codes, problems, report


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

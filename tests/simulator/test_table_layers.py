"""Rows of tables whose inputs are parameters of a layer: answered by that layer, and never by a guess."""

from dataclasses import replace
from decimal import Decimal

import pytest

from simulator.engine.campus.layer import run_campus
from simulator.engine.layer_list import LAYERS
from simulator.engine.validation import check, read_case
from tests.simulator.test_tables import row_of

DOOR = {"conductance_kw_per_k": 4, "water_in_c": 18, "water_l_per_min": 100, "rack_kw": 40, "liquid_fraction": 0}
CHIP = {"chip_w": 700, "resistance_k_per_w": 0.06, "rated_airflow_m3_h": 100, "airflow_cfm": 58.858, "limit_c": 87}
CAMPUS = {"it_mw": 20, "pue": 1.2, "usd_per_kwh": 0.05, "usd_per_kw_month": 10}
FEEDS = {"load_kw": 95, "power_factor": 0.95, "voltage_v": 415, "voltage_is": "line", "phases": 3, "breaker_a": 60}


@pytest.mark.parametrize(
    ("kind", "inputs", "expected"),
    [
        # ε of 0.625 at 1.2 transfer units and a ratio of 0.48, of 3.333 kW/K between 37 and 18 °C.
        ("cooling", DOOR, {"rear_door_capacity_kw": 39.59}),
        # 0.06 K/W at 1.2 kg/m³ is 0.06063 K/W at 1.184: 42.46 K above the inlet.
        ("cooling", CHIP, {"throttle_inlet_c": 44.54, "chip_margin_k": 19.54, "throttles_bool": False}),
        ("energy", CAMPUS, {"bill_musd": 13.392, "demand_cost_usd": 2880000, "average_usd_per_mwh": 63.7}),
        (
            "carbon",
            {"it_kw": 20000, "pue": 1.2, "count": 100, "kgco2e_each": 5000, "life_years": 4},
            {"embodied_tco2e": 500, "embodied_tco2e_per_year": 125},
        ),
        (
            "hall",
            {"rows": 4, "row_positions": 12, "count": 60, "nameplate_kw": 40, "row_kw_max": 400},
            {"racks_placed_count": 40, "positions_empty_count": 8, "it_mw": 1.6},
        ),
        ("electrical", {**FEEDS, "redundancy": "2N", "region": "NEC"}, {"breaker_capacity_kw": 32.78}),
        ("electrical", {"load_kw": 132, "shelves.count": 8, "shelves.unit_kw": 33}, {"shelf_capacity_kw": 264}),
        (
            "ladder",
            {"chip_w": 1200, "node_kw": 6.6, "chips_per_node": 4, "nodes_per_rack": 18, "racks": 100, "pue": 1.2},
            {"grid_over_chips": 1.65, "campus_mw": 14.256, "chips_count": 7200},
        ),
        (
            "reliability",
            {"nodes": 2048, "failures_per_1000_node_days": 6.5, "interval_min": 15, "restart_min": 5, "outage_s": 30},
            {"outage_lost_gpu_h": 3549.9, "survives_outage": False},
        ),
        ("fabric", {"nodes": 64, "switch_ports": 64, "planes": 2, "switch_w": 1000}, {"fabric_power_kw": 48}),
        (
            "rack",
            {"weight_kg": 1360, "footprint_m2": 0.72, "tare_kg": 100, "height_u": 8, "quantity": 4},
            {"total_kg": 5540, "floor_load_kn_m2": 75.46, "used_u": 32},
        ),
        ("rack", {"rack_power_kw": 132, "liquid_percent": 87}, {"air_heat_kw": 17.16, "nameplate_kw": 132}),
    ],
)
def test_a_layer_answers_by_the_names_of_its_parameters_and_quantities(kind, inputs, expected):
    found = check(read_case(row_of(kind, inputs, expected)))

    assert [(each.name, str(each.ours)) for each in found if not each.holds] == []
    assert {name for each in found for name in each.used} == set(inputs)


@pytest.mark.parametrize(
    ("inputs", "name"),
    [
        # An input that is no parameter may change everything.
        ({**DOOR, "fouling": 0.1}, "rear_door_capacity_kw"),
        ({**CHIP, "paste_k_per_w": 0.01}, "throttle_inlet_c"),
        ({**CAMPUS, "discount_percent": 5}, "bill_musd"),
        # What is required is missing, or in conflict.
        ({"conductance_kw_k": 4, "water_in_c": 18, "rack_kw": 40}, "rear_door_capacity_kw"),
        ({**CHIP, "coolant_c": 30}, "throttle_inlet_c"),
        # Of which bank of units, and twice the same in two units.
        ({"load_kw": 132, "unit_kw": 33}, "shelf_capacity_kw"),
        ({**CHIP, "chip_kw": 0.7}, "throttle_inlet_c"),
        # Of another kind than the parameter, or out of its range.
        ({**CAMPUS, "pue": "low"}, "bill_musd"),
        ({**CAMPUS, "pue": True}, "bill_musd"),
        ({**CAMPUS, "pue": [1.2]}, "bill_musd"),
        ({**CAMPUS, "pue": 0.5}, "bill_musd"),
        # A layer tells no more than it does, and what it takes for itself is no value of a row.
        (CAMPUS, "interval_s"),
        (CAMPUS, "margin_usd"),
        ({}, "bill_musd"),
    ],
)
def test_nothing_is_guessed(inputs, name):
    (finding,) = check(read_case(row_of("energy", inputs, {name: 1})))

    assert (finding.answered, finding.ours) == (False, None)


def test_two_layers_that_differ_answer_nothing(monkeypatch):
    row = read_case(row_of("energy", CAMPUS, {"average_usd_per_mwh": 63.7}))
    campus = LAYERS["campus"]

    monkeypatch.setitem(LAYERS, "again", replace(campus, name="again"))
    alike = check(row)[0].ours
    monkeypatch.setitem(
        LAYERS,
        "other",
        replace(campus, name="other", run=lambda given: run_campus(replace(given, load_factor=Decimal("0.5")))),
    )

    assert (round(alike, 2), check(row)[0].answered) == (Decimal("63.70"), False)


def test_a_rate_in_another_time_is_no_time():
    inputs = {"parameters_billion": 405, "samples_per_gpu_min": 600, "sample_mb": 1, "gpus": 1000}

    assert check(read_case(row_of("storage", inputs, {"needed_read_gb_s": 10})))[0].holds is True
    assert check(read_case(row_of("reliability", {"gpu_mtbf_h": 8760}, {"gpu_mtbf_years": 1})))[0].holds is True

"""An input of each kind to begin with: small, sound, and easy to change."""

from typing import Any

PLAN_EXAMPLE: dict[str, Any] = {
    "accelerators": 256,
    "devices": [
        {"device": "nvidia-dgx-h100", "price": 300_000},
        {"device": "nvidia-dgx-b200", "price": 450_000, "available": 12},
    ],
    "objective": "lowest_cost",
    "rack": {"units": 48, "tare_kg": 140, "max_kg": 1_360},
    "rack_power_max_kw": 45,
    "rack_price": 9_000,
    "site_power_max_kw": 500,
    "time_limit_s": 20,
}

_EXAMPLES: dict[str, dict[str, Any]] = {
    "rack": {
        "items": [{"device": "", "quantity": 4}],
        "rack": {"units": 42},
        "basis": "nameplate",
        "inlet_c": 25,
        "altitude_m": 0,
        "air_rise_k": 15,
        "feed": {"voltage_v": 415, "phases": 3, "breaker_a": 60, "redundancy": "2n"},
    },
    "supply": {
        "load_kw": 1200,
        "mechanical_kw": 180,
        "stages": [
            {"name": "shelf", "efficiency": 0.975, "below": "phase"},
            {"name": "ups", "efficiency": 0.97, "below": "generator"},
        ],
        "ups": {"modules": {"count": 4, "unit_kw": 500, "redundancy": "n+1"}, "energy_kj": 12000},
        "generators": {"units": {"count": 3, "unit_kw": 1000, "redundancy": "n+1"}, "start_s": 10},
        "utility_kw": 2500,
    },
    "hall": {
        "racks": [{"name": "compute", "count": 40, "nameplate_kw": 130, "liquid_fraction": 0.85, "gpus_count": 72}],
        "rows": 4,
        "row_positions": 12,
        "hall_kw_max": 6000,
        "water": "warm",
        "liquid_transport_fraction": 0.02,
        "air_transport_fraction": 0.05,
        "distribution_loss_fraction": 0.03,
        "server_fan_fraction": 0.02,
    },
    "fabric": {
        "nodes": 128,
        "switch_ports": 64,
        "switch_port_gbps": 400,
        "switch_w": 1700,
        "switch_usd": 60000,
        "cable_usd": 900,
    },
    "storage": {"parameters_billion": 405, "level": "best", "interval_s": 1800, "blocking_fraction": 0.5},
    "reliability": {"nodes": 1024, "failures_per_1000_node_days": 6.5, "write_s": 60, "restart_s": 300, "run_days": 30},
    "campus": {"it_kw": 30000, "pue": 1.2, "usd_per_kwh": 0.08, "usd_per_kw_month": 10, "grid_g_per_kwh": 350},
    "throttle": {"chip_w": 700, "resistance_k_w": 0.06, "rated_airflow_m3_h": 150, "airflow_m3_h": 150},
    "ladder": {
        "chip_w": 1000,
        "chips_per_node": 8,
        "node_kw": 14.3,
        "nodes_per_rack": 4,
        "racks": 500,
        "hall_other_kw": 1500,
        "pue": {"low": 1.1, "typical": 1.2, "high": 1.35},
        "chain_efficiency_fraction": 0.97,
    },
}


def example_input(kind: str, *, device: str = "") -> dict[str, Any]:
    """Return an input of a kind (`rack`, `hall`…). A rack holds four of `device`, the slug of one of the catalogue."""
    found = _EXAMPLES[kind]
    return found if kind != "rack" else {**found, "items": [{"device": device, "quantity": 4}]}

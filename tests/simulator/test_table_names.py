"""What tables say in words, and in names that are formulas: read where it is certain, and left unanswered where not."""

from decimal import Decimal

import pytest

from simulator.engine.validation import check, read_case
from simulator.engine.validation.tables import compare_table
from tests.simulator.test_tables import row_of, run_command


def ours(kind, inputs, name):
    """Return our value, None where no function gives one, and which inputs it is made of."""
    (found,) = check(read_case(row_of(kind, inputs, {name: 1})))
    value = float(found.ours) if isinstance(found.ours, Decimal) else found.ours
    return (None if found.holds is None else value), sorted(found.used)


FEED = {"voltage_v": 400, "breaker_a": 32, "continuous_fraction": 1}
LINE, PHASE = pytest.approx(22170.25, abs=0.01), 38400


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"phases": "3-phase"}, LINE),
        ({"phases": "Three Phase"}, LINE),
        ({"phases": "single-phase"}, 12800),
        ({"phases": "one"}, 12800),
        ({"number_of_phases": 3}, LINE),
        ({"phases": 3, "voltage_is": "line-to-line"}, LINE),
        ({"phases": 3, "voltage_basis": "L-L"}, LINE),
        ({"phases": 3, "voltage_is": "line to neutral"}, PHASE),
        ({"phases": 3, "voltage_type": "phase"}, PHASE),
        ({"phases": 3, "connection": "line_to_neutral"}, PHASE),
        # A delta or a wye says how loads lie, and not between what the voltage is.
        ({"phases": 3, "connection": "delta"}, LINE),
    ],
)
def test_words_about_phases_and_voltages(said, expected):
    assert ours("electrical", {**FEED, **said}, "capacity_va")[0] == expected


def test_what_was_read_of_words_counts_as_used():
    inputs = {**FEED, "number_of_phases": "three", "voltage_is": "phase"}

    assert ours("electrical", inputs, "capacity_va") == (PHASE, sorted(inputs))


@pytest.mark.parametrize(
    ("word", "usable"),
    [("NEC", 25.6), ("UL", 25.6), ("north america", 25.6), ("IEC", 32), ("Europe", 32), ("Mars", None)],
)
def test_a_code_names_the_continuous_fraction(word, usable):
    assert ours("electrical", {"breaker_a": 32, "code": word}, "continuous_a")[0] == usable
    assert ours("electrical", {"breaker_a": 32, "region": word}, "continuous_a")[0] == usable


def test_a_voltage_of_which_a_row_says_something_else_is_not_guessed():
    (row,) = compare_table(
        [row_of("electrical", {**FEED, "phases": 3, "voltage_is": "nominal"}, {"capacity_va": 1})]
    ).rows

    assert (row.verdict, row.values[0].reason) == (
        "unanswered",
        "voltage_is: voltage_is is nominal; say line (between two lines) or phase (to neutral).",
    )


@pytest.mark.parametrize(
    ("inputs", "name", "expected"),
    [
        # A ratio of two inputs, in one unit, with whatever else their names say alike.
        ({"peak_tb_per_s": 7, "sustained_gb_per_s": 2000}, "peak_over_sustained_fraction", 3.5),
        ({"peak_kw": 7, "sustained_kw": 2}, "peak_over_sustained_percent", 350),
        ({"old_failures_per_1000_node_days": 6.5, "new_failures_per_1000_node_days": 2.6}, "old_over_new_ratio", 2.5),
        ({"old_kw": 6, "new_kg": 3}, "old_over_new_ratio", None),
        ({"old_kw": 6, "old_kg": 5, "new_kw": 3}, "old_over_new_ratio", None),
        ({"old_typical_kw": 6, "new_peak_kw": 3}, "old_over_new_ratio", None),
        # An average of what is said to be a whole.
        ({"capacity_pb": 240, "servers": 7500}, "tb_per_server", 32),
        ({"capacity_pb": 240, "servers": 7500}, "capacity_per_server_tb", 32),
        ({"power_mw": 30, "nodes_count": 1000}, "power_per_node_kw", 30),
        ({"node_kw": 10, "gpus": 1024}, "kw_per_gpu", None),
        ({"site_mw": 30, "campus_mw": 40, "widgets": 10}, "kw_per_widget", None),
        ({"power_mw": 30, "nodes_count": 1000, "servers": 900}, "power_per_node_kw", None),
        # Counts of parts of parts.
        ({"dimms_per_cpu": 8, "cpus_per_tray": 2, "trays_per_rack": 18, "racks": 4}, "dimms_count", 1152),
        ({"dimms_per_cpu": 8, "cpus_per_tray": 2, "trays_per_rack": 18, "racks": 4}, "dimms_per_rack_count", 288),
        ({"switches_per_rack": 9, "racks": 4}, "total_switches_count", 36),
        ({"dimms_per_cpu": 8, "cpus_per_tray": 2, "racks": 4}, "dimms_count", None),
        ({"fans_per_node": 8, "nodes": 4, "fans_per_rack": 30, "racks": 2}, "fans_count", None),
        ({"fans_per_node": 8, "nodes": 4, "fans_per_rack": 16, "racks": 2}, "fans_count", 32),
        ({"fans": 4}, "fans_count", None),
        # Tons of heat are of refrigeration, others are not.
        ({"heat_tons": 10, "air_temperature_rise_f": 20}, "heat_kw", 35.168528420666667),
        ({"heat_kw": 35.168528420666667}, "heat_tons", 10),
        ({"rack_tons": 10}, "rack_kw", None),
        # A count without its ending, and a fraction called a ratio or a share.
        ({"gpus_per_node": 8, "nodes": 4}, "gpus", 32),
        ({"measured_kw": 3, "rated_kw": 4}, "measured_over_rated_ratio", 0.75),
        ({"rack_power_kw": 100, "liquid_share": 0.8}, "air_heat_kw", 20),
        ({"rack_power_kw": 100, "liquid": 0.8}, "air_heat_kw", 20),
        ({"rack_power_kw": 100, "liquid": 80}, "air_heat_kw", None),
        # A whole of its parts, where all of them are.
        ({"gpu_w": 5600, "cpu_kw": 0.8, "fans_w": 1600}, "total_kw", 8),
        ({"gpu_w": 5600, "cpu_kw": 0.8, "fans_w": 1600}, "fans_percent", 20),
        ({"gpu_w": 5600, "cpu_kw": 0.8, "fans_w": 1600}, "gpu_share_fraction", 0.7),
        ({"gpu_w": 5600, "cpu_kw": 0.8, "mystery_w": 1600}, "total_kw", None),
        ({"gpu_w": 5600, "cpu_kw": 0.8, "pue": 1.2}, "total_kw", None),
        ({"gpu_w": 5600, "cpu_kw": 0.8, "fans_w": 1600}, "node_kw", None),
        ({"gpu_w": 5600, "cpu_kw": 0.8}, "fans_percent", None),
        # All of what takes so much each: a plural asks for all, a singular for one.
        ({"widgets": 2048, "widget_w": 15}, "widgets_kw", 30.72),
        ({"widgets": 2048, "widget_power_w": 15}, "total_widget_power_kw", 30.72),
        ({"widgets": 2048, "widget_w": 15}, "widget_kw", 0.015),
        ({"widgets": 2048, "widgets_w": 15}, "widgets_kw", 0.015),
        ({"widgets": 2048, "widget_usd": 900}, "widgets_musd", 1.8432),
    ],
)  # fmt: skip
def test_names_that_say_their_own_formula(inputs, name, expected):
    value, used = ours("rack", inputs, name)

    assert value == (None if expected is None else pytest.approx(expected, rel=1e-12))
    assert (used == []) is (expected is None)


@pytest.mark.parametrize(
    ("kind", "inputs", "name"),
    [
        # What a row says beside must not be passed over.
        ("electrical", {"battery_kwh": 100, "load_kw": 500, "mystery_fraction": 0.8}, "ride_through_min"),
        ("electrical", {"ups_fraction": 0.96, "magic_fraction": 0.5, "it_kw": 100}, "chain_fraction"),
        ("electrical", {"ups_fraction": 0.96, "it_kw": 100}, "chain_fraction"),
        ("electrical", {"psu_per_shelf": 6, "psu_kw": 3, "redundancy": "4+1"}, "shelf_usable_kw"),
        ("electrical", {"phase_load_w": 5000, "line_voltage_v": 208, "connection": "wye"}, "line_a"),
        ("electrical", {"load_kw": 1000, "battery_h": 1}, "carbon_kwh"),
        ("carbon", {"it_kw": 1000, "cooling_kw": 250, "mystery_kw": 80}, "pue"),
        ("carbon", {"it_kw": 1000, "cooling_kwh": 250}, "pue"),
        ("carbon", {"power_mw": 10}, "energy_kwh"),
        ("reliability", {"mtbf_h": 1000, "widgets": 50}, "failures_per_day"),
        ("cooling", {"heat_kw": 100, "delta_t_k": 10}, "flow_l_per_min"),
        ("electrical", {"power_mw": 300, "voltage_kv": 138}, "current_a"),
        (
            "electrical",
            {"voltage_v": 208, "breaker_a": 30, "phases": 1, "ambient_derating_fraction": 0.9},
            "capacity_va",
        ),
        (
            "electrical",
            {"rating_kw": 3000, "altitude_derate_fraction": 0.9, "tank_gal": 100, "full_load_gal_per_h": 10},
            "tank_hours",
        ),
        ("system", {"twh_2020": 100, "twh_2024": 150, "gw_2020": 10, "gw_2024": 20}, "growth_factor"),
    ],
)
def test_what_is_not_certain_is_unanswered(kind, inputs, name):
    assert ours(kind, inputs, name) == (None, [])


@pytest.mark.parametrize(
    ("kind", "inputs", "name", "expected"),
    [
        ("electrical", {"battery_kwh": 100, "dod_percent": 80, "ups_efficiency_fraction": 0.9, "load_kw": 500},
         "ride_through_s", 518.4),
        ("electrical", {"load_kw": 500, "battery_min": 6, "depth_of_discharge_fraction": 0.8}, "battery_kwh", 62.5),
        ("electrical", {"psu_per_shelf": 6, "psu_kw": 3, "redundancy": "N+1"}, "shelf_usable_kw", 15),
        ("electrical", {"psu_per_shelf": 6, "psu_kw": 3, "redundancy": "4+2"}, "shelf_usable_kw", 12),
        ("electrical", {"redundancy": "4N/3"}, "max_load_fraction", 0.75),
        ("carbon", {"it_mwh": 1000, "cooling_kwh": 250000, "ups_loss_mwh": 50}, "pue", 1.3),
        ("carbon", {"power_mw": 10, "hours": 100, "pue": 1.5}, "energy_mwh", 1500),
        ("reliability", {"components": {"gpu": 10, "nic": 20}, "mtbf_h": {"gpu": 100, "nic": 100}}, "job_mttf_h",
         10 / 3),
        ("reliability", {"job_mttf_h": 12}, "failures_per_day", 2),
        ("system", {"twh_2020": 100, "twh_2024": 150}, "growth_factor", 1.5),
        ("system", {"base_gw": 1, "target_gw": 4, "base_year": 2020, "target_year": 2022}, "cagr_fraction", 1),
        ("cooling", {"classes": ["W3", "S40", "A3"]}, "max_c", [32, 40, 40]),
        ("electrical", {"voltage_v": 200, "breaker_a": 30, "phases": 1, "derating_percent": 80}, "capacity_va", 4800),
        ("electrical", {"voltage_v": 200, "breaker_a": 30, "phases": 1, "derating": 0.8, "pf": 0.9}, "usable_w", 4320),
    ],
)  # fmt: skip
def test_what_rows_say_beside_is_part_of_the_answer(kind, inputs, name, expected):
    (found,) = check(read_case(row_of(kind, inputs, {name: expected}, tolerance={"relative": 1e-9})))

    assert found.holds, (found.ours, found.reason)


def test_the_command_tells_numbers_of_any_size(tmp_path, capsys):
    inputs = {"parameters_billion": 405, "tokens_trillion": 15.6}
    row = row_of("reliability", inputs, {"training_flops": 3.79e25})

    status, out = run_command(tmp_path, capsys, [row])

    assert (status, "holds      training_flops: published 3.79e+25, ours 3.7908e+25, error +0.021%" in out) == (0, True)
    assert run_command(tmp_path, capsys, [row], "--format", "json")[0] == 0


@pytest.mark.parametrize(
    ("kind", "inputs", "name"),
    [
        ("rack", {"gpus_per_node": None, "nodes_per_rack": 4}, "rack_gpus_count"),
        ("rack", {"liquid_heat_kw": None, "air_heat_kw": 27, "gpus": 72}, "power_per_gpu_kw"),
        ("rack", {"measured_max_kw": None, "nodes_per_rack": 4}, "rack_measured_kw"),
    ],
)
def test_what_is_null_in_a_row_is_told_and_not_computed(kind, inputs, name):
    (row,) = compare_table([row_of(kind, inputs, {name: 1})]).rows

    null = next(each for each, value in inputs.items() if value is None)
    assert (row.verdict, row.values[0].reason) == (
        "unanswered",
        f"not computed: {null} is null; give what the others of this kind have there.",
    )

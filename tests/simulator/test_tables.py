"""Our values against published tables. What no function answers, and what does not close, stands here by name."""

import json

import pytest
from django.core.management import CommandError, call_command

from simulator.engine.validation import Case, Finding, check, read_case
from simulator.engine.validation.cases import shown
from simulator.engine.validation.tables import compare_table
from tests.simulator.builders import DATA, extra_rows, published_rows

OWN = [read_case(row) for row in published_rows()]
EXTRA = [read_case(row) for row in extra_rows()]

OPEN = {("cooling", "control", "regime")}
"""Values that we answer otherwise than the source: the bands of the trade press contradict each other."""


def findings_of(cases: list[Case]) -> list[tuple[Case, Finding]]:
    return [(case, finding) for case in cases for finding in check(case)]


def named(found: list[tuple[Case, Finding]]) -> list[tuple[str, str, str]]:
    """Return them sorted, each as often as it is found: a name may stand in several rows."""
    return sorted((case.kind, case.status, finding.name) for case, finding in found)


def told(case: Case, finding: Finding) -> str:
    return f"{case.kind} {case.id} [{case.status}] {finding.name}: {shown(finding.expected)}"


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{n}-{case.id}") for n, case in enumerate(OWN) if case.status == "published"],
)
def test_the_engine_gives_the_published_values(case):
    wrong = [f"{told(case, each)}, ours {shown(each.ours)}" for each in check(case) if each.holds is False]

    assert not wrong


def test_every_value_of_our_own_tables_has_a_function():
    assert [told(*each) for each in findings_of(OWN) if not each[1].answered] == []


def test_exactly_the_values_that_are_named_do_not_close():
    assert named([each for each in findings_of(OWN) if each[1].holds is False]) == sorted(OPEN)


def test_other_tables_are_answered_and_hold():
    wrong = [
        f"{told(case, each)}, ours {shown(each.ours)} {each.reason}"
        for case, each in findings_of(EXTRA)
        if not each.answered or (each.holds is False and case.status != "control")
    ]

    assert not wrong


def test_a_wrong_expected_value_is_found():
    row = next(row for row in published_rows() if "rack_power_kw" in row["expected"] and "node_max_kw" in row["inputs"])
    wrong = {**row, "expected": {**row["expected"], "rack_power_kw": [10.2, 20.4, 40.9]}}

    findings = {finding.name: finding.holds for finding in check(read_case(wrong))}

    assert findings == {"rack_power_kw": False, "rack_gpus_count": True, "rack_units_used_u": True}


def test_a_row_is_answered_by_its_names_whatever_its_id_and_numbers():
    row = {
        "id": "never-seen",
        "title": "Three nodes of 14.3 kW",
        "kind": "rack",
        "inputs": {"node_max_kw": 14.3, "node_height_u": 10, "gpus_per_node": 8, "nodes_per_rack": 3},
        "expected": {"rack_power_kw": 42.9, "rack_gpus_count": 24, "rack_units_used_u": 30},
        "tolerance": {"absolute": 0},
        "note": "[published]",
    }

    assert [finding.holds for finding in check(read_case(row))] == [True, True, True]


def test_a_value_of_any_shape_can_be_told():
    row = {**published_rows()[0], "expected": {"never_heard_of": {"TX": 373, "WA": [113.5, None]}}}

    (finding,) = check(read_case(row))

    assert (finding.answered, shown(finding.expected)) == (False, '{"TX": 373, "WA": [113.5, null]}')


def test_a_row_without_a_status_is_refused():
    with pytest.raises(ValueError, match="published, derived, control"):
        read_case({**published_rows()[0], "note": "no status"})


@pytest.mark.parametrize("name", ["mttf_h", "mtbf_h", "job_mtbf_h", "job_mttf_h"])
def test_a_mean_time_to_failure_is_answered_however_it_is_called(name):
    """24 / (2,048 · 6.5 / 1,000) = 1.8029 h."""
    inputs = {"nodes": 2048, "failures_per_1000_node_days": 6.5}
    row = {**row_of("reliability", inputs, {name: 1.803}), "tolerance": {"relative": 0.001}}

    assert [each.holds for each in check(read_case(row))] == [True]


# Rows of the same families as ours with other numbers, spelled as other tables spell them.
SIBLINGS = [
    (
        "fabric",
        {"scalable_units": 1, "nodes": 32, "gpus_per_node": 8, "switch_radix_ports": 64},
        {"leaf_switches_count": 8, "spine_switches_count": 4, "core_switches_count": 0, "node_leaf_cables_count": 256},
    ),
    (
        "fabric",
        {"scalable_units": 8, "nodes": 256, "gpus_per_node": 8, "switch_radix_ports": 64},
        {"leaf_switches_count": 64, "spine_switches_count": 32, "core_switches_count": 0},
    ),
    (
        "fabric",
        {"scalable_units": 32, "nodes": 1024, "gpus_per_node": 8, "switch_radix_ports": 64},
        {
            "leaf_switches_count": 256,
            "spine_switches_count": 256,
            "core_switches_count": 128,
            "spine_core_cables_count": 8192,
        },
    ),
    (
        "fabric",
        {"scalable_units": 9, "nodes": 648, "gpus_per_node": 8, "switch_radix_ports": 144},
        {"leaf_switches_count": 72, "spine_switches_count": 36, "leaf_spine_cables_count": 5184},
    ),
    (
        "fabric",
        {"scalable_units": 5, "nodes": 360, "gpus_per_node": 8, "switch_radix_ports": 144},
        {"leaf_switches_count": 40, "spine_switches_count": 24},
    ),
    (
        "fabric",
        {"nodes": 256, "gpus_per_node": 8, "planes": 2, "switch_radix_ports_400g": 128, "links_per_cable": 2},
        {"leaf_switches_count": 64, "spine_switches_count": 32, "node_leaf_cables_count": 2048},
    ),
    (
        "fabric",
        {
            "scalable_units": 2,
            "nodes_per_su": 32,
            "nodes_removed_for_fabric_manager": 1,
            "gpus_per_node": 8,
            "fabric_manager_ports": 4,
            "switch_radix_ports": 64,
        },
        {
            "nodes_count": 63,
            "gpus_count": 504,
            "leaf_switches_count": 16,
            "spine_switches_count": 8,
            "compute_and_ufm_cables_count": 508,
            "leaf_spine_cables_count": 512,
        },
    ),
    (
        "fabric",
        {"radix": 128, "line_rate_gbps": 400},
        {
            "two_tier_max_endpoints_count": 8192,
            "three_tier_max_endpoints_count": 524288,
            "switch_one_way_capacity_tbps": 51.2,
        },
    ),
    (
        "fabric",
        {"gpus": 8, "links_per_gpu": 18, "link_bidirectional_gb_per_s": 50, "switch_chips": 4},
        {
            "per_gpu_bidirectional_gb_per_s": 900,
            "domain_bidirectional_tb_per_s": 7.2,
            "ports_per_switch_chip_count": 36,
        },
    ),
    (
        "storage",
        {"parameters_billion": 70.6, "bytes_per_parameter": 14, "ranks": 64, "subset_ranks": 8},
        {"checkpoint_gb_printed": 920.5, "subset_gb_printed": 115.06},
    ),
    (
        "storage",
        {"parameters_billion": 405.85, "bytes_per_parameter": 14, "ranks": 512, "dp": 2, "subset_ranks": 8},
        {"subset_gb_printed": 94.49},
    ),
    ("storage", {"levels": ["best"]}, {"eight_su_read_gb_per_s": [1000], "single_node_write_gb_per_s": [20]}),
    ("storage", {"checkpoint_gb": 912, "write_gib_per_s": 62}, {"write_time_s": 13.7}),
    (
        "reliability",
        {"days": 90, "unexpected": 300, "gpus": 8192, "gpus_per_node": 8},
        {"hours_between_unexpected": 7.2, "failures_per_1000_node_days": 3.255},
    ),
    (
        "reliability",
        {"unexpected": 419, "software_bug": 54},
        {"software_bug_fraction": 0.1289, "software_fraction": 0.1289},
    ),
    (
        "reliability",
        {"outage_s": 60, "generator_accepts_load_s": 20, "flywheel_s": 15},
        {"flywheel_with_generator_survives_bool": False, "flywheel_without_generator_survives_bool": False},
    ),
    (
        "electrical",
        {"line_voltage_v": 415, "breaker_a": 60, "phases": 3, "continuous_fraction": 0.8},
        {"capacity_kva": 34.5, "capacity_va": 34503},
    ),
    (
        "electrical",
        {"phase_voltage_v": 240, "breaker_a": 60, "phases": 3, "continuous_fraction": 0.8},
        {"capacity_va": 34560},
    ),
    (
        "electrical",
        {"rating_kw": 3000, "full_load_gal_per_h": 212.9},
        {"gal_per_kwh": 0.07097, "litres_per_mwh": 268.6},
    ),
    ("electrical", {"critical_mw": 48, "pue": 1.25, "unit_kw": 3000}, {"n_count": 20, "n_plus_1_count": 21}),
    ("system", {"rmax_pflops": 1353, "efficiency_gflops_per_w": 54.98}, {"hpl_power_mw": 24.61}),
    ("system", {"low_twh": 300, "base_twh_2023": 200, "target_year": 2030}, {"low_cagr_fraction": 0.0596}),
    ("carbon", {"lb_per_mwh": 852.3}, {"g_per_kwh": 386.6}),
    (
        "carbon",
        {"baseboard_kgco2e": 2000, "gpus": 8, "memory_fraction": 0.4},
        {"per_gpu_kgco2e": 250, "memory_kgco2e": 800},
    ),
    ("rack", {"liquid_heat_w": 115000, "air_heat_kw": 17}, {"rack_power_w": 132000}),
]


@pytest.mark.parametrize(("kind", "inputs", "expected"), SIBLINGS)
def test_a_sibling_of_a_row_is_answered(kind, inputs, expected):
    row = {
        "id": "sibling",
        "title": "",
        "kind": kind,
        "inputs": inputs,
        "expected": expected,
        "tolerance": {"relative": 0.002},
        "note": "[published]",
    }

    assert [(each.name, each.holds, str(each.ours)) for each in check(read_case(row)) if not each.holds] == []


def row_of(kind, inputs, expected, **more):
    form = {"id": "x", "title": "", "kind": kind, "inputs": inputs, "expected": expected, "note": "[published]"}
    return {**form, "tolerance": {"relative": 0.002}, **more}


# Facts of the families of our tables with other numbers, units and spellings; expected values by hand.
OTHERS = json.loads((DATA / "sibling-rows.json").read_text())


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in OTHERS])
def test_a_row_of_the_same_families_is_answered_by_its_names(row):
    found = check(read_case({"title": "", "note": "[published]", **row}))

    assert [(each.name, shown(each.expected), str(each.ours), each.reason) for each in found if not each.holds] == []


@pytest.mark.parametrize(
    ("inputs", "name", "expected"),
    [
        # What is counted for a unit falls where the unit gets smaller.
        ({"full_load_gal_per_h": 173.1, "rating_kw": 2500}, "litres_per_kwh", 0.2621),
        ({"full_load_gal_per_h": 173.1, "rating_kw": 2500}, "gal_per_mwh", 69.24),
        ({"full_load_l_per_h": 655.25, "rating_mw": 2.5}, "litres_per_mwh", 262.1),
        # Temperatures have zeros, differences have none.
        ({"class": "A2"}, "max_f", 95),
        ({"heat_kw": 1, "density_kg_per_m3": 997, "specific_heat_j_per_kg_k": 4181, "delta_t_f": 18},
         "flow_l_per_min", 1.439),
        ({"altitude_ft": 5905.5, "inlet_f": 77}, "density_kg_per_m3", 0.9522),
        ({"metres_per_c": 300, "class_max_f": 95, "altitude_m": 1800, "start_m": 900}, "derated_max_c", 32),
        # A rate for each of something keeps what it is for.
        ({"site_mw": 150, "gpus": 100_000}, "site_w_per_gpu", 1500),
        # Options of what only a pattern answers.
        ({"idle_w": 100, "max_w": 700, "utilisation_options": [0, 0.5, 1]}, "square_w", [100, 250, 700]),
        ({"classes": ["A1", "H1"], "altitude_m": 1800}, "derated_max_c", [29, 23.2]),
    ],
)  # fmt: skip
def test_units_and_options_are_read_off_names(inputs, name, expected):
    (found,) = check(read_case(row_of("electrical", inputs, {name: expected})))

    assert (found.holds, found.reason) == (True, ""), found.ours


def test_the_function_that_uses_most_of_a_row_answers_it():
    inputs = {"power_mw": 10, "usd_per_kwh": 0.06, "usd_per_kw_month": 15}
    case = read_case(row_of("carbon", inputs, {"annual_musd": 7.056, "energy_musd": 5.256}))

    assert [(each.holds, sorted(each.used)) for each in check(case)] == [
        (True, ["power_mw", "usd_per_kw_month", "usd_per_kwh"]),
        (True, ["power_mw", "usd_per_kwh"]),
    ]


def test_the_command_names_what_no_value_of_a_row_is_made_of(tmp_path, capsys):
    inputs = {"line_voltage_v": 208, "breaker_a": 30, "phases": 3, "continuous_fraction": 0.8, "ambient_c": 35}
    row = row_of("electrical", inputs, {"capacity_va": 8646})

    status, out = run_command(tmp_path, capsys, [row])

    assert status == 0
    assert "  not used   ambient_c\n" in out
    assert compare_table([row]).rows[0].unused_inputs == ("ambient_c",)


def test_looking_at_an_input_is_not_using_it():
    # The series in time is told by both of its years, and by nothing else of the row.
    inputs = {"dc_twh_2014": 58, "dc_twh_2018": 76, "dc_twh_2023": 176}
    (found,) = check(read_case(row_of("system", inputs, {"cagr_2014_2018_fraction": 0.07})))

    assert sorted(found.used) == ["dc_twh_2014", "dc_twh_2018"]


@pytest.mark.parametrize(
    ("broken", "name", "reason"),
    [
        ({"inputs": []}, "x", "inputs must be an object."),
        ({"expected": {"capacity_va": float("nan")}}, "x", "nan is not a finite number."),
        ({"expected": {}}, "x", "nothing to check, as expected is empty."),
        ({"note": 7}, "x", "its note must begin with one of published, derived, control in brackets."),
        ({"kind": ["rack"]}, "x", "kind must be a text."),
        ({"tolerance": {"relative": "wide"}}, "x", "tolerance.relative must be a number of at least 0."),
        (["id", "kind", "tolerance"], None, "id, kind, tolerance missing."),
        (7, None, "it must be an object with id, title, kind, inputs, expected, tolerance, note."),
    ],
)
def test_a_broken_row_is_told_and_the_others_are_answered(tmp_path, capsys, broken, name, reason):
    sound = row_of("electrical", {"line_voltage_v": 208, "breaker_a": 30}, {"capacity_va": 10808})
    row = {
        dict: lambda: {**sound, **broken},
        list: lambda: {key: value for key, value in sound.items() if key not in broken},
        int: lambda: broken,
    }[type(broken)]()

    ended, out = run_command(tmp_path, capsys, [row, sound])
    told = json.loads(run_command(tmp_path, capsys, [row, sound], "--format", "json")[1])

    assert ended == 1
    assert f"broken     row 1{f' ({name})' if name else ''}: {reason}\n1 rows, and 1 broken; values: 1 holds" in out
    assert (told["holds"], told["broken"]) == (False, [{"number": 1, "id": name, "reason": reason}])
    assert [each["verdict"] for each in told["rows"]] == ["holds"]


@pytest.mark.parametrize(("rows", "message"), [([], "has no rows: nothing to check"), ({}, "must be a list of rows")])
def test_a_file_without_rows_does_not_hold(tmp_path, capsys, rows, message):
    with pytest.raises(CommandError, match=message):
        run_command(tmp_path, capsys, rows)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"breaker_a": None}, "not computed: breaker_a is null; give what the others of this kind have there."),
        ({"breaker_a": "30"}, 'not computed: breaker_a is "30"; give what the others of this kind have there.'),
    ],
)
def test_an_input_of_another_shape_is_told_in_our_words(tmp_path, capsys, changed, reason):
    inputs = {"line_voltage_v": 208, "breaker_a": 30, "phases": 3, **changed}

    ended, out = run_command(tmp_path, capsys, [row_of("electrical", inputs, {"capacity_va": 10808})])

    assert ended == 1
    assert f"  unanswered capacity_va: published 10808, ours {reason}\n" in out


@pytest.mark.parametrize(
    "inputs",
    [
        {"line_voltage_v": "208", "breaker_a": [30], "phases": None, "continuous_fraction": {}},
        {"line_voltage_v": 208, "breaker_a_options": [30, 20], "phases_options": [1, 2, 3]},
        {"line_voltage_v": 1e308, "breaker_a": 30, "phases": 3},
        {"line_voltage_v": 208, "breaker_a": 30, "phases": 1e300},
        {"stages": 7, "it_kw": 100},
    ],
)
def test_a_row_with_values_of_other_shapes_is_told_and_the_others_go_on(inputs):
    sound = row_of("electrical", {"line_voltage_v": 208, "breaker_a": 30}, {"capacity_va": 10808})
    wrong = row_of("electrical", inputs, {"capacity_va": 1, "grid_kw": 1})

    assert [row.verdict for row in compare_table([wrong, sound]).rows] == ["unanswered", "holds"]


def test_a_tolerance_of_one_value_is_not_that_of_the_others():
    row = {
        "id": "x",
        "title": "",
        "kind": "reliability",
        "note": "[published]",
        "inputs": {"tp": 8, "pp": 4, "dp": 2, "tflops_per_gpu": 400, "peak_dense_bf16_tflops": 1000},
        "expected": {"gpus_count": 65, "mfu_fraction": 0.405},
        "tolerance": {"absolute_mfu": 0.01},
    }

    assert [each.holds for each in check(read_case(row))] == [False, True]


def run_command(tmp_path, capsys, rows, *options):
    """Return how `validate_tables` ended, and what it printed."""
    file = tmp_path / "tables.json"
    file.write_text(json.dumps(rows))
    try:
        call_command("validate_tables", str(file), *options)
        status = 0
    except SystemExit as end:
        status = end.code
    return status, capsys.readouterr().out


def test_the_command_tells_each_row_and_ends_well(tmp_path, capsys):
    status, out = run_command(tmp_path, capsys, published_rows())

    assert status == 0
    assert "79 rows; values: 260 holds, 0 fails, 1 differs, 0 unanswered" in out
    assert "  holds      spine_switches_count: published 18, ours 18, error +0.000%" in out


@pytest.mark.parametrize(
    ("change", "verdict", "status"),
    [
        ({"expected": {"spine_switches_count": 16}}, "fails", 1),
        ({"expected": {"spine_switches_count": 16}, "note": "[control]"}, "differs", 0),
        ({"expected": {"colour": "blue"}}, "unanswered", 1),
    ],
)
def test_the_command_ends_with_one_where_a_row_fails_or_has_no_function(tmp_path, capsys, change, verdict, status):
    row = next(row for row in published_rows() if row["id"] == "fabric-b300xdr-su4")

    ended, out = run_command(tmp_path, capsys, [{**row, **change}], "--format", "json")

    told = json.loads(out)
    assert (ended, told["rows"][0]["values"][0]["verdict"], told["holds"]) == (status, verdict, status == 0)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (None, "no source given"),
        ("A data sheet", "A data sheet"),
        ({"title": "A data sheet", "publisher": None, "date": 2026, "address": ""}, "A data sheet, 2026"),
    ],
)
def test_the_command_tells_a_source_in_whatever_shape_a_row_has_it(tmp_path, capsys, source, shown):
    status, out = run_command(tmp_path, capsys, [{**published_rows()[0], "source": source}])

    assert status == 0
    assert out.splitlines()[1].strip() == shown


def test_a_row_out_of_range_is_told_and_the_others_go_on(tmp_path, capsys):
    rows = published_rows()[:2]
    rows[0]["inputs"]["switch_radix_ports"] = 63

    ended, out = run_command(tmp_path, capsys, rows, "--format", "json")

    told = json.loads(out)["rows"]
    assert ended == 1
    assert [row["verdict"] for row in told] == ["unanswered", "holds"]
    assert "switch_ports is 63" in told[0]["values"][1]["reason"]


@pytest.mark.parametrize(
    ("title", "shown"), [("half a \ud800 pair", r"half a \ud800 pair"), ("\udcff", r"\udcff"), ("°C", "°C")]
)
def test_a_row_with_half_a_character_is_told_and_the_others_go_on(tmp_path, capsys, title, shown):
    sound = row_of("electrical", {"line_voltage_v": 208, "breaker_a": 30}, {"capacity_va": 10808})

    ended, out = run_command(tmp_path, capsys, [{**sound, "title": title}, sound])
    told = json.loads(run_command(tmp_path, capsys, [{**sound, "title": title}, sound], "--format", "json")[1])

    assert (ended, out.splitlines()[0]) == (0, f"holds      [published] electrical x: {shown}")
    assert "2 rows; values: 2 holds" in out
    assert told["rows"][0]["title"] == title


def test_a_file_of_lists_in_lists_is_told(tmp_path):
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000 + "]" * 100_000)

    with pytest.raises(CommandError, match="too deep to be read"):
        call_command("validate_tables", str(file))


@pytest.mark.parametrize("value", [True, False, [10, 20], [[1]], "many", {"a": 1}])
@pytest.mark.parametrize(
    ("kind", "inputs", "name", "expected"),
    [
        ("rack", {"gpus": 8, "gpu_max_w": 700, "cpus": 10**15, "cpu_max_w": 350}, "component_sum_w", 1),
        ("rack", {"node_max_kw": 10.2, "nodes_per_rack": 10**15}, "rack_power_kw", 1),
        ("electrical", {"ups_energy_kj": 3000, "load_kw": 132}, "ups_ride_through_s", 1),
        ("electrical", {"line_voltage_v": 208, "breaker_a": 30, "phases": 3}, "capacity_va", 1),
        ("carbon", {"it_kwh": 100, "pue": 1.2}, "facility_kwh", 1),
        ("carbon", {"servers": 100, "kgco2e_per_server": 5000}, "embodied_tco2e", 1),
        ("fabric", {"nodes": 64, "gpus_per_node": 8, "switch_radix_ports": 64}, "leaf_switches_count", 1),
        ("reliability", {"nodes": 64, "failures_per_1000_node_days": 8, "write_s": 64}, "ettr_fraction", 1),
        ("storage", {"checkpoint_gb": 930, "write_gb_per_s": 20}, "write_time_s", 1),
    ],
)
def test_what_is_no_number_counts_as_none(kind, inputs, name, expected, value):
    for given in inputs:
        (finding,) = check(read_case(row_of(kind, {**inputs, given: value}, {name: expected})))

        assert finding.answered is False, given


def test_true_for_a_number_is_told():
    (finding,) = check(read_case(row_of("carbon", {"it_kwh": True, "pue": 1.2}, {"facility_kwh": 1.2})))

    assert finding.reason == "not computed: it_kwh is true; give what the others of this kind have there."


# What changes the meaning of a value, put into rows that say nothing of it.
QUALIFIERS = {
    "efficiency_fraction": 0.7,
    "diversity_fraction": 0.8,
    "derating_fraction": 0.9,
    "spare_kw": 3,
    "growth_percent": 20,
    "reserve_fraction": 0.1,
}


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", QUALIFIERS)
def test_an_input_that_changes_a_value_is_never_passed_over(name, step):
    rows = [*published_rows(), *({"title": "", "note": "[published]", **each} for each in OTHERS)]
    for row in rows[::step]:
        if name in row["inputs"] or name in row["expected"]:
            continue
        findings = check(read_case({**row, "inputs": {**row["inputs"], name: QUALIFIERS[name]}}))
        told = any(name in each.used for each in findings)

        assert [each.name for each in findings if each.answered and name not in each.used and not told] == [], row["id"]


@pytest.mark.parametrize(
    ("kind", "inputs", "qualifier", "name"),
    [
        (
            "cooling",
            {"heat_kw": 40, "delta_t_k": 12, "density_kg_per_m3": 1.2},
            {"liquid_fraction": 0.8},
            "airflow_cfm",
        ),
        ("cooling", {"heat_kw": 40, "delta_t_k": 12, "density_kg_per_m3": 1.2}, {"altitude_m": 1800}, "airflow_cfm"),
        ("cooling", {"class": "A3"}, {"elevation_ft": 6000}, "max_c"),
        ("cooling", {"rack_kw": 132, "coolant": "pg25", "delta_t_k": 10}, {"liquid_kw": 115}, "flow_l_per_min"),
        ("cooling", {"rack_kw": 132, "coolant": "pg25", "delta_t_k": 10}, {"liquid_percent": 87}, "airflow_cfm"),
        ("carbon", {"it_mw": 10, "pue": 1.2}, {"utilisation_fraction": 0.6}, "annual_mwh"),
        ("carbon", {"it_kwh": 1000, "pue": 1.2, "g_per_kwh": 400}, {"renewable_fraction": 0.5}, "tco2e"),
        ("cooling", {"heat_kw": 100, "coolant": "pg25", "delta_t_k": 10}, {"bypass_percent": 20}, "flow_l_per_min"),
        ("fabric", {"nodes": 64, "gpus_per_node": 8, "switch_radix_ports": 64}, {"reserved_ports": 4}, "leaf_switches"),
        ("cooling", {"rack_kw": 60}, {"liquid_fraction": 0.8}, "smallest_door_max_kw"),
        ("storage", {"write_time_s": 60, "interval_s": 600}, {"blocked_percent": 10}, "overhead_fraction"),
        ("electrical", {"shelves": 8, "shelf_kw": 33}, {"redundancy": "N+1"}, "usable_kw"),
        ("electrical", {"line_voltage_v": 415, "breaker_a": 60}, {"redundancy": "2N"}, "usable_va"),
        ("reliability", {"job_mttf_h": 10, "write_s": 60, "interval_s": 1800}, {"requeue_s": 300}, "ettr_fraction"),
        ("carbon", {"it_kwh": 100, "pue": 1.2}, {"losses_fraction": 0.05}, "facility_kwh"),
    ],
)
def test_a_value_that_an_input_would_change_is_not_answered_without_it(kind, inputs, qualifier, name):
    """Either the answer is made of it, or there is none that says so."""
    (plain,) = check(read_case(row_of(kind, inputs, {name: 1})))
    (finding,) = check(read_case(row_of(kind, {**inputs, **qualifier}, {name: 1})))

    (given,) = qualifier
    if finding.answered:
        assert given in finding.used
        assert finding.ours != plain.ours
    else:
        assert finding.reason in ("", f"no function of {name} knows what {given} does to it.")


def test_both_streams_of_a_rack_have_their_own_flow():
    """114.84 kW into the coolant, and 17.16 kW into air of 20 °C at sea level: 17.16 / (1.2041 · 1.006 · 10) m³/s."""
    inputs = {"rack_power_kw": 132, "liquid_fraction": 0.87, "delta_t_k": 10, "coolant": "PG25"}

    found = check(read_case(row_of("cooling", inputs, {"flow_l_per_min": 171.92, "airflow_m3_per_s": 1.4167})))

    assert [(each.name, str(each.ours)) for each in found if not each.holds] == []

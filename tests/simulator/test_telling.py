"""Reports in words."""

from decimal import Decimal

import pytest

from simulator.services import run_question
from simulator.telling import headline, report_rows, report_tables, said
from simulator.wording import in_words
from tests.simulator.test_layers import INPUTS


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (4160, "", "4,160"),
        (Decimal("4160"), "kW", "4,160 kW"),
        (127541.0, "kW", "127,541 kW"),
        (0.5, "", "0.5"),
        (True, "", "yes"),
        (False, "", "no"),
        (None, "kW", "unknown"),
        ("row_kw_max", "", "row kw max"),
        ("007", "", "007"),
        ("1e3", "", "1e3"),
    ],
)
def test_a_value_is_said_as_people_read_it(value, unit, words):
    assert said(value, unit) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ettr_fraction", "ETTR fraction"),
        ("job_mttf_h", "Job MTTF h"),
        ("pue", "PUE"),
        ("wue_l_per_kwh", "WUE l per kWh"),
        ("ups_kva", "UPS kVA"),
        ("it_kw", "IT kW"),
        ("kwh_per_year", "kWh per year"),
        ("hall_gpus_count", "Hall GPUs count"),
    ],
)
def test_abbreviations_and_units_are_written_as_people_write_them(name, words):
    assert in_words(name) == words


def test_a_report_is_its_numbers_its_lists_and_how_far_they_reach():
    report = run_question("ladder", {**INPUTS["ladder"], "pue": {"low": 1.1, "typical": 1.18, "high": 1.3}}).data

    rows = dict(report_rows("ladder", report))
    table = report_tables(report)[0]

    assert rows["Chips count"] == "100,000"
    assert rows["Campus kW over the ranges"] == "140,250 to 165,750 kW"
    assert headline("ladder", report) == "Grid over chips 2.14929"
    assert (table.title, table.heads[:2], table.rows[0][0], table.rows[0][-1]) == (
        "Rungs",
        ["Rung", "Count"],
        "chip",
        "—",
    )


def test_a_number_that_is_not_known_is_said_to_be_unknown():
    assert headline("hall", run_question("hall", {**INPUTS["hall"], "distribution_loss_fraction": None}).data) == (
        "Facility load kW unknown"
    )

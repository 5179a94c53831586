"""Reports in words."""

from decimal import Decimal

import pytest

from simulator.services import run_question
from simulator.telling import headline, report_rows, report_tables, said
from simulator.wording import in_words, unit_of, words
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import make_dgx


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

    assert rows["Chips"] == "100,000"
    assert rows["Campus over the ranges"] == "140,250 to 165,750 kW"
    assert headline("ladder", report) == "Grid over chips 2.14929"
    assert (table.title, table.heads[:2], table.rows[0][0], table.rows[0][-1]) == (
        "Rungs",
        ["Rung", "Count"],
        "chip",
        "—",
    )


def test_the_lists_of_a_stored_report_begin_with_names_and_end_with_whether_they_hold():
    report = run_question("supply", INPUTS["supply"]).data
    stored = {**report, "tiers": [dict(sorted(each.items(), key=lambda row: len(row[0]))) for each in report["tiers"]]}

    tiers = next(table for table in report_tables(stored) if table.title == "Tiers")

    assert tiers.heads == ["Tier", "Load, kW", "Margin, kW", "Capacity, kW", "Utilisation", "Ok"]
    assert tiers.rows[0] == ["phase", "135.385", "-62.5461", "72.8385", "1.8587", "no"]


@pytest.mark.django_db
def test_a_rack_is_told_with_its_ranges_and_readable_numbers():
    make_dgx()
    items = [{"device": "nvidia-dgx-h100", "quantity": {"low": 1, "typical": 4, "high": 6}}]

    rows = report_rows("rack", run_question("rack", {"items": items}).data)

    told = dict(rows)
    assert (told["Density"], told["Rule of thumb"]) == ("40.8 kW at nameplate", "direct to chip")
    assert told["Airflow"] == "10,287.1 m³/h"
    assert told["Density over the ranges"] == "10.2 to 61.2 kW"


def test_a_number_that_is_not_known_is_said_to_be_unknown():
    assert headline("hall", run_question("hall", {**INPUTS["hall"], "distribution_loss_fraction": None}).data) == (
        "Facility load unknown"
    )


def test_numbers_come_in_the_order_in_which_they_follow_and_without_those_that_were_not_asked():
    report = run_question("reliability", {**INPUTS["reliability"], "outage": None}).data
    stored = dict(sorted(report.items(), key=lambda row: (len(row[0]), row[0])))

    rows = report_rows("reliability", stored)
    assert [label for label, _ in rows] == [
        "Job MTTF",
        "Failures",
        "Young interval",
        "Daly interval",
        "Interval",
        "Checkpoint overhead",
        "Lost per failure",
        "ETTR",
    ]
    assert rows[0] == ("Job MTTF", "1.80288 h")


@pytest.mark.parametrize(
    ("name", "said_as"),
    [
        ("wue_l_per_kwh", ("WUE", "l/kWh")),
        ("gco2e_per_gpu_h", ("gCO₂e per GPU h", "")),
        ("ettr_fraction", ("ETTR", "")),
        ("racks[0].node_kw", ("Node", "kW")),
        ("outage_lost_gpu_h", ("Outage lost", "GPU·h")),
    ],
)
def test_a_name_is_its_words_and_the_unit_that_it_ends_in(name, said_as):
    assert (words(name), unit_of(name)) == said_as

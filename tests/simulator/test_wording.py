"""Numbers and names as pictures write them."""

from decimal import Decimal

import pytest

from simulator.plots.amounts import number, percent, power
from simulator.wording import unit_of, words


@pytest.mark.parametrize(
    ("kw", "text"),
    [
        ("0", "0 kW"),
        ("0.7", "700 W"),
        ("40.8", "40.8 kW"),
        ("999.4", "999 kW"),
        ("999.96", "1 MW"),
        ("131000", "131 MW"),
        ("2.5e6", "2.5 GW"),
    ],
)
def test_powers_take_the_unit_that_needs_no_zeros(kw, text):
    assert power(Decimal(kw)) == text


def test_numbers_have_few_digits():
    assert [number(Decimal(each)) for each in ("0.01253", "1.5", "12345", "-3", "100")] == [
        "0.0125", "1.5", "12,345", "-3", "100",
    ]  # fmt: skip
    assert percent(Decimal("0.0744")) == "7.4 %"
    assert number(None) == "unknown"


@pytest.mark.parametrize(
    ("name", "said", "unit"),
    [
        ("stages[1].efficiency", "Efficiency", ""),
        ("racks[0].node_kw", "Node", "kW"),
        ("pue", "PUE", ""),
        ("airflow_m3_h", "Airflow", "m³/h"),
        ("chips_count", "Chips", ""),
        ("free_u", "Free", "U"),
        ("airflow_cfm", "Airflow", "ft³/min"),
        ("air_density_kg_m3", "Air density", "kg/m³"),
        ("cdus_needed_count", "CDUs needed", ""),
        ("kw", "kW", ""),
    ],
)
def test_names_are_said_as_words_with_the_unit_that_they_end_in(name, said, unit):
    assert (words(name), unit_of(name)) == (said, unit)

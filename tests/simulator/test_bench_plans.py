"""The fixed instances of the measurement stay what they are, and all are proven."""

from decimal import Decimal

import pytest

from bench.plans import INSTANCES, input_of, run

PROVEN = {
    "one type, power of a rack": 25,
    "five types, power and weight": 4,
    "twenty types, units alone": 13,
    "twenty types, power of a rack": 13,
    "twenty types, every limit of a rack": 12,
    "twenty types, few of each": 19,
    "twenty types and whole racks": 13,
    "twenty types, lowest cost": 17_891_000,
    "twenty types, lowest cost under caps": 23_242_592,
    "twenty types in rows": 13,
}


def test_there_are_ten_of_up_to_a_thousand_accelerators_and_twenty_types():
    given = [input_of(instance, time_limit_s=Decimal(30)) for instance in INSTANCES]

    assert len(given) == 10
    assert max(each.accelerators for each in given) == 1_000
    assert max(len(each.devices) for each in given) == 20
    assert [len(each.devices) for each in given] == [instance.types for instance in INSTANCES]


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda each: each.name)
def test_all_are_proven(instance):
    report, _ = run(instance, time_limit_s=Decimal(30))

    assert (report.status, report.objective_value, report.gap_fraction) == ("optimal", PROVEN[instance.name], 0)
    assert report.accelerators >= instance.accelerators

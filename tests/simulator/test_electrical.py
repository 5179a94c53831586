"""A simple feed: capacity, what may be used of it, and whether it carries the load."""

from decimal import Decimal

import pytest

from simulator.engine import Feed, InvalidParameters
from simulator.engine.electrical import carries, feed_kva, remaining_capacity
from tests.simulator.builders import make_device, report_of, warnings_of


def feed(**fields):
    return Feed(**{"voltage_v": Decimal(415), "phases": 3, "breaker_a": Decimal(60), **fields})


def load(kw):
    return make_device("load", power_nameplate_w=Decimal(str(kw)) * 1000)


def test_without_a_feed_there_is_nothing_to_say():
    assert report_of((load(1), 1)).electrical is None


def test_line_and_phase_voltage_are_told_apart():
    """netbox#8738: 400 V between lines and 230 V to neutral are one feed, and √3 belongs to the first only."""
    line = feed_kva(voltage_v=Decimal(400), breaker_a=Decimal(32), phases=3)
    neutral = feed_kva(voltage_v=Decimal(230), breaker_a=Decimal(32), phases=3, line=False)

    assert round(line, 2) == Decimal("22.17")
    assert neutral == Decimal("22.08")
    assert feed_kva(voltage_v=Decimal(230), breaker_a=Decimal(32), phases=1) == Decimal("7.36")


def test_the_load_is_apparent_power():
    report = report_of((load(30), 1), feed=feed(power_factor=Decimal("0.8")))

    assert report.electrical.load_kva == Decimal("37.5")
    assert report.electrical.capacity_kva == Decimal("43.1281")
    assert report.electrical.usable_kva == Decimal("34.5025")
    assert report.electrical.ok is False
    assert warnings_of(report)["feed_overloaded"] == ("load",)


@pytest.mark.parametrize(
    ("redundancy", "count", "installed", "usable"),
    [
        ("none", None, 1, 1),
        ("n+1", None, 2, 1),
        ("2n", None, 2, 1),
        ("none", 2, 2, 2),
        ("n+1", 3, 3, 2),
        ("2n", 4, 4, 2),
    ],
)
def test_what_is_spare_is_never_part_of_what_may_be_used(redundancy, count, installed, usable):
    given = feed(
        voltage_v=Decimal(100),
        phases=1,
        breaker_a=Decimal(10),
        redundancy=redundancy,
        count=count,
        continuous_fraction=Decimal("0.8"),
    )

    electrical = report_of((load(1), 1), feed=given).electrical

    assert electrical.capacity_kva == installed
    assert electrical.usable_kva == Decimal("0.8") * usable
    assert electrical.redundancy == redundancy


def test_exactly_what_may_be_used_is_carried():
    given = feed(voltage_v=Decimal(100), phases=1, breaker_a=Decimal(10), power_factor=Decimal(1))

    assert report_of((load("0.8"), 1), feed=given).electrical.ok is True
    assert report_of((load("0.801"), 1), feed=given).electrical.ok is False


def test_an_unknown_load_is_open_unless_what_is_known_is_too_much():
    unknown = make_device("unknown", power_nameplate_w=None)
    given = feed(voltage_v=Decimal(100), phases=1, breaker_a=Decimal(10), power_factor=Decimal(1))

    open_ = report_of((load("0.5"), 1), (unknown, 1), feed=given).electrical
    assert (open_.load_kva, open_.ok, open_.unknown) == (None, None, ("unknown",))
    assert open_.at_least.load_kva == Decimal("0.5")

    assert report_of((load("0.9"), 1), (unknown, 1), feed=given).electrical.ok is False


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"phases": 2}, "phases is 2"),
        ({"voltage_v": Decimal(0)}, "voltage_v is 0"),
        ({"voltage_v": Decimal(1001)}, "voltage_v is 1001"),
        ({"breaker_a": Decimal(-1)}, "breaker_a is -1"),
        ({"continuous_fraction": Decimal("1.01")}, "continuous_fraction is 1.01"),
        ({"power_factor": Decimal(0)}, "power_factor is 0"),
        ({"redundancy": "n+2"}, "redundancy is n\\+2; choose one of none, n\\+1, 2n"),
        ({"redundancy": "2n", "count": 3}, "count is 3; 2n needs two equal halves"),
        ({"redundancy": "n+1", "count": 1}, "count is 1; n\\+1 needs at least two feeds"),
        ({"count": 0}, "count is 0"),
    ],
)
def test_an_impossible_feed_names_what_is_impossible(fields, named):
    with pytest.raises(InvalidParameters, match=named):
        feed(**fields)


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(InvalidParameters) as error:
        feed(phases=2, breaker_a=Decimal(0), redundancy="n")

    assert [problem.field for problem in error.value.problems] == ["phases", "breaker_a", "redundancy"]


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        ({"breaker_a": Decimal(0), "redundancy": "2n", "count": 3}, ["breaker_a out_of_range", "count conflict"]),
        ({"redundancy": "n+1", "count": 0}, ["count out_of_range"]),
        ({"redundancy": "n", "count": 1}, ["redundancy not_a_choice"]),
    ],
)
def test_a_count_is_held_against_its_redundancy_where_both_are_sound(fields, problems):
    with pytest.raises(InvalidParameters) as error:
        feed(**fields)

    assert [f"{problem.field} {problem.code}" for problem in error.value.problems] == problems


def test_more_cannot_fail_than_there_is():
    with pytest.raises(InvalidParameters, match="lost is 3"):
        remaining_capacity(Decimal(1), count=2, lost=3)
    assert carries(None, Decimal(0), Decimal(1)) is None

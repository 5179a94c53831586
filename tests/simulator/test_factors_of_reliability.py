"""Reliability by hand: what a failure and an outage cost, and where warnings begin."""

from decimal import Decimal

import pytest

from simulator.engine.reliability.failures import (
    daly_interval_s,
    ettr,
    failures_per_node_day,
    hours_between,
    job_mttf_h,
    lost_per_failure_s,
    overhead_at_optimum,
    overhead_fraction,
    young_interval_s,
)
from simulator.engine.reliability.outage import lost_gpu_hours
from tests.simulator.test_layers import problems, report

JOB = {"nodes": 1000, "job_mttf_h": 1, "restart_s": 0}


def codes(told):
    return {each["code"] for each in told["warnings"]}


def test_rates_of_failures():
    """12 failures of 100 nodes in 6 days are 0.02 a node-day; of 10 nodes at 20 in 1,000 node-days there are 0.2 a day:
    one in 120 h."""
    assert failures_per_node_day(Decimal(12), Decimal(100), Decimal(6)) == Decimal("0.02")
    assert hours_between(Decimal(8), Decimal(54)) == 162
    assert job_mttf_h(Decimal(10), Decimal(20)) == 120


def test_intervals_and_what_they_cost():
    """A write of 50 s and 10,000 s between failures: √(2 · 50 · 10,000) = 1,000 s; √(w/2M) = 0.05 and w/2M = 0.0025, so
    1,000 · (1 + 0.05/3 + 0.0025/9) − 50 = 966.9444. The overhead of 1,000 s is 0.05 + 0.05."""
    write, mean = Decimal(50), Decimal(10_000)

    assert young_interval_s(write, mean) == 1000
    assert round(daly_interval_s(write, mean), 4) == Decimal("966.9444")
    assert overhead_fraction(write, Decimal(1000), mean) == Decimal("0.1")
    assert overhead_fraction(write, Decimal(500), mean) == Decimal("0.125")  # 50/500 + 500/20,000
    assert overhead_at_optimum(write, mean) == Decimal("0.1")
    # At a write of 2 M, and above, it works as long as it lasts.
    assert daly_interval_s(Decimal(20_000), mean) == daly_interval_s(Decimal(30_000), mean) == mean


def test_useful_time_is_what_writes_and_failures_leave():
    """A failure costs 20 + 300 + 1,000/2 = 820 s; 1 / (1 + 150/1,000 + 1,000/10,000) is 0.8."""
    assert lost_per_failure_s(Decimal(1000), detect_s=Decimal(20), restart_s=Decimal(300)) == 820
    useful = ettr(write_s=Decimal(150), interval_s=Decimal(1000), lost_s=Decimal(1000), mttf_s=Decimal(10_000))
    assert useful == Decimal("0.8")


def test_an_outage_costs_accelerators_its_time_the_restart_and_half_an_interval():
    """7,200 · (30 + 270 + 600/2) s are 1,200 h."""
    lost = lost_gpu_hours(Decimal(7200), outage_s=Decimal(30), restart_s=Decimal(270), interval_s=Decimal(600))

    assert lost == 1200


@pytest.mark.parametrize(("interval_s", "is_warned"), [(7200, True), (7198, False)])
def test_a_failure_that_costs_all_time_until_the_next_one_lets_a_job_make_no_progress(interval_s, is_warned):
    """Each 3,600 s a failure, which costs half the interval: 3,600 s, or 3,599."""
    told = report("reliability", JOB | {"interval_s": interval_s})

    assert told["lost_per_failure_s"] == interval_s / 2
    assert ("no_progress" in codes(told)) is is_warned


@pytest.mark.parametrize(
    ("power", "lost", "cost"),
    [
        ({"storage_s": 30}, 0, 0),
        ({"storage_s": 29}, 1200, 2400),
        ({"storage_s": 10, "generator_start_s": 10}, 0, 0),
        ({"storage_s": 9, "generator_start_s": 10}, 1200, 2400),
        ({}, 1200, 2400),
    ],
)
def test_an_outage_is_ridden_through_or_ends_the_job(power, lost, cost):
    """7,200 accelerators · (30 + 270 + 600/2) s are 1,200 h, at 2 USD."""
    job = JOB | {"nodes": 900, "restart_s": 270, "interval_s": 600, "outage": power | {"usd_per_gpu_h": 2}}

    told = report("reliability", job)

    assert (told["outage_lost_gpu_h"], told["outage_cost_usd"]) == (1200, 2400)
    with_storage = told["outage_lost_with_ride_through_gpu_h"], told["outage_cost_with_ride_through_usd"]
    assert with_storage == (lost, cost)
    assert told["survives_outage"] is (lost == 0)
    assert ("outage_ends_job" in codes(told)) is (lost > 0)


def test_failures_of_a_run_are_its_hours_over_those_between_failures():
    """54 days of 24 h, one failure in 8 h."""
    told = report("reliability", {"nodes": 1000, "job_mttf_h": 8, "run_days": 54})

    assert told["failures_count"] == 162


def test_a_job_says_only_once_how_often_it_fails():
    assert problems("reliability", JOB | {"failures_per_1000_node_days": 6.5}) == [("job_mttf_h", "conflict")]


@pytest.mark.parametrize("failing", [{"job_mttf_h": 1}, {"failures_per_1000_node_days": 24}])
def test_the_overhead_turns_at_the_best_interval_of_each_end_of_a_range(failing):
    """1,000 nodes that fail 24 times a day do so each hour.

    √(2 · 50 · 3,600) = 600 and √(2 · 200 · 3,600) = 1,200 s: the overhead is least at the first of them.
    """
    spans = {
        "write_s": {"low": 50, "typical": 100, "high": 200},
        "interval_s": {"low": 300, "typical": 900, "high": 2000},
    }

    told = report("reliability", {"nodes": 1000} | failing | spans)

    [overhead] = [each for each in told["ranges"] if each["quantity"] == "checkpoint_overhead_fraction"]
    # 50/600 + 600/7,200; 100/900 + 900/7,200; 200/300 + 300/7,200.
    assert (overhead["low"], overhead["typical"], overhead["high"]) == (0.166667, 0.236111, 0.708333)

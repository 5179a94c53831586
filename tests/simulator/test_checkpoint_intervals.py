"""Intervals between checkpoints, against their formulas computed by hand, on both sides of where they end."""

from decimal import Decimal

import pytest

from simulator.engine import InvalidParameters
from simulator.engine.reliability.failures import (
    daly_first_order_s,
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


def test_young_and_dalys_first_order():
    """√(2 · 50 · 10,000) = 1,000 s; less the write, 950 s."""
    assert young_interval_s(Decimal(50), Decimal(10_000)) == 1000
    assert daly_first_order_s(Decimal(50), Decimal(10_000)) == 950
    with pytest.raises(InvalidParameters, match="write_s is 20; it must be more than 0 and less than 20 s"):
        daly_first_order_s(Decimal(20), Decimal(10))


def test_dalys_higher_order():
    """w = 72, M = 900: √(2·72·900) = 360; w/2M = 0.04, of which the root is 0.2: 360 · (1 + 0.2/3 + 0.04/9) − 72."""
    expected = 360 * (1 + Decimal("0.2") / 3 + Decimal("0.04") / 9) - 72

    assert round(daly_interval_s(Decimal(72), Decimal(900)), 12) == round(expected, 12)


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        # At a write of twice the mean time and above it is the mean time (Daly 2006, equation 37).
        (200, 100),
        (250, 100),
        # Below: w/2M = 0.9801, of which the root is 0.99: 198 · (1 + 0.33 + 0.1089) − 196.02 = 88.8822.
        ("196.02", "88.8822"),
    ],
)
def test_dalys_interval_ends_at_a_write_of_twice_the_mean_time_to_failure(write, expected):
    assert round(daly_interval_s(Decimal(write), Decimal(100)), 9) == Decimal(expected)


def test_overhead():
    """50/500 + 500/20,000 = 0.125; at the optimum of 1,000 s √(2 · 50 / 10,000) = 0.1."""
    assert overhead_fraction(Decimal(50), Decimal(500), Decimal(10_000)) == Decimal("0.125")
    assert overhead_at_optimum(Decimal(50), Decimal(10_000)) == Decimal("0.1")


def test_a_failure_costs_what_it_takes_to_notice_to_restart_and_half_an_interval():
    """20 + 100 + 600 / 2 = 420 s; 1 / (1 + 60/600 + 420/2,800) = 1 / 1.25."""
    lost = lost_per_failure_s(Decimal(600), detect_s=Decimal(20), restart_s=Decimal(100))

    assert lost == 420
    useful = ettr(write_s=Decimal(60), interval_s=Decimal(600), lost_s=lost, mttf_s=Decimal(2800))
    assert useful == Decimal("0.8")


def test_rates_of_failures():
    """6 in 3 days of 4 nodes: half a failure a node-day, one each 12 h; 1,000 nodes at 6 in 1,000 node-days: 4 h."""
    assert failures_per_node_day(Decimal(6), Decimal(4), Decimal(3)) == Decimal("0.5")
    assert hours_between(Decimal(6), Decimal(3)) == 12
    assert job_mttf_h(Decimal(1000), Decimal(6)) == 4

"""A chip in a stream of air, by hand: its resistance, the heat before it, and the ends of its range."""

from dataclasses import replace
from decimal import Decimal

import pytest

from simulator.engine import LAYERS, read_layer
from simulator.engine.numbers import precise
from simulator.engine.throttle import chip_c, preheat_k, resistance_at_flow_k_w, throttle_airflow
from tests.simulator.test_layers import THROTTLE, report


def codes(told):
    return {each["code"] for each in told["warnings"]}


def limited(limit_at, *, upstream_w=0.5, below=Decimal(0)):
    """Return a chip of 1 W whose limit is what it reaches in a flow of `limit_at` m³/h, or so much below that."""
    small = THROTTLE | {"chip_w": 1, "upstream_w": upstream_w}
    given = read_layer(LAYERS["throttle"], small).input
    return replace(given, limit_c=chip_c(given, limit_at) - below)


@pytest.mark.parametrize(("ratio", "expected"), [("1", "0.08"), ("32", "0.005"), ("0.03125", "1.28")])
def test_resistance_falls_with_the_flow_to_the_power_of_four_fifths(ratio, expected):
    """32 to the power of 0.8 is 16."""
    assert round(resistance_at_flow_k_w(Decimal("0.08"), mass_ratio=Decimal(ratio)), 20) == Decimal(expected)


def test_air_is_warmed_by_what_stands_before_the_chip():
    """3,600 m³/h of 1.25 kg/m³ carry 1.25 · 1,005 = 1,256.25 W/K: 2,512.5 W are 2 K."""
    assert preheat_k(Decimal("2512.5"), airflow=Decimal(3600), density_kg_m3=Decimal("1.25")) == 2
    assert preheat_k(Decimal(0), airflow=Decimal(3600), density_kg_m3=Decimal("1.25")) == 0


@pytest.mark.parametrize("upstream_w", [0, 0.5])
def test_a_chip_that_needs_all_flow_of_the_range_gets_it_and_no_more(upstream_w):
    most, least = Decimal(100_000), Decimal("0.1")
    with precise():
        needs_all, needs_more = (limited(most, upstream_w=upstream_w, below=each) for each in (0, Decimal("1e-9")))
        needs_least = limited(least, upstream_w=upstream_w)
        found = [throttle_airflow(each) for each in (needs_all, needs_more, needs_least)]

    assert [None if each is None else round(each, 9) for each in found] == [most, None, least]


@pytest.mark.parametrize("flow", ["0.11", "1", "40", "99000"])
def test_the_flow_of_a_limit_is_found_over_the_whole_range(flow):
    with precise():
        found = throttle_airflow(limited(Decimal(flow)))

    assert abs(found / Decimal(flow) - 1) < Decimal("1e-30")


@pytest.mark.parametrize(("limit_c", "is_of_the_trade"), [(82.9, False), (83, True), (None, True), (83.1, False)])
def test_only_the_limit_of_the_trade_is_told_as_such(limit_c, is_of_the_trade):
    given = THROTTLE if limit_c is None else THROTTLE | {"limit_c": limit_c}

    assert ("limit_is_of_the_trade" in codes(report("throttle", given))) is is_of_the_trade


def test_a_chip_stands_alone_in_25_degrees_at_the_sea_unless_told():
    alone = {name: value for name, value in THROTTLE.items() if name != "upstream_w"}

    assert report("throttle", alone) == report("throttle", alone | {"upstream_w": 0, "inlet_c": 25, "altitude_m": 0})

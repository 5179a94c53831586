"""The planner against every layout there is, and against the simulator."""

import itertools
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.plans import INSTANCES, input_of
from simulator.engine import Device, InvalidParameters, Line, Rack
from simulator.planning import Candidate, PlanInput, RowLimits, plan
from tests.simulator.plan_checker import faults_of

SERVER = Device(
    "server",
    height_u=Decimal(8),
    is_full_depth=True,
    weight_kg=Decimal("130.4"),
    power_nameplate_w=Decimal(10_200),
    accelerators_count=Decimal(8),
)
SMALL = Device(
    "small",
    height_u=Decimal(2),
    is_full_depth=True,
    weight_kg=Decimal(30),
    power_nameplate_w=Decimal(2_000),
    accelerators_count=Decimal(2),
)
WHOLE = Device(
    "whole",
    is_whole_rack=True,
    weight_kg=Decimal(1360),
    power_nameplate_w=Decimal(120_000),
    accelerators_count=Decimal(72),
)
SWITCH = Device("switch", height_u=Decimal(1), weight_kg=Decimal(10), power_nameplate_w=Decimal(1_000))


def asked(*devices, accelerators, **fields):
    candidates = tuple(each if isinstance(each, Candidate) else Candidate(each) for each in devices)
    return PlanInput(accelerators=accelerators, devices=candidates, **fields)


def items(rack):
    return {item.device: item.quantity for item in rack.items}


def test_a_rack_holds_what_its_power_allows():
    report = plan(asked(SERVER, accelerators=128, rack_power_max_kw=Decimal(44)))

    assert (report.status, report.racks_count, report.bound, report.gap_fraction) == ("optimal", 4, 4, 0)
    assert [(rack.count, items(rack)) for rack in report.racks] == [(4, {"server": 4})]
    assert report.racks[0].report.power.nameplate_kw == Decimal("40.8")
    assert report.power_kw == Decimal("163.2")


def test_the_last_rack_holds_no_more_than_is_wanted():
    report = plan(asked(SERVER, SMALL, accelerators=70, rack_power_max_kw=Decimal(44)))

    assert report.racks_count == 2
    assert report.accelerators == 70


def test_what_stands_in_every_rack_takes_its_share():
    alone = plan(asked(SERVER, accelerators=40, rack=Rack(units=40)))
    with_switches = plan(asked(SERVER, accelerators=40, rack=Rack(units=40), each_rack=(Line(SWITCH, 2),)))

    assert alone.racks_count == 1
    assert with_switches.racks_count == 2
    assert all(items(rack)["switch"] == 2 for rack in with_switches.racks)


def test_a_whole_rack_stands_alone_and_brings_its_own():
    report = plan(asked(WHOLE, SERVER, accelerators=144, each_rack=(Line(SWITCH, 2),)))

    assert [(rack.count, items(rack)) for rack in report.racks] == [(2, {"whole": 1})]
    assert report.assumptions


def test_the_lowest_cost_is_not_the_fewest_racks():
    dear, cheap = Candidate(SERVER, price=Decimal(300_000)), Candidate(SMALL, price=Decimal(40_000))
    limits = {"rack_power_max_kw": Decimal(44), "rack_price": Decimal(10_000)}

    fewest = plan(asked(dear, cheap, accelerators=64, rack=Rack(units=32), **limits))
    lowest = plan(asked(dear, cheap, accelerators=64, rack=Rack(units=32), objective="lowest_cost", **limits))

    # Two racks: eight servers cost the most, and small ones, sixteen of them in a rack, the least.
    assert (fewest.status, fewest.racks_count, fewest.cost) == ("optimal", 2, 32 * 40_000 + 2 * 10_000)
    assert sum(rack.price * rack.count for rack in fewest.racks) == fewest.cost
    assert (lowest.status, lowest.cost, lowest.racks_count) == ("optimal", 32 * 40_000 + 2 * 10_000, 2)


def test_a_cost_is_told_where_all_that_is_used_has_a_price():
    priced, unpriced = Candidate(SERVER, price=Decimal(300_000)), Candidate(SMALL)

    report = plan(asked(priced, accelerators=64, rack_price=Decimal(9_000)))
    beside = plan(asked(priced, unpriced, accelerators=66))

    assert (report.cost, {rack.price for rack in report.racks}) == (8 * 300_000 + 2 * 9_000, {1_509_000, 909_000})
    assert (beside.cost, {rack.price is None for rack in beside.racks} >= {True}) == (None, True)


def test_rows_hold_so_many_racks_and_so_much_power():
    rows = RowLimits(count=3, racks_max=4, power_max_kw=Decimal(100))
    report = plan(asked(SERVER, accelerators=192, rack_power_max_kw=Decimal(44), rows=rows))

    assert (report.racks_count, report.rows_count) == (6, 3)
    assert [(row.count, row.racks, row.power_kw, row.power_at_least_kw) for row in report.rows] == [
        (3, (2,), Decimal("81.6"), None)
    ]


def test_racks_that_do_not_go_into_the_rows_are_not_a_plan():
    """A row of 100 kW holds nine servers of 10.2: nineteen do not go into two, though they draw less than 200 kW."""
    rows = RowLimits(count=2, power_max_kw=Decimal(100))
    report = plan(asked(SERVER, accelerators=152, rack_power_max_kw=Decimal(60), rows=rows))

    assert (report.status, report.most_accelerators) == ("infeasible", 144)
    assert [(each.limit, each.given, each.needed) for each in report.shortfalls] == [
        ("rows.power_max_kw", 100, None),
        ("rows.count", 2, 3),
    ]


@pytest.mark.parametrize("wanted", [200, 256])
def test_rows_hold_what_each_of_them_holds(wanted):
    rows = RowLimits(count=2, racks_max=4, power_max_kw=Decimal(130))
    limits = {"rack_power_max_kw": Decimal(45), "rows": rows}

    report = plan(asked(SERVER, accelerators=wanted, **limits))
    most = plan(asked(SERVER, accelerators=192, **limits))

    assert (report.status, report.most_accelerators) == ("infeasible", 192)
    assert ("rows.count", 2, 3) in [(each.limit, each.given, each.needed) for each in report.shortfalls]
    assert (most.status, most.racks_count, most.rows_count) == ("optimal", 6, 2)


@pytest.mark.parametrize(
    ("limits", "limit", "needed"),
    [
        ({"racks_max": 3}, "racks_max", 4),
        ({"site_power_max_kw": Decimal(150)}, "site_power_max_kw", Decimal("163.2")),
    ],
)
def test_a_limit_that_stands_in_the_way_is_named_with_what_it_would_take(limits, limit, needed):
    report = plan(asked(SERVER, accelerators=128, rack_power_max_kw=Decimal(44), **limits))

    assert (report.status, report.racks) == ("infeasible", ())
    assert [(each.limit, each.needed) for each in report.shortfalls] == [(limit, needed)]
    assert report.most_accelerators < 128


def test_too_few_devices_are_named():
    report = plan(asked(Candidate(SERVER, available=3), accelerators=32))

    assert (report.status, report.most_accelerators) == ("infeasible", 24)
    assert [each.limit for each in report.shortfalls] == ["available:server"]


@pytest.mark.parametrize(
    ("device", "fields", "code"),
    [
        (SWITCH, {}, "no_accelerators"),
        (SERVER, {"rack_power_max_kw": Decimal(10)}, "power_kw_exceeded"),
        (SERVER, {"rack": Rack(units=7)}, "units_exceeded"),
        (SERVER, {"rack": Rack(max_kg=Decimal(100))}, "weight_kg_exceeded"),
        (WHOLE, {"rack_weight_max_kg": Decimal(1000)}, "weight_kg_exceeded"),
        (SERVER, {"rack_airflow_max_m3_h": Decimal(100)}, "airflow_m3_h_exceeded"),
        (SERVER, {"basis": "idle", "rack_power_max_kw": Decimal(44)}, "unknown_power_kw"),
        (SERVER, {"objective": "lowest_cost"}, "unknown_price"),
    ],
)
def test_a_device_that_no_rack_can_hold_says_why(device, fields, code):
    report = plan(asked(device, accelerators=8, **fields))

    assert (report.status, report.most_accelerators) == ("infeasible", 0)
    assert [(each.device, each.code) for each in report.unusable] == [(device.slug, code)]


def test_all_that_is_wrong_with_an_input_is_said_at_once():
    with pytest.raises(InvalidParameters) as refusal:
        PlanInput(accelerators=0, devices=(), objective="fastest", rack_price=Decimal(-1), time_limit_s=Decimal(600))

    assert {problem.field for problem in refusal.value.problems} == {
        "accelerators",
        "devices",
        "objective",
        "rack_price",
        "time_limit_s",
    }


def test_time_that_is_over_gives_no_proof():
    ticks = iter(range(0, 10_000, 5))
    report = plan(asked(SERVER, accelerators=128, time_limit_s=Decimal(1)), clock=lambda: float(next(ticks)))

    assert report.status == "not_found"


devices = st.builds(
    Device,
    slug=st.sampled_from("abc"),
    height_u=st.integers(1, 6).map(Decimal),
    is_full_depth=st.just(True),
    weight_kg=st.integers(10, 60).map(Decimal),
    power_nameplate_w=st.integers(1, 20).map(lambda kw: Decimal(kw * 1000)),
    accelerators_count=st.integers(1, 8).map(Decimal),
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(devices, min_size=1, max_size=3, unique_by=lambda device: device.slug),
    st.lists(st.integers(1, 30), min_size=3, max_size=3),
    st.integers(1, 20),
    st.sampled_from(["fewest_racks", "lowest_cost"]),
)
def test_no_layout_is_better(found, prices, wanted, objective):
    """Try every way to fill up to three racks of 10 U and 24 kW."""
    candidates = [Candidate(device, price=Decimal(price)) for device, price in zip(found, prices, strict=False)]
    limits = {"rack": Rack(units=10), "rack_power_max_kw": Decimal(24), "racks_max": 3, "rack_price": Decimal(5)}
    report = plan(asked(*candidates, accelerators=wanted, objective=objective, **limits))

    fillings = [
        counts
        for counts in product(range(11), repeat=len(found))
        if sum(n * device.height_u for n, device in zip(counts, found, strict=True)) <= 10
        and sum(n * device.power_nameplate_w for n, device in zip(counts, found, strict=True)) <= 24_000
    ]
    totals = {
        (
            int(any(counts)),
            sum(n * int(device.accelerators_count) for n, device in zip(counts, found, strict=True)),
            sum(n * price for n, price in zip(counts, prices, strict=False)) + (5 if any(counts) else 0),
        )
        for counts in fillings
    }
    sums = totals
    for _ in range(2):
        sums = {tuple(map(sum, zip(one, other, strict=True))) for one in sums for other in totals}
    place = 0 if objective == "fewest_racks" else 2
    best = min((each[place] for each in sums if each[1] >= wanted), default=None)

    if best is None:
        assert report.status == "infeasible"
    else:
        assert (report.status, report.objective_value, report.bound) == ("optimal", best, best)
        assert report.accelerators >= wanted


def test_the_solver_writes_nothing():
    program = "minimise([Row(low=3)], [Column(1, {0: 1.0})], is_integer=True, time_limit_s=1)"
    said = subprocess.run(
        [sys.executable, "-c", f"from simulator.planning.solver import *\nprint({program}.objective)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert (said.stdout, said.stderr) == ("3.0\n", "")


def test_the_power_of_a_plan_is_unknown_where_that_of_a_device_is():
    silent = Device("silent", height_u=Decimal(1))

    report = plan(asked(SERVER, accelerators=8, each_rack=(Line(silent, 1),), rows=RowLimits(racks_max=2)))

    assert (report.status, report.racks_count) == ("optimal", 1)
    assert (report.power_kw, report.power_at_least_kw) == (None, Decimal("10.2"))
    assert [(row.power_kw, row.power_at_least_kw) for row in report.rows] == [(None, Decimal("10.2"))]


def test_the_power_of_a_row_is_known_where_its_own_racks_say_theirs():
    """A rack that is a device comes without the devices of each rack, so it is known beside one that is not."""
    silent = Device("silent", height_u=Decimal(1))
    limits = {"each_rack": (Line(silent, 1),), "rows": RowLimits(racks_max=1)}
    whole = Candidate(WHOLE, available=1)

    report = plan(asked(whole, Candidate(SERVER, available=1), accelerators=80, **limits))

    assert {(row.power_kw, row.power_at_least_kw) for row in report.rows} == {
        (WHOLE.power_nameplate_w / 1000, None),
        (None, Decimal("10.2")),
    }


def test_large_limits_are_told_in_plain_numbers():
    report = plan(asked(Candidate(SERVER, price=Decimal(300_000)), accelerators=64, budget=Decimal(1_250_000)))

    assert [short.message for short in report.shortfalls] == [
        "budget is 1,250,000: with more of it there is a layout. No layout takes less than 2,400,000."
    ]


def test_the_solver_works_where_standard_output_is_closed():
    program = "minimise([Row(low=3)], [Column(1, {0: 1.0})], is_integer=True, time_limit_s=1)"
    closed = "import os, sys\nos.close(1)\nfrom simulator.planning.solver import *\n"
    said = subprocess.run(
        [sys.executable, "-c", f"{closed}print({program}.objective, file=sys.stderr)"],
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )

    assert said.stderr == "3.0\n"


@pytest.mark.parametrize(("wanted", "racks"), [(56, 2), (96, 3), (136, 4), (256, 7)])
def test_of_layouts_of_the_same_cost_that_of_the_fewest_racks_is_taken(wanted, racks):
    report = plan(asked(Candidate(SERVER, price=Decimal(300_000)), accelerators=wanted, objective="lowest_cost"))

    assert (report.status, report.cost, report.racks_count) == ("optimal", wanted / 8 * 300_000, racks)
    assert not any("proven" in said for said in report.assumptions)


def test_of_layouts_of_as_many_racks_the_cheapest_is_taken_and_without_prices_that_of_the_least_power():
    large, small = replace(SERVER, slug="large", power_nameplate_w=Decimal(9_000)), SERVER
    priced = Candidate(large, price=Decimal(400_000)), Candidate(small, price=Decimal(300_000))

    cheapest = plan(asked(*priced, accelerators=80))
    coolest = plan(asked(priced[0], small, accelerators=80))

    assert (cheapest.racks_count, cheapest.cost, items(cheapest.racks[0])) == (2, 3_000_000, {"server": 5})
    assert (coolest.racks_count, coolest.power_kw, items(coolest.racks[0])) == (2, 90, {"large": 5})


def test_what_comes_second_is_not_proven_where_time_ends():
    """Whenever that is, after so many looks at the clock: what was asked for first is proven all the same."""
    given = asked(Candidate(SERVER, price=Decimal(300_000)), accelerators=136, objective="lowest_cost")
    said = "It is not proven that no other layout of this cost has fewer racks."
    found = set()
    for looks in range(60):
        ticks = itertools.count()
        report = plan(given, clock=lambda ticks=ticks, looks=looks: 0.0 if next(ticks) < looks else 100.0)
        found.add((report.status, report.cost, said in report.assumptions))

    assert {("optimal", 17 * 300_000, True), ("optimal", 17 * 300_000, False)} <= found
    assert all(is_unproven is False or status in ("optimal", "feasible") for status, _, is_unproven in found)


@pytest.mark.parametrize(
    ("rows", "objective", "value"),
    [
        (RowLimits(count=12, power_max_kw=Decimal(50)), "fewest_racks", 13),
        (RowLimits(count=4, power_max_kw=Decimal(147)), "fewest_racks", 13),
        (RowLimits(count=7, racks_max=3, power_max_kw=Decimal(85)), "lowest_cost", 17_774_000),
    ],
)
def test_twenty_types_go_into_rows_that_hold_little_power(rows, objective, value):
    given = replace(input_of(INSTANCES[9], time_limit_s=Decimal(30)), rows=rows, objective=objective)
    report = plan(given)

    assert (report.status, report.objective_value) == ("optimal", value)
    assert faults_of(given, report) == []

"""Plans by chance: none breaks a limit of its own, and none is worse than the best of every layout there is."""

import itertools
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import Device, InvalidParameters, Line, Rack
from simulator.planning import Candidate, RowLimits, plan
from tests.simulator import plan_instances
from tests.simulator.plan_brute_force import best_of, bests_of
from tests.simulator.plan_checker import faults_of
from tests.simulator.test_planning import SERVER, SMALL, SWITCH, WHOLE, asked, items

SEEDS = st.integers(0, 10**9)


def checked(instance):
    report = plan(instance)
    assert faults_of(instance, report) == []
    if report.status == "infeasible":
        assert report.shortfalls or report.unusable or any("Not every limit" in said for said in report.assumptions)
        assert 0 <= report.most_accelerators < instance.accelerators
    return report


def counted_out(instance):
    """Compare a small plan with every layout there is, and what it says of limits with what they then allow."""
    report, bests = checked(instance), bests_of(instance)
    if bests is not None:
        second = report.cost if instance.objective == "fewest_racks" else report.racks_count
        assert (report.status, report.objective_value, second) == ("optimal", *bests)
        return
    assert report.status == "infeasible"
    assert best_of(replace(instance, accelerators=report.most_accelerators + 1)) is None
    for short in report.shortfalls:
        name, needed = short.limit, short.needed
        if name not in ("racks_max", "site_power_max_kw", "budget") or short.with_others:
            continue
        if name != "racks_max":
            assert best_of(replace(instance, **{name: needed})) is not None
            assert best_of(replace(instance, **{name: needed - Decimal("0.5")})) is None
        elif needed <= 4:
            assert best_of(replace(instance, racks_max=int(needed))) is not None
            assert best_of(replace(instance, racks_max=int(needed) - 1)) is None


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_no_plan_breaks_a_limit_of_its_own(seed):
    checked(plan_instances.usual(Random(seed)))


@settings(max_examples=6, deadline=None)
@given(SEEDS)
def test_numbers_at_the_ends_of_their_ranges_are_planned_too(seed):
    checked(plan_instances.extreme(Random(seed)))


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_small_plans_in_rows_are_what_every_layout_there_is_shows(seed):
    in_rows(plan_instances.small_in_rows(Random(seed)))


def in_rows(instance):
    """Compare a small plan in rows with every layout there is: what is said to be proven is true."""
    report, best = checked(instance), best_of(instance)
    if best is None:
        assert report.status in ("infeasible", "not_found")
    else:
        assert report.status != "infeasible"
    if report.status == "optimal":
        assert report.objective_value == best
    if report.status == "feasible":
        assert report.bound <= best <= report.objective_value
    if report.status == "infeasible":
        assert best_of(replace(instance, accelerators=report.most_accelerators + 1)) is None
    return report


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_small_plans_are_what_every_layout_there_is_shows(seed):
    counted_out(plan_instances.small(Random(seed)))


def interrupted(instance, looks):
    """Let time end after so many looks at the clock: what is said then is true all the same."""
    ticks = itertools.count()
    report = plan(instance, clock=lambda: 0.0 if next(ticks) < looks else 100.0)
    best = best_of(instance)
    assert faults_of(instance, report) == []
    if report.status == "infeasible":
        assert best is None
    elif report.status != "not_found":
        assert report.bound <= best <= report.objective_value


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(1, 30))
def test_what_is_said_when_time_ends_is_true(seed, looks):
    interrupted(plan_instances.small(Random(seed)), looks)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_many_plans_by_chance(seed):
    chance = Random(seed)
    for _ in range(30):
        checked(plan_instances.usual(chance))
        checked(plan_instances.extreme(chance))
        counted_out(plan_instances.small(chance))
        in_rows(plan_instances.small_in_rows(chance))
        interrupted(plan_instances.small(chance), chance.randint(1, 60))
        interrupted(plan_instances.small_in_rows(chance), chance.randint(1, 60))


# What this found.


def test_the_floor_of_the_rack_is_a_limit_too():
    rack = Rack(footprint_m2=Decimal("0.5"), floor_max_kg_m2=Decimal(600), tare_kg=Decimal(30))
    instance = asked(SERVER, WHOLE, accelerators=16, rack=rack)

    report = checked(instance)

    assert [(rack.count, items(rack)) for rack in report.racks] == [(1, {"server": 2})]
    assert [(use.limit, use.used, use.given, use.is_binding) for use in report.racks[0].limits] == [
        ("rack.units", 16, 42, False),
        ("rack.floor_max_kg_m2", Decimal("290.8"), 300, True),
    ]
    assert [each.code for each in report.unusable] == ["weight_kg_exceeded"]


def test_a_whole_rack_stands_on_its_own_frame():
    report = checked(asked(WHOLE, accelerators=72, rack=Rack(max_kg=Decimal(1_000), tare_kg=Decimal(100))))

    assert (report.status, report.racks_count) == ("optimal", 1)
    assert "over_weight" not in [warning.code for warning in report.racks[0].report.warnings]


@pytest.mark.parametrize(
    ("line", "code"),
    [(Line(SERVER, 1), "conflict"), (Line(WHOLE, 1), "conflict")],
)
def test_what_cannot_stand_in_each_rack_is_refused(line, code):
    with pytest.raises(InvalidParameters) as refusal:
        asked(SERVER, accelerators=8, each_rack=(line,))

    assert [(problem.field, problem.code) for problem in refusal.value.problems] == [("each_rack", code)]


def test_more_devices_than_a_report_holds_are_refused_before_work_starts():
    with pytest.raises(InvalidParameters) as refusal:
        asked(SERVER, accelerators=8, each_rack=(Line(SWITCH, 1_000), Line(replace(SWITCH, slug="other"), 1)))

    assert [(problem.field, problem.code) for problem in refusal.value.problems] == [("each_rack", "too_many")]


def test_what_has_no_height_and_takes_nearly_nothing_fills_no_rack_without_end():
    speck = Device("speck", height_u=Decimal(0), power_nameplate_w=Decimal(1), accelerators_count=Decimal(1))

    report = checked(asked(speck, accelerators=100_000, rack_power_max_kw=Decimal(10_000_000)))

    assert (report.status, report.racks_count) == ("optimal", 100)


@pytest.mark.parametrize("unit", [Decimal("1e-9"), Decimal(1), Decimal("1e7")])
def test_what_is_proven_does_not_depend_on_the_currency(unit):
    dear, cheap = Candidate(SERVER, 300_001 * unit), Candidate(SMALL, 75_000 * unit)
    limits = {"rack_power_max_kw": Decimal(44), "rack_price": 10_000 * unit, "objective": "lowest_cost"}

    report = checked(asked(dear, cheap, accelerators=66, **limits))

    # 33 small ones, up to 21 in a rack: four of them are cheaper than a large one by one part in 300,001.
    assert (report.status, report.objective_value) == ("optimal", (33 * 75_000 + 2 * 10_000) * unit)


def test_a_budget_is_kept_to_the_last_digit():
    """The solver's tolerance is a billionth of a limit."""
    cent = Decimal("0.01")
    candidates = Candidate(SERVER, Decimal(9_999_999_999)), Candidate(SMALL, Decimal(9_999_999_999) / 4 + cent)

    report = checked(asked(*candidates, accelerators=80, budget=Decimal(99_999_999_990) - cent))
    enough = checked(asked(*candidates, accelerators=80, budget=Decimal(99_999_999_990)))

    assert (report.status, report.racks) == ("not_found", ())
    assert (enough.status, items(enough.racks[0])) == ("optimal", {"server": 5})


def test_a_limit_that_nothing_can_be_under_is_told():
    report = checked(asked(SERVER, accelerators=8, site_power_max_kw=Decimal("1e-300"), racks_max=1))

    assert (report.status, report.most_accelerators) == ("infeasible", 0)
    assert [(each.limit, each.needed) for each in report.shortfalls] == [("site_power_max_kw", Decimal("10.2"))]


def test_limits_that_stand_in_the_way_together_are_told_together():
    report = checked(asked(SERVER, accelerators=128, site_power_max_kw=Decimal(100), racks_max=1))

    assert {(each.limit, each.with_others) for each in report.shortfalls} == {
        ("racks_max", ("site_power_max_kw",)),
        ("site_power_max_kw", ("racks_max",)),
    }
    assert report.shortfalls[0].message == (
        "racks_max is 1: with more of it, and of site_power_max_kw, there is a layout."
    )


def test_a_limit_of_each_rack_that_stands_in_the_way_is_told():
    report = checked(asked(SERVER, accelerators=120, rack_power_max_kw=Decimal(44), racks_max=3))

    assert [(each.limit, each.given, each.needed) for each in report.shortfalls] == [
        ("racks_max", 3, 4),
        ("rack_power_max_kw", 44, None),
    ]


def test_what_rows_hold_is_told_for_one_row():
    rows = RowLimits(count=2, racks_max=2)
    report = checked(asked(SERVER, accelerators=160, rack_power_max_kw=Decimal(44), rows=rows))

    assert [(each.limit, each.given, each.needed) for each in report.shortfalls] == [
        ("rows.racks_max", 2, 3),
        ("rows.count", 2, 3),
        ("rack_power_max_kw", 44, None),
    ]


def test_a_row_that_carries_no_rack_is_told_with_what_it_needs():
    rows = RowLimits(count=3, power_max_kw=Decimal("0.123"))
    report = checked(asked(SERVER, accelerators=64, rows=rows))

    assert [(each.limit, each.given, each.needed) for each in report.shortfalls] == [
        ("rows.power_max_kw", Decimal("0.123"), Decimal("27.2"))
    ]


def test_racks_that_do_not_go_into_rows_give_way_to_others():
    rows = RowLimits(count=2, power_max_kw=Decimal(100))
    report = checked(asked(SERVER, accelerators=144, rack_power_max_kw=Decimal(60), rows=rows))

    assert (report.status, report.racks_count, report.bound) == ("optimal", 4, 4)
    assert [(rack.count, items(rack)) for rack in report.racks] == [(2, {"server": 4}), (2, {"server": 5})]
    assert [(row.count, row.racks) for row in report.rows] == [(2, (1, 1))]


def test_no_limit_is_told_to_be_widened_for_a_device_that_does_not_say_what_it_takes():
    silent = replace(SERVER, slug="silent", weight_kg=None)
    limits = {"rack_power_max_kw": Decimal(1_000_000), "rack_weight_max_kg": Decimal(20), "racks_max": 1}

    alone = checked(asked(SERVER, accelerators=8, basis="typical", rack_power_max_kw=Decimal(1_000_000)))
    both = checked(asked(silent, SERVER, accelerators=8, **limits))

    assert (alone.status, alone.shortfalls) == ("infeasible", ())
    assert [(each.code, each.message) for each in alone.unusable] == [
        ("unknown_power_kw", "server does not say its typical power, and the power of a rack is limited.")
    ]
    # Nor is a limit that it is over told first.
    assert {each.device: each.code for each in both.unusable} == {
        "silent": "unknown_weight_kg",
        "server": "weight_kg_exceeded",
    }
    assert [each.limit for each in both.shortfalls] == ["rack_weight_max_kg"]
    no_price = checked(asked(SERVER, accelerators=8, budget=Decimal(5)))
    assert (no_price.shortfalls, [each.code for each in no_price.unusable]) == ((), ["unknown_price"])


def test_limits_of_the_site_are_told_together_before_those_of_a_rack():
    limits = {"budget": Decimal(1_000), "site_power_max_kw": Decimal(100), "racks_max": 3}
    server = Candidate(SERVER, price=Decimal(300_000))

    report = checked(asked(server, accelerators=256, rack_power_max_kw=Decimal(45), **limits))

    assert [each.limit for each in report.shortfalls] == ["racks_max", "site_power_max_kw", "budget"]


def test_what_a_rack_takes_is_told_with_the_digits_of_its_report():
    report = checked(asked(SERVER, accelerators=32, rack_airflow_max_m3_h=Decimal("12345.6")))

    (air,) = (use for use in report.racks[0].limits if use.limit == "rack_airflow_max_m3_h")
    assert air.used == report.racks[0].report.cooling.airflow_m3_h
    assert air.left == air.given - air.used

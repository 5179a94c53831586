"""Laws of conservation, scale, order and height, in every layer where they make sense; and ranges of a rack."""

import random
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import LAYERS, RACK, Asked, Feed, Line, Rack, RackInput, Span, as_data, rack_report, read_layer
from simulator.engine.climate import AIR_CLASSES, derated_max_c
from simulator.engine.layers import replaced, run_asked
from simulator.engine.numbers import precise
from tests.simulator.builders import make_device
from tests.simulator.test_layers import CAMPUS, HALL, INPUTS, RELIABILITY, STORAGE, SUPPLY, report

few = settings(max_examples=20, deadline=None)
kilowatts = st.decimals("0.1", 5000, places=2)
efficiencies = st.decimals("0.6", 1, places=3)
altitudes = st.decimals(-500, 6000, places=0)


def near(one, other, digits=5):
    """Whether two numbers of reports, of six digits each, are the same."""
    return abs(one - other) <= max(abs(one), abs(other)) * 10**-digits


def all_near(one, other, factors):
    """Assert that each quantity of `other` is its factor times that of `one`."""
    for name, factor in factors.items():
        assert near(other[name], one[name] * factor), (name, one[name], other[name], factor)


# More of a load


@few
@given(st.decimals(1, 140, places=1), st.decimals(0, 50, places=1), st.decimals(0, 1, places=2))
def test_more_power_in_racks_never_needs_less_air_or_cooling_of_a_hall(kw, more, liquid):
    def run(power):
        rack = {"name": "a", "count": 10, "nameplate_kw": power, "liquid_fraction": liquid}
        return report("hall", {**HALL, "racks": [rack], "row_kw_max": None})

    small, large = run(kw), run(kw + more)

    for name in ("it_kw", "hall_airflow_m3_h", "heat_rejected_kw", "cooling_kw", "loss_kw", "facility_load_kw"):
        assert small[name] <= large[name], name


@few
@given(st.decimals(1, 500, places=1), st.decimals(0, 500, places=1), st.sampled_from(["wye", "delta"]))
def test_more_load_never_leaves_a_tier_less_loaded(load, more, connection):
    phases = {**SUPPLY["phase_loads"], "connection": connection}
    small, large = (report("supply", {**SUPPLY, "phase_loads": phases, "load_kw": kw}) for kw in (load, load + more))

    for before, after in zip(small["tiers"], large["tiers"], strict=True):
        assert before["load_kw"] <= after["load_kw"]
        assert near(before["capacity_kw"], after["capacity_kw"])
        assert before["ok"] or not after["ok"]
    assert small["ups_ride_through_s"] >= large["ups_ride_through_s"]
    assert small["line_current_max_a"] <= large["line_current_max_a"]


@few
@given(st.integers(1, 5000), st.integers(1, 5000))
def test_more_nodes_never_fail_less_often_nor_train_a_greater_part_of_the_time(nodes, more):
    small, large = (report("reliability", {**RELIABILITY, "nodes": each}) for each in (nodes, nodes + more))

    assert small["job_mttf_h"] >= large["job_mttf_h"]
    assert small["ettr_fraction"] >= large["ettr_fraction"]
    assert small["daly_interval_s"] >= large["daly_interval_s"]


# Energy in is heat out


@few
@given(kilowatts, st.decimals(0, 1, places=2), st.decimals(0, 1, places=2), st.decimals(1, 20, places=1))
def test_what_enters_a_hall_is_its_machines_its_cooling_and_its_losses(kw, liquid, compressors, cop):
    rack = {"name": "a", "count": 3, "nameplate_kw": kw, "liquid_fraction": liquid}
    told = report(
        "hall", {**HALL, "racks": [rack], "row_kw_max": None, "mechanical_fraction": compressors, "chiller_cop": cop}
    )

    assert near(told["air_kw"] + told["liquid_kw"], told["it_kw"])
    assert near(told["it_kw"] + told["cooling_kw"] + told["loss_kw"], told["facility_load_kw"])
    # Compressors give their work off too, on the warm side: what cooling takes up leaves with the heat.
    assert near(told["it_kw"] + told["cooling_kw"], told["heat_rejected_kw"])
    assert near(told["facility_load_kw"] / told["it_kw"], told["pue"])


@few
@given(kilowatts, kilowatts, st.lists(efficiencies, max_size=4))
def test_what_enters_a_supply_is_its_load_its_cooling_and_its_losses(load, mechanical, stages):
    rows = [{"name": f"s{n}", "efficiency": each} for n, each in enumerate(stages)]
    told = report("supply", {"load_kw": load, "mechanical_kw": mechanical, "stages": rows, "utility_kw": 1e6})

    assert near(float(load + mechanical) + told["conversion_loss_kw"], told["grid_kw"])
    (utility,) = told["tiers"]
    assert near(utility["load_kw"], told["grid_kw"])


@few
@given(kilowatts, st.decimals(1, 3, places=2), st.decimals("0.1", 1, places=2))
def test_a_year_of_a_campus_is_its_machines_and_what_is_over(kw, pue, factor):
    told = report("campus", {**CAMPUS, "it_kw": kw, "pue": pue, "load_factor": factor})

    assert near(told["it_energy_kwh"] + told["overhead_energy_kwh"], told["facility_energy_kwh"])
    assert near(told["energy_cost_usd"] + told["demand_cost_usd"], told["bill_usd"])
    assert near(told["operational_tco2e"] + told["embodied_tco2e_per_year"], told["carbon_tco2e_per_year"])


@few
@given(
    st.decimals(100, 1200, places=0),
    st.decimals(10, 20, places=1),
    st.integers(1, 8),
    st.integers(1, 500),
    efficiencies,
)
def test_no_rung_of_a_ladder_takes_less_than_what_stands_on_it(chip, node, nodes, racks, chain):
    asked = {"chip_w": chip, "node_kw": node, "nodes_per_rack": nodes, "racks": racks, "pue": 1.2, "rack_other_kw": 2,
             "chain_efficiency_fraction": chain}  # fmt: skip
    rungs = report("ladder", asked)["rungs"]

    totals = [each["total_kw"] for each in rungs]
    assert totals == sorted(totals)
    assert near(totals[-1] * float(chain), totals[-2])
    for each in rungs:
        assert near(each["count"] * each["each_kw"], each["total_kw"])


# n times as much


@few
@given(st.integers(2, 9))
def test_n_supplies_beside_each_other_are_loaded_alike(n):
    """With n times the load, the units and the feeds, every tier is as full, and the same one binds.

    One spare unit is not n times one, so there is none here; halves of shelves and feeds scale.
    """
    one, many = (
        {
            **SUPPLY,
            "load_kw": 132 * k,
            "mechanical_kw": 20 * k,
            "utility_kw": 1000 * k,
            "feeds": {**SUPPLY["feeds"], "count": 4 * k},
            "shelves": {**SUPPLY["shelves"], "count": 8 * k},
            "ups": {"modules": {"count": 3 * k, "unit_kw": 100}, "energy_kj": 3000 * k},
            "generators": {"units": {"count": 2 * k, "unit_kw": 250}, "full_load_l_h": 60, "tank_l": 1000 * k},
        }
        for k in (1, n)
    )
    small, large = report("supply", one), report("supply", many)

    assert large["binding_tier"] == small["binding_tier"]
    for before, after in zip(small["tiers"], large["tiers"], strict=True):
        all_near(before, after, {"capacity_kw": n, "load_kw": n, "utilisation_fraction": 1})
    same = ("feed_normal_kva", "feed_failover_kva", "line_current_max_a", "ups_ride_through_s", "tank_hours")
    all_near(small, large, {"grid_kw": n, "conversion_loss_kw": n, "generator_fuel_l_h": n} | dict.fromkeys(same, 1))


@few
@given(st.integers(2, 50))
def test_n_models_are_n_checkpoints_and_n_times_the_rate_takes_them_in_the_same_time(n):
    rates = {"level": None, "write_gb_s": 100, "read_gb_s": 200}
    one = report("storage", {**STORAGE, **rates})
    larger = report("storage", {**STORAGE, **rates, "parameters_billion": STORAGE["parameters_billion"] * n})
    faster = {"write_gb_s": 100 * n, "read_gb_s": 200 * n}
    scaled = report("storage", {**STORAGE, **rates, **faster, "parameters_billion": STORAGE["parameters_billion"] * n})

    times = ("checkpoint_write_s", "checkpoint_read_s", "checkpoint_blocked_s")
    all_near(one, larger, {"checkpoint_gb": n} | dict.fromkeys(times, n))
    all_near(one, scaled, {"checkpoint_gb": n, "checkpoint_time_fraction": 1} | dict.fromkeys(times, 1))


@few
@given(st.integers(2, 50))
def test_n_times_the_nodes_fail_n_times_as_often(n):
    one, many = (report("reliability", {**RELIABILITY, "nodes": 300 * k, "interval_s": 600}) for k in (1, n))

    all_near(one, many, {"failures_count": n, "outage_lost_gpu_h": n, "outage_cost_usd": n, "lost_per_failure_s": 1})
    assert near(many["job_mttf_h"] * n, one["job_mttf_h"])


@few
@given(st.integers(2, 50))
def test_n_campuses_are_n_times_one(n):
    one, many = (
        report(
            "campus",
            {**CAMPUS, "it_kw": 28230 * k, "gpus": 800 * k, "gpus_per_day": 300 * k,
             "embodied": [{"name": "hgx", "count": 100 * k, "kgco2e_each": 1312}]},
        )
        for k in (1, n)
    )  # fmt: skip
    same = ("average_usd_per_mwh", "cue_g_per_kwh", "gco2e_per_gpu_h", "build_days")
    sums = [name for name, value in one.items() if isinstance(value, int | float) and name not in same]

    assert len(sums) >= 12
    all_near(one, many, dict.fromkeys(sums, n) | dict.fromkeys(same, 1))


# In any order


@few
@given(
    st.lists(st.tuples(efficiencies, st.sampled_from(["phase", "ups", "utility"])), min_size=2, max_size=4),
    st.randoms(),
)
def test_stages_and_devices_in_any_order_give_the_same_numbers(stages, chance):
    rows = [{"name": f"s{n}", "efficiency": each, "below": tier} for n, (each, tier) in enumerate(stages)]
    parts = [{"name": f"d{n}", "count": n + 1, "kgco2e_each": 100 * n} for n in range(4)]

    def run():
        chance.shuffle(rows)
        chance.shuffle(parts)
        told = [report("supply", {**SUPPLY, "stages": rows}), report("campus", {**CAMPUS, "embodied": parts})]
        return [{k: v for k, v in each.items() if k not in ("trace", "warnings")} for each in told]

    assert run() == run() == run()


# Higher up


@few
@given(altitudes, st.decimals(0, 5000, places=0))
def test_a_hall_higher_up_needs_no_less_air_and_the_same_coolant(altitude, higher):
    low, high = (report("hall", {**HALL, "altitude_m": at}) for at in (altitude, altitude + higher))

    assert low["hall_airflow_m3_h"] <= high["hall_airflow_m3_h"]
    for name in ("it_kw", "liquid_kw", "cooling_kw", "racks_placed_count"):
        assert low[name] == high[name]


@few
@given(st.sampled_from(sorted(AIR_CLASSES)), altitudes, st.decimals(0, 5000, places=0))
def test_equipment_never_takes_warmer_air_higher_up(name, altitude, higher):
    known = AIR_CLASSES[name]
    low, high = (
        derated_max_c(known.max_c, altitude_m=at, start_m=known.start_m, metres_per_c=known.metres_per_c)
        for at in (altitude, altitude + higher)
    )

    assert low >= high
    if altitude + higher <= 900:
        assert high == known.max_c


# The rack: failover and ranges


def fed_rack(kw, redundancy, pairs, **given):
    feed = Feed(voltage_v=Decimal(415), phases=3, breaker_a=Decimal(60), redundancy=redundancy, count=2 * pairs)
    node = make_device("node", power_nameplate_w=kw * 1000, heat_to_liquid_fraction="0.8", height_u=4)
    return RackInput(items=(Line(node, 4),), feed=feed, rack=Rack(footprint_m2=Decimal("0.72")), **given)


@few
@given(st.decimals(0, 30, places=2), st.sampled_from(["none", "n+1", "2n"]), st.integers(1, 4))
def test_what_a_rack_may_use_of_its_feeds_is_what_is_left_in_a_failure(kw, redundancy, pairs):
    told = rack_report(fed_rack(kw, redundancy, pairs)).electrical

    left = {"none": 2 * pairs, "n+1": 2 * pairs - 1, "2n": pairs}[redundancy]
    assert told.usable_kva <= told.capacity_kva
    assert near(float(told.usable_kva), float(told.capacity_kva) * 0.8 * left / (2 * pairs))
    assert told.ok == (told.load_kva <= told.usable_kva)


RACK_SPANS = {
    "inlet_c": (15, 35),
    "altitude_m": (-100, 3000),
    "air_rise_k": (8, 20),
    "coolant_rise_k": (5, 15),
    "coolant_supply_c": (20, 45),
    "airflow_available_m3_h": (500, 20_000),
    "feed.breaker_a": (30, 100),
    "feed.power_factor": (Decimal("0.8"), 1),
    "feed.voltage_v": (380, 480),
    "rack.footprint_m2": (Decimal("0.6"), 1),
    "limits.direct_to_chip_max_kw": (50, 200),
}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_a_range_of_a_rack_contains_every_point(seed):
    chance = random.Random(seed)
    asked = fed_rack(Decimal(20), "2n", 2, coolant_supply_c=Decimal(30), airflow_available_m3_h=Decimal(5000))
    spans = {}
    for path in chance.sample(sorted(RACK_SPANS), 3):
        low, high = (Decimal(each) for each in RACK_SPANS[path])
        low, typical, high = sorted(low + (high - low) * chance.randint(0, 100) / 100 for _ in range(3))
        asked = replaced(asked, path, typical)
        spans[path] = Span(low, typical, high)
    ranges = {each.quantity: each for each in run_asked(RACK, Asked(asked, spans)).ranges}
    inner = asked
    for path, span in spans.items():
        inner = replaced(inner, path, span.low + (span.high - span.low) * chance.randint(0, 100) / 100)

    fixed = {entry.quantity: entry.value for entry in RACK.run(asked).trace}
    for entry in RACK.run(inner).trace:
        if entry.quantity not in ranges:
            assert entry.value == fixed[entry.quantity], entry.quantity
        elif ranges[entry.quantity].low is not None:
            assert ranges[entry.quantity].low <= entry.value <= ranges[entry.quantity].high, entry.quantity


@few
@given(st.sampled_from(sorted(LAYERS)), st.integers(0, 10**9))
def test_the_same_input_gives_the_same_report(name, seed):
    layer = LAYERS[name]
    with precise():
        first = as_data(layer.run(read_layer(layer, INPUTS[name]).input))
    assert as_data(layer.run(read_layer(layer, INPUTS[name]).input)) == first

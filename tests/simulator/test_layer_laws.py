"""Laws that hold for any hall, supply, fabric, store, job and campus."""

import random
from decimal import Decimal
from math import gcd

from hypothesis import given, reject, settings
from hypothesis import strategies as st

from simulator.engine import LAYERS, Asked, InvalidParameters, Span, read_layer, run_asked
from simulator.engine.campus.energy import facility_energy_kwh, growth_fraction
from simulator.engine.door import RearDoor, door_capacity_kw
from simulator.engine.fabric.tree import even_spread, leaf_ports, tree
from simulator.engine.hall.filling import Caps, Group, fill
from simulator.engine.layers import replaced
from simulator.engine.numbers import precise, rounded
from simulator.engine.parameters import declared
from simulator.engine.reliability.failures import daly_interval_s, overhead_at_optimum, overhead_fraction
from simulator.engine.storage.checkpoints import checkpoint_gb, subset_gb
from simulator.engine.storage.feed import starved_fraction
from simulator.engine.supply.backup import units_needed
from simulator.engine.supply.phases import delta_line_currents_a, neutral_current_a
from simulator.engine.supply.stages import chain_efficiency, input_power_kw
from simulator.engine.throttle import ThrottleInput, chip_c
from tests.simulator.test_layers import INPUTS

watts = st.decimals(1, 5000, places=1)
kilowatts = st.decimals("0.1", 5000, places=2)
efficiencies = st.decimals("0.5", 1, places=3)
seconds = st.decimals(1, 5000, places=1)
few = settings(max_examples=25, deadline=None)


def nearly(value):
    """Return a number without the last digits of fifty, in which quotients differ by the order of their terms."""
    return rounded(value, 30)


@few
@given(st.integers(1, 4000), st.sampled_from([8, 16, 32, 64, 128, 144]))
def test_every_spine_gets_the_same_number_of_links_of_each_leaf(leaves, radix):
    ports = leaf_ports(radix)
    built = tree(min(leaves, radix * radix // 2), ports=ports, radix=radix)

    if built.tiers == 2:
        assert ports.up % built.spines == 0
        assert built.leaf_spine_links <= built.spines * radix
    if built.tiers == 3:
        assert built.spine_core_links <= built.cores * radix
        assert built.leaf_spine_links <= built.spines * radix // 2
        assert built.cores % (radix // 2) == 0


@few
@given(st.integers(1, 500), st.integers(1, 500))
def test_an_even_spread_is_the_smallest_divisor_that_is_enough(parts, at_least):
    divisors = [each for each in range(1, parts + 1) if gcd(each, parts) == each and each >= at_least]

    assert even_spread(parts, at_least) == (min(divisors) if divisors else None)


@few
@given(st.integers(1, 3000), st.integers(1, 500))
def test_more_nodes_never_need_fewer_switches_or_cables(nodes, more):
    small, large = (
        run_asked(LAYERS["fabric"], read_layer(LAYERS["fabric"], {"nodes": each})) for each in (nodes, nodes + more)
    )

    for name in ("leaf_switches_count", "spine_switches_count", "core_switches_count", "cables_count"):
        assert getattr(small, name) <= getattr(large, name)


@few
@given(st.integers(1, 200), st.integers(2, 6))
def test_planes_scale_a_fabric(nodes, planes):
    one, many = (
        run_asked(LAYERS["fabric"], read_layer(LAYERS["fabric"], {"nodes": nodes, "planes": each}))
        for each in (1, planes)
    )

    assert many.switches_count == planes * one.switches_count
    assert many.cables_count == planes * one.cables_count
    assert many.per_gpu_gbps == planes * one.per_gpu_gbps


@few
@given(kilowatts, st.lists(efficiencies, max_size=4))
def test_what_enters_a_chain_is_what_leaves_it_and_its_losses(load, stages):
    data = {
        "load_kw": load,
        "stages": [{"name": f"s{n}", "efficiency": each} for n, each in enumerate(stages)],
    }
    report = run_asked(LAYERS["supply"], read_layer(LAYERS["supply"], data))

    with precise():
        grid = input_power_kw(load, chain_efficiency(stages))
        assert nearly(grid - load) >= 0
        assert report.grid_kw == rounded(grid, 6)
        assert report.conversion_loss_kw == rounded(grid - load, 6)


@few
@given(kilowatts, st.sampled_from(["none", "n+1", "2n"]), st.integers(1, 4))
def test_failover_is_never_below_normal_load(load, redundancy, pairs):
    feeds = {
        "voltage_v": 415,
        "voltage_is": "line",
        "phases": 3,
        "breaker_a": 100,
        "redundancy": redundancy,
        "count": 2 * pairs,
    }
    report = run_asked(LAYERS["supply"], read_layer(LAYERS["supply"], {"load_kw": load, "feeds": feeds}))

    assert report.feed_failover_kva >= report.feed_normal_kva
    if redundancy == "2n":
        assert report.feed_failover_kva == rounded(2 * report.feed_normal_kva, 6) or abs(
            report.feed_failover_kva - 2 * report.feed_normal_kva
        ) <= report.feed_failover_kva * Decimal("0.00001")


@few
@given(watts, watts, watts)
def test_line_currents_of_a_delta_do_not_depend_on_which_line_is_called_a(ab, bc, ca):
    with precise():
        one = sorted(delta_line_currents_a(ab, bc, ca, line_v=Decimal(400)))
        other = sorted(delta_line_currents_a(ca, ab, bc, line_v=Decimal(400)))

        assert [nearly(each) for each in one] == [nearly(each) for each in other]


@few
@given(watts, watts, watts)
def test_the_neutral_carries_at_most_the_largest_and_nothing_when_balanced(a, b, c):
    with precise():
        assert neutral_current_a(a, a, a) == 0
        assert neutral_current_a(a, b, c) <= max(a, b, c)
        assert nearly(neutral_current_a(2 * a, 2 * b, 2 * c)) == nearly(2 * neutral_current_a(a, b, c))


@few
@given(kilowatts, kilowatts, efficiencies)
def test_units_carry_the_load_and_one_less_does_not(load, unit, derate):
    with precise():
        count = units_needed(load, unit, derate=derate)

        assert count * unit * derate >= load > (count - 1) * unit * derate


groups = st.lists(
    st.tuples(st.integers(1, 40), st.decimals(1, 150, places=1), st.decimals(0, 1, places=2)), min_size=1, max_size=5
)


@few
@given(groups, st.integers(1, 6), st.integers(1, 20), st.decimals(50, 2000, places=0), st.randoms())
def test_a_hall_keeps_its_caps_and_does_not_mind_the_order(racks, rows, positions, row_kw, chance):
    items = [Group(f"g{n}", count, kw, kw * (1 - liquid), kw * liquid) for n, (count, kw, liquid) in enumerate(racks)]
    caps = Caps(rows, positions, row_kw=row_kw, hall_kw=row_kw * rows / 2, air_kw=row_kw)
    shuffled = list(items)
    chance.shuffle(shuffled)

    filled = fill(items, caps)

    placed = [(filled.placed[item.name], item) for item in items]
    assert fill(shuffled, caps) == filled
    assert all(0 <= count <= item.count for count, item in placed)
    assert sum(count for count, _ in placed) <= filled.rows_used * positions <= rows * positions
    assert sum(count * item.kw for count, item in placed) <= min(row_kw * filled.rows_used, caps.hall_kw)
    assert sum(count * item.air_kw for count, item in placed) <= caps.air_kw
    assert (filled.binding is None) == all(count == item.count for count, item in placed)


@few
@given(groups, st.integers(2, 5))
def test_energy_of_a_hall_is_conserved_and_scales(racks, times):
    def run(factor):
        data = {
            "racks": [
                {"name": f"g{n}", "count": factor * count, "nameplate_kw": kw, "liquid_fraction": liquid}
                for n, (count, kw, liquid) in enumerate(racks)
            ],
            "rows": 1000,
            "row_positions": 10,
            "air_transport_fraction": 0.05,
            "liquid_transport_fraction": 0.02,
            "distribution_loss_fraction": 0.04,
            "evaporative_fraction": 0.5,
        }
        return run_asked(LAYERS["hall"], read_layer(LAYERS["hall"], data))

    one, many = run(1), run(times)

    assert one.air_kw + one.liquid_kw == one.it_kw
    assert many.it_kw == times * one.it_kw
    assert (many.pue, many.wue_l_per_kwh) == (one.pue, one.wue_l_per_kwh)
    assert one.pue >= 1


@few
@given(seconds, st.decimals(6000, 10**6, places=0), st.decimals(10, 10**6, places=0))
def test_no_interval_is_better_than_the_optimum(write, mttf, interval):
    with precise():
        assert overhead_fraction(write, interval, mttf) >= nearly(overhead_at_optimum(write, mttf)) * Decimal(
            "0.999999"
        )
        assert daly_interval_s(write, mttf) <= mttf


@few
@given(st.decimals(1, 1000, places=1), st.decimals(1, 1000, places=1))
def test_overlap_never_makes_accelerators_wait_longer(needed, supplied):
    with_overlap, without = (starved_fraction(needed, supplied, is_overlapped=each) for each in (True, False))

    assert 0 <= with_overlap <= without < 1


@few
@given(st.decimals(1, 1000, places=2), st.integers(1, 512), st.integers(1, 8), st.integers(0, 3))
def test_all_ranks_hold_at_least_the_whole_checkpoint_and_none_more_than_it(billions, per_copy, subset, doublings):
    copies = 2**doublings
    ranks = per_copy * copies
    subset = min(subset, ranks)
    with precise():
        held = subset_gb(billions, Decimal(14), subset_ranks=subset, ranks=ranks, data_parallel=copies)
        evenly = subset_gb(billions, Decimal(14), subset_ranks=subset, ranks=ranks)

        assert nearly(evenly) <= nearly(held) <= nearly(checkpoint_gb(billions, Decimal(14)))
        if copies == 1:
            assert nearly(held) == nearly(evenly)


@few
@given(st.decimals(1, 3, places=2), kilowatts)
def test_a_facility_never_uses_less_than_its_machines(pue, energy):
    assert facility_energy_kwh(energy, pue) >= energy


@few
@given(kilowatts, kilowatts, st.integers(1, 20))
def test_growth_is_undone_by_shrinking(before, after, years):
    with precise():
        there, back = growth_fraction(before, after, Decimal(years)), growth_fraction(after, before, Decimal(years))

        assert abs((1 + there) * (1 + back) - 1) < Decimal("1e-40")


doors = st.builds(
    RearDoor,
    conductance_kw_k=st.decimals("0.1", 20, places=2),
    water_in_c=st.decimals(5, 40, places=1),
    water_l_min=st.decimals(1, 500, places=1),
)


@few
@given(doors, st.decimals(10, 20_000, places=0), st.decimals(0, 5000, places=0), st.decimals(5, 60, places=1))
def test_more_air_never_takes_less_heat_from_a_door(door, airflow, more, air_c):
    with precise():
        less, greater = (
            door_capacity_kw(door, airflow=each, density_kg_m3=Decimal("1.2"), air_c=air_c)
            for each in (airflow, airflow + more)
        )

        assert 0 <= less <= greater * (1 + Decimal("1e-5"))


@few
@given(st.decimals(0, 5000, places=0), st.decimals(1, 5000, places=0), st.decimals(10, 500, places=1), watts)
def test_a_chip_is_warmer_higher_up_with_less_air_and_with_more_power(altitude, higher, airflow, power):
    def reached(**changed):
        known = {
            "chip_w": power,
            "resistance_k_w": Decimal("0.05"),
            "rated_airflow_m3_h": Decimal(100),
            "airflow_m3_h": airflow,
            "altitude_m": altitude,
            "upstream_w": Decimal(100),
        }
        given = ThrottleInput(**{**known, **changed})
        return chip_c(given, given.airflow_m3_h)

    with precise():
        here = reached()
        assert reached(altitude_m=altitude + higher) > here
        assert reached(airflow_m3_h=airflow * 2) < here
        assert reached(chip_w=power * Decimal("1.1")) > here


# What may vary in each example, as parts of its value there: far enough to cross the steps of a count.
VARIED = {
    "supply": ["load_kw", "mechanical_kw", "stages[0].efficiency", "feeds.breaker_a", "ups.energy_kj",
               "generators.tank_l", "phase_loads.a_va"],
    "hall": ["altitude_m", "air_rise_k", "air_transport_fraction", "distribution_loss_fraction", "chiller_cop",
             "server_fan_fraction", "evaporative_fraction"],
    "fabric": ["nodes", "efficiency_fraction", "switch_usd", "cable_usd", "switch_w", "switch_port_gbps"],
    "storage": ["parameters_billion", "bytes_per_parameter", "blocking_fraction", "interval_s", "feed.sample_mb",
                "feed.samples_per_gpu_s"],
    "reliability": ["nodes", "failures_per_1000_node_days", "write_s", "restart_s", "run_days",
                    "outage.usd_per_gpu_h", "outage.storage_s"],
    "campus": ["it_kw", "load_factor", "pue", "usd_per_kwh", "usd_per_kw_month", "grid_g_per_kwh",
               "embodied[0].kgco2e_each", "gpus_per_day"],
    "ladder": ["chip_w", "node_kw", "nodes_per_rack", "racks", "pue", "rack_other_kw"],
    "throttle": ["chip_w", "resistance_k_w", "airflow_m3_h", "upstream_w", "inlet_c", "altitude_m", "limit_c"],
}  # fmt: skip
WHOLE = {"nodes", "nodes_per_rack", "racks"}
FRACTIONS = {"stages[0].efficiency", "efficiency_fraction", "blocking_fraction", "load_factor", "evaporative_fraction"}


def value_at(data, path):
    for step in path.replace("[", ".").replace("]", "").split("."):
        data = data[int(step)] if isinstance(data, (list, tuple)) else getattr(data, step)
    return Decimal(data)


def varied(chance, typical, path):
    """Return three numbers in rising order around a typical one."""
    low, high = Decimal(chance.randint(60, 100)) / 100, Decimal(chance.randint(100, 150)) / 100
    if path in FRACTIONS:
        high = Decimal(1)
    base = typical or Decimal(10)
    if path == "pue":
        low = 1 / typical
    ends = (typical * low, typical, base * high)
    return tuple(Decimal(round(each)) for each in ends) if path in WHOLE else ends


def point_in(chance, span, path):
    value = span.low + (span.high - span.low) * Decimal(chance.randint(0, 1000)) / 1000
    return Decimal(round(value)) if path in WHOLE else value


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(VARIED)), st.integers(0, 10**9))
def test_an_interval_contains_every_point_result(name, seed):
    chance = random.Random(seed)
    layer = LAYERS[name]
    given_input = read_layer(layer, INPUTS[name]).input
    paths = chance.sample(VARIED[name], 3)
    spans = {path: Span(*varied(chance, value_at(given_input, path), path)) for path in paths}

    report = run_asked(layer, Asked(given_input, spans))
    inner = given_input
    for path, span in spans.items():
        inner = replaced(inner, path, point_in(chance, span, path))
    point = layer.run(inner)

    ranges = {each.quantity: each for each in report.ranges}
    typical = {entry.quantity: entry.value for entry in report.trace}
    for entry in point.trace:
        if entry.value is None:
            continue
        if entry.quantity not in ranges:
            assert entry.value == typical[entry.quantity], entry.quantity
        elif ranges[entry.quantity].low is not None:
            found = ranges[entry.quantity]
            assert found.low <= entry.value <= found.high, entry.quantity


def stepped_in(of, given, path=""):
    """Return the counts of an input of whose range each is computed."""
    for name, (parameter, _) in declared(of).items():
        current, here = getattr(given, name), f"{path}{name}"
        if parameter.kind == "part" and current is not None:
            yield from stepped_in(parameter.part, current, f"{here}.")
        elif parameter.kind == "parts" and current:
            yield from stepped_in(parameter.part, current[0], f"{here}[0].")
        elif parameter.is_stepped and current is not None:
            yield here, parameter.allowed


STEPPED = {
    name: list(stepped_in(LAYERS[name].input_type, read_layer(LAYERS[name], INPUTS[name]).input)) for name in LAYERS
}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([name for name in sorted(LAYERS) if STEPPED[name]]), st.integers(0, 10**9))
def test_an_interval_of_a_count_contains_each_count_beside_a_number(name, seed):
    chance = random.Random(seed)
    layer = LAYERS[name]
    given_input = read_layer(layer, INPUTS[name]).input
    path, allowed = chance.choice(STEPPED[name])
    beside = chance.choice(VARIED[name])
    typical = value_at(given_input, path)
    low = max(typical - chance.randint(0, 4), allowed.low)
    high = min(typical + chance.randint(1, 6), allowed.high)
    spans = {
        path: Span(low, typical, high, is_stepped=True),
        beside: Span(*varied(chance, value_at(given_input, beside), beside)),
    }
    try:
        inner = replaced(given_input, path, Decimal(chance.randint(int(low), int(high))))
        inner = replaced(inner, beside, point_in(chance, spans[beside], beside))
        report, point = run_asked(layer, Asked(given_input, spans)), layer.run(inner)
    except InvalidParameters:
        reject()

    ranges = {each.quantity: each for each in report.ranges}
    at_typical = {entry.quantity: entry.value for entry in report.trace}
    for entry in point.trace:
        if entry.value is None:
            continue
        if entry.quantity not in ranges:
            assert entry.value == at_typical.get(entry.quantity), entry.quantity
        elif ranges[entry.quantity].low is not None:
            found = ranges[entry.quantity]
            assert found.low <= entry.value <= found.high, entry.quantity


def contains(layer, asked, points):
    """Assert that the ranges of a question have what it answers at each of the points that it answers at all."""
    report = run_asked(layer, asked)
    ranges = {each.quantity: each for each in report.ranges}
    typical = {entry.quantity: entry.value for entry in report.trace}
    for point in points:
        for entry in layer.run(point).trace:
            found = ranges.get(entry.quantity)
            if found is None:
                assert entry.value == typical[entry.quantity], entry.quantity
            elif found.low is not None:
                assert found.low <= entry.value <= found.high, (entry.quantity, point)


@settings(max_examples=15, deadline=None)
@given(
    nodes=st.sampled_from([48, 128, 300, 500]),
    breakout=st.sampled_from([1, 2]),
    unused=st.sampled_from([0, 2]),
    span=st.tuples(st.integers(100, 150), st.integers(1, 200)),
    parts=st.lists(st.integers(0, 1000), min_size=5, max_size=5),
)
def test_an_interval_of_ratios_contains_each_split_of_a_leaf(nodes, breakout, unused, span, parts):
    low, wide = span
    fabric = {"nodes": nodes, "breakout": breakout, "unused_leaf_ports": unused, "switch_w": 1700}
    prices = {"switch_usd": 90_000, "cable_usd": 900, "efficiency_fraction": 0.9}
    ratios = [(low + Decimal(wide * each) / 1000) / 100 for each in (0, 500, 1000, *parts)]
    ends = dict(zip(("low", "typical", "high"), ratios, strict=False))

    asked = read_layer(LAYERS["fabric"], {**fabric, **prices, "oversubscription": ends})

    contains(LAYERS["fabric"], asked, [replaced(asked.input, "oversubscription", each) for each in ratios])


@settings(max_examples=20, deadline=None)
@given(
    loads=st.tuples(*[st.sampled_from([0, 3000, 9000, 10_000, 20_000])] * 3).filter(any),
    spans=st.lists(st.tuples(st.integers(1, 12_000), st.integers(1, 20_000)), min_size=1, max_size=2),
    parts=st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=8, max_size=8),
    voltage_is=st.sampled_from(["line", "phase"]),
)
def test_an_interval_of_loads_of_phases_contains_where_they_are_least_unequal(loads, spans, parts, voltage_is):
    feeds = {"voltage_v": 415, "voltage_is": voltage_is, "phases": 3, "breaker_a": 63}
    names = ("a_va", "b_va", "c_va")
    ranges = {
        name: {"low": low, "typical": low + Decimal(wide) / 2, "high": low + wide}
        for name, (low, wide) in zip(names, spans, strict=False)
    }
    loads = dict(zip(names, loads, strict=True))
    asked = read_layer(LAYERS["supply"], {"load_kw": 30, "feeds": feeds, "phase_loads": {**loads, **ranges}})

    points = []
    for part in parts:
        point = asked.input
        for name, (low, wide), hundredths in zip(ranges, spans, part, strict=False):
            point = replaced(point, f"phase_loads.{name}", low + Decimal(wide * hundredths) / 100)
        points.append(point)
    contains(LAYERS["supply"], asked, points)

"""Fabrics, computed by hand, on both sides of where an answer turns."""

from decimal import Decimal

import pytest

from simulator.engine import LAYERS, InvalidParameters, Span, read_layer
from simulator.engine.fabric.links import bisection_tbps, scale_up_chip_ports, scale_up_links
from simulator.engine.fabric.split import fewest_switches, split_of_all
from simulator.engine.fabric.tree import (
    Ports,
    Tree,
    even_spread,
    kary_tree,
    leaf_count,
    leaf_ports,
    switch_capacity_tbps,
    tree,
    two_tier_spines,
)
from simulator.engine.numbers import precise
from tests.simulator.test_layers import codes, problems, report


def d(value):
    return Decimal(str(value))


def test_counts_of_a_fabric_of_two_planes():
    """16 nodes of 4 accelerators with 2 links in each of 2 planes: 128 links a plane, on 8 rails of 16.

    32 ports of 800 broken out in two are 64 links of 400, 32 of them down: a leaf a rail. 8 leaves of 32 uplinks are
    256, which 4 spines of 64 take; cables carry two links.
    """
    told = report(
        "fabric",
        {
            "nodes": 16,
            "gpus_per_node": 4,
            "links_per_gpu": 2,
            "planes": 2,
            "switch_ports": 32,
            "switch_port_gbps": 800,
            "breakout": 2,
            "links_per_cable": 2,
            "spare_node_ports": 3,
            "efficiency_fraction": 0.5,
            "switch_usd": 1000,
            "cable_usd": 10,
            "switch_w": 500,
        },
    )

    assert (told["gpus_count"], told["tiers"], told["switches_count"]) == (64, 2, 24)
    assert (told["leaf_switches_count"], told["spine_switches_count"], told["core_switches_count"]) == (16, 8, 0)
    # 256 links to nodes and 3 more cables; 512 links up.
    cables = ("node_leaf_cables_count", "leaf_spine_cables_count", "spine_core_cables_count", "cables_count")
    assert [told[name] for name in cables] == [131, 256, 0, 387]
    assert (told["two_tier_max_endpoints_count"], told["three_tier_max_endpoints_count"]) == (2048, 65536)
    assert told["switch_one_way_capacity_tbps"] == 25.6
    # 2 links · 2 planes · 400.
    assert (told["per_gpu_gbps"], told["effective_per_gpu_gbps"], told["cross_leaf_per_gpu_gbps"]) == (1600, 800, 1600)
    assert (told["fabric_power_kw"], told["fabric_cost_usd"]) == (12, 27870)
    assert told["cost_per_effective_gbps_usd"] == 0.544336  # 27,870 / (64 · 800)
    assert codes(told) == ["leaf_not_full"]


@pytest.mark.parametrize("left_out", ["switch_usd", "cable_usd", "efficiency_fraction"])
def test_a_price_that_lacks_a_part_is_unknown(left_out):
    given = {"nodes": 16, "switch_usd": 1000, "cable_usd": 10, "efficiency_fraction": 0.5}
    told = report("fabric", {key: value for key, value in given.items() if key != left_out})

    assert told["cost_per_effective_gbps_usd"] is None
    assert (told["fabric_cost_usd"] is None) is (left_out != "efficiency_fraction")
    assert told["fabric_power_kw"] is None


def test_three_tiers_of_small_switches():
    """8 ports are 4 down and 4 up: 24 leaves in 6 pods of 4 leaves and 4 spines; cores are 4 groups of 4, as 3 does not
    divide the 4 uplinks of a spine."""
    told = report("fabric", {"nodes": 12, "switch_ports": 8, "is_rail_optimised": True})

    assert (told["tiers"], told["leaf_switches_count"], told["spine_switches_count"]) == (3, 24, 24)
    assert (told["switches_count"], codes(told)) == (64, [])


def test_a_pod_that_is_not_full_may_have_more_spines_than_its_ports_ask_for():
    """16 ports are 8 down and 8 up, a leaf a node: 19 leaves are two pods of 8 and one of 3, whose 24 uplinks fill 3
    spines of 8 ports down; 3 does not divide 8, so that 4 are built."""
    told = report("fabric", {"nodes": 19, "switch_ports": 16, "is_rail_optimised": False})

    assert (told["tiers"], told["spine_switches_count"]) == (3, 20)
    assert [each["message"] for each in told["warnings"]] == [
        "20 spines a plane where the ports of 19 would do: each leaf must give every spine the same number of its "
        "8 uplinks."
    ]


@pytest.mark.parametrize(("spare", "free"), [(0, 8), (3, 5), (7, 1)])
def test_free_ports_are_those_that_no_accelerator_and_no_manager_has(spare, free):
    """8 leaves of 32 ports down, and 31 nodes of 8 accelerators."""
    told = report("fabric", {"nodes": 31, "spare_node_ports": spare})

    assert [each["message"] for each in told["warnings"]] == [f"{free} ports of 8 leaves a plane are free."]


def test_cables_of_three_tiers():
    told = report("fabric", {"nodes": 12, "switch_ports": 8})

    assert (told["core_switches_count"], told["leaf_spine_cables_count"], told["spine_core_cables_count"]) == (
        16,
        96,
        96,
    )


def test_a_scale_up_domain_against_its_fabric():
    """18 links of 50 GB/s are 0.9 TB/s both ways, 450 GB/s one way: 3,600 of 400 Gb/s are 9. A mesh shares them."""
    domain = {"domain_gpus": 10, "links_per_gpu": 18, "link_bidirectional_gb_s": 50}

    told = report("fabric", {"nodes": 8, "scale_up": domain})
    mesh = report("fabric", {"nodes": 8, "scale_up": {**domain, "is_switched": False}})

    names = ("scale_up_per_gpu_bidirectional_tb_s", "scale_up_domain_bidirectional_tb_s", "scale_up_over_scale_out")
    assert [told[name] for name in names] == [0.9, 9, 9]
    assert (told["scale_up_pair_gb_s"], mesh["scale_up_pair_gb_s"]) == (450, 50)
    assert problems("fabric", {"nodes": 8, "scale_up": {**domain, "domain_gpus": 1}}) == [
        ("scale_up.domain_gpus", "out_of_range")
    ]
    assert report("fabric", {"nodes": 8, "scale_up": {**domain, "domain_gpus": 2}})["scale_up_pair_gb_s"] == 450
    assert (scale_up_links(72, 18), scale_up_chip_ports(72, 18, 18)) == (1296, 72)


def test_a_count_of_a_fabric_names_what_it_is_made_of():
    told = report("fabric", {"nodes": 16, "planes": 2, "switch_w": 500})

    inputs = {each["quantity"]: {one["name"]: one["value"] for one in each["inputs"]} for each in told["trace"]}
    assert inputs["gpus_count"] == {"nodes": 16, "gpus_per_node": 8}
    assert inputs["leaf_switches_count"] == {
        "nodes": 16,
        "gpus_per_node": 8,
        "links_per_gpu": 1,
        "planes": 2,
        "groups": 8,
        "radix": 64,
        "down_ports": 32,
        "uplinks": 32,
        "links_per_cable": 1,
    }
    # 8 leaves of 32 uplinks are 4 spines, in two planes.
    assert inputs["fabric_power_kw"] == {"switches_count": 24, "switch_w": 500}


def test_a_range_of_nodes_may_cross_a_hundred_leaves():
    """A rail has a leaf for each 32 nodes: 32 to 3,231 nodes fill the first to the hundredth."""
    prices = {"efficiency_fraction": 0.9, "switch_usd": 100_000, "cable_usd": 1000}
    given = read_layer(LAYERS["fabric"], {"nodes": 50, "switch_ports": 32, "breakout": 2, **prices}).input

    found = LAYERS["fabric"].turns(given, {"nodes": Span(d(32), d(50), d(3231))})
    assert found["nodes"] == [end for leaf in range(1, 101) for end in (32 * leaf, 32 * leaf + 1)]
    with pytest.raises(InvalidParameters) as refused:
        LAYERS["fabric"].turns(given, {"nodes": Span(d(32), d(50), d(3232))})
    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("nodes", "too_many")
    assert problem.message.startswith("nodes crosses 101 leaves, ")
    # At each split of a range of the ratio too: 3:1 is 48 down.
    ratio = {"nodes": Span(d(32), d(40), d(50)), "oversubscription": Span(d(1), d(1), d(3))}
    with precise():
        assert set(LAYERS["fabric"].turns(given, ratio)["nodes"]) == {0, 1, *range(32, 50)}


def test_a_ratio_turns_where_another_number_of_ports_goes_up():
    """Of 16 ports 8 go up from 1:1 on, 7 from 16/7 − 1 on, 6 from 16/6 − 1 on; then 5 from 2.2, beyond the range."""
    given = read_layer(LAYERS["fabric"], {"nodes": 8, "switch_ports": 16}).input

    with precise():
        found = LAYERS["fabric"].turns(given, {"oversubscription": Span(d(1), d(1), d(2))})["oversubscription"]
        assert [leaf_ports(16, ratio).up for ratio in found if 1 <= ratio <= 2] == [6, 7, 7, 8, 8]
    assert sorted(round(ratio, 6) for ratio in found if ratio >= 1) == [
        d("1"),
        d("1.285714"),
        d("1.285714"),
        d("1.666667"),
        d("1.666667"),
        d("2.2"),
    ]


def test_switches_of_a_tree_one_by_one():
    assert [even_spread(72, at_least) for at_least in (1, 16, 18, 37, 72, 73)] == [1, 18, 18, 72, 72, None]
    assert [leaf_count(endpoints, groups=8, down=32) for endpoints in (1, 256, 257, 512)] == [8, 8, 16, 16]
    # 64 leaves of 32 uplinks are the 2,048 ports of 32 spines of 64; one leaf more has no port left.
    assert [two_tier_spines(leaves, up=32, radix=64) for leaves in (1, 2, 3, 64, 65)] == [1, 1, 2, 32, None]
    assert switch_capacity_tbps(144, d(800)) == d("115.2")


@pytest.mark.parametrize(
    ("leaves", "cores"),
    # Pods of 4 leaves and 4 spines of 4 uplinks each: 4 groups of as many cores as pods fill with 8 ports, in a divisor
    # of 4.
    [(12, 8), (16, 8), (20, 16), (32, 16)],
)
def test_full_pods_fill_as_many_cores_as_divide_evenly(leaves, cores):
    assert tree(leaves, ports=Ports(4, 4), radix=8) == Tree(3, leaves, leaves, cores, 4 * leaves, 4 * leaves)


def test_there_are_at_most_as_many_pods_as_a_core_has_ports():
    with pytest.raises(InvalidParameters) as refused:
        tree(33, ports=Ports(4, 4), radix=8)

    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("leaves", "out_of_range")
    assert problem.message == "leaves is 33; three tiers of switches with 8 ports join at most 32."


def test_a_full_fat_tree_of_four_ports():
    """4 pods: 16 hosts, 8 edge and 8 aggregation switches, 4 cores, 48 links."""
    found = kary_tree(4)

    assert (found.hosts, found.edge, found.aggregation, found.core, found.links) == (16, 8, 8, 4, 48)
    assert found.nodes == 36


@pytest.mark.parametrize(
    ("unused", "down", "up", "spines"),
    [
        # 16 leaves on 8 rails throughout: 688 uplinks fill 6 switches of 128, but 43 is a prime.
        (0, 85, 43, 43),
        (1, 84, 43, 43),
        # 672 uplinks fill 6, which divides 42.
        (2, 84, 42, 6),
        # 640 uplinks fill 5, which divides 40.
        (8, 80, 40, 5),
    ],
)
def test_ports_of_leaves_that_stay_unused_spread_over_fewer_spines(unused, down, up, spines):
    told = report("fabric", {"nodes": 128, "switch_ports": 128, "oversubscription": 2, "unused_leaf_ports": unused})

    names = ("leaf_down_ports_count", "leaf_up_ports_count", "leaf_unused_ports_count")
    assert [told[name] for name in names] == [down, up, unused]
    assert (told["leaf_switches_count"], told["spine_switches_count"]) == (16, spines)
    assert told["leaf_spine_cables_count"] == 16 * up
    assert (told["two_tier_max_endpoints_count"], told["three_tier_max_endpoints_count"]) == (
        down * 128,
        down * 64 * 128,
    )
    assert ("uneven_spines" in codes(told)) is (spines == 43)
    assert "ports_left" not in codes(told)


def test_the_split_that_is_asked_for_needs_the_fewest_switches():
    """Of 128 ports 0 to 16 may stay unused: with 8 there are 16 leaves and 5 spines, the fewest; 11 leave 39 uplinks,
    whose 624 links fill 5 switches too, but 5 does not divide 39, nor 38 and 37; 36 take 6, and 35, of 105 ports, 5."""
    given = {"nodes": 128, "switch_ports": 128, "oversubscription": 2, "leaf_split": "fewest_switches"}

    told = report("fabric", given)
    more = report("fabric", {**given, "unused_leaf_ports": 11})

    assert (told["leaf_unused_ports_count"], told["switches_count"]) == (8, 21)
    assert [each["message"] for each in told["warnings"] if each["code"] == "ports_left"] == [
        "8 of 128 ports of each leaf stay unused; 80 go down and 40 up."
    ]
    assert (more["leaf_unused_ports_count"], more["switches_count"]) == (23, 21)


def test_a_split_that_gains_nothing_leaves_no_port():
    """24 leaves of 32 uplinks fill 12 spines; 16 divide 32, and no split of 56 to 63 ports needs fewer switches."""
    whole, chosen = (report("fabric", {"nodes": 96, "leaf_split": each}) for each in ("all_ports", "fewest_switches"))

    assert (chosen["leaf_unused_ports_count"], chosen["switches_count"]) == (0, 40)
    assert {**chosen, "trace": []} == {**whole, "trace": []}


def test_of_splits_with_as_many_switches_the_one_that_leaves_fewest_ports():
    """32 endpoints on switches of 16: 8 + 8 ports are 4 leaves and 2 spines; 7 + 7 would be 5 leaves."""
    ports, found, unused = fewest_switches(32, groups=1, radix=16, oversubscription=d(1), unused=0)

    assert (ports, found, unused) == (Ports(8, 8), Tree(2, 4, 2, 0, 32, 0), 0)
    assert split_of_all(32, groups=1, radix=16, oversubscription=d(1), unused=2)[:2] == (
        Ports(7, 7),
        Tree(2, 5, 7, 0, 35, 0),
    )


def test_the_search_ends_at_an_eighth_of_the_ports_and_at_two_in_use():
    """With 32 of 128 ports unused 4 spines would do: from 16 on that is found, from 15 on it is a port too far. Of 4
    ports an eighth is none, and of 16 with 14 unused none is left."""
    assert fewest_switches(4, groups=1, radix=4, oversubscription=d(1), unused=0)[2] == 0
    assert fewest_switches(2, groups=1, radix=16, oversubscription=d(1), unused=14) == (
        Ports(1, 1),
        Tree(2, 2, 1, 0, 2, 0),
        14,
    )
    given = {"groups": 8, "radix": 128, "oversubscription": d(2)}
    assert [fewest_switches(1024, **given, unused=each)[2] for each in (15, 16)] == [23, 32]


def test_a_split_that_cannot_be_built_tells_why():
    with pytest.raises(InvalidParameters, match="leaves is 20; three tiers of switches with 4 ports join at most 8"):
        fewest_switches(40, groups=1, radix=4, oversubscription=d(1), unused=0)
    assert problems("fabric", {"nodes": 1000, "switch_ports": 8, "leaf_split": "fewest_switches"}) == [
        ("nodes", "out_of_range")
    ]


def test_a_leaf_keeps_a_port_down_and_one_up():
    with pytest.raises(InvalidParameters, match="unused is 15; it must be at least 0 and at most 14 ports"):
        fewest_switches(2, groups=1, radix=16, oversubscription=d(1), unused=15)
    assert leaf_ports(8, unused=6) == Ports(1, 1)
    with pytest.raises(InvalidParameters, match="unused is 7; it must be at least 0 and at most 6 ports"):
        leaf_ports(8, unused=7)
    assert problems("fabric", {"nodes": 4, "switch_ports": 8, "breakout": 2, "unused_leaf_ports": 15}) == [
        ("unused_leaf_ports", "out_of_range")
    ]
    assert report("fabric", {"nodes": 4, "switch_ports": 8, "breakout": 2, "unused_leaf_ports": 14})["tiers"] == 3


def test_a_range_of_what_a_split_is_searched_for_is_refused():
    given = {
        "nodes": {"low": 10, "typical": 20, "high": 30},
        "oversubscription": {"low": 1, "typical": 2, "high": 3},
        "leaf_split": "fewest_switches",
    }

    assert problems("fabric", given) == [("nodes", "range_not_allowed"), ("oversubscription", "range_not_allowed")]


def test_the_price_turns_where_leaves_with_unused_ports_are_full():
    given = read_layer(
        LAYERS["fabric"],
        {"nodes": 50, "unused_leaf_ports": 4, "switch_usd": 1, "cable_usd": 1, "efficiency_fraction": 1},
    ).input

    # 60 ports are 30 down.
    assert LAYERS["fabric"].turns(given, {"nodes": Span(d(31), d(50), d(70))})["nodes"] == [30, 31, 60, 61]


def test_the_price_turns_where_leaves_of_each_arrangement_are_full():
    """62 to 64 ports, of which 62 and 64 are even, with none or two unused: 31, 30, 32 and 31 down."""
    prices = {"switch_usd": 1, "cable_usd": 1, "efficiency_fraction": 1}
    given = read_layer(LAYERS["fabric"], {"nodes": 50, **prices}).input
    spans = {
        "nodes": Span(d(31), d(50), d(59)),
        "switch_ports": Span(d(62), d(64), d(64), is_stepped=True),
        "unused_leaf_ports": Span(d(0), d(0), d(2), is_stepped=True),
    }

    # Of 61 and 63 ports 31 and 32 go up.
    assert sorted({*LAYERS["fabric"].turns(given, spans)["nodes"]}) == [0, 1, 30, 31, 32, 33]


def test_what_one_half_of_a_fabric_sends_to_the_other():
    """1,024 accelerators at 400 Gb/s: 512 · 400 = 204.8 Tb/s one way, half of that at 2:1; one leaf divides nothing."""
    assert bisection_tbps(16384, d(400)) == d("3276.8")
    assert report("fabric", {"nodes": 128})["bisection_tbps"] == 204.8
    assert report("fabric", {"nodes": 128, "oversubscription": 2})["bisection_tbps"] == 102.4
    alone = {"nodes": 2, "is_rail_optimised": False, "oversubscription": 2}
    assert (report("fabric", alone)["tiers"], report("fabric", alone)["bisection_tbps"]) == (1, 3.2)


def test_switches_of_all_tiers_count_when_a_split_is_searched():
    """161 endpoints on 16 ports: 8 and 8 are 21 leaves, 24 spines and 16 cores; 7 and 7 are 23, 21, 14: three less."""
    found = fewest_switches(161, groups=1, radix=16, oversubscription=d(1), unused=0)

    assert found == (Ports(7, 7), Tree(3, 23, 21, 14, 161, 168), 2)
    assert split_of_all(161, groups=1, radix=16, oversubscription=d(1), unused=0)[1] == Tree(3, 21, 24, 16, 168, 192)

"""Counts that are swept: what is built of them differs from point to point, and is what a single question tells."""

from contextlib import suppress
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine import LAYERS, InvalidParameters, read_layer
from simulator.engine.layers import replaced
from simulator.engine.sweeps import sweep
from tests.simulator.test_sweeps import single, swept

# A sweep and as many single questions take a while each.
FEW = settings(max_examples=60, deadline=None)


def sound(layer, asked, path, values):
    """Return the values that the layer does not refuse."""
    found = []
    for value in values:
        with suppress(InvalidParameters):
            layer.run(replaced(asked, path, Decimal(value)))
            found.append(Decimal(value))
    return found


FABRICS = st.fixed_dictionaries(
    {
        "gpus_per_node": st.sampled_from([1, 4, 8]),
        "switch_ports": st.sampled_from([2, 8, 24, 64, 128]),
        "breakout": st.sampled_from([1, 2]),
        "links_per_cable": st.sampled_from([1, 2]),
        "oversubscription": st.sampled_from([1, 1.5, 2, 7]),
        "is_rail_optimised": st.booleans(),
        "leaf_split": st.sampled_from(["all_ports", "all_ports", "fewest_switches"]),
        "planes": st.sampled_from([1, 2]),
    },
    optional={"spare_node_ports": st.integers(0, 4), "switch_usd": st.just(9_000), "cable_usd": st.just(300.5)},
)


@FEW
@given(FABRICS, st.lists(st.integers(1, 40) | st.integers(1, 9_000), min_size=3, max_size=12, unique=True))
def test_nodes_of_a_fabric_swept_equal_the_single_questions(fabric, nodes):
    """One, two and three tiers, spines that are more than the ports need, leaves that are full and that are not."""
    layer = LAYERS["fabric"]
    asked = read_layer(layer, {**fabric, "nodes": 1}).input
    axes = {"nodes": sound(layer, asked, "nodes", nodes)}

    assert swept(layer, asked, axes) == single(layer, asked, axes)


def test_fabrics_of_many_sizes_are_computed_together():
    """64 ports join up to 64 leaves of 32 nodes in two tiers: each of these points has leaves of its own."""
    asked = read_layer(LAYERS["fabric"], {"nodes": 1, "gpus_per_node": 1, "switch_ports": 64}).input
    values = [Decimal(n) for n in range(33, 1056, 33)]

    found = sweep(LAYERS["fabric"], asked, {"nodes": values})

    leaves = next(row for row in found.quantities if row.quantity == "leaf_switches_count")
    assert leaves.values == tuple(-(-int(n) // 32) for n in values)
    assert leaves.values[:3] == (2, 3, 4)
    assert found.exact_points_count == 0


KW = st.sampled_from([0, 5, 7.5, 10, 12.25, 20, 33.3, 40, 132.4, 140])
RACKS = st.lists(
    st.fixed_dictionaries(
        {"count": st.integers(1, 60)},
        optional={
            "nameplate_kw": KW,
            "liquid_fraction": st.sampled_from([0, 0.5, 0.87, 1]),
            "gpus_count": st.sampled_from([0, 8, 72]),
            "floor_load_kg_m2": st.sampled_from([900, 1000, 1890]),
        },
    ),
    min_size=1,
    max_size=6,
)
HALLS = st.fixed_dictionaries(
    {"rows": st.integers(1, 6), "row_positions": st.integers(1, 12)},
    optional={
        "rack_kw_max": st.sampled_from([20, 135]),
        "row_kw_max": st.sampled_from([50, 100, 133.2, 420, 1360]),
        "hall_kw_max": st.sampled_from([30, 500, 1000.5]),
        "air_kw_max": st.sampled_from([12, 100, 400]),
        "liquid_kw_max": st.sampled_from([65.25, 300]),
        "floor_kg_m2_max": st.just(1000),
        "air_transport_fraction": st.just(0.05),
        "liquid_transport_fraction": st.just(0.02),
        "distribution_loss_fraction": st.just(0.03),
    },
)


def hall(caps, racks):
    """Return the input of a hall whose racks are called r0, r1, …"""
    named = [{**rack, "name": f"r{n}"} for n, rack in enumerate(racks)]
    return read_layer(LAYERS["hall"], {**caps, "racks": named}).input


def decimals(values):
    return [Decimal(str(value)) for value in values]


COUNTS = st.lists(st.integers(1, 90) | st.integers(1, 1_000_000), min_size=3, max_size=20, unique=True)


@FEW
@given(HALLS, RACKS, st.data())
def test_racks_of_a_hall_swept_equal_the_single_questions(caps, racks, data):
    """Rows that are full, racks that no cap lets in, and racks whose power is unknown or nothing."""
    layer, asked = LAYERS["hall"], hall(caps, racks)
    path = f"racks[{data.draw(st.integers(0, len(racks) - 1))}].count"
    axes = {path: decimals(data.draw(COUNTS))}

    assert swept(layer, asked, axes) == single(layer, asked, axes)


@FEW
@given(HALLS, RACKS, st.data())
def test_racks_beside_another_number_swept_equal_the_single_questions(caps, racks, data):
    layer, asked = LAYERS["hall"], hall(caps, racks)
    others = {
        **{f"racks[{n}].count": [1, 7, 40] for n in range(1, len(racks))},
        **{name: [values, values + 0.5, values * 2] for name, values in caps.items() if name.endswith("kw_max")},
        **{f"racks[{n}].nameplate_kw": [1, 7.7, 10, 20] for n, rack in enumerate(racks) if rack.get("nameplate_kw")},
        **{f"racks[{n}].liquid_fraction": [0, 0.25, 0.9] for n, rack in enumerate(racks) if "liquid_fraction" in rack},
        "rows": [1, 2, 5],
        "row_positions": [1, 3, 12],
    }
    other = data.draw(st.sampled_from(sorted(others)))
    axes = {"racks[0].count": decimals(data.draw(COUNTS)[:6]), other: decimals(others[other])}

    assert swept(layer, asked, axes) == single(layer, asked, axes)


def test_racks_of_a_hall_are_computed_together():
    """Four rows of ten places with 100 kW each: ten racks of 10 kW fill one, and of 9 kW ten more, and leave 10 kW."""
    racks = [{"count": 1, "nameplate_kw": 10}, {"count": 21, "nameplate_kw": 9}, {"count": 1}]
    asked = hall({"rows": 4, "row_positions": 10, "row_kw_max": 100}, racks[:2])

    found = sweep(LAYERS["hall"], asked, {"racks[0].count": decimals(range(1, 101))})

    told = {row.quantity: row.values for row in found.quantities}
    assert told["racks_placed_count"] == tuple(min(n + 21, 40) for n in range(1, 101))
    assert told["it_kw"] == tuple(10 * min(n, 40) + 9 * min(21, max(40 - n, 0)) for n in range(1, 101))
    assert found.exact_points_count == 0
    assert [(each.code, each.points_count) for each in found.warnings if each.code == "racks_left"] == [
        ("racks_left", 81)
    ]


def test_a_warning_of_swept_racks_speaks_of_one_of_the_points():
    racks = [{"count": 1, "nameplate_kw": 10}, {"count": 5, "nameplate_kw": 9}]
    asked = hall({"rows": 1, "row_positions": 10}, racks)

    found = sweep(LAYERS["hall"], asked, {"racks[0].count": decimals([12, 13, 14, 15])})

    assert [(each.code, each.points_count, each.message) for each in found.warnings][:1] == [
        ("racks_left", 4, "No place for 2 of 12 r0, 5 of 5 r1: positions binds first.")
    ]

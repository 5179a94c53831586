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

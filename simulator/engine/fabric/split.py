"""How many ports of a leaf to leave unused: a few fewer may spread over far fewer spines."""

from __future__ import annotations

from decimal import Decimal

from simulator.engine.errors import InvalidParameters
from simulator.engine.fabric.tree import Ports, Tree, leaf_count, leaf_ports, tree

SPLITS = ("all_ports", "fewest_switches")


def split_of_all(
    endpoints: int, *, groups: int, radix: int, oversubscription: Decimal, unused: int
) -> tuple[Ports, Tree, int]:
    """Return the ports down and up of a leaf that leaves `unused` ones, the switches over them, and `unused`.

    Raises InvalidParameters where three tiers cannot join so many. Source: `leaf_ports`, `tree`.
    """
    ports = leaf_ports(radix, oversubscription, unused=unused)
    return ports, tree(leaf_count(endpoints, groups=groups, down=ports.down), ports=ports, radix=radix), unused


def fewest_switches(
    endpoints: int, *, groups: int, radix: int, oversubscription: Decimal, unused: int
) -> tuple[Ports, Tree, int]:
    """Return the split that needs the fewest switches in all, of such splits the one that leaves the fewest ports.

    Every spine must get the same number of links of a leaf, so 43 uplinks, a prime, ask for 43 spines or for one; with
    two ports unused they are 42, which 2, 3, 6, 7, 14 and 21 divide. Every count of unused ports is tried, from
    `unused` to an eighth of the ports beyond it (leaves that waste more are cheaper as smaller switches). Valid where
    one of these can be built. Raises InvalidParameters, as `tree` does for the first, where none can.
    Source: search; the rule of even spines is that of NVIDIA's DGX SuperPOD tables.
    """
    best: tuple[int, tuple[Ports, Tree, int]] | None = None
    refused: InvalidParameters | None = None
    for each in range(unused, max(unused, min(unused + radix // 8, radix - 2)) + 1):
        try:
            found = split_of_all(endpoints, groups=groups, radix=radix, oversubscription=oversubscription, unused=each)
        except InvalidParameters as error:
            refused = refused or error
            continue
        switches = found[1].leaves + found[1].spines + found[1].cores
        if best is None or switches < best[0]:
            best = switches, found
    if best is None:
        assert refused is not None  # The range is never empty.
        raise refused
    return best[1]

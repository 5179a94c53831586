"""Racks into rows, counted by hand: what is placed, in how many rows, and which cap is named."""

from decimal import Decimal

import pytest

from simulator.engine.hall.filling import Caps, Group, fill, racks_per_row


def group(name, count, kw, **heat):
    """Return like racks whose heat goes to the air, unless it is said."""
    kw = Decimal(str(kw))
    return Group(name, count, kw, **{"air_kw": kw, "liquid_kw": Decimal(0), **heat})


@pytest.mark.parametrize(
    ("groups", "caps", "placed", "rows_used", "binding"),
    [
        # 13 of 40 places are taken, ten of a row and three of the next: 27 are left, and one of 28 stays out.
        pytest.param(
            [group("a", 13, 10), group("b", 28, 5)], {}, {"a": 13, "b": 27}, 4, "positions", id="places that are left"
        ),
        pytest.param([group("a", 13, 10), group("b", 27, 5)], {}, {"a": 13, "b": 27}, 4, None, id="all"),
        # One begins a second row, and leaves nine of its places.
        pytest.param(
            [group("a", 11, 10), group("b", 30, 5)], {}, {"a": 11, "b": 29}, 4, "positions", id="one of a row"
        ),
        pytest.param([group("a", 9, 1, floor_kg_m2=Decimal(9000))], {}, {"a": 9}, 1, None, id="any floor"),
        # Seven more end the second row, and the next one begins a third.
        pytest.param([group("a", 13, 10), group("b", 7, 5)], {}, {"a": 13, "b": 7}, 2, None, id="rows that are full"),
        pytest.param([group("a", 13, 10), group("b", 8, 5)], {}, {"a": 13, "b": 8}, 3, None, id="a row more"),
        # 60 of 100 kW are taken in one row: it lets one of 30 kW in, and each of the others three.
        pytest.param(
            [group("a", 1, 60), group("b", 11, 30)],
            {"row_kw": Decimal(100)},
            {"a": 1, "b": 10},
            4,
            "row_kw_max",
            id="power of rows that is left",
        ),
        # Power and places end together: places are named.
        pytest.param([group("a", 41, 10)], {"row_kw": Decimal(100)}, {"a": 40}, 4, "positions", id="both of a row"),
        pytest.param(
            [group("a", 9, "0.5")], {"row_kw": Decimal(1)}, {"a": 8}, 4, "row_kw_max", id="half a kW of a row"
        ),
        pytest.param(
            [group("a", 9, "0.5")], {"hall_kw": Decimal(2)}, {"a": 4}, 1, "hall_kw_max", id="half a kW of a hall"
        ),
        # 50 kW of power and of cooling end together: power is named.
        pytest.param(
            [group("a", 9, 10)],
            {"hall_kw": Decimal(50), "air_kw": Decimal(50)},
            {"a": 5},
            1,
            "hall_kw_max",
            id="both of a hall",
        ),
        # The cap that kept out the first that found no place is named, whatever keeps out those after it.
        pytest.param(
            [group("a", 3, 50), group("b", 5, 10)],
            {"rack_kw": Decimal(40), "hall_kw": Decimal(20)},
            {"a": 0, "b": 2},
            1,
            "rack_kw_max",
            id="the first that binds",
        ),
        pytest.param(
            [group("a", 5, 10), group("b", 3, 5, floor_kg_m2=Decimal(1001))],
            {"hall_kw": Decimal(20), "floor_kg_m2": Decimal(1000)},
            {"a": 2, "b": 0},
            1,
            "hall_kw_max",
            id="power before the floor",
        ),
        # Of just the caps, and of an unknown load of the floor, they stand.
        pytest.param(
            [group("a", 2, 40, floor_kg_m2=Decimal(1000)), group("b", 2, 40)],
            {"rack_kw": Decimal(40), "floor_kg_m2": Decimal(1000)},
            {"a": 2, "b": 2},
            1,
            None,
            id="just the caps",
        ),
        # Full rows stay full for all who come after.
        pytest.param(
            [group("a", 40, 9), group("b", 1, 8), group("c", 1, 7), group("d", 1, 6)],
            {},
            {"a": 40, "b": 0, "c": 0, "d": 0},
            4,
            "positions",
            id="full rows",
        ),
        # Of 100 kW two of 30 leave 40; heat that liquid takes is not held by what the air takes.
        pytest.param(
            [
                group("a", 2, 30, air_kw=Decimal(0), liquid_kw=Decimal(30)),
                group("b", 5, 10, air_kw=Decimal(4), liquid_kw=Decimal(6)),
            ],
            {"hall_kw": Decimal(100), "air_kw": Decimal(12), "liquid_kw": Decimal(80)},
            {"a": 2, "b": 3},
            1,
            "air_kw_max",
            id="heat by where it goes",
        ),
    ],
)
def test_four_rows_of_ten_places_take_what_their_caps_allow(groups, caps, placed, rows_used, binding):
    for order in (groups, groups[::-1]):
        filled = fill(order, Caps(4, 10, **caps))

        assert (filled.placed, filled.rows_used, filled.binding) == (placed, rows_used, binding)


def test_a_row_at_full_power_takes_a_part_of_a_rack_more():
    """1,360 kW are 8 and a half of 160 kW; where power is no cap, or is plenty, places are."""
    assert racks_per_row(Decimal(160), row_kw=Decimal(1360), row_positions=12) == Decimal("8.5")
    assert racks_per_row(Decimal(160), row_kw=Decimal(1360), row_positions=8) == 8
    assert racks_per_row(Decimal(160), row_kw=None, row_positions=12) == 12

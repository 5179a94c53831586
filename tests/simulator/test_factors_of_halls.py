"""Halls, computed by hand, on both sides of where an answer turns."""

import pytest

from simulator.engine import LAYERS, read_layer
from tests.simulator.test_layers import codes, problems, report


def hall(*racks, **given):
    """Return the report of a hall of one row of ten places, unless it is said."""
    return report("hall", {"racks": list(racks), "rows": 1, "row_positions": 10, "server_fan_fraction": 0.1, **given})


WET = {"name": "wet", "count": 4, "nameplate_kw": 100, "liquid_fraction": 0.75, "gpus_count": 72}
PLANT = {"air_transport_fraction": 0.1, "liquid_transport_fraction": 0.05, "distribution_loss_fraction": 0.08}


@pytest.mark.parametrize(
    ("given", "cooling_kw"),
    [
        # 100 kW to the air and 300 to liquid: fans of 10 kW, pumps of 15. All of 425 kW through compressors of COP 5
        # are 85 kW, half of it 42.5.
        ({}, 110),
        ({"water": "warm"}, 25),
        ({"mechanical_fraction": 0.5}, 67.5),
        ({"water": "warm", "mechanical_fraction": 0.5}, 67.5),
        ({"mechanical_fraction": 0}, 25),
    ],
)
def test_compressors_take_their_part_of_the_heat(given, cooling_kw):
    told = hall(WET, chiller_cop=5, **PLANT, **given)

    assert (told["it_kw"], told["air_kw"], told["liquid_kw"], told["hall_gpus_count"]) == (400, 100, 300, 288)
    assert (told["cooling_kw"], told["heat_rejected_kw"]) == (cooling_kw, 400 + cooling_kw)
    assert (told["loss_kw"], told["facility_load_kw"]) == (32, 432 + cooling_kw)
    assert told["pue"] == pytest.approx((432 + cooling_kw) / 400, abs=1e-9)
    assert told["pue_fans_as_cooling"] == pytest.approx((432 + cooling_kw) / 360, rel=1e-5)
    assert told["wue_l_per_kwh"] is None
    assert codes(told) == []


@pytest.mark.parametrize(("evaporative_fraction", "cycles", "water"), [(1, 3, 2.34281), (0.5, 5, 0.976172), (0, 5, 0)])
def test_water_evaporates_for_a_part_of_the_heat(evaporative_fraction, cycles, water):
    """425 kW of 400 kW of IT: 1.47 · (1 + 1 / 2) · 1.0625 l, and half of 1.47 · (1 + 1 / 4) · 1.0625."""
    told = hall(WET, water="warm", evaporative_fraction=evaporative_fraction, cycles_of_concentration=cycles, **PLANT)

    assert told["wue_l_per_kwh"] == water


def test_what_is_not_given_of_a_plant_is_unknown():
    told = hall(WET, evaporative_fraction=1)

    assert [told[name] for name in ("cooling_kw", "heat_rejected_kw", "loss_kw", "facility_load_kw", "pue")] == 5 * [
        None
    ]
    assert told["wue_l_per_kwh"] is None
    assert (told["unknown"], told["at_least"]) == ([], None)


def test_the_air_of_a_hall_carries_what_liquid_does_not():
    """At sea level and 25 °C air weighs 1.184 kg/m³: 100 kW / (1.184 · 1005 · 12 K) are 7.003 m³/s."""
    assert hall(WET)["hall_airflow_m3_h"] == pytest.approx(100_000 / (1.184 * 1005 * 12) * 3600, rel=1e-3)
    assert hall(WET, air_rise_k=24)["hall_airflow_m3_h"] == pytest.approx(hall(WET)["hall_airflow_m3_h"] / 2, rel=1e-5)


def test_a_hall_that_takes_no_power_has_no_pue():
    told = hall({"name": "panel", "count": 2, "nameplate_kw": 0}, evaporative_fraction=1, **PLANT)

    assert (told["it_kw"], told["cooling_kw"], told["pue"], told["wue_l_per_kwh"]) == (0, 0, None, None)
    assert told["full_power_racks_per_row"] is None
    # No cap of power keeps them out, however low.
    told = hall({"name": "panel", "count": 2, "nameplate_kw": 0}, hall_kw_max=1, rack_kw_max=0.5, **PLANT)
    assert (told["racks_placed_count"], codes(told)) == (2, [])


def test_racks_of_half_a_kilowatt_fill_a_row():
    told = hall({"name": "small", "count": 2, "nameplate_kw": 0.5}, row_kw_max=4)

    assert (told["full_power_racks_per_row"], told["it_kw"]) == (8, 1)


def test_racks_of_unknown_power_or_accelerators_are_told_beside_what_is_known():
    dark = {"name": "dark", "count": 3}
    plain = {"name": "plain", "count": 2, "nameplate_kw": 10}

    told = hall(WET, dark, plain, **PLANT)

    counts = ("racks_asked_count", "racks_placed_count", "racks_left_count", "positions_empty_count")
    assert [told[name] for name in counts] == [9, None, None, None]
    assert (told["unknown"], told["at_least"]) == (["dark", "plain"], {"it_kw": 420, "hall_gpus_count": 288})
    assert (told["air_kw"], told["liquid_kw"], told["hall_airflow_m3_h"], told["pue"]) == (None, None, None, None)
    assert {each["name"]: each["placed_count"] for each in told["placed"]} == {"wet": 4, "dark": 0, "plain": 2}
    assert codes(told) == ["rack_power_unknown"]
    told = hall(dark)
    assert (told["full_power_racks_per_row"], told["at_least"]) == (None, {"it_kw": None, "hall_gpus_count": None})
    # Only the accelerators are unknown of these.
    told = hall(WET, plain)
    assert (told["it_kw"], told["hall_gpus_count"]) == (420, None)
    assert (told["unknown"], told["at_least"]) == (["plain"], {"it_kw": None, "hall_gpus_count": 288})
    assert [told[name] for name in counts] == [6, 6, 0, 4]


@pytest.mark.parametrize(
    ("given", "warned"),
    [
        ({"row_positions": 4}, []),
        ({"row_positions": 3}, ["racks_left"]),
        ({"row_kw_max": 400}, []),
        ({"row_kw_max": 399}, ["racks_left", "positions_stranded"]),
        ({"rack_kw_max": 100}, []),
        ({"rack_kw_max": 99}, ["racks_left", "rack_over_cap", "positions_stranded"]),
    ],
)
def test_what_is_said_of_a_hall_turns_at_its_caps(given, warned):
    assert codes(hall(WET, **PLANT, **given)) == warned


def test_fans_that_are_not_given_are_said_so():
    assert codes(report("hall", {"racks": [WET], "rows": 1, "row_positions": 4})) == ["fans_unknown", "little_given"]


def test_a_hall_has_at_most_fifty_kinds_of_racks():
    kinds = [{"name": f"kind {n}", "count": 1, "nameplate_kw": 1} for n in range(51)]
    fifty = {"racks": kinds[:50], "rows": 10, "row_positions": 10}

    assert report("hall", fifty)["racks_placed_count"] == 50
    assert problems("hall", fifty | {"racks": kinds}) == [("racks", "too_many")]


def test_a_range_of_a_rack_may_end_where_the_last_finds_its_place():
    def asked(high):
        rack = {"name": "r", "count": 10, "nameplate_kw": {"low": 30, "typical": 35, "high": high}}
        return {"racks": [rack], "rows": 1, "row_positions": 10, "row_kw_max": 400}

    ranges = {each["quantity"]: (each["low"], each["high"]) for each in report("hall", asked(40))["ranges"]}
    # 400 / 30 racks are more than ten places, at 40 kW they are just ten.
    assert ranges["it_kw"] == (300, 400)
    assert problems("hall", asked(40.1)) == [("racks[0].nameplate_kw", "range_not_allowed")]


def test_two_kinds_under_a_cap_of_rows_have_no_range_even_where_all_find_a_place():
    racks = [
        {"name": "r", "count": 2, "nameplate_kw": {"low": 30, "typical": 35, "high": 40}},
        {"name": "s", "count": 2, "nameplate_kw": 10},
    ]
    hall = {"racks": racks, "rows": 1, "row_positions": 10}

    assert problems("hall", hall | {"row_kw_max": 1000}) == [("racks[0].nameplate_kw", "range_not_allowed")]
    assert report("hall", hall | {"hall_kw_max": 1000})["racks_left_count"] == 0


def test_a_range_of_counts_reaches_beyond_the_last_place_and_each_count_is_computed():
    """Racks of 300 kW, then of 200: 1,000 kW of a hall hold 1 and 3, 2 and 2, or 3 and none of them."""
    big = {"name": "big", "count": {"low": 1, "typical": 2, "high": 9}, "nameplate_kw": 300}
    small = {"name": "small", "count": 5, "nameplate_kw": 200}
    hall = {"racks": [big, small], "rows": 1, "row_positions": 20, "hall_kw_max": 1000}

    told = report("hall", hall)

    ranges = {each["quantity"]: (each["low"], each["typical"], each["high"]) for each in told["ranges"]}
    assert [report("hall", hall | {"racks": [big | {"count": n}, small]})["it_kw"] for n in range(1, 5)] == [
        900,
        1000,
        900,
        900,
    ]
    assert ranges["it_kw"] == (900, 1000, 1000)
    assert ranges["racks_left_count"] == (2, 3, 11)


def test_a_range_of_rows_fills_each_number_of_them():
    kinds = [{"name": "a", "count": 6, "nameplate_kw": 70}, {"name": "b", "count": 9, "nameplate_kw": 40}]
    hall = {"racks": kinds, "row_positions": 4, "row_kw_max": 150}

    told = report("hall", hall | {"rows": {"low": 1, "typical": 3, "high": 6}})

    alone = [report("hall", hall | {"rows": rows}) for rows in range(1, 7)]
    for quantity in ("it_kw", "racks_placed_count", "positions_empty_count"):
        (found,) = (each for each in told["ranges"] if each["quantity"] == quantity)
        assert (found["low"], found["high"]) == (
            min(each[quantity] for each in alone),
            max(each[quantity] for each in alone),
        )


def test_a_range_of_counts_too_wide_to_compute_each_is_refused_where_some_find_no_place():
    def hall_of_up_to(most):
        rack = {"name": "r", "count": {"low": 1, "typical": 10, "high": most}, "nameplate_kw": 1}
        return {"racks": [rack], "rows": 1, "row_positions": 1000}

    assert problems("hall", hall_of_up_to(1601)) == [("racks[0].count", "range_not_allowed")]
    assert report("hall", hall_of_up_to(1602) | {"rows": 2})["racks_left_count"] == 0
    widest = read_layer(LAYERS["hall"], hall_of_up_to(1600))
    [counts] = LAYERS["hall"].turns(widest.input, widest.spans).values()
    assert {*counts, 1600} == {*range(1, 1601)}


def test_a_number_beside_a_count_has_no_range_where_some_find_no_place():
    rack = {
        "name": "r",
        "count": {"low": 1, "typical": 4, "high": 12},
        "nameplate_kw": {"low": 1, "typical": 1, "high": 2},
    }

    assert problems("hall", {"racks": [rack], "rows": 1, "row_positions": 10}) == [
        ("racks[0].nameplate_kw", "range_not_allowed")
    ]

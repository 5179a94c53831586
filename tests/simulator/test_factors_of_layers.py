"""Single factors of layers, computed by hand: what a whole report would hide behind other numbers."""

from decimal import Decimal

import pytest

from simulator.engine import LAYERS, InvalidParameters, Rack, read_layer
from simulator.engine.campus.energy import (
    average_power_gw,
    capacity_factor,
    demand_cost_usd,
    energy_kwh,
    growth_fraction,
    pue_with_fans,
)
from simulator.engine.compute import (
    efficiency_gflops_per_w,
    model_flops_utilisation,
    parallel_gpus,
    power_of_efficiency_kw,
    training_eflop,
    training_gpu_hours,
    utilised_power_w,
)
from simulator.engine.cooling import RULE_OF_THUMB
from simulator.engine.fabric.links import scale_up_domain_tb_s, scale_up_pair_gb_s, scale_up_per_gpu_tb_s
from simulator.engine.layers import Span
from tests.simulator.builders import make_device, report_of
from tests.simulator.test_layers import LADDER, report


def message_of(told, code):
    return next(each.message for each in told.warnings if each.code == code)


def test_each_rung_of_a_ladder_adds_to_the_one_below():
    """8 · 700 W = 5.6 kW of chips in nodes of 10.2; 4 of them and 1.2 kW are a rack of 42; 3 racks and 6.3 kW are
    132.3; · 1.2 = 158.76; / 0.9 = 176.4."""
    told = report(
        "ladder",
        LADDER | {"racks": 3, "rack_other_kw": 1.2, "hall_other_kw": 6.3, "pue": 1.2, "chain_efficiency_fraction": 0.9},
    )

    rungs = {each["rung"]: (each["count"], each["total_kw"], each["added_fraction"]) for each in told["rungs"]}
    assert rungs == {
        "chip": (96, 67.2, None),
        "node": (12, 122.4, 0.821429),  # 122.4 / 67.2 − 1
        "rack": (3, 126, 0.0294118),  # 126 / 122.4 − 1
        "hall": (1, 132.3, 0.05),  # 132.3 / 126 − 1
        "campus": (1, 158.76, 0.2),
        "grid": (1, 176.4, 0.111111),  # 1 / 0.9 − 1
    }
    assert {each["rung"]: each["kw_per_chip"] for each in told["rungs"]}["grid"] == 1.8375  # 176.4 / 96
    assert told["grid_over_chips"] == 2.625  # 176.4 / 67.2


def test_a_rack_that_is_too_heavy_says_whether_that_is_all():
    known, unknown = make_device("heavy", weight_kg=1400), make_device("unknown", weight_kg=None)
    rack = Rack(max_kg=Decimal(1360), tare_kg=Decimal(0), footprint_m2=Decimal(2), floor_max_kg_m2=Decimal(600))

    whole, part = report_of((known, 1), rack=rack), report_of((known, 1), (unknown, 1), rack=rack)

    assert message_of(whole, "over_weight") == "It weighs 1,400.0 kg; the rack carries 1,360.0 kg in all."
    assert message_of(part, "over_weight") == "It weighs at least 1,400.0 kg; the rack carries 1,360.0 kg in all."
    floor = "It puts {}700.0 kg/m² on the floor, which carries 600.0 kg/m²."
    assert message_of(whole, "over_floor") == floor.format("")
    assert message_of(part, "over_floor") == floor.format("at least ")


def test_a_weight_and_a_floor_load_that_are_just_allowed_are_not_warned_of():
    rack = Rack(max_kg=Decimal(1400), tare_kg=Decimal(0), footprint_m2=Decimal(2), floor_max_kg_m2=Decimal(700))

    told = report_of((make_device("heavy", weight_kg=1400), 1), rack=rack)

    assert not {each.code for each in told.warnings} & {"over_weight", "over_floor"}


@pytest.mark.parametrize(
    ("is_rail_optimised", "ends"),
    [
        # 64 ports without oversubscription are 32 down; with rails that is each 32 nodes.
        (True, [64, 65, 96, 97]),
        # Without, 8 links a node: a leaf holds 4 nodes, and 64 to 99 nodes cross its ends from 16 · 4 to 24 · 4.
        (False, [end for leaf in range(16, 25) for end in (4 * leaf, 4 * leaf + 1)]),
    ],
)
def test_the_price_of_a_fabric_turns_where_a_leaf_is_full_and_at_the_next_node(is_rail_optimised, ends):
    data = {
        "nodes": 70,
        "is_rail_optimised": is_rail_optimised,
        "efficiency_fraction": 0.9,
        "switch_usd": 100_000,
        "cable_usd": 1000,
    }
    given = read_layer(LAYERS["fabric"], data).input

    found = LAYERS["fabric"].turns(given, {"nodes": Span(Decimal(64), Decimal(70), Decimal(99))})
    assert found == {"oversubscription": [], "nodes": ends}
    assert LAYERS["fabric"].turns(given, {}) == {"oversubscription": []}


@pytest.mark.parametrize(
    ("nodes", "said"),
    [
        # 64 ports are 32 down and 32 up. 512 accelerators are 16 leaves and 512 uplinks: 8 spines, 4 links to each.
        (64, None),
        # 24 leaves and 768 uplinks are 12 spines, but 32 uplinks go evenly to 16.
        (
            96,
            "16 spines a plane where the ports of 12 would do: each leaf must give every spine the same number of its "
            "32 uplinks.",
        ),
        (
            160,
            "32 spines a plane where the ports of 20 would do: each leaf must give every spine the same number of "
            "its 32 uplinks.",
        ),
    ],
)
def test_spines_that_are_more_than_their_ports_ask_for_are_warned_of(nodes, said):
    told = {each["code"]: each["message"] for each in report("fabric", {"nodes": nodes})["warnings"]}

    assert told.get("uneven_spines") == said


def test_energy_is_of_full_load_and_of_a_year_of_365_days_unless_told():
    """10 kW for 100 h are 1,000 kWh, at half load 500; 87.6 TWh a year are 10 GW."""
    assert energy_kwh(Decimal(10), Decimal(100)) == 1000
    assert energy_kwh(Decimal(10), Decimal(100), Decimal("0.5")) == 500
    assert average_power_gw(Decimal("87.6")) == 10


def test_demand_is_paid_for_each_month_of_a_year():
    """100 kW at 15 USD are 1,500 a month: 18,000 a year, 4,500 a quarter."""
    assert demand_cost_usd(Decimal(100), Decimal(15)) == 18000
    assert demand_cost_usd(Decimal(100), Decimal(15), months=3) == 4500


def test_growth_and_shares_of_energy():
    """From 100 to 121 in two years is a tenth a year; 30 of 40 MW on average are 0.75; 1.2 / (1 − 0.2) is 1.5."""
    assert round(growth_fraction(Decimal(100), Decimal(121), Decimal(2)), 20) == Decimal("0.1")
    assert capacity_factor(Decimal(30), Decimal(40)) == Decimal("0.75")
    assert pue_with_fans(Decimal("1.2"), Decimal("0.2")) == Decimal("1.5")


def hall(**given):
    racks = [{"name": "hot", "count": 2, "nameplate_kw": 40}]
    return report("hall", {"racks": racks, "rows": 1, "row_positions": 2, **given})


def codes(told):
    return {each["code"] for each in told["warnings"]}


def test_a_rack_of_just_its_cap_is_not_over_it_and_none_is_left():
    assert codes(hall(rack_kw_max=40)) & {"rack_over_cap", "racks_left", "positions_stranded"} == set()
    assert codes(hall(rack_kw_max=39.9)) >= {"rack_over_cap", "racks_left"}


def test_what_is_left_of_a_hall_is_told_with_what_binds():
    """Two racks of 40 kW where 79 kW may flow: one stands, and one of two places stays empty."""
    told = {each["code"]: each["message"] for each in hall(row_kw_max=79)["warnings"]}

    assert told["racks_left"] == "No place for 1 of 2 hot: row_kw_max binds first."
    assert told["positions_stranded"] == "1 positions stay empty, since row_kw_max ends first."


@pytest.mark.parametrize(("write_s", "warned"), [(7199, False), (7200, True)])
def test_a_write_of_twice_the_time_between_failures_makes_no_progress(write_s, warned):
    """A job that fails each hour has 3,600 s between failures, twice that is 7,200."""
    told = report("reliability", {"nodes": 1000, "job_mttf_h": 1, "write_s": write_s})

    assert ("no_progress" in codes(told)) is warned
    # Daly's interval is then none that a job could keep.
    assert (told["interval_s"] is None) is warned


def test_the_bands_of_the_rule_of_thumb_meet():
    """Air below 15 kW a rack, transition to 30, direct to chip to 60, immersion above."""
    assert RULE_OF_THUMB == (
        ("air", 0, 15),
        ("transition", 15, 30),
        ("direct_to_chip", 30, 60),
        ("immersion", 60, None),
    )


def test_a_span_may_stand_still_but_not_fall():
    one, two = Decimal(1), Decimal(2)

    assert [Span(one, one, two).typical, Span(one, two, two).typical, Span(one, one, one).typical] == [1, 2, 1]
    for low, typical, high in ((two, one, two), (one, two, one)):
        with pytest.raises(InvalidParameters, match="give them in rising order"):
            Span(low, typical, high)


def trace_of(told, quantity):
    return {each.name: each.value for entry in told.trace if entry.quantity == quantity for each in entry.inputs}


def test_heat_to_air_is_told_with_the_liquid_heat_that_is_known():
    """0.75 of 40 kW go to liquid: 30; beside a rack that does not say, at least those 30."""
    plated = make_device("plated", power_nameplate_w=40_000, heat_to_liquid_fraction="0.75")
    unsaid = make_device("unsaid", power_nameplate_w=1000, heat_to_liquid_fraction=None, has_cold_plates=None)

    known, part = report_of((plated, 1)), report_of((plated, 1), (unsaid, 1))

    assert trace_of(known, "air_heat_kw") == {"density_kw": 40, "liquid_heat_kw": 30}
    assert trace_of(part, "air_heat_kw")["liquid_heat_kw"] == 30
    shares = {entry.quantity: entry.value for entry in known.trace if entry.quantity.endswith("_fraction")}
    assert (shares["liquid_fraction"], shares["air_fraction"]) == (Decimal("0.75"), Decimal("0.25"))
    # While the liquid is unknown, what counts as air is an upper bound and no share.
    assert not {entry.quantity for entry in part.trace} & {"liquid_fraction", "air_fraction"}


@pytest.mark.parametrize(
    ("curve", "watts"), [("linear", 200), ("square", 150), ("cubic", 125), ("sqrt", 241), ("mse", 250)]
)
def test_power_at_half_of_use(curve, watts):
    """From 100 to 300 W at u = 0.5: u = 0.5, u² = 0.25, u³ = 0.125, √u = 0.707, and 2u − u² = 0.75 with r = 2."""
    found = utilised_power_w(Decimal(100), Decimal(300), Decimal("0.5"), curve, r=Decimal(2), a=Decimal("0.3"))

    assert round(found) == watts


def test_rates_of_a_supercomputer():
    """1,000 PFlop/s at 50 GFlop/s/W: 10⁹ / 50 GW·10⁻⁹ = 20,000 kW, and back; 400 of 1,000 TFlop/s are 0.4."""
    assert power_of_efficiency_kw(Decimal(1000), Decimal(50)) == 20_000
    assert efficiency_gflops_per_w(Decimal(1000), Decimal(20_000)) == 50
    assert model_flops_utilisation(Decimal(400), Decimal(1000)) == Decimal("0.4")
    assert parallel_gpus(Decimal(8), Decimal(4), Decimal(3)) == 96


def test_a_training_takes_six_operations_a_parameter_and_token():
    """6 · 2 · 3 · 10¹⁸ at 0.01 · 10¹² a second are 3.6 · 10⁹ s: a million hours."""
    assert training_eflop(Decimal(2), Decimal(3)) == 36
    assert training_gpu_hours(Decimal(36), Decimal("0.01")) == 1_000_000


def test_a_pair_of_a_domain_shares_links_unless_it_is_switched():
    """18 links of 100 GB/s both ways are 1.8 TB/s, 900 GB/s one way; in a mesh of ten each pair has a ninth of it."""
    assert scale_up_per_gpu_tb_s(18, Decimal(100)) == Decimal("1.8")
    assert scale_up_domain_tb_s(72, 18, Decimal(100)) == Decimal("129.6")
    assert scale_up_pair_gb_s(10, 18, Decimal(100)) == 900
    assert scale_up_pair_gb_s(10, 18, Decimal(100), is_switched=False) == 100  # 900 / 9

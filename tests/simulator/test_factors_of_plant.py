"""Formulas beside the layers that use them, by hand: fans, pumps, plates, units of coolant, floors, faults, ratios."""

from dataclasses import replace
from decimal import Decimal

import pytest

from simulator.engine import LAYERS, InvalidParameters, read_layer
from simulator.engine.air import dew_point_c, fan_power_fraction, fan_pressure_fraction, warming_k_per_min
from simulator.engine.campus.carbon import usage_g_per_kwh
from simulator.engine.campus.energy import pue_of_parts, reuse_effectiveness, source_wue_l_per_kwh
from simulator.engine.climate import air_class, coolant_class_max_c, water_class_max_c
from simulator.engine.cold_plate import chip_on_plate_c, coolant_max_c, plate_resistance_k_w
from simulator.engine.compute import achieved_tflops, utilised_power_w
from simulator.engine.cooling import CoolingLimits
from simulator.engine.electrical import full_load_a, least_breaker_a, reactive_kvar, short_circuit_a
from simulator.engine.hall.cdu import cdus_needed, coolant_supply_c, racks_per_cdu
from simulator.engine.hall.plant import blow_down, pump_power_kw, tank_lasts_s
from simulator.engine.numbers import precise
from simulator.engine.reliability.availability import (
    TIER_AVAILABILITY,
    availability_fraction,
    downtime_h,
    failures_of_parts,
    mtbf_of_fit_h,
    survival_fraction,
)
from simulator.engine.reliability.failures import daly_interval_s
from simulator.engine.supply.backup import full_load_after_s, units_installed
from simulator.engine.throttle import throttle_airflow
from simulator.engine.weight import floor_area_m2, floor_load_kn_m2
from tests.simulator.builders import make_device, report_of
from tests.simulator.test_layers import THROTTLE, codes, problems, report


def d(value):
    return Decimal(str(value))


def test_fans_follow_the_cube_and_the_square_of_their_flow():
    assert [fan_power_fraction(d(each)) for each in ("0.8", 0, 2)] == [d("0.512"), 0, 8]
    assert [fan_pressure_fraction(d(each)) for each in ("0.8", 0, 2)] == [d("0.64"), 0, 4]
    for law in (fan_power_fraction, fan_pressure_fraction):
        with pytest.raises(InvalidParameters, match=r"flow_fraction is 2\.1; it must be at least 0 and at most 2"):
            law(d("2.1"))


def test_a_pump_moves_2_m3_a_minute_against_150_kpa():
    """2,000 l/min are 1/30 m³/s: 5 kW of water, 8⅓ kW of power at 60 %."""
    assert round(pump_power_kw(d(2000), d(150), d("0.6")), 12) == round(d(25) / 3, 12)
    assert pump_power_kw(d(60_000), d(10_000), d(1)) == 10_000
    for given in ((d(-1), d(1), d(1)), (d(1), d(10_001), d(1)), (d(1), d(1), d("0.04"))):
        with pytest.raises(InvalidParameters):
            pump_power_kw(*given)


def test_a_tower_lets_a_quarter_go_at_five_cycles():
    assert (blow_down(d(100)), blow_down(d(100), d(3)), blow_down(d(0))) == (25, 50, 0)
    with pytest.raises(InvalidParameters, match="cycles is 1"):
        blow_down(d(1), d(1))


def test_a_chip_on_a_plate_is_as_warm_as_its_coolant_and_what_its_power_adds():
    """1,000 W · 0.03 K/W are 30 K over 45 °C; a limit of 83 °C then allows coolant of 53 °C and a plate of 0.038."""
    assert chip_on_plate_c(d(45), d(1000), d("0.03")) == 75
    assert coolant_max_c(d(83), d(1000), d("0.03")) == 53
    assert plate_resistance_k_w(d(83), d(45), d(1000)) == d("0.038")
    with pytest.raises(InvalidParameters, match="chip_c is 45; it must be more than 45"):
        plate_resistance_k_w(d(45), d(45), d(1000))
    for given in ((d(4), d(1), d(1)), (d(20), d(0), d(1)), (d(20), d(1), d(0))):
        with pytest.raises(InvalidParameters):
            chip_on_plate_c(*given)
    with pytest.raises(InvalidParameters, match="limit_c is 19"):
        coolant_max_c(d(19), d(1), d(1))


PLATE = {"chip_w": 1000, "resistance_k_w": 0.03, "coolant_c": 45}


def test_the_throttle_layer_takes_a_chip_on_a_plate():
    told = report("throttle", PLATE)

    assert (told["chip_c"], told["chip_margin_k"], told["throttles"]) == (75, 8, False)
    # 38 K of 0.03 K/W are 1,266.67 W.
    assert (told["throttle_coolant_c"], told["throttle_power_w"]) == (53, 1266.67)
    assert [told[name] for name in ("throttle_inlet_c", "throttle_airflow_m3_h", "throttle_fan_power_fraction")] == [
        None,
        None,
        None,
    ]
    assert codes(told) == ["limit_is_of_the_trade"]
    inputs = {each["quantity"]: {one["name"]: one["value"] for one in each["inputs"]} for each in told["trace"]}
    assert inputs["chip_c"] == PLATE
    assert inputs["throttle_coolant_c"] == inputs["throttle_power_w"] == {**PLATE, "limit_c": 83}


def test_a_plate_that_is_too_warm_throttles():
    told = report("throttle", PLATE | {"coolant_c": 60, "limit_c": 80})

    assert (told["chip_c"], told["throttles"], told["throttle_power_w"]) == (90, True, 666.667)
    assert [each["message"] for each in told["warnings"]] == ["It would reach 90.0 °C; its limit is 80 °C."]
    assert report("throttle", PLATE | {"coolant_c": 53})["throttles"] is False
    assert report("throttle", PLATE | {"coolant_c": 60, "limit_c": 50})["throttle_power_w"] == 0


def test_a_chip_is_in_air_or_on_a_plate():
    assert problems("throttle", {"chip_w": 700, "resistance_k_w": 0.06}) == [
        ("rated_airflow_m3_h", "required"),
        ("airflow_m3_h", "required"),
    ]
    both = THROTTLE | {"coolant_c": 40, "upstream_w": 5}
    assert problems("throttle", both) == [
        ("rated_airflow_m3_h", "conflict"),
        ("airflow_m3_h", "conflict"),
        ("upstream_w", "conflict"),
    ]


def test_fans_that_may_slow_down_take_the_cube_of_it():
    """At the least flow, a chip is at its limit: what the fans then take of what they take now."""
    told = report("throttle", THROTTLE)
    share = told["throttle_airflow_m3_h"] / THROTTLE["airflow_m3_h"]
    assert told["throttle_fan_power_fraction"] == pytest.approx(share**3, rel=1e-5)
    assert told["throttle_coolant_c"] is None
    # A fan that would have to run more than twice as fast is another fan.
    small = THROTTLE | {"airflow_m3_h": told["throttle_airflow_m3_h"] / 2.01}
    assert report("throttle", small)["throttle_fan_power_fraction"] is None
    small = THROTTLE | {"airflow_m3_h": told["throttle_airflow_m3_h"] / 1.99}
    assert report("throttle", small)["throttle_fan_power_fraction"] == pytest.approx(1.99**3, rel=1e-4)
    given = read_layer(LAYERS["throttle"], THROTTLE).input
    with precise():
        least = throttle_airflow(given)
        half = replace(given, airflow_m3_h=least / 2)
        assert half.airflow_m3_h * 2 == least
    assert LAYERS["throttle"].run(half).throttle_fan_power_fraction == 8


def test_racks_of_a_unit_and_units_of_a_hall():
    assert (racks_per_cdu(d(1300), d(115)), racks_per_cdu(d(1150), d(115)), racks_per_cdu(d(100), d(115))) == (
        11,
        10,
        0,
    )
    assert (cdus_needed(d(7360), d(1300)), cdus_needed(d(2600), d(1300)), cdus_needed(d(0), d(1300))) == (6, 2, 0)
    assert coolant_supply_c(d(32), d(4)) == 36
    for refused in (
        lambda: racks_per_cdu(d(0), d(1)),
        lambda: racks_per_cdu(d(1), d(0)),
        lambda: cdus_needed(d(1), d(0)),
        lambda: coolant_supply_c(d(81), d(1)),
        lambda: coolant_supply_c(d(1), d(31)),
    ):
        with pytest.raises(InvalidParameters):
            refused()


HALL = {
    "racks": [
        {"name": "compute", "count": 20, "nameplate_kw": 132, "liquid_fraction": 0.85},
        {"name": "store", "count": 10, "nameplate_kw": 200, "liquid_fraction": 0.1},
    ],
    "rows": 3,
    "row_positions": 10,
}


def test_a_hall_tells_the_units_that_its_liquid_heat_takes():
    """20 racks of 112.2 kW and 10 of 20 are 2,444 kW: three units of 1,000, of which each takes 8 of the first."""
    told = report("hall", HALL | {"cdu_kw": 1000, "cdu_redundancy": "n+1"})
    names = ("cdus_needed_count", "cdus_installed_count", "racks_per_cdu_count")

    assert (told["liquid_kw"], [told[name] for name in names]) == (2444, [3, 4, 8])
    inputs = {each["quantity"]: {one["name"]: one["value"] for one in each["inputs"]} for each in told["trace"]}
    assert inputs["cdus_needed_count"] == {"liquid_kw": 2444, "cdu_kw": 1000}
    assert inputs["racks_per_cdu_count"] == {"cdu_kw": 1000, "rack_liquid_kw": 112.2}
    assert inputs["cdus_installed_count"] == {"cdus_needed_count": 3}
    assert [report("hall", HALL)[name] for name in names] == [None, None, None]
    dry = HALL | {"racks": [{"name": "air", "count": 1, "nameplate_kw": 10}], "cdu_kw": 1000}
    assert [report("hall", dry)[name] for name in names] == [0, 0, None]


def test_units_of_two_systems_of_n_plus_one():
    assert [units_installed(10, each) for each in ("n", "n+1", "n+2", "2n", "2(n+1)")] == [10, 11, 12, 20, 22]
    ups = {"modules": {"count": 22, "unit_kw": 250, "redundancy": "2(n+1)"}}
    (tier,) = report("supply", {"load_kw": 2500, "ups": ups})["tiers"]
    assert (tier["capacity_kw"], tier["ok"]) == (2500, True)


def test_generators_take_a_load_in_steps():
    assert (full_load_after_s(d(10), 4, d(5)), full_load_after_s(d(10), 1, d(5))) == (25, 10)
    for given in ((d(-1), 1, d(1)), (d(1), 0, d(1)), (d(1), 1, d(-1)), (d(1), 101, d(1))):
        with pytest.raises(InvalidParameters):
            full_load_after_s(*given)


def test_a_load_on_a_floor_in_kilonewtons():
    """1,890 kg/m² press with 18.53 kN/m²; on a floor of 12 kN/m², which is 1,223.66 kg/m², 1,360.8 kg take 1.112 m²."""
    assert floor_load_kn_m2(d(1890)) == d("18.5345685")
    assert floor_area_m2(d(1360), d(1000)) == d("1.36")
    with pytest.raises(InvalidParameters, match="floor_max_kg_m2 is 0"):
        floor_area_m2(d(1), d(0))


def test_breakers_and_faults():
    """NEC: 125 % of 48 A are 60 A. 2,500 kVA at 480 V are 3,007 A, and 52.3 kA into a fault behind 5.75 %."""
    assert (least_breaker_a(d(48)), least_breaker_a(d(48), d(1))) == (60, 48)
    assert round(full_load_a(d(2500), d(480)), 2) == d("3007.03")
    assert full_load_a(d(10), d(250), phases=1) == 40
    assert round(short_circuit_a(d(2500), d(480), d("0.0575")), 0) == 52296
    assert reactive_kvar(d(10), d(6)) == 8
    assert reactive_kvar(d(10), d(10)) == 0
    for refused in (
        lambda: least_breaker_a(d(-1)),
        lambda: least_breaker_a(d(1), d("0.04")),
        lambda: full_load_a(d(0), d(1)),
        lambda: full_load_a(d(1), d(1_000_001)),
        lambda: short_circuit_a(d(1), d(1), d("0.31")),
        lambda: short_circuit_a(d(1), d(1), d("0.004")),
        lambda: reactive_kvar(d(1), d("1.1")),
    ):
        with pytest.raises(InvalidParameters):
            refused()


def test_availability_and_the_failures_of_parts():
    assert availability_fraction(d(99), d(1)) == d("0.99")
    assert availability_fraction(d(99), d(0)) == 1
    assert downtime_h(d("0.99")) == d("87.6")
    assert downtime_h(d("0.5"), d(10)) == 5
    # The hours that the trade prints beside the tiers: 28.8, 22.7, 1.6 and 0.4.
    assert [round(downtime_h(each), 1) for each in TIER_AVAILABILITY.values()] == [
        d("28.8"),
        d("22.7"),
        d("1.6"),
        d("0.4"),
    ]
    assert list(TIER_AVAILABILITY) == ["I", "II", "III", "IV"]
    assert failures_of_parts(d(10_000), d(5_000_000)) == d("17.52")
    assert failures_of_parts(d(10), d(100), d(20)) == 2
    assert mtbf_of_fit_h(d(10_000)) == 100_000
    assert round(survival_fraction(d(10), d(20)), 10) == round(d(-2).exp(), 10)
    assert survival_fraction(d(10), d(0)) == 1


def test_ratios_of_a_facility():
    assert pue_of_parts(d(1000), d(250), d(80), d(10)) == d("1.34")
    assert pue_of_parts(d(1000)) == 1
    assert source_wue_l_per_kwh(d("0.2"), d("1.8"), d("1.2")) == d("2.36")
    assert reuse_effectiveness(d(1200), d(200), d(1000)) == 1
    assert usage_g_per_kwh(d("1.2"), d(400)) == 480
    for refused in (
        lambda: pue_of_parts(d(0), d(1)),
        lambda: pue_of_parts(d(1), d(-1)),
        lambda: source_wue_l_per_kwh(d(1), d(1), d("0.9")),
        lambda: reuse_effectiveness(d(0), d(0), d(1)),
        lambda: usage_g_per_kwh(d("0.9"), d(1)),
    ):
        with pytest.raises(InvalidParameters):
            refused()
    campus = {"it_kw": 1000, "pue": 1.2}
    assert report("campus", campus | {"grid_g_per_kwh": 400})["cue_g_per_kwh"] == 480
    assert report("campus", campus)["cue_g_per_kwh"] is None


def test_classes_of_coolant_and_of_water_by_their_former_names():
    assert [coolant_class_max_c(each) for each in ("S30", "S40", "S50")] == [30, 40, 50]
    assert [water_class_max_c(each) for each in ("W1", "W2", "W3", "W4", "W40")] == [17, 27, 32, 45, 40]
    for name, look_up in (("S35", coolant_class_max_c), ("W5", water_class_max_c)):
        with pytest.raises(InvalidParameters, match=f"is {name}; choose one of"):
            look_up(name)
    assert [air_class(each).min_rh_fraction for each in ("recommended", "A1", "A4", "H1")] == [
        None,
        d("0.08"),
        d("0.08"),
        d("0.08"),
    ]


def test_the_dew_point_of_air():
    """Saturated air is at it; 24 °C at 50 % have 12.9 °C."""
    assert round(dew_point_c(d(24), d(1)), 20) == 24
    assert round(dew_point_c(d(24), d("0.5")), 2) == d("12.94")
    assert round(dew_point_c(d(-10), d("0.8")), 2) == d("-12.80")
    with pytest.raises(InvalidParameters, match="humidity_fraction is 0; it must be more than 0 and at most 1"):
        dew_point_c(d(24), d(0))
    with pytest.raises(InvalidParameters, match=r"temperature_c is 61"):
        dew_point_c(d(61), d(1))


def test_what_warms_when_cooling_stops():
    """100 kW into 500 m³ of 1.2 kg/m³ are 100,000 / (600 · 1,005) K/s; 10 m³ of water of 10 °C take 6 K of a megawatt
    for 252 s."""
    assert round(warming_k_per_min(d(100), d(500), d("1.2")), 6) == d("9.950249")
    assert round(tank_lasts_s(d(10_000), d(6), d(1000)), 6) == round(d("9.997") * d("4195.2") * 6 / 1000, 6)
    for refused in (
        lambda: warming_k_per_min(d(1), d(0), d(1)),
        lambda: warming_k_per_min(d(1), d(1), d(0)),
        lambda: tank_lasts_s(d(1), d(0), d(1)),
        lambda: tank_lasts_s(d(1), d(1), d(0)),
        lambda: tank_lasts_s(d(-1), d(1), d(1)),
    ):
        with pytest.raises(InvalidParameters):
            refused()


def test_what_accelerators_compute_of_tokens():
    """6 · 405 billion · a million tokens a second are 2,430 PFlop/s: of 8,100 accelerators 300 TFlop/s each."""
    assert achieved_tflops(d(405), d(1_000_000), d(8100)) == 300
    with pytest.raises(InvalidParameters, match="gpus is 0"):
        achieved_tflops(d(1), d(1), d(0))


@pytest.mark.parametrize(("supply_c", "warns"), [(40, False), (40.1, True), (None, False)])
def test_coolant_is_judged_by_the_class_of_cold_plates(supply_c, warns):
    limits = CoolingLimits(coolant_class="S40")
    supply = None if supply_c is None else d(supply_c)

    told = report_of((make_device(), 1), limits=limits, coolant_supply_c=supply)
    unjudged = report_of((make_device(), 1), coolant_supply_c=supply)

    found = [each.message for each in told.warnings if each.code == "coolant_above_class"]
    assert found == (["Coolant of 40.1 °C; ASHRAE class S40 ends at 40 °C."] if warns else [])
    assert "coolant_above_class" not in [each.code for each in unjudged.warnings]


@pytest.mark.parametrize(("mttf_min", "printed_min"), [(24 * 60, 117), (6 * 60, 57), (15, d("9.1"))])
def test_intervals_that_daly_prints(mttf_min, printed_min):
    """Daly 2006, figures 3 to 5: a dump of 5 min."""
    found = daly_interval_s(d(5 * 60), d(mttf_min * 60)) / 60

    assert round(found, 0 if mttf_min > 15 else 1) == printed_min


@pytest.mark.parametrize(
    ("curve", "u", "a", "watts"),
    [
        # OpenDC's test of its models, 200 W idle and 350 W at most: 338.765 and 323.072 at 90 %.
        ("asymptotic", "0.9", "0.3", "338.765970"),
        ("asymptotic_dvfs", "0.9", "0.3", "323.072"),
        ("asymptotic", 0, "0.5", "200"),
        ("asymptotic_dvfs", 0, "0.5", "200"),
        # 200 + 75 · (2 − e^−2).
        ("asymptotic", 1, "0.5", "339.849854"),
        ("asymptotic_dvfs", 1, "0.5", "339.849854"),
    ],
)
def test_curves_that_become_linear(curve, u, a, watts):
    found = utilised_power_w(d(200), d(350), d(u), curve, r=d("1.4"), a=d(a))

    assert abs(found - d(watts)) < d("0.001")
    for outside in ("0.19", "0.81"):
        with pytest.raises(InvalidParameters, match=f"a is {outside}"):
            utilised_power_w(d(200), d(350), d(u), curve, r=d("1.4"), a=d(outside))

"""The report of a rack, whole: exact sums, unknowns that stay unknown, and a trace for every number."""

import json
from dataclasses import replace
from decimal import Decimal, getcontext, localcontext

import pytest

from simulator.engine import Feed, Rack, as_data
from simulator.engine.cooling import METHODS
from simulator.engine.notices import WARNINGS
from simulator.engine.trace import quantities
from tests.simulator.builders import DATA, DGX_H100, make_device, report_of, warnings_of

SECTIONS = ("space", "power", "weight", "electrical", "cooling")


def test_four_dgx_h100_in_42_units():
    """The published table: 8 U, 10.2 kW and air-cooled; a change of any number or word of the report shows here."""
    expected = json.loads((DATA / "report-four-dgx-h100.json").read_text())

    report = report_of((DGX_H100, 4), feed=Feed(Decimal(415), 3, Decimal(60), redundancy="2n"))

    assert as_data(report) == expected


def test_sums_are_exact():
    report = report_of((DGX_H100, 4))

    assert str(report.power.nameplate_kw) == "40.8"
    assert str(report.weight.equipment_kg) == "521.8"
    assert json.dumps(as_data(report.power.nameplate_kw)) == "40.8"
    assert json.dumps(as_data(report.space.used_u)) == "32"


def test_the_callers_decimal_context_changes_nothing():
    expected = report_of((DGX_H100, 4), altitude_m=Decimal(1800))

    with localcontext() as context:
        context.prec = 3
        report = report_of((DGX_H100, 4), altitude_m=Decimal(1800))
        assert getcontext().prec == 3

    assert report == expected


@pytest.mark.parametrize(
    ("section", "field", "total"),
    [
        ("space", "height_u", "used_u"),
        ("power", "power_nameplate_w", "nameplate_kw"),
        ("power", "power_typical_w", "typical_kw"),
        ("power", "power_idle_w", "idle_kw"),
        ("weight", "weight_kg", "equipment_kg"),
        ("cooling", "power_nameplate_w", "air_heat_kw"),
    ],
)
def test_an_unknown_part_makes_the_total_unknown_and_names_itself(section, field, total):
    known, unknown = make_device("known"), replace(make_device("unknown"), **{field: None})

    report = getattr(report_of((known, 2), (unknown, 1), rack=Rack(tare_kg=Decimal(100))), section)

    alone = getattr(report_of((known, 2), rack=Rack(tare_kg=Decimal(100))), section)
    assert getattr(report, total) is None
    assert getattr(report.at_least, total) == getattr(alone, total) > 0
    assert report.unknown == ("unknown",)
    assert alone.at_least is None
    assert alone.unknown == ()


def test_nothing_known_is_no_zero():
    report = report_of((replace(make_device(), power_nameplate_w=None), 1))

    assert report.power.nameplate_kw is None
    assert report.power.at_least.nameplate_kw is None
    assert report.cooling.airflow_m3_h is None
    assert report.cooling.at_least.airflow_m3_h is None


def test_a_known_part_beside_an_unknown_one_gives_the_air_at_least_what_it_needs():
    known, unknown = make_device("known", power_nameplate_w=6000), make_device("unknown", power_nameplate_w=None)

    both, alone = report_of((known, 1), (unknown, 1)), report_of((known, 1))

    assert both.cooling.at_least.airflow_m3_h == alone.cooling.airflow_m3_h
    assert both.cooling.at_least.airflow_cfm == alone.cooling.airflow_cfm


def test_the_rack_itself_is_named_where_its_weight_is_unknown():
    report = report_of((make_device(weight_kg=20), 2), rack=Rack(type="apc-ar3100", footprint_m2=Decimal("0.64")))

    assert report.weight.equipment_kg == 40
    assert report.weight.total_kg is None
    assert report.weight.unknown == ("apc-ar3100",)
    assert report.weight.at_least.total_kg == 40
    assert report.weight.at_least.floor_load_kg_m2 == Decimal("62.5")
    assert report.weight.at_least.floor_load_kn_m2 == Decimal("0.612916")


def test_the_floor_load_needs_a_footprint():
    rack = Rack(tare_kg=Decimal(120))

    assert report_of((make_device(), 1), rack=rack).weight.floor_load_kg_m2 is None
    assert report_of(
        (make_device(), 1), rack=replace(rack, footprint_m2=Decimal("0.7"))
    ).weight.floor_load_kg_m2 == Decimal(200)


def test_a_whole_rack_is_weighed_with_its_frame():
    nvl72 = make_device("nvl72", is_whole_rack=True, height_u=None, weight_kg=1360)

    report = report_of((nvl72, 1), rack=Rack(tare_kg=Decimal(120)))

    assert report.weight.total_kg == 1360


def test_a_whole_rack_of_unknown_weight_is_not_at_least_nothing():
    nvl72 = make_device("nvl72", is_whole_rack=True, height_u=None, weight_kg=None)

    report = report_of((nvl72, 1), rack=Rack(footprint_m2=Decimal("0.72")))

    assert report.weight.unknown == ("nvl72",)
    assert as_data(report.weight.at_least) == {
        "equipment_kg": None,
        "total_kg": None,
        "floor_load_kg_m2": None,
        "floor_load_kn_m2": None,
    }


def test_too_heavy_is_said_and_all_the_same_counted():
    report = report_of((make_device(weight_kg=400), 3), rack=Rack(tare_kg=Decimal(150), max_kg=Decimal(1360)))

    assert report.weight.total_kg == 1350
    assert "over_weight" not in warnings_of(report)

    report = report_of((make_device(weight_kg=404), 3), rack=Rack(tare_kg=Decimal(150), max_kg=Decimal(1360)))

    assert report.weight.total_kg == 1362
    assert warnings_of(report)["over_weight"] == ("server",)


def test_too_heavy_already_by_what_is_known():
    heavy, unknown = make_device("heavy", weight_kg=1400), make_device("unknown", weight_kg=None)

    report = report_of((heavy, 1), (unknown, 1), rack=Rack(max_kg=Decimal(1360)))

    assert warnings_of(report)["over_weight"] == ("heavy", "unknown")


@pytest.mark.parametrize(("basis", "kw"), [("nameplate", "0.5"), ("typical", "0.3"), ("idle", "0.1")])
def test_the_basis_chooses_the_power_that_is_cooled_and_fed(basis, kw):
    report = report_of(
        (make_device(), 1), basis=basis, feed=Feed(Decimal(230), 1, Decimal(16), power_factor=Decimal(1))
    )

    assert report.power.basis == basis
    assert report.power.density_kw == Decimal(kw)
    assert report.cooling.air_heat_kw == Decimal(kw)
    assert report.electrical.load_kva == Decimal(kw)
    assert report.power.nameplate_kw == Decimal("0.5")


def test_what_passes_power_on_adds_no_load():
    """netbox#8177: the rating of a PDU is a limit, its load is that of its outlets."""
    pdu = make_device("pdu", height_u=0, power_nameplate_w=22000, heat_to_liquid_fraction=None, is_power_path=True)

    report = report_of((make_device(), 4), (pdu, 2))

    assert report.power.nameplate_kw == 2
    assert report.cooling.air_heat_kw == 2
    assert report.cooling.unknown == ()


def test_every_number_of_the_sections_is_in_the_trace_with_its_formula_and_source():
    liquid = make_device("liquid", power_nameplate_w=20000, heat_to_liquid_fraction="0.8", accelerators_count=8)
    given = {
        "rack": Rack(tare_kg=Decimal(120), footprint_m2=Decimal("0.7"), max_kg=Decimal(900)),
        "feed": Feed(Decimal(415), 3, Decimal(63), redundancy="2n"),
        "airflow_available_m3_h": Decimal(3000),
        "altitude_m": Decimal(1200),
    }
    report = report_of((liquid, 2), (make_device(), 3), **given)
    traced = {entry.quantity: entry for entry in report.trace}

    numbers = {}
    for section in SECTIONS:
        for name, value in as_data(getattr(report, section)).items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                numbers[name] = value
    for method in report.cooling.methods:
        for end in ("limit_kw", "margin_kw"):
            if getattr(method, end) is not None:
                numbers[f"{method.method}_{end}"] = as_data(getattr(method, end))

    assert len(numbers) == 22
    assert {name: as_data(traced[name].value) for name in numbers} == numbers
    for entry in report.trace:
        assert entry.formula and entry.source, entry.quantity
        assert entry.inputs, entry.quantity
        assert entry.quantity in quantities()
    assert len(traced) == len(report.trace)


def test_what_an_article_can_explain_has_one_name_for_one_thing():
    names = [*quantities(), *METHODS, *WARNINGS]

    assert len(names) == len(set(names))


def test_the_report_is_plain_data_all_through():
    data = as_data(report_of((make_device(), 1), feed=Feed(Decimal(230), 1, Decimal(16))))

    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert list(data) == ["space", "power", "weight", "electrical", "cooling", "warnings", "trace", "ranges"]

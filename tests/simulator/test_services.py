"""Runs of the catalogue's devices, and scenarios: saved runs."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from catalog.models import DeviceComponent, Manufacturer, RackType
from core.publishing.models import Reference
from core.publishing.references import uses_of
from simulator.engine import ENGINE_VERSION
from simulator.models import Scenario
from simulator.services import run_rack, save_scenario
from tests.factories import make_device

pytestmark = pytest.mark.django_db


def make_dgx(**fields):
    nvidia = Manufacturer.objects.get_or_create(slug="nvidia", name="NVIDIA")[0]
    dgx = {
        "slug": "nvidia-dgx-h100",
        "manufacturer": nvidia,
        "model": "DGX H100",
        "u_height": 8,
        "weight_kg": Decimal("130.45"),
        "power_nameplate_w": 10200,
        "gpu_count": 8,
        "gpu_tdp_w": 700,
    }
    return make_device(**{**dgx, **fields})


def make_rack_type(**fields):
    apc = Manufacturer.objects.get_or_create(slug="apc", name="APC")[0]
    ar3100 = {
        "slug": "apc-ar3100",
        "manufacturer": apc,
        "model": "AR3100",
        "u_height": 42,
        "outer_width_mm": 600,
        "outer_depth_mm": 1070,
        "weight_kg": Decimal("125.14"),
        "max_weight_kg": Decimal("1701"),
    }
    return RackType.objects.create(**{**ar3100, **fields})


FOUR = {"items": [{"device": "nvidia-dgx-h100", "quantity": 4}]}


def problems_of(error):
    return {(field, item.code) for field, items in error.value.error_dict.items() for item in items}


def test_a_run_takes_the_devices_as_the_catalogue_has_them(django_assert_num_queries):
    make_dgx()

    with django_assert_num_queries(1):
        run = run_rack(FOUR)

    assert run.data["power"]["nameplate_kw"] == 40.8
    assert run.data["weight"]["equipment_kg"] == 521.8
    assert run.data["space"]["used_u"] == 32
    assert run.data["cooling"]["rule_of_thumb"] == "direct_to_chip"
    assert run.data["cooling"]["agrees"] is False
    assert run.given.items[0].device.name == "NVIDIA DGX H100"


def test_a_rack_type_of_the_catalogue_gives_its_size_and_weight(django_assert_num_queries):
    make_dgx()
    make_rack_type()

    with django_assert_num_queries(2):
        report = run_rack({**FOUR, "rack": {"type": "apc-ar3100"}}).data

    assert report["weight"]["total_kg"] == 646.94
    assert report["weight"]["floor_load_kg_m2"] == 1007.69
    assert "over_weight" not in [warning["code"] for warning in report["warnings"]]


def test_what_has_outlets_passes_power_on():
    make_dgx()
    pdu = make_device(slug="pdu", u_height=0, power_nameplate_w=17300)
    DeviceComponent.objects.create(device=pdu, component_kind="power-outlets", name="1", position=1)
    make_device(slug="shelf", u_height=1, power_nameplate_w=33000, device_kind="power-shelf")

    items = [*FOUR["items"], {"device": "pdu", "quantity": 2}, {"device": "shelf", "quantity": 1}]

    assert run_rack({"items": items}).data["power"]["nameplate_kw"] == 40.8


def test_null_of_the_catalogue_stays_unknown():
    make_dgx()
    make_device(slug="bare")

    report = run_rack({"items": [*FOUR["items"], {"device": "bare", "quantity": 1}]}).data

    assert report["power"]["nameplate_kw"] is None
    assert report["power"]["at_least"]["nameplate_kw"] == 40.8
    assert report["weight"]["unknown"] == ["bare", "rack"]
    assert report["space"]["fits"] is None


def test_what_is_not_in_the_catalogue_is_named_by_its_place():
    make_dgx()

    with pytest.raises(ValidationError) as error:
        run_rack(
            {
                "items": [*FOUR["items"], {"device": "dgx-9000", "quantity": 1}],
                "rack": {"type": "no-rack"},
                "altitude_m": 99999,
            }
        )

    assert problems_of(error) == {
        ("items[1].device", "unknown_device"),
        ("rack.type", "unknown_rack_type"),
        ("altitude_m", "out_of_range"),
    }


def test_a_record_that_no_rack_could_hold_says_what_is_wrong_with_it():
    make_device(slug="quarter", u_height=Decimal("0.25"))

    with pytest.raises(ValidationError) as error:
        run_rack({"items": [{"device": "quarter", "quantity": 1}]})

    assert problems_of(error) == {("items[0].device", "unusable_device")}
    assert "height_u is 0.25" in str(error.value)


def test_what_is_no_object_is_a_problem_of_the_whole():
    with pytest.raises(ValidationError) as error:
        run_rack(["nvidia-dgx-h100"])

    assert ("__all__", "wrong_type") in problems_of(error)


def test_a_scenario_keeps_input_report_and_version():
    make_dgx()

    scenario = save_scenario(slug="four-racks", title="Four DGX H100", description="In one rack.", input=FOUR)

    stored = Scenario.objects.get(slug="four-racks")
    assert stored.pk == scenario.pk
    assert stored.input == FOUR
    assert stored.result["power"]["density_kw"] == 40.8
    assert stored.engine_version == ENGINE_VERSION


def test_decimals_of_an_importer_are_stored_as_numbers():
    make_dgx()

    save_scenario(slug="high", title="High", input={**FOUR, "altitude_m": Decimal("1800.5")})

    assert Scenario.objects.get().input["altitude_m"] == 1800.5


def test_a_second_save_of_the_same_changes_nothing():
    make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)

    def state():
        with connection.cursor() as cursor:
            cursor.execute("select xmin::text, updated_at::text from simulator_scenario")
            row = cursor.fetchall()
            cursor.execute("select xmin::text, id::text from publishing_reference where holder_kind = 'scenario'")
            return row, cursor.fetchall()

    before = state()
    save_scenario(slug="four", title="Four", input=FOUR)

    assert state() == before


def test_a_save_runs_with_the_catalogue_of_today():
    device = make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)
    device.power_nameplate_w = 11000
    device.save()
    assert Scenario.objects.get().result["power"]["density_kw"] == 40.8

    save_scenario(slug="four", title="Four", input=FOUR)

    assert Scenario.objects.get().result["power"]["density_kw"] == 44


def test_a_scenario_names_what_it_uses():
    device, rack_type = make_dgx(), make_rack_type()
    scenario = save_scenario(slug="four", title="Four racks", input={**FOUR, "rack": {"type": "apc-ar3100"}})

    assert uses_of([device.pk]) == ["Scenario: Four racks"]
    assert uses_of([rack_type.pk]) == ["Scenario: Four racks"]

    other = make_device(slug="other")
    save_scenario(slug="four", title="Four racks", input={"items": [{"device": "other", "quantity": 1}]})
    assert uses_of([device.pk]) == []
    assert uses_of([other.pk]) == ["Scenario: Four racks"]

    scenario.delete()
    assert not Reference.objects.filter(holder_kind="scenario").exists()


def test_a_refused_scenario_leaves_nothing_behind():
    make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)

    with pytest.raises(ValidationError) as error:
        save_scenario(slug="four", title="Four of another", input={"items": [{"device": "gone", "quantity": 4}]})
    assert problems_of(error) == {("input.items[0].device", "unknown_device")}
    with pytest.raises(ValidationError) as error:
        save_scenario(slug="Not A Slug", title="Four", input=FOUR)
    assert "slug" in error.value.error_dict

    assert list(Scenario.objects.values_list("slug", "title")) == [("four", "Four")]
    assert Reference.objects.filter(holder_kind="scenario").count() == 1


def test_a_scenario_can_change_its_slug():
    make_dgx()
    scenario = save_scenario(slug="four", title="Four", input=FOUR)

    save_scenario(slug="four-dgx", title="Four", input=FOUR, scenario=scenario)

    assert list(Scenario.objects.values_list("pk", "slug")) == [(scenario.pk, "four-dgx")]

"""Scenarios in the admin."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from simulator.models import Scenario
from simulator.services import save_scenario
from tests.factories import make_device
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
LIST, ADD = "admin:simulator_scenario_changelist", "admin:simulator_scenario_add"


@pytest.fixture
def editor(client):
    client.force_login(User.objects.create_superuser("editor", password="a long password"))
    return client


def typed(**fields):
    return {"title": "Four", "slug": "four", "description": "", "input": json.dumps(FOUR), **fields}


def test_an_editor_saves_a_scenario_with_its_report(editor):
    make_dgx()

    response = editor.post(reverse(ADD), typed())

    scenario = Scenario.objects.get(slug="four")
    assert response.status_code == 302
    assert scenario.result["power"]["density_kw"] == 40.8
    page = editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).content.decode()
    assert "40.8 kW at nameplate" in page
    assert "32 U used, fits" in page
    assert "data:image/svg+xml;base64," in page
    assert "40.8" in editor.get(reverse(LIST)).content.decode()


def test_what_is_unknown_is_shown_as_unknown(editor):
    make_dgx()
    make_device(slug="bare")
    data = {"items": [*FOUR["items"], {"device": "bare", "quantity": 1}]}
    scenario = save_scenario(slug="five", title="Five", input=data)

    page = editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).content.decode()

    assert "at least 40.8 kW at nameplate" in page
    assert "at least 32 U used, not known whether it fits" in page
    assert "at least 40.8 kW" in editor.get(reverse(LIST)).content.decode()


def test_a_scenario_without_a_report_is_shown(editor):
    scenario = Scenario.objects.create(slug="bare", title="Bare", input={}, result={}, engine_version="0")

    page = editor.get(reverse("admin:simulator_scenario_change", args=[scenario.pk])).content.decode()

    assert "This scenario has no report yet: save it." in page
    assert "The catalogue no longer has what this rack is made of." in page


def test_what_the_simulator_refuses_is_shown_at_the_input(editor):
    make_dgx()
    wrong = {"items": [{"device": "dgx", "quantity": 4}], "altitude": 1}

    page = editor.post(reverse(ADD), typed(input=json.dumps(wrong))).content.decode()

    assert "items[0].device: There is no device dgx in the catalogue." in page
    assert "altitude is not known here. Did you mean altitude_m?" in page
    assert not Scenario.objects.exists()


def test_a_change_runs_again_and_keeps_the_id(editor):
    make_dgx()
    scenario = save_scenario(slug="four", title="Four", input=FOUR)
    address = reverse("admin:simulator_scenario_change", args=[scenario.pk])
    two = {"items": [{"device": "nvidia-dgx-h100", "quantity": 2}]}

    editor.post(address, typed(slug="two", input=json.dumps(two), based_on=scenario.updated_at.isoformat()))

    changed = Scenario.objects.get()
    assert (changed.pk, changed.slug) == (scenario.pk, "two")
    assert changed.result["power"]["density_kw"] == 20.4


def test_a_stale_form_loses_nothing(editor):
    make_dgx()
    scenario = save_scenario(slug="four", title="Four", input=FOUR)
    stale = scenario.updated_at.isoformat()
    save_scenario(slug="four", title="Four by another", input=FOUR)

    page = editor.post(
        reverse("admin:simulator_scenario_change", args=[scenario.pk]), typed(title="Mine", based_on=stale)
    )

    assert page.status_code == 409
    assert "Mine" in page.content.decode()
    assert Scenario.objects.get().title == "Four by another"


def test_the_list_costs_the_same_at_any_size(editor, django_assert_max_num_queries):
    make_dgx()
    for n in range(12):
        save_scenario(slug=f"scenario-{n}", title="Four", input=FOUR)

    with django_assert_max_num_queries(8):
        editor.get(reverse(LIST))


def test_a_device_that_a_scenario_uses_is_not_deleted(editor):
    device = make_dgx()
    save_scenario(slug="four", title="Four in a rack", input=FOUR)

    address = reverse("admin:catalog_device_delete", args=[device.pk])

    assert "Four in a rack" in editor.get(address).content.decode()

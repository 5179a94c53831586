"""What moved since a scenario was saved: told, never changed in silence, accepted by saving."""

import pytest
from django.urls import reverse
from jsonschema import Draft202012Validator

from core.api.openapi import shared_schemas
from simulator.engine import ENGINE_VERSION
from simulator.models import Scenario
from simulator.rest.openapi import drift_schema
from simulator.services import save_scenario
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
DRIFT = "/api/v1/scenarios/four/drift/"


@pytest.fixture
def dgx():
    device = make_dgx()
    save_scenario(slug="four", title="Four", input=FOUR)
    return device


def test_a_scenario_of_today_has_not_moved(client, dgx):
    drift = client.get(DRIFT).json()

    assert drift == {
        "engine_version_was": ENGINE_VERSION,
        "engine_version_now": ENGINE_VERSION,
        "since": None,
        "moved": [],
        "outcomes": [],
        "warnings_gone": [],
        "warnings_new": [],
        "problem": None,
        "problems": [],
    }
    assert Draft202012Validator({**drift_schema(), "components": {"schemas": shared_schemas()}}).is_valid(drift)


@pytest.mark.django_db(transaction=True)  # Versions move at a commit.
def test_what_a_device_moves_is_told_with_old_and_new_and_nothing_changes(client, dgx):
    etag = client.get(DRIFT)["ETag"]
    before = client.get("/api/v1/scenarios/four/").json()
    dgx.power_nameplate_w = 10_000
    dgx.save()

    response = client.get(DRIFT, headers={"if-none-match": etag})

    moved = {row["quantity"]: row for row in response.json()["moved"]}
    assert moved["density_kw"] == {"quantity": "density_kw", "unit": "kW", "was": 40.8, "now": 40, "since": None}
    assert "used_u" not in moved
    assert client.get("/api/v1/scenarios/four/").json() == before


def test_a_scenario_that_no_longer_runs_says_why(client, dgx):
    Scenario.objects.update(input={"items": [{"device": "gone", "quantity": 1}]})

    drift = client.get(DRIFT).json()

    assert drift["moved"] == []
    assert "gone" in drift["problem"]


@pytest.mark.parametrize("key", ["none", "0190f3a0-0000-7000-8000-000000000000", "a%00"])
def test_no_scenario_no_drift(client, key):
    assert client.get(f"/api/v1/scenarios/{key}/drift/").status_code == 404


def test_an_editor_sees_what_moved_and_accepts_it_by_saving(admin_client, client, dgx):
    dgx.power_nameplate_w = 10_000
    dgx.save()
    scenario = Scenario.objects.get()
    address = reverse("admin:simulator_scenario_change", args=[scenario.pk])

    page = admin_client.get(address).content.decode()
    save_scenario(slug="four", title="Four", input=FOUR)

    assert "40.8 kW</td><td>40 kW" in page
    assert client.get(DRIFT).json()["moved"] == []
    assert "Nothing moved since it was saved." in admin_client.get(address).content.decode()

"""Reports that an earlier engine saved are shown as they were, before anybody saves them anew."""

import json
from pathlib import Path

import pytest
from graphql import get_named_type

from config.schema import schema
from simulator.engine import LAYERS
from simulator.models import Scenario
from simulator.picturing import pictures_of
from simulator.services import save_scenario
from tests.factories import make_person
from tests.simulator.asking import camel
from tests.simulator.test_graphql import ask
from tests.simulator.test_graphql_layers import everything_of
from tests.simulator.test_layers import INPUTS
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
SAVED = json.loads((Path(__file__).parent / "data" / "reports-of-engine-2.1.json").read_text())
KINDS = ("rack", *LAYERS)


@pytest.fixture(params=KINDS)
def scenario(request):
    """A scenario of each kind, as engine 2.1 saved it."""
    if request.param == "rack":
        make_dgx()
    given = FOUR if request.param == "rack" else INPUTS[request.param]
    row = save_scenario(slug="saved", title="Saved", kind=request.param, input=given)
    Scenario.objects.filter(pk=row.pk).update(result=SAVED[request.param], engine_version="2.1")
    return Scenario.objects.get(pk=row.pk)


def untold(saved, told, path=""):
    """Return the paths at which `told` does not say what was saved; it may say more."""
    if isinstance(saved, dict):
        return [each for name in saved for each in untold(saved[name], told.get(name), f"{path}.{name}")]
    if isinstance(saved, list):
        pairs = zip(saved, told, strict=True)
        return [each for n, (one, other) in enumerate(pairs) for each in untold(one, other, f"{path}[{n}]")]
    return [] if saved == told else [path]


def test_a_report_of_each_kind_was_kept():
    assert set(SAVED) == set(KINDS)


def test_both_surfaces_tell_it_and_what_it_did_not_tell_is_null(client, scenario):
    report = f"{scenario.kind.capitalize()}Report"
    selection = everything_of(get_named_type(schema._schema.type_map[report]))
    query = f'{{ scenario(slug: "saved") {{ engineVersion result {{ ... on {report} {selection} }} }} }}'

    answer = ask(client, query)
    told = client.get("/api/v1/scenarios/saved/").json()

    assert "errors" not in answer
    assert (told["engine_version"], answer["data"]["scenario"]["engineVersion"]) == ("2.1", "2.1")
    assert told["report"] == SAVED[scenario.kind]
    assert untold(camel(SAVED[scenario.kind]), answer["data"]["scenario"]["result"]) == []


def test_its_pictures_are_drawn(client, scenario):
    for name in pictures_of(scenario.kind):
        answer = client.get(f"/api/v1/scenarios/saved/pictures/{name}.svg")

        assert (name, answer.status_code, answer["Content-Type"]) == (name, 200, "image/svg+xml")


def test_editors_see_its_numbers_and_its_pictures(client, scenario):
    client.force_login(make_person(is_superuser=True, is_staff=True))

    page = client.get(f"/admin/simulator/scenario/{scenario.pk}/change/").content.decode()

    assert "2.1" in page
    assert "save it anew" not in page

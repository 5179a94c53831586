"""Quantities of the catalogue: filters compare them and not their spelling, units convert, conflicts are shown."""

import pytest

from core.facts.models import Claim
from tests.factories import make_device, make_fact, make_installation, make_source
from tests.graphql.asking import data_of as ask
from tests.graphql.asking import post

pytestmark = pytest.mark.django_db


def slugs(response):
    assert response.status_code == 200, response.content
    return [row["slug"] for row in response.json()["results"]]


def make_devices():
    for slug, weight, power, air in [
        ("light", ("105", "lb"), ("0.1", "MW"), ("100", "CFM")),
        ("heavy", ("47.62719886", "kg"), ("99.9", "kW"), ("169.9", "m3/h")),
    ]:
        device = make_device(slug=slug)
        make_fact(weight, subject=device, field="weight_kg")
        make_fact(power, subject=device)
        make_fact(air, subject=device, field="airflow_m3_h")
    make_device(slug="unknown")


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"power_gte": "100kW"}, ["light"]),
        ({"power_gte": "100000"}, ["light"]),
        ({"power_lte": "99.9 kW"}, ["heavy"]),
        ({"power_gte": "99900 W", "power_lte": "0.1MW"}, ["heavy", "light"]),
        ({"weight_lte": "105lb"}, ["light"]),
        ({"weight_gte": "105lb"}, ["heavy", "light"]),
        ({"weight_gte": "47.62719886kg"}, ["heavy"]),
        ({"airflow_gte": "100CFM"}, ["light"]),
        ({"airflow_lte": "100 CFM"}, ["heavy", "light"]),
    ],
)
def test_devices_are_found_by_quantities_in_any_unit(client, asked, found):
    make_devices()

    assert slugs(client.get("/api/v1/devices/", asked)) == found
    names = {"power_gte": "powerGte", "power_lte": "powerLte", "weight_gte": "weightGte", "weight_lte": "weightLte",
             "airflow_gte": "airflowGte", "airflow_lte": "airflowLte"}  # fmt: skip
    arguments = ", ".join(f'{names[name]}: "{value}"' for name, value in asked.items())
    again = ask(client, f"{{ devices({arguments}) {{ edges {{ node {{ slug }} }} }} }}")
    assert [edge["node"]["slug"] for edge in again["devices"]["edges"]] == found


@pytest.mark.parametrize(
    ("path", "name", "text", "allowed"),
    [
        ("devices", "power_gte", "5kg", "kg measures mass; write one of W, kW, MW, GW."),
        ("devices", "weight_lte", "many", "'many' is no quantity; write a number and one of kg, g, t, lb, oz."),
        ("facts", "power_lte", "5 hp", "'hp' is no unit that is known here; write one of W, kW, MW, GW."),
        ("installations", "power_gte", "1e99GW", "'1e99GW' is more than anything here can be."),
    ],
)
def test_what_is_no_such_quantity_is_refused_with_the_units_that_are(client, path, name, text, allowed):
    response = client.get(f"/api/v1/{path}/", {name: text})

    assert response.status_code == 400
    assert response.json()["errors"] == [{"field": name, "code": "not_a_quantity", "message": f"{name}: {allowed}"}]


def test_graphql_refuses_it_alike(client):
    error = post(client, '{ facts(powerLte: "5 hp") { edges { node { slug } } } }')["errors"][0]

    assert (error["extensions"]["code"], "W, kW, MW, GW" in error["message"]) == ("not_a_quantity", True)


def test_facts_are_found_by_the_claim_in_use_as_a_quantity_of_its_kind(client):
    make_fact(("0.1", "MW"), ("5", "kW"), slug="campus")
    make_fact(("100", "kVA"), slug="apparent")
    make_fact(("200000", ""), slug="count")
    make_fact(("1", "GWh"), slug="energy")
    make_fact(slug="unclaimed")

    assert slugs(client.get("/api/v1/facts/", {"power_gte": "100kW"})) == ["campus"]
    assert slugs(client.get("/api/v1/facts/", {"power_lte": "50kW"})) == []
    assert slugs(client.get("/api/v1/facts/", {"energy_gte": "1000MWh"})) == ["energy"]
    found = ask(client, '{ facts(powerGte: "100kW") { edges { node { slug } } } }')
    assert [edge["node"]["slug"] for edge in found["facts"]["edges"]] == ["campus"]


def test_the_power_of_an_installation_is_its_greatest(client):
    site = make_installation(slug="memphis")
    make_fact(("50", "MW"), subject=site, field="power_first_w")
    make_fact(("0.2", "GW"), subject=site, field="power_w")
    make_installation(slug="unknown")

    assert slugs(client.get("/api/v1/installations/", {"power_gte": "150MW", "power_lte": "200MW"})) == ["memphis"]
    assert slugs(client.get("/api/v1/installations/", {"power_lte": "100MW"})) == []
    found = ask(client, '{ installations(powerGte: "150MW") { edges { node { slug } } } }')
    assert [edge["node"]["slug"] for edge in found["installations"]["edges"]] == ["memphis"]


def test_a_cursor_of_other_quantities_is_refused(client):
    make_devices()
    page = client.get("/api/v1/devices/", {"power_gte": "1kW", "limit": 1}).json()
    cursor = page["next"].split("cursor=")[1].split("&")[0]

    response = client.get("/api/v1/devices/", {"power_gte": "2kW", "limit": 1, "cursor": cursor})

    assert response.json()["errors"][0]["code"] == "cursor_of_other_question"


def test_a_weight_is_shown_as_it_was_entered_and_sums_in_kilograms(client):
    """netbox#17126, #9654: the unit that was shown was not the one that was entered."""
    make_fact(("105", "lb"), subject=make_device(slug="dgx"), field="weight_kg")

    device = client.get("/api/v1/devices/dgx/").json()
    in_si = client.get("/api/v1/devices/", {"units": "si"}).json()["results"][0]

    assert (device["texts"]["weight"], device["weight_as_entered"]) == ("105 lb", {"value": 105, "unit": "lb"})
    assert device["weight_kg"] == 47.62719885
    assert device["facts"][0]["chosen"]["text"] == "105 lb"
    assert (in_si["texts"]["weight"], in_si["weight_as_entered"]["unit"]) == ("47.6 kg", "lb")
    again = ask(
        client, "{ devices { edges { node { texts { weight } si: texts(units: SI) { weight power: powerIdle } } } } }"
    )
    assert again["devices"]["edges"][0]["node"] == {
        "texts": {"weight": "105 lb"},
        "si": {"weight": "47.6 kg", "power": None},
    }


def test_claims_are_shown_in_units_that_are_asked_for_and_keep_their_own(client):
    make_fact(("1105", "CFM"), slug="air")

    claim = client.get("/api/v1/facts/air/", {"units": "si"}).json()["chosen"]
    again = ask(client, '{ fact(slug: "air") { chosen { value unit text text2: text(units: SI) '
                        "converted(units: SI) { value unit } } } }")  # fmt: skip

    assert (claim["value"], claim["unit"], claim["text"]) == (1105, "CFM", "1,877 m³/h")
    assert claim["converted"] == {"value": 1877, "unit": "m³/h"}
    assert again["fact"]["chosen"] == {
        "value": 1105, "unit": "CFM", "text": "1,105 CFM", "text2": "1,877 m³/h",
        "converted": {"value": 1877, "unit": "m³/h"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("claims", "conflict"),
    [
        ([("700", "W", "nameplate"), ("0.7", "kW", "nameplate")], False),
        ([("700", "W", "nameplate"), ("650", "W", "nameplate")], True),
        ([("700", "W", "nameplate"), ("650", "W", "measured")], False),
        ([("700", "W", "nameplate"), ("700", "VA", "nameplate")], True),
        ([("700", "W", "nameplate"), ("650", "W", "measured"), ("640", "W", "measured")], True),
        ([("700", "W", "nameplate")], False),
        ([], False),
    ],
)
def test_sources_disagree_where_one_kind_of_claim_has_two_quantities(client, claims, conflict):
    fact = make_fact(slug="one")
    for value, unit, kind in claims:
        Claim.objects.create(fact=fact, value=value, unit=unit, claim_kind=kind, source=make_source())

    answer = client.get("/api/v1/facts/one/").json()

    assert (answer["conflict"], len(answer["claims"])) == (conflict, len(claims))
    assert slugs(client.get("/api/v1/facts/", {"conflict": "true"})) == (["one"] if conflict else [])
    assert slugs(client.get("/api/v1/facts/", {"conflict": "false"})) == ([] if conflict else ["one"])
    again = ask(client, '{ fact(slug: "one") { conflict } facts(conflict: true) { edges { node { slug } } } }')
    assert again["fact"]["conflict"] is conflict and len(again["facts"]["edges"]) == conflict

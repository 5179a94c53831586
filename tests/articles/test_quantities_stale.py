"""What both APIs say of a quantity whose record has moved, and in which units."""

import pytest

from articles import services
from catalog.models import Device
from core.facts.models import Claim
from core.facts.services import choose_claim, settle_choices
from core.publishing.services import database_now
from simulator.services import save_scenario
from tests.factories import make_device, make_fact, make_live_article, make_source
from tests.graphql.asking import data_of as ask

pytestmark = pytest.mark.django_db

QUERY = """
query ($slug: String!) { article(slug: $slug) { quantities {
  key text value unit stale sourceChanged si: text(units: SI) converted(units: US) { value unit }
  now { value unit text dated confidence claimKind sourceId source us: text(units: US) } } } }
"""


@pytest.fixture
def fact():
    return make_fact(("287.6", "lb"), subject=make_device(slug="dgx"), field="weight_kg")


@pytest.fixture
def article(fact):
    return make_live_article(slug="heavy", body="It weighs {{dgx.weight_kg}}.\n")


def by_rest(client, **asked):
    (quantity,) = client.get("/api/v1/articles/heavy/", asked).json()["quantities"]
    return quantity


def by_graphql(client):
    (quantity,) = ask(client, QUERY, slug="heavy")["article"]["quantities"]
    return quantity


def claim(fact, value, unit, **fields):
    made = Claim.objects.create(
        **{"fact": fact, "value": value, "unit": unit, "source": make_source(slug="newer"), **fields}
    )
    choose_claim(fact, made)
    return made


def test_what_its_record_still_says_is_not_stale(client, article, fact):
    quantity = by_rest(client)

    assert (quantity["stale"], quantity["source_changed"]) == (False, False)
    assert (quantity["value"], quantity["unit"], quantity["text"]) == ("287.6", "lb", "287.6 lb")
    assert quantity["now"] == {
        "value": "287.6", "unit": "lb", "text": "287.6 lb", "dated": "", "confidence": "reported",
        "claim_kind": "stated", "source_id": str(fact.chosen.source_id), "source": fact.chosen.source.slug,
    }  # fmt: skip


def test_what_its_record_no_longer_says_is_stale_beside_what_it_says(client, article, fact):
    other = claim(fact, "131", "kg", dated="2026-11", confidence="verified", claim_kind="measured")

    quantity, again = by_rest(client), by_graphql(client)

    assert (quantity["text"], quantity["stale"], quantity["source_changed"]) == ("287.6 lb", True, False)
    assert quantity["now"] == {
        "value": "131", "unit": "kg", "text": "131 kg", "dated": "2026-11", "confidence": "verified",
        "claim_kind": "measured", "source_id": str(other.source_id), "source": "newer",
    }  # fmt: skip
    assert (again["stale"], again["text"], again["value"], again["unit"]) == (True, "287.6 lb", "287.6", "lb")
    assert again["now"] == {
        "value": "131", "unit": "kg", "text": "131 kg", "dated": "2026-11", "confidence": "verified",
        "claimKind": "measured", "sourceId": str(other.source_id), "source": "newer", "us": "289 lb",
    }  # fmt: skip


def test_the_same_quantity_by_another_source_is_not_stale_and_said(client, article, fact):
    claim(fact, "4601.6", "oz")

    quantity, again = by_rest(client), by_graphql(client)

    assert (quantity["stale"], quantity["source_changed"], quantity["now"]["source"]) == (False, True, "newer")
    assert (again["stale"], again["sourceChanged"]) == (False, True)


def test_a_record_that_says_nothing_any_more_leaves_the_published_value(client, article, fact):
    fact.claims.all().delete()
    settle_choices([fact])

    quantity, again = by_rest(client), by_graphql(client)

    assert (quantity["stale"], quantity["text"]) == (True, "287.6 lb")
    assert (quantity["now"]["value"], quantity["now"]["text"], quantity["now"]["source"]) == (None, None, None)
    assert (again["stale"], again["now"]["value"], again["now"]["text"]) == (True, None, None)


def test_a_scenario_that_is_computed_anew(client, fact):
    make_fact(("8", "U"), subject=Device.objects.get(), field="u_height")
    make_fact(("10.2", "kW"), subject=Device.objects.get())
    save_scenario(slug="one", title="Rack", input={"items": [{"device": "dgx", "quantity": 2}]})
    make_live_article(slug="heavy", body="It takes {{scenario:one.nameplate_kw}}.\n")
    assert by_rest(client)["stale"] is False

    save_scenario(slug="one", title="Rack", input={"items": [{"device": "dgx", "quantity": 3}]})

    quantity = by_rest(client)
    assert (quantity["text"], quantity["stale"], quantity["now"]["text"]) == ("20.4 kW", True, "30.6 kW")


def test_an_article_as_of_an_earlier_instant_speaks_of_today(client, article, fact):
    then = database_now().isoformat()
    claim(fact, "131", "kg")

    assert by_rest(client, as_of=then)["stale"] is True


@pytest.mark.django_db(transaction=True)
def test_the_etag_of_an_article_moves_with_its_records(client, article, fact):
    before = client.get("/api/v1/articles/heavy/")
    assert client.get("/api/v1/articles/heavy/", headers={"If-None-Match": before["ETag"]}).status_code == 304

    claim(fact, "131", "kg")

    after = client.get("/api/v1/articles/heavy/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200 and after["ETag"] != before["ETag"]
    Claim.objects.filter(fact=fact, unit="kg").update(value="132")
    assert client.get("/api/v1/articles/heavy/", headers={"If-None-Match": after["ETag"]}).status_code == 200


def test_quantities_are_shown_in_units_that_are_asked_for(client, article, fact):
    plain, si, us = by_rest(client), by_rest(client, units="si"), by_rest(client, units="us")
    again = by_graphql(client)

    assert [q["text"] for q in (plain, si, us)] == ["287.6 lb", "130.5 kg", "287.6 lb"]
    assert [(q["value"], q["unit"]) for q in (plain, si, us)] == [("287.6", "lb")] * 3
    assert plain["converted"] == {"value": 287.6, "unit": "lb"} and si["converted"] == {"value": 130.5, "unit": "kg"}
    assert (again["si"], again["converted"]) == ("130.5 kg", {"value": 287.6, "unit": "lb"})


def test_units_that_do_not_exist_are_refused(client, article):
    response = client.get("/api/v1/articles/heavy/", {"units": "imperial"})

    assert response.status_code == 400
    assert response.json()["errors"][0] == {
        "field": "units",
        "code": "not_a_choice",
        "message": "units is one of si, us, not 'imperial'.",
    }


@pytest.mark.parametrize("size", [2, 20])
def test_quantities_cost_the_same_however_many_there_are(client, django_assert_num_queries, size):
    device = make_device(slug="dgx")
    for n in range(size):
        make_fact((str(n + 1), "kg"), subject=device, field=f"part_{n}_kg")
    body = " ".join(f"{{{{dgx.part_{n}_kg}}}}" for n in range(size))
    for n in range(3):
        make_live_article(slug=f"heavy-{n}" if n else "heavy", body=f"It weighs {body}.\n")

    with django_assert_num_queries(2):
        item = client.get("/api/v1/articles/heavy/").json()
    with django_assert_num_queries(3):  # the moment, the articles, the quantities of all of them
        found = ask(client, "{ articles { edges { node { quantities { stale now { text } } } } } }")

    assert len(item["quantities"]) == size
    assert [len(edge["node"]["quantities"]) for edge in found["articles"]["edges"]] == [size] * 3


def test_what_was_withdrawn_shows_no_quantity(client, article):
    services.withdraw_article(article, reason="Wrong.")

    assert client.get("/api/v1/articles/heavy/").status_code == 404
    assert ask(client, QUERY, slug="heavy")["article"] is None

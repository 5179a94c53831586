"""Quantities of prose: bound to a record, frozen with the edition."""

import pytest
from django.core.exceptions import ValidationError

from articles import services
from core.facts.models import Claim
from core.facts.services import choose_claim
from simulator.services import save_scenario
from tests.factories import (
    make_article,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_next_edition,
    make_person,
    make_source,
)

pytestmark = pytest.mark.django_db


ABOUT_TODAY = ("stale", "source_changed", "now")


def frozen(article):
    """Return an article without what it says of today."""
    quantities = [{k: v for k, v in q.items() if k not in ABOUT_TODAY} for q in article["quantities"]]
    return {**article, "quantities": quantities}


def article_of(client, article):
    return client.get(f"/api/v1/articles/{article.pk}/").json()


def test_a_published_quantity_keeps_value_and_source_until_a_person_publishes_another(client):
    device = make_device(slug="dgx")
    fact = make_fact(("10.2", "kW"), subject=device)
    source = fact.chosen.source
    article = make_live_article(body="It draws {{dgx.power_nameplate_w}}.\n")
    before = article_of(client, article)

    other = Claim.objects.create(fact=fact, value="10.4", unit="kW", source=make_source(), confidence="verified")
    choose_claim(fact, other)

    after = article_of(client, article)
    assert client.get("/api/v1/devices/dgx/").json()["power_nameplate_w"] == 10400
    assert frozen(after) == frozen(before)
    assert "It draws <data" in after["html"]
    assert after["blocks"][0]["text"] == "It draws {{dgx.power_nameplate_w}}."
    (quantity,) = after["quantities"]
    assert (quantity["text"], quantity["value"], quantity["unit"]) == ("10.2 kW", "10.2", "kW")
    assert (quantity["source"], quantity["source_id"]) == (source.slug, str(source.pk))

    make_next_edition(article, body="It draws {{ dgx.power_nameplate_w }}.\n")

    assert article_of(client, article)["quantities"][0]["text"] == "10.4 kW"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("device:dgx.weight_kg", "287.6 lb"),
        ("dgx.weight_kg", "287.6 lb"),
        ("site-one.power_w", "150 MW"),
        ("installation:site-one.power_w", "150 MW"),
        ("fact:grid-share", "4.4"),
        ("scenario:one.nameplate_kw", "20.4 kW"),
    ],
)
def test_each_kind_of_record_gives_its_value(client, key, text):
    device = make_device(slug="dgx")
    make_fact(("287.6", "lb"), subject=device, field="weight_kg")
    make_fact(("10200", "W"), subject=device)
    make_fact(("8", "U"), subject=device, field="u_height")
    make_fact(("150000", "kW"), subject=make_installation(slug="site-one"), field="power_w")
    make_fact(("4.4", ""), slug="grid-share", field="share")
    save_scenario(slug="one", title="Two in a rack", input={"items": [{"device": "dgx", "quantity": 2}]})

    article = make_live_article(body=f"It is {{{{{key}}}}}.\n")

    (quantity,) = article_of(client, article)["quantities"]
    assert (quantity["key"], quantity["text"]) == (key, text)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("typical_kw", "unknown_quantity"),
        ("power.typical_kw", "unknown_quantity"),
        ("floor_load_kg_m2", "unknown_quantity"),
        ("typicla_kw", "dangling_quantity"),
        ("power.typicla_kw", "dangling_quantity"),
    ],
)
def test_a_number_of_a_scenario_that_is_unknown_is_said_to_be_and_another_is_not_there(name, code):
    device = make_device(slug="dgx")
    make_fact(("10200", "W"), subject=device)
    save_scenario(slug="one", title="Two in a rack", input={"items": [{"device": "dgx", "quantity": 2}]})
    article = make_article(body=f"It draws {{{{scenario:one.{name}}}}}.\n")

    with pytest.raises(ValidationError) as error:
        services.submit_article(article, by=make_person())

    (problem,) = error.value.error_dict["body"]
    assert (problem.code, problem.params) == (code, {"line": 1, "column": 10})
    assert ("save it, or name another quantity" in problem.message) is (code == "unknown_quantity")
    assert article.editions.count() == 0


def test_a_quantity_that_nobody_states_is_refused_with_its_place():
    make_device(slug="dgx")
    article = make_article(body="Text.\n\nIt draws {{dgx.power_nameplate_w}}.\n")

    with pytest.raises(ValidationError) as error:
        services.submit_article(article, by=make_person())

    (problem,) = error.value.error_dict["body"]
    assert (problem.code, problem.params) == ("dangling_quantity", {"line": 3, "column": 10})
    assert article.editions.count() == 0

"""Which articles use a record, in both APIs: what readers see, and never a draft."""

import pytest

from articles import services
from articles.models import Article
from simulator.services import save_scenario
from sponsors.models import Vendor
from sponsors.services import withdraw_vendor
from tests.factories import (
    make_approved_edition,
    make_article,
    make_device,
    make_fact,
    make_installation,
    make_live_article,
    make_next_edition,
    make_source,
)
from tests.graphql.asking import data_of
from tests.sponsors.factories import make_image, make_live_vendor

pytestmark = pytest.mark.django_db

BODIES = {
    "device": "::: device slug=dgx\n:::\n",
    "installation": "At {{site.power_w}}.\n",
    "fact": "They say {{fact:share}}.\n",
    "source": "They say so [@guide].\n",
    "scenario": "::: rack scenario=rack\n:::\n",
    "vendor": "See [them](vendor:acme).\n",
    "image": "::: figure src=pump.png alt=Pump\nA pump.\n:::\n",
    "links_to": "See [it](article:linked).\n",
}
SLUGS = {
    "device": "dgx", "installation": "site", "fact": "share", "source": "guide", "scenario": "rack", "vendor": "acme",
    "image": "pump.png", "links_to": "linked",
}  # fmt: skip


@pytest.fixture
def records():
    device = make_device(slug="dgx")
    make_fact(("10.2", "kW"), subject=device)
    make_fact(("8", "U"), subject=device, field="u_height")
    make_fact(("150", "MW"), subject=make_installation(slug="site"), field="power_w")
    make_fact(("4.4", "%"), slug="share")
    make_source(slug="guide")
    save_scenario(slug="rack", title="Rack", input={"items": [{"device": "dgx", "quantity": 2}]})
    make_live_vendor(slug="acme")
    make_image(name="pump.png")
    make_live_article(slug="linked")


def by_rest(client, **asked):
    response = client.get("/api/v1/articles/", {**asked, "count": "true"})
    assert response.status_code == 200, response.content
    found = response.json()
    assert found["count"] == len(found["results"])
    return [row["slug"] for row in found["results"]]


def by_graphql(client, name, slug):
    argument = "linksTo" if name == "links_to" else name
    query = f'{{ articles({argument}: "{slug}") {{ totalCount edges {{ node {{ slug }} }} }} }}'
    found = data_of(client, query)["articles"]
    slugs = [edge["node"]["slug"] for edge in found["edges"]]
    assert found["totalCount"] == len(slugs)
    return slugs


@pytest.mark.parametrize("name", BODIES)
def test_only_what_readers_see_is_found_by_what_it_names(client, records, name):
    body = BODIES[name]
    make_live_article(slug="user", body=body)
    make_article(slug="draft", body=body)
    make_approved_edition(slug="review", body=body)
    services.withdraw_article(make_live_article(slug="gone", body=body), reason="Wrong.")
    make_next_edition(make_live_article(slug="no-longer", body=body), body="Nothing is named.\n")

    assert by_rest(client, **{name: SLUGS[name]}) == ["user"]
    assert by_graphql(client, name, SLUGS[name]) == ["user"]
    assert by_rest(client, **{name: "no-such"}) == []


def test_a_device_is_used_through_its_facts(client, records):
    make_live_article(slug="bound", body="It draws {{dgx.power_nameplate_w}}.\n")

    assert by_rest(client, device="dgx") == ["bound"]
    found = data_of(
        client, '{ device(slug: "dgx") { articles { totalCount edges { node { slug } } } '
        "scenarios { edges { node { slug } } } } }",
    )["device"]  # fmt: skip
    assert found["articles"] == {"totalCount": 1, "edges": [{"node": {"slug": "bound"}}]}
    assert found["scenarios"]["edges"] == [{"node": {"slug": "rack"}}]


def test_a_source_is_used_where_a_number_was_taken_from_it(client, records):
    fact = make_fact(("1", "W"), slug="idle")
    make_live_article(slug="bound", body="It idles at {{fact:idle}}.\n")

    assert by_rest(client, source=fact.chosen.source.slug) == ["bound"]


def test_nobody_finds_by_an_article_or_a_vendor_that_is_hidden(client, records):
    make_live_article(slug="user", body=BODIES["vendor"] + "\n" + BODIES["links_to"])
    withdraw_vendor(Vendor.objects.get(slug="acme"), reason="Gone.")
    services.withdraw_article(Article.objects.get(slug="linked"), reason="Gone.")

    assert by_rest(client, vendor="acme") == by_rest(client, links_to="linked") == []


def test_records_of_graphql_tell_who_uses_them(client, records):
    make_live_article(slug="user", body="\n".join(BODIES.values()))

    found = data_of(
        client,
        """{
      fact(slug: "share") { articles { edges { node { slug } } } }
      scenario(slug: "rack") { articles { edges { node { slug } } } }
      source(slug: "guide") { articles { edges { node { slug } } } }
      installation(slug: "site") { articles { edges { node { slug } } } }
      vendor(slug: "acme") { articles { edges { node { slug } } } }
      article(slug: "linked") { linkedFrom { edges { node { slug } } } }
    }""",
    )

    article = found.pop("article")
    assert {name: one["articles"]["edges"] for name, one in found.items()} == {
        name: [{"node": {"slug": "user"}}] for name in found
    }
    assert article["linkedFrom"]["edges"] == [{"node": {"slug": "user"}}]


def test_scenarios_are_found_by_a_device(client, records):
    def scenarios(slug):
        return [row["slug"] for row in client.get("/api/v1/scenarios/", {"device": slug}).json()["results"]]

    assert (scenarios("dgx"), scenarios("no-such")) == (["rack"], [])


def test_the_etag_of_a_list_depends_on_what_it_asks_about(client, records):
    plain, asked = client.get("/api/v1/articles/"), client.get("/api/v1/articles/", {"device": "dgx"})

    assert "device" in asked["Cache-Tag"].split(",") and "device" not in plain["Cache-Tag"].split(",")

"""A saved run has its pictures at addresses of its own, drawn of the report that readers have."""

import json
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from articles.models import Edition
from articles.previews import preview_of_draft, preview_of_edition
from catalog.models import Device
from simulator.engine import LAYERS, RackReport, as_data, read_layer, run_asked
from simulator.models import Scenario
from simulator.restoring import NotAsStored, restored
from simulator.services import run_rack, save_scenario
from tests.factories import make_article, make_live_article
from tests.simulator.test_layers import INPUTS, LADDER
from tests.simulator.test_services import FOUR, make_dgx

pytestmark = pytest.mark.django_db
TITLE = "{http://www.w3.org/2000/svg}title"


def pictures(slug):
    return f"/api/v1/scenarios/{slug}/pictures/"


def title_of(response):
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    return ElementTree.fromstring(response.content).find(TITLE).text


RANGED = {**LADDER, "pue": {"low": 1.1, "typical": 1.18, "high": 1.3}}


@pytest.fixture
def ladder():
    return save_scenario(slug="site", title="Site", kind="ladder", input=RANGED)


@pytest.fixture
def rack():
    make_dgx()
    return save_scenario(slug="four", title="Four", input=FOUR)


@pytest.mark.parametrize("name", ["ladder", "waterfall"])
def test_a_ladder_has_the_pictures_of_its_question(client, ladder, name):
    same = client.get(f"/api/v1/simulator/{name}.json", {"input": json.dumps(RANGED)}).json()

    table = client.get(f"{pictures('site')}{name}.json").json()
    svg = client.get(f"{pictures('site')}{name}.svg")

    assert {**table, "svg": ""} == {**same, "svg": ""}
    assert table["svg"] == f"http://testserver{pictures('site')}{name}.svg"
    assert title_of(svg) == table["title"]
    assert client.get(f"{pictures(ladder.pk)}{name}.svg").content == svg.content
    narrow = client.get(f"{pictures('site')}{name}.svg", {"width": "narrow"})
    assert narrow.content != svg.content and title_of(narrow) == table["title"]


def test_a_rack_has_its_elevation_and_its_cooling(client, rack):
    assert title_of(client.get(f"{pictures('four')}rack.svg")) == "Rack of 42 U, 32 U used"
    assert client.get(f"{pictures('four')}cooling.json").json()["title"]
    page = client.get(f"{pictures('four')}rack.html")
    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")


def test_what_is_drawn_is_what_was_saved_until_it_is_accepted(client, rack):
    before = client.get(f"{pictures('four')}cooling.json").json()
    Device.objects.update(power_nameplate_w=5_000)

    assert client.get(f"{pictures('four')}cooling.json").json() == before

    save_scenario(slug="four", title="Four", input=FOUR)
    assert client.get(f"{pictures('four')}cooling.json").json() != before


@pytest.mark.django_db(transaction=True)  # Versions move at a commit.
def test_an_unchanged_picture_is_a_304(client, ladder, django_assert_num_queries):
    etag = client.get(f"{pictures('site')}ladder.svg")["ETag"]

    with django_assert_num_queries(1):
        assert client.get(f"{pictures('site')}ladder.svg", headers={"if-none-match": etag}).status_code == 304
    save_scenario(slug="site", title="Site", kind="ladder", input=LADDER)
    assert client.get(f"{pictures('site')}ladder.svg", headers={"if-none-match": etag}).status_code == 200


@pytest.mark.parametrize(
    ("key", "name", "said"),
    [
        ("none", "ladder.svg", ""),
        ("a%00", "ladder.svg", ""),
        ("site", "rack.svg", "It has no picture rack; it has ladder and waterfall."),
        ("hall", "ladder.json", "It has no picture ladder; a scenario of the kind hall has none."),
        ("old", "ladder.svg", "An earlier engine saved its report"),
    ],
)
def test_what_has_no_such_picture_says_so(client, ladder, key, name, said):
    save_scenario(slug="hall", title="Hall", kind="hall", input=INPUTS["hall"])
    Scenario.objects.create(
        slug="old", title="Old", kind="ladder", input=LADDER, result={"rungs": []}, engine_version="0"
    )

    response = client.get(f"/api/v1/scenarios/{key}/pictures/{name}")

    assert response.status_code == 404
    assert said in response.content.decode()


def test_a_rack_whose_devices_are_gone_says_so_and_nothing_breaks(client, rack):
    Device.objects.update(slug="renamed")

    gone = client.get(f"{pictures('four')}rack.svg")

    assert (gone.status_code, "no longer has what this rack is made of" in gone.content.decode()) == (404, True)
    assert client.get(f"{pictures('four')}cooling.svg").status_code == 200


def test_a_parameter_that_there_is_not_is_refused(client, ladder):
    for query, field in (({"width": "huge"}, "width"), ({"input": "{}"}, "input")):
        response = client.get(f"{pictures('site')}ladder.svg", query)
        assert (response.status_code, response.json()["errors"][0]["field"]) == (400, field)


def test_a_preview_shows_the_pictures_of_what_it_embeds(client, ladder, rack):
    body = "::: ladder scenario=site\n:::\n\n::: rack scenario=four\n:::\n\n::: rack scenario=site\n:::\n"
    make_live_article(body=body)

    for preview in (preview_of_draft(make_article(body=body)), preview_of_edition(Edition.objects.get())):
        assert preview.html.count('<img class="scenario"') == 2
        assert f'src="{pictures("site")}ladder.svg" alt="The ladder site"' in preview.html
        assert f'src="{pictures("four")}rack.svg" alt="The rack four"' in preview.html


def test_the_admin_shows_the_pictures_of_a_ladder(admin_client, ladder):
    page = admin_client.get(reverse("admin:simulator_scenario_change", args=[ladder.pk])).content.decode()

    for name in ("ladder", "waterfall"):
        assert f'src="{pictures(ladder.pk)}{name}.svg"' in page


# What was stored comes back as the engine made it.


@pytest.mark.parametrize("name", LAYERS)
def test_a_stored_report_is_the_report_of_the_engine_again(name):
    report = run_asked(LAYERS[name], read_layer(LAYERS[name], INPUTS[name]))

    assert as_data(restored(type(report), as_data(report))) == as_data(report)


@given(quantity=st.integers(1, 5), rise=st.integers(5, 30))
@settings(max_examples=5, deadline=None)
def test_a_stored_rack_is_the_report_again(quantity, rise):
    if not Device.objects.exists():
        make_dgx()
    items = [{"device": "nvidia-dgx-h100", "quantity": quantity}]
    report = run_rack({"items": items, "air_rise_k": rise, "inlet_c": {"low": 20, "typical": 25, "high": 30}}).report

    assert as_data(restored(RackReport, as_data(report))) == as_data(report)


def test_what_lacks_a_part_is_not_restored():
    with pytest.raises(NotAsStored):
        restored(RackReport, {})

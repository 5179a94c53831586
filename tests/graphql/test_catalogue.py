"""Sections, the scale, devices, installations and facts over GraphQL."""

from decimal import Decimal

import pytest

from catalog.models import DeviceComponent, Manufacturer, Rung
from core.api.graphql import reads
from core.facts.models import Claim
from core.media.services import register_missing_image
from tests.factories import make_device, make_fact, make_installation, make_live_article, make_section, make_source
from tests.graphql.asking import codes_of, data_of

pytestmark = pytest.mark.django_db


def slugs(page) -> list[str]:
    return [edge["node"]["slug"] for edge in page["edges"]]


def test_sections_and_the_scale_come_in_their_order(client):
    data = data_of(client, "{ sections { slug } scale { slug minW maxW } }")

    assert [section["slug"] for section in data["sections"]] == [
        "compute", "power", "cooling", "network", "storage", "facilities",
    ]  # fmt: skip
    assert [rung["slug"] for rung in data["scale"]] == ["chip", "rack", "hall", "campus", "grid"]
    assert data["scale"][0]["minW"] < data["scale"][0]["maxW"]


def test_a_device_with_every_field(client):
    device = make_device(
        slug="dgx", model="DGX", section=make_section("compute"), part_number="007", device_kind="server",
        description="Eight.", comments="Heavy.", is_full_depth=True, is_powered=True, is_whole_rack=False,
        airflow="front-to-rear", subdevice_role="parent", u_height="8", weight="287.6", weight_unit="lb",
        weight_kg="130.453166", power_nameplate_w="10200", power_typical_w="8400.5", power_idle_w="1500",
        heat_to_liquid_fraction="0.87", airflow_m3_h="1877.4", cooling_capacity_w="250000", gpu_count=8,
        gpu_tdp_w="700", licence="CC0-1.0",
    )  # fmt: skip
    query = """{ device(slug: "dgx") {
      id slug model partNumber deviceKind description comments uHeight isFullDepth isWholeRack isPowered airflow
      subdeviceRole weightKg weightAsEntered { value unit } powerNameplateW powerTypicalW powerIdleW
      heatToLiquidFraction airflowM3H coolingCapacityW gpuCount gpuTdpW licence
      manufacturer { slug name } section { slug }
    } }"""

    assert data_of(client, query)["device"] == {
        "id": str(device.pk), "slug": "dgx", "model": "DGX", "partNumber": "007", "deviceKind": "server",
        "description": "Eight.", "comments": "Heavy.", "uHeight": 8, "isFullDepth": True, "isWholeRack": False,
        "isPowered": True, "airflow": "front-to-rear", "subdeviceRole": "parent", "weightKg": 130.453166,
        "weightAsEntered": {"value": 287.6, "unit": "lb"}, "powerNameplateW": 10200, "powerTypicalW": 8400.5,
        "powerIdleW": 1500, "heatToLiquidFraction": 0.87, "airflowM3H": 1877.4, "coolingCapacityW": 250000,
        "gpuCount": 8, "gpuTdpW": 700, "licence": "CC0-1.0", "manufacturer": {"slug": "acme", "name": "Acme"},
        "section": {"slug": "compute"},
    }  # fmt: skip


def test_what_nobody_states_is_null(client):
    make_device(slug="bare")
    query = (
        '{ device(slug: "bare") { powerNameplateW weightKg uHeight gpuCount isPowered section { slug } facts { id } } }'
    )

    assert data_of(client, query)["device"] == {
        "powerNameplateW": None,
        "weightKg": None,
        "uHeight": None,
        "gpuCount": None,
        "isPowered": None,
        "section": None,
        "facts": [],
    }


def test_numbers_are_exact(client):
    fact = make_fact(("123456789012345678901.000000001", "W"), ("0.10", "W"), ("100", "W"))

    response = client.post(
        "/graphql/",
        {"query": f'{{ fact(id: "{fact.pk}") {{ claims {{ value }} }} }}'},
        content_type="application/json",
    )

    assert b'[{"value":123456789012345678901.000000001},{"value":0.1},{"value":100}]' in response.content


def test_devices_are_narrowed(client):
    other = Manufacturer.objects.create(slug="globex", name="Globex")
    make_device(
        slug="right", model="Zephyr", section=make_section("power"), device_kind="pdu", power_nameplate_w="100000",
        weight_kg="50", u_height="4", airflow_m3_h="800", manufacturer=other, description="A quiet one.",
    )  # fmt: skip
    make_device(slug="small", power_nameplate_w="300", weight_kg="2", u_height="1", airflow_m3_h="10")
    make_device(slug="unknown")
    for narrowed in (
        'manufacturer: "globex"',
        'section: "power"',
        'deviceKind: "pdu"',
        'search: "zephyr"',
        'search: "quiet"',
        'powerGte: "100kW"',
        'powerGte: "0.1 MW", powerLte: "0.1MW"',
        'weightGte: "110 lb"',
        'heightGte: "2"',
        'airflowGte: "400 CFM"',
    ):
        assert slugs(data_of(client, f"{{ devices({narrowed}) {{ edges {{ node {{ slug }} }} }} }}")["devices"]) == [
            "right"
        ], narrowed
    small = data_of(client, '{ devices(powerLte: "1kW") { totalCount edges { node { slug } } } }')["devices"]
    assert (slugs(small), small["totalCount"]) == (["small"], 1)


@pytest.mark.parametrize("value", ["much", "5 kg", "", "1e999"])
def test_a_quantity_of_another_kind_is_refused(client, value):
    assert codes_of(client, f'{{ devices(powerGte: "{value}") {{ totalCount }} }}') == ["not_a_quantity"]


def test_devices_page_by_slug_in_code_point_order(client):
    for slug in ("b", "a-2", "a_1", "a", "a1"):
        make_device(slug=slug)
    query = """query ($after: String) { devices(first: 2, after: $after) {
      edges { node { slug } } pageInfo { hasNextPage endCursor } } }"""
    found, after, more = [], None, True
    while more:
        page = data_of(client, query, after=after)["devices"]
        found += slugs(page)
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]

    assert found == sorted(["b", "a-2", "a_1", "a", "a1"])


def test_components_have_pages(client):
    device = make_device(slug="switch")
    DeviceComponent.objects.bulk_create(
        DeviceComponent(
            device=device, component_kind="interfaces", name=f"{n:02}", position=n, maximum_draw_w=Decimal("2.5")
        )
        for n in range(130)
    )
    query = """{ device(slug: "switch") { components(first: 100) {
      totalCount edges { node { componentKind name maximumDrawW allocatedDrawW } } pageInfo { hasNextPage } } } }"""

    page = data_of(client, query)["device"]["components"]

    assert (page["totalCount"], page["pageInfo"]) == (130, {"hasNextPage": True})
    assert page["edges"][0]["node"] == {
        "componentKind": "interfaces",
        "name": "00",
        "maximumDrawW": 2.5,
        "allocatedDrawW": None,
    }


def test_a_list_without_pages_is_never_cut_in_silence(client):
    device = make_device(slug="many")
    for n in range(101):
        make_fact(subject=device, field=f"field_{n}")

    assert codes_of(client, '{ device(slug: "many") { facts { id } } }') == ["list_too_long"]


def test_the_parts_of_a_text_are_never_cut_in_silence(client, monkeypatch):
    monkeypatch.setattr(reads, "MAX_PARTS", 2)
    names = [register_missing_image(name=f"{n}.png", alt="A rack").name for n in range(3)]
    devices = [make_device().slug for _ in range(3)]
    for slug, count in (("two", 2), ("three", 3)):
        make_live_article(slug=f"images-{slug}", body="".join(f"![A rack]({name})\n\n" for name in names[:count]))
        make_live_article(
            slug=f"devices-{slug}", body="".join(f"::: device slug={d}\n:::\n\n" for d in devices[:count])
        )
    images = '{ article(slug: "images-%s") { images { name } } }'
    blocks = '{ article(slug: "devices-%s") { blocks { ... on DeviceBlock { device { slug } } } } }'

    assert len(data_of(client, images % "two")["article"]["images"]) == 2
    assert codes_of(client, images % "three") == ["list_too_long"]
    assert [b["device"]["slug"] for b in data_of(client, blocks % "two")["article"]["blocks"]] == devices[:2]
    assert set(codes_of(client, blocks % "three")) == {"list_too_long"}  # Of each device that is asked for.


def test_a_fact_shows_what_is_in_use_and_what_else_was_said(client):
    device = make_device(slug="dgx")
    fact = make_fact(("10.2", "kW"), ("10.4", "kW"), subject=device, slug="dgx-power", label="Power of a DGX")
    query = """{ fact(slug: "dgx-power") {
      id label subjectKind subjectId field
      chosen { value unit claimKind confidence source { slug facts { edges { node { slug } } } } }
      claims { value } subject { id ... on Device { slug facts { slug } } }
    } }"""

    found = data_of(client, query)["fact"]

    source = Claim.objects.get(pk=fact.chosen_id).source
    assert found == {
        "id": str(fact.pk),
        "label": "Power of a DGX",
        "subjectKind": "device",
        "subjectId": str(device.pk),
        "field": "power_nameplate_w",
        "chosen": {
            "value": 10.2,
            "unit": "kW",
            "claimKind": "stated",
            "confidence": "reported",
            "source": {"slug": source.slug, "facts": {"edges": [{"node": {"slug": "dgx-power"}}]}},
        },
        "claims": [{"value": 10.2}, {"value": 10.4}],
        "subject": {"id": str(device.pk), "slug": "dgx", "facts": [{"slug": "dgx-power"}]},
    }


def test_facts_and_sources_are_narrowed(client):
    device = make_device()
    right = make_fact(("1", "kW"), subject=device, field="power_nameplate_w")
    make_fact(("1", "kW"))
    source = Claim.objects.get(fact=right).source
    for narrowed in (
        'subjectKind: "device"',
        f'subjectId: "{device.pk}"',
        'subjectKind: "device", field: "power_nameplate_w"',
        f'source: "{source.slug}"',
    ):
        page = data_of(client, f"{{ facts({narrowed}) {{ edges {{ node {{ slug }} }} }} }}")["facts"]
        assert slugs(page) == [right.slug], narrowed
    make_source(slug="guide", publisher="ASHRAE")
    page = data_of(client, '{ sources(publisher: "ASHRAE") { edges { node { slug } } } }')["sources"]
    assert slugs(page) == ["guide"]
    assert codes_of(client, '{ facts(subjectKind: "planet") { totalCount } }') == ["not_a_choice"]
    assert codes_of(client, '{ facts(subjectId: "dgx") { totalCount } }') == ["not_an_id"]


def test_installations_with_their_facts(client):
    site = make_installation(
        slug="site", name="Site One", operator="Acme", place="Memphis", country="US", status="operating",
        rung=Rung.objects.get(slug="campus"), description="Large.",
    )  # fmt: skip
    make_installation(slug="elsewhere")
    make_fact(("150", "MW"), subject=site, field="power_w")
    fields = "slug name operator place country status description rung { slug } facts { field chosen { value unit } }"
    for narrowed in ('country: "US"', 'rung: "campus"', 'status: "operating"'):
        page = data_of(client, f"{{ installations({narrowed}) {{ edges {{ node {{ {fields} }} }} }} }}")
        assert [edge["node"] for edge in page["installations"]["edges"]] == [
            {
                "slug": "site", "name": "Site One", "operator": "Acme", "place": "Memphis", "country": "US",
                "status": "operating", "description": "Large.", "rung": {"slug": "campus"},
                "facts": [{"field": "power_w", "chosen": {"value": 150, "unit": "MW"}}],
            }
        ], narrowed  # fmt: skip
    assert codes_of(client, '{ installations(status: "open") { totalCount } }') == ["not_a_choice"]


def test_what_belongs_to_a_manufacturer_a_section_a_rung(client):
    make_device(slug="dgx", section=make_section("compute"))
    make_installation(slug="site", rung=Rung.objects.get(slug="campus"))
    page = "{ totalCount edges { node { slug } } }"
    query = f"""{{
      manufacturer(slug: "acme") {{ devices {page} }}
      section(slug: "compute") {{ devices {page} }}
      rung(slug: "campus") {{ installations {page} }}
      manufacturers {{ edges {{ node {{ slug devices {page} }} }} }}
    }}"""

    data = data_of(client, query)

    one = {"totalCount": 1, "edges": [{"node": {"slug": "dgx"}}]}
    assert data["manufacturer"]["devices"] == data["section"]["devices"] == one
    assert data["rung"]["installations"] == {"totalCount": 1, "edges": [{"node": {"slug": "site"}}]}
    assert data["manufacturers"]["edges"] == [{"node": {"slug": "acme", "devices": one}}]

"""Vendors, placements, search and look-ups by id over GraphQL."""

import pytest

from catalog.models import Manufacturer
from sponsors import services as sponsors
from sponsors.models import VendorEdition
from tests.factories import make_author, make_device, make_installation, make_live_article, make_section, make_tag
from tests.graphql.asking import codes_of, data_of
from tests.sponsors.factories import (
    approve_placement,
    make_live_placement,
    make_live_vendor,
    make_placement,
    republish,
)

pytestmark = pytest.mark.django_db


def test_a_vendor_with_every_field(client):
    maker = Manufacturer.objects.create(slug="globex", name="Globex")
    parent = make_live_vendor(slug="parent", name="Parent")
    vendor = make_live_vendor(
        slug="acme", name="Acme Cooling", description="Makes pumps.", role="builder", country="NO", city="Oslo",
        company_status="active", parent=parent, manufacturer=maker, unverified=["city"],
        sections=[make_section("cooling"), make_section("power")], homepage="https://www.example.com/acme",
    )  # fmt: skip
    edition = VendorEdition.objects.get(vendor=vendor)
    query = """{ vendor(slug: "acme") {
      id slug name description role companyStatus homepage domain rel country city unverified edition sha256
      sections { slug } manufacturer { slug } parent { slug } facts { id } placements { totalCount }
    } }"""

    assert data_of(client, query)["vendor"] == {
        "id": str(vendor.pk), "slug": "acme", "name": "Acme Cooling", "description": "Makes pumps.",
        "role": "builder", "companyStatus": "active", "homepage": "https://www.example.com/acme",
        "domain": "example.com", "rel": "nofollow noopener", "country": "NO", "city": "Oslo", "unverified": ["city"],
        "edition": 1, "sha256": edition.sha256, "sections": [{"slug": "cooling"}, {"slug": "power"}],
        "manufacturer": {"slug": "globex"}, "parent": {"slug": "parent"}, "facts": [],
        "placements": {"totalCount": 0},
    }  # fmt: skip


def test_what_is_not_known_of_a_vendor_is_null(client):
    make_live_vendor(slug="bare", homepage="")
    fields = "homepage domain companyStatus country city sections { slug } manufacturer { slug } parent { slug }"
    query = f'{{ vendor(slug: "bare") {{ {fields} }} }}'

    assert data_of(client, query)["vendor"] == {
        "homepage": None,
        "domain": None,
        "companyStatus": None,
        "country": None,
        "city": None,
        "sections": [],
        "manufacturer": None,
        "parent": None,
    }


def test_vendors_are_narrowed_and_ordered(client):
    maker = Manufacturer.objects.create(slug="globex", name="Globex")
    parent = make_live_vendor(slug="parent", name="B Parent")
    make_live_vendor(
        slug="right", name="A Right", description="Makes zephyrs.", role="operator", country="NO", city="Oslo",
        company_status="acquired", parent=parent, manufacturer=maker, sections=[make_section("cooling")],
        domain="example.org",
    )  # fmt: skip
    for narrowed in (
        'section: "cooling"', 'role: "operator"', 'companyStatus: "acquired"', 'country: "NO"',
        'manufacturer: "globex"', 'parent: "parent"', 'domain: "example.org"', 'search: "zephyrs"', 'search: "oslo"',
    ):  # fmt: skip
        page = data_of(client, f"{{ vendors({narrowed}) {{ totalCount edges {{ node {{ slug }} }} }} }}")["vendors"]
        assert page == {"totalCount": 1, "edges": [{"node": {"slug": "right"}}]}, narrowed
    for order, slugs in (("NAME", ["right", "parent"]), ("NEWEST", ["right", "parent"])):
        page = data_of(client, f"{{ vendors(orderBy: {order}) {{ edges {{ node {{ slug }} }} }} }}")["vendors"]
        assert [edge["node"]["slug"] for edge in page["edges"]] == slugs
    data = data_of(client, '{ section(slug: "cooling") { vendors { edges { node { slug } } } } }')
    assert data["section"]["vendors"]["edges"] == [{"node": {"slug": "right"}}]
    data = data_of(client, '{ manufacturer(slug: "globex") { vendors { edges { node { slug } } } } }')
    assert data["manufacturer"]["vendors"]["edges"] == [{"node": {"slug": "right"}}]


@pytest.mark.parametrize(
    ("narrowed", "code"),
    [
        ('role: "sponsor"', "not_a_choice"),
        ('companyStatus: "gone"', "not_a_choice"),
        ('country: "Norway"', "not_a_country"),
        ('domain: ""', "empty"),
    ],
)
def test_vendors_refuse_what_rest_refuses(client, narrowed, code):
    assert codes_of(client, f"{{ vendors({narrowed}) {{ totalCount }} }}") == [code]


def test_a_vendor_answers_at_its_old_address(client):
    vendor = make_live_vendor(slug="old-name")
    republish(vendor, slug="new-name")

    assert data_of(client, '{ vendor(slug: "old-name") { slug } }') == {"vendor": {"slug": "new-name"}}


def test_a_placement_discloses_who_pays(client):
    vendor = make_live_vendor(slug="acme")
    placement = make_live_placement(
        vendor=vendor, slot="sidebar", headline="Pumps", text="Quiet ones.", paid_by="Acme", on_behalf_of="Globex",
        address="https://www.example.com/pumps",
    )  # fmt: skip
    make_placement(vendor=vendor, slot="sidebar", lane=1)
    query = """{ placements(slot: "sidebar") { edges { node {
      id slot lane headline text address rel image { url } disclosure { label paidBy onBehalfOf } vendor { slug }
      beginsAt endsAt sha256
    } } } }"""

    [edge] = data_of(client, query)["placements"]["edges"]

    placement.refresh_from_db()
    begins_at, ends_at = edge["node"].pop("beginsAt"), edge["node"].pop("endsAt")
    assert edge["node"] == {
        "id": str(placement.pk), "slot": "sidebar", "lane": 0, "headline": "Pumps", "text": "Quiet ones.",
        "address": "https://www.example.com/pumps", "rel": "sponsored nofollow noopener", "image": None,
        "disclosure": {"label": "Advertisement", "paidBy": "Acme", "onBehalfOf": "Globex"},
        "vendor": {"slug": "acme"}, "sha256": placement.sha256,
    }  # fmt: skip
    assert (begins_at, ends_at) == tuple(
        f"{bound:%Y-%m-%dT%H:%M:%S.%fZ}" for bound in (placement.period.lower, placement.period.upper)
    )
    assert data_of(client, '{ placements(slot: "top") { totalCount } }') == {"placements": {"totalCount": 0}}
    assert data_of(client, '{ placements(vendor: "acme") { totalCount } }') == {"placements": {"totalCount": 1}}


def test_a_placement_ends_with_its_vendor(client):
    vendor = make_live_vendor(slug="acme")
    approve_placement(make_placement(vendor=vendor, slot="sidebar"))
    query = '{ placements { totalCount } vendor(slug: "acme") { placements { totalCount } } }'
    assert data_of(client, query) == {"placements": {"totalCount": 1}, "vendor": {"placements": {"totalCount": 1}}}

    sponsors.withdraw_vendor(vendor, reason="It closed.")

    assert data_of(client, query) == {"placements": {"totalCount": 0}, "vendor": None}


def test_search_finds_all_kinds_and_gives_the_records(client):
    make_live_article(title="On zephyrs", slug="zephyrs")
    make_device(slug="zephyr-1", model="Zephyrs One")
    make_live_vendor(slug="zephyr-inc", name="Zephyrs Inc")
    query = """query ($kinds: [SearchKind!]) { search(q: "zephyrs", kinds: $kinds) { totalCount edges { node {
      kind id slug title excerpt rank
      node { __typename id ... on Article { title } ... on Device { model } ... on Vendor { name } }
    } } } }"""

    found = data_of(client, query)["search"]

    hits = {edge["node"]["kind"]: edge["node"] for edge in found["edges"]}
    assert found["totalCount"] == 3
    assert {kind: hit["slug"] for kind, hit in hits.items()} == {
        "ARTICLE": "zephyrs",
        "DEVICE": "zephyr-1",
        "VENDOR": "zephyr-inc",
    }
    assert all(hit["node"]["id"] == hit["id"] for hit in hits.values())
    assert hits["ARTICLE"]["node"] == {"__typename": "Article", "id": hits["ARTICLE"]["id"], "title": "On zephyrs"}
    ranks = [edge["node"]["rank"] for edge in found["edges"]]
    assert ranks == sorted(ranks, reverse=True)
    only = data_of(client, query, kinds=["VENDOR"])["search"]
    assert (only["totalCount"], only["edges"][0]["node"]["slug"]) == (1, "zephyr-inc")
    assert data_of(client, query, kinds=[])["search"] == {"totalCount": 0, "edges": []}


def test_search_has_pages(client):
    for n in range(5):
        make_device(slug=f"zephyr-{n}", model=f"Zephyr {n}")
    query = """query ($after: String) { search(q: "zephyr", first: 2, after: $after) {
      edges { node { slug } } pageInfo { hasNextPage endCursor } } }"""
    found, after, more = [], None, True
    while more:
        page = data_of(client, query, after=after)["search"]
        found += [edge["node"]["slug"] for edge in page["edges"]]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]

    assert sorted(found) == [f"zephyr-{n}" for n in range(5)]
    other = f'{{ search(q: "other", after: "{after}") {{ totalCount }} }}'
    assert codes_of(client, other) == ["cursor_of_other_question"]
    assert codes_of(client, '{ search(q: " ") { totalCount } }') == ["empty"]


def test_records_of_all_kinds_are_found_by_their_ids(client, django_assert_max_num_queries):
    article, device, vendor = make_live_article(), make_device(), make_live_vendor()
    records = {
        "Article": article, "Device": device, "Vendor": vendor, "Author": make_author(), "Tag": make_tag(),
        "Section": make_section(), "Installation": make_installation(), "Manufacturer": device.manufacturer,
    }  # fmt: skip
    ids = [str(record.pk) for record in records.values()]
    nobody = "01a22b87-b3d0-7340-9443-9cdcecd4db38"

    with django_assert_max_num_queries(2 + len(records)):
        nodes = data_of(client, "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", ids=[*ids, nobody])

    assert nodes["nodes"] == [
        *({"__typename": name, "id": pk} for name, pk in zip(records, ids, strict=True)),
        None,
    ]
    assert codes_of(client, '{ nodes(ids: ["acme"]) { id } }') == ["not_an_id"]
    assert data_of(client, "{ nodes(ids: []) { id } }") == {"nodes": []}


def test_ids_are_those_of_rest(client):
    make_live_article()
    make_live_vendor()
    make_device()
    for field in ("articles", "vendors", "devices"):
        edges = data_of(client, f"{{ {field} {{ edges {{ node {{ id }} }} }} }}")[field]["edges"]
        rest = client.get(f"/api/v1/{field}/").json()["results"]
        assert [edge["node"]["id"] for edge in edges] == [row["id"] for row in rest]

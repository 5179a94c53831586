"""The directory and the placements as partners and front-ends read them over REST."""

import json
from datetime import timedelta

import pytest
from django.db import connection, models

from catalog.models import Manufacturer
from core.api.compiled import Parameter, json_of, statement, text_of
from core.publishing.services import database_now
from sponsors import services
from sponsors.rest import views
from tests.factories import make_fact
from tests.sponsors.factories import (
    approve,
    approve_placement,
    change,
    make_image,
    make_live_placement,
    make_live_vendor,
    make_placement,
    make_section,
    make_vendor,
    republish,
    submit,
)

pytestmark = pytest.mark.django_db

VENDORS, PLACEMENTS = "/api/v1/vendors/", "/api/v1/placements/"


def names(client, **asked):
    """Return the names of the vendors that the list answers with, in its order."""
    response = client.get(VENDORS, asked)
    assert response.status_code == 200, response.content
    return [vendor["name"] for vendor in response.json()["results"]]


def problems(response):
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, [(error["field"], error["code"]) for error in response.json()["errors"]]


def make_full_vendor(**fields):
    maker = Manufacturer.objects.create(slug="acme", name="Acme Makers")
    vendor = make_live_vendor(
        **{
            "name": "Acmé “Racks”", "slug": "acme", "description": "Builds racks.\nAnd \\ rows.", "role": "builder",
            "homepage": "https://www.example.com/en/", "country": "NO", "city": "Oslo", "company_status": "acquired",
            "parent": make_live_vendor(name="Holding", slug="holding"), "manufacturer": maker,
            "unverified": ["country", "city"], "note": "secret",
            "sections": [make_section(slug="zeta", name="Zeta"), make_section(slug="alpha", name="Alpha")],
            **fields,
        }
    )  # fmt: skip
    make_fact(("12.5", "MW"), subject=vendor, field="power_w")
    return vendor


def test_an_entry_says_all_of_itself(client):
    vendor = make_full_vendor()
    edition = vendor.editions.get()
    entry = client.get(f"{VENDORS}acme/").json()
    facts = entry.pop("facts")
    assert entry == {
        "id": str(vendor.pk),
        "slug": "acme",
        "name": "Acmé “Racks”",
        "description": "Builds racks.\nAnd \\ rows.",
        "role": "builder",
        "company_status": "acquired",
        "homepage": "https://www.example.com/en/",
        "domain": "example.com",
        "rel": "nofollow noopener",
        "country": "NO",
        "city": "Oslo",
        "sections": [
            {"id": str(row.section_id), "slug": row.section.slug, "name": row.section.name}
            for row in edition.section_rows.order_by("position")
        ],
        "manufacturer": {"id": str(vendor.manufacturer_id), "slug": "acme", "name": "Acme Makers"},
        "parent": {"id": str(vendor.parent_id), "slug": "holding", "name": "Holding"},
        "unverified": ["city", "country"],
        "published_at": edition.published_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "updated_at": edition.live.lower.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "edition": 1,
        "sha256": edition.sha256,
    }
    assert [section["slug"] for section in entry["sections"]] == ["zeta", "alpha"]
    assert [(fact["field"], fact["chosen"]["value"]) for fact in facts] == [("power_w", 12.5)]
    assert client.get(f"{VENDORS}{vendor.pk}/").json() == {**entry, "facts": facts}
    assert client.get(VENDORS).json()["results"][0] == entry


def test_what_is_not_known_is_null(client):
    make_live_vendor(homepage="")
    (entry,) = client.get(VENDORS).json()["results"]
    assert {name for name, value in entry.items() if value is None} == {
        "company_status", "homepage", "domain", "country", "city", "manufacturer", "parent",
    }  # fmt: skip
    assert entry["sections"] == entry["unverified"] == []


def test_a_parent_that_readers_do_not_see_is_not_named(client):
    parent = make_live_vendor(name="Secret Holding")
    make_live_vendor(name="Child", parent=parent)
    services.withdraw_vendor(parent, reason="Pause.")
    (entry,) = client.get(VENDORS).json()["results"]
    assert entry["parent"] is None
    assert b"Secret" not in client.get(VENDORS).content


def test_nothing_shows_what_is_not_live(client):
    words = ["Draftword", "Reviewword", "Withdrawnword", "Futureword", "Nextword"]
    make_vendor(name=words[0], slug="w0", description=words[0])
    submit(make_vendor(name=words[1], slug="w1", description=words[1]))
    withdrawn = make_live_vendor(name=words[2], slug="w2", description=words[2])
    services.withdraw_vendor(withdrawn, reason="Pause.")
    make_live_vendor(name=words[3], slug="w3", description=words[3], at=database_now() + timedelta(days=1))
    live = make_live_vendor(name="Seen", slug="seen")
    submit(change(live, name=words[4], description=words[4], slug="w4"))
    pending = make_placement(vendor=live, headline="Pendingword")
    suspended = make_live_placement(vendor=live, headline="Suspendedword")
    services.suspend_placement(suspended, reason="Reasonword")
    of_withdrawn = make_live_placement(vendor=live, headline="Expectedword")
    services.withdraw_vendor(live, reason="Pause.")
    make_live_vendor(name="Alone", slug="alone")

    answers = [client.get(VENDORS), client.get(PLACEMENTS), client.get(VENDORS, {"count": "true"})]
    answers += [client.get(VENDORS, {"search": word}) for word in [*words, "Seen"]]
    answers += [client.get(f"{VENDORS}w{n}/") for n in range(5)]
    answers += [client.get(f"{PLACEMENTS}{p.pk}/") for p in (pending, suspended, of_withdrawn)]
    text = b"".join(answer.content for answer in answers).decode()
    for word in [*words, "Pendingword", "Suspendedword", "Expectedword", "Reasonword", "Seen"]:
        assert word not in text.replace("Seen/", "")
    assert [answer.status_code for answer in answers[-8:]] == [404] * 8
    assert answers[2].json()["count"] == 1


def test_filters_narrow(client):
    make_full_vendor(name="Acme")
    make_live_vendor(name="Beta", role="operator", country="SE", company_status="active", domain="beta.co.uk",
                     city="Malmö", description="Runs networks of halls.")  # fmt: skip
    for asked, found in [
        ({"section": "alpha"}, ["Acme"]),
        ({"section": "nothing"}, []),
        ({"role": "operator"}, ["Beta"]),
        ({"company_status": "acquired"}, ["Acme"]),
        ({"country": "SE"}, ["Beta"]),
        ({"manufacturer": "acme"}, ["Acme"]),
        ({"parent": "holding"}, ["Acme"]),
        ({"domain": "beta.co.uk"}, ["Beta"]),
        ({"search": "malmö"}, ["Beta"]),
        ({"search": "network hall"}, ["Beta"]),
        ({"search": "acme"}, ["Acme"]),
        ({"search": "racks -acme"}, []),
        ({"search": "acme", "country": "SE"}, []),
        ({"role": "vendor", "country": "NO"}, []),
    ]:
        assert names(client, **asked) == found, asked


def test_the_order_is_of_the_name_by_code_point_and_payment_changes_nothing(client):
    vendors = [make_live_vendor(name=name) for name in ("zeta", "Ärzte", "alpha", "Zeta", "alpha")]
    in_order = ["Zeta", "alpha", "alpha", "zeta", "Ärzte"]
    assert names(client) == in_order
    assert names(client, order="newest") == ["alpha", "Zeta", "alpha", "Ärzte", "zeta"]
    before = client.get(VENDORS, {"search": "zeta or alpha"}).json()
    for vendor in (vendors[1], vendors[4]):
        make_live_placement(vendor=vendor)
    assert names(client) == in_order
    assert client.get(VENDORS, {"search": "zeta or alpha"}).json() == before


def test_a_correction_does_not_jump_to_the_top(client):
    first = make_live_vendor(name="First")
    make_live_vendor(name="Second")
    republish(first, city="Oslo")
    assert names(client, order="newest") == ["Second", "First"]


def test_pages_walk_forth_and_back_and_hold_200_at_most(client):
    made = [make_live_vendor(name=f"V{n // 2}") for n in range(5)]  # Ties in the name.
    whole = names(client)
    pages, url = [], f"{VENDORS}?limit=2"
    while url:
        page = client.get(url).json()
        pages.append(page)
        url = page["next"]
    assert [[v["name"] for v in page["results"]] for page in pages] == [["V0", "V0"], ["V1", "V1"], ["V2"]]
    assert len({v["id"] for page in pages for v in page["results"]}) == len(made)
    back = client.get(pages[-1]["previous"]).json()
    assert back["results"] == pages[1]["results"]
    assert client.get(VENDORS, {"limit": "200"}).status_code == 200
    assert problems(client.get(VENDORS, {"limit": "201"})) == (400, [("limit", "limit_out_of_range")])
    assert problems(client.get(PLACEMENTS, {"limit": "101"})) == (400, [("limit", "limit_out_of_range")])
    assert whole == ["V0", "V0", "V1", "V1", "V2"]


@pytest.mark.parametrize(
    ("path", "asked", "problem"),
    [
        (VENDORS, {"categroy": "x"}, ("categroy", "unknown_parameter")),
        (VENDORS, {"countri": "NO"}, ("countri", "unknown_parameter")),
        (VENDORS, {"vendor__note": "x"}, ("vendor__note", "unknown_parameter")),
        (VENDORS, {"role": "sponsor"}, ("role", "not_a_choice")),
        (VENDORS, {"company_status": "dead"}, ("company_status", "not_a_choice")),
        (VENDORS, {"country": "no"}, ("country", "not_a_country")),
        (VENDORS, {"order": "paid"}, ("order", "not_a_choice")),
        (VENDORS, {"search": " "}, ("search", "empty")),
        (VENDORS, {"cursor": "x"}, ("cursor", "invalid_cursor")),
        (VENDORS, {"as_of": "2026-01-01T00:00:00Z"}, ("as_of", "unknown_parameter")),
        (PLACEMENTS, {"lane": "1"}, ("lane", "unknown_parameter")),
        (PLACEMENTS, {"slot": ""}, ("slot", "empty")),
    ],
)
def test_parameters_are_strict(client, path, asked, problem):
    assert problems(client.get(path, asked)) == (400, [problem])


def test_a_cursor_is_bound_to_its_filters(client):
    for _ in range(2):
        make_live_vendor(country="NO")
    page = client.get(VENDORS, {"limit": 1, "country": "NO"}).json()
    assert problems(client.get(page["next"].replace("country=NO", "country=SE"))) == (
        400,
        [("cursor", "cursor_of_other_question")],
    )


def test_an_old_address_redirects_to_that_of_today(client):
    vendor = make_live_vendor(slug="old")
    republish(vendor, slug="middle")
    republish(vendor, slug="new")
    for slug in ("old", "middle"):
        response = client.get(f"{VENDORS}{slug}/")
        assert (response.status_code, response["Location"]) == (301, f"http://testserver{VENDORS}new/")
    taken = make_live_vendor(slug="old")
    assert client.get(f"{VENDORS}old/").json()["id"] == str(taken.pk)
    services.withdraw_vendor(vendor, reason="Pause.")
    assert problems(client.get(f"{VENDORS}middle/")) == (404, [(None, "not_found")])


def test_a_draft_address_leads_nowhere(client):
    change(make_live_vendor(slug="now"), slug="planned")
    assert problems(client.get(f"{VENDORS}planned/")) == (404, [(None, "not_found")])


def test_a_placement_always_discloses(client):
    vendor = make_live_vendor(name="Acme", slug="acme")
    image = make_image(alt="A rack")
    placement = make_live_placement(
        vendor=vendor, slot="sidebar", lane=2, headline="Racks", text="Good ones.", image=image,
        paid_by="Acme AS", on_behalf_of="Acme Racks",
    )  # fmt: skip
    (shown,) = client.get(PLACEMENTS, {"slot": "sidebar"}).json()["results"]
    assert shown == {
        "id": str(placement.pk),
        "slot": "sidebar",
        "lane": 2,
        "disclosure": {"label": "Advertisement", "paid_by": "Acme AS", "on_behalf_of": "Acme Racks"},
        "headline": "Racks",
        "text": "Good ones.",
        "address": "https://www.example.com/offer",
        "rel": "sponsored nofollow noopener",
        "image": {"url": f"http://testserver/media/{image.file.name}", "width": 640, "height": 480, "alt": "A rack"},
        "vendor": {"id": str(vendor.pk), "slug": "acme", "name": "Acme"},
        "begins_at": placement.period.lower.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "ends_at": placement.period.upper.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "sha256": placement.sha256,
    }
    assert client.get(f"{PLACEMENTS}{placement.pk}/").json() == shown
    assert client.get(PLACEMENTS, {"vendor": "acme"}).json()["results"] == [shown]
    assert client.get(PLACEMENTS, {"slot": "other"}).json()["results"] == []
    assert client.get(f"{PLACEMENTS}sidebar/").status_code == 404


def test_slots_are_in_the_order_of_their_lanes(client):
    for slot, lane in (("b", 0), ("a", 10), ("a", 9), ("a", 0)):
        make_live_placement(slot=slot, lane=lane)
    shown = [(p["slot"], p["lane"]) for p in client.get(PLACEMENTS).json()["results"]]
    assert shown == [("a", 0), ("a", 9), ("a", 10), ("b", 0)]


@pytest.mark.parametrize("rows", ["full", "bare"])
@pytest.mark.parametrize("view", [views.VendorList, views.VendorItem, views.PlacementList, views.PlacementItem])
def test_sql_gives_what_the_serializer_gives(view, rows):
    if rows == "full":
        make_live_placement(vendor=make_full_vendor(), image=make_image(), text="Look.", on_behalf_of="Somebody")
    else:
        make_live_placement(vendor=make_live_vendor(homepage=""))
    at = database_now()
    moment = Parameter("at", models.DateTimeField())
    compiled = statement(
        view.source(moment).annotate(body=text_of(json_of(view.representation, moment))).values_list("pk", "body")
    )
    by_sql = {pk: json.loads(text) for pk, text in compiled.rows({"at": at})}
    by_serializer = {
        row.pk: json.loads(json.dumps(view.representation(row, context={"at": at}).data, default=as_json))
        for row in view.source(at)
    }
    assert by_sql
    assert by_sql == by_serializer


def as_json(value):
    return float(value) if type(value).__name__ == "Decimal" else str(value)


@pytest.mark.parametrize("path", [VENDORS, PLACEMENTS])
def test_a_page_costs_two_statements_at_any_size_and_a_304_one(client, django_assert_num_queries, path):
    for n in range(50):
        make_live_placement(vendor=make_full_vendor() if n == 0 else make_live_vendor())
    client.get(path, {"limit": 2})
    for size in (5, 50):
        with django_assert_num_queries(2):
            response = client.get(path, {"limit": size})
        assert len(response.json()["results"]) == size
    with django_assert_num_queries(1):
        again = client.get(path, {"limit": size}, headers={"if-none-match": response["ETag"]})
    assert again.status_code == 304


@pytest.mark.django_db(transaction=True)  # A version moves once a transaction.
def test_each_verb_moves_the_tag_of_what_it_changes_and_of_nothing_else(client):
    vendor, other = make_live_vendor(slug="acme"), make_live_vendor(slug="other")
    placement = make_placement(vendor=other)
    paths = {"vendors": VENDORS, "item": f"{VENDORS}acme/", "placements": PLACEMENTS}

    def tags():
        return {name: client.get(path)["ETag"] for name, path in paths.items()}

    def moved(act):
        before = tags()
        act()
        after = tags()
        for name, path in paths.items():
            response = client.get(path, headers={"if-none-match": before[name]})
            assert response.status_code == (304 if before[name] == after[name] else 200), name
        return {name for name in paths if before[name] != after[name]}

    draft = lambda: change(vendor, city="Oslo")  # noqa: E731
    assert moved(draft) == set()
    edition = []
    assert moved(lambda: edition.append(submit(vendor))) == set()
    assert moved(lambda: edition.append(approve(edition[0]))) == set()
    assert moved(lambda: services.publish_vendor(edition[1])) == {"vendors", "item", "placements"}
    assert moved(lambda: services.review_placement(placement, by=placement.submitted_by, verdict="changes_requested",
                                                   note="No.")) == set()  # fmt: skip
    second = make_placement(vendor=other)
    assert moved(lambda: approve_placement(second)) == {"placements"}
    assert moved(lambda: services.suspend_placement(second, reason="Spam.")) == {"placements"}
    section = make_section()
    assert moved(lambda: type(section).objects.filter(pk=section.pk).update(name="Renamed")) == {"vendors", "item"}
    assert moved(lambda: services.withdraw_vendor(other, reason="Pause.")) == {"vendors", "item", "placements"}


def test_answers_name_what_they_were_made_of(client):
    placement = make_live_placement()
    assert client.get(VENDORS)["Cache-Tag"] == f"vendor,section,manufacturer,vendor:{placement.vendor_id}"
    assert client.get(PLACEMENTS)["Cache-Tag"] == f"placement,vendor,placement:{placement.pk}"


def test_only_reading_is_offered(client):
    for path in (VENDORS, PLACEMENTS):
        response = client.post(path, {"name": "x"})
        assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
        assert client.head(path).status_code == 200


@pytest.mark.parametrize("words", ["los angeles", "racks", "zephyrs"])
def test_the_search_of_everything_finds_what_the_directory_finds(client, words):
    make_live_vendor(slug="found", name="Zephyrs", city="Los Angeles", description="Builds a rack.")
    make_live_vendor(name="Other")

    everything = client.get("/api/v1/search/", {"q": words, "kinds": "vendor"}).json()["results"]

    assert [row["slug"] for row in everything] == ["found"]
    assert names(client, search=words) == ["Zephyrs"]


def test_the_order_of_the_directory_can_walk_an_index():
    make_live_vendor()
    at = Parameter("at", models.DateTimeField())
    page = statement(
        views.VendorList.source(at).order_by(*views.VendorList.orders["name"].by(backwards=False)).values("pk")
    )
    with connection.cursor() as cursor:
        cursor.execute("set local enable_sort = off")
        cursor.execute(f"explain {page.sql} limit 20", [database_now() for _ in page.params])
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "vendor_by_name" in plan

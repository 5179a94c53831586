"""What no client of good will sends: each gets a 4xx that says what is wrong, never a crash."""

import base64
import json

import pytest

from core.feed.views import ItemView, ListView
from tests.addresses import public_reads
from tests.crowd import make_crowd

ITEMS = [address.route for address in public_reads() if issubclass(address.view, ItemView)]
LISTS = {address.route: address.view for address in public_reads() if issubclass(address.view, ListView)}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("route", ITEMS)
@pytest.mark.parametrize("key", ["%00", "a%00b", "%ff", "..%2f..%2fetc", "x" * 5000, "'; select 1; --", "%F0%9F%A7%8A"])
def test_an_item_that_cannot_be_is_not_found(client, route, key):
    response = client.get(route.replace("<str:key>", key))

    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"


def forged(cursor: str, place: int, value) -> str:
    parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    parts[place] = value
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).rstrip(b"=").decode()


def test_a_forged_cursor_is_refused_or_walks_in_public_rows(client, subtests):
    make_crowd(3)
    values = [
        "\x00",
        "a\x00",
        2**63,
        -(2**63) - 1,
        1e400,
        None,
        True,
        [],
        {},
        "",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31",
    ]
    for path, view in LISTS.items():
        for order in view.orders:
            page = client.get(path, {"limit": 1, "order": order}).json()
            if page["next"] is None:
                continue
            cursor = page["next"].split("cursor=")[1].split("&")[0]
            for place in range(len(view.orders[order].keys) + 2):
                for value in values:
                    with subtests.test(path=path, order=order, place=place, value=repr(value)):
                        answer = client.get(path, {"limit": 1, "order": order, "cursor": forged(cursor, place, value)})
                        assert answer.status_code in (200, 400)


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api/nowhere", "/media/nowhere.png", "/graphql/x/", "/api/v1/articles/x/y/"]
)
def test_an_address_that_does_not_exist_answers_with_a_problem(client, path):
    response = client.get(path)

    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["docs/", "schema/", "simulator/rack/", "articles/", "changes/", "search/"])
def test_options_is_answered_without_a_crash(client, path):
    assert client.options(f"/api/v1/{path}").status_code in (204, 405)


def test_the_root_names_the_interfaces(client):
    page = client.get("/").content.decode()

    assert all(f'href="{address}"' in page for address in ("/admin/", "/graphql/", "/api/v1/docs/", "/api/v1/schema/"))


def test_search_is_walked_forth_and_back(client):
    make_crowd(5)
    whole = client.get("/api/v1/search/", {"q": "text OR vendor OR article", "limit": 100}).json()["results"]
    assert len(whole) >= 5

    page = client.get("/api/v1/search/", {"q": "text OR vendor OR article", "limit": 2}).json()
    assert page["previous"] is None
    forth = [page]
    while page["next"]:
        page = client.get(page["next"]).json()
        forth.append(page)
    back = [page]
    while page["previous"]:
        page = client.get(page["previous"]).json()
        back.append(page)

    assert [row for page in forth for row in page["results"]] == whole
    assert [page["results"] for page in reversed(back)] == [page["results"] for page in forth]

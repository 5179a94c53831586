"""The number of SQL statements does not grow with the size of a page, and a 304 costs one."""

import pytest

from core.feed.views import ListView
from tests.addresses import public_reads
from tests.crowd import make_crowd

LISTS = {address.route: address.view for address in public_reads() if issubclass(address.view, ListView)}


@pytest.mark.django_db
def test_a_list_costs_two_statements_at_any_size_and_a_304_one(client, django_assert_num_queries, subtests):
    make_crowd(50)
    for path in LISTS:
        with subtests.test(path=path):
            total = client.get(path, {"limit": 1, "count": "true"}).json()["count"]
            for limit in (5, 50):
                with django_assert_num_queries(2):
                    response = client.get(path, {"limit": limit})
                assert len(response.json()["results"]) == min(limit, total)
            with django_assert_num_queries(1):
                response = client.get(path, {"limit": limit}, headers={"if-none-match": response["ETag"]})
            assert response.status_code == 304


@pytest.mark.django_db
def test_walking_a_list_forth_and_back_gives_each_row_once(client, subtests):
    make_crowd(12)
    for path, view in LISTS.items():
        for order in view.orders:
            with subtests.test(path=path, order=order):
                page = client.get(path, {"limit": 100, "order": order}).json()
                whole = page["results"]
                assert (page["next"], page["previous"]) == (None, None)

                page = client.get(path, {"limit": 5, "order": order}).json()
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

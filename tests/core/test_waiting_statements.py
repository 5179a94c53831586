"""A statement that waits goes out with the next one, and answers the same alone."""

import pytest
from django.db import DatabaseError, models

from catalog.models import Manufacturer
from core.api.compiled import Parameter, Waiting, statement

pytestmark = pytest.mark.django_db


def named():
    """Return the statement that gives the names of the manufacturers with a slug."""
    rows = Manufacturer.objects.filter(slug=Parameter("slug", models.TextField()))
    return statement(rows.order_by().values_list("name"))


@pytest.fixture(autouse=True)
def _manufacturers():
    for name in ("Acme", "Bolt"):
        Manufacturer.objects.create(slug=name.lower(), name=name)


def test_it_is_sent_with_the_next_and_each_has_its_own_rows(django_assert_num_queries):
    with django_assert_num_queries(2), Waiting(named(), {"slug": "acme"}) as waiting:
        assert waiting.cursor is None
        rows = named().rows({"slug": "bolt"})
        assert waiting.cursor is not None

    assert (rows, waiting.rows()) == ([("Bolt",)], [("Acme",)])


def test_the_one_after_the_next_goes_alone(django_assert_num_queries):
    with django_assert_num_queries(3), Waiting(named(), {"slug": "acme"}) as waiting:
        rows = [named().rows({"slug": slug}) for slug in ("bolt", "nobody")]
        rows.append(waiting.rows())

    assert rows == [[("Bolt",)], [], [("Acme",)]]


def test_where_no_other_follows_it_goes_alone(django_assert_num_queries):
    with django_assert_num_queries(1), Waiting(named(), {"slug": "acme"}) as waiting:
        assert waiting.rows() == [("Acme",)]


def test_what_is_not_asked_for_is_not_sent(django_assert_num_queries):
    with django_assert_num_queries(0), pytest.raises(ZeroDivisionError), Waiting(named(), {"slug": "acme"}):
        raise ZeroDivisionError

    with django_assert_num_queries(1):
        assert named().rows({"slug": "bolt"}) == [("Bolt",)]


@pytest.mark.django_db(transaction=True)
def test_one_that_fails_fails_both_and_the_connection_goes_on():
    broken = statement(Manufacturer.objects.extra(where=["1 / (length(slug) - 4) > 0"]).order_by().values_list("name"))

    with Waiting(broken, {}), pytest.raises(DatabaseError):
        named().rows({"slug": "bolt"})

    assert named().rows({"slug": "bolt"}) == [("Bolt",)]

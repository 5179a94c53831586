"""Every list of the admin: as many statements for 50 rows as for 5, a search, and a sentence where it is empty."""

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.admin.pages import text_of
from tests.admin.rows import MAKERS

LISTED = sorted(admin.site._registry, key=lambda model: model._meta.label)


def address_of(model, page: str = "changelist", *args) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def statements_of(client, address: str) -> list[str]:
    client.get(address)  # What is cached once for a process is cached now.
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = client.get(address)
    assert response.status_code == 200
    return [query["sql"] for query in captured.captured_queries]


def test_every_listed_model_is_tested():
    assert set(LISTED) == set(MAKERS)


@pytest.mark.parametrize("model", MAKERS, ids=lambda model: model._meta.label)
def test_a_list_costs_the_same_at_5_and_at_50_rows(root, model):
    address = address_of(model)
    for _ in range(5):
        MAKERS[model]()
    few = statements_of(root, address)
    for _ in range(45):
        MAKERS[model]()

    many = statements_of(root, address)

    assert model._default_manager.count() >= 50
    assert len(many) == len(few), "\n\n".join(sorted(set(many) - set(few)))


@pytest.mark.parametrize("model", MAKERS, ids=lambda model: model._meta.label)
def test_a_list_can_be_searched_and_filtered(root, model):
    MAKERS[model]()
    model_admin = admin.site._registry[model]

    found = root.get(address_of(model), {"q": "no such words"})

    assert model_admin.search_fields
    assert "Nothing matches" in text_of(found)
    assert root.get(address_of(model), {"q": "a"}).status_code == 200


@pytest.mark.parametrize("model", MAKERS, ids=lambda model: model._meta.label)
def test_an_empty_list_says_what_appears_there(root, model):
    model_admin = admin.site._registry[model]
    root.get(address_of(model))
    if model._meta.label in ("auth.User", "auth.Group", "catalog.Section", "catalog.Rung"):
        assert model._default_manager.exists()  # These begin with rows.
        return

    page = text_of(root.get(address_of(model)))

    assert f"No {model._meta.verbose_name_plural} yet" in page
    assert model_admin.empty_sentence in page


@pytest.mark.parametrize("model", MAKERS, ids=lambda model: model._meta.label)
def test_the_page_of_a_record_opens(root, model):
    MAKERS[model]()

    response = root.get(address_of(model, "change", model._default_manager.last().pk))

    assert response.status_code == 200
    assert response.context["original"] is not None


@pytest.mark.parametrize("model", MAKERS, ids=lambda model: model._meta.label)
def test_no_list_edits_in_place(model):
    assert not admin.site._registry[model].list_editable

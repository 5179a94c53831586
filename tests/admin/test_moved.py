"""Quantities that moved, in the admin."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from articles.models import Article, KeptQuantity
from core.facts.models import Claim
from core.facts.services import choose_claim
from tests.admin.pages import errors_of, fill, text_of
from tests.factories import make_device, make_fact, make_live_article, make_person, make_source

pytestmark = pytest.mark.django_db

LIST = "/admin/articles/article/moved/"


@pytest.fixture
def article():
    fact = make_fact(("700", "W"), subject=make_device(slug="h100"), label="Power of the H100")
    article = make_live_article(title="Loops", body="It draws {{h100.power_nameplate_w}}.\n")
    source = make_source(slug="datasheet-2")
    choose_claim(fact, Claim.objects.create(fact=fact, value="0.65", unit="kW", dated="2026-11", source=source))
    return article


def renew(client, *articles, **more):
    return client.post(f"{LIST}renew/", {"articles": [str(article.pk) for article in articles], **more})


def test_both_values_stand_in_the_list_with_their_sources(editor, article):
    page = text_of(editor.get(LIST))

    assert "Loops" in page and "h100.power_nameplate_w Power of the H100" in page
    assert "700 W" in page and "650 W 2026-11 datasheet-2" in page


def test_nothing_moved(editor):
    make_live_article()

    assert "Every published quantity is what its record says today." in text_of(editor.get(LIST))


def test_one_click_leads_to_a_draft_with_the_new_values(editor, article):
    response = renew(editor, only=str(article.pk))

    assert response.url == reverse("admin:articles_article_change", args=[article.pk])
    article.refresh_from_db()
    assert (article.draft_version, len(article.draft_writer_ids)) == (2, 1)
    page = text_of(editor.get(response.url))
    assert "h100.power_nameplate_w: 700 W → 650 W" in page
    assert "Draft version 2" in page


def test_who_reviews_a_renewed_quantity_sees_what_it_was_and_is(editor, author, article):
    renew(editor, only=str(article.pk))
    compared = text_of(editor.get(reverse("admin:articles_article_compare", args=[article.pk])))
    fill(author, reverse("admin:articles_article_submit", args=[article.pk]))

    review = text_of(editor.get(reverse("admin:articles_article_review", args=[article.pk, 2])))

    was = "-h100.power_nameplate_w: 700 W ("
    now = "+h100.power_nameplate_w: 650 W (datasheet-2, 2026-11, stated, unverified)"
    for page in (compared, review):
        assert was in page and now in page
    assert "They say the same." not in review


def test_several_articles_at_once(editor, article):
    other = make_live_article(title="Other", body="Nothing bound.\n")

    response = renew(editor, article, other)

    assert response.url == LIST
    messages = text_of(editor.get(response.url))
    assert "The draft of Loops says what the records say" in messages
    assert "Other: No quantity of it has moved" in messages
    assert Article.objects.get(pk=other.pk).draft_version == 1


def test_none_ticked(editor, article):
    assert "Tick the articles" in text_of(editor.get(renew(editor).url))
    assert Article.objects.get().draft_version == 1


def test_a_published_value_is_kept_with_a_reason(editor, article):
    quantity = article.editions.get().quantities.get()
    address = reverse("admin:articles_article_keep", args=[quantity.pk])
    page = editor.get(address)
    assert "650 W" in text_of(page)
    shown = re.search(r'name="seen" value="([^"]+)"', page.content.decode())[1]

    refused = editor.post(address, {"note": " ", "seen": shown})
    assert errors_of(refused, "note") and not KeptQuantity.objects.exists()
    unseen = editor.post(address, {"note": "Another board."})
    assert "moved again" in text_of(unseen) and not KeptQuantity.objects.exists()
    response = editor.post(address, {"note": "Another board.", "seen": shown})

    assert response.url == LIST
    assert "Every published quantity" in text_of(editor.get(LIST))
    assert KeptQuantity.objects.get().by.username == "edgar"
    here = text_of(editor.get(reverse("admin:articles_article_change", args=[article.pk])))
    assert "Kept by edgar" in here and "Another board." in here


def test_who_may_only_look_sees_and_changes_nothing(client, article):
    person = make_person(is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_article"))
    client.force_login(person)
    quantity = article.editions.get().quantities.get()

    page = client.get(LIST)

    assert "650 W" in text_of(page) and "Make a draft" not in text_of(page)
    assert renew(client, article).status_code == 403
    assert client.get(reverse("admin:articles_article_keep", args=[quantity.pk])).status_code == 403
    assert Article.objects.get().draft_version == 1


def test_who_may_not_see_articles_sees_no_list(client, article):
    client.force_login(make_person(is_staff=True))

    assert client.get(LIST).status_code == 403


@pytest.mark.parametrize("asked", ["nonsense", "", "0"])
def test_an_id_that_is_none_is_not_found(editor, article, asked):
    response = editor.post(f"{LIST}renew/", {"only": asked})

    assert response.status_code == 404
    assert Article.objects.get().draft_version == 1


@pytest.mark.parametrize("size", [1, 6])
def test_the_list_costs_the_same_at_any_size(editor, article, django_assert_max_num_queries, size):
    for _ in range(size):
        make_live_article(body="It weighs {{h100.power_nameplate_w}}.\n")
    Claim.objects.filter(unit="kW").update(value="0.6")

    with django_assert_max_num_queries(12):
        page = text_of(editor.get(LIST))

    assert page.count("600 W") == size + 1

"""What links and what is linked to, published and withdrawn at once: over two connections, in both orders."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client
from django.urls import reverse

from articles import services
from articles.models import Article, Edition
from articles.previews import make_link, token_of
from articles.rehearsal import rehearsed
from core.publishing.services import database_now
from tests.admin.pages import open_form
from tests.elsewhere import Elsewhere
from tests.factories import make_approved_edition, make_live_article, make_person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def target():
    return make_live_article(slug="target", title="Target")


@pytest.fixture
def edition(target):
    return make_approved_edition(title="Links", body="See [that](article:target).\n")


def test_what_is_being_withdrawn_is_waited_for_and_then_not_linked_to(target, edition):
    publication = Elsewhere(lambda: services.publish_article(edition))
    with transaction.atomic():
        services.withdraw_article(target, reason="The figures were wrong.")
        publication.until_it_waits()

    assert publication.given() is None
    assert isinstance(publication.error, ValidationError)
    assert publication.error.code == "links_to_unpublished"
    assert not Edition.objects.visible(database_now()).exists()
    assert Edition.objects.get(pk=edition.pk).live is None


def test_what_is_being_linked_to_is_withdrawn_only_after_that_is_public(target, edition):
    withdrawal = Elsewhere(lambda: services.withdraw_article(target, reason="The figures were wrong."))
    with transaction.atomic():
        live = services.publish_article(edition).live
        withdrawal.until_it_waits()

    assert withdrawal.given().live.upper > live.lower
    assert Edition.objects.visible(database_now()).get() == edition


def test_of_two_that_link_to_each_other_both_are_written_in_and_published_at_once():
    """An import writes first and publishes then, in one transaction: neither side holds what the other waits for."""
    first, second = make_live_article(slug="first"), make_live_article(slug="second")
    by = first.editions.get().submitted_by
    first = services.change_article(first, based_on=1, by=by, fields={"body": "See [it](article:second).\n"})
    edition = make_approved_edition(first, by=by)
    second = services.change_article(second, based_on=1, by=by, fields={"body": "See [it](article:first).\n"})
    other = make_approved_edition(second, by=by)
    publication = Elsewhere(lambda: services.publish_article(edition))

    with transaction.atomic():
        services.change_article(second, based_on=2, by=by, fields={"dek": "More of it."})
        publication.start()
        assert publication.given().number == 2
        assert services.publish_article(other).number == 2


def test_what_is_being_linked_to_is_previewed_without_waiting(client, target, edition):
    link = make_link(target, by=target.editions.get().submitted_by, lifetime=timedelta(hours=1))
    headers = {"Plenum-Preview": token_of(link)}
    preview = Elsewhere(lambda: client.get("/api/v1/articles/target/", headers=headers).status_code)
    with transaction.atomic():
        services.publish_article(edition)
        preview.start()
        assert preview.given() == 200


def test_what_is_linked_to_while_it_is_previewed_is_published(target, edition):
    link = make_link(target, by=target.editions.get().submitted_by, lifetime=timedelta(hours=1))
    publication = Elsewhere(lambda: services.publish_article(edition))

    with rehearsed(link):
        publication.start()
        assert publication.given() == edition


def test_what_is_being_linked_to_saves_itself_without_waiting(target, edition):
    editor = Client()
    editor.force_login(make_person(is_staff=True, is_superuser=True))
    form = open_form(editor, reverse("admin:articles_article_change", args=[target.pk]), "article_form")
    sent = {**form, "title": "Renamed", "form_id": str(uuid4()), "number": "1"}
    address = reverse("admin:articles_article_autosave", args=[target.pk])
    save = Elsewhere(lambda: editor.post(address, sent).json())

    with transaction.atomic():
        services.publish_article(edition)
        save.start()
        assert save.given() == {"version": 2, "unsaved": []}

    assert Article.objects.get(pk=target.pk).title == "Renamed"


def test_of_one_article_two_verbs_wait_for_each_other():
    article = make_live_article()
    by = article.editions.get().submitted_by
    change = Elsewhere(lambda: services.change_article(article, based_on=1, by=by, fields={"dek": "Theirs."}))
    with transaction.atomic():
        services.change_article(article, based_on=1, by=by, fields={"dek": "Ours."})
        change.until_it_waits()

    assert change.given() is None
    assert isinstance(change.error, services.publishing.StaleDraft)
    assert Article.objects.get().dek == "Ours."

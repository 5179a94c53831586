"""What links and what is linked to, published and withdrawn at once: over two connections, in both orders."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from articles import services
from articles.models import Article, Edition
from core.publishing.services import database_now
from tests.elsewhere import Elsewhere
from tests.factories import make_approved_edition, make_live_article

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


def test_a_publication_takes_its_locks_in_the_order_of_the_articles_whoever_links():
    """So that of two that link to each other neither holds what the other waits for."""
    first, second = make_live_article(slug="first"), make_live_article(slug="second")
    assert first.pk < second.pk
    for linking, linked in ((first, second), (second, first)):
        by = linking.editions.get().submitted_by
        linking = services.change_article(
            linking, based_on=1, by=by, fields={"body": f"See [it](article:{linked.slug}).\n"}
        )
        publication = Elsewhere(partial(services.publish_article, make_approved_edition(linking, by=by)))
        with transaction.atomic():
            Article.objects.select_for_update().get(pk=first.pk)
            publication.until_it_waits()
            assert Article.objects.select_for_update(nowait=True).get(pk=second.pk) == second
        assert publication.given().number == 2

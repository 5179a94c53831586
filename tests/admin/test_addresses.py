"""Addresses that somebody else took a moment ago, and those that are none."""

from threading import Barrier, Thread

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from articles.models import Article, Tag
from core.api.uniqueness import explain_uniqueness
from tests.admin.conftest import client_of, make_member
from tests.admin.pages import errors_of, fill, open_form
from tests.factories import make_article, make_fact


def refusal_of(make) -> ValidationError:
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        make()
    return explain_uniqueness(error.value)


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Tag, Article])
def test_what_the_database_finds_taken_reads_as_the_ordinary_check_does(model):
    fields = {"slug": "race", **({"name": "Race"} if model is Tag else {"title": "Race"})}
    if model is Tag:
        Tag.objects.create(**fields)
    else:
        make_article(slug="race")
    with pytest.raises(ValidationError) as ordinary:
        model(**fields).validate_unique()

    refusal = refusal_of(lambda: model.objects.bulk_create([model(**fields)]))

    assert refusal.message_dict["slug"] == ordinary.value.message_dict["slug"]
    assert refusal.message_dict["slug"] == [f"Another {model.__name__} has this address."]


@pytest.mark.django_db
def test_another_rule_than_uniqueness_is_not_explained_as_one():
    fact = make_fact(("700", "W"))

    assert refusal_of(lambda: type(fact).objects.filter(pk=fact.pk).update(slug="No Slug")) is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", ["race", ""])
def test_six_people_begin_one_article_at_once(slug):
    clients = [client_of(make_member("editors", username=f"editor-{n}")) for n in range(6)]
    address = reverse("admin:articles_article_add")
    forms = [{**open_form(client, address, "article_form"), "title": "Race", "slug": slug} for client in clients]
    barrier, answers = Barrier(6), []

    def press(n: int) -> None:
        try:
            barrier.wait()
            answers.append(clients[n].post(address, forms[n]))
        finally:
            connection.close()

    threads = [Thread(target=press, args=[n]) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    refused = [answer for answer in answers if answer.status_code != 302]
    assert len(answers) == 6 and len(refused) == (5 if slug else 0)
    assert [errors_of(answer, "slug") for answer in refused] == [["Another Article has this address."]] * len(refused)
    assert Article.objects.count() == 6 - len(refused)


@pytest.mark.parametrize("slug", ["-", "_", "-pump", "pump-", "pump_"])
def test_a_slug_begins_and_ends_with_a_letter_or_a_digit(editor, slug):
    response = fill(editor, reverse("admin:articles_tag_add"), "tag_form", name="Pump", slug=slug)

    assert errors_of(response, "slug") == ["A slug begins and ends with a letter or a digit."]
    assert not Tag.objects.exists()


def test_a_slug_of_one_letter_is_one(editor):
    fill(editor, reverse("admin:articles_tag_add"), "tag_form", name="U", slug="u")

    assert Tag.objects.get().slug == "u"

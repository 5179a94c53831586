"""Quantities that moved: what readers see, what the records say today, and the way to a new draft."""

import pytest
from django.core.exceptions import ValidationError

from articles import services
from articles.models import Article, KeptQuantity
from articles.moved import keep_published, moved_articles, moved_quantities, renew_draft
from catalog.models import Device
from core.api.errors import problems_of
from core.facts.models import Claim
from core.facts.services import choose_claim, settle_choices
from simulator.services import save_scenario
from tests.factories import (
    make_approved_edition,
    make_device,
    make_fact,
    make_live_article,
    make_next_edition,
    make_person,
    make_source,
)

pytestmark = pytest.mark.django_db


def claim(fact, value, unit="W", **fields):
    """Let a fact say something else from now on, by another source."""
    made = Claim.objects.create(fact=fact, value=value, unit=unit, source=make_source(), **fields)
    choose_claim(fact, made)
    return made


@pytest.fixture
def fact():
    return make_fact(("700", "W"), subject=make_device(slug="h100"))


@pytest.fixture
def article(fact):
    return make_live_article(title="Loops", body="It draws {{h100.power_nameplate_w}}.\n")


def moved_of(article):
    return [(m.quantity.text, m.now_text) for m in moved_quantities([article])[article.pk]]


def test_an_article_moves_with_its_fact_and_comes_back_with_it(article, fact):
    before = fact.chosen
    assert list(moved_articles()) == []

    other = claim(fact, "650")

    (found,) = moved_articles()
    assert (found, found.moved_count) == (article, 1)
    (moved,) = moved_quantities([article])[article.pk]
    assert (moved.quantity.text, moved.now_text) == ("700 W", "650 W")
    assert (moved.quantity.source, moved.quantity.now_source) == (before.source, other.source.slug)
    assert moved.since >= article.editions.get().submitted_at

    choose_claim(fact, before)

    assert list(moved_articles()) == []


def since(article):
    (moved,) = moved_quantities([article])[article.pk]
    return moved.since


@pytest.mark.django_db(transaction=True)
def test_it_has_moved_since_the_quantity_in_use_became_another(article, fact):
    first, other = fact.chosen, claim(fact, "650")
    moved_at = since(article)
    assert moved_at > article.editions.get().live.lower

    # Another source that says the same; a date; the name of the fact; a claim that is not in use.
    Claim.objects.filter(pk=other.pk).update(dated="2026-05")
    same = claim(fact, "0.65", "kW")
    type(fact).objects.filter(pk=fact.pk).update(label="Power")
    Claim.objects.filter(pk=first.pk).update(value="710")
    assert since(article) == moved_at

    Claim.objects.filter(pk=same.pk).update(value="0.64")
    written_at = since(article)
    assert written_at > moved_at

    choose_claim(fact, first)  # To 710, and back.
    choose_claim(fact, same)
    assert since(article) > written_at


@pytest.mark.parametrize(("value", "unit"), [("0.7", "kW"), ("700.000", "W"), ("0.0007", "MW")])
def test_the_same_quantity_in_another_unit_has_not_moved(article, fact, value, unit):
    claim(fact, value, unit)

    assert list(moved_articles()) == []


def test_the_least_difference_has_moved(article, fact):
    claim(fact, "0.700000001", "kW")

    assert moved_of(article) == [("700 W", "700.000001 W")]


def test_a_value_that_is_written_over_a_claim_has_moved(article, fact):
    Claim.objects.filter(fact=fact).update(value="710")

    assert moved_of(article) == [("700 W", "710 W")]


def test_a_record_that_says_nothing_any_more_has_moved(article, fact):
    fact.claims.all().delete()
    settle_choices([fact])

    (moved,) = moved_quantities([article])[article.pk]
    assert (moved.says_nothing, moved.now_text) == (True, "")


def test_a_scenario_that_is_computed_anew_moves_what_it_is_bound_to(fact):
    make_fact(("8", "U"), subject=Device.objects.get(), field="u_height")
    save_scenario(slug="one", title="Rack", input={"items": [{"device": "h100", "quantity": 2}]})
    article = make_live_article(body="It takes {{scenario:one.nameplate_kw}}.\n")

    save_scenario(slug="one", title="Rack", input={"items": [{"device": "h100", "quantity": 3}]})

    assert moved_of(article) == [("1.4 kW", "2.1 kW")]


def test_only_what_readers_see_can_move(article, fact):
    make_approved_edition(body="Draft: {{h100.power_nameplate_w}}.\n")
    services.withdraw_article(article, reason="Wrong.")

    claim(fact, "650")

    assert list(moved_articles()) == []


def test_a_new_edition_ends_it(article, fact):
    claim(fact, "650")

    make_next_edition(article)

    assert list(moved_articles()) == []


def test_one_click_makes_a_draft_that_says_what_the_record_says(article, fact):
    claim(fact, "650")
    person = make_person()

    renewal = renew_draft(article, by=person)

    assert (renewal.has_other_changes, [m.now_text for m in renewal.quantities]) == (False, ["650 W"])
    assert renewal.article.draft_writer_ids == [person.pk]
    edition = services.submit_article(article, by=person)
    assert (edition.number, edition.content["quantities"][0]["text"]) == (2, "650 W")


def test_a_draft_that_somebody_has_written_into_is_kept_and_said(article, fact):
    claim(fact, "650")
    services.change_article(article, based_on=1, by=make_person(), fields={"title": "Loops, again"})

    renewal = renew_draft(article, by=make_person())

    assert renewal.has_other_changes
    assert Article.objects.get().title == "Loops, again"


def test_nothing_is_renewed_where_nothing_moved(article):
    with pytest.raises(ValidationError) as error:
        renew_draft(article, by=make_person())

    assert error.value.code == "not_moved"
    assert Article.objects.get().draft_version == 1


def test_what_an_editor_lets_stand_is_not_listed_until_it_moves_again(article, fact):
    claim(fact, "650")
    (moved,) = moved_quantities([article])[article.pk]

    keep_published(moved.quantity, by=make_person(), note="The new figure is of another board.", seen=moved.seen)

    assert list(moved_articles()) == [] and moved_of(article) == []
    assert len(moved_quantities([article], kept=True)[article.pk]) == 1
    claim(fact, "600")
    assert moved_of(article) == [("700 W", "600 W")]


def test_what_is_let_stand_though_the_record_says_nothing(article, fact):
    fact.claims.all().delete()
    settle_choices([fact])
    (moved,) = moved_quantities([article])[article.pk]

    keep_published(
        moved.quantity, by=make_person(), note="The source was withdrawn; the number was right.", seen=moved.seen
    )

    assert list(moved_articles()) == []


@pytest.mark.parametrize(("note", "code"), [(" ", "note_missing"), ("Fine.", "not_moved")])
def test_to_let_stand_takes_a_reason_and_something_that_moved(article, note, code):
    with pytest.raises(ValidationError) as error:
        keep_published(article.editions.get().quantities.get(), by=make_person(), note=note, seen="700 power")

    assert [problem.code for problem in problems_of(error.value)] == [code]
    assert not KeptQuantity.objects.exists()


def test_a_decision_about_what_the_record_said_before_is_none_about_what_it_says_now(article, fact):
    claim(fact, "650")
    (seen,) = moved_quantities([article])[article.pk]
    claim(fact, "600")

    with pytest.raises(ValidationError) as error:
        keep_published(seen.quantity, by=make_person(), note="Another board.", seen=seen.seen)

    assert error.value.code == "moved_again"
    assert not KeptQuantity.objects.exists()


@pytest.mark.parametrize("size", [1, 12])
def test_the_list_costs_the_same_at_any_size(fact, django_assert_num_queries, size):
    for _ in range(size):
        make_live_article(body="It draws {{h100.power_nameplate_w}}.\n")
    claim(fact, "650")

    with django_assert_num_queries(4):
        articles = list(moved_articles())
        found = moved_quantities(articles)

    assert [len(found[article.pk]) for article in articles] == [1] * size

"""Drafts, editions, reviews, live ranges: through the services, and past them with raw SQL."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from articles import services
from articles.models import Article, Edition
from core.feed.models import Change, Instant
from core.feed.moment import read_moment
from core.publishing.models import Review
from core.publishing.services import StaleDraft, database_now
from tests.factories import (
    make_approved_edition,
    make_article,
    make_author,
    make_live_article,
    make_next_edition,
    make_person,
    make_tag,
)

pytestmark = pytest.mark.django_db


def visible_titles(at=None):
    return list(Edition.objects.visible(at or database_now()).values_list("title", flat=True))


def code_of(error):
    """Return the code of the one problem in a ValidationError."""
    return (
        error.value.error_list[0].code
        if hasattr(error.value, "error_list")
        else next(iter(error.value.error_dict.values()))[0].code
    )


def refused_by_database(sql, params, constraint):
    with pytest.raises(IntegrityError) as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)
    assert error.value.__cause__.diag.constraint_name == constraint


def test_a_draft_is_seen_by_nobody_until_it_is_published():
    article = make_article(title="Busways")
    edition = make_approved_edition(article)
    assert visible_titles() == []

    services.publish_article(edition)

    assert visible_titles() == ["Busways"]


def test_what_is_not_approved_is_not_published():
    edition = services.submit_article(make_article(), by=make_person())

    with pytest.raises(ValidationError) as error:
        services.publish_article(edition)

    assert code_of(error) == "not_approved"
    assert visible_titles() == []


def test_the_database_refuses_to_make_live_what_lacks_approval():
    edition = services.submit_article(make_article(), by=make_person())

    refused_by_database(
        "update articles_edition set live = tstzrange(clock_timestamp(), null), published_at = now() where id = %s",
        [edition.pk],
        "approvals_missing",
    )


def test_a_request_for_changes_outweighs_an_approval():
    edition = make_approved_edition()
    services.review_article(edition, by=make_person(), verdict="changes_requested", note="The unit is wrong.")

    with pytest.raises(ValidationError) as error:
        services.publish_article(edition)

    assert code_of(error) == "not_approved"


def test_asking_for_changes_takes_a_note():
    edition = services.submit_article(make_article(), by=make_person())

    with pytest.raises(ValidationError) as error:
        services.review_article(edition, by=make_person(), verdict="changes_requested", note="  ")

    assert code_of(error) == "note_missing"
    assert Review.objects.count() == 0


def test_under_four_eyes_a_writer_does_not_approve(settings):
    settings.PLENUM_FOUR_EYES = True
    writer = make_person()
    edition = services.submit_article(make_article(by=writer), by=writer)

    with pytest.raises(ValidationError) as error:
        services.review_article(edition, by=writer, verdict="approved")

    assert code_of(error) == "own_edition"
    assert services.review_article(edition, by=make_person(), verdict="approved").review_state == "approved"


def test_an_approval_stands_while_nothing_changes_and_falls_with_one_byte():
    article = make_article(body="One paragraph.\n")
    edition = make_approved_edition(article)

    assert services.submit_article(article, by=make_person()) == edition

    article = services.change_article(article, based_on=1, by=make_person(), fields={"body": "One paragraph!\n"})
    again = services.submit_article(article, by=make_person())
    assert again.number == edition.number + 1
    with pytest.raises(ValidationError):
        services.publish_article(again)


@pytest.mark.parametrize(
    "change",
    [
        "title = 'Other'",
        'content = content || \'{"title": "Other"}\'',
        "sha256 = repeat('0', 64)",
        "plain_text = 'other'",
        "number = 99",
        "slug = 'other'",
        "writer_ids = '{}'",
    ],
)
def test_an_edition_is_frozen(change):
    edition = make_approved_edition()

    refused_by_database(f"update articles_edition set {change} where id = %s", [edition.pk], "edition_frozen")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("live = null", "live_history"),
        ("live = tstzrange(lower(live) - interval '1 day', null)", "live_history"),
        ("live = tstzrange(lower(live), now() - interval '10 milliseconds')", "live_history"),
        ("live = 'empty'", "live_range_shape"),
        ("live = tstzrange(null, null)", "live_range_shape"),
        ("live = tstzrange(lower(live), 'infinity')", "live_range_shape"),
        ("published_at = now()", "live_history"),
    ],
)
def test_what_was_live_cannot_be_rewritten(change, rule):
    article = make_live_article()
    with connection.cursor() as cursor:
        cursor.execute("select pg_sleep(0.05)")

    refused_by_database(f"update articles_edition set {change} where article_id = %s", [article.pk], rule)


def test_reviews_are_only_ever_inserted():
    make_approved_edition()

    refused_by_database("update publishing_review set verdict = 'approved'", [], "review_frozen")
    refused_by_database("delete from publishing_review", [], "review_frozen")


@pytest.mark.parametrize("table", ["articles_authorship", "articles_tagging"])
def test_the_bylines_and_tags_of_an_edition_are_frozen_with_it(table):
    make_live_article(authors=[make_author()], tags=[make_tag()])

    refused_by_database(f"delete from {table}", [], "edition_frozen")
    refused_by_database(f"update {table} set id = id", [], "edition_frozen")


def test_at_most_one_edition_is_live_whatever_the_application_says():
    article = make_live_article()
    article = services.change_article(article, based_on=1, by=make_person(), fields={"title": "Next"})
    edition = make_approved_edition(article)

    refused_by_database(
        "update articles_edition set live = tstzrange(clock_timestamp(), null), published_at = now() where id = %s",
        [edition.pk],
        "articles_edition_one_live",
    )


def test_one_address_leads_to_one_article():
    first = make_live_article(slug="busways")
    first = services.change_article(first, based_on=1, by=make_person(), fields={"slug": "busways-explained"})
    second = make_approved_edition(slug="busways")

    with pytest.raises(ValidationError) as error:
        services.publish_article(second)

    assert code_of(error) == "slug_taken"
    assert second.article.editions.get().live is None


def test_editing_goes_on_behind_what_readers_see():
    article = make_live_article(title="Old")
    services.change_article(article, based_on=1, by=make_person(), fields={"title": "New"})
    assert visible_titles() == ["Old"]

    make_next_edition(article, body="Other words.\n")

    assert visible_titles() == ["New"]


def test_a_correction_keeps_the_date_of_publication():
    article = make_live_article()
    first = article.editions.get()

    second = make_next_edition(article, title="Corrected")

    assert second.published_at == first.published_at
    assert second.live.lower > first.live.lower
    first.refresh_from_db()
    assert first.live.upper == second.live.lower


def test_a_scheduled_edition_takes_over_at_its_instant_and_can_be_cancelled():
    article = make_live_article(title="Old")
    instant = database_now() + timedelta(hours=1)
    edition = make_next_edition(article, title="New", at=instant)
    assert visible_titles(instant - timedelta(microseconds=1)) == ["Old"]
    assert visible_titles(instant) == ["New"]
    assert Instant.objects.count() == 2

    services.cancel_article(edition)

    assert visible_titles(instant) == ["Old"]
    assert Instant.objects.count() == 0


def test_an_instant_that_has_passed_is_refused():
    edition = make_approved_edition()

    with pytest.raises(ValidationError) as error:
        services.publish_article(edition, at=database_now() - timedelta(seconds=1))

    assert code_of(error) == "at_in_past"


def test_two_editions_are_not_scheduled_over_each_other():
    article = make_live_article()
    make_next_edition(article, title="Second", at=database_now() + timedelta(hours=2))

    with pytest.raises(ValidationError) as error:
        make_next_edition(article, title="Third", at=database_now() + timedelta(hours=1))

    assert code_of(error) == "other_edition_then"


def test_withdrawing_takes_a_reason_and_hides_at_once():
    article = make_live_article()
    with pytest.raises(ValidationError) as error:
        services.withdraw_article(article, reason=" ")
    assert code_of(error) == "reason_missing"
    assert len(visible_titles()) == 1

    services.withdraw_article(article, reason="It was about another site.")

    assert visible_titles() == []


def test_what_is_not_live_is_not_withdrawn():
    with pytest.raises(ValidationError) as error:
        services.withdraw_article(make_article(), reason="No.")

    assert code_of(error) == "not_live"


def test_a_write_based_on_an_older_draft_is_refused_with_what_changed():
    article = make_article(title="One")
    services.change_article(article, based_on=1, by=make_person(), fields={"title": "Two"})

    with pytest.raises(StaleDraft) as error:
        services.change_article(article, based_on=1, by=make_person(), fields={"title": "Three"})

    assert error.value.changed == {"title": ("Two", "Three")}
    assert Article.objects.get().title == "Two"


def test_saving_the_same_again_makes_no_version():
    article = make_article(title="One")

    article = services.change_article(article, based_on=1, by=make_person(), fields={"title": "One"})

    assert article.draft_version == 1


def test_the_writers_of_an_edition_are_those_who_changed_its_draft_and_who_submitted_it():
    first, second, third = make_person(), make_person(), make_person()
    article = make_article(by=first)
    article = services.change_article(article, based_on=1, by=second, fields={"title": "Two"})

    edition = services.submit_article(article, by=third)
    article = services.change_article(article, based_on=2, by=third, fields={"title": "Three"})
    after = services.submit_article(article, by=third)

    assert edition.writer_ids == sorted([first.pk, second.pk, third.pk])
    assert after.writer_ids == [third.pk]


def test_restoring_copies_into_the_draft_and_publishes_nothing():
    author = make_author()
    article = make_live_article(title="Old", authors=[author])
    old = article.editions.get()
    make_next_edition(article, title="New")
    article.refresh_from_db()

    article = services.restore_article(old, based_on=article.draft_version, by=make_person())

    assert article.title == "Old"
    assert visible_titles() == ["New"]


def test_a_duplicate_is_a_draft_with_another_address():
    article = make_live_article(slug="busways", tags=[make_tag()])

    copy = services.duplicate_article(article, by=make_person())

    assert copy.slug == "busways-2"
    assert copy.tags.count() == 1
    assert copy.editions.count() == 0
    assert len(visible_titles()) == 1


def test_going_live_is_refused_by_name_while_a_link_leads_nowhere():
    make_article(slug="never-published", title="Never published")
    edition = make_approved_edition(body="See [that](article:never-published).\n")

    with pytest.raises(ValidationError) as error:
        services.publish_article(edition)

    assert code_of(error) == "links_to_unpublished"
    assert "Never published" in str(error.value)


def test_two_articles_that_link_to_each_other_go_live_together():
    first, second = make_article(slug="first"), make_article(slug="second", body="See [it](article:first).\n")
    first = services.change_article(first, based_on=1, by=make_person(), fields={"body": "See [it](article:second).\n"})
    one, two = make_approved_edition(first), make_approved_edition(second)

    services.publish_article(one, together=[second])
    services.publish_article(two)

    assert len(visible_titles()) == 2


def test_what_was_published_is_not_deleted():
    article = make_live_article()

    with pytest.raises(ValidationError) as error:
        services.delete_article(article)

    assert code_of(error) == "was_published"
    refused_by_database("delete from articles_edition", [], "edition_frozen")


def test_what_another_article_links_to_is_not_deleted():
    article = make_article(slug="target")
    make_approved_edition(title="Loops", body="See [it](article:target).\n")

    with pytest.raises(ValidationError) as error:
        services.delete_article(article)

    assert code_of(error) == "is_used" and "Article: Loops" in str(error.value)
    assert type(article).objects.filter(pk=article.pk).exists()


@pytest.mark.parametrize("title", ["", "   ", "🧊🔥", "数据中心的电力"])
def test_titles_without_latin_letters_still_get_an_address(title):
    slugs = {services.create_article(by=make_person(), title=title).slug for _ in range(3)}

    assert len(slugs) == 3
    assert all(slugs)


def test_a_publication_is_one_change_and_one_version():
    article = make_live_article()
    assert read_moment().versions["article"] == 1

    make_next_edition(article, title="Corrected")

    kinds = list(Change.objects.filter(object_id=article.pk).order_by("id").values_list("change_kind", "reason"))
    assert kinds == [("upsert", "published"), ("upsert", "published")]


def test_a_draft_makes_no_change_and_no_version():
    before = read_moment()
    article = make_article()
    edition = make_approved_edition(article)
    services.publish_article(edition, at=database_now() + timedelta(hours=1))

    after = read_moment()

    assert after.versions.get("article") == before.versions.get("article")
    assert not Change.objects.filter(kind="article").exists()


def test_a_draft_that_has_moved_on_is_not_submitted():
    article = make_article()
    seen = article.draft_version
    services.change_article(article, based_on=seen, by=make_person(), fields={"title": "Theirs"})

    with pytest.raises(StaleDraft) as error:
        services.submit_article(article, by=make_person(), based_on=seen)

    assert (code_of(error), error.value.version) == ("stale_draft", seen + 1)
    assert not article.editions.exists()
    assert services.submit_article(article, by=make_person(), based_on=seen + 1).title == "Theirs"


def test_who_wrote_last_stands_last_among_the_writers():
    ada, ben = make_person(), make_person()
    article = make_article(by=ada)
    for version, by in enumerate((ben, ada), start=1):
        services.change_article(article, based_on=version, by=by, fields={"title": f"By {by}"})

    article.refresh_from_db()

    assert article.draft_writer_ids == [ben.pk, ada.pk]

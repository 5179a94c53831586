"""The life of an article in the admin, through its forms and buttons."""

from datetime import timedelta

import pytest
from django.urls import reverse

from articles.models import Article, Edition
from core.publishing.models import Reference, Review
from core.publishing.services import database_now
from tests.admin.conftest import client_of
from tests.admin.pages import errors_of, fill, open_form, said, text_of
from tests.factories import (
    make_approved_edition,
    make_article,
    make_author,
    make_live_article,
    make_next_edition,
    make_person,
    make_tag,
)

FORM = "article_form"


def address(name: str, article: Article | None = None, number: int | None = None) -> str:
    args = [argument for argument in (article and article.pk, number) if argument is not None]
    return reverse(f"admin:articles_article_{name}", args=args)


def edit(client, article: Article, **typed):
    return fill(client, address("change", article), FORM, **{"_continue": "1", **typed})


def stored(article: Article) -> Article:
    return Article.objects.get(pk=article.pk)


def live_title(article: Article) -> str | None:
    edition = article.editions.visible(database_now()).first()
    return edition.title if edition else None


# Writing


def test_an_author_begins_an_article_and_its_address_is_made_of_the_title(author):
    signed = make_author(name="Ines")

    response = fill(
        author,
        address("add"),
        FORM,
        **{
            "title": "Why racks?",
            "body": "One.\r\n\r\nTwo.\r\n",
            "authorships-TOTAL_FORMS": "1",
            "authorships-0-author": str(signed.pk),
            "authorships-0-position": "",
            "_continue": "1",
        },
    )

    article = Article.objects.get()
    assert response["Location"] == address("change", article)
    assert (article.title, article.slug, article.body) == ("Why racks?", "why-racks", "One.\n\nTwo.\n")
    assert [str(row) for row in article.authorships.all()] == ["Ines"]
    assert article.draft_writer_ids == [author.person.pk]


def test_authors_stand_in_the_order_of_their_places(author):
    first, second, third = (make_author(name=name) for name in ("A", "B", "C"))
    article = make_article(authors=[first, second])

    edit(
        author,
        article,
        **{
            "authorships-TOTAL_FORMS": "3",
            "authorships-0-position": "5",
            "authorships-2-author": str(third.pk),
            "authorships-2-article": str(article.pk),
            "authorships-2-position": "2",
        },
    )

    assert [str(row) for row in article.authorships.all()] == ["B", "C", "A"]


def test_a_save_that_changes_nothing_makes_no_version(author):
    article = make_article(body="One.\n\nTwo.\n", tags=[make_tag()], authors=[make_author()], explains=["density_kw"])
    before = stored(article)

    edit(author, article)

    after = stored(article)
    assert (after.draft_version, after.draft_changed_at) == (before.draft_version, before.draft_changed_at)


def test_a_mistake_in_the_body_is_stored_and_shown_at_the_body_by_its_place(author):
    article = make_article()

    edit(author, article, body="## Heading\n\n{{nothing.at_all}}")

    assert stored(article).body == "## Heading\n\n{{nothing.at_all}}"
    lines = errors_of(author.get(address("change", article)), "body")
    assert lines[1].startswith("Line 3, column 1: There is no quantity “nothing.at_all”.")


def test_corrections_are_rows(author):
    article = make_article()
    typed = {
        "corrections-0-said": "9 kW",
        "corrections-0-says": "10.2 kW",
        "corrections-0-on": "2026-10-02",
        "corrections-0-gravity": "major",
    }

    edit(author, article, **typed)

    row = {"said": "9 kW", "says": "10.2 kW", "on": "2026-10-02", "gravity": "major"}
    assert stored(article).corrections == [row]

    edit(author, article, **{"corrections-1-said": "x", "corrections-1-says": "y", "corrections-1-on": "2026-10-03"})

    assert stored(article).corrections == [row, {"said": "x", "says": "y", "on": "2026-10-03", "gravity": "minor"}]

    edit(author, article, **{f"corrections-0-{key}": "" for key in ("said", "says", "on")})

    assert [row["said"] for row in stored(article).corrections] == ["x"]


def test_a_correction_that_is_not_whole_is_refused_by_its_number(author):
    article = make_article()

    response = edit(author, article, **{"corrections-0-said": "9 kW", "corrections-0-on": "soon"})

    assert errors_of(response, "corrections") == [
        "Correction 1: write what the article says now.",
        "Correction 1: write the day as 2026-10-05.",
    ]
    assert stored(article).corrections == []


def test_state_cannot_be_written_by_the_form(author):
    article = make_article()

    edit(author, article, draft_version="90", draft_writer_ids="1,2", live="[2020-01-01,)", review_state="approved")

    assert stored(article).draft_version == article.draft_version


@pytest.mark.parametrize("title", ["", "!!!", "机架", "🔥"])
def test_any_title_gets_an_address(author, title):
    make_article(slug="article")

    fill(author, address("add"), FORM, title=title, _continue="1")

    assert Article.objects.get(title=title).slug == "article-2"


def test_an_address_that_is_taken_is_refused_on_its_field(author):
    make_article(slug="taken")
    article = make_article()

    response = edit(author, article, slug="Taken", title="Typed")

    assert errors_of(response, "slug")
    assert open_form_of(response)["title"] == "Typed"
    assert stored(article).slug == article.slug


def open_form_of(response) -> dict:
    from tests.admin.pages import fields_of

    return fields_of(response.content.decode(), FORM)


# Nobody's changes are lost


def test_a_stale_save_is_refused_and_shows_both_and_keeps_what_was_typed(author, other_editor):
    article = make_article(title="Old", body="One.\n")
    form = open_form(author, address("change", article), FORM)
    edit(other_editor, article, title="Theirs")

    response = author.post(address("change", article), {**form, "title": "Mine", "body": "Two.\n", "_continue": "1"})

    assert response.status_code == 409
    assert stored(article).title == "Theirs" and stored(article).body == "One.\n"
    page = text_of(response)
    assert "Somebody saved this meanwhile" in page
    assert "Title Theirs Mine" in page
    kept = open_form_of(response)
    assert (kept["title"], kept["body"], kept["based_on"]) == ("Mine", "Two.\r\n", form["based_on"])


def test_pressing_save_again_is_refused_again_and_saving_over_it_is_a_button(author, other_editor):
    article = make_article(title="Old")
    form = open_form(author, address("change", article), FORM)
    edit(other_editor, article, title="Theirs")
    refused = author.post(address("change", article), {**form, "title": "Mine", "_continue": "1"})

    again = author.post(address("change", article), {**open_form_of(refused), "_continue": "1"})
    over = author.post(
        address("change", article), {**open_form_of(again), "_overwrite": str(stored(article).draft_version)}
    )

    assert again.status_code == 409
    assert over["Location"] == address("change", article)
    assert stored(article).title == "Mine"


def test_saving_over_a_version_that_moved_on_too_is_refused(author, other_editor):
    article = make_article(title="Old")
    form = open_form(author, address("change", article), FORM)
    edit(other_editor, article, title="Theirs")
    seen = str(stored(article).draft_version)
    edit(other_editor, article, title="Theirs again")

    response = author.post(address("change", article), {**form, "title": "Mine", "_overwrite": seen})

    assert response.status_code == 409
    assert stored(article).title == "Theirs again"


def test_the_same_save_sent_twice_is_no_conflict(author):
    article = make_article(title="Old")
    form = {**open_form(author, address("change", article), FORM), "title": "New", "_continue": "1"}

    first, second = (author.post(address("change", article), form) for _ in range(2))

    assert first.status_code == second.status_code == 302
    assert stored(article).draft_version == article.draft_version + 1


def test_a_save_that_says_no_version_is_refused(author):
    article = make_article(title="Old")

    response = edit(author, article, title="New", based_on=None)

    assert response.status_code == 409 and stored(article).title == "Old"


# Submitting, reviewing


def test_submit_freezes_the_draft(author):
    article = make_article()

    response = fill(author, address("submit", article))

    assert said(author, response) == ["Edition 1 waits for review."]
    edition = article.editions.get()
    assert (edition.submitted_by, edition.review_state) == (author.person, "in_review")


def test_the_submit_page_names_what_is_missing_and_what_is_wrong(author):
    article = make_article(dek="")
    assert "It has no dek." in text_of(author.get(address("submit", article)))

    broken = make_article(body="{{x.y}}\n\n<b>no</b>\n")
    page = text_of(author.get(address("submit", broken)))

    assert "Line 1, column 1: There is no quantity “x.y”" in page and "Line 3, column 1" in page
    refused = author.post(address("submit", broken), {"based_on": broken.draft_version})
    assert "Line 1, column 1" in text_of(refused) and not broken.editions.exists()


def test_a_draft_that_changed_since_the_page_was_opened_is_not_submitted(author, other_editor):
    article = make_article()
    form = open_form(author, address("submit", article))
    edit(other_editor, article, title="Theirs")

    response = author.post(address("submit", article), form)

    assert "has changed since this page was opened" in errors_of(response)[0]
    assert not article.editions.exists()


def test_save_and_submit_leads_to_the_question(author):
    article = make_article()

    response = edit(author, article, title="Typed", _continue=None, _submit="1")

    assert response["Location"] == address("submit", article)
    assert stored(article).title == "Typed"


def test_an_editor_approves_with_a_note(author, editor):
    article = make_article()
    fill(author, address("submit", article))

    response = fill(editor, address("review", article, 1), verdict="approved", note="Good.")

    assert said(editor, response) == ["Edition 1 is approved, and can be published."]
    review = Review.objects.get()
    assert (review.reviewer, review.note, article.editions.get().review_state) == (editor.person, "Good.", "approved")


def test_changes_are_asked_for_with_a_note(author, editor):
    article = make_article()
    fill(author, address("submit", article))

    silent = fill(editor, address("review", article, 1), verdict="changes_requested")
    response = fill(editor, address("review", article, 1), verdict="changes_requested", note="Say where.")

    assert errors_of(silent, "note") == ["Say what should change."]
    assert said(editor, response) == ["Changes to edition 1 are requested."]
    assert "Say where." in text_of(author.get(address("change", article)))


def test_with_four_eyes_a_writer_does_not_approve(editor, settings):
    settings.PLENUM_FOUR_EYES = True
    article = make_article(by=editor.person)
    fill(editor, address("submit", article))

    response = fill(editor, address("review", article, 1), verdict="approved")

    assert errors_of(response) == ["You wrote a part of this edition; somebody else approves it."]
    assert not Review.objects.exists()


def test_a_verdict_shows_what_it_is_about(editor):
    article = make_live_article(title="Old title", body="One.\n\nTwo.\n")
    edit(editor, article, title="New title", body="One.\n\nThree.\n")
    fill(editor, address("submit", article))

    page = text_of(editor.get(address("review", article, 2)))

    assert "From edition 1 to edition 2" in page
    assert "Title Old title New title" in page and "-Two." in page and "+Three." in page


# Publishing


def test_publish_now(editor):
    edition = make_approved_edition(title="Racks")

    response = fill(editor, address("publish", edition.article, 1), when="now")

    assert said(editor, response) == ["Edition 1 is live."]
    assert live_title(edition.article) == "Racks"


def test_what_is_not_approved_is_not_published(author, editor):
    article = make_article()
    fill(author, address("submit", article))

    response = fill(editor, address("publish", article, 1), when="now")

    assert errors_of(response) == ["This edition is not approved."]
    assert live_title(article) is None


def test_going_live_is_refused_by_name_while_it_links_to_what_is_not_live(editor):
    make_article(title="Pumps", slug="pumps")
    edition = make_approved_edition(body="See [pumps](article:pumps).\n")

    response = fill(editor, address("publish", edition.article, 1), when="now")

    assert errors_of(response) == ["It links to what readers will not find then: “Pumps” (pumps)."]


def test_publish_at_an_instant_on_the_clock_of_the_editor(editor):
    edition = make_approved_edition()
    editor.cookies["plenum_zone"] = "Asia/Tokyo"
    form = open_form(editor, address("publish", edition.article, 1))

    response = editor.post(
        address("publish", edition.article, 1), {**form, "when": "later", "local": "2099-01-05T09:00"}
    )

    assert form["zone"] == "Asia/Tokyo"
    assert said(editor, response) == ["Edition 1 goes live on 5 Jan 2099, 09:00 JST (00:00 UTC)."]
    edition.refresh_from_db()
    assert edition.live.lower.isoformat() == "2099-01-05T00:00:00+00:00"
    assert "5 Jan 2099, 09:00 JST" in text_of(editor.get(address("change", edition.article)))


def test_an_instant_that_has_passed_is_refused_at_the_field(editor):
    edition = make_approved_edition()

    response = fill(editor, address("publish", edition.article, 1), when="later", local="2020-01-01T00:00", zone="UTC")

    assert errors_of(response, "local") == ["That instant has passed."]


def test_a_schedule_is_cancelled_and_the_predecessor_goes_on(editor):
    article = make_live_article(title="First")
    make_next_edition(article, at=database_now() + timedelta(days=1), title="Second")

    response = fill(editor, address("cancel", article, 2))

    assert said(editor, response) == ["Edition 2 does not go live."]
    first, second = article.editions.order_by("number")
    assert first.live.upper is None and second.live is None


def test_readers_see_the_old_edition_while_the_draft_goes_on(author):
    article = make_live_article(title="Seen")

    edit(author, article, title="Not yet")

    assert live_title(article) == "Seen"
    page = text_of(author.get(address("change", article)))
    assert "Readers see edition 1, since" in page and "with changes that are in no edition" in page


# Withdrawing, restoring, comparing, duplicating


def test_withdraw_needs_a_reason_and_says_what_readers_saw(editor):
    article = make_live_article()

    silent = fill(editor, address("withdraw", article), when="now")
    response = fill(editor, address("withdraw", article), when="now", reason="Wrong numbers.")

    assert errors_of(silent, "reason") == ["Say why it is withdrawn."]
    assert said(editor, response) == ["Readers no longer see it. They saw edition 1."]
    assert live_title(article) is None
    assert "Reason: Wrong numbers." in text_of(editor.get(address("change", article)))


def test_restore_copies_an_edition_into_the_draft_and_publishes_nothing(editor):
    article = make_live_article(title="First", body="One.\n")
    make_next_edition(article, title="Second", body="Two.\n")

    response = fill(editor, address("restore", article, 1))

    assert said(editor, response) == ["The draft says what edition 1 says. Readers see no change."]
    assert (stored(article).title, stored(article).body) == ("First", "One.\n")
    assert live_title(article) == "Second" and article.editions.count() == 2


def test_a_restore_that_is_based_on_an_old_draft_is_refused(editor, author):
    article = make_live_article()
    form = open_form(editor, address("restore", article, 1))
    edit(author, article, title="Meanwhile")

    response = editor.post(address("restore", article, 1), form)

    assert "Somebody saved this draft meanwhile" in errors_of(response)[0]
    assert stored(article).title == "Meanwhile"


def test_two_editions_are_compared_field_by_field(author):
    article = make_live_article(title="First", body="Same.\n\nOne.\n", tags=[make_tag(name="Heat")])
    make_next_edition(article, title="Second", body="Same.\n\nTwo.\n")

    page = text_of(author.get(address("compare", article), {"old": "1", "new": "2"}))

    assert "Title First Second" in page and "-One." in page and "+Two." in page
    assert "Heat" not in page
    assert "They say the same." in text_of(author.get(address("compare", article), {"old": "2", "new": "draft"}))
    assert author.get(address("compare", article), {"old": "9"}).status_code == 404


def test_a_duplicate_has_an_address_of_its_own_and_no_edition(author):
    article = make_live_article(title="Racks", slug="racks", authors=[make_author()])

    response = fill(author, address("duplicate", article))

    copy = Article.objects.exclude(pk=article.pk).get()
    assert response["Location"] == address("change", copy)
    assert (copy.title, copy.slug, copy.editions.count()) == ("Racks", "racks-2", 0)


# The page around the form


def test_the_panel_tells_the_whole_story(editor):
    writer = make_person(username="walt")
    article = make_live_article(by=writer)
    make_next_edition(article, by=writer, at=database_now() + timedelta(days=2), title="Later")

    page = text_of(editor.get(address("change", article)))

    assert "Readers see edition 1, since" in page and "Scheduled edition 2" in page
    assert "walt: approved" in page
    assert "2 Scheduled from" in page and "1 Live" in page


@pytest.mark.parametrize("verb", ["review", "publish", "cancel", "restore"])
def test_an_edition_of_another_article_is_not_found(editor, verb):
    edition = make_approved_edition()

    assert editor.get(address(verb, make_article(), edition.number)).status_code == 404


@pytest.mark.parametrize("verb", ["submit", "withdraw", "duplicate"])
def test_asking_changes_nothing(editor, verb):
    article = make_live_article()
    before = list(Edition.objects.values()), list(Article.objects.values())

    assert editor.get(address(verb, article)).status_code == 200
    assert editor.put(address(verb, article)).status_code == 405
    assert (list(Edition.objects.values()), list(Article.objects.values())) == before


def test_a_button_needs_its_token(editor):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(editor.person)
    article = make_live_article()

    assert strict.post(address("withdraw", article), {"reason": "x", "when": "now"}).status_code == 403
    assert live_title(article)


# Deleting


def test_what_was_published_cannot_be_deleted(root):
    article = make_live_article()
    fill(root, address("withdraw", article), when="now", reason="x")

    assert root.post(address("delete", article), {"post": "yes"}).status_code == 403
    assert Article.objects.filter(pk=article.pk).exists()


def test_what_readers_never_saw_is_deleted_with_its_editions(editor):
    edition = make_approved_edition(authors=[make_author()])
    article = edition.article
    assert Reference.objects.filter(holder_id=article.pk).exists()

    response = editor.post(address("delete", article), {"post": "yes"})

    assert response.status_code == 302
    assert not Article.objects.exists() and not Edition.objects.exists() and not Reference.objects.exists()


def test_an_article_that_another_links_to_is_not_deleted(editor):
    target = make_article(title="Pumps", slug="pumps")
    make_approved_edition(title="Loops", body="[pumps](article:pumps)\n")

    page = editor.post(address("delete", target), {"post": "yes"})

    assert page.status_code == 200 and "Article: Loops" in text_of(page)
    assert Article.objects.filter(pk=target.pk).exists()


def test_there_is_no_deleting_in_bulk(editor):
    article = make_article()

    editor.post(
        reverse("admin:articles_article_changelist"),
        {"action": "delete_selected", "_selected_action": [str(article.pk)], "post": "yes"},
    )

    assert Article.objects.filter(pk=article.pk).exists()


def test_history_names_who_did_what(author, editor):
    article = make_article()
    fill(author, address("submit", article))
    fill(editor, address("review", article, 1), verdict="approved")

    page = text_of(client_of(editor.person).get(address("history", article)))

    assert "Edition 1 waits for review." in page and "Edition 1 is approved" in page

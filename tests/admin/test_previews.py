"""Previews: as typed, as stored, as frozen, and by links that need no account."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.signing import Signer
from django.urls import reverse

from articles.models import PreviewLink
from articles.previews import make_link, revoke_link, token_of
from articles.services import change_article, publish_article, submit_article
from core.api.ids import uuid7
from tests.admin.pages import fill, open_form, said, text_of
from tests.factories import make_approved_edition, make_article, make_author, make_live_article, make_next_edition

DAY = timedelta(days=1)


def shared(link: PreviewLink) -> str:
    return reverse("preview", args=[token_of(link)])


def test_a_preview_shows_what_is_typed_and_saves_nothing(author):
    article = make_article(title="Stored", body="Stored.\n", authors=[make_author(name="Ines")])
    form = open_form(author, reverse("admin:articles_article_change", args=[article.pk]), "article_form")

    page = author.post(
        reverse("admin:articles_article_preview", args=[article.pk]),
        {**form, "title": "Typed", "body": "## Pumps\r\n\r\n{{no.such}} and *this*."},
    )

    text = text_of(page)
    assert "Typed" in text and "Ines" in text and "Stored" not in text
    assert '<h2 id="pumps">Pumps</h2>' in page.content.decode() and "<em>this</em>" in page.content.decode()
    assert "1 mistake in the body" in text and "3 1 There is no quantity “no.such”." in text
    article.refresh_from_db()
    assert (article.title, article.body) == ("Stored", "Stored.\n")


def test_what_is_not_there_yet_can_be_previewed_too(author):
    page = author.post(reverse("admin:articles_article_preview_new"), {"title": "New", "body": "One.", "section": "x"})

    assert page.status_code == 200 and "New" in text_of(page) and "One." in text_of(page)


def test_a_text_without_words_takes_no_minutes_to_read(author):
    new = reverse("admin:articles_article_preview_new")

    assert " min" not in text_of(author.post(new, {"title": "New", "body": ""}))
    assert "1 min" in text_of(author.post(new, {"title": "New", "body": "One."}))


def test_a_reviewer_reads_a_first_edition_as_readers_will_and_a_later_one_beside_what_they_see(editor):
    article = make_article(title="Loops", body="A *first* word.\n")
    first = make_approved_edition(article)
    review = reverse("admin:articles_article_review", args=[article.pk, 1])

    page = editor.get(review).content.decode()

    assert '<main class="body"><p>A <em>first</em> word.</p>' in page and "A *first* word." not in page
    assert reverse("admin:articles_article_edition", args=[article.pk, 1]) in page

    publish_article(first)
    article.refresh_from_db()
    change_article(article, based_on=article.draft_version, by=editor.person, fields={"body": "A *second* word.\n"})
    submit_article(article, by=editor.person)
    page = editor.get(reverse("admin:articles_article_review", args=[article.pk, 2])).content.decode()

    assert "A *second* word." in page and '<main class="body">' not in page
    assert reverse("admin:articles_article_edition", args=[article.pk, 2]) in page


def test_nothing_of_an_author_runs_in_a_preview(author):
    page = author.post(
        reverse("admin:articles_article_preview_new"),
        {"title": "<script>alert(1)</script>", "body": "<script>alert(2)</script>\n\n[x](javascript:alert(3))"},
    ).content.decode()

    assert "<script" not in page and "javascript:" not in page.replace("“javascript:alert(3)”", "")


def test_an_edition_is_shown_as_it_was_frozen(author):
    article = make_live_article(title="First", body="One.\n")
    make_next_edition(article, title="Second", body="Two.\n")

    page = text_of(author.get(reverse("admin:articles_article_edition", args=[article.pk, 1])))

    assert "First" in page and "One." in page and "Second" not in page


def test_a_link_shows_the_draft_without_an_account_and_nobody_keeps_it(client, author):
    article = make_live_article(title="Live")
    response = fill(author, reverse("admin:articles_article_share", args=[article.pk]), lifetime="7")
    assert said(author, response)[0].startswith("The link is at the end of this page. It holds until ")
    fill(author, reverse("admin:articles_article_change", args=[article.pk]), "article_form", title="Draft of mine")

    page = client.get(shared(PreviewLink.objects.get()))

    assert page.status_code == 200 and "Draft of mine" in text_of(page) and "Live" not in text_of(page)
    assert page["Cache-Control"] == "private, no-store"
    assert page["Referrer-Policy"] == "no-referrer"
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    assert "Set-Cookie" not in page and not page.cookies


def test_a_link_to_an_edition_shows_that_edition_whatever_follows(client, author):
    edition = make_approved_edition(title="Frozen")
    link = make_link(edition.article, by=author.person, lifetime=DAY, edition=edition)
    fill(author, reverse("admin:articles_article_change", args=[edition.article_id]), "article_form", title="Later")

    page = text_of(client.get(shared(link)))

    assert "Frozen" in page and "Later" not in page


def test_the_article_lists_its_links(author):
    article = make_article()
    link = make_link(article, by=author.person, lifetime=DAY)

    page = text_of(author.get(reverse("admin:articles_article_change", args=[article.pk])))

    assert f"http://testserver{shared(link)}" in page and "Revoke" in page


@pytest.mark.parametrize("how", ["expired", "revoked", "forged", "unsigned", "another salt", "gone", "nonsense"])
def test_what_does_not_hold_is_refused_and_never_shows_the_live_article(how, client, author):
    article = make_live_article(title="Live")
    link = make_link(article, by=author.person, lifetime=DAY)
    token = token_of(link)
    if how == "expired":
        PreviewLink.objects.update(expires_at="2020-01-01T00:00Z")
    elif how == "revoked":
        revoke_link(link)
    elif how == "forged":
        token = token[:-1] + ("A" if token[-1] != "A" else "B")
    elif how == "unsigned":
        token = link.pk.hex
    elif how == "another salt":
        token = Signer(salt="other").sign(link.pk.hex)
    elif how == "gone":
        link.pk = uuid7()
        token = token_of(link)
    else:
        token = "%00"

    page = client.get(f"/preview/{token}/")

    assert page.status_code == 403
    assert page["Cache-Control"] == "private, no-store"
    assert "Live" not in text_of(page)


def test_a_token_opens_its_own_article_only(client, author):
    one, other = make_article(title="One"), make_article(title="Other")
    first, second = (make_link(article, by=author.person, lifetime=DAY) for article in (one, other))
    signature = token_of(first).split(":")[1]

    assert client.get(f"/preview/{second.pk.hex}:{signature}/").status_code == 403


def test_a_link_is_only_read(client, author):
    link = make_link(make_article(), by=author.person, lifetime=DAY)

    assert client.post(shared(link)).status_code == 405


def test_a_link_holds_for_30_days_at_most(author):
    article = make_article()

    for lifetime in (timedelta(days=31), timedelta(0), timedelta(days=-1)):
        with pytest.raises(ValidationError):
            make_link(article, by=author.person, lifetime=lifetime)

    assert not PreviewLink.objects.exists()


def test_the_database_holds_nothing_that_opens_a_preview(author):
    link = make_link(make_article(), by=author.person, lifetime=DAY)
    signature = token_of(link).split(":")[1]

    assert not any(signature in str(value) for value in PreviewLink.objects.values().get().values())

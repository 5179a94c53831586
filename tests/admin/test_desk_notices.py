"""Notices: who is told of what, in the admin and by e-mail."""

import os
import subprocess
import sys
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import connection, transaction
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from articles import services
from config.mail import configured
from core.notices.models import Notice
from core.notices.services import choose_mail, prune_notices
from core.notices.tasks import send_notice
from core.publishing.services import database_now
from sponsors.services import review_placement
from tests.admin.conftest import client_of, make_member
from tests.admin.pages import fill, text_of
from tests.factories import make_article, make_live_article, make_person
from tests.mailserver import mail_server
from tests.sponsors.factories import make_placement, make_vendor, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return make_member("authors", username="ada", first_name="Ada", last_name="Byron", email="ada@plenum.example")


@pytest.fixture
def edgar() -> User:
    return make_member("editors", username="edgar", first_name="Edgar", last_name="Codd", email="edgar@plenum.example")


@pytest.fixture
def olga() -> User:
    return make_member("editors", username="olga")


@pytest.fixture
def posts(settings):
    """Let notices go out by e-mail, to a server that keeps them."""
    with mail_server() as server:
        settings.PLENUM_MAIL = True
        settings.PLENUM_PUBLIC_URL = "https://plenum.example"
        settings.DEFAULT_FROM_EMAIL = "Plenum <desk@plenum.example>"
        for name, value in configured(f"smtp://127.0.0.1:{server.port}").items():
            setattr(settings, name, value)
        yield server


def told() -> list[tuple[str, str, int | None]]:
    """Return who was told of what, of which edition, in order."""
    return list(Notice.objects.order_by("at", "id").values_list("recipient__username", "verb", "number"))


def submitted(by: User, **fields):
    return services.submit_article(make_article(by=by, **fields), by=by)


def jobs() -> list[str]:
    return list(
        ProcrastinateJob.objects.filter(task_name__endswith="send_notice").values_list("args__notice_id", flat=True)
    )


def work_off_jobs() -> None:
    """Do what the worker does with each job, as often as it is called."""
    for notice_id in jobs():
        send_notice(notice_id=notice_id)


# Who is told of what


def test_who_may_review_is_told_of_what_waits_and_the_writers_of_what_became_of_it(ada, edgar, olga):
    edition = submitted(ada)
    assert told() == [("edgar", "submitted", 1), ("olga", "submitted", 1)]

    services.review_article(edition, by=edgar, verdict="changes_requested", note="Say why.")
    services.change_article(edition.article, based_on=1, by=ada, fields={"title": "Better"})
    edition = services.submit_article(edition.article, by=ada)
    services.review_article(edition, by=edgar, verdict="approved")
    edition = services.publish_article(edition, at=database_now() + timedelta(days=1), by=edgar)
    edition = services.cancel_article(edition, by=edgar)
    services.publish_article(edition, by=olga)
    services.withdraw_article(edition.article, reason="Wrong.", by=olga)

    assert told()[2:] == [
        ("ada", "changes_requested", 1),
        ("edgar", "submitted", 2),
        ("olga", "submitted", 2),
        ("ada", "approved", 2),
        ("ada", "scheduled", 2),
        ("ada", "cancelled", 2),
        ("ada", "published", 2),
        ("ada", "withdrawn", 2),
    ]
    # What waits no more asks nobody any more.
    assert not Notice.objects.unread().filter(verb="submitted").exists()


def test_nobody_is_told_of_what_he_did_himself_nor_of_what_an_import_does(edgar, olga):
    edition = submitted(edgar)
    services.publish_article(services.review_article(edition, by=edgar, verdict="approved"), by=edgar)
    assert told() == [("olga", "submitted", 1)]

    machine = make_person(username="importer", is_active=False)
    submitted(machine)

    assert told() == [("olga", "submitted", 1)]


def test_a_writer_is_not_asked_where_four_eyes_are_needed(settings, edgar, olga):
    settings.PLENUM_FOUR_EYES = True
    article = make_article(by=olga)

    services.submit_article(services.change_article(article, based_on=1, by=edgar, fields={"dek": "New."}), by=edgar)

    assert told() == []


def test_vendors_tell_when_both_approvals_are_there_and_placements_are_told_of_too(edgar, olga):
    from sponsors.services import review_vendor

    third = make_member("editors", username="third")
    vendor = make_vendor(by=edgar)
    edition = submit(vendor, by=edgar)
    assert told() == [("olga", "submitted", 1), ("third", "submitted", 1)]

    review_vendor(edition, by=olga, verdict="approved")
    assert len(told()) == 2
    review_vendor(edition, by=third, verdict="approved")
    assert told()[2:] == [("edgar", "approved", 1)]

    placement = make_placement(vendor=vendor, by=edgar)
    review_placement(placement, by=olga, verdict="changes_requested", note="No.")
    assert [row for row in told() if row[2] is None] == [
        ("olga", "submitted", None), ("third", "submitted", None), ("edgar", "changes_requested", None),
    ]  # fmt: skip


def test_a_refused_verb_tells_nobody(ada, edgar):
    edition = submitted(ada)
    before = told()

    with pytest.raises(ValidationError):
        services.review_article(edition, by=edgar, verdict="changes_requested", note=" ")
    with pytest.raises(ValidationError):
        services.publish_article(edition, by=edgar)
    with transaction.atomic():
        services.review_article(edition, by=edgar, verdict="approved")
        assert len(told()) == len(before) + 1
        transaction.set_rollback(True)

    assert told() == before


# In the admin


def test_the_bell_counts_and_the_page_lists_with_note_and_link(ada, edgar):
    article = make_article(by=ada, title="Warm water")
    edition = services.submit_article(article, by=ada)
    editor, author = client_of(edgar), client_of(ada)

    assert 'aria-label="Notices, 1 not read"' in editor.get(reverse("admin:index")).content.decode()
    page = editor.get(reverse("notices"))
    assert "Ada Byron submitted edition 1 of the article “Warm water”. It waits for a review." in text_of(page)
    (notice,) = Notice.objects.all()
    opened = editor.get(reverse("notice", args=[notice.pk]))
    assert opened["Location"] == reverse("admin:articles_article_review", args=[article.pk, 1])
    assert 'aria-label="Notices"' in editor.get(reverse("admin:index")).content.decode()
    assert "You have read all of them." in text_of(editor.get(reverse("notices")))
    assert "Warm water" in text_of(editor.get(reverse("notices") + "?all"))

    fill(editor, opened["Location"], verdict="changes_requested", note="Say <why>.")

    page = author.get(reverse("notices"))
    assert "Edgar Codd asks for changes to edition 1 of the article “Warm water”." in text_of(page)
    assert "Say &lt;why&gt;." in page.content.decode()
    (notice,) = Notice.objects.filter(recipient=ada)
    assert author.get(reverse("notice", args=[notice.pk]))["Location"] == reverse(
        "admin:articles_article_change", args=[article.pk]
    )
    assert edition.review_state == "in_review"


def test_notices_are_marked_as_read_one_by_one_or_all_and_only_ones_own(ada, edgar, olga):
    for _ in range(3):
        submitted(ada)
    editor, mine = client_of(edgar), Notice.objects.filter(recipient=edgar)
    other = Notice.objects.filter(recipient=olga).first()

    editor.post(reverse("notices"), {"notice": [str(mine[0].pk), str(other.pk), "nonsense"]})
    assert mine.unread().count() == 2
    editor.post(reverse("notices"), {"everything": "1"})

    assert mine.unread().count() == 0
    assert Notice.objects.filter(recipient=olga).unread().count() == 3
    assert editor.get(reverse("notice", args=[other.pk])).status_code == 404


def test_a_notice_is_shown_only_while_its_reader_may_see_what_it_is_about(edgar):
    submit(make_vendor(by=make_member("editors"), name="Secret Pumps"), by=make_member("editors"))
    editor = client_of(edgar)
    (notice,) = Notice.objects.filter(recipient=edgar)
    assert "Secret Pumps" in text_of(editor.get(reverse("notices")))

    edgar.groups.set([])
    demoted = client_of(User.objects.get(pk=edgar.pk))

    assert "Secret Pumps" not in text_of(demoted.get(reverse("notices") + "?all"))
    assert 'aria-label="Notices"' in demoted.get(reverse("admin:index")).content.decode()
    assert demoted.get(reverse("notice", args=[notice.pk])).status_code == 404


def test_the_pages_are_for_staff(client):
    for address in (reverse("notices"), reverse("notice", args=[make_live_article().pk])):
        assert client.get(address).status_code == 302
        client.force_login(make_person(is_staff=False))
        assert client.get(address).status_code == 302
        client.logout()


def test_the_statements_of_the_page_do_not_grow(ada, edgar, django_assert_num_queries):
    editor = client_of(edgar)
    submitted(ada)
    editor.get(reverse("notices"))
    counts = []
    for more in (0, 10):
        for _ in range(more):
            submitted(ada)
        with connection.execute_wrapper(lambda execute, *args: (counts[-1].append(1), execute(*args))[1]):
            counts.append([])
            assert len(editor.get(reverse("notices")).context["rows"]) == 1 + more

    assert len(counts[0]) == len(counts[1])


def test_what_was_read_long_ago_is_thrown_away(ada, edgar):
    for _ in range(3):
        submitted(ada)
    old, recent, unread = Notice.objects.filter(recipient=edgar)
    now = database_now()
    Notice.objects.filter(pk__in=[old.pk, unread.pk]).update(at=now - timedelta(days=200))
    Notice.objects.filter(pk=old.pk).update(read_at=now - timedelta(days=91))
    Notice.objects.filter(pk=recent.pk).update(read_at=now - timedelta(days=89))

    assert prune_notices() == 1
    assert set(Notice.objects.filter(recipient=edgar)) == {recent, unread}


# By e-mail


def test_a_mail_says_who_what_and_the_note_with_a_link_and_is_sent_once(ada, edgar, posts):
    edition = submitted(ada, title="Warm\nwater", body="Secret draft text.\n")
    services.review_article(edition, by=edgar, verdict="changes_requested", note="Say why.")
    assert posts.messages == []

    work_off_jobs()
    work_off_jobs()

    assert posts.envelopes == [
        ("desk@plenum.example", ["edgar@plenum.example"]),
        ("desk@plenum.example", ["ada@plenum.example"]),
    ]
    message = posts.messages[1]
    assert (message["From"], message["To"]) == ("Plenum <desk@plenum.example>", "ada@plenum.example")
    assert message["Subject"] == "[Plenum] Changes requested: Warm water"
    assert message["Message-ID"] == f"<notice-{Notice.objects.get(recipient=ada).pk}@plenum.example>"
    assert message.get_content_type() == "text/plain"
    text = message.get_content().replace("\r\n", "\n")
    assert text.startswith("Edgar Codd asks for changes to edition 1 of the article “Warm water”.")
    assert "Note:\nSay why.\n" in text
    assert f"https://plenum.example/admin/articles/article/{edition.article_id}/change/" in text
    assert "Secret" not in text


def test_nobody_gets_mail_who_has_no_address_or_chose_none_or_may_not_see_it_any_more(ada, edgar, olga, posts):
    choose_mail(edgar, reviews=False, own_work=True)
    submitted(ada)
    assert jobs() == []  # Olga has no address.

    choose_mail(edgar, reviews=True, own_work=False)
    submitted(ada)
    assert len(jobs()) == 1
    edgar.groups.set([])
    work_off_jobs()

    assert posts.messages == []


def test_without_a_mail_server_nothing_is_sent_and_nothing_is_asked_of_the_worker(ada, edgar):
    submitted(ada)

    assert jobs() == []
    page = text_of(client_of(edgar).get(reverse("notices")))
    assert "This installation sends no e-mail." in page


def test_each_chooses_in_the_admin_what_comes_by_mail(edgar, posts):
    editor = client_of(edgar)

    editor.post(reverse("notices"), {"choose": "1", "own_work": "on"})

    choice = edgar.mail_choice
    assert (choice.reviews, choice.own_work) == (False, True)


def test_a_server_that_is_down_is_asked_again(ada, edgar, posts):
    submitted(ada)
    posts.refuses = 1

    with pytest.raises(OSError, match="try later"):
        work_off_jobs()
    assert Notice.objects.get().mailed_at is None
    work_off_jobs()

    assert len(posts.messages) == 1
    after_three, after_eight, after_nine = (
        send_notice.retry_strategy.get_retry_decision(exception=OSError(), job=SimpleNamespace(attempts=n))
        for n in (3, 8, 9)
    )
    assert after_eight.retry_at - after_three.retry_at > timedelta(days=3)
    assert after_nine is None


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mail.example", "write smtps://"),
        ("http://mail.example", "write smtps://"),
        ("smtp://mail.example:99999", "port is no number"),
    ],
)
def test_an_address_of_a_mail_server_that_is_none_is_refused_without_its_password(url, said):
    with pytest.raises(ValueError, match=said):
        configured(url)


def test_a_mail_server_is_read_from_one_address():
    assert configured("smtps://us%40er:p%3Aw@mail.example") == {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "mail.example",
        "EMAIL_PORT": 465,
        "EMAIL_HOST_USER": "us@er",
        "EMAIL_HOST_PASSWORD": "p:w",
        "EMAIL_USE_SSL": True,
    }
    assert configured("smtp+tls://mail.example")["EMAIL_PORT"] == 587


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_worker_sends_what_was_committed(ada, edgar, posts):
    submitted(ada)
    parts = connection.settings_dict
    account = f"{parts['USER']}:{parts['PASSWORD'] or ''}"
    url = f"postgresql://{account}@/{parts['NAME']}?host={parts['HOST']}&port={parts['PORT'] or 5432}"
    environment = {
        **os.environ,
        "PLENUM_ENV": "development",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url,
        "PLENUM_EMAIL_URL": f"smtp://127.0.0.1:{posts.port}",
        "PLENUM_EMAIL_FROM": "desk@plenum.example",
        "PLENUM_PUBLIC_URL": "https://plenum.example",
    }

    subprocess.run(
        [sys.executable, "manage.py", "procrastinate", "worker", "--one-shot", "-q", "mail"],
        env=environment,
        check=True,
        timeout=60,
        capture_output=True,
    )

    assert [recipients for _, recipients in posts.envelopes] == [["edgar@plenum.example"]]
    assert Notice.objects.get().mailed_at is not None


def test_a_missing_sender_stops_the_start():
    done = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        env={
            **os.environ,
            "PLENUM_ENV": "test",
            "DATABASE_URL": "postgresql://nobody@nowhere/nothing",
            "PLENUM_EMAIL_URL": "smtp://localhost",
            "PLENUM_PUBLIC_URL": "",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode != 0
    assert ImproperlyConfigured.__name__ in done.stderr
    assert "PLENUM_EMAIL_URL needs PLENUM_EMAIL_FROM, PLENUM_PUBLIC_URL" in done.stderr

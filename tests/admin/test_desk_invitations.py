"""Accounts for new people, and passwords that were forgotten."""

import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.test import Client
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from config.invitations import invite, send_link
from config.mail import configured
from tests.admin.conftest import client_of, make_member
from tests.admin.pages import errors_of, fill, text_of
from tests.elsewhere import Elsewhere
from tests.factories import make_person
from tests.mailserver import mail_server

pytestmark = pytest.mark.django_db

INVITE = "/admin/auth/user/invite/"
FORGOTTEN = "/admin/forgotten-password/"
PASSWORD = "correct horse battery staple"


@pytest.fixture
def posts(settings):
    with mail_server() as server:
        settings.PLENUM_MAIL = True
        settings.PLENUM_PUBLIC_URL = "https://plenum.example"
        settings.DEFAULT_FROM_EMAIL = "desk@plenum.example"
        for name, value in configured(f"smtp://127.0.0.1:{server.port}").items():
            setattr(settings, name, value)
        yield server


def invited(client: Client, **typed) -> tuple[User, str]:
    """Invite somebody, and return the account and the path of its link."""
    response = fill(client, INVITE, **{"email": "ines.maier@maker.example", **typed})
    assert "link" in response.context, errors_of(response)
    return response.context["account"], urlsplit(response.context["link"]).path


def set_password(link: str, password: str = PASSWORD):
    """Follow a link in a browser of its own, and type a password twice."""
    client = Client()
    response = client.get(link, follow=True)
    if not response.context["validlink"]:
        return response
    address = response.redirect_chain[-1][0]
    return client.post(address, {"new_password1": password, "new_password2": password})


def logs_in(username: str, password: str = PASSWORD) -> bool:
    client = Client()
    return client.post("/admin/login/", {"username": username, "password": password}).status_code == 302


def keeper() -> User:
    """Return an author who keeps the accounts too."""
    person = make_member("authors", username="keeper")
    person.user_permissions.add(
        *Permission.objects.filter(codename__in=["add_user", "change_user", "view_user", "delete_user"])
    )
    return person


def jobs() -> list[dict]:
    return list(ProcrastinateJob.objects.filter(task_name__endswith="send_link").values_list("args", flat=True))


def test_an_invited_account_logs_in_when_it_has_set_a_password_by_its_link_and_the_link_works_once(root):
    editors = Group.objects.get(name="editors")

    account, link = invited(root, first_name="Ines", groups=[str(editors.pk)])

    assert (account.username, account.first_name, account.email) == ("ines-maier", "Ines", "ines.maier@maker.example")
    assert (account.is_staff, account.is_superuser, list(account.groups.all())) == (True, False, [editors])
    assert not account.has_usable_password() and not logs_in("ines-maier")
    response = set_password(link)
    assert response.status_code == 302 and response["Location"] == "/admin/login/"
    assert logs_in("ines-maier")

    again = set_password(link, "another long password")

    assert "This link opens nothing." in text_of(again)
    assert "ask whoever invited you" in text_of(again)
    assert logs_in("ines-maier") and not logs_in("ines-maier", "another long password")


def test_the_link_is_shown_once_and_is_nowhere_in_the_database(root):
    _, link = invited(root)
    token = link.rstrip("/").rpartition("/")[2]

    response = root.get(INVITE)

    assert "link" not in response.context and token not in response.content.decode()
    assert "no-store" in root.get(INVITE)["Cache-Control"]
    assert not User.objects.filter(password__contains=token).exists()


def test_an_expired_or_a_changed_link_says_what_to_do(root, settings, monkeypatch):
    account, link = invited(root)
    broken = [link[:-2] + "x/", link.replace("/password/", "/password/x"), "/admin/password/x/y/"]
    for address in broken:
        assert "This link opens nothing." in text_of(set_password(address)), address

    later = datetime.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT + 5)  # noqa: DTZ005 - as Django reads it
    monkeypatch.setattr(default_token_generator, "_now", lambda: later)

    page = set_password(link)

    assert "It holds 3 days and works once: it has expired" in text_of(page)
    account.refresh_from_db()
    assert not account.has_usable_password()


def test_who_has_no_password_yet_is_invited_again_and_who_has_is_not(root):
    account, _ = invited(root)
    address = f"/admin/auth/user/{account.pk}/invite-again/"
    assert "link" not in root.get(address).context

    response = root.post(address)

    assert set_password(urlsplit(response.context["link"]).path).status_code == 302
    assert root.get(address)["Location"] == f"/admin/auth/user/{account.pk}/change/"


def test_an_address_that_has_an_account_and_a_name_that_is_taken_are_refused(root):
    make_person(username="ines", email="Ines.Maier@maker.example")

    taken = fill(root, INVITE, email="ines.maier@maker.example")
    name = fill(root, INVITE, email="other@maker.example", username="ines")

    assert errors_of(taken, "email") == ["An account has this address already; its own page invites it again."]
    assert errors_of(name, "username") == ["A user with that username already exists."]
    assert User.objects.filter(username__startswith="ines").count() == 1


def test_a_password_that_is_too_simple_is_refused_and_the_link_still_works(root):
    account, link = invited(root)

    response = set_password(link, "12345")

    assert response.status_code == 200 and "too short" in text_of(response)
    account.refresh_from_db()
    assert not account.has_usable_password()
    assert set_password(link).status_code == 302


# Nobody gives rights that he does not have


def test_only_who_may_add_accounts_may_invite(editor):
    assert editor.get(INVITE).status_code == 403
    assert editor.post(INVITE, {"email": "a@b.example"}).status_code == 403
    assert not User.objects.filter(email="a@b.example").exists()


def test_who_keeps_accounts_gives_no_right_that_he_lacks():
    client = client_of(keeper())
    authors, editors = (Group.objects.get(name=name) for name in ("authors", "editors"))
    page = text_of(client.get(INVITE))
    assert "authors" in page and "editors" not in page

    refused = fill(client, INVITE, email="a@b.example", groups=[str(editors.pk)])
    account, _ = invited(client, groups=[str(authors.pk)])

    assert not User.objects.filter(email="a@b.example").exists()
    assert f"{editors.pk} is not one of the available choices" in errors_of(refused, "groups")[0]
    # Neither by the form of an account …
    address = f"/admin/auth/user/{account.pk}/change/"
    fill(client, address, "user_form", is_superuser="on", groups=[str(editors.pk)], user_permissions=["1"])
    fill(client, address, "user_form", is_superuser="on", user_permissions=["1"])
    account.refresh_from_db()
    assert (account.is_superuser, list(account.groups.all()), account.user_permissions.count()) == (False, [authors], 0)
    # … nor by that of a group.
    assert client.post(f"/admin/auth/group/{authors.pk}/change/", {"name": "mine"}).status_code in (302, 403)
    assert Group.objects.filter(name="authors").exists()


def test_who_keeps_accounts_takes_over_none_with_more_rights():
    client = client_of(keeper())
    chief = make_person(username="chief", is_staff=True, is_superuser=True)
    editor = make_member("editors", username="edgar", email="edgar@maker.example")
    waiting = make_member("editors", username="waiting")
    waiting.set_unusable_password()
    waiting.save()

    for account in (chief, editor, waiting):
        before = account.password
        new = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
        assert client.post(f"/admin/auth/user/{account.pk}/password/", new).status_code == 403
        assert client.post(f"/admin/auth/user/{account.pk}/change/", {"username": "mine"}).status_code == 403
        assert client.post(f"/admin/auth/user/{account.pk}/delete/", {"post": "yes"}).status_code == 403
        assert client.post(f"/admin/auth/user/{account.pk}/invite-again/").status_code == 403
        account.refresh_from_db()
        assert account.password == before and account.username != "mine"


# By e-mail


def test_an_invitation_goes_out_by_mail_and_its_link_works(root, posts):
    account, _ = invited(root)
    (job,) = jobs()

    send_link(**job)

    assert posts.envelopes == [("desk@plenum.example", ["ines.maier@maker.example"])]
    text = posts.messages[0].get_content()
    assert "root invites you to write in Plenum, as ines-maier." in text
    (link,) = re.findall(r"https://plenum\.example(/admin/password/\S+)", text)
    assert set_password(link).status_code == 302
    assert logs_in("ines-maier")
    # No job holds a link.
    assert job == {"account_id": account.pk, "is_invitation": True, "by_id": root.person.pk}


def test_a_forgotten_password_is_set_anew_by_mail_and_nobody_learns_who_has_an_account(posts):
    make_member("authors", username="ada", email="ada@maker.example")
    make_person(username="gone", email="gone@maker.example", is_staff=True, is_active=False)
    client = Client()
    assert "Forgotten your password?" in text_of(client.get("/admin/login/"))

    answers = {
        address: text_of(client.post(FORGOTTEN, {"email": address}, follow=True))
        for address in ("ADA@maker.example", "gone@maker.example", "nobody@maker.example")
    }
    client.post(FORGOTTEN, {"email": "ada@maker.example"})

    assert len(set(answers.values())) == 1
    (job,) = jobs()  # Asking twice sends one.
    send_link(**job)
    text = posts.messages[0].get_content()
    assert "Somebody asked for a new password of ada." in text
    (link,) = re.findall(r"https://plenum\.example(/admin/password/\S+)", text)
    assert not logs_in("ada")
    assert set_password(link).status_code == 302
    assert logs_in("ada")


def test_without_a_mail_server_there_is_no_way_to_ask(root):
    assert "Forgotten" not in text_of(Client().get("/admin/login/"))
    assert Client().get(FORGOTTEN).status_code == 404
    assert Client().post(FORGOTTEN, {"email": "a@b.example"}).status_code == 404
    invited(root)
    assert jobs() == []
    assert reverse("forgotten_password") not in text_of(set_password("/admin/password/x/y/"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("other", "code"), [("Ines.Maier@maker.example", "email_taken"), ("ines.maier@other.example", None)]
)
def test_of_two_invitations_at_once_the_second_sees_what_the_first_made(other, code):
    by = make_person(is_superuser=True)
    second = Elsewhere(lambda: invite(by=by, email=other, groups=[]))
    with transaction.atomic():
        invite(by=by, email="ines.maier@maker.example", groups=[])
        second.until_it_waits()

    account = second.given()
    if code:
        assert account is None and second.error.error_dict["email"][0].code == code
    else:
        assert account.username == "ines-maier-2"
    assert User.objects.filter(email__iexact=other).count() == 1

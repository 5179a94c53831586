"""People at the admin, each with a browser of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.factories import make_person

Login = Callable[..., Client]


def make_member(group: str, **fields) -> User:
    """Save an account that may enter the admin, in one of the two groups."""
    person = make_person(is_staff=True, **fields)
    person.groups.add(Group.objects.get(name=group))
    return person


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    client.person = person
    return client


@pytest.fixture
def author(db: None) -> Client:
    return client_of(make_member("authors", username="ada"))


@pytest.fixture
def editor(db: None) -> Client:
    return client_of(make_member("editors", username="edgar"))


@pytest.fixture
def other_editor(db: None) -> Client:
    return client_of(make_member("editors", username="olga"))


@pytest.fixture
def root(db: None) -> Client:
    return client_of(make_person(username="root", is_staff=True, is_superuser=True))


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def playwright_beside_django(monkeypatch):
    """Let Django be called while Playwright's event loop runs in this thread: the two share no connection."""
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

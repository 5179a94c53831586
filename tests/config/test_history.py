"""Who changed a record: the account of the request is named in what pghistory writes meanwhile, and not afterwards."""

import json

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpResponse

from config.history import name_account

pytestmark = pytest.mark.django_db


def attached():
    """Return the metadata that an event written now would carry."""
    with connection.cursor() as cursor:
        cursor.execute("select _pgh_attach_context()")
        (context,) = cursor.fetchone()
        cursor.execute("select metadata from pghistory_context where id = %s", [context])
        row = cursor.fetchone()
    return row and json.loads(row[0]) if isinstance(row and row[0], str) else row and row[0]


def send(rf, method, user):
    seen = []

    def view(request):
        seen.append(attached())
        return HttpResponse()

    request = getattr(rf, method)("/admin/catalog/device/1/change/")
    request.user = user
    name_account(view)(request)
    return seen[0]


def test_write_names_account_and_address(rf):
    user = get_user_model().objects.create_user("mara")
    assert send(rf, "post", user) == {"user": user.pk, "url": "/admin/catalog/device/1/change/"}
    assert attached() is None


def test_read_and_stranger_are_not_named(rf):
    user = get_user_model().objects.create_user("mara")
    assert send(rf, "get", user) is None
    assert send(rf, "post", AnonymousUser()) is None


def test_account_is_unset_after_a_crash(rf):
    def crash(request):
        raise RuntimeError("crash")

    request = rf.post("/admin/")
    request.user = get_user_model().objects.create_user("mara")
    with pytest.raises(RuntimeError):
        name_account(crash)(request)
    assert attached() is None

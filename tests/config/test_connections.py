"""Connections that live on: one that the server cut is replaced before anybody notices, at no cost to the others."""

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper as PostgresWrapper


def begin_request():
    """Do what Django does before each request."""
    connection.close_if_unusable_or_obsolete()


def backend():
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return cursor.fetchone()[0]


@pytest.fixture
def persistent(transactional_db):
    """Return the id of the server's process for a connection that is checked before each request."""
    connection.health_check_enabled = True
    yield backend()
    connection.close()


def test_connection_lives_on_and_costs_no_question(persistent, monkeypatch):
    asked = []
    monkeypatch.setattr(PostgresWrapper, "is_usable", lambda self: asked.append(self) or True)
    begin_request()
    assert backend() == persistent
    assert asked == []


def test_connection_that_the_server_cut_is_replaced(persistent):
    parameters = connection.get_connection_params()
    named = {name: parameters[name] for name in ("dbname", "user", "password", "host", "port") if name in parameters}
    with psycopg.connect(**named) as other:
        assert other.execute("select pg_terminate_backend(%s, 5000)", [persistent]).fetchone() == (True,)
    begin_request()
    assert backend() != persistent

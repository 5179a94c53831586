"""Connections that live on: one that the server cut is replaced before anybody notices, at no cost to the others."""

import psycopg
import pytest
from django.db import connection


def begin_request():
    """Do what Django does before each request."""
    connection.close_if_unusable_or_obsolete()


@pytest.fixture
def persistent(transactional_db, settings):
    connection.settings_dict["CONN_HEALTH_CHECKS"] = connection.health_check_enabled = True
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        (pid,) = cursor.fetchone()
    yield pid
    connection.close()


def backend():
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return cursor.fetchone()[0]


def test_connection_lives_on_and_is_not_asked_about(persistent, django_assert_num_queries):
    begin_request()
    with django_assert_num_queries(1):
        assert backend() == persistent


def test_connection_that_the_server_cut_is_replaced(persistent):
    parameters = {name: value for name, value in connection.get_connection_params().items() if name != "context"}
    parameters = {
        name: parameters[name] for name in ("dbname", "user", "password", "host", "port") if name in parameters
    }
    with psycopg.connect(**parameters) as other:
        assert other.execute("select pg_terminate_backend(%s, 5000)", [persistent]).fetchone() == (True,)
    begin_request()
    assert backend() != persistent

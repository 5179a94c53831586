"""Health: what a probe learns, and that it needs neither our name nor HTTPS."""

import pytest
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from config import health


def test_live_answers_without_a_database(client):
    response = client.get("/health/live", headers={"host": "10.1.2.3"})
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_ready_costs_one_statement(client, settings, django_assert_num_queries):
    settings.SECURE_SSL_REDIRECT = True
    client.get("/health/ready")
    with django_assert_num_queries(1):
        response = client.get("/health/ready", headers={"host": "10.1.2.3"})
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_names_the_migration_that_is_missing(client):
    with connection.cursor() as cursor:
        cursor.execute("delete from django_migrations where app = 'sessions'")
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["detail"] == (
        "1 migrations are to be applied, sessions.0001_initial first: run `manage.py migrate`."
    )


@pytest.mark.django_db
def test_ready_says_that_the_database_is_empty(client):
    with connection.cursor() as cursor:
        cursor.execute("alter table django_migrations rename to hidden")
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["detail"] == "The database is empty: run `manage.py migrate`."


@pytest.mark.django_db
def test_ready_says_that_the_database_does_not_answer(client, monkeypatch):
    nowhere = DatabaseWrapper(connections["default"].settings_dict | {"HOST": "/nonexistent"}, alias="nowhere")
    monkeypatch.setattr(health, "connection", nowhere)
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["detail"] == "The database does not answer."
    assert client.get("/health/live").status_code == 200

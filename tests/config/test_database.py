import pytest
from django.db import connection


@pytest.mark.django_db
def test_tests_run_on_postgresql_18_or_the_server_that_was_named():
    with connection.cursor() as cursor:
        cursor.execute("select current_setting('server_version_num')::int, current_database()")
        version, name = cursor.fetchone()
    assert version >= 150000
    assert name.startswith("test_")

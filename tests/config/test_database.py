"""The database of the tests is one as in production."""

import pytest
from django.db import connection


@pytest.mark.django_db
def test_tests_run_on_postgresql_as_production_speaks_to_it():
    with connection.cursor() as cursor:
        cursor.execute("select current_setting('server_version_num')::int, current_database()")
        version, name = cursor.fetchone()
    assert version >= 150000
    assert name.startswith("test_")
    assert connection.settings_dict["ENGINE"] == "config.persistent"
    assert connection.settings_dict["OPTIONS"]["server_side_binding"] is True
    assert connection.connection.prepare_threshold == 2

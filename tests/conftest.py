"""The database of the tests: the server that TEST_DATABASE_URL names, else a throw-away one that ends with the run."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import pytest_django
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection

from config import database, postgres
from tests.putting_back import keep_rows

_endings: list[Callable[[], None]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Start the server before the workers of xdist, which inherit its address; one process waits for a need."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        _start_server()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail under CI=true, and skip by name elsewhere, where a test lacks a program or a built file that it needs."""
    needed = {name for mark in item.iter_markers("needs") for name in mark.args}
    if item.get_closest_marker("browser"):
        needed.add("chromium")
    missing = sorted(name for name in needed if not (shutil.which(name) or ("/" in name and finders.find(name))))
    if missing:
        end = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        end(f"Missing here: {', '.join(missing)}. `.ci/run` installs programs, `make` builds static files.")


def pytest_unconfigure() -> None:
    while _endings:
        _endings.pop()()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    _start_server()
    place = database.settings_of(os.environ["TEST_DATABASE_URL"])
    # How we speak to it stays as the settings have it; a server that was named at the start is in them already.
    settings.DATABASES["default"].update({name: place[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")})


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """Let the flush after a transactional test truncate: in this database, and in no other."""
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(
                f"alter database {connection.ops.quote_name(connection.settings_dict['NAME'])} "
                "set plenum.allow_truncate = on"
            )
        keep_rows()
        connection.close()
    yield
    # A server of a test may still be at its last answer; the database is dropped after this.
    with django_db_blocker.unblock():
        with connection.cursor() as cursor:
            cursor.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
        connection.close()


def _start_server() -> None:
    if "TEST_DATABASE_URL" in os.environ:
        return
    folder = tempfile.TemporaryDirectory(prefix="plenum-tests-")
    server = postgres.start(
        Path(folder.name) / "postgres", log=Path(folder.name) / "log", throw_away=True, tell=lambda _: None
    )
    os.environ["TEST_DATABASE_URL"] = server.url
    _endings.extend([lambda: os.environ.pop("TEST_DATABASE_URL", None), folder.cleanup, lambda: postgres.stop(server)])

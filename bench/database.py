"""A database for a measurement: a server of its own, migrated, which ends with it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def own_database() -> Iterator[None]:
    """Start a server, let Django use it, and take both away at the end. Call it before Django is set up."""
    from config import postgres

    with tempfile.TemporaryDirectory(prefix="plenum-bench-") as folder:
        place = Path(folder)
        server = postgres.start(place / "postgres", log=place / "log", tell=lambda _: None)
        try:
            os.environ["TEST_DATABASE_URL"] = server.url
            os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
            import django

            django.setup()
            from django.core.management import call_command
            from django.db import connection

            call_command("migrate", verbosity=0)
            yield
            connection.close()
        finally:
            postgres.stop(server)

"""Whether the database is ready for an import."""

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def require_migrations() -> None:
    """Raise CommandError, which says what comes first, where the database lacks migrations of the installed code."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        raise CommandError(f"Migrations are missing ({len(missing)}): run `manage.py migrate` first.")

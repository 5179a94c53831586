#!/usr/bin/env python
"""The door of operators: `manage.py COMMAND`, with the private database running for as long as the command does."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

# `up` borrows the database itself; the others ask it nothing.
WITHOUT_DATABASE = {"up", "help", "version", "--help", "-h", "--version", "collectstatic", "snapshots", "spectacular"}


def main() -> None:
    from config import database, postgres

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if not {"PLENUM_ENV", "DATABASE_URL"} & os.environ.keys():
        # A checkout that nobody configured: what `make run` uses. A server (config/wsgi.py) never assumes that.
        os.environ["PLENUM_ENV"] = "development"
    with ExitStack() as stack:
        if "DATABASE_URL" not in os.environ and len(sys.argv) > 1 and sys.argv[1] not in WITHOUT_DATABASE:
            try:
                loan = stack.enter_context(database.borrowed(database.data_dir(), tell=_tell))
            except postgres.PostgresError as error:
                sys.exit(str(error))
            os.environ["DATABASE_URL"] = loan.url
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()

#!/usr/bin/env python
"""The door of operators: `manage.py COMMAND`, with the private database running for as long as the command does."""

import os
import sys
from contextlib import ExitStack

WITHOUT_DATABASE = {"help", "version", "--help", "--version", "-h", "check", "collectstatic", "snapshots"}


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - Who starts this file by hand may have an older one.
        return refuse(f"Plenum needs Python 3.11 or newer, and this is {sys.version.split()[0]}.")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db import OperationalError
    except ModuleNotFoundError as error:
        return refuse(f"{error.name} is not installed for this Python: run `make`, then use .venv/bin/python.")
    from config import address, database, postgres

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if not {"PLENUM_ENV", "DATABASE_URL"} & os.environ.keys():
        # A checkout that nobody configured: what `make run` uses. A server (config/wsgi.py) never assumes that.
        os.environ["PLENUM_ENV"] = "development"
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    private = (
        command not in WITHOUT_DATABASE
        and not {"--help", "-h"} & set(sys.argv)
        and not os.environ.get("DATABASE_URL")
        and os.environ["PLENUM_ENV"] != "production"
    )
    try:
        with ExitStack() as stack:
            if private and command == "up":
                stack.enter_context(address.claimed(database.data_dir(), *address.wanted(sys.argv[2:])))
            if private:
                loan = database.borrowed(database.data_dir(), tell=tell)
                os.environ["DATABASE_URL"] = stack.enter_context(loan).url
            execute_from_command_line(sys.argv)
        if private and command == "up" and database.is_kept(database.data_dir()):
            tell("A command still uses the database, which ends with it.")
    except (ImproperlyConfigured, address.AddressError, postgres.PostgresError) as error:
        return refuse(str(error))
    except OperationalError as error:
        return refuse(database.explained(error))
    except KeyboardInterrupt:
        return 130
    return 0


def tell(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def refuse(sentence: str) -> int:
    tell(sentence)
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""`manage.py up`: what `make run` calls."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.up import UpError, up


class Command(BaseCommand):
    help = "Start Plenum on this machine: database, server and worker, until Ctrl-C."

    requires_system_checks = ()  # `make check` makes them; here everybody would wait for them.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST") or "127.0.0.1", help="$HOST, or 127.0.0.1")
        parser.add_argument("--port", default=os.environ.get("PORT") or "8000", help="$PORT, or 8000")

    def handle(self, *args: Any, **options: Any) -> None:
        def say(text: str) -> None:
            self.stdout.write(text)
            self.stdout.flush()

        try:
            up(host=options["host"], port=options["port"], say=say)
        except UpError as error:
            raise CommandError(str(error)) from error

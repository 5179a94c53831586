"""`manage.py up`: what `make run` calls."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.address import AddressError, add_arguments, free_port
from config.up import UpError, up


class Command(BaseCommand):
    help = "Start Plenum on this machine: database, server and worker, until Ctrl-C."

    requires_system_checks = ()  # `make check` makes them; here everybody would wait for them.

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        def say(text: str) -> None:
            self.stdout.write(text)
            self.stdout.flush()

        try:
            up(host=options["host"], port=free_port(options["host"], options["port"]), say=say)
        except (AddressError, UpError) as error:
            raise CommandError(str(error)) from error

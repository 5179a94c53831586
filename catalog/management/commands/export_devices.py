"""`manage.py export_devices`: the catalogue as one file of many documents, which import_devices reads back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.importing.exporting import documents, dump, inexpressible


class Command(BaseCommand):
    help = (
        "Write device, module and rack types as YAML documents in the layout of the NetBox device-type library, "
        "to standard output or to a file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, nargs="?", help="a file; it must not be there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        text = "".join(dump(documents()))
        path: Path | None = options["path"]
        if path is None:
            self.stdout.write(text, ending="")
        else:
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        for slug in inexpressible():
            self.stderr.write(f"{slug} is left out: the layout needs a height and whether it has full depth.")

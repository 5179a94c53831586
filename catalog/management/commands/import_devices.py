"""`manage.py import_devices PATH`: device, module and rack types into the catalogue."""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError
from tqdm import tqdm

from catalog.importing.finding import FoundFile
from catalog.importing.migrated import require_migrations
from catalog.importing.reading import LIBRARY, read_path
from catalog.importing.records import Source
from catalog.importing.report import report
from catalog.importing.storing import ChangedMeanwhileError, import_types
from core.api.history import attributed


class Command(BaseCommand):
    help = (
        "Import device, module and rack types: a folder in the layout of the NetBox device-type library, one file, "
        "several documents in one file, or a file of accelerated systems. All of it comes in, or nothing does. "
        "What is stored already is not written again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="say what would be done, and write nothing")
        parser.add_argument(
            "--keep-going", action="store_true", help="import what is right though something is refused"
        )
        parser.add_argument(
            "--update", action="store_true", help="also change what is stored and differs from the files"
        )
        parser.add_argument("--source-title", default="", help=f"what the claims cite (default: {LIBRARY.title})")
        parser.add_argument("--source-publisher", default="", help="who published it; needed with --source-title")
        parser.add_argument("--source-date", default="", help="its date: 2026, 2026-11, 2026-11-30")
        parser.add_argument("--source-url", default="", help="its address")
        parser.add_argument("--source-licence", default="", help="its licence, such as CC0-1.0")

    def handle(self, *args: Any, **options: Any) -> None:
        require_migrations()
        path: Path = options["path"]
        try:
            reading = read_path(path, source=_source(options), progress=_with_bar)
        except FileNotFoundError:
            raise CommandError(f"There is no file or folder {path}.") from None
        if not reading.file_count:
            raise CommandError(f"{path} holds no .yaml or .yml file.")
        try:
            with attributed(command="import_devices"):
                outcome = import_types(
                    reading, update=options["update"], keep_going=options["keep_going"], dry_run=options["dry_run"]
                )
        except ChangedMeanwhileError:
            raise CommandError("Devices are being edited. Nothing was written; run the command again.") from None
        except IntegrityError as error:
            raise CommandError(f"The database refused, and nothing was written: {error}") from error
        for line in report(reading, outcome, dry_run=options["dry_run"], in_full=options["verbosity"] > 1):
            self.stdout.write(line)
        if outcome.refusals:
            ending = "the others were imported" if outcome.is_written else "nothing was written"
            raise CommandError(f"{len(outcome.refusals)} refused; {ending}.", returncode=1)


def _source(options: dict[str, Any]) -> Source:
    if not options["source_title"]:
        return LIBRARY
    if not options["source_publisher"]:
        raise CommandError("--source-title needs --source-publisher: a claim names who says it.")
    return Source(
        title=options["source_title"],
        publisher=options["source_publisher"],
        date=options["source_date"],
        url=options["source_url"],
        licence=options["source_licence"],
    )


def _with_bar(files: tuple[FoundFile, ...]) -> Iterable[FoundFile]:
    """Show how far reading has come, on a terminal only."""
    return tqdm(files, desc="Reading", unit=" files", disable=None, leave=False)

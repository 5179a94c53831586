"""`manage.py load_publication FOLDER`: a publication in files into the database, through the verbs that editors use."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from articles.importing.existing import existing_slugs
from articles.importing.reading import FolderReading, read_publication, refuse_dangling, uncertain_kinds
from articles.importing.writing import LoadRefusedError, Outcome, load
from catalog.importing.migrated import require_migrations
from catalog.importing.problems import Refusal
from catalog.importing.storing import ChangedMeanwhileError
from core.api.history import attributed


class Command(BaseCommand):
    help = (
        "Load a publication from a folder of Markdown and YAML: sections, sources, facts, devices, installations, "
        "vendors, scenarios, pictures and articles. Vendors and articles are written by the account importer and "
        "approved by the people that people.yaml names. All of it comes in, or nothing does; a second run writes "
        "nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        require_migrations()
        folder: Path = options["folder"]
        in_full = options["verbosity"] > 1
        try:
            with tqdm(desc="Reading", unit=" files", disable=None, leave=False) as bar:
                reading = read_publication(folder, progress=lambda name: _step(bar, name))
        except FileNotFoundError:
            raise CommandError(f"There is no folder {folder}.") from None
        if not sum(reading.publication.counts().values()) and not reading.refusals:
            raise CommandError(f"{folder} holds no publication. See sample/README.md for its files.")
        if reading.refusals:
            uncertain = uncertain_kinds(reading.refusals)
            dangling = refuse_dangling(reading.publication, existing_slugs, uncertain=uncertain)
            self._refuse(sorted([*reading.refusals, *dangling]))
        try:
            with (
                attributed(command="load_publication"),
                tqdm(desc="Writing", unit=" steps", disable=None, leave=False) as bar,
            ):
                outcome = load(reading.publication, progress=lambda name: _step(bar, name))
        except LoadRefusedError as error:
            self._refuse(error.refusals)
            return
        except ChangedMeanwhileError:
            raise CommandError("Devices are being edited. Nothing was loaded; run the command again.") from None
        for line in report(reading, outcome, in_full=in_full):
            self.stdout.write(line)

    def _refuse(self, refusals: tuple[Refusal, ...] | list[Refusal]) -> None:
        for refusal in refusals:
            self.stdout.write(str(refusal))
        if refusals:
            raise CommandError(f"{len(refusals)} refused; nothing was written.", returncode=1)


def report(reading: FolderReading, outcome: Outcome, *, in_full: bool) -> list[str]:
    """Return the lines of the report: notices, then one line a kind, then the sum. Notices of reading on request."""
    notices = [*(reading.notices if in_full else ()), *outcome.notices]
    lines = [str(notice) for notice in notices]
    kinds: dict[str, list[str]] = {}
    for (kind, verb), number in outcome.counts.items():
        kinds.setdefault(kind, []).append(f"{number:,} {verb}")
    lines += [f"{kind}: {', '.join(parts)}" for kind, parts in kinds.items()]
    lines.append(f"{outcome.written:,} written." if outcome.written else "Nothing to write: all of it is here already.")
    return lines


def _step(bar: Any, name: str) -> None:
    """Show on a terminal how far it has come."""
    bar.set_postfix_str(name, refresh=False)
    bar.update()

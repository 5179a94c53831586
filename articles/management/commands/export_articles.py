"""`manage.py export_articles FOLDER`: articles as Markdown files, which `import_articles` reads back."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from articles.moving.exporting import export, gather, refuse_foreign
from catalog.importing.migrated import require_migrations


class Command(BaseCommand):
    help = (
        "Write articles into a folder: Markdown with front matter, their authors, tags and pictures. Without options, "
        "what readers see of each article, or its draft where they see nothing. Notes to editors stay here. The folder "
        "is new, empty, or an earlier export, which is replaced as a whole. import_articles reads it back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--live", action="store_true", help="only what readers see")
        which.add_argument("--drafts", action="store_true", help="the draft of each article, whatever readers see")
        parser.add_argument(
            "--slug", action="append", default=[], dest="slugs", metavar="SLUG", help="only this article; repeatable"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        require_migrations()
        folder: Path = options["folder"]
        try:
            refuse_foreign(folder.absolute())
            articles = gather(live=options["live"], drafts=options["drafts"], slugs=options["slugs"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        if not articles:
            raise CommandError("There is nothing to export: readers see no article." if options["live"] else EMPTY)
        with tqdm(total=len(articles), desc="Writing", unit=" files", disable=None, leave=False) as bar:
            outcome = export(articles, folder, progress=lambda name: _step(bar, name))
        for name in outcome.missing:
            self.stdout.write(f"{name}: its file is not in the media storage; the export names it without one.")
        self.stdout.write(f"{outcome.article_count:,} articles, {outcome.picture_count:,} pictures in {folder}.")


EMPTY = "There is nothing to export: there is no article yet."


def _step(bar: Any, name: str) -> None:
    """Show on a terminal how far it has come."""
    bar.set_postfix_str(name, refresh=False)
    bar.update()

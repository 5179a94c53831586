"""`manage.py import_articles PATH`: articles of another system, through the verbs that editors use."""

import json
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from articles.moving.items import Options, Refused
from articles.moving.readers import KINDS, read_export
from articles.moving.reporting import as_json, as_text
from articles.moving.storing import bring, may_publish
from catalog.importing.migrated import require_migrations
from core.api.history import attributed
from core.publishing.services import database_now

SHOWN = 100
"""Refused files that are named in a terminal; JSON has all."""


class Command(BaseCommand):
    help = (
        "Bring articles in from WordPress (an export file), Ghost (an export file), or a folder of Markdown (Hugo, "
        "Jekyll, Docusaurus, Astro). All of it comes in, or nothing does; a second run writes nothing. What was public "
        "goes live if the editor who is named may review and publish; all else comes as drafts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--editor", metavar="NAME", help="the account that approves; without one all are drafts")
        parser.add_argument("--from", dest="flavour", choices=list(KINDS), default="", help="what the path holds")
        parser.add_argument("--media", type=Path, help="the folder with the files that the export points to")
        parser.add_argument("--site", default="", help="the address of the old site, where the export does not say it")
        parser.add_argument("--timezone", default=settings.TIME_ZONE, help="of instants that do not say theirs")
        parser.add_argument("--folder", action="append", default=[], dest="folders", help="of a site, with articles")
        parser.add_argument("--now", help="the clock of the run, an instant with its offset (the database's)")
        parser.add_argument("--dry-run", action="store_true", help="write nothing; report what a run would do")
        parser.add_argument("--format", choices=("text", "json"), default="text", help="of the report")

    def handle(self, *args: Any, **options: Any) -> None:
        require_migrations()
        path: Path = options["path"]
        editor = _editor(options["editor"])
        try:
            read = Options(
                now=_instant(options["now"]),
                timezone=_zone(options["timezone"]),
                site=options["site"],
                media=_folder(options["media"]),
                folders=tuple(options["folders"]),
                flavour=options["flavour"],
            )
            with (
                attributed(command="import_articles"),
                tqdm(desc="Reading", unit=" items", disable=None, leave=False) as bar,
            ):
                export = read_export(path, read)
                result = bring(export, editor=editor, dry_run=options["dry_run"], progress=_shown(bar))
        except Refused as error:
            if options["format"] == "json":
                self.stdout.write(json.dumps({"refused": _refusal(error)}, ensure_ascii=False, indent=2))
            shown = "\n".join(map(str, (error, *error.others[: SHOWN - 1])))
            more = len(error.others) + 1 - SHOWN
            rest = f" And {more} more files are refused." if more > 0 else ""
            raise CommandError(f"{shown}{rest} Nothing was written.", returncode=1) from None
        if options["format"] == "json":
            self.stdout.write(json.dumps(as_json(result), ensure_ascii=False, indent=2))
            return
        for line in as_text(result, file=path.name):
            self.stdout.write(line)
        if result.writes and not may_publish(editor):
            who = f"{editor.username} may not review and publish" if editor else "No editor was named"
            self.stdout.write(f"{who}, so all of it is a draft.")


def _refusal(error: Refused) -> dict[str, Any]:
    told = {"code": error.code, "file": error.file, "line": error.line, "column": error.column}
    others = {"others": [_refusal(each) for each in error.others]} if error.others else {}
    return {key: value for key, value in told.items() if value} | {"message": error.message} | others


def _editor(name: str | None) -> User | None:
    if not name:
        return None
    editor = User.objects.filter(username=name, is_active=True).first()
    if editor is None:
        raise CommandError(f"There is no active account {name}. Name one that may review and publish.")
    return editor


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CommandError(f"There is no time zone {name}. Name one such as Europe/Berlin.") from None


def _instant(text: str | None) -> datetime:
    if not text:
        return database_now()
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise CommandError(f"{text} is no instant with an offset, such as 2026-11-30T12:00:00Z.")
    return instant


def _folder(path: Path | None) -> Path | None:
    if path is not None and not path.is_dir():
        raise CommandError(f"There is no folder {path}.")
    return path


def _shown(bar: Any) -> Any:
    """Return what shows on a terminal how far it has come."""

    now = ""

    def show(what: str, label: str) -> None:
        nonlocal now
        if what != now:
            now = what
            bar.reset()
            bar.set_description(what, refresh=False)
        bar.set_postfix_str(label, refresh=False)
        bar.update()

    return show

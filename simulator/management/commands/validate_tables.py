"""Compares published tables with the engine."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from simulator.engine import ENGINE_VERSION, as_data
from simulator.engine.validation.cases import shown
from simulator.engine.validation.tables import Row, Table, compare_table
from simulator.tables import PUBLISHED, read_rows


class Command(BaseCommand):
    help = (
        "Compare each row of a file of published tables with the engine: row, source, published value, ours, error, "
        "verdict. Ends with 1 if a row that must hold fails, if no function answers a row, or if one is broken."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, default=PUBLISHED, help="JSON; ours if left out.")
        parser.add_argument("--format", choices=("text", "json"), default="text", dest="form")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            table = compare_table(read_rows(options["file"]))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        if options["form"] == "json":
            told = {"engine_version": ENGINE_VERSION, "holds": table.holds, **as_data(table)}
            self._print(json.dumps(told, ensure_ascii=False, indent=2))
        else:
            self._tell(table)
        if not table.holds:
            raise SystemExit(1)

    def _print(self, text: str) -> None:
        """Write a line; half of a surrogate pair, which JSON can hold and no encoding can, as it stands in JSON."""
        self.stdout.write(text.encode("utf-8", "backslashreplace").decode())

    def _tell(self, table: Table) -> None:
        for row in table.rows:
            self._print(f"{row.verdict:10} [{row.status}] {row.kind} {row.id}: {row.title}")
            self._print(f"           {_source(row)}")
            for value in row.values:
                error = "" if value.error_fraction is None else f", error {float(value.error_fraction):+.3%}"
                ours = shown(value.ours) if value.verdict != "unanswered" else value.reason or "no function answers it"
                self._print(
                    f"  {value.verdict:10} {value.name}: published {shown(value.published)}, ours {ours}{error}"
                )
            if row.unused_inputs:
                self._print(f"  not used   {', '.join(row.unused_inputs)}")
        for broken in table.broken:
            name = "" if broken.id is None else f" ({broken.id})"
            self._print(f"broken     row {broken.number}{name}: {broken.reason}")
        counts = ", ".join(f"{count} {verdict}" for verdict, count in table.counts.items())
        rows = f"{len(table.rows)} rows" + (f", and {len(table.broken)} broken" if table.broken else "")
        self._print(f"{rows}; values: {counts} (engine {ENGINE_VERSION}).")


def _source(row: Row) -> str:
    parts = [row.source.get(name, "") for name in ("publisher", "title", "date", "address")]
    return ", ".join(part for part in parts if part) or "no source given"

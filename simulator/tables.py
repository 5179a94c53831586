"""The published tables that the engine is checked against: those that come with Plenum, and any file of their form."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from simulator.engine.validation.tables import Table, compare_table

PUBLISHED = Path(__file__).parent / "data" / "published-tables.json"


def read_rows(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a file. Raises OSError for one that cannot be read, ValueError for one of another form."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{file}, line {error.lineno}: {error.msg}.") from error
    needed = {"id", "title", "kind", "inputs", "expected", "tolerance", "note"}
    if not isinstance(rows, list):
        raise ValueError(f"{file} must be a list of rows.")
    for number, row in enumerate(rows, 1):
        missing = sorted(needed - row.keys()) if isinstance(row, dict) else sorted(needed)
        if missing:
            raise ValueError(f"{file}, row {number}: {', '.join(missing)} missing.")
    return rows


@cache
def published_table() -> Table:
    """Return the tables that come with Plenum, compared with the engine once a process: neither changes in it."""
    return compare_table(read_rows(PUBLISHED))

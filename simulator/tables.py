"""The published tables that the engine is checked against: those that come with Plenum, and any file of their form."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from simulator.engine import ENGINE_VERSION
from simulator.engine.validation.tables import VERDICTS, Row, Table, compare_table

PUBLISHED = Path(__file__).parent / "data" / "published-tables.json"


def read_rows(file: Path) -> list[Any]:
    """Return the rows of a file, of whatever form they are.

    Raises OSError for a file that cannot be read, ValueError for one that is no list of rows, or an empty one.
    """
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"{file}, line {error.lineno}: {error.msg}.") from error
    except RecursionError as error:
        raise ValueError(f"{file} has lists in lists, too deep to be read; a row has two or three of them.") from error
    if not isinstance(rows, list):
        raise ValueError(f"{file} must be a list of rows.")
    if not rows:
        raise ValueError(f"{file} has no rows: nothing to check.")
    return rows


@cache
def published_table() -> Table:
    """Return the tables that come with Plenum, compared with the engine once a process: neither changes in it."""
    return compare_table(read_rows(PUBLISHED))


@dataclass(frozen=True, slots=True)
class Totals:
    """How many rows there are, how many values, and how many values of each verdict."""

    rows_count: int
    values_count: int
    holds_count: int
    fails_count: int
    differs_count: int
    unanswered_count: int


@dataclass(frozen=True, slots=True)
class Validation:
    """What anyone may see of our own tables. `holds` and `totals` are of the whole table, `rows` those asked for."""

    engine_version: str
    holds: bool
    totals: Totals
    rows: tuple[Row, ...]


def validation(*, kind: str | None = None, verdict: str | None = None) -> Validation:
    """Return the tables that come with Plenum beside ours; of one kind, or of one verdict, if it is given."""
    table = published_table()
    rows = tuple(row for row in table.rows if kind in (None, row.kind) and verdict in (None, row.verdict))
    counts = {f"{name}_count": table.counts[name] for name in VERDICTS}
    totals = Totals(len(table.rows), sum(table.counts.values()), **counts)
    return Validation(ENGINE_VERSION, table.holds, totals, rows)


def validation_kinds() -> tuple[str, ...]:
    """Return the kinds of rows that there are, in the order of the alphabet."""
    return tuple(sorted({row.kind for row in published_table().rows}))


def validation_version() -> str:
    """Return what the answers about the tables depend on, besides the release: the engine and the tables."""
    return f"{ENGINE_VERSION}|{_digest()}"


@cache
def _digest() -> str:
    return hashlib.sha256(PUBLISHED.read_bytes()).hexdigest()

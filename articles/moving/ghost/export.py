"""The JSON file of a Ghost export: its tables, with what in it is no export refused."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from articles.moving.folders.decoding import decode
from articles.moving.items import Refused

Row = Mapping[str, Any]
LONGEST_FILE = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of an export. `path` is that of the tables in the JSON: "db[0].data"."""

    file: str
    path: str
    data: Mapping[str, Any]

    def rows(self, name: str) -> Sequence[Row]:
        """Return the rows of a table, in the order of the file; what is no row is left out."""
        rows = self.data.get(name)
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    def setting(self, key: str) -> str:
        for row in self.rows("settings"):
            if row.get("key") == key and isinstance(row.get("value"), str):
                return str(row["value"]).strip()
        return ""


def read_tables(path: Path) -> Tables:
    """Return the tables in the file at `path`. Raises Refused: `not_utf8`, `not_json` with the line, `not_ghost`."""
    text = decode(path.read_bytes(), path.name, longest=LONGEST_FILE)
    try:
        tree = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"This is not JSON: {error.msg}."
        raise Refused("not_json", message, file=path.name, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise Refused("not_json", "Values stand too deep in each other.", file=path.name, line=1) from None
    if isinstance(tree, dict):
        found = tree.get("db")
        if isinstance(found, list) and found and isinstance(found[0], dict) and isinstance(found[0].get("data"), dict):
            return Tables(path.name, "db[0].data", found[0]["data"])
        meta = tree.get("meta")
        if isinstance(tree.get("data"), dict) and isinstance(meta, dict) and "version" in meta:
            return Tables(path.name, "data", tree["data"])
    message = "This is no export of Ghost. In Ghost: Settings, Advanced, Import/Export, Export content."
    raise Refused("not_ghost", message, file=path.name)

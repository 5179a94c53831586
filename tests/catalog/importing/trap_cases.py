"""The hand-made traps beside this file, and those of the folder that EXTRA_CASES names."""

import csv
import os
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

FOLDERS = [Path(__file__).parent / "traps"]
if "EXTRA_CASES" in os.environ:
    FOLDERS.append(Path(os.environ["EXTRA_CASES"]) / "devicetype-traps")

TRAPS = [
    pytest.param(folder / row["file"], row, id=f"{folder.parent.name}/{row['file']}")
    for folder in FOLDERS
    if (folder / "expected.csv").is_file()
    for row in csv.DictReader((folder / "expected.csv").read_text(encoding="utf-8-sig").splitlines())
]


def check_stored(must_store: str, *, texts: Iterable[str], numbers: Iterable[Any], flags: Mapping[str, Any]) -> None:
    """Assert what the column `must_store` says: texts stand in quotes, numbers bare, `name true` is a truth value."""
    texts, numbers = set(texts), {Decimal(number) for number in numbers}
    assert not any("\r" in text for text in texts)
    for clause in filter(None, (part.strip() for part in must_store.split(";"))):
        for text in re.findall(r'"([^"]*)"', clause):
            assert text in texts, clause
        for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])", re.sub(r'"[^"]*"', "", clause)):
            assert Decimal(number) in numbers, clause
        if found := re.fullmatch(r"(\w+) (true|false)", clause):
            assert flags[found[1]] is (found[2] == "true"), clause

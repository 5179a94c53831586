"""The import cases beside this file, and those of the folder that EXTRA_CASES names, in the same layout."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

FOLDERS = [Path(__file__).parent / "cases"]
if "EXTRA_CASES" in os.environ:
    FOLDERS.append(Path(os.environ["EXTRA_CASES"]) / "import")


@dataclass(frozen=True)
class Run:
    """One run of the importer, and what must come of it. Expected names begin with `within`; reports lack it."""

    name: str
    path: Path
    kind: str
    options: dict[str, Any]
    items: list[dict[str, Any]] = field(default_factory=list)
    within: str = ""


def runs() -> list[Run]:
    """Return every run that the folders tell of."""
    return [run for folder in FOLDERS for run in _runs_of(folder)]


def _runs_of(folder: Path) -> Iterator[Run]:
    for told in sorted(folder.rglob("*expected.yaml")):
        if told.parent.name == "refused":
            continue
        expected = yaml.safe_load(told.read_text(encoding="utf-8"))
        options = dict(expected.get("options") or {})
        if media := options.get("media"):
            options["media"] = told.parent / media
        name = str(told.relative_to(folder)).removesuffix(".expected.yaml").removesuffix("/expected.yaml")
        kind = expected["source"]
        if "file" in expected:
            yield Run(name, told.parent / expected["file"], kind, options, expected["items"])
        elif kind != "markdown":
            yield Run(name, told.parent, kind, options, expected["items"])
        else:
            # Several sites in one folder: a run each, whose paths are those of the site.
            for site in sorted({item["source"].partition("/")[0] for item in expected["items"]}):
                items = [item for item in expected["items"] if item["source"].startswith(f"{site}/")]
                yield Run(f"{name}/{site}", told.parent / site, kind, options, items, within=f"{site}/")


def refusals() -> list[tuple[Path, dict[str, Any]]]:
    """Return every file that must be refused, with the code and the line."""
    found = []
    for folder in FOLDERS:
        told = folder / "refused" / "expected.yaml"
        if told.is_file():
            files = yaml.safe_load(told.read_text(encoding="utf-8"))["files"]
            found += [(told.parent / name, expected) for name, expected in files.items()]
    return found

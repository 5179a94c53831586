"""Which files of a path hold types, and which kind each holds by its folder."""

import os
from dataclasses import dataclass
from pathlib import Path

KINDS = ("device-types", "module-types", "rack-types")
SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """`name` is the path as the report shows it; `kind` is None where no folder tells it.

    `cited` is what a claim says of its place: the path from the folder of the kind on, so the same whichever part of a
    library is imported; empty where no folder tells the kind.
    """

    path: Path
    name: str
    kind: str | None
    cited: str


@dataclass(frozen=True, slots=True)
class Found:
    """`skipped` counts what is left out, by what it is: a folder, a suffix."""

    files: tuple[FoundFile, ...]
    skipped: dict[str, int]


def find_files(path: Path) -> Found:
    """Return the files under `path` in the order of their names, or `path` itself when it is a file.

    A folder that holds device-types, module-types or rack-types is a library: only those are read, so that its tests
    and images are not. Any other folder is read whole. Links are not followed: a library from elsewhere cannot
    make the importer read other files of this machine. Raises FileNotFoundError.
    """
    if path.is_file():
        kind = _kind(path.absolute().parent.parts)
        return Found((FoundFile(path, shown(path.name), kind, _cited(path, kind)),), {})
    if not path.is_dir():
        raise FileNotFoundError(path)
    is_library = any((path / kind).is_dir() for kind in KINDS)
    above = _kind(path.absolute().parts)
    files: list[FoundFile] = []
    skipped: dict[str, int] = {}
    for folder, folders, names in os.walk(path):
        here = Path(folder)
        hidden = [name for name in folders if name.startswith(".") or (here / name).is_symlink()]
        passed = [name for name in folders if is_library and here == path and name not in KINDS]
        for name in {*hidden, *passed}:
            folders.remove(name)
            _count(skipped, f"{shown(str((here / name).relative_to(path)))}/")
        for name in names:
            file = here / name
            relative = file.relative_to(path)
            if file.suffix.lower() not in SUFFIXES:
                _count(skipped, f"*{shown(file.suffix)}" if file.suffix else shown(name))
            elif file.is_symlink() or not file.is_file():
                _count(skipped, f"{shown(relative.as_posix())} (a link or no plain file)")
            elif is_library and here == path:
                _count(skipped, shown(name))
            else:
                kind = _kind(relative.parent.parts) or above
                files.append(FoundFile(file, shown(relative.as_posix()), kind, _cited(file, kind)))
    files.sort(key=lambda found: found.name)
    return Found(tuple(files), dict(sorted(skipped.items())))


def shown(name: str) -> str:
    """Return a file name that can be printed: names on Linux are bytes, and need not be UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _kind(folders: tuple[str, ...]) -> str | None:
    return next((folder for folder in reversed(folders) if folder in KINDS), None)


def _cited(path: Path, kind: str | None) -> str:
    parts = path.absolute().parts
    if kind is None:
        return ""
    last = len(parts) - 1 - parts[::-1].index(kind)
    return shown("/".join(parts[last:]))[-400:]  # The column of a claim.


def _count(skipped: dict[str, int], what: str) -> None:
    skipped[what] = skipped.get(what, 0) + 1

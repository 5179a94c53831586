"""Which reader reads what: by the kind that the run names, else by what the path looks like."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from articles.moving.items import Export, Options, Refused

Reader = Callable[[Path, Options], Export]
KINDS: Mapping[str, str] = {
    "wordpress": "articles.moving.wordpress",
    "ghost": "articles.moving.ghost",
    "hugo": "articles.moving.folders.reading",
    "jekyll": "articles.moving.folders.reading",
    "docusaurus": "articles.moving.folders.reading",
    "astro": "articles.moving.folders.reading",
    "markdown": "articles.moving.folders.reading",
    "plenum": "articles.moving.folders.reading",
}
"""The module of each kind; its `read(path, options)` is the reader. `Options.flavour` is the kind ("": not said)."""


def read_export(path: Path, options: Options) -> Export:
    """Return what is at `path`. Raises Refused, `unknown_format` where nothing tells which reader it is for."""
    if not path.exists():
        raise Refused("not_found", f"There is no {path}.")
    kind = options.flavour or _kind_of(path)
    if kind not in KINDS:
        message = f"Nothing tells what {path.name} is. Say so with --from: {', '.join(KINDS)}."
        raise Refused("unknown_format", message, file=path.name)
    reader: Reader = import_module(KINDS[kind]).read
    return reader(path, options)


def _kind_of(path: Path) -> str:
    if path.is_dir():
        return "markdown"
    return {".xml": "wordpress", ".wxr": "wordpress", ".json": "ghost"}.get(path.suffix.lower(), "markdown")

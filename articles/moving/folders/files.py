"""The files of a site, and which of them are articles."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from articles.moving.items import Refused

SUFFIXES = (".md", ".markdown", ".mdx", ".mdown", ".mkd")
# Hugo and Jekyll also build pages of HTML that begin with front matter.
HTML = ".html"
LEFT_OUT = frozenset({"node_modules", "vendor", "public", "_site", "dist", "build", "themes", "layouts", "resources"})
POSTS = {
    "hugo": ("content",),
    "docusaurus": ("blog",),
    "astro": ("src/content", "src/data", "src/blog", "src/pages"),
}
POST_NAME = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})[-_](.+)")
DAY_BEFORE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/](.+)")


@dataclass(frozen=True, slots=True)
class File:
    """A Markdown file. `name` is its path from the root of the site; `is_article`: by where it lies."""

    name: str
    path: Path
    is_article: bool = True

    @property
    def is_bundle(self) -> bool:
        """Whether it is the text of a folder, with its pictures beside it."""
        return PurePosixPath(self.name).stem in ("index", "_index")

    @property
    def folder(self) -> str:
        folder = PurePosixPath(self.name).parent.as_posix()
        return "" if folder == "." else folder

    @property
    def stem(self) -> str:
        """Return the name without what every file has: of a bundle, that of its folder."""
        path = PurePosixPath(self.name)
        return path.parent.name if self.is_bundle and path.parent.name else path.stem


def find_files(root: Path, kind: str, folders: tuple[str, ...]) -> list[File]:
    """Return the Markdown files of a site: by `folders` in their order, or by what is usual; then by path.

    Raises Refused: `path_outside_source` for a folder or a link that leads out of `root`, `no_folder`.
    """
    wanted = tuple(folder.strip("/") for folder in folders) or POSTS.get(kind, ("",))
    found: dict[str, File] = {}
    for folder in wanted:
        start = root / folder
        if ".." in PurePosixPath(folder).parts or not start.resolve().is_relative_to(root):
            raise Refused("path_outside_source", f"{folder} is not within the folder of the site.", file=folder)
        if not start.is_dir():
            if folders:
                raise Refused("no_folder", f"There is no folder {folder} in {root.name}.", file=folder)
            continue
        for path in _walk(start, kind):
            name = path.relative_to(root).as_posix()
            if not path.resolve().is_relative_to(root):
                raise Refused("path_outside_source", "This link leads out of the folder of the site.", file=name)
            found.setdefault(name, File(name, path, _is_article(name, kind, bool(folders))))
    files = list(found.values())
    if kind == "hugo" and not folders and not any(file.is_article for file in files):
        # A site without sections: its pages are what there is.
        return [File(file.name, file.path, not file.name.endswith("_index.md")) for file in files]
    return files


def _walk(start: Path, kind: str) -> Iterator[Path]:
    names = []
    for folder, folders, files in os.walk(start):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and not (name in LEFT_OUT and Path(folder) == start and kind != "plenum")
        ]
        names += [path for name in files if _is_text(path := Path(folder) / name, kind)]
    yield from sorted(names, key=lambda path: path.relative_to(start).as_posix())


def _is_text(path: Path, kind: str) -> bool:
    if path.name.lower().endswith(SUFFIXES):
        return True
    if kind not in ("hugo", "jekyll") or path.suffix.lower() != HTML or path.is_symlink():
        return False
    with path.open("rb") as file:
        return file.read(4).lstrip(b"\xef\xbb\xbf").startswith((b"---", b"+++", b"{"))


def _is_article(name: str, kind: str, is_named: bool) -> bool:
    """Whether a file is an article, by where it lies. `is_named`: a person named the folder."""
    path = PurePosixPath(name)
    folders = path.parts[:-1]
    if kind == "hugo":
        in_section = is_named or len(folders) > (2 if path.stem == "index" else 1)
        return path.stem != "_index" and in_section
    if kind == "jekyll":
        return is_named or any(folder in ("_posts", "_drafts") for folder in folders)
    if kind in ("docusaurus", "astro"):
        return not any(part.startswith("_") for part in path.parts)
    return True


def beside_bundles(files: list[File]) -> set[str]:
    """Return the names of Markdown files that are parts of a leaf bundle of Hugo and no pages."""
    bundles = {file.folder for file in files if PurePosixPath(file.name).stem == "index"}
    parts = set()
    for file in files:
        inside = {parent.as_posix() for parent in PurePosixPath(file.name).parents} & bundles
        if inside and not (PurePosixPath(file.name).stem == "index" and file.folder in inside):
            parts.add(file.name)
    return parts

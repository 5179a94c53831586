"""The kinds of sites, and what their settings say: where articles lie, under which addresses, with which pictures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from articles.moving.items import Refused

from .decoding import decode
from .front_matter import BadFrontMatterError, Value, split

HUGO_SETTINGS = (
    "hugo.toml",
    "hugo.yaml",
    "hugo.yml",
    "hugo.json",
    "config.toml",
    "config.yaml",
    "config.yml",
    "config.json",
)
HUGO_FOLDERS = ("config/_default", "")
DOCUSAURUS = ("docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs")
ASTRO = ("astro.config.mjs", "astro.config.ts", "astro.config.js", "astro.config.mts", "astro.config.cjs")
EXPORTED = "plenum-export.json"
"""What `export_articles` writes into its folder: whose it is."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is known of a site. `kind` is hugo, jekyll, docusaurus, astro, plenum, or markdown for anything else.

    `address` is where it stands in the web, with its path but without a slash at the end, "" where nothing says it.
    `base` is that path. `public` are the folders whose files have addresses of their own, first of all.
    `permalinks` are Hugo's by section, and Jekyll's under "".
    """

    kind: str
    address: str = ""
    base: str = ""
    timezone: str = ""
    public: tuple[str, ...] = ("static", "public", "")
    permalinks: Mapping[str, str] = field(default_factory=dict)
    has_ugly_addresses: bool = False
    values: Mapping[str, Value] = field(default_factory=dict)


def root_of(path: Path) -> Path:
    """Return the folder of the site that the file `path` is part of: the nearest with settings, else its own."""
    for folder in list(path.resolve().parents)[:6]:
        if kind_of(folder) != "markdown":
            return folder
    return path.resolve().parent


def kind_of(root: Path) -> str:
    """Return what kind of site lies in the folder `root`, by what only such a site has."""
    if (root / EXPORTED).is_file():
        return "plenum"
    if any((root / name).is_file() for name in DOCUSAURUS):
        return "docusaurus"
    if any((root / name).is_file() for name in ASTRO) or (root / "src/content").is_dir():
        return "astro"
    if (root / "content").is_dir() and (_hugo_settings(root) is not None or (root / "archetypes").is_dir()):
        return "hugo"
    if (root / "_config.yml").is_file() or (root / "_config.yaml").is_file() or (root / "_posts").is_dir():
        return "jekyll"
    if (root / "blog").is_dir() and not (root / "content").is_dir():
        return "docusaurus"
    return "hugo" if (root / "content").is_dir() else "markdown"


def read_settings(root: Path, kind: str, site: str) -> Settings:
    """Return the settings of the site in `root`. `site` is its address where a person gave one."""
    if kind == "hugo":
        return _hugo(root, site)
    if kind == "jekyll":
        return _jekyll(root, site)
    if kind == "docusaurus":
        return _docusaurus(root, site)
    if kind == "astro":
        found = _script(root, ASTRO)
        address = site or _string(found, "site")
        base = _path(_string(found, "base"))
        return Settings(kind, _address(address, base), base, public=("public", "src/assets", "src", ""))
    if kind == "plenum":
        return Settings(kind, site, public=("images",))
    return Settings("markdown", _address(site, ""), _base(site))


def _hugo_settings(root: Path) -> Path | None:
    for folder in HUGO_FOLDERS:
        for name in HUGO_SETTINGS:
            if (root / folder / name).is_file():
                return root / folder / name
    return None


def _hugo(root: Path, site: str) -> Settings:
    file = _hugo_settings(root)
    values = _read(file, root) if file is not None else {}
    address = site or _text(values, "baseurl")
    permalinks: dict[str, str] = {}
    given = values.get("permalinks")
    for key, value in given.items() if isinstance(given, dict) else ():
        # Since Hugo 0.112 they stand below the kind of page.
        if isinstance(value, dict) and key == "page":
            permalinks |= {section: pattern for section, pattern in value.items() if isinstance(pattern, str)}
        elif isinstance(value, str):
            permalinks[key] = value
    return Settings(
        "hugo",
        _address(address, ""),
        _base(address),
        _text(values, "timezone"),
        public=("static", "assets", ""),
        permalinks=permalinks,
        has_ugly_addresses=_text(values, "uglyurls") == "true" or values.get("uglyurls") is True,
        values=values,
    )


def _jekyll(root: Path, site: str) -> Settings:
    file = next((root / name for name in ("_config.yml", "_config.yaml") if (root / name).is_file()), None)
    values = _read(file, root) if file is not None else {}
    base = _path(_text(values, "baseurl"))
    address = site or _text(values, "url")
    return Settings(
        "jekyll",
        _address(address, "" if site else base),
        base,
        _text(values, "timezone"),
        public=("",),
        permalinks={"": _text(values, "permalink") or "date"},
        values=values,
    )


def _docusaurus(root: Path, site: str) -> Settings:
    found = _script(root, DOCUSAURUS)
    base = _path(_string(found, "baseUrl"))
    blog = re.search(r"\bblog\s*:\s*\{(.*?)\n\s*\}", found, re.DOTALL)
    route = _string(blog[1], "routeBasePath") if blog else ""
    address = site or _string(found, "url")
    return Settings(
        "docusaurus",
        _address(address, base),
        base,
        public=("static", ""),
        permalinks={"": f"/{(route or 'blog').strip('/')}/"},
    )


def _read(file: Path, root: Path) -> dict[str, Value]:
    """Return the settings in a file of YAML, TOML or JSON; keys in lower case. Raises Refused."""
    name = file.relative_to(root).as_posix()
    text = decode(file.read_bytes(), name)
    try:
        if file.suffix == ".json":
            return split(text.lstrip()).values
        fence = "+++" if file.suffix == ".toml" else "---"
        text = re.sub(r"^(?:---|\.\.\.)[ \t]*$", "", text, flags=re.MULTILINE) if fence == "---" else text
        return split(f"{fence}\n{text}\n{fence}\n").values
    except BadFrontMatterError as error:
        raise Refused("bad_settings", str(error), file=name, line=max(1, error.line - 1)) from None


def _script(root: Path, names: tuple[str, ...]) -> str:
    """Return the settings that are a program: it is not run, what it says in plain sight is read."""
    file = next((root / name for name in names if (root / name).is_file()), None)
    text = decode(file.read_bytes(), file.name) if file is not None else ""
    return re.sub(r"^[ \t]*//.*$", "", text, flags=re.MULTILINE)


def _string(script: str, key: str) -> str:
    found = re.search(rf"(?:^|[\s{{,(]){key}\s*:\s*[\"'`]([^\"'`]*)[\"'`]", script)
    return found[1] if found else ""


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value.strip() if isinstance(value, str) else ""


def _path(written: str) -> str:
    path = written.strip().strip("/")
    return f"/{path}" if path else ""


def _base(address: str) -> str:
    return _path(urlsplit(address).path) if "//" in address else ""


def _address(site: str, base: str) -> str:
    return f"{site.rstrip('/')}{base}" if "//" in site else ""


def read_people(root: Path, kind: str) -> dict[str, dict[str, Value]]:
    """Return what a site says of its authors, by key: Docusaurus's blog/authors.yml, data files of Jekyll and Hugo."""
    places = {
        "docusaurus": ("blog/authors.yml", "blog/authors.yaml"),
        "jekyll": ("_data/authors.yml", "_data/authors.yaml"),
        "hugo": ("data/authors.yaml", "data/authors.yml", "data/authors.toml", "data/authors.json"),
    }
    for name in places.get(kind, ()):
        file = root / name
        if file.is_file() and file.resolve().is_relative_to(root):
            found = _read(file, root)
            return {key: value for key, value in found.items() if isinstance(value, dict)}
    return {}

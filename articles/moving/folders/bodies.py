"""The body of a file as Markdown of ours: what its site adds to Markdown, and where its links and pictures lead."""

import posixpath
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from articles.moving.addresses import host_of
from articles.moving.items import Picture, Place, Refused
from articles.moving.markdown.body import Body
from articles.moving.markdown.pending import Pending
from articles.moving.markdown.regions import Layout, Regions, line_starts
from articles.moving.markdown.rewriting import Prepare, rewrite
from articles.moving.markdown.traced import Edit, Traced
from articles.moving.media import Media
from articles.moving.page import Page

from .callouts import admonitions, alerts
from .files import HTML, SUFFIXES, File
from .front_matter import FrontMatter, Value, text_of
from .liquid import liquid
from .math import formulas
from .mdx import mdx
from .shortcodes import shortcodes
from .sites import Settings

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
ESCAPED = re.compile(r"\\([^\w\s])")
ALIASES = {"@site/": "", "@/": "src/", "~/": "src/", "pathname:///": "/"}


@dataclass(frozen=True, slots=True)
class Whole:
    """The site as a whole: its settings, its files, and the path under which each was shown."""

    settings: Settings
    media: Media
    host: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    fragments: Set[str] = field(default_factory=frozenset)

    def address(self, path: str) -> str:
        """Return a path of the site as an address, as far as it is known where the site stands."""
        site = self.settings.address
        root = site.removesuffix(self.settings.base) if self.settings.base else site
        return f"{root}{path}" if root and path.startswith("/") else path


def write_body(page: Page, whole: Whole, file: File, front: FrontMatter, path: str) -> str:
    """Return the body of `file`, which was shown under `path`, as Markdown of ours."""
    here = _Here(whole, file, front, path)
    kind = whole.settings.kind
    is_mdx = kind == "docusaurus" or file.name.endswith(".mdx")
    body = Body(
        page,
        here.place,
        here.picture,
        address=here.address,
        heading_id=github_id,
        fragments=whole.fragments,
        is_mdx=is_mdx,
        links_bare=kind != "jekyll",
        has_definitions=kind in ("jekyll", "hugo"),
    )

    def prepare(text: str, layout: Layout, body: Body, pending: Pending) -> Sequence[Edit]:
        edits = list(formulas(text, layout, body, pending))
        if kind == "jekyll":
            return [*edits, *liquid(text, layout, body, pending, refer=here.refer_by_tag, value=here.value)]
        edits += alerts(text, layout, pending)
        if kind == "hugo":
            edits += shortcodes(text, layout, body, pending, refer=here.refer)
            edits += block_attributes(text, layout)
        if kind in ("docusaurus", "astro"):
            edits += admonitions(text, layout, pending)
        if is_mdx:
            edits += mdx(text, layout, body)
        return edits

    if file.name.lower().endswith(HTML):
        return _of_html(front.body, body, prepare)
    return rewrite(front.body, body, prepare)


def _of_html(text: str, body: Body, prepare: Prepare) -> str:
    """Return a body of HTML, in which shortcodes or Liquid may stand, as Markdown of ours."""
    pending = Pending()
    nothing = Layout(Regions([]), Regions([]))
    # What edits escape for Markdown is text here, and escaped when the HTML is read.
    edits = [edit._replace(text=ESCAPED.sub(r"\1", edit.text)) for edit in prepare(text, nothing, body, pending)]
    traced = Traced.of(text).edited(edits)
    starts = line_starts(traced.text)

    def where(line: int, near: str) -> Place:
        return body.where(traced.line_at(starts[min(line, len(starts) - 1)]), near)

    return pending.write(replace(body, where=where).html(traced.text, 0))


def block_attributes(text: str, layout: Layout) -> Sequence[Edit]:
    """Return edits that drop lines of attributes, which goldmark reads as those of the block above."""
    found = re.finditer(r"^[ \t]*\{(?:[.#][\w-]+|[\w-]+=(?:\"[^\"\n]*\"|[\w-]+)|[ \t])+\}[ \t]*$", text, re.MULTILINE)
    return [Edit(one.start(), one.end(), "") for one in found if not layout.code.holds(one.start())]


def github_id(heading: str) -> str:
    """Return what GitHub, Hugo and Docusaurus call a heading: lower case, no punctuation, a hyphen for each blank."""
    kept = "".join(letter for letter in heading.strip().lower() if letter.isalnum() or letter in "-_ ")
    return kept.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class _Here:
    """One file, from which links and pictures are looked for."""

    whole: Whole
    file: File
    front: FrontMatter
    path: str

    def place(self, line: int, near: str) -> Place:
        return Place(line=self.front.body_line + line, near=near)

    # Links

    def address(self, written: str) -> str:
        """Return the address that a link leads to, as one of the old site."""
        settings = self.whole.settings
        for alias, folder in ALIASES.items():
            if written.startswith(alias):
                return self._of_file(folder + written.removeprefix(alias).partition("#")[0], written) or written
        if SCHEME.match(written) or written.startswith(("#", "?")) or not written:
            return written
        bare, fragment = _split(written)
        if bare.lower().endswith(SUFFIXES):
            named = bare.lstrip("/") if bare.startswith("/") else posixpath.join(self.file.folder, bare)
            found = self._of_file(named, written)
            if found:
                return found
        if bare.startswith("/"):
            return self._within(bare) + fragment
        by_address = posixpath.normpath(posixpath.join(self._directory(), bare))
        for candidate in (by_address, *self._siblings(bare)):
            if candidate.strip("/") in self._known():
                return self._within("/" + candidate.strip("/") + "/") + fragment
        ending = "/" if bare.endswith("/") else ""
        return f"{settings.base}/{by_address.strip('/')}{ending}{fragment}"

    def _within(self, path: str) -> str:
        """Return a path as it is from the host on: what the site links to may lack the path that it stands under."""
        base = self.whole.settings.base
        while base and path.startswith(f"{base}{base}/"):
            # Jekyll 3 wrote addresses without the base and Jekyll 4 with it; texts of both times add it themselves.
            path = path.removeprefix(base)
        if base and path.strip("/") in self._known() and not (path + "/").startswith(f"{base}/"):
            return base + path
        return path

    def _known(self) -> Set[str]:
        return {path.strip("/") for path in self.whole.paths.values()}

    def _siblings(self, bare: str) -> Sequence[str]:
        """Return the paths of files that lie beside this one and are written without their ending."""
        named = posixpath.normpath(posixpath.join(self.file.folder, unquote(bare)))
        return [
            path
            for suffix in (".md", ".mdx", "/index.md", "/index.mdx")
            if (path := self.whole.paths.get(named + suffix))
        ]

    def _directory(self) -> str:
        """Return the folder in which a browser looks for what is relative."""
        return self.path if self.path.endswith("/") else posixpath.dirname(self.path)

    def _of_file(self, name: str, written: str) -> str:
        _, fragment = _split(written)
        name = posixpath.normpath(unquote(name))
        for root in ("", "content/", "blog/", "src/content/"):
            if path := self.whole.paths.get(root + name):
                return self.whole.settings.base + path + fragment
        return ""

    def refer(self, named: str) -> str:
        """Return the address of what `ref` of Hugo names: a file from the root of the content, or by its name alone."""
        bare, fragment = _split(named)
        if not bare:
            return fragment
        found = self._named(bare.strip())
        if found is not None:
            return self.whole.settings.base + found + fragment
        return f"/{bare.strip().lstrip('./')}{fragment}"

    def _named(self, bare: str) -> str | None:
        bare = unquote(bare)
        candidates = [posixpath.join("content", bare.lstrip("/"))]
        if not bare.startswith("/"):
            candidates.insert(0, posixpath.normpath(posixpath.join(self.file.folder, bare)))
            if self.file.is_bundle:
                candidates.insert(0, posixpath.normpath(posixpath.join(posixpath.dirname(self.file.folder), bare)))
        for candidate in candidates:
            stem = candidate.rstrip("/").removesuffix(".md")
            for ending in (".md", "/index.md", "/_index.md", ".markdown", ".mdx"):
                if stem + ending in self.whole.paths:
                    return self.whole.paths[stem + ending]
        last = PurePosixPath(bare).name.removesuffix(".md")
        alike = [
            path
            for name, path in self.whole.paths.items()
            if last and (PurePosixPath(name).stem == last or name.endswith(f"/{last}/index.md"))
        ]
        return alike[0] if len(alike) == 1 and "/" not in bare.strip("/") else None

    def refer_by_tag(self, tag: str, named: str) -> str:
        """Return the address of what `post_url` or `link` of Jekyll names."""
        for name, path in self.whole.paths.items():
            stem = name.rsplit(".", 1)[0]
            if (tag == "link" and name == named.lstrip("/")) or (
                tag == "post_url" and (stem.endswith(f"_posts/{named}") or stem.split("_posts/")[-1] == named)
            ):
                return self.whole.settings.base + path
        return f"{self.whole.settings.base}/{named.lstrip('/')}"

    def value(self, name: str) -> str | None:
        """Return what a variable of Liquid holds: of the page or the site, as far as it is plain text."""
        head, _, key = name.partition(".")
        if head == "site":
            if key == "baseurl":
                return self.whole.settings.base
            if key == "url":
                return self.whole.settings.address.removesuffix(self.whole.settings.base)
            return _scalar(self.whole.settings.values, key)
        if head == "page":
            return self.path if key == "url" else _scalar(self.front.values, key)
        return None

    # Pictures

    def picture(self, written: str) -> Picture | None:
        """Return the picture at an address; None: it may not be shown. Raises Refused: `path_outside_source`."""
        settings, media = self.whole.settings, self.whole.media
        written = written.strip()
        for alias, folder in ALIASES.items():
            if written.startswith(alias):
                written = f"/{folder}{written.removeprefix(alias).lstrip('/')}"
                break
        if SCHEME.match(written):
            if not written.startswith(("http://", "https://", "//")):
                return None
            if not self.whole.host or host_of(written) != self.whole.host:
                parts = urlsplit(written)
                return Picture(f"{host_of(written)}{unquote(parts.path)}".strip("/"), "", written)
            written = urlsplit(written).path
        bare = unquote(written.partition("#")[0].partition("?")[0])
        if not bare:
            return None
        if bare.startswith("/"):
            if settings.base and bare.startswith(f"{settings.base}/"):
                bare = bare.removeprefix(settings.base)
            candidates = [self._public(folder, bare) for folder in settings.public]
            address = self.whole.address(settings.base + bare)
        else:
            name = self._inside(posixpath.join(self.file.folder, bare))
            shown = posixpath.normpath(posixpath.join("/", self._directory(), bare))
            candidates = [(name, name)]
            candidates += [self._public(folder, shown) for folder in settings.public]
            clamped = posixpath.normpath(f"/{bare}")
            candidates += [self._public(folder, clamped) for folder in settings.public]
            address = self.whole.address(settings.base + shown)
        for file, path in candidates:
            if media.find(path) is not None:
                return Picture(_public_name(file, settings), path, address)
        file, path = candidates[0]
        return Picture(_public_name(file, settings), "", address)

    def _public(self, folder: str, path: str) -> tuple[str, str]:
        """Return the name of a file below a public folder, and its path from the root."""
        name = self._inside(path.lstrip("/"))
        whole = f"{folder}/{name}" if folder else name
        return (name if folder in ("static", "public", "") else whole), whole

    def _inside(self, path: str) -> str:
        name = posixpath.normpath(path)
        if name == ".." or name.startswith("../"):
            message = f"{path} leads out of the folder of the site. No file outside of it is read."
            raise Refused("path_outside_source", message, file=self.file.name, line=self._line_of(path))
        return name

    def _line_of(self, path: str) -> int:
        """Return the line in which a path stands."""
        last = path.rsplit("../", 1)[-1]
        at = self.front.body.find(last)
        if at >= 0:
            return self.front.body_line + self.front.body.count("\n", 0, at)
        return next((line for key, line in self.front.lines.items() if last in str(self.front.values[key])), 1)


def _public_name(file: str, settings: Settings) -> str:
    for folder in ("static/", "public/"):
        if folder.rstrip("/") in settings.public and file.startswith(folder):
            return file.removeprefix(folder)
    return file


def _split(address: str) -> tuple[str, str]:
    """Return an address without its fragment, and the fragment with its hash."""
    bare, hash_, fragment = address.partition("#")
    return bare.partition("?")[0], f"{hash_}{fragment}" if fragment else ""


def _scalar(values: Mapping[str, Value], key: str) -> str | None:
    found: Value = dict(values)
    for part in key.lower().split("."):
        if not isinstance(found, dict) or part not in found:
            return None
        found = found[part]
    return text_of(found) or None

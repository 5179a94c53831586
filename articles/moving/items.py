"""What a reader gives and what comes back: plain values that know neither Django nor any format.

A reader turns an export into an `Export`. It does not settle slugs, sections, clashes, or which links work: planning
does, for all formats alike, and then asks each item for its body by calling `Item.write(page)` (see page.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from .page import Page

T = TypeVar("T")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in the source: `line` of the file from 1 (0: none), or `path` in the JSON.

    `near` is text that stands there, for whoever looks for it: `[gallery ids="203`, `<iframe src=…`. It may be long:
    reports shorten it.
    """

    line: int = 0
    path: str = ""
    near: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that an editor must know of an item. Codes are those of docs/moving.md; `dropped` is lost source."""

    code: str
    place: Place
    dropped: str = ""


class Refused(Exception):  # noqa: N818
    """The export is refused whole: nothing of it is written. `file` is relative to the source, `line` counts from 1.

    `others` are refusals of other files of the same export, so that all of them can be mended at once.
    """

    others: tuple[Refused, ...] = ()

    def __init__(self, code: str, message: str, *, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.code, self.message, self.file, self.line, self.column = code, message, file, line, column

    def __str__(self) -> str:
        numbers = [str(number) for number in (self.line, self.column) if number]
        at = ": ".join(part for part in (self.file, " column ".join(numbers)) if part)
        return f"{at}: {self.message} ({self.code})" if at else f"{self.message} ({self.code})"


def each_of(read: Callable[[T], Made], sources: Iterable[T]) -> list[Made]:
    """Return what `read` makes of each of the sources. Raises Refused of the first, with all others that were."""
    made, refused = [], []
    for source in sources:
        try:
            made.append(read(source))
        except Refused as error:
            refused.append(error)
    if refused:
        refused[0].others = tuple(refused[1:])
        raise refused[0]
    return made


@dataclass(frozen=True, slots=True)
class Options:
    """How to read. `now` is the clock of the run (aware). `timezone` is that of instants without an offset.

    `site` is the address of the old site where the export does not say it; `media` the folder with the files that the
    export points to; `folders` those of a site that hold articles, in the order in which they win a clash of slugs.
    """

    now: datetime
    timezone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    site: str = ""
    media: Path | None = None
    folders: tuple[str, ...] = ()
    flavour: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """An author. `key` tells them apart within the site: login, e-mail or id; never the display name.

    `place` is set where the source names somebody whom it does not describe: planning adds `author_unknown`.
    """

    key: str
    name: str
    email: str = ""
    is_known: bool = True
    # What an export of Plenum says besides.
    slug: str = ""
    bio: str = ""
    homepage: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A category or tag. `ancestors` are slugs, nearest first (of a category with parents)."""

    slug: str
    name: str
    ancestors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as an item names it, resolved by the reader as far as the export goes.

    `file` is what reports call it (under uploads/, content/images/, static/ or public/; of a bundle from the site's
    root); `path` is where its bytes may be, relative to the root of `Export.media` ("": they are not in the export);
    `address` is where it stood on the old site. `alt` is the fallback: that of the attachment.
    """

    file: str
    path: str = ""
    address: str = ""
    alt: str = ""
    caption: str = ""
    credit: str = ""
    licence: str = ""
    name: str = ""
    """What the library of another Plenum calls it: it keeps the name where that is free."""


@dataclass(frozen=True, slots=True)
class Ours:
    """What only an export of Plenum says of an article. Its body is our Markdown already, and stays byte for byte."""

    section: str = ""
    rung: str = ""
    explains: tuple[str, ...] = ()
    corrections: tuple[Mapping[str, str], ...] = ()


State = Literal["published", "draft", "skipped"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of the source, as the source has it.

    `state` is what the source's status allows (rules 2 and 3: whatever was not publicly readable is a draft). `title`
    is plain text and `slug` as the source writes it, still percent-encoded; "" where there is none. `published_at` is
    the original instant, of items that are published; `publish_at` that of scheduled ones.

    `addresses` are all addresses and paths under which the source itself may link to it; `old_paths` those that
    answered the public and become redirects. `notices` are those of the reader about all but the body. `places` says
    where things stand that planning judges: "item" (the fallback), "title", "slug", "section", "author", "date",
    "body", "dek", "picture".

    `write(page)` returns the body in our Markdown; it must be repeatable, and its only way to the outside is `page`.
    `digest` is the SHA-256, in hex, of all that the source says of the item, so that a change there is seen. `ours` is
    set where the source is another Plenum.
    """

    source_id: str
    label: str
    state: State
    title: str = ""
    slug: str = ""
    reason: str = ""
    dek: str = ""
    published_at: datetime | None = None
    publish_at: datetime | None = None
    authors: tuple[Person, ...] = ()
    categories: tuple[Term, ...] = ()
    tags: tuple[Term, ...] = ()
    picture: Picture | None = None
    addresses: tuple[str, ...] = ()
    old_paths: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    write: Callable[[Page], str] = field(default=lambda page: "")
    digest: str = ""
    ours: Ours | None = None

    def place(self, of: str) -> Place:
        return self.places.get(of) or self.places.get("item") or Place()


@dataclass(frozen=True, slots=True)
class Site:
    """Where it comes from. (`kind`, `address`) and an item's `source_id` are its identity for ever.

    `kind` is wordpress, ghost, hugo, jekyll, docusaurus, astro, plenum, …; `hosts` are all names of the site, as
    `addresses.host_of` gives them: a link to one of them is a link within the site.
    """

    kind: str
    address: str
    hosts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Export:
    """All that a reader found. `people` are the authors in the order of the source: it settles who gets `-2`.

    `media` is the folder below which pictures are looked for (None: there is none). The order of `items` is that of the
    source.
    """

    site: Site
    items: tuple[Item, ...]
    people: tuple[Person, ...] = ()
    media: Path | None = None
    notices: tuple[Notice, ...] = ()

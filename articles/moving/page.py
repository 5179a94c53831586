"""What a reader's `write(page)` is given: the only way from a body to the rest of the run.

A reader asks it for the target of each link and for each picture, and tells it what is lost. It answers for this run:
which items exist under which slug, which pictures are at hand. What it was asked is kept for the report.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Protocol

from .directives import figure
from .items import Item, Notice, Picture, Place

Pictured = Literal["found", "missing", "refused"]


class Run(Protocol):
    """What a page needs to know of the run; planning.py has it."""

    def target(self, address: str, holder: Item) -> tuple[str, Item | None]:
        """Return the Markdown target of an `address` in the body of `holder`, and the item that it leads to, if any.

        The target is "article:slug#fragment", "#fragment", an absolute address, or "" where it may not be linked.
        """

    def is_within(self, address: str) -> bool:
        """Whether `address` leads to a place of the old site."""

    def is_unlinked(self, item: Item) -> bool:
        """Whether links to `item` keep their text only, because readers would not find it."""

    def picture(self, picture: Picture) -> tuple[str, Pictured]:
        """Return the name in the media library, and whether the bytes are at hand and a picture."""


class Page:
    """The body of one item while it is written. `notices`, `pictures`, `links`, `without_alt` are what came of it."""

    def __init__(self, run: Run, item: Item, *, dead_anchors: frozenset[str] = frozenset()) -> None:
        self._run, self.item = run, item
        self.dead_anchors = dead_anchors
        self.notices: list[Notice] = []
        self.pictures: list[tuple[str, Picture]] = []
        self.links: list[tuple[Item, Place]] = []
        self.without_alt: list[Place] = []
        # For a reader that knows where a line of the body (from 1) comes from: mistakes of the markup are told there.
        self.place_of_line: Callable[[int], Place | None] = lambda line: None
        self._said: set[str] = set()
        self._numbers = 0

    def warn(self, code: str, place: Place, *, dropped: str = "") -> None:
        """Note that something was changed or lost; of what is lost, `dropped` is the source."""
        self.notices.append(Notice(code, place, dropped))

    def link(self, address: str, place: Place) -> str:
        """Return the target of a link to `address` (entities resolved), or "": then the link keeps its text only.

        Within the old site, what leads to no item becomes an absolute address and gives `link_unresolved`. What may not
        be linked gives `unsafe_url`.
        """
        target, item = self._run.target(address, self.item)
        if item is not None:
            self.links.append((item, place))
            return "" if self._run.is_unlinked(item) else target
        if target.startswith("#"):
            return "" if target[1:] in self.dead_anchors else target
        if self._run.is_within(address):
            self.warn("link_unresolved", place, dropped="" if target else address)
        elif not target:
            self.warn("unsafe_url", place, dropped=address)
        return target

    def leads_to_item(self, address: str) -> bool:
        """Whether `address` is that of an item of this run."""
        return self._run.target(address, self.item)[1] is not None

    def figure(self, picture: Picture, place: Place, *, alt: str = "", caption: str = "", credit: str = "") -> str:
        """Return the directive of a figure, or "" where the file is no picture (`image_refused`).

        `alt` and `credit` are plain text; without `alt` the picture's own counts. `caption` is Markdown, on one line or
        several. A file that is not at hand gives `image_missing`, once an item.
        """
        shown = replace(picture, alt=alt or picture.alt, caption=caption or picture.caption, credit=credit)
        name = self.bring(shown, place)
        if name and not shown.alt.strip():
            self.without_alt.append(place)
        return figure(name, alt=shown.alt, caption=shown.caption, credit=credit) if name else ""

    def bring(self, picture: Picture, place: Place) -> str:
        """Bring a picture along, and return what the library will call it, or "" (`image_refused`)."""
        name, state = self._run.picture(picture)
        if state == "refused":
            self._once(f"image_refused {picture.file}", "image_refused", place, dropped=picture.address or picture.file)
            return ""
        if state == "missing":
            self._once(f"image_missing {picture.file}", "image_missing", place)
        self.pictures.append((name, picture))
        return name

    def embed(self, address: str, place: Place) -> str:
        """Return a link on its own in place of what was embedded (`embed_to_link`), or "" (`unsafe_url`)."""
        target = self.link(address, place)
        if not target:
            return ""
        self.warn("embed_to_link", place)
        return f"<{target}>"

    def number(self) -> int:
        """Return 1, then 2, …: for the names of notes, which must differ within an item."""
        self._numbers += 1
        return self._numbers

    def _once(self, key: str, code: str, place: Place, *, dropped: str = "") -> None:
        if key not in self._said:
            self._said.add(key)
            self.warn(code, place, dropped=dropped)

"""What a plan is made of: what there is before a run, what becomes of each item, and the whole."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from articles.markup.records import Records
from articles.moving.items import Export, Item, Notice, Person, Picture
from articles.moving.naming import PictureNames


@dataclass(frozen=True)
class Came:
    """An item that came before: its slug of today, whether readers see it, and what the source said then."""

    slug: str
    is_live: bool
    digest: str


@dataclass(frozen=True)
class Standing:
    """What there is before the run. `came` is by source id, for this site; `slugs` are those of all articles.

    `records` answers what bodies may refer to beside what the run brings. `pictures` names the pictures that came
    before, by file, and `names` all of the library.
    """

    came: Mapping[str, Came] = field(default_factory=dict)
    slugs: frozenset[str] = frozenset()
    records: Callable[[str], Records] | None = None
    pictures: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    reads_unchanged: bool = False
    """Whether bodies that did not change are read all the same, for the pictures in them."""


@dataclass(frozen=True)
class Planned:
    """What becomes of an item. `state` is how it shall end; of what came before it is how it came.

    `body` and `cover` are for editors; `public_body` and `public_cover` for readers, who do not get links to what they
    would not find, nor a lead image that says nothing to those who do not see it. `pictures` are names in the library
    with what they show, in the order of the text.
    """

    item: Item
    state: str
    slug: str
    title: str
    dek: str
    section: str | None
    body: str
    public_body: str
    pictures: tuple[tuple[str, Picture], ...]
    cover: str
    public_cover: str
    notices: tuple[Notice, ...]
    paths: tuple[str, ...]
    reason: str = ""

    @property
    def readers_get_less(self) -> bool:
        return (self.body, self.cover) != (self.public_body, self.public_cover)


@dataclass(frozen=True)
class Plan:
    """The whole run, in the order of the source."""

    export: Export
    items: tuple[Planned, ...]
    people: tuple[Person, ...]
    names: PictureNames


def skipped(item: Item, reason: str = "") -> Planned:
    """Return an item of which nothing becomes."""
    return Planned(
        item, "skipped", "", item.title, "", None, "", "", (), "", "", item.notices, (), reason=reason or item.reason
    )

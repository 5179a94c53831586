"""What the readers give: a publication as plain values. `place` says where a record stands; slugs name others."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from catalog.importing.reading import Reading
from catalog.importing.records import Place


@dataclass(frozen=True, slots=True)
class Link:
    """That a record names another one, and where: what has to exist before anything is written."""

    kind: str
    slug: str
    place: Place
    field: str


@dataclass(frozen=True, slots=True)
class Section:
    place: Place
    slug: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Rung:
    place: Place
    slug: str
    name: str
    description: str
    min_w: Decimal
    max_w: Decimal


@dataclass(frozen=True, slots=True)
class Author:
    place: Place
    slug: str
    name: str
    bio: str
    homepage: str


@dataclass(frozen=True, slots=True)
class Person:
    """An account that approves what an import wrote. It cannot log in."""

    place: Place
    username: str
    name: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    place: Place
    slug: str
    title: str
    publisher: str
    dated: str
    address: str
    licence: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What one source says. `is_chosen`: the claim that quantities and the simulator use."""

    value: Decimal
    unit: str
    claim_kind: str
    dated: str
    confidence: str
    source: str
    note: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """`subject` is a kind and a slug, or None for a fact of nothing in particular."""

    place: Place
    slug: str
    label: str
    subject: tuple[str, str] | None
    field: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Installation:
    place: Place
    slug: str
    name: str
    operator: str
    country: str
    place_name: str
    status: str
    rung: str
    description: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Vendor:
    """`domain` is the registrable domain that `domain_source` shows to be the vendor's; `note` is for editors.

    `unverified` names the fields that nobody has seen on a page.
    """

    place: Place
    slug: str
    name: str
    description: str
    role: str
    company_status: str
    parent: str
    manufacturer: str
    sections: tuple[str, ...]
    homepage: str
    domain: str
    domain_source: str
    country: str
    city: str
    unverified: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Scenario:
    place: Place
    slug: str
    title: str
    description: str
    kind: str
    input: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """`file` is the picture itself, which has been looked at: it exists and is of a kind that is taken."""

    place: Place
    name: str
    file: Path
    alt: str
    credit: str
    licence: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What an article said, what it says now, since when, and how grave that was."""

    said: str
    says: str
    on: date
    gravity: str


@dataclass(frozen=True, slots=True)
class Article:
    """`body_line` is the line of the file in which the body begins: mistakes in the body are counted from there."""

    place: Place
    slug: str
    title: str
    dek: str
    section: str
    rung: str
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    image: str
    published: date | None
    explains: tuple[str, ...]
    corrections: tuple[Correction, ...]
    body: str
    body_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """All of a folder. `devices` is what the device readers give; the lists are in the order of the files."""

    sections: tuple[Section, ...] = ()
    rungs: tuple[Rung, ...] = ()
    authors: tuple[Author, ...] = ()
    people: tuple[Person, ...] = ()
    sources: tuple[Source, ...] = ()
    facts: tuple[Fact, ...] = ()
    devices: Reading | None = None
    installations: tuple[Installation, ...] = ()
    vendors: tuple[Vendor, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    pictures: tuple[Picture, ...] = ()
    articles: tuple[Article, ...] = ()
    links: tuple[Link, ...] = ()

    def counts(self) -> Mapping[str, int]:
        """Return how many records of each kind there are, for the report."""
        named = {
            "sections": self.sections,
            "rungs": self.rungs,
            "sources": self.sources,
            "devices": self.devices.records if self.devices else (),
            "installations": self.installations,
            "facts": self.facts,
            "pictures": self.pictures,
            "authors": self.authors,
            "people": self.people,
            "vendors": self.vendors,
            "scenarios": self.scenarios,
            "articles": self.articles,
        }
        return {name: len(records) for name, records in named.items()}

    def slugs(self) -> dict[str, set[str]]:
        """Return what the folder holds of each kind that something may name."""
        devices = self.devices
        return {
            "section": {record.slug for record in self.sections},
            "rung": {record.slug for record in self.rungs},
            "author": {record.slug for record in self.authors},
            "source": {record.slug for record in self.sources},
            "device": {record.slug for record in devices.devices} if devices else set(),
            "rack_type": {record.slug for record in devices.racks} if devices else set(),
            "manufacturer": {record.identity[0] for record in devices.records} if devices else set(),
            "installation": {record.slug for record in self.installations},
            "vendor": {record.slug for record in self.vendors},
            "scenario": {record.slug for record in self.scenarios},
            "image": {record.name for record in self.pictures},
            "article": {record.slug for record in self.articles},
        }

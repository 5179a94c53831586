"""All of a folder in one pass: its records, and everything that is wrong with it."""

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from articles.importing import catalogue, people
from articles.importing.fields import Fields, without_twins
from articles.importing.records import Article, Fact, Link, Publication
from articles.importing.texts import read_article
from catalog.importing.checking import kind_of, refuse_faults, suggestion
from catalog.importing.documents import Sequence, UnreadableFileError, decode, read_documents
from catalog.importing.finding import shown
from catalog.importing.problems import Notice, Problems, Refusal
from catalog.importing.reading import Reading, read_path

# File, the keys of an entry, its reader, and what must not stand twice.
LISTS: list[tuple[str, tuple[str, ...], Callable[[Fields], Any], str]] = [
    ("sections.yaml", catalogue.SECTION_KEYS, catalogue.read_section, "slug"),
    ("rungs.yaml", catalogue.RUNG_KEYS, catalogue.read_rung, "slug"),
    ("sources.yaml", catalogue.SOURCE_KEYS, catalogue.read_source, "slug"),
    ("facts.yaml", catalogue.FACT_KEYS, catalogue.read_fact, "slug"),
    ("installations.yaml", catalogue.INSTALLATION_KEYS, catalogue.read_installation, "slug"),
    ("scenarios.yaml", catalogue.SCENARIO_KEYS, catalogue.read_scenario, "slug"),
    ("authors.yaml", people.AUTHOR_KEYS, people.read_author, "slug"),
    ("people.yaml", people.PERSON_KEYS, people.read_person, "username"),
    ("vendors.yaml", people.VENDOR_KEYS, people.read_vendor, "slug"),
]
FOLDERS = ("devices", "images", "articles")
OTHERS = ("images.yaml",)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FolderReading:
    """What a folder holds. `publication` is whole only where there are no refusals."""

    publication: Publication
    refusals: tuple[Refusal, ...]
    notices: tuple[Notice, ...]


def read_publication(folder: Path, *, progress: Progress = lambda _: None) -> FolderReading:
    """Read the files of a publication. `progress` is told the name of each file. Raises FileNotFoundError."""
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    problems: dict[str, Problems] = {}
    links: list[Link] = []
    found: dict[str, tuple[Any, ...]] = {}
    for name, keys, read, key in LISTS:
        progress(name)
        records = _read_list(folder / name, name, keys, read, problems, links)
        found[name.removesuffix(".yaml")] = tuple(without_twins(records, problems, key=key))
    progress("images.yaml")
    read_picture = partial(catalogue.read_picture, folder=folder / "images")
    pictures = _read_list(folder / "images.yaml", "images.yaml", catalogue.PICTURE_KEYS, read_picture, problems, links)
    devices = _read_devices(folder / "devices", problems, progress)
    articles = _read_articles(folder / "articles", problems, links, progress)
    _refuse_strangers(folder, problems)
    publication = Publication(
        **found,
        pictures=tuple(without_twins(pictures, problems, key="name")),
        devices=devices,
        articles=tuple(without_twins(articles, problems)),
        links=tuple(links),
    )
    _refuse_twin_facts(publication, problems)
    return FolderReading(
        publication,
        tuple(sorted(refusal for each in problems.values() for refusal in each.refusals)),
        tuple(sorted(notice for each in problems.values() for notice in each.notices)),
    )


def _refuse_twin_facts(publication: Publication, problems: dict[str, Problems]) -> None:
    """Refuse a fact whose slug, or whose subject and field, another one has: of a file, or of an installation."""
    seen: dict[object, Fact] = {}
    of_installations = (fact for installation in publication.installations for fact in installation.facts)
    for fact in (*publication.facts, *of_installations):
        for key in (fact.slug, (fact.subject, fact.field) if fact.subject else fact.slug):
            first = seen.setdefault(key, fact)
            if first is not fact:
                where = f"{first.place.file}, line {first.place.line}"
                problems[fact.place.file].refuse(
                    fact.place.line, "field", "duplicate_fact", f"The same fact stands in {where}. Keep one."
                )
                break


Existing = Callable[[str, Collection[str]], Collection[str]]


# Where the records stand that something may name.
FILE_OF_KIND = {
    "section": "sections.yaml", "rung": "rungs.yaml", "author": "authors.yaml", "source": "sources.yaml",
    "device": "devices", "rack_type": "devices", "manufacturer": "devices", "installation": "installations.yaml",
    "vendor": "vendors.yaml", "scenario": "scenarios.yaml", "image": "images.yaml",
}  # fmt: skip


def uncertain_kinds(refusals: Iterable[Refusal]) -> set[str]:
    """Return the kinds of which a folder may hold more than was read: those of a file in which something is refused."""
    damaged = set()
    for refusal in refusals:
        if refusal.code == "unknown_file":
            return set(FILE_OF_KIND)  # It may be any of them, by a wrong name.
        damaged.add(refusal.file.partition("/")[0])
    return {kind for kind, file in FILE_OF_KIND.items() if file in damaged}


def refuse_dangling(publication: Publication, existing: Existing, *, uncertain: Collection[str] = ()) -> list[Refusal]:
    """Return a refusal for each record that is named, and is neither in the folder nor `existing`.

    `existing` is asked once for each kind, with the slugs that the folder lacks, and returns those that exist. Nothing
    is said of the kinds that are `uncertain`.
    """
    here = publication.slugs()
    lacking: dict[str, list[Link]] = {}
    for link in publication.links:
        if link.kind not in uncertain and link.slug not in here[link.kind]:
            lacking.setdefault(link.kind, []).append(link)
    refusals = []
    for kind, links in lacking.items():
        there = set(existing(kind, {link.slug for link in links}))
        for link in links:
            if link.slug in there:
                continue
            word = kind.replace("_", " ")
            hint = suggestion(link.slug, sorted(here[kind] | there))
            message = f"There is no {word} {link.slug}{hint}. Add it, or correct the name."
            refusals.append(Refusal(link.place.file, link.place.line, link.field, f"dangling_{kind}", message))
    return sorted(refusals)


def _read_list(
    path: Path,
    name: str,
    keys: Iterable[str],
    read: Callable[[Fields], Any],
    problems: dict[str, Problems],
    links: list[Link],
) -> list[Any]:
    """Return the records of a file that is one list of mappings; a file that is not there holds none."""
    here = problems[name] = Problems(name)
    if not path.exists():
        return []
    try:
        documents = [document for document in read_documents(decode(path.read_bytes())) if document.root is not None]
    except UnreadableFileError as error:
        here.refuse(*error.fault)
        return []
    except OSError as error:
        here.refuse(1, "", "unreadable", f"The file cannot be opened: {error.strerror}.")
        return []
    if not documents:
        return []
    refuse_faults(documents[0], here)
    root = documents[0].root
    if len(documents) > 1 or not isinstance(root, Sequence):
        what = "several documents" if len(documents) > 1 else f"a {kind_of(root)}" if root is not None else "nothing"
        here.refuse(1, "", "wrong_type", f"The file has to be one list of entries; it holds {what}.")
        return []
    entries = [Fields(item, f"[{number}]", keys, here, links) for number, item in enumerate(root.items)]
    return [record for entry in entries if entry.entries and (record := read(entry)) is not None]


def _read_devices(folder: Path, problems: dict[str, Problems], progress: Progress) -> Reading | None:
    """Return the devices of a folder with a library and files of systems, named by their path from the publication."""
    if not folder.is_dir():
        return None
    progress("devices/")
    reading = read_path(folder)
    here = problems["devices"] = Problems("devices")
    here.refusals += map(in_devices, reading.refusals)
    return reading


def in_devices(refusal: Refusal) -> Refusal:
    """Return a refusal of the folder of devices, its file named from the publication."""
    return replace(refusal, file=f"devices/{refusal.file}")


def _read_articles(folder: Path, problems: dict[str, Problems], links: list[Link], progress: Progress) -> list[Article]:
    if not folder.is_dir():
        return []
    articles = []
    for path in sorted(folder.glob("*.md")):
        name = f"{folder.name}/{shown(path.name)}"
        progress(name)
        here = problems[name] = Problems(name)
        try:
            data = path.read_bytes()
        except OSError as error:
            here.refuse(1, "", "unreadable", f"The file cannot be opened: {error.strerror}.")
            continue
        article = read_article(data, here, links)
        if article is not None:
            articles.append(article)
    return articles


def _refuse_strangers(folder: Path, problems: dict[str, Problems]) -> None:
    """Refuse a YAML file that nothing reads: `autors.yaml` would be lost without a word."""
    known = {*(name for name, *_ in LISTS), *OTHERS}
    for name in sorted(os.listdir(folder)):
        if name.endswith((".yaml", ".yml")) and name not in known:
            here = problems.setdefault(name, Problems(name))
            message = f"Nothing reads a file of this name{suggestion(name, sorted(known))}. Rename it."
            here.refuse(1, "", "unknown_file", message)

"""Who wrote it: authors of an export, matched with those of the publication or made."""

from collections.abc import Iterable
from dataclasses import dataclass

from articles.models import Author, ImportedAuthor
from articles.moving.items import Person
from articles.moving.slugs import numbered, to_slug

LONGEST_NAME = 200


@dataclass(frozen=True)
class Byline:
    """What an author of the export is here. `author` is None where it is still to be made."""

    person: Person
    slug: str
    author: Author | None
    is_known: bool = False
    """Whether an earlier run brought this author from this site."""


def match(people: Iterable[Person], *, kind: str, site: str) -> dict[str, Byline]:
    """Return for each author, by key, who that is here. Authors are told apart by key and e-mail, not by name.

    One who came before is the same; one with the e-mail of somebody who came from elsewhere, too. A byline of the same
    name that no import brought is taken if only one author of the export has the name: the editors made it beforehand.
    """
    people = list(people)
    rows = ImportedAuthor.objects.select_related("author")
    before = {row.source_id: row.author for row in rows.filter(source_kind=kind, site=site)}
    emails = {person.email.lower() for person in people if person.email}
    by_email = {row.email.lower(): row.author for row in rows.filter(email__in=emails)} if emails else {}
    names = [_name(person) for person in people]
    unclaimed: dict[str, Author] = {}
    for row in Author.objects.filter(name__in=names, imported_authors=None).order_by("slug"):
        unclaimed.setdefault(row.name, row)
    # Another Plenum calls authors as we do: the same address and the same name are the same author.
    slugs = {person.slug for person in people if person.slug}
    by_slug = {(row.slug, row.name): row for row in Author.objects.filter(slug__in=slugs)} if slugs else {}
    taken = set(Author.objects.values_list("slug", flat=True))
    matched: dict[str, Byline] = {}
    author: Author | None
    for person in people:
        if person.key in matched:
            continue
        name = _name(person)
        author = before.get(person.key) or by_email.get(person.email.lower()) or by_slug.get((person.slug, name))
        if author is None and names.count(name) == 1:
            author = unclaimed.get(name)
        if author is not None:
            matched[person.key] = Byline(person, author.slug, author, person.key in before)
            continue
        slug = numbered(person.slug or to_slug(name) or to_slug(person.key) or "author", taken)
        taken.add(slug)
        matched[person.key] = Byline(person, slug, None)
    return matched


def make(bylines: dict[str, Byline], *, kind: str, site: str) -> dict[str, Author]:
    """Make the authors that are missing, remember where each came from, and return them by key."""
    authors: dict[str, Author] = {}
    for key, byline in bylines.items():
        author = byline.author
        if author is None:
            person = byline.person
            author = Author(slug=byline.slug, name=_name(person), bio=person.bio, homepage=person.homepage)
            author.full_clean()
            author.save(force_insert=True)
        authors[key] = author
        if not byline.is_known:
            email = byline.person.email[:254]
            ImportedAuthor.objects.create(source_kind=kind, site=site, source_id=key, author=author, email=email)
    return authors


def _name(person: Person) -> str:
    return " ".join((person.name or person.key).split())[:LONGEST_NAME]

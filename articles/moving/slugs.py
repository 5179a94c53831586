"""Slugs of imported items (rule 5 of the import): the source's own if it can be, then the title, then the id."""

from urllib.parse import unquote

from django.utils.text import slugify

LONGEST = 100


def wanted_slug(slug: str, title: str, *, kind: str, source_id: str) -> tuple[str, bool]:
    """Return the slug that an item should have, and whether the one of the source had to change for it.

    `slug` is the source's, percent-encoded or not; "" is none. If neither slug nor title has Latin letters or digits it
    is made of kind and id: wordpress-118.
    """
    own = unquote(slug).strip().strip("/")
    made = to_slug(own)
    if made:
        return made, made != own
    return to_slug(title) or to_slug(f"{kind}-{source_id}") or kind, bool(own)


def to_slug(text: str) -> str:
    """Return `text` through Django's slugify, as long as an address may be."""
    return slugify(text)[:LONGEST].strip("-_")


def numbered(slug: str, taken: set[str] | frozenset[str]) -> str:
    """Return `slug`, or with -2, -3, … the first that is not `taken`."""
    free, number = slug, 2
    while free in taken:
        ending = f"-{number}"
        free, number = f"{slug[: LONGEST - len(ending)]}{ending}", number + 1
    return free

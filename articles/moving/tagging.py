"""Tags of an export, matched by slug with those of the publication or made."""

import hashlib
from collections.abc import Iterable

from articles.models import Tag
from articles.moving.items import Term
from articles.moving.slugs import to_slug

LONGEST_NAME = 80


def find_or_make_tags(terms: Iterable[Term]) -> dict[str, Tag]:
    """Return the tag of each term, by the slug (else the name) of the source. One that is here keeps its name."""
    wanted = {term.slug or term.name: term for term in terms}
    slugs = {key: _slug(term) for key, term in wanted.items()}
    tags = {tag.slug: tag for tag in Tag.objects.filter(slug__in=slugs.values())}
    new: dict[str, Tag] = {}
    for key, slug in slugs.items():
        if slug not in tags and slug not in new:
            new[slug] = Tag(slug=slug, name=(wanted[key].name or slug)[:LONGEST_NAME])
            new[slug].full_clean(validate_unique=False)
    Tag.objects.bulk_create(new.values())
    return {key: (tags | new)[slug] for key, slug in slugs.items()}


def _slug(term: Term) -> str:
    """Return the slug of a tag; one without Latin letters and digits has one made of its hash, the same every time."""
    made = to_slug(term.slug) or to_slug(term.name)
    return made or f"tag-{hashlib.sha256((term.slug or term.name).encode()).hexdigest()[:8]}"

"""The section of an imported item (rule 8 of the import): from its categories, then its tags."""

from collections.abc import Sequence

from .items import Term
from .slugs import to_slug

WORDS = {
    "cooling": ("cooling", "liquid-cooling", "heat", "thermal", "hvac"),
    "power": ("power", "electrical", "ups", "busway"),
    "network": ("network", "networking", "fabric", "interconnect"),
    "storage": ("storage", "backup"),
    "compute": ("compute", "chips", "gpu", "servers", "hpc"),
    "facilities": ("facilities", "data-centres", "campus", "building"),
}
SECTIONS = {word: section for section, words in WORDS.items() for word in words}


def section_of(categories: Sequence[Term], tags: Sequence[Term]) -> tuple[str | None, bool]:
    """Return the slug of the section, or None, and whether the categories name two different ones (then None)."""
    named = {section: None for term in categories if (section := _section(term))}
    if len(named) > 1:
        return None, True
    for section in named:
        return section, False
    return next((section for term in tags if (section := _section(term))), None), False


def _section(term: Term) -> str | None:
    """Return the section of a term: its own, else that of its nearest ancestor that has one."""
    for slug in (term.slug or to_slug(term.name), *term.ancestors):
        if found := SECTIONS.get(to_slug(slug)):
            return found
    return None

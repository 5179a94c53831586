"""The site where people read the publication, as a pattern of its addresses names it."""

import re
from urllib.parse import urlsplit

NAMES = ("section", "slug", "id")


def fault_of(pattern: str) -> str | None:
    """Return what keeps `pattern` from being that of an article's address; None when nothing does."""
    names = re.findall(r"\{([^{}]*)\}", pattern)
    if not _is_whole(pattern):
        return "write a whole address, as in https://example.org/{section}/{slug}."
    if unknown := [name for name in names if name not in NAMES]:
        return f"it knows {{section}}, {{slug}} and {{id}}, not {{{unknown[0]}}}."
    if "slug" not in names and "id" not in names:
        return "it needs {slug} or {id}, so that each article has an address of its own."
    return None


def root_of(pattern: str) -> str:
    """Return scheme and host of the site; nothing where none is configured."""
    parts = urlsplit(pattern)
    return f"{parts.scheme}://{parts.netloc}/" if pattern else ""


def fault_of_preview(pattern: str) -> str | None:
    """Return what keeps `pattern` from being the address of a page for previews; None when nothing does."""
    if not _is_whole(pattern) or re.findall(r"\{[^{}]*\}", pattern) != ["{token}"]:
        return "write a whole address with {token} once, as in https://example.org/preview#{token}."
    return None


def _is_whole(pattern: str) -> bool:
    rest = re.sub(r"\{[^{}]*\}", "x", pattern)
    parts = urlsplit(rest)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"[\s{}<>\"]", rest)

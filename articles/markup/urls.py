"""Where a link may lead.

http, https and mailto, an anchor of the page, and records of Plenum. A destination arrives here with its backslashes
and entities resolved, so no spelling of `javascript:` looks like anything else.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args
from urllib.parse import quote, unquote

RecordKind = Literal["article", "device", "vendor", "installation"]

# Browsers drop control characters and white space around a scheme or inside it; the other invisible ones go to be sure.
DROPPED = re.compile("[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]")
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Two slashes of either kind, which browsers read as "the same scheme, another host".
OTHER_HOST = re.compile(r"[/\\]{2}")
WEB = re.compile(r"https?://[^/?#\\\s]", re.IGNORECASE)
# What RFC 3986 lets stand, and %, so that what is encoded is not encoded again.
LET_STAND = "%/:?#[]@!$&'()*+,;=~-._"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads: a record by slug, an anchor of the page, or an address outside."""

    kind: Literal["article", "device", "vendor", "installation", "anchor", "web", "mail"]
    to: str  # As it is written, escapes resolved: "article:warm-water-loops#why".
    slug: str = ""
    anchor: str = ""

    @property
    def href(self) -> str:
        """Return what stands in the HTML, or "" for a record: only a front-end knows its address."""
        if is_record(self.kind):
            return ""
        return quote(self.to, safe=LET_STAND)


def read_target(destination: str) -> Target | Literal["unsafe_url", "relative_link"]:
    """Return where `destination` leads, or the code of the error that it is."""
    bare = DROPPED.sub("", destination)
    if OTHER_HOST.match(bare):
        return "unsafe_url"
    found = SCHEME.match(bare)
    if not found:
        if bare.startswith("#"):
            return Target("anchor", bare, anchor=unquote(bare[1:]))
        return "relative_link"
    scheme = found[1].lower()
    if is_record(scheme):
        slug, _, anchor = bare[found.end() :].partition("#")
        to = f"{scheme}:{slug}" + (f"#{anchor}" if anchor else "")
        return Target(scheme, to, slug=slug, anchor=unquote(anchor))
    # From here on white space and controls only at the ends are forgiven: inside they are someone's trick.
    trimmed = destination.strip()
    if scheme in ("http", "https") and WEB.match(trimmed):
        return Target("web", trimmed)
    if scheme == "mailto" and trimmed.lower().startswith("mailto:") and "@" in trimmed:
        return Target("mail", trimmed)
    return "unsafe_url"


def is_secure(target: Target) -> bool:
    """Whether `target` is an https address."""
    return target.kind == "web" and target.to.startswith("https:")


def is_record(kind: str) -> TypeGuard[RecordKind]:
    """Whether `kind` is a record of Plenum that can be linked to."""
    return kind in get_args(RecordKind)

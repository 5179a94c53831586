"""Where readers find an article: on the site that the publication has, as PLENUM_ARTICLE_URL says."""

import re
from urllib.parse import quote

from django.conf import settings

_SECTION = re.compile(r"/?\{section\}")
_OURS = re.compile(r'(?<=[\s<])(src|href|srcset|poster)="([^"]*)"')


def article_url(base: str, *, identifier: str, slug: str, section: str | None) -> str:
    """Return the address of an article. `base` is our own scheme and host, for where no site is configured.

    An article without a section has none in its address: of /{section}/{slug} there remains /{slug}.
    """
    pattern = settings.PLENUM_ARTICLE_URL or base + "/api/v1/articles/{slug}/"
    if section is None:
        pattern = _SECTION.sub("", pattern)
    names = {"{section}": section or "", "{slug}": slug, "{id}": identifier}
    for name, value in names.items():
        pattern = pattern.replace(name, quote(value))
    return pattern


def absolute(html: str, *, base: str, page: str) -> str:
    """Return `html` with whole addresses: of files that lie with us, and of places on the same page."""

    def whole(match: "re.Match[str]") -> str:
        name, value = match.groups()
        if name == "srcset":
            parts = [part.strip() for part in value.split(",")]
            return f'{name}="{", ".join(base + part if part.startswith("/") else part for part in parts)}"'
        if value.startswith("/"):
            value = base + value
        elif value.startswith("#"):
            value = page + value
        return f'{name}="{value}"'

    return _OURS.sub(whole, html)

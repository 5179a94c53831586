"""Every address of the project, found by walking the URLs: a test that uses it also covers what comes later."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

from core.feed.views import ItemView, ListView


@dataclass(frozen=True)
class Address:
    """An address with its view; `<str:key>` and the like stand in `route` as they are declared."""

    route: str
    view: type | None


def addresses() -> list[Address]:
    """Return all addresses, in the order of their declaration."""

    def walk(patterns: list, prefix: str) -> Iterator[Address]:
        for pattern in patterns:
            route = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, route)
            elif isinstance(pattern, URLPattern):
                view = getattr(pattern.callback, "view_class", None) or getattr(pattern.callback, "cls", None)
                yield Address("/" + route, view)

    return list(walk(get_resolver().url_patterns, ""))


def public_reads() -> list[Address]:
    """Return the addresses that serve a compiled representation."""
    return [address for address in addresses() if address.view and issubclass(address.view, ListView | ItemView)]

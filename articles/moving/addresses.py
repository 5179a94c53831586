"""Addresses of the old site: which are within it, and what of them is compared (rule 6 of the import)."""

from urllib.parse import parse_qs, unquote, urlsplit

from core.publishing.addresses import path_of

QUERIES_OF_ITEMS = ("p", "page_id")


def host_of(address: str) -> str:
    """Return the host of an absolute address, lower case, without port and "www."; "" of a relative one."""
    try:
        host = urlsplit(address.strip()).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def key_of(address: str) -> str:
    """Return what two addresses of one item have in common: the path, or WordPress's number in the query."""
    try:
        query = parse_qs(urlsplit(address.strip()).query)
    except ValueError:
        return ""
    for name in QUERIES_OF_ITEMS:
        if name in query and path_of(address) == "/":
            return f"?{name}={query[name][0]}"
    return path_of(address)


def fragment_of(address: str) -> str:
    """Return the fragment, percent-decoded, without its hash; "" for none."""
    return unquote(address.partition("#")[2])

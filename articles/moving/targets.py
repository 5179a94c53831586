"""Where addresses of an old site lead: to its items, to itself, or elsewhere."""

from collections.abc import Iterable, Mapping
from urllib.parse import urljoin, urlsplit

from articles.markup.urls import read_target
from articles.moving.addresses import fragment_of, host_of, key_of
from articles.moving.items import Export, Item


class OldSite:
    """The addresses of a site and of its items; `slugs` says by id where each stands here."""

    def __init__(self, export: Export, items: Iterable[Item], slugs: Mapping[str, str]) -> None:
        self._site, self._slugs = export.site, slugs
        self._by_address: dict[str, Item] = {}
        # Where two stood at one address, the one that was published is meant.
        for item in sorted(items, key=lambda item: item.state != "published"):
            for address in item.addresses:
                self._by_address.setdefault(key_of(address), item)

    def target(self, address: str, holder: Item) -> tuple[str, Item | None]:
        """Return what a link in `holder` leads to, as our markup writes it ("": nothing), and the item if it is one."""
        address = address.strip()
        if address.startswith("#") or not address:
            return address, None
        base = next(iter(holder.addresses), "")
        whole = address
        if self._is_relative(address):
            whole = urljoin(urljoin(self._site.address, base) or "/", address)
        if whole.startswith("//"):
            whole = f"https:{whole}"
        if self._is_of_site(whole):
            item = self._by_address.get(key_of(whole))
            fragment = fragment_of(whole)
            if item is holder and fragment:
                return f"#{fragment}", None
            if item is not None:
                return f"article:{self._slugs[item.source_id]}" + (f"#{fragment}" if fragment else ""), item
        target = read_target(whole)
        return ("" if isinstance(target, str) else whole), None

    def is_within(self, address: str) -> bool:
        """Whether an address is one of the old site."""
        address = address.strip()
        if not address or address.startswith("#"):
            return False
        return self._is_relative(address) or self._is_of_site(address)

    @staticmethod
    def _is_relative(address: str) -> bool:
        try:
            parts = urlsplit(address)
        except ValueError:
            return False
        # What browsers would read as a scheme once its white space is gone is none of our addresses.
        return not parts.scheme and not parts.netloc and read_target(address) == "relative_link"

    def _is_of_site(self, address: str) -> bool:
        host = host_of(address)
        return host in self._site.hosts if host else address.startswith("/")

"""How one source reads its Markdown: what the rewriting asks the reader of a format."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field

from articles.moving.html import Where, to_markdown
from articles.moving.items import Picture
from articles.moving.page import Page


def _same(address: str) -> str:
    return address


@dataclass(frozen=True, slots=True)
class Body:
    """One body, of the item that `page` is for.

    `where` takes a line of the body, from 0. `address` makes a destination, as it is written, into an address of the
    old site; `picture` finds the picture at one (None: it may not be shown). `heading_id` is what the source calls a
    heading with such a text, and `fragments` are those that some link of the source leads to. `is_mdx`: tags may be
    components, and braces hold code. `links_bare`: an address that stands in the text is a link. `has_definitions`: a
    line that begins with a colon says what the line above means.
    """

    page: Page
    where: Where
    picture: Callable[[str], Picture | None]
    address: Callable[[str], str] = _same
    heading_id: Callable[[str], str] = _same
    fragments: Set[str] = field(default_factory=frozenset)
    is_mdx: bool = False
    links_bare: bool = True
    has_definitions: bool = False

    def html(self, html: str, line: int) -> str:
        """Return HTML that begins in `line` of the body as Markdown of ours."""
        return to_markdown(
            html, self.page, lambda below, near: self.where(line + below, near), picture=self.picture_of_tag
        )

    def picture_of_tag(self, attributes: Mapping[str, str]) -> Picture | None:
        return self.picture(attributes.get("src", ""))

    def figure(
        self, destination: str, line: int, near: str, *, alt: str = "", caption: str = "", credit: str = ""
    ) -> str:
        """Return the directive of a picture, or "" where there is none to show."""
        picture = self.picture(destination)
        place = self.where(line, near)
        if picture is None:
            self.page.warn("unsafe_url", place, dropped=destination)
            return ""
        return self.page.figure(picture, place, alt=alt, caption=caption, credit=credit)

"""HTML of a body to our Markdown. The one door to the library that reads HTML."""

from collections.abc import Callable, Mapping

from .items import Picture, Place
from .page import Page

Where = Callable[[int, str], Place]
"""From a line of the HTML (from 0) and what stands there to its place in the source."""


def to_markdown(
    html: str,
    page: Page,
    where: Where,
    *,
    picture: Callable[[Mapping[str, str]], Picture | None],
    notes: Mapping[str, str] = {},
) -> str:
    """Return `html`, a fragment of any quality, as Markdown of ours; what it cannot say is a notice of `page`.

    `picture(attributes of an <img>)` returns the picture that it shows; None: an address that may not be shown
    (`unsafe_url`). `notes` are footnotes that the source keeps outside of the text: id to HTML.

    Headings, lists, tables, code, quotes, notes, links, pictures, embeds, scripts, comments: README rule 11. Text is
    escaped, so that it makes no reference (escaping.py). Ends without a line feed; "" for nothing.
    """
    raise NotImplementedError

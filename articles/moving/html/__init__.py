"""HTML of a body to our Markdown: `to_markdown` is the one door.

The HTML is read by justhtml, which builds the tree that browsers build and knows on which line each tag stands. What a
tree becomes is ours to say: no library writes figures, callouts or notes of our markup, nor tells what it dropped.
"""

from collections.abc import Callable, Mapping

from articles.moving.items import Picture
from articles.moving.page import Page

from .blocks import Writer
from .tree import Where

__all__ = ["Where", "Writer", "to_markdown"]


def to_markdown(
    html: str,
    page: Page,
    where: Where,
    *,
    picture: Callable[[Mapping[str, str]], Picture | None],
    notes: Mapping[str, str] = {},
    elements: Mapping[str, Callable[..., str]] = {},
    breaks_lines: bool = False,
    embeds_addresses: bool = False,
) -> str:
    """Return `html`, a fragment of any quality, as Markdown of ours; what it cannot say is a notice of `page`.

    `where(line of the HTML from 0, what stands there)` gives the place in the source. `picture(attributes of an <img>)`
    gives the picture that it shows; None: its address may not be shown (`unsafe_url`). `notes` are footnotes that the
    source keeps outside of the text: id to HTML. `elements` says what elements of a reader's own become: by name, a
    function of the writer and the element that returns Markdown blocks.

    `breaks_lines`: a line end is a line break and a blank line ends a paragraph, as in WordPress's classic editor.
    `embeds_addresses`: an address alone in its paragraph is a thing embedded.

    Text is escaped, so that it makes no reference (escaping.py). Ends without a line feed; "" for nothing.
    """
    html = html.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    writer = Writer(
        html,
        page,
        where,
        picture=picture,
        notes=notes,
        elements=elements,
        breaks_lines=breaks_lines,
        embeds_addresses=embeds_addresses,
    )
    return writer.document()

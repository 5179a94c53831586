"""What somebody pastes into a body: HTML of Word, of Docs, of a web page, as our Markdown."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from articles.markup import Known, parse
from articles.markup.urls import read_target
from articles.moving.html import to_markdown
from articles.moving.items import Item, Picture, Place
from articles.moving.messages import MESSAGES
from articles.moving.page import Page, Pictured
from articles.moving.tidying import tidy

UNSAID = ("control_character",)
SAID = {**MESSAGES, "unsafe_url": "A link lost its address, which may not be linked; its text stays."}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What did not come along, how often, in words for whoever pasted it."""

    code: str
    count: int
    message: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """`is_inline`: the Markdown is words of one paragraph, which may stand in the middle of a line."""

    markdown: str
    is_inline: bool
    left_out: tuple[LeftOut, ...]


class Clipboard:
    """The run of a page (page.py) that has no site, no other items and no pictures."""

    def target(self, address: str, holder: Item) -> tuple[str, Item | None]:
        read = read_target(address.strip())
        is_ours = not isinstance(read, str) and read.kind in ("web", "mail")
        return (address.strip() if is_ours else ""), None

    def is_within(self, address: str) -> bool:
        return False

    def is_unlinked(self, item: Item) -> bool:
        return False

    def picture(self, picture: Picture) -> tuple[str, Pictured]:
        return "", "refused"


class Numbered(Page):
    """A page whose notes are numbered behind those that the body has already."""

    def __init__(self, notes: int) -> None:
        super().__init__(Clipboard(), Item("", "what was pasted", "draft"))
        self._numbers = notes


def paste(html: str, *, notes: int = 0) -> Pasted:
    """Return a fragment of HTML as Markdown. `notes` is the highest number of a footnote in the body it goes into."""
    tidied, left_out = tidy(html.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""))
    page = Numbered(notes)
    markdown = to_markdown(tidied, page, lambda line, near: Place(line=line + 1, near=near), picture=_no_picture)
    document = parse(markdown, Known())
    is_inline = len(document.blocks) == 1 and document.blocks[0].type == "paragraph" and not document.footnotes
    return Pasted(markdown, is_inline, _told(left_out, page))


def _no_picture(attributes: Mapping[str, str]) -> Picture | None:
    return None


def _told(left_out: Counter[str], page: Page) -> tuple[LeftOut, ...]:
    told = []
    if count := left_out["picture"]:
        what = "A picture was" if count == 1 else f"{count} pictures were"
        told.append(LeftOut("picture_left_out", count, f"{what} left out: drop the file on the text."))
    scripts = Counter({"script_dropped": left_out["script"]}) if left_out["script"] else Counter()
    codes = scripts + Counter(
        notice.code
        for notice in page.notices
        # A link to a place of the page that it was copied from leads nowhere here, and nobody misses it.
        if notice.code not in UNSAID and not (notice.code == "unsafe_url" and notice.dropped.startswith("#"))
    )
    for code, count in codes.items():
        told.append(LeftOut(code, count, SAID[code] + (f" ({count} times)" if count > 1 else "")))
    return tuple(told)

"""The body of a WordPress post as our Markdown: blocks, classic text, raw HTML, shortcodes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from articles.moving import escaping
from articles.moving.html import Writer, to_markdown
from articles.moving.html.tree import Node, attribute, find
from articles.moving.items import Place
from articles.moving.page import Page
from articles.moving.wordpress import gutenberg, shortcodes
from articles.moving.wordpress.attachments import Attachments


@dataclass(frozen=True)
class Body:
    """What a post holds. `line` is that of its first line in the file; `post_id` finds its own attachments."""

    html: str
    line: int
    post_id: str
    notes: Mapping[str, str]
    attachments: Attachments
    reused: Mapping[str, str]

    def write(self, page: Page) -> str:
        """Return the Markdown of the body. Callers: planning, by way of Item.write."""

        def where(line: int, near: str) -> Place:
            return Place(line=self.line + line, near=near)

        def tell(code: str, line: int, near: str, dropped: str) -> None:
            page.warn(code, where(line, near), dropped=dropped)

        def tell_of_shortcode(code: str, found: shortcodes.Found, dropped: str) -> None:
            tell(code, found.line, found.source, dropped)

        is_classic = not gutenberg.has_blocks(self.html)
        html = gutenberg.resolve(self.html, tell, self.reused)
        html = shortcodes.resolve(html, tell_of_shortcode)
        return to_markdown(
            html,
            page,
            where,
            picture=self.attachments.of_image,
            notes=self.notes,
            elements={
                "plenum-caption": _caption,
                "plenum-gallery": self._gallery,
                "plenum-embed": _embed,
                "plenum-block": lambda writer, node: "\n\n".join(writer.blocks(node.children or [])),
            },
            breaks_lines=is_classic,
            embeds_addresses=True,
        )

    def _gallery(self, writer: Writer, node: Node) -> str:
        """Return the figures of a gallery: those that it names, else all that were uploaded to the post."""
        ids = [name.strip() for name in attribute(node, "ids").split(",") if name.strip()]
        place = writer.place_of(node)
        shown = [(self.attachments.by_id.get(name), name) for name in ids]
        if not ids:
            shown = [(found, "") for found in self.attachments.of_post(self.post_id)]
        figures = []
        for picture, name in shown:
            if picture is None:
                writer.page.warn("image_missing", place, dropped=f"attachment {name}")
            else:
                figures.append(writer.page.figure(picture, place, caption=escaping.escape(picture.caption)))
        if not shown:
            writer.page.warn("shortcode_dropped", place, dropped="[gallery]")
        return "\n\n".join(figure for figure in figures if figure)


def _caption(writer: Writer, node: Node) -> str:
    """Return the figure of a captioned picture: the caption is what stands behind it."""
    shown = find(node, "img")
    if shown is None:
        return "\n\n".join(writer.blocks(node.children or []))
    outermost = shown
    while outermost.parent is not node:
        outermost = outermost.parent
    at = next(index for index, child in enumerate(node.children) if child is outermost)
    before, after = node.children[:at], node.children[at + 1 :]
    caption = writer.paragraph([*before, *after])
    return writer.figure_of(shown, caption=caption)


def _embed(writer: Writer, node: Node) -> str:
    return writer.page.embed(attribute(node, "src"), writer.place_of(node))


def notes_of(text: str) -> dict[str, str]:
    """Return the footnotes of a post from its metadata: id to HTML."""
    try:
        read: Any = json.loads(text) if text else []
    except ValueError:
        return {}
    if not isinstance(read, list):
        return {}
    return {
        note["id"]: note["content"]
        for note in read
        if isinstance(note, dict) and isinstance(note.get("id"), str) and isinstance(note.get("content"), str)
    }

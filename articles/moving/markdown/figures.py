"""Pictures out of a line: our markup shows them as figures, which stand alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it.token import Token

from articles.moving.escaping import destination, escape

from .placed import Placed
from .traced import Edit

if TYPE_CHECKING:
    from .prose import Lines


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a line: between which offsets of the text, and what its figure is made of."""

    begin: int
    end: int
    destination: str
    alt: str
    title: str
    leads_to: str = ""


def place_figures(lines: "Lines", inline: Token, pictures: list[Picture], block: Token | None, place: Placed) -> None:
    """Take pictures out of the line: alone in a paragraph they are figures there, else behind it (or before)."""
    pictures.sort(key=lambda picture: picture.begin)
    first, last = place(0), place.behind(len(inline.content))
    at_line = lines.text.rfind("\n", 0, first) + 1
    before = lines.text[at_line:first]
    indent = re.sub(r"[^>\t]", " ", before)
    rest = lines.text[first:last]
    for picture in reversed(pictures):
        rest = rest[: picture.begin - first] + rest[picture.end - first :]
    if block is None and not rest.strip(" \t\n>\\"):
        marks = [lines.pending.block(_write(lines, picture), indent=indent) for picture in pictures]
        written = "".join(marks)
        if before.strip(" \t>"):
            # It begins an item of a list, which may not begin with blank lines.
            written = written.lstrip(" \t\n>")
        # Nothing else may be edited in what goes.
        lines.edits = [edit for edit in lines.edits if edit.end <= first or edit.begin >= last]
        lines.edits.append(Edit(first, last, written))
        return
    if block is not None:
        assert block.map is not None
        behind = lines.starts[block.map[1]] if block.map[1] < len(lines.starts) else len(lines.text)
        indent = re.sub(r"[^>\t]", " ", lines.text[lines.text.rfind("\n", 0, block.meta["at"]) + 1 : block.meta["at"]])
    else:
        behind = last
    for picture in pictures:
        mark = lines.pending.block(_write(lines, picture), indent=indent)
        begin, end = picture.begin, picture.end
        line_at, line_end = lines.text.rfind("\n", 0, begin) + 1, lines.text.find("\n", end)
        alone = not lines.text[line_at:begin].strip(" \t>") and not lines.text[end : max(line_end, end)].strip(" \t\\")
        if alone and begin > first:
            begin = line_at - 1
            end = line_end if line_end >= 0 else end
        elif alone and line_end >= 0:
            begin, end = line_at, line_end + 1
        elif not alone and lines.text[begin - 1 : begin] in (" ", "") and lines.text[end : end + 1] == " ":
            end += 1
        is_first = block is None and not lines.text[first : picture.begin].strip()
        lines.edits.append(Edit(begin, end, mark.lstrip("\n") + indent if is_first and not before.strip() else ""))
        if not is_first or before.strip():
            lines.edits.append(Edit(behind, behind, mark))


def _write(lines: "Lines", picture: Picture) -> Callable[[], str]:
    line, near = lines.line_and_near(picture.begin, picture.end)
    body = lines.body

    def write() -> str:
        caption = escape(picture.title) if picture.title else ""
        if picture.leads_to and not _is_file(picture.leads_to):
            target = body.page.link(body.address(picture.leads_to), body.where(line, near))
            if target:
                caption = f"[{caption or escape(picture.alt or target)}]({destination(target)})"
        return body.figure(picture.destination, line, near, alt=picture.alt, caption=caption)

    return write


def _is_file(address: str) -> bool:
    return re.search(r"\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#].*)?$", address, re.IGNORECASE) is not None

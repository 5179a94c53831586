"""The block comments of WordPress's editor, as HTML that the rest reads. No line end is added or lost.

`<!-- wp:name {"json": 1} -->…<!-- /wp:name -->` encloses what the block saved, which is HTML and stays; blocks without
content, `<!-- wp:name /-->`, are made anew by the site each time, and have nothing to take.
"""

import html as entities
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

OPENING = re.compile(r"<!--\s+wp:(core-embed/[\w-]+|embed)\s+(\{.*?\})\s*(/?)-->", re.DOTALL)
ALONE = re.compile(r"<!--\s+wp:([a-z][\w/-]*)\s+(\{.*?\}\s+)?/-->", re.DOTALL)
PAGE_BREAK = re.compile(r"<!--\s*nextpage\s*-->", re.IGNORECASE)
# What is empty on purpose, or is written elsewhere.
SILENT = ("footnotes", "spacer", "separator", "more", "nextpage", "navigation-link")

Warn = Callable[[str, int, str, str], None]
"""Code, line from 0, what stands there, what is lost."""


def has_blocks(text: str) -> bool:
    return "<!-- wp:" in text


def resolve(text: str, warn: Warn, reused: Mapping[str, str]) -> str:
    """Return `text` with what blocks only say in their comments. `reused` has the blocks that posts share, by id."""
    for found in PAGE_BREAK.finditer(text):
        warn("page_break_dropped", text.count("\n", 0, found.start()), found.group(), found.group())
    return ALONE.sub(lambda found: _alone(text, found, warn, reused), _embeds(text))


def _embeds(text: str) -> str:
    """Return `text` with blocks that embed an address as one element each, and their captions behind it."""
    parts, at = [], 0
    for opening in OPENING.finditer(text):
        if opening.start() < at:
            continue
        address = _attributes(opening[2]).get("url")
        closing = f"<!-- /wp:{opening[1]} -->"
        end = text.find(closing, opening.end())
        if not isinstance(address, str) or not address or (end < 0 and not opening[3]):
            continue
        stop = opening.end() if opening[3] else end + len(closing)
        inner = text[opening.end() : stop]
        caption = re.search(r"<figcaption[^>]*>(.*?)</figcaption>", inner, re.DOTALL)
        # The note of where it stands is the comment's: the address may be anywhere below it.
        parts.append(text[at : opening.start()])
        parts.append(f'<plenum-embed src="{entities.escape(address)}" data-near="{entities.escape(opening.group())}">')
        parts.append("</plenum-embed>")
        parts.append("\n" * text.count("\n", opening.start(), stop))
        if caption and caption[1].strip():
            parts[-1] = f"\n<p>{' '.join(caption[1].split())}</p>" + parts[-1][1:]
        at = stop
    parts.append(text[at:])
    return "".join(parts)


def _alone(text: str, found: re.Match[str], warn: Warn, reused: Mapping[str, str]) -> str:
    name = found[1]
    lines = "\n" * found.group().count("\n")
    if name in SILENT:
        return lines
    if name == "block":
        shared = reused.get(str(_attributes(found[2] or "").get("ref", "")))
        if shared is not None:
            # On one line: the lines below must keep their numbers.
            return f"<plenum-block>{_joined(shared)}</plenum-block>{lines}"
    warn("html_dropped", text.count("\n", 0, found.start()), found.group(), found.group())
    return lines


def _joined(html: str) -> str:
    """Return HTML on one line; line ends in preformatted text become references to them."""
    html = re.sub(
        r"<pre\b.*?</pre\s*>", lambda found: found.group().replace("\n", "&#10;"), html, flags=re.DOTALL | re.IGNORECASE
    )
    return html.replace("\n", " ")


def _attributes(text: str) -> Mapping[str, Any]:
    try:
        read = json.loads(text or "{}")
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}

"""Shortcodes of WordPress, `[name key="value"]…[/name]`, as HTML that the rest reads. No line end is added or lost.

https://developer.wordpress.org/apis/shortcode/ has the grammar.
"""

import html as entities
import re
from collections.abc import Callable
from dataclasses import dataclass

SHORTCODE = re.compile(r"\[(\[?)(/?)([A-Za-z0-9_-]+)(?=[\s/\]])([^\[\]]*?)(/?)\](\]?)")
ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s'\"]+))|\"([^\"]*)\"|'([^']*)'|(\S+)")
# What no shortcode is looked for in: tags, comments, and text that is shown as it is.
LEFT_ALONE = re.compile(
    r"<!--.*?-->|<(pre|code|script|style|textarea)\b[^>]*>.*?</\1\s*>|</?[A-Za-z][^<>]*>", re.DOTALL | re.IGNORECASE
)
VERBATIM = ("code", "sourcecode", "source", "highlight_code", "pre")
KNOWN = ("caption", "wp_caption", "gallery", "embed", "audio", "video", "playlist", *VERBATIM)
LANGUAGES = ("language", "lang", "syntax")


@dataclass(frozen=True)
class Found:
    """A shortcode that stands in the text. `line` counts from 0; `source` is its opening tag."""

    name: str
    attributes: dict[str, str]
    source: str
    line: int


def resolve(text: str, warn: Callable[[str, Found, str], None]) -> str:
    """Return `text` with each shortcode as HTML, its body, or nothing. `warn(code, shortcode, what is lost)` is told.

    `[word]` without attributes and without an end is text, unless WordPress itself has it.
    """
    tags = _tags(text)
    ends = _pair(tags)
    parts: list[str] = []
    at = 0
    closing = set(ends.values())
    for index, tag in enumerate(tags):
        if tag.start() < at:
            continue
        parts.append(text[at : tag.start()])
        end = ends.get(index)
        replaced, at = _replace(text, tag, tags[end] if end is not None else None, warn, is_end=index in closing)
        parts.append(replaced)
    parts.append(text[at:])
    return "".join(parts)


def _tags(text: str) -> list[re.Match[str]]:
    """Return what looks like a shortcode, outside of tags and code."""
    tags: list[re.Match[str]] = []
    at = 0
    for alone in LEFT_ALONE.finditer(text):
        tags += SHORTCODE.finditer(text, at, alone.start())
        at = alone.end()
    tags += SHORTCODE.finditer(text, at)
    return tags


def _pair(tags: list[re.Match[str]]) -> dict[int, int]:
    """Return for each opening tag that has an end the index of that: the nearest that is not another's."""
    ends: dict[int, int] = {}
    open_at: dict[str, list[int]] = {}
    for index, tag in enumerate(tags):
        if tag[1] and tag[6]:
            continue
        if not tag[2]:
            if not tag[5]:
                open_at.setdefault(tag[3], []).append(index)
        elif open_at.get(tag[3]):
            ends[open_at[tag[3]].pop()] = index
    return ends


def _replace(
    text: str,
    tag: re.Match[str],
    end: re.Match[str] | None,
    warn: Callable[[str, Found, str], None],
    *,
    is_end: bool,
) -> tuple[str, int]:
    """Return what stands for a shortcode, and up to where the text is used up by it."""
    if tag[1] and tag[6]:
        # [[name]] is how one writes about shortcodes.
        return tag.group()[1:-1], tag.end()
    before, after = tag[1], tag[6]
    if tag[2]:
        return ("" if is_end else tag.group()), tag.end()
    attributes = read_attributes(tag[4])
    has_names = any(not key.isdigit() for key in attributes)
    name = tag[3].lower()
    if end is None and not has_names and not tag[5] and name not in ("gallery", "playlist"):
        return tag.group(), tag.end()
    found = Found(name, attributes, tag.group(), text.count("\n", 0, tag.start()))
    body = text[tag.end() : end.start()] if end is not None else ""
    if name in KNOWN:
        whole = text[tag.start() : end.end()] if end is not None else tag.group()
        made = _known(found, body, whole, warn, verbatim=end is not None)
        if made is not None:
            return before + made + after, (end or tag).end()
    if end is None:
        warn("shortcode_dropped", found, tag.group())
        return before + "\n" * tag.group().count("\n") + after, tag.end()
    warn("shortcode_unwrapped", found, tag.group())
    return before + "\n" * tag.group().count("\n") + after, tag.end()


def _known(
    found: Found, body: str, whole: str, warn: Callable[[str, Found, str], None], *, verbatim: bool
) -> str | None:
    """Return the HTML of a shortcode that WordPress or its usual plugins have; None where it is to be unwrapped."""
    name, attributes = found.name, found.attributes
    lines = "\n" * whole.count("\n")
    near = f' data-near="{entities.escape(" ".join(found.source.split()))}"'
    if name in ("caption", "wp_caption") and verbatim:
        caption = entities.escape(attributes.get("caption", ""))
        return f"<plenum-caption{near}>{resolve(body, warn)}{caption}</plenum-caption>{lines[body.count(chr(10)) :]}"
    if name == "gallery":
        return f'<plenum-gallery{near} ids="{entities.escape(attributes.get("ids", ""))}">{lines}</plenum-gallery>'
    if name in ("embed", "audio", "video") and (address := _address(attributes, body)):
        return f'<plenum-embed{near} src="{entities.escape(address)}">{lines}</plenum-embed>'
    if name in VERBATIM and verbatim:
        language = next((attributes[key] for key in LANGUAGES if key in attributes), attributes.get("0", ""))
        return f'<pre class="language-{entities.escape(language)}">{entities.escape(entities.unescape(body))}</pre>'
    return None


def _address(attributes: dict[str, str], body: str) -> str:
    named = next(
        (
            attributes[key]
            for key in ("src", "mp4", "m4v", "webm", "ogv", "mp3", "m4a", "ogg", "wav")
            if key in attributes
        ),
        "",
    )
    return named or re.sub(r"<[^>]*>", "", body).strip()


def read_attributes(text: str) -> dict[str, str]:
    """Return the attributes of a shortcode; those without a name have their number for one."""
    attributes: dict[str, str] = {}
    for found in ATTRIBUTE.finditer(entities.unescape(text)):
        if found[1]:
            attributes[found[1].lower()] = found[2] or found[3] or found[4] or ""
        else:
            attributes[str(sum(key.isdigit() for key in attributes))] = found[5] or found[6] or found[7] or ""
    return attributes

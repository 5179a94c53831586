"""Liquid, as Jekyll reads it before it reads Markdown, and the attribute lists of kramdown."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from articles.moving.escaping import code_block, escape
from articles.moving.markdown.body import Body
from articles.moving.markdown.pending import Pending, callout
from articles.moving.markdown.regions import Layout
from articles.moving.markdown.traced import Edit

from .callouts import KINDS
from .shortcodes import EMBEDS, _indent, _quoted, unindented

RAW = re.compile(r"\{%-?\s*raw\s*-?%\}(.*?)\{%-?\s*endraw\s*-?%\}", re.DOTALL)
BLOCK = re.compile(
    r"\{%-?\s*(?P<name>highlight|comment)\b(?P<rest>[^%]*)%\}(?P<inner>.*?)\{%-?\s*end(?P=name)\s*-?%\}", re.DOTALL
)
TAG = re.compile(r"\{%-?\s*(\w+)\s*((?:(?!\{%|%\}).)*?)\s*-?%\}|\{\{-?\s*((?:(?!\{\{|\}\}).)*?)\s*-?\}\}", re.DOTALL)
END = re.compile(r"\{%-?\s*end(\w+)\s*-?%\}")
ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|(\S+))")
TEXT = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([\w.-]+))\s*")
# {: .class #id key="value" }, behind what it is about or in a line of its own; {:toc} stands below a list.
LIST = re.compile(r"^[ \t]*\{:\s*([^{}]*)\}[ \t]*\n?|\{:\s*([^{}]*)\}", re.MULTILINE)
TOC = re.compile(
    r"^[ \t]*(?:[-*+]|\d+\.)[ \t]+.*\n[ \t]*\{:[^{}]*\btoc\b[^{}]*\}[ \t]*\n?", re.MULTILINE | re.IGNORECASE
)
HEADING_BEFORE = re.compile(r"(#{1,6} [^\n]*?)[ \t]*\n\Z")
ID = re.compile(r"#([^\s{}#]+)")


def liquid(
    text: str,
    layout: Layout,
    body: Body,
    pending: Pending,
    *,
    refer: Callable[[str, str], str],
    value: Callable[[str], str | None],
) -> Iterator[Edit]:
    """Yield the edits that make Markdown of Liquid.

    `refer(tag, name)` returns the address that `post_url` or `link` gives; `value("site.baseurl")` what a variable
    holds, or None where only the build would know.
    """
    done = bytearray(len(text))
    ends = list(END.finditer(text))
    ending = {found[1].lower(): found.start() for found in ends}

    def is_done(at: int) -> bool:
        return done[at] != 0

    last = ends[-1].end() if ends else 0
    for found in RAW.finditer(text, 0, last):
        done[found.start() : found.end()] = b"x" * (found.end() - found.start())
        in_code = layout.code.holds(found.start())
        opening, closing = found.start(1), found.end(1)
        if in_code:
            yield Edit(found.start(), opening, "")
            yield Edit(closing, found.end(), "")
        elif fence := _fence_in(text, found):
            yield from fence
        else:
            yield Edit(found.start(), found.end(), "\n".join(_literal(line) for line in found[1].split("\n")))
    for found in BLOCK.finditer(text, 0, last):
        if is_done(found.start()) or layout.code.holds(found.start()):
            continue
        done[found.start() : found.end()] = b"x" * (found.end() - found.start())
        if found["name"] == "comment":
            yield Edit(found.start(), found.end(), "")
            continue
        language = found["rest"].split()
        indent = _indent(text, found.start())
        inner = unindented(RAW.sub(lambda raw: raw[1], found["inner"]), indent)
        code = code_block(inner, language[0] if language else "")
        yield Edit(found.start(), found.end(), pending.block(partial(str, code), indent=indent))
    for found in TAG.finditer(text):
        if is_done(found.start()) or layout.code.holds(found.start()):
            continue
        if found[1]:
            is_open = ending.get(found[1].lower(), -1) > found.start()
            yield from _tag(found, text, body, pending, refer, is_open)
        else:
            shown = _evaluate(found[3], value)
            if shown is None:
                place = body.where(text.count("\n", 0, found.start()), found[0])
                body.page.warn("shortcode_dropped", place, dropped=found[0])
            yield Edit(found.start(), found.end(), shown or "")
    yield from _attribute_lists(text, layout)


def _literal(line: str) -> str:
    """Return what stood in `raw`: Markdown is read in it, our markup is not."""
    return re.sub(r"\{(?=\{)", r"\\{", line)


def _fence_in(text: str, found: re.Match[str]) -> list[Edit]:
    """Return edits that take the tags of `raw` away from around a block of code, which is code then; or nothing."""
    if not re.match(r"\s*(?:```|~~~)", found[1]):
        return []
    return [Edit(found.start(), found.start(1), ""), Edit(found.end(1), found.end(), "")]


def _tag(
    found: re.Match[str], text: str, body: Body, pending: Pending, refer: Callable[[str, str], str], is_open: bool
) -> Iterator[Edit]:
    name, rest = found[1].lower(), found[2]
    line = text.count("\n", 0, found.start())
    place = body.where(line, found[0])
    indent = _indent(text, found.start())
    values = {key.lower(): a or b or c for key, a, b, c in ATTRIBUTE.findall(rest)}
    plain = [a or b or c for a, b, c in TEXT.findall(ATTRIBUTE.sub("", rest))]
    picture = (
        values.get("src") or values.get("image_path") or values.get("url") or values.get("image") or values.get("file")
    )
    if name in ("post_url", "link"):
        yield Edit(found.start(), found.end(), _quoted(refer(name, rest.strip().strip("\"'"))))
    elif name in ("include", "include_relative") and picture and re.search("fig|im(?:g|age)|pic", rest.split()[0]):
        caption = values.get("caption", "")
        write = lambda: body.figure(picture, line, found[0], alt=values.get("alt", "") or caption, caption=caption)  # noqa: E731
        yield Edit(found.start(), found.end(), pending.block(write, indent=indent))
    elif name in ("include", "include_relative") and (
        kind := KINDS.get(rest.split()[0].rpartition("/")[2].partition(".")[0])
    ):
        words = values.get("content") or values.get("text") or ""
        opening = pending.opening(callout(kind, values.get("title", "")), indent=indent)
        yield Edit(found.start(), found.end(), f"{opening}{indent}{words}{pending.closing(indent=indent)}")
    elif name in EMBEDS and plain:
        address = EMBEDS[name](plain[0].split("/") if name == "gist" else plain)
        yield Edit(found.start(), found.end(), pending.block(lambda: body.page.embed(address, place), indent=indent))
    elif name.startswith("end") or name in ("else", "elsif", "when", "break", "continue"):
        yield Edit(found.start(), found.end(), "")
    else:
        body.page.warn("shortcode_unwrapped" if is_open else "shortcode_dropped", place, dropped=found[0])
        yield Edit(found.start(), found.end(), "")


def _evaluate(expression: str, value: Callable[[str], str | None]) -> str | None:
    """Return what `{{ expression }}` writes, of the filters about addresses; None where it is not known here."""
    head, *filters = (part.strip() for part in expression.split("|"))
    shown = _operand(head, value)
    for one in filters:
        name, _, argument = (part.strip() for part in one.partition(":"))
        other = _operand(argument, value) if argument else ""
        if shown is None or other is None:
            return None
        match name:
            case "relative_url":
                shown = f"{value('site.baseurl') or ''}/{shown.lstrip('/')}"
            case "absolute_url":
                shown = f"{value('site.url') or ''}{value('site.baseurl') or ''}/{shown.lstrip('/')}"
            case "prepend":
                shown = other + shown
            case "append":
                shown = shown + other
            case "escape" | "strip" | "escape_once" | "xml_escape":
                pass
            case _:
                return None
    return shown if shown is None or head[:1] in "\"'" or head.startswith("site.") else escape(shown)


def _operand(written: str, value: Callable[[str], str | None]) -> str | None:
    if len(written) > 1 and written[0] in "\"'" and written[-1] == written[0]:
        return written[1:-1]
    return value(written)


def _attribute_lists(text: str, layout: Layout) -> Iterator[Edit]:
    for found in TOC.finditer(text):
        if not layout.code.holds(found.start()):
            yield Edit(found.start(), found.end(), "")
    for found in LIST.finditer(text):
        if layout.code.holds(found.start()):
            continue
        named = ID.search(found[1] or found[2] or "")
        begin = found.start()
        previous = text.rfind("\n", 0, max(0, begin - 1)) + 1
        before = HEADING_BEFORE.match(text, previous, begin)
        if named and before and found[1] is not None:
            at = before.end(1)
            yield Edit(at, found.end(), f" {{#{named[1]}}}\n")
            continue
        line = text[text.rfind("\n", 0, begin) + 1 : begin]
        if named and line.lstrip().startswith("#"):
            yield Edit(begin, found.end(), f"{{#{named[1]}}}")
        else:
            yield Edit(begin, found.end(), "")

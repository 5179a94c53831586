"""The shortcodes of Hugo: `{{< name … >}}` and `{{% name … %}}`, with or without a body."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from articles.moving.escaping import code_block, escape, link
from articles.moving.items import Place
from articles.moving.markdown.body import Body
from articles.moving.markdown.pending import Pending, callout
from articles.moving.markdown.regions import Layout
from articles.moving.markdown.traced import Edit

from .callouts import KINDS

LONGEST_TAG = 4000
"""Characters: a longer one is text. Looking for an end that never comes takes time for each beginning."""
OPENING = re.compile(r"\{\{([<%])")
COMMENT = re.compile(r"\s*/\*(.*)\*/\s*", re.DOTALL)
ARGUMENT = re.compile(r"(?:([\w.-]+)\s*=\s*)?(?:\"((?:\\.|[^\"\\])*)\"|`([^`]*)`|([^\s\"`]+))")
EMBEDS: dict[str, Callable[[Sequence[str]], str]] = {
    "youtube": lambda ids: f"https://www.youtube.com/watch?v={ids[0]}",
    "vimeo": lambda ids: f"https://vimeo.com/{ids[0]}",
    "gist": lambda ids: f"https://gist.github.com/{'/'.join(ids[:2])}",
    "tweet": lambda ids: (
        f"https://x.com/{'/status/'.join(ids[:2])}" if len(ids) > 1 else f"https://x.com/i/status/{ids[0]}"
    ),
    "x": lambda ids: (
        f"https://x.com/{'/status/'.join(ids[:2])}" if len(ids) > 1 else f"https://x.com/i/status/{ids[0]}"
    ),
    "instagram": lambda ids: f"https://www.instagram.com/p/{ids[0]}/",
}
PICTURES = ("figure", "img", "image", "picture", "imgproc")
MEDIA = ("video", "audio", "iframe", "embed")
TOGGLES = ("details", "expand", "collapse", "spoiler", "toggle", "accordion")
LITERAL = ("highlight", "code", "codeblock", "mermaid")


@dataclass(slots=True)
class Shortcode:
    """`begin` and `end` are those of the opening tag; `close` is the closing one, if there is any."""

    name: str
    begin: int
    end: int
    arguments: list[str] = field(default_factory=list)
    named: dict[str, str] = field(default_factory=dict)
    close: tuple[int, int] | None = None

    def get(self, *names: str) -> str:
        return next((self.named[name] for name in names if self.named.get(name)), "")

    def argument(self, index: int, *names: str) -> str:
        """Return the argument with one of `names`, or the one at `index`."""
        return self.get(*names) or (self.arguments[index] if index < len(self.arguments) else "")


def shortcodes(
    text: str, layout: Layout, body: Body, pending: Pending, *, refer: Callable[[str], str]
) -> Iterator[Edit]:
    """Yield the edits that make Markdown of shortcodes. `refer` returns the address of what `ref` names.

    In code only the comment signs are taken out of `{{</* … */>}}`: what is shown there is what was meant.
    """
    found_tags: list[Shortcode] = []
    open_tags: list[Shortcode] = []
    for begin, end in _tags(text):
        inner = text[begin + 3 : end - 3]
        if comment := COMMENT.fullmatch(inner):
            shown = f"{text[begin : begin + 3]}{comment[1]}{text[end - 3 : end]}"
            yield Edit(begin, end, shown if layout.code.holds(begin) else escape(shown))
            continue
        if layout.code.holds(begin):
            continue
        inner = inner.strip()
        if inner.startswith("/"):
            name = inner[1:].strip()
            index = next((n for n in range(len(open_tags) - 1, -1, -1) if open_tags[n].name == name), None)
            if index is None:
                yield Edit(begin, end, "")
            else:
                open_tags[index].close = (begin, end)
                del open_tags[index:]
            continue
        closes_itself = inner.endswith("/")
        name, _, rest = inner.removesuffix("/").strip().partition(" ")
        tag = Shortcode(name.split("\n")[0], begin, end)
        for argument in ARGUMENT.finditer(rest):
            value = next(part for part in argument.groups()[1:] if part is not None).replace('\\"', '"')
            if argument[1]:
                tag.named[argument[1].lower()] = value
            else:
                tag.arguments.append(value)
        found_tags.append(tag)
        if not closes_itself:
            open_tags.append(tag)
    skipped_until = 0
    for tag in found_tags:
        if tag.begin < skipped_until:
            continue
        for edit in _edits(tag, text, body, pending, refer):
            skipped_until = max(skipped_until, edit.end if edit.end > tag.end + 1 and edit.begin == tag.begin else 0)
            yield edit


def _tags(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the tags begin and end. An end within quotes is none."""
    at = 0
    while found := OPENING.search(text, at):
        closing = ">}}" if found[1] == "<" else "%}}"
        limit = found.end() + LONGEST_TAG
        end = text.find(closing, found.end(), limit)
        while end >= 0 and _is_in_quotes(text, found.end(), end):
            end = text.find(closing, end + 1, limit)
        if end >= 0:
            yield found.start(), end + 3
        at = end + 3 if end >= 0 else found.end()


def _is_in_quotes(text: str, begin: int, end: int) -> bool:
    inner = text[begin:end].replace('\\"', "")
    return inner.count('"') % 2 == 1 or inner.count("`") % 2 == 1


def _edits(tag: Shortcode, text: str, body: Body, pending: Pending, refer: Callable[[str], str]) -> Iterator[Edit]:
    line = text.count("\n", 0, tag.begin)
    written = text[tag.begin : tag.end]
    place = body.where(line, written)
    name = tag.name.lower().rpartition("/")[2].removesuffix(".html")
    indent = _indent(text, tag.begin)
    whole = text[tag.end : tag.close[0]] if tag.close else ""
    end = tag.close[1] if tag.close else tag.end
    if name in ("ref", "relref"):
        yield Edit(tag.begin, end, _quoted(refer(tag.argument(0, "path"))))
    elif name in PICTURES and tag.argument(0, "src", "url", "path"):
        yield Edit(tag.begin, end, pending.block(lambda: _figure(tag, whole, body, line, written), indent=indent))
    elif name in EMBEDS and (tag.arguments or tag.named):
        parts = tag.arguments or [part for key in ("user", "id") if (part := tag.get(key))] or list(tag.named.values())
        address = EMBEDS[name](parts)
        yield Edit(tag.begin, end, pending.block(lambda: body.page.embed(address, place), indent=indent))
    elif name in MEDIA and tag.argument(0, "src", "url"):
        address = body.address(tag.argument(0, "src", "url"))
        yield Edit(tag.begin, end, pending.block(lambda: body.page.embed(address, place), indent=indent))
    elif name in LITERAL and tag.close:
        language = "mermaid" if name == "mermaid" else tag.argument(0, "lang", "language")
        code = code_block(unindented(whole, indent), language)
        yield Edit(tag.begin, end, pending.block(lambda: code, indent=indent))
    elif name == "comment":
        yield Edit(tag.begin, end, "")
    elif name in KINDS:
        yield from _callout(tag, name, indent, body, pending, place, written)
    elif name in TOGGLES and tag.close:
        title = tag.argument(0, "summary", "title", "header")
        heading = f"\n\n{indent}### {escape(title)}\n\n{indent}" if title else "\n\n"
        yield Edit(tag.begin, tag.end, heading)
        yield Edit(*tag.close, "\n\n")
    elif tag.close:
        body.page.warn("shortcode_unwrapped", place, dropped=written)
        yield Edit(tag.begin, tag.end, "")
        yield Edit(*tag.close, "")
    else:
        body.page.warn("shortcode_dropped", place, dropped=written)
        yield Edit(tag.begin, tag.end, "")


def _callout(
    tag: Shortcode, name: str, indent: str, body: Body, pending: Pending, place: Place, written: str
) -> Iterator[Edit]:
    kind, arguments = KINDS[name], list(tag.arguments)
    said = tag.get("type", "kind", "level", "color", "style", "context", "icon").lower()
    if said in KINDS:
        kind = KINDS[said]
    elif arguments and arguments[0].lower() in KINDS:
        kind = KINDS[arguments.pop(0).lower()]
    title = tag.get("title", "header") or (arguments[0] if arguments and tag.close else "")
    if tag.close:
        yield Edit(tag.begin, tag.end, pending.opening(callout(kind, title), indent=indent))
        yield Edit(*tag.close, pending.closing(indent=indent))
        return
    words = tag.get("text", "content", "body") or (arguments[0] if arguments else "")
    if not words:
        body.page.warn("shortcode_dropped", place, dropped=written)
        yield Edit(tag.begin, tag.end, "")
        return
    opening, closing = pending.opening(callout(kind, title), indent=indent), pending.closing(indent=indent)
    yield Edit(tag.begin, tag.end, f"{opening}{indent}{words}{closing}")


def _figure(tag: Shortcode, inner: str, body: Body, line: int, written: str) -> str:
    title, caption = tag.get("title"), tag.get("caption") or inner.strip()
    words = " ".join(part for part in (f"**{escape(title)}**" if title else "", caption) if part)
    leads_to = tag.get("link")
    if leads_to and not leads_to.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif")):
        target = body.page.link(body.address(leads_to), body.where(line, written))
        words = link(words or escape(tag.get("alt") or leads_to), target) if target else words
    return body.figure(
        tag.argument(0, "src", "url", "path"),
        line,
        written,
        # Hugo's own template falls back to the caption too.
        alt=tag.argument(1, "alt") or re.sub(r"[*_`]", "", tag.get("caption")),
        caption=" ".join(words.split()),
        credit=tag.get("attr", "credit"),
    )


def _indent(text: str, at: int) -> str:
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return (
        before
        if not before.strip(" \t>")
        else re.sub(r"[^>\t]", " ", before)
        if re.match(r"\s*([-+*]|\d+[.)])\s+$", before)
        else ""
    )


def unindented(code: str, indent: str) -> str:
    """Return lines of code without the blanks that a list item sets before each."""
    lines = code.rstrip().split("\n")
    if indent.strip() or not all(line.startswith(indent) for line in lines if line.strip() and line != lines[0]):
        return "\n".join(lines)
    return "\n".join(line.removeprefix(indent) for line in lines)


def _quoted(address: str) -> str:
    return re.sub(r"[\s()<>\"]", lambda found: f"%{ord(found[0]):02X}", address)

"""What MDX adds to Markdown: imports and exports, components, and expressions in braces."""

import re
from collections.abc import Iterator

from articles.moving.escaping import destination, escape
from articles.moving.markdown.body import Body
from articles.moving.markdown.raw_html import TAG
from articles.moving.markdown.regions import Layout
from articles.moving.markdown.traced import Edit

# A statement ends with the blank line behind it.
STATEMENT = re.compile(r"(?:\A|(?<=\n))(?:import|export)\s(?:[^\n]|\n(?!\s*\n))*\n?")
IMPORTED = re.compile(r"import\s+(\w+)\s+from\s+[\"']([^\"']+)[\"']")
COMMENT = re.compile(r"\{\s*/\*.*?\*/\s*\}", re.DOTALL)
EXPRESSION = re.compile(r"\\.|\{(?!#|\{)(?:[^{}]|\{[^{}]*\})*\}", re.DOTALL)
LITERAL = re.compile(r"\{\s*(?:\"([^\"]*)\"|'([^']*)'|`([^`$]*)`)\s*\}")
ATTRIBUTE = re.compile(r"([A-Za-z_][\w:-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|\{((?:[^{}]|\{[^{}]*\})*)\}))?")
# What stands before a brace in a formula: x_{1}, \frac{1}{2}.
FORMULA = re.compile(r"(?:[_^]|\\[A-Za-z]+(?:\{[^{}]*\})*)\Z")
REQUIRED = re.compile(r"(?:require\(\s*)?[\"'`]([^\"'`]+)[\"'`]")
WRAPPERS = ("div", "span", "section", "article", "center", "p", "aside", "main", "header", "footer", "nav")


def mdx(text: str, layout: Layout, body: Body) -> Iterator[Edit]:
    """Yield the edits that leave Markdown. What only the build would know is dropped, with a notice."""
    done = Seen(len(text))
    imported: dict[str, str] = {}
    for found in STATEMENT.finditer(text):
        if not layout.code.holds(found.start()):
            imported.update(IMPORTED.findall(found[0]))
            yield done.take(found)
    for found in COMMENT.finditer(text):
        if not layout.code.holds(found.start()):
            yield done.take(found)
    for found in TAG.finditer(text):
        if layout.code.holds(found.start()) or found.start() in done:
            continue
        edit = _tag(found, text, body, imported)
        if edit is not None:
            done.take(found)
            yield edit
    for found in EXPRESSION.finditer(text):
        if found[0][0] == "\\" or layout.code.holds(found.start()) or found.start() in done:
            continue
        if FORMULA.search(text[max(0, found.start() - 40) : found.start()]):
            continue
        if literal := LITERAL.fullmatch(found[0]):
            yield Edit(found.start(), found.end(), escape(next(part for part in literal.groups() if part is not None)))
            continue
        place = body.where(text.count("\n", 0, found.start()), found[0])
        body.page.warn("html_dropped", place, dropped=found[0])
        yield Edit(found.start(), found.end(), "")


class Seen:
    """What of a text was dealt with."""

    def __init__(self, length: int) -> None:
        self._marks = bytearray(length)

    def take(self, found: re.Match[str]) -> Edit:
        """Mark what was found, and return the edit that drops it."""
        self._marks[found.start() : found.end()] = b"x" * (found.end() - found.start())
        return Edit(found.start(), found.end(), "")

    def __contains__(self, at: int) -> bool:
        return self._marks[at] != 0


def _tag(found: re.Match[str], text: str, body: Body, imported: dict[str, str]) -> Edit | None:
    """Return the edit for a tag, or None for one that is ordinary HTML."""
    closes, written = bool(found[1]), found[2]
    name = written.lower()
    values = {key.lower(): a or b or _value(code, imported) for key, a, b, code in ATTRIBUTE.findall(found[3])}
    if name in ("img", "image", "picture") and values.get("src") and not closes:
        alt = escape(values.get("alt", ""))
        return Edit(found.start(), found.end(), f"![{alt}]({destination(values['src'])})")
    if written == name and "." not in name and name not in ("details", "summary", *WRAPPERS):
        if "{" in found[3]:
            kept = "".join(
                f' {key}="{value}"' for key, value in values.items() if value and key in ("href", "src", "alt")
            )
            return Edit(found.start(), found.end(), f"<{found[1]}{written}{kept}{found[4]}>")
        return None
    if name == "summary":
        is_last = text.startswith("\n", found.end())
        return Edit(found.start(), found.end(), "**" if not closes or is_last else "**\n\n")
    if closes or name in WRAPPERS:
        return Edit(found.start(), found.end(), "")
    tag = " ".join(found[0].split())
    body.page.warn("html_dropped", body.where(text.count("\n", 0, found.start()), tag), dropped=found[0])
    return Edit(found.start(), found.end(), "")


def _value(code: str, imported: dict[str, str]) -> str:
    code = code.strip()
    if found := REQUIRED.match(code):
        return found[1]
    return imported.get(code.removesuffix(".src").removesuffix(".default"), "")

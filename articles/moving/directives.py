"""Our directives, written. What they may hold is that of articles/markup/directives.py."""

import re

SPACES = re.compile(r"\s+")
FENCE = re.compile(r"^ {0,3}(:{3,})", re.MULTILINE)


def figure(name: str, *, alt: str, caption: str = "", credit: str = "") -> str:
    """Return a figure of the picture called `name` in the library. `caption` is Markdown, the others are text."""
    return directive("figure", caption, src=name, alt=alt or None, credit=credit or None)


def callout(text: str, *, kind: str = "note", title: str = "") -> str:
    """Return a callout around `text`, which is Markdown. `kind`: note, tip, info, warning or danger."""
    return directive("callout", text, kind=kind, title=title or None)


def quote(text: str, *, by: str = "", source: str = "") -> str:
    """Return words with their speaker. `source` counts only as an https address."""
    return directive("quote", text, by=by or None, source=source if source.startswith("https://") else None)


def directive(name: str, body: str = "", **attributes: str | None) -> str:
    """Return the directive; its fence has more colons than any in `body`. Attributes that are None are left out."""
    longest = max((len(found[1]) for found in FENCE.finditer(body)), default=2)
    fence = ":" * max(3, longest + 1)
    written = "".join(f" {key}={quoted(value)}" for key, value in attributes.items() if value is not None)
    inside = f"{body.strip(chr(10))}\n" if body.strip() else ""
    return f"{fence} {name}{written}\n{inside}{fence}"


def quoted(value: str) -> str:
    """Return a value of an attribute, in quotes where it needs them. Attributes hold no quantities and no line ends."""
    value = SPACES.sub(" ", value).strip().replace("{{", "{ {")
    if re.fullmatch(r"[\w.:/#-]+", value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

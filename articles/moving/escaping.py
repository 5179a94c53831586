"""Plain text as Markdown that reads as exactly this text: nothing in it becomes markup, a reference or HTML."""

import re
from urllib.parse import quote

# What may begin something inside a line. A brace only where it is doubled, & only where it begins an entity.
INLINE = re.compile(r"[\\`*_\[\]<]|\{(?=\{)|&(?=#?\w{1,32};)")
# What may begin a block: at the start of a line, behind up to three spaces.
BLOCK = re.compile(
    r"^( {0,3})"
    r"(?:(#{1,6}(?=[ \t]|$)|[-+](?=[ \t]|$)|>|:{3,}|~{3,}|=+[ \t]*$|[-:|](?=[-:| \t]*$))|(\d{1,9})([.)])(?=[ \t]|$))"
)
OWN_ANCHOR = re.compile(r"\{#(?=[^\s{}#]+\}\s*$)")


def escape(text: str) -> str:
    """Return `text`, without line ends, as it must stand inside of a line; `escape_line` is for what begins one.

    An underscore between two letters or digits is left alone, as it never begins anything there.
    """

    def escaped(found: re.Match[str]) -> str:
        if found.group() == "_":
            before, after = text[: found.start()][-1:], text[found.end() :][:1]
            if before.isalnum() and after.isalnum():
                return "_"
        return f"\\{found.group()}"

    return INLINE.sub(escaped, text)


def escape_line(markdown: str) -> str:
    """Return a line of Markdown that begins a block, so that nothing at its start makes it another block."""
    found = BLOCK.match(markdown)
    if not found:
        return markdown
    if found[2]:
        return f"{found[1]}\\{markdown[found.start(2) :]}"
    return f"{found[1]}{found[3]}\\{markdown[found.start(4) :]}"


def escape_heading(markdown: str) -> str:
    """Return the text of a heading, so that its end is neither an anchor nor closing marks."""
    markdown = OWN_ANCHOR.sub(r"\\{#", markdown)
    return re.sub(r"(?<=\s)(#+\s*)$", r"\\\1", markdown) if not markdown.startswith("#") else f"\\{markdown}"


def escape_cell(markdown: str) -> str:
    """Return Markdown as it must stand in a cell of a table: bars are escaped, also in code."""
    return markdown.replace("|", "\\|")


def code_span(text: str) -> str:
    """Return `text` as inline code, with as many backticks as it needs."""
    text = re.sub(r"\s*\n\s*", " ", text)
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    # One blank at each end belongs to the marks, so a text that has its own, or backticks there, gets one more.
    is_padded = text.startswith(" ") and text.endswith(" ") and text.strip()
    pad = " " if text.startswith("`") or text.endswith("`") or is_padded else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def code_block(text: str, language: str = "") -> str:
    """Return `text` as a fenced block, with as many backticks as it needs. `language` is cut at its first blank."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    word = re.sub(r"[`\s].*", "", language.strip())
    return f"{fence}{word}\n{text.strip(chr(10))}\n{fence}"


def link(text: str, target: str) -> str:
    """Return a link. `text` is Markdown, `target` an address as `Page.link` gave it."""
    return f"[{text}]({destination(target)})"


def destination(target: str) -> str:
    """Return an address as it must stand in the parentheses of a link."""
    if not re.search(r"[\s<>()\\]", target):
        return target
    encoded = re.sub(r"[\s<>\\]", lambda found: quote(found[0]), target)
    return f"<{encoded}>"

"""Mistakes in a text: their codes, and what an editor reads."""

from dataclasses import dataclass

from .source import Source

# Codes are API: clients read them, tests pin them. A message says what to do; {name} stands for what was written.
MESSAGES = {
    "heading_one": "Level 1 is the title of the article. Begin this heading with ##.",
    "dangling_quantity": "There is no quantity “{name}”. Correct it, or record the fact first.",
    "unknown_quantity": "The quantity “{name}” is unknown: the report of the scenario has it and no value for it. Give "
    "the scenario what it is made of (its warnings say what is unknown) and save it, or name another quantity.",
    "dangling_image": "There is no image “{name}”. Upload it, or correct the name.",
    "dangling_device": "There is no device “{name}”. Correct the slug, or add the device to the catalogue.",
    "dangling_vendor": "There is no vendor “{name}”. Correct the slug, or add the vendor to the directory.",
    "dangling_installation": "There is no installation “{name}”. Correct the slug, or add the installation.",
    "dangling_scenario": "There is no scenario “{name}”. Correct the slug, or save the scenario first.",
    "dangling_source": "There is no source “{name}”. Correct the slug, or record the source first.",
    "dangling_article": "There is no article “{name}”. Correct the slug of the link.",
    "dangling_anchor": "No heading of this page has the anchor “{name}”. Correct the link, or write {{#{name}}} at the "
    "end of a heading.",
    "dangling_footnote": "The note [^{name}] is never written. Add a line “[^{name}]: …”; names have no spaces.",
    "unused_footnote": "Nothing refers to the note [^{name}], so nobody would read it. Refer to it, or delete it.",
    "duplicate_footnote": "The note [^{name}] is written twice. Give one of the two another name.",
    "malformed_quantity": "This is not a quantity. Write {{{{slug.field}}}}, {{{{scenario:slug.field}}}} or "
    "{{{{fact:slug}}}}; \\{{{{ writes two braces. Attributes hold no quantities.",
    "table_row_too_long": "This row has {name}. Add the column to the header, or write \\| for a bar inside a cell.",
    "unknown_directive": "There is no directive “{name}”. Known are: {known}.",
    "bad_directive": "{name}",
    "unclosed_directive": "This directive is never closed. Add a line of at least as many colons; "
    "around another directive, the outer fence needs more colons.",
    "stray_fence": "This line closes nothing. Delete it, or give the fence that it should close more colons.",
    "missing_alt": "The image has no alternative text. Say in a few words what it shows.",
    "missing_attribute": "The directive needs the attribute {name}.",
    "unknown_attribute": "{name} is no attribute of this directive. It takes: {known}.",
    "duplicate_attribute": "The attribute {name} is given twice. Keep one.",
    "bad_value": "{name}",
    "raw_html": "HTML is not taken over. Use Markdown; only <sub>, <sup>, <kbd> and <br> may stand in a line, "
    "without attributes.",
    "html_comment": "A comment would be served with the Markdown. Delete it; notes to editors go into the review.",
    "unsafe_url": "“{name}” cannot be linked. Use https://, http://, mailto:, #anchor, or article:slug.",
    "relative_link": "“{name}” means nothing outside one site. Write article:slug, or the whole address with https://.",
    "nesting_too_deep": "Lists, quotes, directives or emphasis are nested more than {name} deep. Flatten this part.",
    "unclosed_code": "This code block is never closed, so all that follows is code. Add a line “{name}”.",
    "bidi_control": "A control character turns the direction of the text around. Delete it.",
    "invisible_character": "A character that nobody can see stands here. Delete it.",
}


@dataclass(frozen=True, slots=True, order=True)
class MarkupError:
    """A mistake. Line and column count from 1, in the text with LF line ends, the column in code points."""

    line: int
    column: int
    code: str
    message: str


class Report:
    """Collects mistakes by offset."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: list[tuple[int, int, str, str]] = []

    def add(self, at: int, code: str, name: str = "", known: str = "") -> None:
        """Note the mistake `code` at the offset `at`."""
        message = MESSAGES[code].format(name=_shortened(name), known=known)
        self._found.append((at, len(self._found), code, message))

    def errors(self) -> tuple[MarkupError, ...]:
        """Return all of them in order of place; at one place, in the order in which they were found."""
        return tuple(
            MarkupError(*self._source.place(at), code=code, message=message)
            for at, _, code, message in sorted(self._found)
        )


def _shortened(name: str, limit: int = 120) -> str:
    name = " ".join(name.split())
    return name if len(name) <= limit else name[: limit - 1] + "…"

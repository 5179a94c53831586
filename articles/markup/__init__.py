"""The markup of bodies: Markdown with directives, citations and inline quantities, as docs/markup.md describes it.

Pure: it knows Markdown and nh3, no database and no Django. `read()` reads a text: `wanted()` of that says what it
refers to, `document()` judges it. `wanted(source)` and `parse(source, records)` are these for who needs one of them.
"""

from .blocks import Rung
from .document import Document, Footnote
from .errors import MESSAGES, MarkupError
from .page import Reference
from .parser import Reading, parse, read, wanted
from .records import Known, Record, Records, Wanted

__all__ = [
    "MESSAGES",
    "Document",
    "Footnote",
    "Known",
    "MarkupError",
    "Reading",
    "Record",
    "Records",
    "Reference",
    "Rung",
    "Wanted",
    "parse",
    "read",
    "wanted",
]

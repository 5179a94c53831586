"""The markup of bodies: Markdown with directives, citations and inline quantities, as docs/markup.md describes it.

Pure: it knows Markdown and nh3, no database and no Django. `wanted()` says what a text refers to, `parse()` judges it.
"""

from .document import Document, Footnote
from .errors import MESSAGES, MarkupError
from .page import Reference
from .parser import parse, wanted
from .records import Known, Record, Records, Wanted

__all__ = [
    "MESSAGES",
    "Document",
    "Footnote",
    "Known",
    "MarkupError",
    "Record",
    "Records",
    "Reference",
    "Wanted",
    "parse",
    "wanted",
]

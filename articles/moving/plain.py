"""HTML of a title or excerpt as plain text."""

import re

from articles.moving.html.tree import read, text_of


def plain_text(html: str) -> str:
    """Return the text of a fragment of HTML: tags and entities resolved, white space collapsed."""
    if "<" not in html and "&" not in html:
        return re.sub(r"\s+", " ", html).strip()
    return re.sub(r"\s+", " ", text_of(read(html))).strip()

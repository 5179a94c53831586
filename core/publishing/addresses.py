"""Paths of other sites, as they are kept and asked for."""

import re
from unicodedata import normalize
from urllib.parse import unquote

from django.core.exceptions import ValidationError

LONGEST_PATH = 500
"""Characters: an index of PostgreSQL holds no more of what may be four bytes each."""

_ORIGIN = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#\\]*", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def path_of(text: str, *, errors: str = "replace") -> str:
    """Return the path of an address: decoded once, with a leading slash and no trailing one; "/" for the front page.

    Scheme, host, query and fragment go; case stays, since the old site may have told it apart. `errors` are those of
    `urllib.parse.unquote`, for what is not written in UTF-8.
    """
    path = re.split(r"[?#]", _ORIGIN.sub("", text.strip(), count=1), maxsplit=1)[0]
    return "/" + re.sub(r"/{2,}", "/", normalize("NFC", unquote(path, errors=errors))).strip("/")


def normalise_path(text: str) -> str:
    """Return the path of an address as it is kept. Raises ValidationError `address_invalid` for what is no path.

    The front page is no article's, so it is refused too.
    """
    try:
        path = path_of(text, errors="strict")
    except UnicodeDecodeError:
        raise ValidationError(f"“{text}” is not written in UTF-8.", code="address_invalid") from None
    if _CONTROL.search(path) or any("\ud800" <= letter <= "\udfff" for letter in path):
        raise ValidationError("An address holds no control characters.", code="address_invalid")
    if path == "/":
        raise ValidationError(f"“{text}” is the front page, which is no article's.", code="address_invalid")
    if len(path) > LONGEST_PATH:
        raise ValidationError(f"An address has {LONGEST_PATH} characters at most.", code="address_invalid")
    return path

"""Paths of other sites, as they are kept and asked for."""

import re
from unicodedata import normalize
from urllib.parse import unquote

from django.core.exceptions import ValidationError

LONGEST_PATH = 500
"""Characters: an index of PostgreSQL holds no more of what may be four bytes each."""

_ORIGIN = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#\\]*", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def normalise_path(text: str) -> str:
    """Return the path of an address as it is kept: decoded once, with a leading slash and no trailing one.

    Scheme, host, query and fragment go; case stays, since the old site may have told it apart. Raises ValidationError
    `address_invalid` for what is no path, and for the front page, which is no article's.
    """
    path = re.split(r"[?#]", _ORIGIN.sub("", text.strip(), count=1), maxsplit=1)[0]
    try:
        path = normalize("NFC", unquote(path, errors="strict"))
    except UnicodeDecodeError:
        raise ValidationError(f"“{text}” is not written in UTF-8.", code="address_invalid") from None
    if _CONTROL.search(path) or any("\ud800" <= letter <= "\udfff" for letter in path):
        raise ValidationError("An address holds no control characters.", code="address_invalid")
    path = "/" + re.sub(r"/{2,}", "/", path).strip("/")
    if path == "/":
        raise ValidationError(f"“{text}” is the front page, which is no article's.", code="address_invalid")
    if len(path) > LONGEST_PATH:
        raise ValidationError(f"An address has {LONGEST_PATH} characters at most.", code="address_invalid")
    return path

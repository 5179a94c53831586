"""The canonical form of a document: one spelling, so that equal content has an equal hash."""

import hashlib
import json
from typing import Any


def canonical_json(document: Any) -> bytes:
    """Return `document` (dicts, lists, text, integers, booleans, None) as JSON with sorted keys, no blanks, UTF-8.

    Raises TypeError for a float: its text is not one for all. Decimals are stored as text.
    """
    _refuse_floats(document)
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def sha256_of(document: Any) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical_json(document)).hexdigest()


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float; canonical documents hold numbers as text or integers.")
    if isinstance(value, dict):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_floats(item)

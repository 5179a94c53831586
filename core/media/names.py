"""Names of images, as bodies write them: `pump.png`."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from django.utils.text import slugify

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
LONGEST = 120
ROOM = 8
"""Characters that are kept free for the number of a name that is taken."""


def sound_name(wanted: str, endings: tuple[str, ...] = ()) -> str:
    """Return `wanted` as a name: the last part of a path, of the characters that need no quotes in a body.

    It ends in one of `endings` (without dots, the usual one first), if any are given.
    """
    last = PurePosixPath(wanted.replace("\\", "/")).name.strip()
    stem, dot, ending = last.rpartition(".")
    if not dot:
        stem, ending = last, ""
    if not NAME.fullmatch(stem):
        stem = slugify(stem) or "image"
    ending = slugify(ending)
    if endings and ending.lower() not in endings:
        ending = endings[0]
    stem = stem[: LONGEST - ROOM - len(ending)].rstrip("._-") or "image"
    return f"{stem}.{ending}" if ending else stem


def numbered(name: str) -> Iterator[str]:
    """Yield `name`, then what comes for it where it is taken: pump.png, pump-2.png, pump-3.png…"""
    yield name
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = name, ""
    number = 2
    while True:
        yield f"{stem}-{number}{dot}{ending}"
        number += 1

"""Files as text: UTF-8, with or without a byte order mark, or UTF-16 with one; LF line ends. Nothing is guessed."""

import re

from articles.moving.items import Refused

LONGEST_FILE = 16 * 1024 * 1024
NEWLINES = re.compile(r"\r\n?")


def decode(data: bytes, file: str, *, longest: int = LONGEST_FILE) -> str:
    """Return the text in `data`. Raises Refused, codes "not_utf8" and "too_large", with the line."""
    if len(data) > longest:
        raise Refused("too_large", f"The file has more than {longest // 1024 // 1024} MB.", file=file, line=1)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = NEWLINES.sub("\n", data[: error.start].decode("latin-1")).count("\n") + 1
        message = "This is not UTF-8 text. Save the file as UTF-8."
        raise Refused("not_utf8", message, file=file, line=line) from None
    return NEWLINES.sub("\n", text).replace("\0", "�")

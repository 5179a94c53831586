"""Instants as people write them into front matter. What could be read in two ways is not read at all."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ISO = re.compile(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})"
    r"(?:(?:[Tt]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?"
    r"\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?"
)
# "Jul 08 2022", "July 8, 2022", "8 July 2022", with or without a time.
MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(.*)")
DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.?\s+([A-Za-z]{3,9})\.?,?\s+(\d{4})(.*)")


def read_stamp(text: str) -> datetime:
    """Return the instant that `text` names: with an offset aware, without one naive. A day alone is its midnight.

    Raises ValueError, saying what is wrong.
    """
    text = text.strip()
    if found := ISO.fullmatch(text):
        year, month, day, hour, minute, second, fraction, offset = found.groups()
        # Without an offset it is a local time: whose, the caller knows.
        stamp = datetime(  # noqa: DTZ001
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "").ljust(6, "0")[:6]),
        )
        return stamp.replace(tzinfo=_offset(offset)) if offset else stamp
    if found := MONTH_FIRST.fullmatch(text):
        return _with_month(found[3], found[1], found[2], found[4])
    if found := DAY_FIRST.fullmatch(text):
        return _with_month(found[3], found[2], found[1], found[4])
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        raise ValueError("Write the date as 2021-03-28 or 2021-03-28T09:00:00+01:00.") from None


def _with_month(year: str, month: str, day: str, rest: str) -> datetime:
    name = month.lower()[:3]
    if name not in MONTHS:
        raise ValueError(f"{month} is no month.")
    return read_stamp(f"{year}-{MONTHS.index(name) + 1}-{day}{rest}")


def _offset(written: str) -> timezone:
    if written.upper() in ("Z", "UTC", "GMT"):
        return UTC
    digits = written[1:].replace(":", "").ljust(4, "0")
    distance = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(distance if written[0] == "+" else -distance)

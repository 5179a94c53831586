"""Instants of imported items (rule 4 of the import)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

PLAUSIBLE_FROM = datetime(1990, 1, 1, tzinfo=UTC)
"""An instant before is kept, with `implausible_date`: mostly a clock that nobody had set."""


def local_instant(naive: datetime, zone: ZoneInfo) -> datetime:
    """Return a local time without an offset as an instant in UTC.

    One that occurs twice (clocks go back) is the first of both; one that never occurs (clocks go forward) is moved
    forward by the gap, as RFC 5545 does.
    """
    # fold=0 is the offset before the change, in both cases what is wanted.
    return naive.replace(tzinfo=zone, fold=0).astimezone(UTC)


def is_implausible(instant: datetime) -> bool:
    return instant < PLAUSIBLE_FROM

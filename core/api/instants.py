"""Instants as people write them: a date and a time on a clock of some zone, which may show it never, once or twice."""

from datetime import UTC, datetime, timedelta, tzinfo

from django.utils import timezone


def instants_of(local: datetime, zone: tzinfo) -> list[datetime]:
    """Return the instants, in UTC, at which clocks in `zone` show `local` (naive).

    None where clocks were put forward over it, two (in order) where they were put back and showed it again.
    """
    found = []
    for fold in (0, 1):
        instant = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if instant.astimezone(zone).replace(tzinfo=None, fold=0) == local and instant not in found:
            found.append(instant)
    return found


def show_instant(instant: datetime) -> str:
    """Return an instant on the clock of the current time zone, with the zone's name: 31 Oct 2027, 02:30 CET.

    The name is there also in the hour that a clock shows twice, where Django's own formats leave it out.
    """
    local = instant.astimezone(timezone.get_current_timezone())
    return f"{local.day} {local:%b %Y, %H:%M %Z}"


def gap_around(local: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return from where to where (naive) clocks in `zone` were put forward over `local`, which they never showed."""
    # A clock put forward by n shows, after it, what it would have shown n later: both readings of `local` lie n apart.
    before, after = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    shift = abs(before - after)
    low, high = min(before, after) - shift, max(before, after) + shift
    offset = low.astimezone(zone).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + (high - low) / 2
        low, high = (middle, high) if middle.astimezone(zone).utcoffset() == offset else (low, middle)
    change = high.replace(microsecond=0)
    start = (change - timedelta(seconds=1)).astimezone(zone).replace(tzinfo=None, fold=0) + timedelta(seconds=1)
    return start, change.astimezone(zone).replace(tzinfo=None, fold=0)

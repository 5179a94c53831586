"""The instant that a request asks about: now, or with `as_of` another one."""

from datetime import datetime
from typing import Self


class AsOf(datetime):
    """An instant of the past that somebody asked for. What is not public today is not shown as of then either."""

    is_history = True

    @classmethod
    def of(cls, at: datetime) -> Self:
        """Return the same instant, marked as asked for."""
        return cls.combine(at.date(), at.timetz())


def is_history(at: object) -> bool:
    """Return whether `at` (an instant, or a parameter that will be one) was asked for by `as_of`."""
    return bool(getattr(at, "is_history", False))

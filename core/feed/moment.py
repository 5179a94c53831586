"""The one statement that begins each answer: what time it is, and how far each kind has come.

It is read before the body, on the same connection: a change that commits in between makes the next answer new, never
this one stale.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

_SQL = """
select statement_timestamp(),
       (select value::text from feed_epoch),
       (select max(at) from feed_instant where at <= statement_timestamp()),
       (select json_object_agg(kind, n) from (select kind, sum(n) as n from feed_version group by kind) as version)
"""


@dataclass(frozen=True)
class Moment:
    """What an answer depends on besides its question."""

    at: datetime
    epoch: str
    passed: datetime | None
    versions: dict[str, int]

    def of(self, kinds: Iterable[str]) -> str:
        """Return a text that changes with every change of one of `kinds`, and with every instant that passes."""
        counted = ",".join(f"{kind}={self.versions.get(kind, 0)}" for kind in sorted(kinds))
        return f"{self.epoch}|{self.passed.isoformat() if self.passed else ''}|{counted}"


def read_moment() -> Moment:
    """Return the database's clock and versions, in one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL)
        at, epoch, passed, versions = cursor.fetchone()
    return Moment(at, epoch or "", passed, versions or {})

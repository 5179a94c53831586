"""How the feed is kept: what is due is announced, versions are folded, a restore is noticed."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.utils import InternalError

from core.api.ids import uuid7

logger = logging.getLogger(__name__)

LATE_SECONDS = 120
"""A worker that runs tells an instant within a minute; beyond two, somebody should look."""

_DUE = "select exists (select from feed_instant where not announced and at <= statement_timestamp())"

# A locked row that another announcer has done meanwhile no longer fits the condition, so each instant is told once.
# The kind's version does not move: readers saw the instant itself, it is part of every ETag.
# A change is of the instant at which it took effect, however late it is told.
_ANNOUNCE = """
with due as (
    update feed_instant set announced = true, announced_at = clock_timestamp()
    where not announced and at <= statement_timestamp()
    returning kind, object_id, at, opens
), moments as (
    select kind, object_id, at, bool_or(opens) as opens from due group by kind, object_id, at order by at, object_id
)
insert into feed_change (xid, at, kind, object_id, change_kind, reason)
select pg_current_xact_id(), at, kind, object_id,
       case when opens then 'upsert' else 'tombstone' end,
       case when opens then 'published' else 'withdrawn' end
from moments
returning extract(epoch from clock_timestamp() - at)::float8
"""

_FOLD = """
with counted as (select kind from feed_version group by kind having count(*) > 200),
gone as (
    delete from feed_version where kind in (select kind from counted)
    and xid < pg_snapshot_xmin(pg_current_snapshot()) returning kind, n
)
insert into feed_version (kind, xid, n)
select kind, pg_current_xact_id(), sum(n) from gone group by kind
on conflict (kind, xid) do update set n = feed_version.n + excluded.n
"""

_LAG = """
select coalesce(extract(epoch from statement_timestamp() - min(at) filter (where not announced)), 0)::float8,
       count(*) filter (where not announced),
       (select extract(epoch from announced_at - at)::float8 from feed_instant
        where announced_at is not null order by announced_at desc limit 1),
       extract(epoch from max(announced_at - at) filter (
           where announced_at > statement_timestamp() - interval '1 day'))::float8,
       count(*) filter (where announced)
from feed_instant where at <= statement_timestamp()
"""

_WRITERS = """
select statement_timestamp() as now,
       least(statement_timestamp(), (select min(xact_start) from pg_stat_activity where backend_xid is not null))
"""

_FOLD_LOCK = 7206431


def announce_due() -> int:
    """Write a change for each instant that has passed, and return how many; on a read-only database, 0."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE)
        (due,) = cursor.fetchone()
        if not due:
            return 0
        try:
            with transaction.atomic():
                cursor.execute(_ANNOUNCE)
                late = [seconds for (seconds,) in cursor.fetchall()]
        except InternalError:  # read_only_sql_transaction: a replica announces nothing, its primary does.
            return 0
    if late:
        level = logging.WARNING if max(late) > LATE_SECONDS else logging.INFO
        logger.log(
            level, "Told %s changes of what is live at their instants, %.3f s late at most.", len(late), max(late)
        )
    return len(late)


def next_instants(within: timedelta) -> list[datetime]:
    """Return the instants that lie ahead by `within` at most and are to be told, the first 20."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select distinct at from feed_instant where not announced and at > statement_timestamp()"
            " and at <= statement_timestamp() + %s * interval '1 second' order by at limit 20",
            [within.total_seconds()],
        )
        return [at for (at,) in cursor.fetchall()]


@dataclass(frozen=True)
class Lag:
    """How late instants are told. Seconds; `waiting_s` is how long the oldest that is due has waited, 0 for none."""

    waiting_s: float
    due: int
    last_s: float | None
    longest_s: float | None
    told: int


def read_lag() -> Lag:
    """Return how late instants are told: those that wait now, the last one, and the latest of the last day."""
    with connection.cursor() as cursor:
        cursor.execute(_LAG)
        return Lag(*cursor.fetchone())


def read_horizon() -> tuple[datetime, datetime]:
    """Return the database's clock, and the instant before which nothing that takes effect can still be uncommitted.

    Read it before what it is said of: a writer who is missed here began after, and writes of a later instant.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS)
        return cursor.fetchone()  # type: ignore[no-any-return]


def fold_versions() -> None:
    """Sum up the versions of kinds with many rows. It waits for nobody, and moves no version."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_xact_lock(%s)", [_FOLD_LOCK])
        if cursor.fetchone() == (True,):
            cursor.execute(_FOLD)


# Numbers of another life say nothing of what is running now, and new transactions would meet them again.
_FORGET_XIDS = """
with summed as (delete from feed_version returning kind, n),
renumbered as (update feed_change set xid = '3'::xid8)
insert into feed_version (kind, xid, n) select kind, '3'::xid8, sum(n) from summed group by kind
"""


def ensure_epoch() -> bool:
    """Begin an epoch where there is none, or a new one where this database turns out to be a copy or a restore.

    Another cluster has another system identifier, and tables that were restored in the same one have another number; a
    cluster that was set back has handed out fewer transaction ids than the feed has seen. Called at each start and
    after each migration. Returns whether a new one began.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(%s)", [_FOLD_LOCK + 1])
        cursor.execute(
            """
            insert into feed_epoch (id, value, system_identifier)
            select 1, %s, left(md5(concat_ws('/', system_identifier, 'feed_epoch'::regclass::oid)), 24)
            from pg_control_system()
            on conflict (id) do update set
                value = excluded.value, system_identifier = excluded.system_identifier, began_at = statement_timestamp()
            where feed_epoch.system_identifier <> excluded.system_identifier
               or coalesce((select max(xid) from feed_change), '0'::xid8) >= pg_snapshot_xmax(pg_current_snapshot())
               or coalesce((select max(xid) from feed_version), '0'::xid8) >= pg_snapshot_xmax(pg_current_snapshot())
            """,
            [uuid7()],
        )
        if cursor.rowcount == 0:
            return False
        cursor.execute("lock table feed_version, feed_change in share row exclusive mode")
        cursor.execute(_FORGET_XIDS)
        return True

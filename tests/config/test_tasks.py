"""The worker was killed in the midst of a job: the next one does it."""

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from config.tasks import take_up_lost_jobs, throw_old_jobs_away
from core.api.ids import uuid7
from core.feed.tasks import announce
from core.notices.tasks import send_notice
from core.publishing.services import database_now

pytestmark = pytest.mark.django_db


def begin(job_id: int, *, silent_for: timedelta | None) -> None:
    """Let a worker take a job; it was last heard of so long ago. None: its row is gone."""
    with connection.cursor() as cursor:
        worker_id = None
        if silent_for is not None:
            cursor.execute(
                "insert into procrastinate_workers (last_heartbeat) values (%s) returning id",
                [database_now() - silent_for],
            )
            (worker_id,) = cursor.fetchone()
        cursor.execute(
            "update procrastinate_jobs set status = 'doing', worker_id = %s where id = %s", [worker_id, job_id]
        )


def states(*job_ids: int) -> list[str]:
    found = dict(ProcrastinateJob.objects.filter(pk__in=job_ids).values_list("pk", "status"))
    return [found.get(pk, "gone") for pk in job_ids]


def test_what_a_killed_worker_was_at_waits_again_and_what_is_being_done_goes_on():
    killed, restarted, busy = (send_notice.defer(notice_id=str(uuid7())) for _ in range(3))
    begin(killed, silent_for=timedelta(minutes=5))
    begin(restarted, silent_for=None)
    begin(busy, silent_for=timedelta(0))

    async_to_sync(take_up_lost_jobs.func)(timestamp=0)

    assert states(killed, restarted, busy) == ["todo", "todo", "doing"]


def test_a_lost_job_that_waits_again_already_is_not_done_twice():
    lost = announce.configure(queueing_lock="of an instant").defer()
    begin(lost, silent_for=timedelta(minutes=5))
    again = announce.configure(queueing_lock="of an instant").defer()

    async_to_sync(take_up_lost_jobs.func)(timestamp=0)

    assert states(lost, again) == ["failed", "todo"]


def test_what_succeeded_is_forgotten_after_a_week_and_what_failed_is_not():
    old, new, failed = (send_notice.defer(notice_id=str(uuid7())) for _ in range(3))
    with connection.cursor() as cursor:
        for job_id, status, days in ((old, "succeeded", 8), (new, "succeeded", 6), (failed, "failed", 8)):
            begin(job_id, silent_for=timedelta(0))
            cursor.execute("update procrastinate_jobs set status = %s where id = %s", [status, job_id])
            cursor.execute(
                "update procrastinate_events set at = %s where job_id = %s",
                [database_now() - timedelta(days=days), job_id],
            )

    async_to_sync(throw_old_jobs_away.func)(timestamp=0)

    assert states(old, new, failed) == ["gone", "succeeded", "failed"]

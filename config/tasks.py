"""What the worker does for the worker: what a killed one was at is done by the next, and old jobs are thrown away."""

from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.jobs import Status

SILENT_SECONDS = 60
"""A worker says every ten seconds that it is there; one that was silent for so long has ended."""
KEPT_HOURS = 7 * 24
"""How long a job that succeeded is listed. What failed stays until somebody looks."""


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="lost_jobs")
async def take_up_lost_jobs(timestamp: int) -> None:
    """Let the jobs of workers that ended in the midst be done again: procrastinate leaves them as being done for ever.

    So every task bears being done twice. A job that may wait only once, and waits again already, is a failed one.
    """
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=SILENT_SECONDS):
        like = ProcrastinateJob.objects.filter(status="todo", queueing_lock=job.queueing_lock)
        if job.queueing_lock is not None and await like.aexists():
            await app.job_manager.finish_job(job, status=Status.FAILED, delete_job=False)
        else:
            await app.job_manager.retry_job(job)


@app.periodic(cron="41 3 * * *")
@app.task(queueing_lock="old_jobs")
async def throw_old_jobs_away(timestamp: int) -> None:
    """Forget what succeeded a week ago: there are thousands a day."""
    await app.job_manager.delete_old_jobs(nb_hours=KEPT_HOURS)

"""What the worker does for the feed. Nothing depends on it: readers see an instant pass by themselves."""

from contextlib import suppress
from datetime import timedelta

from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from core.feed.services import announce_due, fold_versions, next_instants

MINUTE = timedelta(seconds=65)  # A little more than until the next round, so that nothing falls in between.


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="feed")
def keep_feed(timestamp: int) -> None:
    """Announce what has passed, so that changes are told also while nobody asks for them, and fold the versions.

    What will pass within the minute gets a job for its own instant. Any number of workers may do the same at once; a
    lock would stay with the job of one that was killed, and keep the others from telling anything.
    """
    announce_due()
    fold_versions()
    for at in next_instants(MINUTE):
        with suppress(AlreadyEnqueued):
            announce.configure(schedule_at=at, queueing_lock=f"feed {at.isoformat()}").defer()


@app.task
def announce() -> None:
    """Announce what has passed."""
    announce_due()

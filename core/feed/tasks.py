"""What the worker does for the feed. Nothing depends on it: readers see an instant pass by themselves."""

from procrastinate.contrib.django import app

from core.feed.services import announce_due, fold_versions


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="feed", lock="feed")
def keep_feed(timestamp: int) -> None:
    """Announce what has passed, so that changes are told also while nobody asks for them, and fold the versions."""
    announce_due()
    fold_versions()

"""What the worker does for images: it makes their renditions, and removes the files of those that are gone."""

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

from core.media import services

RETRY = RetryStrategy(max_attempts=5, exponential_wait=4)


@app.task(name=services.RENDER, retry=RETRY)
def render_image(image_id: str) -> None:
    """Make the renditions of one image. One that has them, or is gone, costs a statement."""
    services.render_image(image_id)


@app.task(name=services.REMOVE, retry=RETRY)
def remove_files(image_id: str, file: str) -> None:
    """Remove the files of an image that was deleted."""
    services.remove_files(image_id, file)


@app.task(name=services.REMOVE_REPLACED, retry=RETRY)
def remove_replaced(image_id: str, file: str, sha256: str) -> None:
    """Remove a file that was replaced a while ago, with its renditions."""
    services.remove_replaced(image_id, file, sha256)


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="renditions", lock="renditions")
def render_what_waits(timestamp: int) -> None:
    """Make what an import left, or a worker that was killed."""
    services.render_what_waits()

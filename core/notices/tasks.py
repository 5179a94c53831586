"""What the worker does for notices: it sends them, and throws old ones away."""

from django.db.models.functions import Now
from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

from core.notices.mail import message_of
from core.notices.models import Notice
from core.notices.services import prune_notices


# After 4 seconds, 16, 64, … up to three days: a mail server that is down over a weekend costs no notice.
@app.task(retry=RetryStrategy(max_attempts=9, exponential_wait=4), queue="mail")
def send_notice(notice_id: str) -> None:
    """Send one notice, if nobody has yet and its recipient may still see what it is about.

    A notice is one job, which one worker takes; where that dies after sending, the second message has the same
    Message-ID. No transaction is open meanwhile: the feed reaches no further than the oldest one.
    """
    notice = Notice.objects.select_related("recipient", "by").filter(pk=notice_id, mailed_at=None).first()
    message = message_of(notice) if notice is not None else None
    if message is not None:
        message.send()
        Notice.objects.filter(pk=notice_id).update(mailed_at=Now())


@app.periodic(cron="17 3 * * *")
@app.task(queueing_lock="notices")
def throw_old_notices_away(timestamp: int) -> None:
    prune_notices()

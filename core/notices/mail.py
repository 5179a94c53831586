"""E-mails that people get: plain text, with a link, and no text of a draft."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse

from core.notices.models import MailChoice, Notice
from core.notices.querysets import may_see
from core.notices.wording import address_of, sentence_of


def message_of(notice: Notice) -> EmailMessage | None:
    """Return the e-mail that tells of `notice`, or None where nobody should get it (any more)."""
    person = notice.recipient
    choice = MailChoice.objects.filter(person=person).first()
    wanted = choice is None or (choice.reviews if notice.verb == Notice.Verb.SUBMITTED else choice.own_work)
    if not (settings.PLENUM_MAIL and person.email and wanted and may_see(person, notice.subject_model)):
        return None
    note = [f"{'Reason' if notice.verb == Notice.Verb.WITHDRAWN else 'Note'}:\n{notice.note}\n"] if notice.note else []
    text = "\n".join(
        [
            f"{sentence_of(notice)}\n",
            *note,
            f"{absolute(address_of(notice))}\n",
            "-- ",
            "Plenum tells you because you may review this."
            if notice.verb == Notice.Verb.SUBMITTED
            else "Plenum tells you because you wrote a part of this.",
            f"Choose what you get: {absolute(reverse('notices'))}",
        ]
    )
    return compose(
        f"{notice.get_verb_display()}: {notice.title}", text, to=person.email, message_id=f"notice-{notice.pk}"
    )


def compose(subject: str, text: str, *, to: str, message_id: str) -> EmailMessage:
    """Return a plain e-mail from the address of this installation. Line ends in the subject become spaces."""
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("> ") or "localhost"
    return EmailMessage(
        " ".join(f"[Plenum] {subject}".split()),
        text,
        settings.DEFAULT_FROM_EMAIL,
        [to],
        headers={"Message-ID": f"<{message_id}@{domain}>", "Auto-Submitted": "auto-generated"},
    )


def absolute(path: str) -> str:
    """Return a path of this server as an address: an e-mail is read far from it."""
    return f"{settings.PLENUM_PUBLIC_URL}{path}"

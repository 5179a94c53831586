"""Who is told of what, and how a notice is read. The rows are written in the transaction of the verb they tell of."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from core.notices.models import MailChoice, Notice
from core.publishing.happenings import Happening

KEPT = timedelta(days=90)
"""How long a notice is kept after it was read."""

LONGEST_TITLE, LONGEST_NOTE = 300, 2000


def people_who_may(label: str, *actions: str) -> QuerySet[User]:
    """Return the accounts that can log in and may do one of `actions` with the model `label`."""
    app, name = label.split(".")
    granted = Permission.objects.filter(
        content_type__app_label=app, codename__in=[f"{action}_{name}" for action in actions]
    )
    return User.objects.filter(is_active=True, is_staff=True).filter(
        Q(is_superuser=True)
        | Exists(granted.filter(user=OuterRef("pk")))
        | Exists(granted.filter(group__user=OuterRef("pk")))
    )


@transaction.atomic
def give_notices(happenings: Sequence[Happening]) -> list[Notice]:
    """Tell the people whom it concerns, and return their notices: who may review what waits, else who wrote it.

    Nobody is told of what he did himself, and nobody of what an account does that cannot log in: an import of a
    thousand articles is no thousand notices. Statements do not grow with what one verb did to many.
    """
    # What waited for all that may review waits no more.
    waits = Notice.objects.unread().filter(verb=Notice.Verb.SUBMITTED)
    decided = [one.edition_id for one in happenings if one.verb != "submitted"]
    if decided:
        waits.filter(edition_id__in=decided).update(read_at=Now())
    notices: list[Notice] = []
    heard = [one for one in happenings if one.by is not None and one.by.is_active]
    for (label, by, is_submitted), group in groupby(heard, key=_addressed):
        told = list(group)
        if is_submitted:
            waits.filter(subject_model=label, subject_id__in=[one.subject.pk for one in told]).update(read_at=Now())
            people = people_who_may(label, "review")
        else:
            people = User.objects.filter(pk__in={pk for one in told for pk in one.writer_ids})
        people = people.filter(pk__in=people_who_may(label, "view", "change")).exclude(pk=by.pk).order_by("pk")
        found = list(people)
        notices += [
            _notice(one, label, person)
            for one in told
            for person in found
            if (person.pk not in one.excluded_ids if is_submitted else person.pk in one.writer_ids)
        ]
    Notice.objects.bulk_create(notices)
    _mail(notices)
    return notices


def _addressed(happening: Happening) -> tuple[str, Any, bool]:
    return happening.subject._meta.label_lower, happening.by, happening.verb == "submitted"


def _notice(happening: Happening, label: str, person: User) -> Notice:
    return Notice(
        recipient=person,
        by=happening.by,
        verb=happening.verb,
        subject_model=label,
        subject_id=happening.subject.pk,
        edition_id=happening.edition_id,
        number=happening.number,
        title=" ".join(str(happening.subject).split())[:LONGEST_TITLE],
        note=happening.note.strip()[:LONGEST_NOTE],
        begins_at=happening.at,
    )


def _mail(notices: list[Notice]) -> None:
    """Ask the worker to send those that somebody wants by e-mail, when this transaction commits and not if it fails."""
    if not settings.PLENUM_MAIL or not notices:
        return
    # The job is a row of the same transaction. Tasks are found by the worker, which imports this too.
    from core.notices.tasks import send_notice

    choices = MailChoice.objects.in_bulk([notice.recipient_id for notice in notices])
    wanted: list[dict[str, Any]] = [
        {"notice_id": str(notice.pk)} for notice in notices if notice.recipient.email and _wants(choices, notice)
    ]
    if wanted:
        send_notice.batch_defer(*wanted)


def _wants(choices: dict[Any, MailChoice], notice: Notice) -> bool:
    choice = choices.get(notice.recipient_id)
    if choice is None:
        return True
    return choice.reviews if notice.verb == Notice.Verb.SUBMITTED else choice.own_work


def read_notices(person: User, ids: Iterable[Any] | None = None) -> int:
    """Mark notices of `person` as read, all where no `ids` are given, and return how many were not."""
    rows = Notice.objects.unread().filter(recipient=person)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    return rows.update(read_at=Now())


def choose_mail(person: User, *, reviews: bool, own_work: bool) -> MailChoice:
    """Say of what `person` gets an e-mail too, and return it."""
    choice, _ = MailChoice.objects.update_or_create(person=person, defaults={"reviews": reviews, "own_work": own_work})
    return choice


def prune_notices() -> int:
    """Delete what was read more than 90 days ago, and return how many it was."""
    return Notice.objects.filter(read_at__lt=Now() - KEPT).delete()[0]

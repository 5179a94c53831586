"""Who has the form of a draft open, and which version a form wrote itself.

A form is a window of a browser: it makes its own id, says every BEAT_SECONDS that it is there, and is gone when it has
not for GONE_SECONDS. Nothing but courtesy depends on these rows, so their table is not logged by the database.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models.functions import Now

from core.publishing.models import OpenForm

BEAT_SECONDS = 20
GONE_SECONDS = 60
KEPT_FOR = timedelta(days=1)
MOST_SHOWN = 20


@dataclass(frozen=True)
class Visitor:
    """Somebody else's form, or another one of the same person. `since` is the instant at which it was opened."""

    name: str
    since: datetime
    has_changed: bool
    is_you: bool


def note_form(form_id: UUID, *, kind: str, subject_id: UUID, by: User, has_changed: bool = False) -> None:
    """Note that the form is open. An id that is somebody else's, or another draft's, is left alone."""
    mine = OpenForm.objects.filter(pk=form_id, kind=kind, subject_id=subject_id, user_id=by.pk)
    if mine.update(seen_at=Now(), has_changed=has_changed):
        return
    OpenForm.objects.filter(seen_at__lt=Now() - KEPT_FOR).delete()
    form = OpenForm(pk=form_id, kind=kind, subject_id=subject_id, user_id=by.pk, has_changed=has_changed)
    OpenForm.objects.bulk_create([form], ignore_conflicts=True)


def leave_form(form_id: UUID, *, by: User) -> None:
    """Forget a form that was closed."""
    OpenForm.objects.filter(pk=form_id, user_id=by.pk).delete()


def visitors(subject_id: UUID, *, but: UUID, by: User) -> list[Visitor]:
    """Return who has a form of the subject open, but the form `but`, the longest there first; 20 at most."""
    rows = (
        OpenForm.objects.filter(subject_id=subject_id, seen_at__gt=Now() - timedelta(seconds=GONE_SECONDS))
        .exclude(pk=but)
        .select_related("user")
        .order_by("opened_at", "id")[:MOST_SHOWN]
    )
    return [Visitor(name_of(row.user), row.opened_at, row.has_changed, row.user_id == by.pk) for row in rows]


def name_of(person: User) -> str:
    """Return what colleagues call somebody."""
    return person.get_full_name() or person.get_username()


# What a form wrote itself


def own_version(form_id: UUID | None, *, subject_id: UUID, by: User, before: int | None = None) -> int | None:
    """Return the version of the draft that this form wrote last; None where it wrote none.

    A save whose answer was lost is then no conflict with the next one. `before` is the number of a save: one that
    arrives after a later one of its form has nothing to say.
    """
    if form_id is None:
        return None
    mine = OpenForm.objects.filter(pk=form_id, subject_id=subject_id, user_id=by.pk)
    if before is not None:
        mine = mine.filter(saved_number__lt=before)
    return mine.values_list("saved_version", flat=True).first()


def note_save(form_id: UUID, *, kind: str, subject_id: UUID, by: User, version: int, number: int) -> None:
    """Note that the save `number` of a form made `version` of the draft, or found it there."""
    note_form(form_id, kind=kind, subject_id=subject_id, by=by)
    OpenForm.objects.filter(pk=form_id, user_id=by.pk).update(saved_version=version, saved_number=number)

"""The draft of something that is published: written by one person at a time, and by nobody over what another wrote."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from core.publishing.batches import Refusals, of_one, update_all
from core.publishing.kinds import database_now, lock_all, lock_draft


class StaleDraft(ValidationError):  # noqa: N818 - it reads as what happened
    """The draft has moved on since the version that a write was based on. `changed` maps fields to (theirs, yours)."""

    def __init__(self, version: int, changed: dict[str, tuple[Any, Any]], message: str = "") -> None:
        fields = ", ".join(changed) or "nothing that you changed"
        super().__init__(
            message or f"Somebody saved this draft meanwhile (version {version}); it differs in: {fields}.",
            code="stale_draft",
        )
        self.version = version
        self.changed = changed


def change_draft(
    subject: Any,
    *,
    based_on: int,
    by: User,
    fields: Mapping[str, Any],
    related: Sequence[Callable[[Sequence[Any]], Iterable[int]]] = (),
) -> Any:
    """Write `fields` into the draft, if nobody has since version `based_on`, and return the draft, as `change_all`."""
    with of_one():
        return change_all([subject], based_on=[based_on], by=by, fields=[fields], related=related)[0]


@transaction.atomic
def change_all(
    subjects: Sequence[Any],
    *,
    based_on: Sequence[int],
    by: User,
    fields: Sequence[Mapping[str, Any]],
    related: Sequence[Callable[[Sequence[Any]], Iterable[int]]] = (),
) -> list[Any]:
    """Write into drafts of one model, if nobody has since the versions `based_on`, and return the drafts.

    Each of `related` writes rows beside the drafts, and returns the positions of those of which it changed any. A write
    that changes nothing makes no version. Refuses with StaleDraft, or ValidationError of the model.
    """
    if not subjects:
        return []
    drafts = lock_all(type(subjects[0]), [subject.pk for subject in subjects])
    refusals = Refusals()
    changed: set[int] = set()
    for position, (draft, version, values) in enumerate(zip(drafts, based_on, fields, strict=True)):
        differing = {n: (getattr(draft, n), value) for n, value in values.items() if getattr(draft, n) != value}
        if draft.draft_version != version:
            refusals.errors[position] = StaleDraft(draft.draft_version, differing)
        if differing:
            changed.add(position)
    refusals.stop()
    for draft, values in zip(drafts, fields, strict=True):
        for name, value in values.items():
            setattr(draft, name, value)
    for write in related:
        changed |= set(write(drafts))
    now = database_now() if changed else None
    for position in changed:
        draft = drafts[position]
        draft.draft_version += 1
        draft.draft_changed_at = now
        draft.draft_writer_ids = [*(pk for pk in draft.draft_writer_ids if pk != by.pk), by.pk]
    update_all(drafts, only=changed)
    return drafts


@transaction.atomic
def take_up_draft(subject: Any, *, by: User) -> Any:
    """Make the draft work of `by` though nothing in it is written anew, and return it: what it binds to has moved."""
    draft = lock_draft(subject)
    if by.pk not in draft.draft_writer_ids:
        draft.draft_writer_ids = [*draft.draft_writer_ids, by.pk]
        draft.draft_version += 1
        draft.draft_changed_at = database_now()
        draft.save(update_fields=["draft_writer_ids", "draft_version", "draft_changed_at"])
    return draft

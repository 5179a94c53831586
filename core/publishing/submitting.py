"""From a draft to an edition in review: the content is frozen, with the rows and references that follow from it."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from core.publishing.batches import of_one
from core.publishing.canonical import sha256_of
from core.publishing.drafts import StaleDraft
from core.publishing.happenings import tell_of
from core.publishing.kinds import Frozen, Kind, database_now, lock_all
from core.publishing.models import BaseEdition, Reference


def submit(
    kind: Kind,
    subject: Any,
    *,
    by: User,
    freeze: Callable[[Any], Frozen],
    based_on: int | None = None,
    anew: bool = True,
) -> Any:
    """Freeze the draft as an edition in review, and return it, as `submit_all` does.

    `based_on` is the version that was looked at: StaleDraft where the draft has moved on (None: whatever it says now).
    """

    def freeze_one(drafts: Sequence[Any]) -> list[Frozen]:
        draft = drafts[0]
        if based_on is not None and draft.draft_version != based_on:
            raise StaleDraft(
                draft.draft_version,
                {},
                f"The draft has changed since this page was opened (version {based_on}, now {draft.draft_version}). "
                "Look at it again, then submit.",
            )
        return [freeze(draft)]

    with of_one():
        return submit_all(kind, [subject], by=by, freeze=freeze_one, anew=anew)[0]


@transaction.atomic
def submit_all(
    kind: Kind,
    subjects: Sequence[Any],
    *,
    by: User,
    freeze: Callable[[Sequence[Any]], Sequence[Frozen]],
    anew: bool = True,
) -> list[Any]:
    """Freeze drafts as editions in review, and return them, in the order of `subjects`.

    When a draft is what the newest edition already holds, that edition is returned: its approvals stand. One whose time
    is over is not: what was live is history, so to come back unchanged takes an edition of its own; but with `anew`
    false that one is returned too.
    """
    if not subjects:
        return []
    drafts = lock_all(type(subjects[0]), [subject.pk for subject in subjects])
    documents = freeze(drafts)
    digests = [sha256_of(frozen.content) for frozen in documents]
    column = f"{kind.subject}_id"
    rows = kind.editions_of_all(draft.pk for draft in drafts).order_by(column, "-number").distinct(column)
    newest = {kind.subject_id(edition): edition for edition in rows}
    over = _over(newest.values()) if anew else set()
    editions: list[Any] = []
    made: list[tuple[Any, Frozen]] = []
    for draft, frozen, digest in zip(drafts, documents, digests, strict=True):
        last = newest.get(draft.pk)
        if last is not None and last.sha256 == digest and last.pk not in over:
            setattr(last, kind.subject, draft)
            editions.append(last)
            continue
        edition = kind.edition(
            **{kind.subject: draft},
            number=last.number + 1 if last is not None else 1,
            slug=draft.slug,
            content=frozen.content,
            sha256=digest,
            submitted_by=by,
            writer_ids=sorted({*draft.draft_writer_ids, by.pk}),
            **frozen.columns,
        )
        editions.append(edition)
        made.append((edition, frozen))
    _store_editions(kind, made)
    tell_of(kind, [edition for edition, _ in made], "submitted", by=by)
    return editions


def _store_editions(kind: Kind, made: Sequence[tuple[Any, Frozen]]) -> None:
    """Write new editions with their rows and references; those that waited before them are superseded."""
    if not made:
        return
    ids = [kind.subject_id(edition) for edition, _ in made]
    had_others = [kind.subject_id(edition) for edition, _ in made if edition.number > 1]
    if had_others:
        waiting = ["in_review", "approved", "changes_requested"]
        rows = kind.editions_of_all(had_others).filter(live=None, review_state__in=waiting)
        rows.update(review_state="superseded")
    kind.edition.objects.bulk_create([edition for edition, _ in made])
    joined = [row for edition, frozen in made for row in frozen.rows(edition)]
    model: Any
    for model, group in groupby(sorted(joined, key=lambda row: row._meta.label), key=type):
        model._default_manager.bulk_create(group)
    for edition, frozen in made:
        for reference in frozen.references:
            reference.holder_kind, reference.holder_id = kind.name, kind.subject_id(edition)
            reference.edition_id = edition.pk
    Reference.objects.bulk_create(reference for _, frozen in made for reference in frozen.references)
    type(made[0][0].subject)._default_manager.filter(pk__in=ids).update(draft_writer_ids=[])


def _over(editions: Iterable[BaseEdition]) -> set[Any]:
    """Return the ids of those whose time is over."""
    ended = {each.pk: each.live.upper for each in editions if each.live is not None and each.live.upper is not None}
    now = database_now() if ended else None
    return {pk for pk, upper in ended.items() if upper <= now}

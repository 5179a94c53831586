"""How a draft becomes public, for every kind that has editions. The services of an app wrap these in its own words.

A verb in `…_all` takes many subjects or editions of one kind: all of them or none, and BatchRefused says by position
what stands in the way. The verb for one is the batch of one.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.db.models import Case, F, Value, When

from core.publishing.batches import Refusals, of_one
from core.publishing.drafts import StaleDraft as StaleDraft
from core.publishing.drafts import change_all as change_all
from core.publishing.drafts import change_draft as change_draft
from core.publishing.drafts import take_up_draft as take_up_draft
from core.publishing.happenings import tell_of
from core.publishing.kinds import Frozen as Frozen
from core.publishing.kinds import Kind as Kind
from core.publishing.kinds import approvals_of as approvals_of
from core.publishing.kinds import approved
from core.publishing.kinds import database_now as database_now
from core.publishing.kinds import excluded_reviewers as excluded_reviewers
from core.publishing.kinds import keep as keep
from core.publishing.kinds import lock as lock
from core.publishing.kinds import lock_draft as lock_draft
from core.publishing.models import Review
from core.publishing.rules import holding
from core.publishing.submitting import submit as submit
from core.publishing.submitting import submit_all as submit_all


def review(kind: Kind, edition: Any, *, by: User, verdict: str, note: str = "") -> Any:
    """Give a verdict on `edition`, and return it with its new state, as `review_all` does."""
    with of_one():
        return review_all(kind, [edition], by=by, verdict=verdict, note=note)[0]


@transaction.atomic
def review_all(kind: Kind, editions: Sequence[Any], *, by: User, verdict: str, note: str = "") -> list[Any]:
    """Give one verdict on editions, and return them with their new state.

    Refuses with ValidationError: `note_missing` (changes are asked for without saying which), `own_edition` (a writer's
    approval does not count here), `not_in_review`.
    """
    editions = kind.lock_subjects(editions)
    asks_for_changes = verdict == Review.Verdict.CHANGES_REQUESTED
    refusals = Refusals()
    for position, edition in enumerate(editions):
        with refusals.of(position):
            if edition.live is not None or edition.review_state == "superseded":
                raise ValidationError("This edition is not in review.", code="not_in_review")
            if asks_for_changes and not note.strip():
                raise ValidationError({"note": ValidationError("Say what should change.", code="note_missing")})
            if verdict == Review.Verdict.APPROVED and by.pk in excluded_reviewers(kind, edition):
                message = "You wrote a part of this edition; somebody else approves it."
                raise ValidationError(message, code="own_edition")
    refusals.stop()
    now = database_now()
    Review.objects.bulk_create(
        Review(
            kind=kind.name,
            target_id=edition.pk,
            sha256=edition.sha256,
            verdict=verdict,
            note=note.strip(),
            reviewer=by,
            at=now,
        )
        for edition in editions
    )
    state = "changes_requested" if asks_for_changes else "approved"
    enough = {edition.pk for edition in editions} if asks_for_changes else approved(kind, editions)
    moved = [edition for edition in editions if edition.pk in enough and edition.review_state != state]
    kind.edition.objects.filter(pk__in=[edition.pk for edition in moved]).update(review_state=state)
    for edition in moved:
        edition.review_state = state
    if asks_for_changes:
        tell_of(kind, editions, "changes_requested", by=by, note=note)
    else:
        tell_of(kind, moved, "approved", by=by, note=note)
    return editions


def publish(
    kind: Kind,
    edition: Any,
    *,
    at: datetime | None = None,
    published_at: datetime | None = None,
    by: User | None = None,
) -> Any:
    """Make `edition` what readers see from `at` on, and return it, as `publish_all` does."""
    with of_one():
        return publish_all(kind, [edition], at=at, published_at=[published_at], by=by)[0]


@transaction.atomic
def publish_all(
    kind: Kind,
    editions: Sequence[Any],
    *,
    at: datetime | None = None,
    published_at: Sequence[datetime | None],
    by: User | None = None,
) -> list[Any]:
    """Make editions what readers see from `at` (timezone-aware; None: from now) on, and return them.

    The predecessors' ranges close at the same instant, in one statement. `published_at` are the original instants of an
    import; `by` is who asked, for the notices. Refuses with ValidationError: `at_in_past`, `already_live`,
    `not_approved`, `other_edition_then`, `slug_taken`.
    """
    editions = kind.lock_subjects(editions)
    now = database_now()
    begins = now if at is None else at
    enough = approved(kind, editions)
    others: dict[Any, list[Any]] = {}
    for other in kind.editions_of_all(kind.subject_id(edition) for edition in editions).exclude(live=None):
        others.setdefault(kind.subject_id(other), []).append(other)
    refusals = Refusals()
    ranges: list[dict[Any, DateTimeTZRange | None]] = []
    dates: list[dict[Any, datetime | None]] = []
    for position, (edition, original) in enumerate(zip(editions, published_at, strict=True)):
        standing = others.get(kind.subject_id(edition), [])
        with refusals.of(position):
            _check_publishable(edition, standing, begins=begins, now=now, is_approved=edition.pk in enough)
        predecessor = next((other for other in standing if begins in other.live), None)
        first = min((other.published_at for other in standing if other.live.lower < begins), default=None)
        edition.live = DateTimeTZRange(begins, predecessor.live.upper if predecessor is not None else None)
        edition.published_at = first or original or begins
        of_it: dict[Any, DateTimeTZRange | None] = {edition.pk: edition.live}
        if predecessor is not None:
            of_it[predecessor.pk] = DateTimeTZRange(predecessor.live.lower, begins)
        ranges.append(of_it)
        dates.append({edition.pk: edition.published_at})
    refusals.stop()
    _open(kind, ranges, dates)
    tell_of(kind, editions, "published" if at is None else "scheduled", by=by, at=at)
    return editions


def _check_publishable(
    edition: Any, standing: Sequence[Any], *, begins: datetime, now: datetime, is_approved: bool
) -> None:
    """Refuse an edition that cannot go live at `begins`. `standing` are those of its subject that have a range."""
    if begins < now:
        raise ValidationError({"at": ValidationError("That instant has passed.", code="at_in_past")})
    if edition.live is not None:
        raise ValidationError("This edition is live, was live or is scheduled already.", code="already_live")
    if not is_approved:
        raise ValidationError("This edition is not approved.", code="not_approved")
    later = next((other for other in standing if other.live.lower >= begins), None)
    if later is not None:
        raise ValidationError(
            f"Edition {later.number} is scheduled for {later.live.lower:%Y-%m-%d %H:%M %Z}; cancel that first.",
            code="other_edition_then",
        )


def _open(
    kind: Kind,
    ranges: Sequence[Mapping[Any, DateTimeTZRange | None]],
    dates: Sequence[Mapping[Any, datetime | None]],
) -> None:
    """Write the ranges of a batch in one statement; where the database refuses, one by one, to say which it was."""

    def write(some: slice) -> None:
        with holding(kind.rules):
            set_ranges(
                kind,
                {pk: live for one in ranges[some] for pk, live in one.items()},
                published_at={pk: instant for one in dates[some] for pk, instant in one.items()},
            )

    try:
        write(slice(None))
    except ValidationError:
        refusals = Refusals()
        with transaction.atomic():
            for position in range(len(ranges)):
                with refusals.of(position):
                    write(slice(position, position + 1))
            refusals.stop()


@transaction.atomic
def cancel(kind: Kind, edition: Any, *, by: User | None = None) -> Any:
    """Cancel a scheduled publication, and let its predecessor go on. Raises ValidationError `not_scheduled`."""
    subject = lock(edition.subject)
    edition = kind.edition.objects.get(pk=edition.pk)
    if edition.live is None or edition.live.lower <= database_now():
        raise ValidationError("This edition is not scheduled.", code="not_scheduled")
    ranges: dict[Any, DateTimeTZRange | None] = {edition.pk: None}
    predecessor = kind.editions_of(subject).filter(live__endswith=edition.live.lower).first()
    if predecessor is not None:
        ranges[predecessor.pk] = DateTimeTZRange(predecessor.live.lower, edition.live.upper)
    with holding(kind.rules):
        set_ranges(kind, ranges, published_at={edition.pk: None})
    tell_of(kind, [edition], "cancelled", by=by)
    return kind.edition.objects.get(pk=edition.pk)


@transaction.atomic
def withdraw(kind: Kind, subject: Any, *, reason: str, at: datetime | None = None, by: User | None = None) -> Any:
    """Hide the subject from readers from `at` (None: from now) on, and return the edition that they no longer see.

    Raises ValidationError: `not_live`, `reason_missing`, `at_in_past`, `other_edition_then` (another one is scheduled).
    """
    if not reason.strip():
        raise ValidationError({"reason": ValidationError("Say why it is withdrawn.", code="reason_missing")})
    subject = lock(subject)
    now = database_now()
    ends = now if at is None else at
    if ends < now:
        raise ValidationError({"at": ValidationError("That instant has passed.", code="at_in_past")})
    editions = kind.editions_of(subject)
    if editions.filter(live__startswith__gt=now).exists():
        raise ValidationError("Another edition is scheduled; cancel that first.", code="other_edition_then")
    edition = editions.visible(ends).first()
    if edition is None:
        raise ValidationError("Readers do not see it then anyway.", code="not_live")
    with holding(kind.rules):
        edition.live = DateTimeTZRange(edition.live.lower, ends)
        edition.withdrawn_reason = reason.strip()
        edition.save(update_fields=["live", "withdrawn_reason"])
    tell_of(kind, [edition], "withdrawn", by=by, note=reason, at=at)
    return edition


def set_ranges(
    kind: Kind, ranges: Mapping[Any, DateTimeTZRange | None], *, published_at: Mapping[Any, datetime | None]
) -> None:
    """Write all `ranges` in one statement, so that no instant has two live editions and the feed hears one change."""
    live = Case(
        *[
            When(pk=pk, then=Value(value, output_field=kind.edition._meta.get_field("live")))
            for pk, value in ranges.items()
        ],
        default=F("live"),
    )
    published = Case(
        *[When(pk=pk, then=Value(value, output_field=models.DateTimeField())) for pk, value in published_at.items()],
        default=F("published_at"),
    )
    kind.edition.objects.filter(pk__in=list(ranges)).update(live=live, published_at=published)

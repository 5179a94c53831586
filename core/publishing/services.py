"""How a draft becomes public, for every kind that has editions. The services of an app wrap these in its own words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange
from django.db.models import Case, F, Max, Min, Value, When

from core.publishing.canonical import sha256_of
from core.publishing.happenings import Happening, Verb, tell
from core.publishing.models import BaseEdition, Drafted, Reference, Review
from core.publishing.rules import holding, rules_of


@dataclass(frozen=True)
class Frozen:
    """What freezing a draft gives: the document, the columns derived from it, and the references it makes."""

    content: dict[str, Any]
    columns: Mapping[str, Any]
    references: list[Reference] = field(default_factory=list)
    link: Callable[[Any], None] = lambda edition: None
    """Writes the join rows of the edition: authors in order, tags."""


@dataclass(frozen=True)
class Kind:
    """A kind of thing that is published, as its app declares it."""

    name: str
    edition: type[BaseEdition]
    subject: str
    approvals: int
    independent: bool

    @property
    def rules(self) -> dict[str, tuple[str | None, str, str]]:
        return rules_of(self.edition._meta.db_table, self.name)

    def editions_of(self, subject: Drafted) -> Any:
        return self.edition.objects.filter(**{self.subject: subject})


def database_now() -> datetime:
    """Return the database's clock: the only one that decides what is live."""
    with connection.cursor() as cursor:
        cursor.execute("select clock_timestamp()")
        return cursor.fetchone()[0]  # type: ignore[no-any-return]


def lock(subject: Drafted) -> Any:
    """Lock the identity for this transaction and return it as it is now: one verb at a time on one subject."""
    return type(subject)._default_manager.select_for_update().get(pk=subject.pk)


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


@transaction.atomic
def change_draft(
    subject: Any,
    *,
    based_on: int,
    by: User,
    fields: Mapping[str, Any],
    related: Mapping[str, Callable[[Any], bool]] = {},
) -> Any:
    """Write `fields` into the draft, if nobody has since version `based_on`, and return the draft.

    `related` maps names to functions that write rows beside the draft and return whether they changed any. A write that
    changes nothing makes no version. Raises StaleDraft, or ValidationError of the model.
    """
    draft = lock(subject)
    differing = {name: (getattr(draft, name), value) for name, value in fields.items() if getattr(draft, name) != value}
    if draft.draft_version != based_on:
        raise StaleDraft(draft.draft_version, differing)
    for name, value in fields.items():
        setattr(draft, name, value)
    draft.full_clean(validate_unique=True)
    changed = [name for name, write in related.items() if write(draft)]
    if differing or changed:
        draft.draft_version += 1
        draft.draft_changed_at = database_now()
        draft.draft_writer_ids = [*(pk for pk in draft.draft_writer_ids if pk != by.pk), by.pk]
        draft.save()
    return draft


@transaction.atomic
def take_up_draft(subject: Any, *, by: User) -> Any:
    """Make the draft work of `by` though nothing in it is written anew, and return it: what it binds to has moved."""
    draft = lock(subject)
    if by.pk not in draft.draft_writer_ids:
        draft.draft_writer_ids = [*draft.draft_writer_ids, by.pk]
        draft.draft_version += 1
        draft.draft_changed_at = database_now()
        draft.save(update_fields=["draft_writer_ids", "draft_version", "draft_changed_at"])
    return draft


@transaction.atomic
def submit(kind: Kind, subject: Any, *, by: User, freeze: Callable[[Any], Frozen], based_on: int | None = None) -> Any:
    """Freeze the draft as an edition in review, and return it.

    `based_on` is the version that was looked at: StaleDraft where the draft has moved on (None: whatever it says now).
    When the draft is what the newest edition already holds, that edition is returned: its approvals stand. One whose
    time is over is not: what was live is history, so to come back unchanged takes an edition of its own.
    """
    draft = lock(subject)
    if based_on is not None and draft.draft_version != based_on:
        raise StaleDraft(
            draft.draft_version,
            {},
            f"The draft has changed since this page was opened (version {based_on}, now {draft.draft_version}). "
            "Look at it again, then submit.",
        )
    frozen = freeze(draft)
    digest = sha256_of(frozen.content)
    editions = kind.editions_of(draft)
    newest = editions.order_by("-number").first()
    if newest is not None and newest.sha256 == digest and not _is_over(newest):
        return newest
    editions.filter(live=None, review_state__in=["in_review", "approved", "changes_requested"]).update(
        review_state="superseded"
    )
    number = (editions.aggregate(last=Max("number"))["last"] or 0) + 1
    edition = kind.edition(
        **{kind.subject: draft},
        number=number,
        slug=draft.slug,
        content=frozen.content,
        sha256=digest,
        submitted_by=by,
        writer_ids=sorted({*draft.draft_writer_ids, by.pk}),
        **frozen.columns,
    )
    edition.save(force_insert=True)
    frozen.link(edition)
    for reference in frozen.references:
        reference.holder_kind, reference.holder_id, reference.edition_id = kind.name, draft.pk, edition.pk
    Reference.objects.bulk_create(frozen.references)
    type(draft)._default_manager.filter(pk=draft.pk).update(draft_writer_ids=[])
    _tell(kind, draft, edition, "submitted", by=by)
    return edition


def edition_of_draft(kind: Kind, subject: Any, *, freeze: Callable[[Any], Frozen]) -> Any:
    """Return the newest edition where it holds just what the draft holds now, live, over or in review; else None."""
    newest = kind.editions_of(subject).order_by("-number").first()
    return newest if newest is not None and newest.sha256 == sha256_of(freeze(subject).content) else None


def _is_over(edition: BaseEdition) -> bool:
    return edition.live is not None and edition.live.upper is not None and edition.live.upper <= database_now()


def excluded_reviewers(kind: Kind, edition: Any) -> list[int]:
    """Return the accounts whose approval of `edition` does not count: its writers, under the four-eyes rule."""
    return list(edition.writer_ids) if kind.independent or settings.PLENUM_FOUR_EYES else []


def approvals_of(kind_name: str, target_id: Any, sha256: str, excluded: Iterable[int]) -> int:
    """Return how many people approve of exactly this content; 0 where somebody asks for changes."""
    with connection.cursor() as cursor:
        cursor.execute("select publishing_approvals(%s, %s, %s::int[])", [target_id, sha256, list(excluded)])
        return cursor.fetchone()[0]  # type: ignore[no-any-return]


@transaction.atomic
def review(kind: Kind, edition: Any, *, by: User, verdict: str, note: str = "") -> Any:
    """Give a verdict on `edition`, and return it with its new state.

    Raises ValidationError: `note_missing` (changes are asked for without saying which), `own_edition` (a writer's
    approval does not count here), `not_in_review`.
    """
    lock(edition.subject)
    edition = kind.edition.objects.get(pk=edition.pk)
    if edition.live is not None or edition.review_state == "superseded":
        raise ValidationError("This edition is not in review.", code="not_in_review")
    if verdict == Review.Verdict.CHANGES_REQUESTED and not note.strip():
        raise ValidationError({"note": ValidationError("Say what should change.", code="note_missing")})
    excluded = excluded_reviewers(kind, edition)
    if verdict == Review.Verdict.APPROVED and by.pk in excluded:
        raise ValidationError("You wrote a part of this edition; somebody else approves it.", code="own_edition")
    Review.objects.create(
        kind=kind.name,
        target_id=edition.pk,
        sha256=edition.sha256,
        verdict=verdict,
        note=note.strip(),
        reviewer=by,
        at=database_now(),
    )
    before = edition.review_state
    if verdict == Review.Verdict.CHANGES_REQUESTED:
        state = "changes_requested"
    else:
        enough = approvals_of(kind.name, edition.pk, edition.sha256, excluded) >= kind.approvals
        state = "approved" if enough else edition.review_state
    if state != edition.review_state:
        edition.review_state = state
        edition.save(update_fields=["review_state"])
    if verdict == Review.Verdict.CHANGES_REQUESTED:
        _tell(kind, edition.subject, edition, "changes_requested", by=by, note=note)
    elif state != before:
        _tell(kind, edition.subject, edition, "approved", by=by, note=note)
    return edition


@transaction.atomic
def publish(
    kind: Kind,
    edition: Any,
    *,
    at: datetime | None = None,
    published_at: datetime | None = None,
    by: User | None = None,
) -> Any:
    """Make `edition` what readers see from `at` (timezone-aware; None: from now) on, and return it.

    The predecessor's range closes at the same instant, in one statement. `published_at` is the original instant of an
    import; `by` is who asked, for the notices. Raises ValidationError: `at_in_past`, `already_live`, `not_approved`,
    `other_edition_then`, `slug_taken`.
    """
    subject = lock(edition.subject)
    edition = kind.edition.objects.get(pk=edition.pk)
    now = database_now()
    begins = now if at is None else at
    if begins < now:
        raise ValidationError({"at": ValidationError("That instant has passed.", code="at_in_past")})
    if edition.live is not None:
        raise ValidationError("This edition is live, was live or is scheduled already.", code="already_live")
    excluded = excluded_reviewers(kind, edition)
    if approvals_of(kind.name, edition.pk, edition.sha256, excluded) < kind.approvals:
        raise ValidationError("This edition is not approved.", code="not_approved")
    others = kind.editions_of(subject).exclude(live=None)
    later = others.filter(live__startswith__gte=begins).first()
    if later is not None:
        raise ValidationError(
            f"Edition {later.number} is scheduled for {later.live.lower:%Y-%m-%d %H:%M %Z}; cancel that first.",
            code="other_edition_then",
        )
    predecessor = others.filter(live__contains=begins).first()
    ends = predecessor.live.upper if predecessor is not None else None
    first = others.filter(live__startswith__lt=begins).aggregate(first=Min("published_at"))["first"]
    ranges = {edition.pk: DateTimeTZRange(begins, ends)}
    if predecessor is not None:
        ranges[predecessor.pk] = DateTimeTZRange(predecessor.live.lower, begins)
    with holding(kind.rules):
        set_ranges(kind, ranges, published_at={edition.pk: first or published_at or begins})
    _tell(kind, subject, edition, "published" if at is None else "scheduled", by=by, at=at)
    return kind.edition.objects.get(pk=edition.pk)


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
    _tell(kind, subject, edition, "cancelled", by=by)
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
    _tell(kind, subject, edition, "withdrawn", by=by, note=reason, at=at)
    return edition


def _tell(
    kind: Kind, subject: Any, edition: Any, verb: Verb, *, by: User | None, note: str = "", at: datetime | None = None
) -> None:
    tell(
        Happening(
            verb,
            subject,
            edition.pk,
            edition.number,
            by,
            writer_ids=tuple(edition.writer_ids),
            excluded_ids=tuple(excluded_reviewers(kind, edition)),
            note=note,
            at=at,
        )
    )


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

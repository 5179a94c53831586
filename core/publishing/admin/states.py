"""Where a draft and its editions stand, in the words of the admin."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields import DateTimeField
from django.db.models.functions import Lower
from django.http import HttpRequest

from core.publishing.models import Review
from core.publishing.services import Kind, approvals_of, excluded_reviewers

CLOCK = Func(function="clock_timestamp", output_field=DateTimeField())
"""The database's clock, inside a statement."""

OPEN = ("in_review", "approved", "changes_requested")


def with_states(queryset: QuerySet, kind: Kind) -> QuerySet:
    """Annotate subjects with what a list says of them, inside the one statement that loads them."""
    editions: Any = kind.edition._default_manager.filter(**{kind.subject: OuterRef("pk")})
    newest = editions.order_by("-number")
    return queryset.annotate(
        live_number=Subquery(editions.filter(live__contains=CLOCK).values("number")[:1]),
        was_live=Exists(editions.filter(live__startswith__lte=CLOCK)),
        scheduled_number=Subquery(editions.filter(live__startswith__gt=CLOCK).order_by("live").values("number")[:1]),
        scheduled_at=Subquery(
            editions.filter(live__startswith__gt=CLOCK)
            .order_by("live")
            .annotate(begins=Lower("live", output_field=DateTimeField()))
            .values("begins")[:1]
        ),
        newest_number=Subquery(newest.values("number")[:1]),
        newest_state=Subquery(newest.filter(live=None).values("review_state")[:1]),
    )


def readers_see(row: Any) -> tuple[str, str]:
    """Return what readers see of an annotated subject, and the tone of its label."""
    if row.scheduled_number and not row.live_number:
        return "Scheduled", "info"
    if row.live_number:
        return f"Edition {row.live_number}", "success"
    return ("Withdrawn", "danger") if row.was_live else ("Nothing yet", "")


class ReadersFilter(SimpleListFilter):
    """What readers see."""

    title = "readers see"
    parameter_name = "readers"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("live", "An edition"),
            ("scheduled", "One that is scheduled"),
            ("withdrawn", "Nothing any more"),
            ("never", "Nothing yet"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "live":
                return queryset.filter(live_number__isnull=False)
            case "scheduled":
                return queryset.filter(scheduled_number__isnull=False)
            case "withdrawn":
                return queryset.filter(live_number=None, was_live=True, scheduled_number=None)
            case "never":
                return queryset.filter(live_number=None, was_live=False, scheduled_number=None)
        return queryset


class WorkFilter(SimpleListFilter):
    """What waits for whom."""

    title = "work"
    parameter_name = "work"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("in_review", "Waiting for review"),
            ("changes_requested", "Changes requested"),
            ("approved", "Approved, not published"),
            ("draft", "Draft with changes to submit"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() == "draft":
            return queryset.filter(~Q(draft_writer_ids=[]) | Q(newest_number=None))
        if self.value() in OPEN:
            return queryset.filter(newest_state=self.value())
        return queryset


@dataclass(frozen=True)
class Step:
    """Something that can be done next: a link to the page that asks for it."""

    label: str
    address: str
    tone: str = ""


@dataclass
class EditionRow:
    """An edition as the panel shows it."""

    edition: Any
    state: str
    tone: str
    begins: datetime | None
    ends: datetime | None
    reviews: list[Review]
    is_scheduled: bool = False
    is_live: bool = False
    is_open: bool = False
    approvals: int = 0
    approvals_needed: int = 0
    steps: list[Step] = field(default_factory=list)

    @property
    def can_be_published(self) -> bool:
        return self.is_open and self.approvals >= self.approvals_needed


def edition_rows(kind: Kind, subject: Any, at: datetime) -> list[EditionRow]:
    """Return the editions of `subject` as they stand at `at` (timezone-aware), newest first."""
    editions = list(kind.editions_of(subject).select_related("submitted_by").defer("content").order_by("-number"))
    reviews: dict[Any, list[Review]] = {}
    for review in (
        Review.objects.filter(target_id__in=[edition.pk for edition in editions])
        .select_related("reviewer")
        .order_by(F("at").desc(), "-id")
    ):
        reviews.setdefault(review.target_id, []).append(review)
    return [_row(kind, edition, reviews.get(edition.pk, []), at) for edition in editions]


def _row(kind: Kind, edition: Any, reviews: list[Review], at: datetime) -> EditionRow:
    begins = edition.live.lower if edition.live else None
    ends = edition.live.upper if edition.live else None
    row = EditionRow(edition, "", "", begins, ends, reviews, approvals_needed=kind.approvals)
    if begins is None:
        row.state, row.tone = edition.get_review_state_display(), TONES.get(edition.review_state, "")
        row.is_open = edition.review_state in OPEN
        if row.is_open:
            row.approvals = approvals_of(kind.name, edition.pk, edition.sha256, excluded_reviewers(kind, edition))
    elif begins > at:
        row.state, row.tone, row.is_scheduled = "Scheduled", "info", True
    elif ends is None or ends > at:
        row.state, row.tone, row.is_live = "Live", "success", True
    else:
        row.state, row.tone = ("Withdrawn", "danger") if edition.withdrawn_reason else ("Replaced", "")
    return row


TONES = {"in_review": "warning", "approved": "info", "changes_requested": "danger"}

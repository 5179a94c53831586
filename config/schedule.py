"""The calendar of what is scheduled, and of what went live and ended: by month, or as a list of days.

All of it is on the clock of the person who looks, whose zone is named. A day begins at its first instant there, so one
of 23 or 25 hours holds what happens in it. Three statements, whatever there is.
"""

from calendar import Calendar
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.db.models.functions import Lower, Upper
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from config.piles import DRAFTED
from core.publishing.admin import DraftedAdmin
from core.publishing.services import database_now
from sponsors.models import Placement

MOST = 1000
"""So many of one kind are shown of one stretch; the page says where there are more."""
LIST_DAYS = 60
IN_A_CELL = 4
FIRST, LAST = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True)
class Event:
    """Something begins or ends for readers at `at`, which is on the clock of the person who looks.

    `what` says what, `is_ahead` whether it still can be called off.
    """

    at: datetime
    title: str
    kind: str
    what: str
    link: str
    is_ahead: bool

    @property
    def clock(self) -> str:
        """The time of day with the zone's name, which tells the two hours of a long night apart."""
        return f"{self.at:%H:%M %Z}"


@dataclass(frozen=True)
class Day:
    on: date
    events: list[Event]
    is_in_month: bool = True
    is_today: bool = False

    @property
    def shown(self) -> list[Event]:
        if len(self.events) <= IN_A_CELL:
            return self.events
        # What can still be called off is not hidden behind what has been.
        first = sorted(self.events, key=lambda event: not event.is_ahead)[: IN_A_CELL - 1]
        return sorted(first, key=lambda event: event.at)

    @property
    def hidden_count(self) -> int:
        return len(self.events) - len(self.shown)


def sees_schedule(request: HttpRequest) -> bool:
    """Return whether this person may see any of what the calendar shows."""
    return any(True for _ in _admins(request))


def _admins(request: HttpRequest) -> Iterator[Any]:
    for label in (*DRAFTED, "sponsors.Placement"):
        model_admin = admin.site._registry.get(apps.get_model(label))
        if model_admin is not None and model_admin.has_view_or_change_permission(request):
            yield model_admin


def events_between(request: HttpRequest, begin: datetime, end: datetime, *, now: datetime) -> tuple[list[Event], bool]:
    """Return what begins or ends from `begin` to before `end`, in order, and whether some is left out."""
    found: list[Event] = []
    is_cut = False
    for model_admin in _admins(request):
        events = _of_drafted if isinstance(model_admin, DraftedAdmin) else _of_placements
        rows = list(events(model_admin, begin, end, now))
        is_cut |= len(rows) > MOST
        found += rows[:MOST]
    inside = [replace(event, at=timezone.localtime(event.at)) for event in found if begin <= event.at < end]
    return sorted(inside, key=lambda event: (event.at, event.title)), is_cut


def _of_drafted(model_admin: Any, begin: datetime, end: datetime, now: datetime) -> Iterator[Event]:
    """Yield the editions that go live, and those that are withdrawn: where one follows another, only the one begins."""
    kind = model_admin.verbs.kind
    name = str(model_admin.opts.verbose_name)
    ends = Q(live__endswith__gte=begin, live__endswith__lt=end) & ~Q(withdrawn_reason="")
    rows = (
        kind.edition._default_manager.filter(Q(live__startswith__gte=begin, live__startswith__lt=end) | ends)
        .annotate(begins=Lower("live"), ends=Upper("live"))
        .select_related(kind.subject)
        .only("number", "live", "withdrawn_reason", *_names(kind))
        .order_by("live", "pk")[: MOST + 1]
    )
    for row in rows:
        subject = row.subject
        link = reverse(f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_change", args=[subject.pk])
        begins, ends_at = row.begins, row.ends
        verb = "goes" if begins > now else "went"
        yield Event(begins, str(subject), name, f"edition {row.number} {verb} live", link, begins > now)
        if ends_at is not None and row.withdrawn_reason:
            verb = "is" if ends_at > now else "was"
            yield Event(ends_at, str(subject), name, f"{verb} withdrawn", link, ends_at > now)


def _names(kind: Any) -> list[str]:
    """Return the columns that a subject is called by."""
    model = kind.edition._meta.get_field(kind.subject).related_model
    return [
        f"{kind.subject}__{one.name}" for one in model._meta.concrete_fields if one.name in ("title", "name", "slug")
    ]


def _of_placements(model_admin: Any, begin: datetime, end: datetime, now: datetime) -> Iterator[Event]:
    """Yield where the periods of placements begin and end: of those that readers see, and those that wait for it."""
    rows = (
        Placement.objects.filter(suspended_at=None, review_state__in=["approved", "in_review"])
        .filter(
            Q(period__startswith__gte=begin, period__startswith__lt=end)
            | Q(period__endswith__gte=begin, period__endswith__lt=end)
        )
        .order_by("period", "pk")[: MOST + 1]
    )
    for row in rows:
        link = reverse("admin:sponsors_placement_change", args=[row.pk])
        waits = " (not approved)" if row.review_state == "in_review" else ""
        for at, verb in ((row.period.lower, "begin"), (row.period.upper, "end")):
            yield Event(at, str(row), "placement", f"{verb}s{waits}", link, at > now)


# Days


def day_begins(on: date) -> datetime:
    """Return the first instant of a day on the clock of the current zone (timezone-aware).

    Where clocks leap over midnight, that is the instant at which they leap.
    """
    return datetime(on.year, on.month, on.day, tzinfo=timezone.get_current_timezone())


def days_between(first: date, last: date, events: list[Event], *, month: int = 0, today: date) -> list[Day]:
    """Return each day from `first` to `last`, with the events of it."""
    by_day: dict[date, list[Event]] = {}
    for event in events:
        by_day.setdefault(event.at.date(), []).append(event)
    return [
        Day(on, by_day.get(on, []), not month or on.month == month, on == today)
        for on in (first + timedelta(days=n) for n in range((last - first).days + 1))
    ]


def calendar(request: HttpRequest) -> HttpResponse:
    """Show a month, or a list of days from one on: `view=list`, `on=2026-11-30`."""
    if not sees_schedule(request):
        raise PermissionDenied
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    now = database_now()
    today = now.astimezone(timezone.get_current_timezone()).date()
    on = _date(request.GET.get("on", ""), today)
    is_list = request.GET.get("view") == "list"
    if is_list:
        first, last = on, min(on + timedelta(days=LIST_DAYS - 1), LAST)
        before, after = on - timedelta(days=LIST_DAYS), on + timedelta(days=LIST_DAYS)
    else:
        weeks = Calendar().monthdatescalendar(on.year, on.month)
        first, last = weeks[0][0], weeks[-1][-1]
        before = (on.replace(day=1) - timedelta(days=1)).replace(day=1)
        after = (on.replace(day=28) + timedelta(days=4)).replace(day=1)
    events, is_cut = events_between(request, day_begins(first), day_begins(last + timedelta(days=1)), now=now)
    days = days_between(first, last, events, month=0 if is_list else on.month, today=today)
    context = {
        **admin.site.each_context(request),
        "title": "Calendar",
        "is_list": is_list,
        "is_cut": is_cut,
        "most": MOST,
        "zone": timezone.get_current_timezone_name(),
        "on": on,
        "first": first,
        "last": last,
        "before": before if before >= FIRST else None,
        "after": after if after <= LAST else None,
        "days": [day for day in days if day.events] if is_list else [],
        "weeks": [days[n : n + 7] for n in range(0, len(days), 7)] if not is_list else [],
        "count": len([event for event in events if is_list or event.at.month == on.month]),
        "ahead_count": sum(event.is_ahead for event in events),
    }
    return TemplateResponse(request, "admin/calendar.html", context)


def _date(text: str, otherwise: date) -> date:
    """Return the day that an address names; what is none, or out of reach, is today."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return otherwise
    return found if FIRST <= found <= LAST else otherwise

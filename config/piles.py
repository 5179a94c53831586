"""What waits for somebody, in piles: the first page of the admin.

Each pile costs one statement for each kind that has it, and one more where more waits than is shown.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.urls import reverse

from articles.models import Article
from articles.moved import moved_articles
from core.publishing.admin import DraftedAdmin
from core.publishing.admin.states import CLOCK
from core.publishing.models import Review
from core.publishing.services import Kind, excluded_reviewers
from simulator.drift import drift_in_words
from simulator.models import Scenario, ScenarioDrift
from sponsors.models import Placement

SHOWN = 6
COUNTED = 99
"""No pile is counted further."""

DRAFTED = ("articles.Article", "sponsors.Vendor")


@dataclass(frozen=True)
class Entry:
    """One thing that waits. `at` is the instant that matters, `about` what to say of it before that."""

    title: str
    link: str
    kind: str
    about: str = ""
    at: datetime | None = None


@dataclass
class Pile:
    """What waits for one reason. `more` leads to all of it."""

    key: str
    title: str
    empty: str
    entries: list[Entry] = field(default_factory=list)
    count: int = 0
    more: str = ""

    @property
    def count_in_words(self) -> str:
        return f"{COUNTED}+" if self.count > COUNTED else str(self.count)


@dataclass(frozen=True)
class _Drafted:
    """A kind with drafts of which this person may see all, and what else this person may do with it."""

    admin: DraftedAdmin
    kind: Kind
    rows: QuerySet
    may_review: bool
    may_publish: bool

    @property
    def name(self) -> str:
        return str(self.admin.opts.verbose_name)

    def page(self, name: str, row: Any, number: int | None = None) -> str:
        if name == "change":
            return reverse(f"admin:{self.admin.opts.app_label}_{self.admin.opts.model_name}_change", args=[row.pk])
        return self.admin.verb_address(name, row, number)

    def entry(self, about: str, *, at: str = "", page: str = "change", anchor: str = "") -> Callable[[Any], Entry]:
        """Return what makes an entry of a row: `about` may name it ({row.newest_number}), `at` is a column.

        `anchor` is the place on the page, as `#moved`.
        """

        def made(row: Any) -> Entry:
            number = None if page == "change" else row.newest_number
            instant = getattr(row, at) if at else None
            return Entry(str(row), self.page(page, row, number) + anchor, self.name, about.format(row=row), instant)

        return made

    def listing(self, query: str) -> str:
        address = reverse(f"admin:{self.admin.opts.app_label}_{self.admin.opts.model_name}_changelist")
        return f"{address}?{query}"

    def editions(self, **conditions: Any) -> QuerySet:
        editions = self.kind.edition._default_manager
        return editions.filter(**{self.kind.subject: OuterRef("pk")}, **conditions)


def piles_of(request: HttpRequest) -> list[Pile]:
    """Return the piles of the person who asks, in the order in which they press."""
    drafted = list(_drafted(request))
    placements = _placements(request)
    if not drafted and placements is None:
        return []
    user: Any = request.user
    piles = [
        _to_review(user, drafted, placements if _may_review_placements(request) else None),
        _changes_requested(user, drafted),
        _to_publish(drafted),
        _own_drafts(user, drafted),
        _waiting_for_others(user, drafted),
        _scheduled(drafted, placements),
        _moved(drafted),
        _drifted_scenarios(request),
        _recent(drafted),
    ]
    return [pile for pile in piles if pile is not None]


def starts_of(request: HttpRequest) -> list[dict[str, str]]:
    """Return what this person may begin."""
    return [
        {
            "title": f"New {each.name}",
            "link": reverse(f"admin:{each.admin.opts.app_label}_{each.admin.opts.model_name}_add"),
        }
        for each in _drafted(request)
        if each.admin.has_add_permission(request)
    ]


def _drafted(request: HttpRequest) -> Iterator[_Drafted]:
    for label in DRAFTED:
        model = apps.get_model(label)
        model_admin = admin.site._registry.get(model)
        if isinstance(model_admin, DraftedAdmin) and model_admin.has_view_or_change_permission(request):
            long = [one.name for one in model._meta.concrete_fields if isinstance(one, models.TextField)]
            rows = model_admin.get_queryset(request).prefetch_related(None).select_related(None).defer(*long)
            yield _Drafted(
                model_admin,
                model_admin.verbs.kind,
                rows.order_by("-draft_changed_at", "-pk"),
                may_review=model_admin.has_review_permission(request),
                may_publish=model_admin.has_publish_permission(request),
            )


def _placements(request: HttpRequest) -> QuerySet[Placement] | None:
    model_admin: Any = admin.site._registry.get(Placement)
    if model_admin is None or not model_admin.has_view_or_change_permission(request):
        return None
    return Placement.objects.filter(suspended_at=None).order_by("period", "id")


def _may_review_placements(request: HttpRequest) -> bool:
    return admin.site._registry[Placement].has_review_permission(request)  # type: ignore[attr-defined]


def _fill(pile: Pile, rows: QuerySet, entry: Callable[[Any], Entry], more: str = "") -> None:
    """Put the first of `rows` on a pile, and count the others where there are more."""
    found = list(rows[: SHOWN + 1])
    pile.entries += [entry(row) for row in found[:SHOWN]]
    if len(found) <= SHOWN:
        pile.count += len(found)
    else:
        pile.count += rows.order_by()[: COUNTED + 1].count()
        pile.more = pile.more or more


def _to_review(user: User, drafted: list[_Drafted], placements: QuerySet[Placement] | None) -> Pile | None:
    """What this person may review: not what has his approval, nor his own where that does not count."""
    reviewed = Review.objects.filter(target_id=OuterRef("pk"), reviewer=user, verdict="approved")
    kinds = [each for each in drafted if each.may_review]
    if not kinds and placements is None:
        return None
    pile = Pile("review", "For you to review", "Nothing waits for your review.")
    for each in kinds:
        waiting = each.editions(live=None, review_state="in_review").filter(~Exists(reviewed))
        if each.kind.independent or excluded_reviewers(each.kind, _Written([user.pk])):
            waiting = waiting.exclude(writer_ids__contains=[user.pk])
        _fill(
            pile,
            each.rows.filter(Exists(waiting)),
            each.entry("edition {row.newest_number}", page="review"),
            each.listing("work=in_review"),
        )
    if placements is not None:
        _fill(
            pile,
            placements.filter(~Exists(reviewed), review_state="in_review").exclude(writer_ids__contains=[user.pk]),
            _of_placement("review", "from"),
            reverse("admin:sponsors_placement_changelist"),
        )
    return pile


def _of_placement(page: str, about: str) -> Callable[[Any], Entry]:
    def made(row: Any) -> Entry:
        link = reverse(f"admin:sponsors_placement_{page}", args=[row.pk])
        return Entry(str(row), link, "placement", about, row.period.lower)

    return made


@dataclass(frozen=True)
class _Written:
    """An edition of which only its writers matter."""

    writer_ids: list[int]


def _changes_requested(user: User, drafted: list[_Drafted]) -> Pile:
    pile = Pile("changes", "Changes asked of you", "Nobody asks you for changes.")
    for each in drafted:
        asked = each.editions(live=None, review_state="changes_requested", writer_ids__contains=[user.pk])
        _fill(
            pile,
            each.rows.filter(Exists(asked)),
            each.entry("edition {row.newest_number}, draft changed", at="draft_changed_at"),
            each.listing("work=changes_requested"),
        )
    return pile


def _to_publish(drafted: list[_Drafted]) -> Pile | None:
    kinds = [each for each in drafted if each.may_publish]
    if not kinds:
        return None
    pile = Pile("publish", "Approved, to be published", "Nothing waits to be published.")
    for each in kinds:
        _fill(
            pile,
            each.rows.filter(Exists(each.editions(live=None, review_state="approved")), newest_state="approved"),
            each.entry("edition {row.newest_number}", page="publish"),
            each.listing("work=approved"),
        )
    return pile


def _own_drafts(user: User, drafted: list[_Drafted]) -> Pile:
    pile = Pile("drafts", "Your drafts", "You have no draft with changes to submit.")
    for each in drafted:
        _fill(
            pile,
            each.rows.filter(draft_writer_ids__contains=[user.pk]),
            each.entry("changed", at="draft_changed_at"),
            each.listing("work=draft"),
        )
    return pile


def _waiting_for_others(user: User, drafted: list[_Drafted]) -> Pile:
    pile = Pile("waiting", "Yours, in review", "Nothing of yours waits for a review.")
    for each in drafted:
        mine = each.editions(live=None, review_state="in_review", writer_ids__contains=[user.pk])
        _fill(
            pile,
            each.rows.filter(Exists(mine)).annotate(submitted_at=Subquery(mine.values("submitted_at")[:1])),
            each.entry("edition {row.newest_number}, submitted", at="submitted_at"),
            each.listing("work=in_review"),
        )
    return pile


def _scheduled(drafted: list[_Drafted], placements: QuerySet[Placement] | None) -> Pile:
    """What goes live by itself, the next first."""
    pile = Pile("scheduled", "Scheduled", "Nothing is scheduled.", more=reverse("calendar") + "?view=list")
    for each in drafted:
        _fill(
            pile,
            each.rows.filter(Exists(each.editions(live__startswith__gt=CLOCK))).order_by("scheduled_at", "pk"),
            each.entry("edition {row.scheduled_number},", at="scheduled_at"),
        )
    if placements is not None:
        _fill(
            pile,
            placements.filter(review_state="approved", period__startswith__gt=CLOCK),
            _of_placement("change", ""),
        )
    pile.entries = sorted(pile.entries, key=lambda entry: entry.at.timestamp() if entry.at else 0)[:SHOWN]
    return pile


def _moved(drafted: list[_Drafted]) -> Pile | None:
    """Live articles with a quantity whose record says something else today."""
    each = next((each for each in drafted if each.admin.model is Article), None)
    if each is None:
        return None
    pile = Pile("moved", "Quantities that moved", "What readers see is what the records say.")
    _fill(
        pile,
        moved_articles().defer("body", "note"),
        each.entry("{row.moved_count} moved", anchor="#moved"),
    )
    return pile


def _drifted_scenarios(request: HttpRequest) -> Pile | None:
    """Scenarios of which a run of today says something else, for those who may accept it, if there are any."""
    model_admin: Any = admin.site._registry.get(Scenario)
    if model_admin is None or not model_admin.has_change_permission(request):
        return None
    pile = Pile("drifted", "Scenarios that moved", "What scenarios say is what a run of today says.")
    _fill(
        pile,
        ScenarioDrift.objects.select_related("scenario")
        .defer("scenario__result", "scenario__input")
        .order_by("-since"),
        _of_drift,
        f"{reverse('admin:simulator_scenario_changelist')}?moved=yes",
    )
    return pile if pile.count else None


def _of_drift(drift: ScenarioDrift) -> Entry:
    address = reverse("admin:simulator_scenario_change", args=[drift.scenario_id])
    return Entry(drift.scenario.title, address, "scenario", f"{drift_in_words(drift.data)}, since", drift.since)


def _recent(drafted: list[_Drafted]) -> Pile:
    """What readers see since lately, the last first. It is not counted: that would count the publication."""
    pile = Pile("recent", "Recently published", "Readers see nothing yet.")
    for each in drafted:
        live = (
            each.kind.edition._default_manager.filter(live__contains=CLOCK)
            .annotate(since=Lower("live", output_field=models.DateTimeField()))
            .order_by("-since", "-id")
            .values_list(f"{each.kind.subject}_id", "number", "since")[:SHOWN]
        )
        found = list(live)
        rows = each.rows.in_bulk([pk for pk, _, _ in found]) if found else {}
        pile.entries += [
            Entry(str(rows[pk]), each.page("change", rows[pk]), each.name, f"edition {number},", since)
            for pk, number, since in found
            if pk in rows
        ]
    pile.entries = sorted(pile.entries, key=lambda entry: entry.at.timestamp() if entry.at else 0, reverse=True)[:SHOWN]
    return pile

"""The admin as a whole: its navigation, and the first page, which says what waits for whom."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse

from core.publishing.admin import DraftedAdmin

NAVIGATION: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "Publication",
        [
            ("articles.Article", "article"),
            ("articles.Author", "badge"),
            ("articles.Tag", "sell"),
            ("media.Image", "image"),
        ],
    ),
    (
        "Evidence",
        [("facts.Fact", "fact_check"), ("facts.Source", "menu_book"), ("simulator.Scenario", "calculate")],
    ),
    (
        "Catalogue",
        [
            ("catalog.Device", "dns"),
            ("catalog.ModuleType", "memory"),
            ("catalog.RackType", "shelves"),
            ("catalog.Installation", "factory"),
            ("catalog.Manufacturer", "precision_manufacturing"),
            ("catalog.Section", "category"),
            ("catalog.Rung", "stairs"),
        ],
    ),
    ("Directory", [("sponsors.Vendor", "storefront"), ("sponsors.Placement", "ads_click")]),
    (
        "Platform",
        [("auth.User", "person"), ("auth.Group", "group"), ("procrastinate.ProcrastinateJob", "schedule")],
    ),
]
NAMES = {"procrastinate.ProcrastinateJob": "Background jobs"}
LIMIT = 8


def style(request: HttpRequest) -> str:
    return static("plenum/admin.css")


def icon(request: HttpRequest) -> str:
    return static("plenum/icon.svg")


def script(request: HttpRequest) -> str:
    return static("plenum/admin.js")


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of the sidebar, with what this person may see and nothing else."""
    groups: list[dict[str, Any]] = [
        {"items": [{"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")}]}
    ]
    for title, entries in NAVIGATION:
        items = []
        for label, icon in entries:
            model = apps.get_model(label)
            model_admin = admin.site._registry.get(model)
            if model_admin is not None and model_admin.has_view_or_change_permission(request):
                address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
                name = NAMES.get(label, str(model._meta.verbose_name_plural))
                items.append({"title": name[:1].upper() + name[1:], "icon": icon, "link": address})
        if items:
            groups.append({"title": title, "items": items})
    return groups


@dataclass(frozen=True)
class Pile:
    """What waits for one reason."""

    title: str
    empty: str
    rows: list[dict[str, Any]]


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what waits: for review, for publication, for its hour, for this person."""
    wanted: list[tuple[str, str, Q, str]] = [
        ("Waiting for review", "Nothing waits for review.", Q(newest_state="in_review"), "work=in_review"),
        ("Approved, not published", "Nothing waits to be published.", Q(newest_state="approved"), "work=approved"),
        ("Scheduled", "Nothing is scheduled.", Q(scheduled_number__isnull=False), "readers=scheduled"),
        (
            "Your drafts",
            "You have no draft with changes to submit.",
            Q(draft_writer_ids__contains=[request.user.pk]),
            "work=draft",
        ),
    ]
    kinds = list(_kinds(request))
    piles = []
    for title, empty, condition, query in wanted:
        rows = []
        for model_admin, queryset in kinds:
            found = list(queryset.filter(condition)[: LIMIT + 1])
            address = f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}"
            rows += [
                {"row": row, "kind": model_admin.opts.verbose_name, "link": reverse(f"{address}_change", args=[row.pk])}
                for row in found[:LIMIT]
            ]
            if len(found) > LIMIT:
                more = f"{reverse(f'{address}_changelist')}?{query}"
                rows.append({"row": "All of them", "kind": model_admin.opts.verbose_name_plural, "link": more})
        piles.append(Pile(title, empty, rows))
    starts = [
        {
            "title": f"New {model_admin.opts.verbose_name}",
            "link": reverse(f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_add"),
        }
        for model_admin, _ in kinds
        if model_admin.has_add_permission(request)
    ]
    return {**context, "piles": piles if kinds else [], "starts": starts}


def _kinds(request: HttpRequest) -> Iterator[tuple[DraftedAdmin, QuerySet]]:
    """Return the admins of what is published, of which this person may see drafts, each with its drafts."""
    order = [apps.get_model(label) for _, entries in NAVIGATION for label, _ in entries]
    for model in order:
        model_admin = admin.site._registry.get(model)
        if isinstance(model_admin, DraftedAdmin) and model_admin.has_view_or_change_permission(request):
            yield model_admin, model_admin.get_queryset(request).order_by("-draft_changed_at", "-pk")

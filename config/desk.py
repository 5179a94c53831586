"""The admin as a whole: its navigation, and the first page, which says what waits for whom."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone

from config.piles import piles_of, starts_of
from config.schedule import sees_schedule

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


def style(request: HttpRequest) -> str:
    return static("plenum/admin.css")


def icon(request: HttpRequest) -> str:
    return static("plenum/icon.svg")


def script(request: HttpRequest) -> str:
    return static("plenum/admin.js")


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of the sidebar, with what this person may see and nothing else."""
    first = [{"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")}]
    if sees_schedule(request):
        first.append({"title": "Calendar", "icon": "calendar_month", "link": reverse("calendar")})
    groups: list[dict[str, Any]] = [{"items": first}]
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


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what waits for this person, and what this person may begin."""
    return {
        **context,
        "piles": piles_of(request),
        "starts": starts_of(request),
        "zone": timezone.get_current_timezone_name(),
    }

"""What the media browser filters by."""

from typing import Any

from django.conf import settings
from django.contrib.admin import SimpleListFilter
from django.db.models import F
from django.http import HttpRequest
from django.utils.module_loading import import_string

from core.media.services import recipe

LARGE_BYTES = 5_000_000


class Needs(SimpleListFilter):
    """What somebody should do about an image."""

    title = "what it needs"
    parameter_name = "needs"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("alt", "Alternative text"),
            ("file", "Its file"),
            ("use", "A use: nothing shows it"),
            ("renditions", "Renditions: the worker has not made them"),
            ("repair", "Repair: renditions failed"),
        ]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "alt":
                return queryset.filter(alt="")
            case "file":
                return queryset.filter(file="")
            case "use":
                return import_string(settings.PLENUM_UNUSED)(queryset)
            case "renditions":
                return queryset.waiting(recipe())
            case "repair":
                return queryset.exclude(render_error="")
        return queryset


class Shape(SimpleListFilter):
    """How large it is, and which way it lies."""

    title = "shape"
    parameter_name = "shape"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("large", "Large: over 5 MB"),
            ("small", "Narrow: under 640 pixels"),
            ("wide", "Landscape"),
            ("tall", "Portrait"),
        ]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "large":
                return queryset.filter(byte_count__gt=LARGE_BYTES)
            case "small":
                return queryset.filter(width__lt=640)
            case "wide":
                return queryset.filter(width__gte=F("height"))
            case "tall":
                return queryset.filter(width__lt=F("height"))
        return queryset

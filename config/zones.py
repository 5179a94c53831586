"""The clock of an editor: the admin shows instants in the time zone that the browser told in a cookie, and names it."""

from collections.abc import Callable
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

COOKIE = "plenum_zone"


def activate_zone(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware of the admin alone: what the public gets never depends on a cookie."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        name = request.COOKIES.get(COOKIE, "")
        if not request.path_info.startswith("/admin/") or name not in available_timezones():
            return get_response(request)
        with timezone.override(ZoneInfo(name)):
            return get_response(request)

    return middleware

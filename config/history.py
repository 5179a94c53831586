"""Who changed a record of the catalogue: the account at the admin, in each event that is written meanwhile."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from core.api.history import attributed


def name_account(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware of writes at the admin alone: the public writes nothing here, and its answers ask for no session."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method in ("GET", "HEAD", "OPTIONS") or not request.path_info.startswith("/admin/"):
            return get_response(request)
        if not request.user.is_authenticated:
            return get_response(request)
        with attributed(user=request.user.pk, url=request.path):
            return get_response(request)

    return middleware

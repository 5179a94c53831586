"""`/metrics`: how the feed keeps up, in the text format of Prometheus.

How many publications are planned is nobody's business outside: in production it takes the token of the operator.
"""

import secrets
from collections.abc import Callable

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from core.api.errors import not_found, problem_json
from core.feed.services import read_lag


def answer_metrics(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, because who measures asks by address and without HTTPS, as a probe does."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.rstrip("/") != "/metrics":
            return get_response(request)
        if request.method not in ("GET", "HEAD") or not _may_read(request):
            return problem_json(404, not_found().problems)
        try:
            text = _metrics()
        except Error:
            connection.close()
            text = ""
        response = HttpResponse(
            text or "# The database does not answer.\n",
            status=200 if text else 503,
            content_type="text/plain; version=0.0.4; charset=utf-8",
        )
        response["Cache-Control"] = "no-store"
        return response

    return middleware


def _may_read(request: HttpRequest) -> bool:
    if not settings.PLENUM_METRICS_TOKEN:
        return not settings.PRODUCTION
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return secrets.compare_digest(given.encode(), settings.PLENUM_METRICS_TOKEN.encode())


def _metrics() -> str:
    lag = read_lag()
    return "".join(
        f"# HELP {name} {says}\n# TYPE {name} {kind}\n{name} {value}\n"
        for name, kind, says, value in (
            (
                "plenum_announcement_lag_seconds",
                "gauge",
                "How long the oldest instant that has passed waits to be told by the feed; 0 where none does.",
                lag.waiting_s,
            ),
            ("plenum_announcements_due", "gauge", "Instants that have passed and are not told yet.", lag.due),
            ("plenum_announcement_last_lag_seconds", "gauge", "How late the last one was told.", lag.last_s),
            ("plenum_announcement_longest_lag_seconds", "gauge", "The latest of the last day.", lag.longest_s),
            ("plenum_announcements_total", "counter", "Instants that were told.", lag.told),
        )
        if value is not None
    )

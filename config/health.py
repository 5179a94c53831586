"""Health for whoever runs us: `/health/live` while the process answers, `/health/ready` while it can do its work."""

from collections.abc import Callable
from functools import cache

from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse


def answer_health(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, because a probe asks by address and without HTTPS, which what follows would refuse."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        match request.path_info.rstrip("/"):
            case "/health/live":
                return _answer(None)
            case "/health/ready":
                return _answer(_obstacle())
        return get_response(request)

    return middleware


def _obstacle() -> str | None:
    """Return a sentence about what keeps us from work, None when nothing does."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("select app, name from django_migrations")
            missing = _needed_migrations() - set(cursor.fetchall())
    except Error as error:
        connection.close()  # It may have been cut: the next question begins with a new one.
        if getattr(error.__cause__, "sqlstate", None) == "42P01":
            return "The database is empty: run `manage.py migrate`."
        return "The database does not answer."
    if missing:
        return f"{len(missing)} migrations are to be applied, {'.'.join(min(missing))} first: run `manage.py migrate`."
    return None


@cache
def _needed_migrations() -> frozenset[tuple[str, str]]:
    """Return app and name of every migration of the installed code."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)


def _answer(obstacle: str | None) -> HttpResponse:
    response = (
        JsonResponse({"status": "ok"})
        if obstacle is None
        else JsonResponse(
            {"type": "about:blank", "title": "Service Unavailable", "status": 503, "detail": obstacle},
            status=503,
            content_type="application/problem+json",
        )
    )
    response["Cache-Control"] = "no-store"
    return response

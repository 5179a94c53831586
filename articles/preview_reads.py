"""Middleware of the APIs: who sends the token of a preview link gets every answer as the preview."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponseBase

from articles.models import PreviewLink
from articles.previews import link_of
from articles.rehearsal import rehearsed
from core.api.addresses import public_base
from core.api.errors import Problem, problem_json, problems_of

HEADER = "Plenum-Preview"
"""The header that carries the token. A parameter would stand in logs and in the addresses of others."""
WITHOUT_PREVIEW = {
    "/api/v1/changes/": "The feed tells what happened, not previews.",
    # It would be begun in the transaction that is undone, and its id would lead nowhere.
    "/api/v1/simulator/plan/": "A plan is worked at later, and nothing of a preview stays: ask without this header.",
}


def answer_preview(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer as if what the token shows were live. What does not hold is a 403, never what everybody gets."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if HEADER not in request.headers or not request.path_info.startswith(("/api/v1/", "/graphql/")):
            return get_response(request)
        return _private(_answer(request, get_response))

    return middleware


def _answer(request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
    if not _comes_from_us(request):
        return _refuse(
            "preview_origin", "Pages of this origin may not read previews; the operator names those that may."
        )
    try:
        link = link_of(request.headers[HEADER])
    except PermissionDenied as refusal:
        return _refuse("preview_refused", str(refusal))
    for path, message in WITHOUT_PREVIEW.items():
        if request.path_info.startswith(path):
            return problem_json(400, [Problem(HEADER, "no_preview_here", message)])
    for name in ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE"):
        request.META.pop(name, None)  # Nobody keeps a preview, so nobody has one.
    request.__dict__.pop("headers", None)  # Django keeps what it has read of them.
    try:
        with rehearsed(link):
            response = get_response(request)
    except ValidationError as error:
        return problem_json(409, problems_of(error))
    return _other_item(request, response, link) or response


def _comes_from_us(request: HttpRequest) -> bool:
    """Return whether no page of another origin asks, or one that the operator named."""
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CORS_ALLOWED_ORIGINS:
        return True
    return urlsplit(origin).netloc != "" and origin == public_base(request)


def _other_item(request: HttpRequest, response: Any, link: PreviewLink) -> HttpResponseBase | None:
    """Return the refusal of another article than that of the link: a token opens its own article only."""
    match = request.resolver_match
    if match is None or match.url_name != "article-item" or response.status_code != 200:
        return None
    if orjson.loads(response.content)["id"] == str(link.article_id):
        return None
    return _refuse("preview_of_other", "This preview link is of another article.")


def _refuse(code: str, message: str) -> HttpResponseBase:
    return problem_json(403, [Problem(HEADER, code, message)])


def _private(response: Any) -> HttpResponseBase:
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow"
    for name in ("ETag", "Cache-Tag"):
        if name in response:
            del response[name]
    return response

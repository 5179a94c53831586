"""Conditional requests: one ETag that is exact, and a 304 that costs one statement."""

import hashlib
from collections.abc import Iterable
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified

from core.api.addresses import public_base
from core.feed.moment import Moment

CACHE_CONTROL = "public, max-age=0, must-revalidate"


def canonical_url(request: HttpRequest) -> str:
    """Return the path with its parameters in order: two spellings of one question have one tag."""
    return (
        request.path
        + "?"
        + urlencode(sorted((name, value) for name, values in request.GET.lists() for value in values))
    )


def etag_of(request: HttpRequest, moment: Moment, kinds: Iterable[str], media_type: str = "application/json") -> str:
    """Return the ETag of the answer to `request`, which depends on `kinds`. It is weak: gzip may come after us."""
    return etag_of_version(request, moment.of(kinds), media_type)


def etag_of_version(request: HttpRequest, version: str, media_type: str = "application/json") -> str:
    """Return the ETag of the answer to `request`, which depends on nothing but `version` and the release."""
    parts = [
        version,
        settings.PLENUM_RELEASE,
        canonical_url(request),
        media_type,
        "public",
        public_base(request),
        settings.MEDIA_URL,
    ]
    return 'W/"' + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32] + '"'


def matches(request: HttpRequest, etag: str) -> bool:
    """Return whether `If-None-Match` names `etag`, by weak comparison: a proxy may have weakened or listed it.

    A tag of ours was handed out with a 200 only, so a match proves that there is something to read.
    """
    header = request.headers.get("If-None-Match", "")
    wanted = etag.removeprefix("W/")
    return any(tag.strip().removeprefix("W/") == wanted for tag in header.split(","))


def not_modified(etag: str) -> HttpResponse:
    """Return the 304."""
    return _with_headers(HttpResponseNotModified(), etag)


def answer(body: bytes, etag: str, *, tags: Iterable[str], media_type: str = "application/json") -> HttpResponse:
    """Return the 200 with its tag, and the cache tags of what it was made of."""
    response = _with_headers(HttpResponse(body, content_type=media_type), etag)
    response["Cache-Tag"] = ",".join(tags)
    return response


def _with_headers(response: HttpResponse, etag: str) -> HttpResponse:
    response["ETag"] = etag
    response["Cache-Control"] = CACHE_CONTROL
    response["Vary"] = "Accept, Plenum-Preview"
    return response

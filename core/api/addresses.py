"""Where we are found: scheme and host of the addresses that answers hold."""

from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def remember_request(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let what answers a request know by which host it was asked (a middleware)."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        token = _request.set(request)
        try:
            return get_response(request)
        finally:
            _request.reset(token)

    return answer


def public_base(request: HttpRequest | None = None) -> str:
    """Return scheme and host of the addresses that we hand out: configured, or those of the request.

    Outside of a request, where neither is known, it is empty: addresses are then paths.
    """
    request = request or _request.get()
    if settings.PLENUM_PUBLIC_URL or request is None:
        return str(settings.PLENUM_PUBLIC_URL)
    return f"{request.scheme}://{request.get_host()}"


def media_base() -> str:
    """Return what the public addresses of stored files begin with, the slash at its end included."""
    place = str(settings.MEDIA_URL)
    return place if "://" in place else public_base() + place

"""Addresses without the slash at their end: reading goes on to the one with it, what carries a body does not."""

from django.http import HttpRequest
from django.middleware.common import CommonMiddleware


class SlashMiddleware(CommonMiddleware):
    """Django's, without the redirect of a POST: a client would ask again without its body, and hear of something else.

    The 404 then says which address is meant (core/api/errors.py).
    """

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return request.method in ("GET", "HEAD", "OPTIONS") and super().should_redirect_with_slash(request)

"""What browsers may do with our pages.

Everywhere the policy of settings.CONTENT_SECURITY_POLICY holds: nothing may be loaded. Here are the pages that people
look at, and what each of them needs; none needs an outside host, but that of the media where they are not with us.
"""

from urllib.parse import urlsplit

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

SELF = "'self'"


def policies(media_url: str) -> dict[str, dict[str, list[str]]]:
    """Return the policies by the beginning of a path. `media_url` is where browsers find the media."""
    media = urlsplit(media_url)
    images = [SELF, *([f"{media.scheme}://{media.netloc}"] if media.netloc else [])]
    page = {
        "default-src": ["'none'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
        "form-action": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, "'unsafe-inline'"],
        "img-src": [*images, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
    }
    still = {name: ["'none'"] for name in ("default-src", "base-uri", "frame-ancestors", "form-action")}
    return {
        # Alpine, which unfold is made with, compiles the expressions in its attributes: it needs eval.
        "/admin/": page | {"script-src": [SELF, "'unsafe-eval'"]},
        "/graphql/": page | {"font-src": [SELF, "data:"], "worker-src": [SELF]},
        "/api/v1/docs/": page,
        # A shared draft: text, pictures and their style.
        "/preview/": still | {"style-src": [SELF], "img-src": images},
        # A table with a form to choose of it.
        "/simulator/": still | {"style-src": [SELF], "img-src": [SELF], "form-action": [SELF]},
        # A picture that somebody opens by itself: whatever it were, it could do nothing.
        "/media/": still | {"sandbox": []},
    }


POLICIES = policies(settings.MEDIA_URL)


class HeadersMiddleware(CSPMiddleware):
    """The middleware of django-csp, with a policy for each page."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        for prefix, policy in POLICIES.items():
            if request.path_info.startswith(prefix) and parts.replace is None and not report_only:
                parts.replace = policy
        return parts

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        )
        return super().process_response(request, response)

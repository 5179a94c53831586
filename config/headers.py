"""What browsers may do with our pages.

Everywhere the policy of settings.CONTENT_SECURITY_POLICY holds: nothing may be loaded. Here are the pages that people
look at, and what each of them needs; none needs an outside host.
"""

from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest, HttpResponseBase

SELF = "'self'"
_PAGE = {
    "default-src": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": [SELF],
    "script-src": [SELF],
    "style-src": [SELF, "'unsafe-inline'"],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
}
POLICIES = {
    # Alpine, which unfold is made with, compiles the expressions in its attributes: it needs eval.
    "/admin/": _PAGE | {"script-src": [SELF, "'unsafe-eval'"]},
    "/graphql/": _PAGE | {"font-src": [SELF, "data:"], "worker-src": [SELF]},
    "/api/v1/docs/": _PAGE,
}


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

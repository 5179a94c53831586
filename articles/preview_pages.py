"""The page of a preview: for editors in the admin, and for whoever holds a link."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from articles.previews import Preview, link_of, preview_of_link


def show_preview(request: HttpRequest, preview: Preview, *, until: object = None, back: str = "") -> HttpResponse:
    """Return the page of a preview. Nobody keeps it, and no address that it links to hears where the reader was."""
    context = {"preview": preview, "until": until, "back": back}
    return _private(render(request, "articles/preview.html", context))


@require_safe
def shared_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a preview link shows, without an account. What does not hold is a 403, never the live article."""
    try:
        link = link_of(token)
    except PermissionDenied as refusal:
        return _private(render(request, "articles/preview_refused.html", {"reason": refusal}, status=403))
    return show_preview(request, preview_of_link(link), until=link.expires_at)


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response

"""The page at the root: Plenum has no site of its own, so it says where its interfaces are."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Answer with the addresses of the interfaces."""
    return render(request, "home.html")

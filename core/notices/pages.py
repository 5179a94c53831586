"""The pages of notices: the bell that counts them, the list, and the choice of what is sent by e-mail too."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from core.notices.models import MailChoice, Notice
from core.notices.services import choose_mail, read_notices
from core.notices.wording import address_of, sentence_of

PAGE = 50
COUNTED = 99
"""The bell counts no further: more than that is many."""


def bell(request: HttpRequest) -> dict[str, Any]:
    """Give the pages of the admin the bell, and whether we send e-mail: a context processor.

    It is asked for where it is drawn, so pages without it cost no statement.
    """
    user: Any = getattr(request, "user", None)
    if not request.path_info.startswith("/admin/"):
        return {}
    if user is None or not user.is_active or not user.is_staff:
        return {"can_mail": settings.PLENUM_MAIL}

    class Bell:
        def __str__(self) -> SafeString:
            count = Notice.objects.shown_to(user).unread().order_by()[: COUNTED + 1].count()
            return mark_safe(render_to_string("admin/notices/bell.html", {"count": count, "counted": COUNTED}))

        __html__ = __str__

    return {"can_mail": settings.PLENUM_MAIL, "notice_bell": Bell()}


def notices(request: HttpRequest) -> HttpResponse:
    """List the notices of this person, newest first: those not read, or all. Two statements and two for the page."""
    if request.method == "POST":
        return _act(request)
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    user: Any = request.user
    rows = Notice.objects.shown_to(user).select_related("by")
    shows_all = "all" in request.GET
    page = Paginator(rows if shows_all else rows.unread(), PAGE).get_page(request.GET.get("page"))
    choice = MailChoice.objects.filter(person=user).first() or MailChoice()
    context = {
        **admin.site.each_context(request),
        "title": "Notices",
        "page": page,
        "rows": [(notice, sentence_of(notice)) for notice in page.object_list],
        "shows_all": shows_all,
        "choice": choice,
        "can_mail": settings.PLENUM_MAIL,
        "address": user.email,
    }
    return TemplateResponse(request, "admin/notices/notices.html", context)


def _act(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    back = reverse("notices")
    if "choose" in request.POST:
        choose_mail(user, reviews="reviews" in request.POST, own_work="own_work" in request.POST)
        messages.success(request, "Your choice is stored.")
    elif "everything" in request.POST:
        count = read_notices(user)
        messages.success(request, f"Marked {count} notice{'' if count == 1 else 's'} as read.")
    else:
        given = Notice.objects.shown_to(user).filter(pk__in=_ids(request.POST.getlist("notice")))
        read_notices(user, given.values_list("pk", flat=True))
    query = {"all": ""} if "all" in request.POST else {}
    return HttpResponseRedirect(f"{back}?{urlencode(query)}" if query else back)


def _ids(texts: list[str]) -> list[str]:
    found = []
    for text in texts:
        try:
            found.append(str(UUID(text)))
        except ValueError:
            continue
    return found


def open_notice(request: HttpRequest, notice_id: Any) -> HttpResponse:
    """Lead to what a notice is about, and mark it as read."""
    user: Any = request.user
    notice = Notice.objects.shown_to(user).filter(pk=notice_id).first()
    if notice is None:
        raise Http404("There is no such notice for you.")
    read_notices(user, [notice.pk])
    return HttpResponseRedirect(address_of(notice))

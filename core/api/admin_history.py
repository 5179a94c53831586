"""The admin of a record whose history is kept: who changed what, when, from what to what."""

from typing import Any

from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import PAGE_VAR
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from core.api.admin import RecordAdmin
from core.api.past import Parts, entries, events_of


class TrackedAdmin(RecordAdmin):
    """Shows the events of a record and its parts. Those of a record that was deleted stay at their address."""

    history_parts: Parts = {}
    history_per_page = 25

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        obj: Model | None = self.get_object(request, unquote(object_id))
        if not self.has_view_or_change_permission(request, obj):
            raise PermissionDenied
        try:
            pk = self.model._meta.pk.to_python(unquote(object_id))
        except ValidationError:
            return self._missing(request, object_id)
        paginator = self.get_paginator(request, events_of(self.model, pk, self.history_parts), self.history_per_page)
        if obj is None and not paginator.count:
            return self._missing(request, object_id)
        page = paginator.get_page(request.GET.get(PAGE_VAR))
        context = {
            **self.admin_site.each_context(request),
            "title": f"History: {obj or f'a {self.opts.verbose_name} that was deleted'}",
            "subtitle": None,
            "entries": entries(self.model, page.object_list, self.history_parts),
            "page": page,
            "page_range": paginator.get_elided_page_range(page.number),
            "page_var": PAGE_VAR,
            "module_name": str(self.opts.verbose_name_plural),
            "object": obj,
            "opts": self.opts,
            "preserved_filters": self.get_preserved_filters(request),
            **(extra_context or {}),
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/record/history.html", context)

    def _missing(self, request: HttpRequest, object_id: str) -> HttpResponse:
        answer: HttpResponse = self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return answer

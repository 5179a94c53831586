"""The form of a draft, and what stands around it: what readers see, what can be done next, the editions."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from unfold.decorators import display

from core.api.admin import RecordAdmin
from core.publishing.admin.live import LiveForm
from core.publishing.admin.states import (
    OPEN,
    EditionRow,
    ReadersFilter,
    Step,
    WorkFilter,
    edition_rows,
    readers_see,
    with_states,
)
from core.publishing.admin.verbs import VerbPages
from core.publishing.models import BaseEdition
from core.publishing.services import database_now


class DraftedAdmin(LiveForm, VerbPages, RecordAdmin):
    """The admin of a draft. A subclass names its `verbs`, how a form is written, and how a draft is described."""

    list_filter = [WorkFilter, ReadersFilter]
    change_form_before_template = "admin/publishing/live.html"
    change_form_outer_before_template = "admin/publishing/standing.html"
    change_form_outer_after_template = "admin/publishing/editions.html"

    # The list

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return with_states(super().get_queryset(request), self.verbs.kind)

    @display(
        description="Readers see",
        label={"success": "success", "info": "info", "danger": "danger", "": ""},
    )
    def readers(self, row: Any) -> tuple[str, str]:
        text, tone = readers_see(row)
        return tone, text

    @display(
        description="In the works",
        label={"in_review": "warning", "approved": "info", "changes_requested": "danger", "draft": ""},
    )
    def works(self, row: Any) -> tuple[str, str] | None:
        """Return what waits for somebody: an edition that is not live, or a draft with changes."""
        if row.newest_state in OPEN:
            label = dict(BaseEdition.ReviewState.choices)[row.newest_state]
            return row.newest_state, f"Edition {row.newest_number}: {label}"
        return ("draft", "Draft changed") if row.draft_writer_ids or row.newest_number is None else None

    # The form

    def version_of(self, obj: Any) -> str:
        return str(obj.draft_version)

    def write(self, request: HttpRequest, form: Any, formsets: list[Any], *, subject: Any | None, based_on: int) -> Any:
        """Create the draft (`subject` None) or change it by its services, and return it."""
        raise NotImplementedError(type(self).__name__)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Leave it to `save_related`, which sees the rows beside the draft too."""

    def save_related(self, request: HttpRequest, form: Any, formsets: list[Any], change: bool) -> None:
        if change:
            self.refuse_stale(request, form, formsets)
        for formset in formsets:
            formset.save(commit=False)  # It notes what changed, for the history.
        stored = self.model._default_manager.get(pk=form.instance.pk) if change else None
        saved = self.write(
            request, form, formsets, subject=stored, based_on=stored.draft_version if stored is not None else 0
        )
        form.instance.pk = saved.pk
        form.instance.draft_version = saved.draft_version

    # Around the form

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        if change and obj is not None:
            stored = self.model._default_manager.get(pk=obj.pk)
            rows = edition_rows(self.verbs.kind, stored, database_now())
            for row in rows:
                row.steps = self.edition_steps(request, stored, row)
            context |= {
                "stored": stored,
                "edition_rows": rows,
                "live_row": next((row for row in rows if row.is_live), None),
                "scheduled_row": next((row for row in rows if row.is_scheduled), None),
                "open_row": next((row for row in rows if row.is_open), None),
                "was_live": any(row.begins is not None and not row.is_scheduled for row in rows),
                "has_changes": bool(stored.draft_writer_ids) or not rows,
                "steps": self.next_steps(request, stored, rows),
            }
        if add or self.may("change", request, obj):
            context |= self.live_context(obj if change else None)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def next_steps(self, request: HttpRequest, subject: Any, rows: list[EditionRow]) -> list[Step]:
        """Return what this person can do next with the subject, the likeliest first."""

        def step(name: str, label: str, number: int | None = None, tone: str = "") -> Step:
            return Step(label, self.verb_address(name, subject, number), tone)

        steps = []
        may_write, may_review, may_publish = (
            self.may(permission, request, subject) for permission in ("change", "review", "publish")
        )
        scheduled = next((row for row in rows if row.is_scheduled), None)
        for row in rows:
            number = row.edition.number
            if row.is_open and row.can_be_published and may_publish and scheduled is None:
                steps.append(step("publish", f"Publish edition {number}", number, "primary"))
            elif row.is_open and row.edition.review_state == "in_review" and may_review:
                steps.append(step("review", f"Review edition {number}", number, "primary"))
        if may_write and (subject.draft_writer_ids or not rows):
            steps.append(step("submit", "Submit for review", tone="" if steps else "primary"))
        if scheduled is not None and may_publish:
            steps.append(step("cancel", "Cancel the publication", scheduled.edition.number))
        if rows:
            steps.append(step("compare", "Compare"))
        if self.verbs.duplicate is not None and self.has_add_permission(request):
            steps.append(step("duplicate", "Duplicate"))
        if may_publish and scheduled is None and any(row.is_live for row in rows):
            steps.append(step("withdraw", "Withdraw", tone="danger"))
        return steps

    def edition_steps(self, request: HttpRequest, subject: Any, row: EditionRow) -> list[Step]:
        """Return what this person can do with one edition."""
        number = row.edition.number
        steps = [Step("Compare with the draft", f"{self.verb_address('compare', subject)}?old={number}&new=draft")]
        if row.is_open and self.may("review", request, subject):
            steps.append(Step("Review", self.verb_address("review", subject, number)))
        if row.can_be_published and self.may("publish", request, subject):
            steps.append(Step("Publish", self.verb_address("publish", subject, number)))
        if row.is_scheduled and self.may("publish", request, subject):
            steps.append(Step("Cancel", self.verb_address("cancel", subject, number)))
        if self.may("change", request, subject):
            steps.append(Step("Restore", self.verb_address("restore", subject, number)))
        return steps

    def get_urls(self) -> list[URLPattern]:
        compare = self.admin_site.admin_view(self.compare_page)
        return [
            path("<uuid:object_id>/compare/", compare, name=self.verb_name("compare")),
            *self.live_urls(),
            *self.verb_urls(),
            *super().get_urls(),
        ]

    # Save, and submit in one go

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        if "_submit" in request.POST:
            return HttpResponseRedirect(self.verb_address("submit", obj))
        return super().response_add(request, obj, post_url_continue)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        if "_submit" in request.POST:
            return HttpResponseRedirect(self.verb_address("submit", obj))
        return super().response_change(request, obj)

    # Deleting: only what readers never saw, one at a time

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        if obj is None or not allowed:
            return allowed
        return not self.verbs.kind.editions_of(obj).exclude(live=None).exists()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, dict[str, int], set[str], list[Any]]:
        """Return it with its editions, which nobody but editors saw, and what names it."""
        editions = sum(self.verbs.kind.editions_of(obj).count() for obj in objs)
        counts = {str(self.opts.verbose_name_plural): len(objs), "editions": editions}
        lacking = set() if self.has_delete_permission(request) else {str(self.opts.verbose_name)}
        uses = self.users_shown(request, [obj.pk for obj in objs])
        return [str(obj) for obj in objs], counts, lacking, uses

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ValidationError as error:
            self.message_user(request, " ".join(error.messages), messages.ERROR)
            return HttpResponseRedirect(request.path.removesuffix("delete/") + "change/")

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        if not self.has_delete_permission(request, obj):
            raise PermissionDenied
        self.verbs.delete(obj)

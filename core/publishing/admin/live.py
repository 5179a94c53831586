"""What a form of a draft does while it is open: it saves itself, and says who else is there.

Both are addresses that static/publishing/live.js asks. A save that is based on an older version is refused with what
differs, field by field, and writes nothing: unless that older version was followed by a save of the same form, whose
answer got lost or is still on its way.
"""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path

from core.api.admin import clashes
from core.api.errors import problems_of
from core.publishing.presence import leave_form, name_of, note_form, note_save, own_version, visitors
from core.publishing.services import StaleDraft, lock_draft

FORM_ID = "form_id"
SAVED_BY_ITSELF = "Saved by itself while it was written."


class LiveForm:
    """The addresses, as a part of a ModelAdmin that has `verbs` and `write`."""

    saves_itself = False
    """Whether the form of a draft is saved while somebody writes."""
    held_back: tuple[str, ...] = ()
    """Fields that only a person saves: an address, which could be caught half typed."""
    kept_filled: tuple[str, ...] = ()
    """Fields that are not emptied by a save that nobody asked for."""

    verbs: Any
    model: Any
    opts: Any
    admin_site: Any

    def live_urls(self) -> list[URLPattern]:
        view, name = self.admin_site.admin_view, self.verb_name  # type: ignore[attr-defined]
        urls = [path("<uuid:object_id>/presence/", view(self.presence_page), name=name("presence"))]
        if self.saves_itself:
            urls.append(path("<uuid:object_id>/autosave/", view(self.autosave_page), name=name("autosave")))
        return urls

    def live_context(self, subject: Any) -> dict[str, Any]:
        """Return what the form tells its script: for one who may change the subject; None is one that is new."""
        addresses = {}
        if subject is not None:
            addresses["presence"] = self.verb_address("presence", subject)  # type: ignore[attr-defined]
            if self.saves_itself:
                addresses["autosave"] = self.verb_address("autosave", subject)  # type: ignore[attr-defined]
        return {"live": {"saves_itself": self.saves_itself, **addresses}}

    def _subject(self, request: HttpRequest, object_id: Any) -> Any:
        subject = self.subject_or_404(request, object_id)  # type: ignore[attr-defined]
        if not self.may("change", request, subject):  # type: ignore[attr-defined]
            raise PermissionDenied
        return subject

    # Who is there

    def presence_page(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """POST `form_id`, `has_changed` (0 or 1), or `leave=1`: {version, by, others: [{name, since, …}]}.

        `by` is who wrote the draft last, where somebody has since it was submitted.
        """
        if request.method != "POST":
            return _refusal("method_not_allowed", "Say by POST that the form is open.", 405)
        subject = self._subject(request, object_id)
        by: User = request.user  # type: ignore[assignment]
        form_id = _uuid(request.POST.get(FORM_ID))
        if form_id is None:
            return _refusal("form_id", "Send the id of the form.", 400)
        if request.POST.get("leave") == "1":
            leave_form(form_id, by=by)
            return HttpResponse(status=204)
        note_form(
            form_id,
            kind=self.verbs.kind.name,
            subject_id=subject.pk,
            by=by,
            has_changed=request.POST.get("has_changed") == "1",
        )
        others = visitors(subject.pk, but=form_id, by=by)
        return JsonResponse(
            {
                "version": subject.draft_version,
                "by": _last_writer(subject, by),
                "others": [
                    {
                        "name": other.name,
                        "since": other.since.isoformat(),
                        "has_changed": other.has_changed,
                        "is_you": other.is_you,
                    }
                    for other in others
                ],
            }
        )

    # Saving by itself

    def based_on(self, request: HttpRequest) -> str:
        """Return the version that a form was filled from; what the same form wrote meanwhile counts as that."""
        based_on: str = super().based_on(request)  # type: ignore[misc]
        stored = getattr(request, "stored_version", "")
        match = request.resolver_match
        subject_id = _uuid(match.kwargs.get("object_id")) if match else None
        if based_on == stored or subject_id is None or not based_on:
            return based_on
        own = own_version(_uuid(request.POST.get(FORM_ID)), subject_id=subject_id, by=request.user)  # type: ignore[arg-type]
        return stored if own is not None and str(own) == stored else based_on

    def autosave_page(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """POST the form with `form_id` and `number`, which grows with each save of that form.

        200: {version, unsaved: [{name, label, message}]}: what is not in order stays as it is stored.
        409: {version, by, clashes: [{name, label, stored, typed, lines, value, options}]}: somebody else saved; nothing
        is written. With `keep` (names of fields, repeated) only those are written, knowingly over what is stored.
        """
        if request.method != "POST":
            return _refusal("method_not_allowed", "Send the form by POST.", 405)
        subject = self._subject(request, object_id)
        form_id, based_on, number = (
            _uuid(request.POST.get(FORM_ID)),
            _whole(request.POST.get("based_on")),
            _whole(request.POST.get("number")),
        )
        if form_id is None or based_on is None or number is None:
            return _refusal("form_id", "Send form_id, based_on and number.", 400)
        try:
            with transaction.atomic():
                return self._autosave(request, subject, form_id, based_on, number)
        except ValidationError as error:
            problems = problems_of(error)
            return JsonResponse({"errors": [{"code": p.code, "message": p.message} for p in problems]}, status=400)

    def _autosave(self, request: HttpRequest, subject: Any, form_id: UUID, based_on: int, number: int) -> HttpResponse:
        by: User = request.user  # type: ignore[assignment]
        stored = lock_draft(subject)
        own = own_version(form_id, subject_id=stored.pk, by=by, before=number)
        if own is not None and own == stored.draft_version:
            based_on = own
        form, formsets = self._filled(request, stored)
        # Rows that nobody touched are not looked up one by one.
        formsets = [formset for formset in formsets if formset.has_changed()]
        unsaved = self._leave_out(form, formsets, request.POST.getlist("keep"))
        sound = [formset for formset in formsets if formset.is_valid()]
        try:
            saved = self.write(request, form, sound, subject=stored, based_on=based_on)  # type: ignore[attr-defined]
        except StaleDraft:
            form, formsets = self._filled(request, lock_draft(subject))
            differing = [*_clashes_of(form), *_clashes_of_rows(formsets)]
            if differing:
                answer = {"version": stored.draft_version, "by": _last_writer(stored, by), "clashes": differing}
                return JsonResponse(answer, status=409)
            saved = stored  # What arrives is what stands there.
        if saved.draft_version != stored.draft_version:
            self._log(request, saved)
        note_save(
            form_id,
            kind=self.verbs.kind.name,
            subject_id=saved.pk,
            by=by,
            version=saved.draft_version,
            number=number,
        )
        return JsonResponse({"version": saved.draft_version, "unsaved": unsaved})

    def _filled(self, request: HttpRequest, stored: Any) -> tuple[forms.ModelForm, list[Any]]:
        form = self.get_form(request, stored, change=True)(request.POST, instance=stored)  # type: ignore[attr-defined]
        formsets, inlines = self._create_formsets(request, stored, change=True)  # type: ignore[attr-defined]
        for formset, inline in zip(formsets, inlines, strict=True):
            formset.label = str(inline.verbose_name_plural).partition(",")[0].capitalize()
        # Cleaning a form writes into its instance; what is stored is asked for again by whoever writes.
        form.is_valid()
        return form, formsets

    def _leave_out(self, form: forms.ModelForm, formsets: list[Any], keep: list[str]) -> list[dict[str, str]]:
        """Take out of the form what is not to be saved, and return what of it a person should know."""
        unsaved = []
        for name in form.fields:
            errors: list[Any] = list(form.errors.get(name, []))
            changed = name in form.changed_data
            if keep:
                held = name not in keep or bool(errors)
                message = str(errors[0]) if errors and name in keep else ""
            elif errors:
                held, message = True, str(errors[0]) if changed else ""
            elif name in self.held_back:
                held, message = changed, "It is saved when you press Save." if changed else ""
            elif name in self.kept_filled and not str(form.cleaned_data.get(name) or "").strip():
                held, message = changed, "It stays as it was until something stands here." if changed else ""
            else:
                held, message = False, ""
            if held:
                form.cleaned_data.pop(name, None)
            if message:
                unsaved.append({"name": name, "label": str(form[name].label), "message": message})
        if keep:
            formsets[:] = [formset for formset in formsets if formset.prefix in keep]
        for formset in formsets:
            if not formset.is_valid():
                unsaved.append(
                    {"name": formset.prefix, "label": formset.label, "message": "These rows are not complete."}
                )
        return unsaved

    def _log(self, request: HttpRequest, saved: Any) -> None:
        """Note in the history that the person wrote, once until somebody else does."""
        kind = ContentType.objects.get_for_model(self.model)
        last = LogEntry.objects.filter(content_type=kind, object_id=str(saved.pk)).order_by("-action_time").first()
        if last is None or last.user_id != request.user.pk or last.change_message != SAVED_BY_ITSELF:
            self.log_change(request, saved, SAVED_BY_ITSELF)  # type: ignore[attr-defined]


def _clashes_of(form: forms.ModelForm) -> list[dict[str, Any]]:
    """Return the fields that differ from what is stored, with the stored value as a control of the form takes it."""
    found = []
    for name, clash in zip(form.changed_data, clashes(form), strict=True):
        bound = form[name]
        value: Any = bound.field.prepare_value(bound.initial)
        options = []
        if isinstance(bound.field, forms.ModelChoiceField):
            many = isinstance(bound.field, forms.ModelMultipleChoiceField)
            wanted = list(value or []) if many else [value] if value else []
            rows = bound.field.queryset.filter(pk__in=wanted) if bound.field.queryset is not None else []
            options = [{"id": str(row.pk), "text": str(row)} for row in rows]
            value = None
        elif not isinstance(value, str):
            value = "" if value is None else str(value) if isinstance(value, int | float) else None
        found.append(
            {
                "name": name,
                "label": clash.label,
                "stored": clash.stored,
                "typed": clash.typed,
                "lines": clash.lines[2:],
                "value": value,
                "options": options,
            }
        )
    return found


def _clashes_of_rows(formsets: list[Any]) -> list[dict[str, Any]]:
    """Return the rows beside the draft that differ, as one field each."""
    found = []
    for formset in formsets:
        if not formset.has_changed():
            continue
        stored = ", ".join(str(row) for row in formset.get_queryset())
        typed = ", ".join(str(row) for row in _typed_rows(formset))
        if stored != typed:
            found.append(
                {
                    "name": formset.prefix,
                    "label": formset.label,
                    "stored": stored or "—",
                    "typed": typed or "—",
                    "lines": [],
                    "value": None,
                    "options": [],
                }
            )
    return found


def _typed_rows(formset: Any) -> list[Any]:
    """Return what the rows of a formset name, as they are placed."""
    formset.is_valid()
    name = next(name for name, f in formset.form.base_fields.items() if isinstance(f, forms.ModelChoiceField))
    rows = [form.cleaned_data for form in formset.forms if getattr(form, "cleaned_data", {}).get(name)]
    kept = [row for row in rows if not row.get("DELETE")]
    return [row[name] for row in sorted(kept, key=lambda row: row.get("position", 0))]


def _last_writer(subject: Any, by: User) -> str:
    """Return the name of who wrote the draft last; empty where nobody has since it was submitted."""
    if not subject.draft_writer_ids:
        return ""
    pk = subject.draft_writer_ids[-1]
    if pk == by.pk:
        return "you, in another window"
    writer = User.objects.filter(pk=pk).first()
    return name_of(writer) if writer is not None else ""


def _refusal(code: str, message: str, status: int) -> JsonResponse:
    return JsonResponse({"errors": [{"code": code, "message": message}]}, status=status)


def _uuid(value: Any) -> UUID | None:
    try:
        return value if isinstance(value, UUID) else UUID(str(value))
    except ValueError:
        return None


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10 else None

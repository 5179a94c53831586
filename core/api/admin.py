"""What every form of the admin does: nobody's changes are lost, refusals are shown on the form, what is used stays."""

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AllValuesFieldListFilter
from django.contrib.admin.utils import unquote
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.module_loading import import_string
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.widgets import UnfoldAdminExpandableTextareaWidget

from core.api.errors import problems_of
from core.api.uniqueness import explain_uniqueness

BASED_ON = "based_on"
OVERWRITE = "_overwrite"
LONG_TEXT = 120
LOOKS = 8
"""How often a write that was overtaken is tried: as many people may take addresses made of one title at once."""
NOTHING = "—"
UNSEEN = "One that you may not see"


class StaleRecord(ValidationError):  # noqa: N818 - it reads as what happened
    """Somebody saved the record after the form was opened."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody saved this meanwhile, so yours is not saved yet. What differs stands above.",
            code="stale",
        )


@dataclass(frozen=True)
class Clash:
    """A field that differs between what is stored now and what was typed. `lines` is a diff of longer texts."""

    label: str
    stored: str
    typed: str
    lines: list[str]


class RecordAdmin(ModelAdmin):
    """The admin of a record.

    A form carries the version of the record that it was filled from. A write that is based on an older one is refused
    and the form comes back with what was typed, what is stored, and a button to save over it knowingly.
    """

    warn_unsaved_form = True
    compressed_fields = True
    formfield_overrides = {models.TextField: {"widget": UnfoldAdminExpandableTextareaWidget}}
    list_filter_submit = True
    empty_value_display = NOTHING
    list_per_page = 50
    show_full_result_count = False
    change_form_before_template = "admin/record/before_form.html"
    delete_confirmation_template = "admin/record/delete.html"
    delete_selected_confirmation_template = "admin/record/delete_selected.html"
    change_form_outer_after_template = "admin/record/uses.html"
    shows_uses = True
    """Whether the page of a record says where it is used."""
    empty_sentence = "What you add appears here."
    """What the list says while there is nothing in it."""

    # Versions

    def version_of(self, obj: Any) -> str:
        """Return the version of the record as it is stored now."""
        return obj.updated_at.isoformat() if hasattr(obj, "updated_at") else ""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        if request.method != "POST":
            return super().changeform_view(request, object_id, form_url, extra_context)
        refusal = ValidationError("")
        # Who was overtaken between looking and writing looks again: the form then says what is taken, or finds
        # another free address.
        for _ in range(LOOKS):
            try:
                with transaction.atomic():
                    if object_id is not None:
                        self._lock(request, object_id)
                    return super().changeform_view(request, object_id, form_url, extra_context)
            except ValidationError as error:
                refusal = error
                if not any(problem.code == "unique" for problem in problems_of(error)):
                    break
            except IntegrityError as error:
                refusal = explained(error)
        return self.show_refusal(request, refusal, object_id, form_url, extra_context)

    def show_refusal(
        self,
        request: HttpRequest,
        refusal: ValidationError,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Return the form with all that was typed, and why it was refused."""
        request.refusal = refusal  # type: ignore[attr-defined]
        response = super().changeform_view(request, object_id, form_url, extra_context)
        if isinstance(refusal, StaleRecord):
            response.status_code = 409
        return response

    def _lock(self, request: HttpRequest, object_id: str) -> None:
        """Lock the record for this write, and note the version that it has before it."""
        try:
            obj = self.model._default_manager.select_for_update().get(pk=unquote(object_id))
        except (self.model.DoesNotExist, ValidationError, ValueError):
            return  # The view says so.
        request.stored_version = self.version_of(obj)  # type: ignore[attr-defined]

    def based_on(self, request: HttpRequest) -> str:
        """Return the version that what was posted is based on; empty where it does not say."""
        return request.POST.get(OVERWRITE) or request.POST.get(BASED_ON, "")

    def refuse_stale(self, request: HttpRequest, form: forms.ModelForm, formsets: list[Any]) -> None:
        """Raise StaleRecord where the form was filled from an older version and says something else than is stored.

        Two clicks on one button are no conflict: the second finds stored what it brings.
        """
        stored = getattr(request, "stored_version", "")
        if self.based_on(request) != stored and (form.has_changed() or any(f.has_changed() for f in formsets)):
            raise StaleRecord

    def save_related(self, request: HttpRequest, form: Any, formsets: list[Any], change: bool) -> None:
        if change:
            self.refuse_stale(request, form, formsets)
        super().save_related(request, form, formsets, change)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if not change or form.has_changed():  # A save that changes nothing writes nothing.
            super().save_model(request, obj, form, change)

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        if OVERWRITE in request.POST:  # Who has just settled a clash goes on where it was.
            self.message_user(request, "Yours is stored now.", messages.SUCCESS)
            return HttpResponseRedirect(request.path)
        return super().response_change(request, obj)

    # Refusals

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if isinstance(db_field, models.URLField):
            kwargs["assume_scheme"] = "https"
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        refusal = getattr(request, "refusal", None)
        return form if refusal is None else refused_form(form, refusal)

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
            stored = self.model._default_manager.get(pk=obj.pk)  # `obj` may hold what was typed.
            version = self.version_of(stored)
            rebased = getattr(request, "rebased", False)
            context[BASED_ON] = version if request.method != "POST" or rebased else self.based_on(request)
            if isinstance(getattr(request, "refusal", None), StaleRecord):
                context["stored_version"] = version
                context["clashes"] = clashes(context["adminform"].form)
            if self.shows_uses:
                context["uses"] = self.uses_shown(request, stored)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def uses_shown(self, request: HttpRequest, obj: Any) -> list[dict[str, Any]]:
        """Return what uses a record, each with its page; where this person may not open that, without its name."""
        where_used: Callable[..., list[Any]] = import_string(settings.PLENUM_WHERE_USED)
        shown = []
        for use in where_used([obj], self.ids_that_go([obj])):
            row = {"kind": use.kind, "name": use.name, "states": use.states}
            if not self._may_open(request, use):
                shown.append({**row, "name": UNSEEN})
                continue
            page = self.admin_site._registry.get(type(use.record))
            link = "" if page is None else f"admin:{page.opts.app_label}_{page.opts.model_name}_change"
            shown.append({**row, "address": reverse(link, args=[use.pk]) if link else ""})
        return shown

    def users_shown(self, request: HttpRequest, ids: list[Any]) -> list[str]:
        """Return a line for each thing that names one of `ids`: of what this person may not open, its kind alone."""
        users_of: Callable[[Any], list[Any]] = import_string(settings.PLENUM_USERS)
        return [
            f"{use.kind.capitalize()}: {use.name if self._may_open(request, use) else UNSEEN}" for use in users_of(ids)
        ]

    def _may_open(self, request: HttpRequest, use: Any) -> bool:
        page = self.admin_site._registry.get(type(use.record)) if use.record is not None else None
        return page is None or page.has_view_or_change_permission(request, use.record)

    # Deleting

    def get_deleted_objects(
        self, objs: QuerySet | list[Any], request: HttpRequest
    ) -> tuple[Any, dict[str, int], set[str], list[Any]]:
        to_delete, counts, lacking, protected = super().get_deleted_objects(objs, request)
        # What deletes goes by foreign keys; what prose names goes by the table of references.
        users = [*protected, *self.users_shown(request, self.ids_that_go(objs))]
        # What is used stays, whoever asks: rights on its users would not help.
        return to_delete, counts, set() if users else lacking, users

    def ids_that_go(self, objs: QuerySet | list[Any]) -> list[Any]:
        """Return the ids of what deleting `objs` takes away and prose may name."""
        return [obj.pk for obj in objs]


def number(name: str, label: str) -> Callable[[Any], str]:
    """Return a column of a list, or a read-only field, that shows the number `name` without idle zeros."""

    @display(description=label, ordering=name)
    def shown(row: Any) -> str:
        return plain_number(getattr(row, name))

    shown.__name__ = f"{name}_shown"
    return shown


def plain_number(value: Decimal | int | None) -> str:
    """Return a number as people write it: 10,200 for 10200.000."""
    if value is None:
        return NOTHING
    return f"{Decimal(value).normalize():,f}"


class ValuesFilter(AllValuesFieldListFilter):
    """The values that a column has; the empty one has a sign of its own."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": choice["display"] or NOTHING}


def explained(error: IntegrityError) -> ValidationError:
    """Return what the database refused: the second look of the form says more where it is a field that is taken."""
    taken = explain_uniqueness(error)
    if taken is not None:
        return taken
    diagnosis = getattr(error.__cause__, "diag", None)
    message = getattr(diagnosis, "message_primary", None) or str(error)
    return ValidationError(f"The database refused this: {message}", code="refused")


def refused_form(form: type[forms.ModelForm], refusal: ValidationError) -> type[forms.ModelForm]:
    """Return the form with a refusal among its errors, on the fields that it names where the form has them."""

    class RefusedForm(form):  # type: ignore[misc, valid-type]
        def clean(self) -> Any:
            cleaned = super().clean()
            by_field = refusal.error_dict if hasattr(refusal, "error_dict") else {NON_FIELD_ERRORS: refusal.error_list}
            for name, errors in by_field.items():
                self.add_error(name if name in self.fields else None, errors)
            return cleaned

    return RefusedForm


def clashes(form: forms.ModelForm) -> list[Clash]:
    """Return what differs between the record as it is stored, which the form was bound to, and what was typed."""
    found = []
    for name in form.changed_data:
        bound = form[name]
        stored = _shown(bound.field, bound.initial)
        typed = _shown(bound.field, form.cleaned_data.get(name, bound.data))
        lines = []
        if max(len(stored), len(typed)) > LONG_TEXT:
            lines = list(
                difflib.unified_diff(stored.splitlines(), typed.splitlines(), "stored", "yours", lineterm="", n=1)
            )
        found.append(Clash(str(bound.label), stored, typed, lines))
    return found


def _shown(field: forms.Field, value: Any) -> str:
    if value in (None, ""):
        return NOTHING
    if isinstance(field, forms.ModelMultipleChoiceField):
        rows = value if hasattr(value, "__iter__") else [value]
        return ", ".join(sorted(str(row) for row in rows)) or NOTHING
    if isinstance(field, forms.ModelChoiceField) and not isinstance(value, models.Model):
        return str(field.queryset.filter(pk=value).first() or value)  # type: ignore[union-attr]
    if isinstance(field, forms.ChoiceField):
        return str(dict(field.choices).get(value, value))  # type: ignore[arg-type]
    return str(value)

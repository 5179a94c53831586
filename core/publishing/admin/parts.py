"""Rows of a draft that stand in an order: the byline of an article, the sections of a vendor."""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteMixin
from django.db import models
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminIntegerFieldWidget

LAST = 9999


class PartOfDraft:
    """An inline whose rows are a part of the draft: who may change the draft may change them."""

    ordering_field = "position"
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True

    has_change_permission = has_delete_permission = has_view_permission = has_add_permission

    def get_queryset(self, request: HttpRequest) -> models.QuerySet:
        """Return the rows with what each of them names, read together."""
        return super().get_queryset(request).select_related(*self.autocomplete_fields)  # type: ignore[misc]

    autocomplete_fields: Any = ()


class Chosen:
    """The choices of a select that is searched: what a row names, which is at hand, and no statement a row."""

    def __init__(self, field: Any, chosen: models.Model) -> None:
        self.field, self.chosen = field, chosen
        self.queryset = self

    def using(self, alias: str | None) -> "Chosen":
        return self

    def filter(self, **conditions: Any) -> list[models.Model]:
        return [self.chosen]


class PlacedForm(forms.ModelForm):
    """A row with a place among the others; without one it comes last."""

    position = forms.IntegerField(
        required=False, min_value=0, max_value=LAST, label="Place", widget=UnfoldAdminIntegerFieldWidget
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound or self.instance.pk is None:
            return
        for name, field in self.fields.items():
            select = getattr(field.widget, "widget", field.widget)
            if isinstance(select, AutocompleteMixin) and self.instance._meta.get_field(name).is_cached(self.instance):
                field.widget.choices = Chosen(field, getattr(self.instance, name))

    def clean_position(self) -> int:
        position = self.cleaned_data["position"]
        return LAST if position is None else position


def in_order(formsets: list[Any], model: type[models.Model], name: str) -> list[Any] | None:
    """Return the field `name` of the rows of `model` as the form places them; None where the form has no such rows."""
    formset = next((formset for formset in formsets if formset.model is model), None)
    if formset is None:
        return None
    rows = [
        form.cleaned_data
        for form in formset.forms
        if getattr(form, "cleaned_data", None) and form.cleaned_data.get(name) and not form.cleaned_data["DELETE"]
    ]
    return [row[name] for row in sorted(rows, key=lambda row: row["position"])]

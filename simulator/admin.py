"""Scenarios in the admin: an input is typed, the report is the engine's."""

import base64
import json
from copy import copy
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget

from catalog.models import Device
from core.api.admin import RecordAdmin
from core.api.errors import problems_of
from simulator.about import KIND_CHOICES, KIND_NAMES
from simulator.describing import described
from simulator.drift import drift_in_words, drift_shown, known_drift
from simulator.examples import example_input
from simulator.models import Scenario
from simulator.picturing import NoPicture, picture_of, pictures_of
from simulator.services import accept_scenario, run_question, save_scenario
from simulator.telling import headline, report_rows, report_tables


class InputField(forms.JSONField):
    """An input as people read it: indented."""

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return json.dumps(value, indent=2, ensure_ascii=False)
        return super().prepare_value(value)


class ScenarioForm(forms.ModelForm):
    """A scenario as it is typed. What the simulator refuses is shown at the input, each with its path."""

    input = InputField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 18, "spellcheck": "false"}))

    class Meta:
        model = Scenario
        fields = ["title", "slug", "description", "kind", "input"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "kind" in self.fields:  # What is not chosen is a rack.
            self.fields["kind"].required = False

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or self.instance.kind

    def clean_input(self) -> Any:
        data = self.cleaned_data["input"]
        kind = self.cleaned_data.get("kind") or self.instance.kind
        try:
            run_question(kind, data)
        except ValidationError as error:
            raise ValidationError(
                [
                    ValidationError(": ".join(filter(None, (problem.field, problem.message))), problem.code)
                    for problem in problems_of(error)
                ]
            ) from error
        return data


class MovedFilter(admin.SimpleListFilter):
    """Whether a run of today says something else, as the worker found it."""

    title = "moved"
    parameter_name = "moved"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Says something else today"), ("no", "Says the same today")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset if self.value() is None else queryset.drifted(self.value() == "yes")


@admin.register(Scenario)
class ScenarioAdmin(RecordAdmin):
    form = ScenarioForm
    list_display = ["title", "slug", "kind", "says", "moved", "engine_version", "updated_at"]
    list_select_related = ["drift"]
    search_fields = ["title", "slug", "description"]
    list_filter = [MovedFilter, "kind", "engine_version"]
    actions = ["accept"]
    prepopulated_fields = {"slug": ["title"]}
    readonly_fields = ["engine_version", "report", "moved_since", "elevation", "pictures", "created_at", "updated_at"]
    empty_sentence = "A scenario that you save here can be shown in articles."

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        typed = (None, {"fields": ["title", "slug", "description", "kind", "input"]})
        if obj is None:
            return [typed]
        pictures = ["elevation"] if obj.kind == "rack" else []
        pictures += ["pictures"] if pictures_of(obj.kind) else []
        made = ("Report", {"fields": ["moved_since", "report", *pictures]})
        return [typed, made, ("Record", {"fields": ["engine_version", "created_at", "updated_at"]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let a scenario stay of its kind: articles show it as that."""
        return self.readonly_fields if obj is None else ["kind", *self.readonly_fields]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin with an example of the kind that is asked for."""
        kind = _kind_of(request)
        device = Device.objects.filter(gpu_count__gt=0).order_by("slug").first() if kind == "rack" else None
        example = example_input(kind, device=device.slug if device else "slug-of-a-device")
        return {**super().get_changeform_initial_data(request), "kind": kind, "input": example}

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Say beside the input what its kind takes."""
        form = super().get_form(request, obj, change=change, **kwargs)
        kind = obj.kind if obj is not None else _kind_of(request)
        told = {"kind": kind, "name": KIND_NAMES[kind], "parameters": described(kind), "kinds": KIND_CHOICES}
        for name in {"input", "kind"} & form.base_fields.keys():
            # The fields that a form declares are shared by all of its classes.
            form.base_fields[name] = copy(form.base_fields[name])
            form.base_fields[name].help_text = render_to_string(f"simulator/{name}_help.html", told)
        return form

    @admin.display(description="Moved", ordering="drift__since")
    def moved(self, scenario: Scenario) -> str:
        """Say how much a run of today would say otherwise, as the worker found it."""
        return drift_in_words(known_drift(scenario))

    @admin.action(description="Accept what moved", permissions=["change"])
    def accept(self, request: HttpRequest, queryset: QuerySet[Scenario]) -> None:
        """Save each with the report of today, which readers get from now on."""
        accepted = 0
        for scenario in queryset.order_by("pk"):
            with transaction.atomic():
                locked = Scenario.objects.select_for_update().get(pk=scenario.pk)
                was = locked.updated_at
                try:
                    has_changed = accept_scenario(locked).updated_at != was
                except ValidationError as error:
                    said = " ".join(problem.message for problem in problems_of(error))
                    messages.error(request, f"{scenario} stays as it is: {said}")
                    continue
            if has_changed:
                accepted += 1
                self.log_change(request, scenario, "Accepted the report of today.")
        messages.success(request, f"{accepted} accepted: readers get the reports of today.")

    @admin.display(description="Says")
    def says(self, scenario: Scenario) -> str:
        return headline(scenario.kind, scenario.result)

    @admin.display(description="Moved since")
    def moved_since(self, scenario: Scenario) -> str:
        """Show which numbers a run of today would give otherwise; saving accepts them."""
        return render_to_string("simulator/drift.html", {"drift": drift_shown(scenario)})

    @admin.display(description="Report")
    def report(self, scenario: Scenario) -> str:
        """Show the report as it is stored, in words."""
        report = scenario.result
        rows = report_rows(scenario.kind, report) if report else []
        tables = [] if scenario.kind == "rack" else report_tables(report)
        told = {"rows": rows, "tables": tables, "warnings": report.get("warnings", [])}
        return render_to_string("simulator/report.html", told)

    @admin.display(description="Elevation")
    def elevation(self, scenario: Scenario) -> str | SafeString:
        """Draw what is stored, with the devices as the catalogue has them now."""
        try:
            svg = picture_of(scenario, "rack").svg(False)
        except NoPicture as error:
            return str(error)
        drawing = base64.b64encode(svg.encode()).decode()
        return format_html('<img alt="Elevation of the rack" width="420" src="data:image/svg+xml;base64,{}">', drawing)

    @admin.display(description="Pictures")
    def pictures(self, scenario: Scenario) -> str | SafeString:
        """Show the other pictures of what is stored, from their public addresses."""
        names = [name for name in pictures_of(scenario.kind) if name != "rack"] if scenario.result else []
        try:
            drawn = [
                (picture_of(scenario, name).picture.title, reverse(f"scenario-picture-{name}-svg", args=[scenario.pk]))
                for name in names
            ]
        except NoPicture as error:
            return str(error)
        return format_html_join("\n", '<p><img alt="{}" src="{}" loading="lazy"></p>', drawn) or "There is none."

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save by the service, which runs the input; also where nothing was typed, with the catalogue of today."""
        typed = form.cleaned_data
        saved = save_scenario(
            slug=typed["slug"],
            title=typed["title"],
            description=typed["description"],
            kind=obj.kind,
            input=typed["input"],
            scenario=Scenario.objects.select_for_update().get(pk=obj.pk) if change else None,
        )
        # What the admin logs and shows next is what was saved, under the id that it was saved with.
        obj.__dict__.update(saved.__dict__)


def _kind_of(request: HttpRequest) -> str:
    """Return the kind that a new scenario is begun with."""
    kind = request.POST.get("kind") or request.GET.get("kind")
    return kind if kind in KIND_NAMES else "rack"

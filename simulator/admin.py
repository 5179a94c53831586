"""Scenarios in the admin: an input is typed, the report is the engine's."""

import base64
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from unfold.widgets import UnfoldAdminTextareaWidget

from core.api.admin import RecordAdmin
from core.api.errors import problems_of
from simulator.models import Scenario
from simulator.plots.elevation import rack_elevation
from simulator.services import run_rack, save_scenario


class ScenarioForm(forms.ModelForm):
    """A scenario as it is typed. What the simulator refuses is shown at the input, each with its path."""

    class Meta:
        model = Scenario
        fields = ["title", "slug", "description", "input"]
        widgets = {"input": UnfoldAdminTextareaWidget(attrs={"rows": 24, "spellcheck": "false"})}

    def clean_input(self) -> Any:
        data = self.cleaned_data["input"]
        try:
            run_rack(data)
        except ValidationError as error:
            raise ValidationError(
                [
                    ValidationError(
                        f"{problem.field}: {problem.message}" if problem.field else problem.message, problem.code
                    )
                    for problem in problems_of(error)
                ]
            ) from error
        return data


@admin.register(Scenario)
class ScenarioAdmin(RecordAdmin):
    form = ScenarioForm
    list_display = ["title", "slug", "density", "rule", "engine_version", "updated_at"]
    search_fields = ["title", "slug", "description"]
    list_filter = ["engine_version"]
    prepopulated_fields = {"slug": ["title"]}
    readonly_fields = ["engine_version", "report", "elevation", "created_at", "updated_at"]
    fieldsets = [
        (None, {"fields": ["title", "slug", "description", "input"]}),
        ("Report", {"fields": ["report", "elevation"]}),
        ("Record", {"fields": ["engine_version", "created_at", "updated_at"]}),
    ]
    empty_sentence = "A scenario that you save here can be shown in articles."

    @admin.display(description="kW a rack")
    def density(self, scenario: Scenario) -> Any:
        return scenario.result.get("power", {}).get("density_kw")

    @admin.display(description="Rule of thumb")
    def rule(self, scenario: Scenario) -> Any:
        return scenario.result.get("cooling", {}).get("rule_of_thumb")

    @admin.display(description="")
    def report(self, scenario: Scenario) -> str:
        """Show the report in words; a new scenario has none yet."""
        if not scenario.result:
            return "The report appears here when the scenario is saved."
        return render_to_string("simulator/report.html", {"report": scenario.result})

    @admin.display(description="Elevation")
    def elevation(self, scenario: Scenario) -> str | SafeString:
        """Draw what is stored, with the devices as the catalogue has them now."""
        if not scenario.result:
            return "—"
        try:
            run = run_rack(scenario.input)
        except ValidationError:
            return "The catalogue no longer has what this rack is made of."
        drawing = base64.b64encode(rack_elevation(run.given, run.report).encode()).decode()
        return mark_safe(f'<img alt="Elevation of the rack" src="data:image/svg+xml;base64,{drawing}">')

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save by the service, which runs the input; also where nothing was typed, with the engine of today."""
        typed = form.cleaned_data
        saved = save_scenario(
            slug=typed["slug"],
            title=typed["title"],
            description=typed["description"],
            data=typed["input"],
            scenario=Scenario.objects.select_for_update().get(pk=obj.pk) if change else None,
        )
        # What the admin logs and shows next is what was saved, under the id that it was saved with.
        obj.__dict__.update(saved.__dict__)

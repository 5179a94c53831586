"""Scenarios in the admin: an input is typed, the report is the engine's."""

import base64
import json
from collections.abc import Mapping
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
from simulator.drift import drift_of
from simulator.models import Scenario
from simulator.plots.elevation import rack_elevation
from simulator.services import run_rack, save_scenario


class InputField(forms.JSONField):
    """An input as people read it: indented."""

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return json.dumps(value, indent=2, ensure_ascii=False)
        return super().prepare_value(value)


class ScenarioForm(forms.ModelForm):
    """A scenario as it is typed. What the simulator refuses is shown at the input, each with its path."""

    input = InputField(
        help_text="As the API takes it: items, rack, basis, feed…",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 18, "spellcheck": "false"}),
    )

    class Meta:
        model = Scenario
        fields = ["title", "slug", "description", "input"]

    def clean_input(self) -> Any:
        data = self.cleaned_data["input"]
        try:
            run_rack(data)
        except ValidationError as error:
            raise ValidationError(
                [
                    ValidationError(": ".join(filter(None, (problem.field, problem.message))), problem.code)
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
    readonly_fields = ["engine_version", "report", "drift", "elevation", "created_at", "updated_at"]
    empty_sentence = "A scenario that you save here can be shown in articles."

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        typed = (None, {"fields": ["title", "slug", "description", "input"]})
        if obj is None:
            return [typed]
        made = ("Report", {"fields": ["drift", "report", "elevation"]})
        return [typed, made, ("Record", {"fields": ["engine_version", "created_at", "updated_at"]})]

    @admin.display(description="Density")
    def density(self, scenario: Scenario) -> str:
        return amount(scenario.result.get("power", {}), "density_kw", "kW")

    @admin.display(description="Rule of thumb")
    def rule(self, scenario: Scenario) -> str:
        return scenario.result.get("cooling", {}).get("rule_of_thumb") or "unknown"

    @admin.display(description="Moved since")
    def drift(self, scenario: Scenario) -> str:
        """Show which numbers a run of today would give otherwise; saving accepts them."""
        return render_to_string("simulator/drift.html", {"drift": drift_of(scenario)})

    @admin.display(description="Report")
    def report(self, scenario: Scenario) -> str:
        """Show the report as it is stored, in words."""
        report = scenario.result
        rows = report_rows(report) if report else []
        return render_to_string("simulator/report.html", {"rows": rows, "warnings": report.get("warnings", [])})

    @admin.display(description="Elevation")
    def elevation(self, scenario: Scenario) -> str | SafeString:
        """Draw what is stored, with the devices as the catalogue has them now."""
        try:
            run = run_rack(scenario.input)
        except ValidationError:
            return "The catalogue no longer has what this rack is made of."
        drawing = base64.b64encode(rack_elevation(run.given, run.report).encode()).decode()
        return mark_safe(f'<img alt="Elevation of the rack" src="data:image/svg+xml;base64,{drawing}">')

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save by the service, which runs the input; also where nothing was typed, with the catalogue of today."""
        typed = form.cleaned_data
        saved = save_scenario(
            slug=typed["slug"],
            title=typed["title"],
            description=typed["description"],
            input=typed["input"],
            scenario=Scenario.objects.select_for_update().get(pk=obj.pk) if change else None,
        )
        # What the admin logs and shows next is what was saved, under the id that it was saved with.
        obj.__dict__.update(saved.__dict__)


def report_rows(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the numbers that decide, with what they are called."""
    power, weight, cooling = report["power"], report["weight"], report["cooling"]
    fits = {True: "fits", False: "does not fit", None: "not known whether it fits"}[report["space"]["fits"]]
    rows = [
        ("Space", f"{amount(report['space'], 'used_u', 'U')} used, {fits}"),
        ("Power", f"{amount(power, 'nameplate_kw', 'kW')} at nameplate"),
        ("Density", f"{amount(power, 'density_kw', 'kW')} {power['basis']}"),
        ("Weight", f"{amount(weight, 'equipment_kg', 'kg')} of devices, {amount(weight, 'total_kg', 'kg')} in all"),
        ("Heat", f"{amount(cooling, 'air_heat_kw', 'kW')} to air, {amount(cooling, 'liquid_heat_kw', 'kW')} to liquid"),
        ("Air", amount(cooling, "airflow_m3_h", "m³/h")),
        ("Coolant", amount(cooling, "coolant_l_min", "l/min")),
        ("Rule of thumb", cooling["rule_of_thumb"] or "unknown"),
    ]
    if feed := report["electrical"]:
        rows.insert(4, ("Feed", f"{amount(feed, 'load_kva', 'kVA')} of {feed['usable_kva']} kVA"))
    for method in cooling["methods"]:
        said = {True: "feasible", False: "not feasible", None: "unknown"}[method["feasible"]]
        rows.append((method["method"].replace("_", " ").capitalize(), f"{said}. {method['reason']}"))
    return rows


def amount(section: Mapping[str, Any], name: str, unit: str) -> str:
    """Return a total of a stored report in words: what it is, what it is at least, or that it is unknown."""
    if section.get(name) is not None:
        return f"{section[name]} {unit}"
    known = (section.get("at_least") or {}).get(name)
    return "unknown" if known is None else f"at least {known} {unit}"

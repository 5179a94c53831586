"""What the public reads of scenarios."""

from rest_framework import serializers

from core.api.representations import Representation
from simulator.models import Scenario

_SUMMARY = ["id", "slug", "title", "description", "kind", "engine_version", "created_at", "updated_at"]


class ScenarioSummary(Representation):
    """A saved run in a list."""

    class Meta:
        model = Scenario
        fields = _SUMMARY


class ScenarioRepresentation(Representation):
    """A saved run: its input, and the report that this version of the engine gave: as `simulator/{kind}/` gives it."""

    report = serializers.JSONField(source="result")

    class Meta:
        model = Scenario
        fields = [*_SUMMARY, "input", "report"]

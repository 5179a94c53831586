"""What the public reads of scenarios."""

from typing import Any

from rest_framework import serializers

from core.api.representations import InstantField, Representation
from simulator.models import Scenario

_SUMMARY = ["id", "slug", "title", "description", "kind", "engine_version", "drifted_since", "created_at", "updated_at"]


class DriftedSince(InstantField):
    """When a run of today began to say something else than the saved report; null while it says the same."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"source": "drift.since", "allow_null": True, "read_only": True, **kwargs})


class ScenarioSummary(Representation):
    """A saved run in a list."""

    drifted_since = DriftedSince()

    class Meta:
        model = Scenario
        fields = _SUMMARY


class ScenarioRepresentation(Representation):
    """A saved run: its input, and the report that this version of the engine gave: as `simulator/{kind}/` gives it."""

    drifted_since = DriftedSince()
    report = serializers.JSONField(source="result")

    class Meta:
        model = Scenario
        fields = [*_SUMMARY, "input", "report"]

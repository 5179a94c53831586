"""Saved runs of the simulator."""

from django.db import models
from django.db.models.functions import Now

from core.api.fields import IdField, PublicSlugField, slug_constraints
from simulator.querysets import ScenarioQuerySet


class Scenario(models.Model):
    """An input of the simulator with the report that it gave, and the version of the engine that gave it."""

    id = IdField()
    slug = PublicSlugField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")
    input = models.JSONField(help_text="As the API takes it: items, rack, basis…")
    result = models.JSONField(
        editable=False, help_text="The report: space, power, weight, electrical, cooling, warnings, trace."
    )
    engine_version = models.CharField(max_length=40, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ScenarioQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        constraints = slug_constraints("scenario")

    def __str__(self) -> str:
        return self.title

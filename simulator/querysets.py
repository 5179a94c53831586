"""How scenarios are read. All of them are public: an editor saves one to show it."""

from datetime import datetime
from typing import Any, Self

from django.db import models

from catalog.models import Device
from core.publishing.models import Reference


class ScenarioQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the scenarios that the public sees: all."""
        return self.all()

    def using_device(self, slug: Any) -> Self:
        """Return the scenarios that a device, by its slug, was simulated in."""
        naming = Reference.objects.filter(holder_id=models.OuterRef("pk"), target_kind="device")
        devices = Device.objects.filter(slug=slug).values("pk")
        return self.filter(models.Exists(naming.filter(target_id__in=devices)))

    def using_device_id(self, key: Any) -> Self:
        """Return the scenarios that a device, by its id, was simulated in."""
        naming = Reference.objects.filter(holder_id=models.OuterRef("pk"), target_kind="device", target_id=key)
        return self.filter(models.Exists(naming))

    def drifted(self, drifted: Any) -> Self:
        """Return the scenarios of which a run of today says something else (True), or the others (False)."""
        drifts: Any = self.model._meta.get_field("drift").related_model
        moved = models.Exists(drifts._default_manager.filter(scenario=models.OuterRef("pk")))
        return self.alias(has_moved=moved).filter(has_moved=drifted)

    def unchecked(self, engine_version: str) -> Self:
        """Return the scenarios that were not compared with a run of this version since they are made of their records.

        Once they were, a save of the same records counts as one.
        """
        checked = models.Q(check_made__engine_version=engine_version)
        return self.filter(~checked | models.Q(check_made=None))


class ScenarioDriftQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return what the public sees of how far scenarios lie behind: all, as of the scenarios themselves."""
        return self.all()


class RunQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the runs that whoever knows their id may read at `at` (timezone-aware)."""
        return self.filter(expires_at__gt=at)

    def open(self) -> Self:
        """Return the runs that have not ended."""
        return self.filter(state__in=["waiting", "running"])

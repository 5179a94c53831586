"""How scenarios are read. All of them are public: an editor saves one to show it."""

from datetime import datetime
from typing import Any, Self

from django.db import models


class ScenarioQuerySet(models.QuerySet):
    def visible(self, at: datetime | Any) -> Self:
        """Return the scenarios that the public sees: all."""
        return self.all()

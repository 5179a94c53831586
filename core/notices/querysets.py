"""How notices are read. Who may see one is decided in `shown_to`, and nowhere else."""

from typing import TYPE_CHECKING, Self

from django.apps import apps
from django.db import models

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MODELS = ("articles.article", "sponsors.vendor", "sponsors.placement")


class NoticeQuerySet(models.QuerySet):
    def shown_to(self, person: "User") -> Self:
        """Return the notices of `person` about what this person may still see."""
        return self.filter(recipient=person, subject_model__in=[label for label in MODELS if may_see(person, label)])

    def unread(self) -> Self:
        return self.filter(read_at=None)


def may_see(person: "User", label: str) -> bool:
    """Return whether `person` may see drafts of the model `label`, now."""
    if not (person.is_active and person.is_staff) or not apps.is_installed(label.split(".")[0]):
        return False
    app, name = label.split(".")
    return person.has_perm(f"{app}.view_{name}") or person.has_perm(f"{app}.change_{name}")

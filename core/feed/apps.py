from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


def _bring_up_to_date(**kwargs: Any) -> None:
    from core.api.in_database import bring_up_to_date

    bring_up_to_date(**kwargs)


def _begin_epoch(**kwargs: Any) -> None:
    from core.feed.services import ensure_epoch

    ensure_epoch()


class FeedConfig(AppConfig):
    name = "core.feed"
    label = "feed"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(_bring_up_to_date, sender=self, dispatch_uid="api.in_database")
        post_migrate.connect(_begin_epoch, sender=self, dispatch_uid="feed.epoch")

from django.apps import AppConfig


class MediaConfig(AppConfig):
    name = "core.media"
    label = "media"
    default_auto_field = "django.db.models.BigAutoField"

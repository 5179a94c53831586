from django.apps import AppConfig


class MediaConfig(AppConfig):
    name = "core.media"
    label = "media"
    verbose_name = "Media"
    default_auto_field = "django.db.models.BigAutoField"

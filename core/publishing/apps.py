from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "core.publishing"
    label = "publishing"
    default_auto_field = "django.db.models.BigAutoField"

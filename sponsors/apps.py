from django.apps import AppConfig


class SponsorsConfig(AppConfig):
    name = "sponsors"
    default_auto_field = "django.db.models.BigAutoField"

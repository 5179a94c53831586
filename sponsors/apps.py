from django.apps import AppConfig


class SponsorsConfig(AppConfig):
    name = "sponsors"
    verbose_name = "Directory"
    default_auto_field = "django.db.models.BigAutoField"

from django.apps import AppConfig


class FactsConfig(AppConfig):
    name = "core.facts"
    label = "facts"
    verbose_name = "Evidence"
    default_auto_field = "django.db.models.BigAutoField"

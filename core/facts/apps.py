from django.apps import AppConfig


class FactsConfig(AppConfig):
    name = "core.facts"
    label = "facts"
    default_auto_field = "django.db.models.BigAutoField"

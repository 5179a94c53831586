from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ConfigConfig(AppConfig):
    name = "config"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from config.groups import grant_rights

        post_migrate.connect(grant_rights, dispatch_uid="config.groups.grant_rights")

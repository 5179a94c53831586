from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CatalogConfig(AppConfig):
    name = "catalog"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from catalog.seeds import plant

        post_migrate.connect(plant, sender=self, dispatch_uid="catalog.seeds.plant")

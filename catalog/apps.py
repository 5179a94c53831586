from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CatalogConfig(AppConfig):
    name = "catalog"
    verbose_name = "Catalogue"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from catalog.seeds import plant
        from catalog.services import apply_facts
        from core.facts.services import follow

        follow("device", apply_facts)
        post_migrate.connect(plant, sender=self, dispatch_uid="catalog.seeds.plant")

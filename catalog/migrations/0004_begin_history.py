from django.db import migrations

from core.api.history import begin_history


class Migration(migrations.Migration):
    dependencies = [("catalog", "0003_history")]

    operations = [
        begin_history(
            "catalog.SectionEvent",
            "catalog.RungEvent",
            "catalog.ManufacturerEvent",
            "catalog.DeviceEvent",
            "catalog.ModuleTypeEvent",
            "catalog.RackTypeEvent",
            "catalog.InstallationEvent",
        )
    ]

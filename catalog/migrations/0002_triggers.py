from django.db import migrations

from core.feed.triggers import announce


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial"), ("feed", "0002_triggers")]

    operations = [
        announce("catalog_section", "section", touch=True),
        announce("catalog_rung", "rung", touch=True),
        announce("catalog_manufacturer", "manufacturer", touch=True),
        announce("catalog_device", "device", touch=True),
        announce("catalog_devicecomponent", "device", id_column="device_id"),
        announce("catalog_moduletype", "module_type", touch=True),
        announce("catalog_modulecomponent", "module_type", id_column="module_type_id"),
        announce("catalog_racktype", "rack_type", touch=True),
        announce("catalog_installation", "installation", touch=True),
    ]

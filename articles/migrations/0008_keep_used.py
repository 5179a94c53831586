from django.db import migrations

from core.publishing.used import DROP_FUNCTION, FUNCTION, keep_used

# What bodies name, of all apps: the one migration that knows all of their tables.
TABLES = (
    "articles_article",
    "articles_author",
    "catalog_device",
    "catalog_installation",
    "catalog_manufacturer",
    "catalog_racktype",
    "facts_fact",
    "facts_source",
    "media_image",
    "simulator_scenario",
    "sponsors_vendor",
)


class Migration(migrations.Migration):
    dependencies = [
        ("articles", "0007_imported"),
        ("catalog", "0001_initial"),
        ("facts", "0001_initial"),
        ("media", "0001_initial"),
        ("publishing", "0001_initial"),
        ("simulator", "0001_initial"),
        ("sponsors", "0001_initial"),
    ]

    operations = [migrations.RunSQL(FUNCTION, DROP_FUNCTION), *(keep_used(table) for table in TABLES)]

from django.db import migrations

from core.publishing.triggers import GUARD_EDITION


class Migration(migrations.Migration):
    """An edition stays frozen whatever columns are generated from it."""

    dependencies = [("publishing", "0005_references_of_an_edition")]

    operations = [migrations.RunSQL(GUARD_EDITION, migrations.RunSQL.noop)]

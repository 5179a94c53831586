from django.db import migrations

from core.facts.unit_sql import DROP_UNIT_FUNCTIONS, UNIT_FUNCTIONS


class Migration(migrations.Migration):
    dependencies = [("facts", "0004_begin_history")]

    operations = [migrations.RunSQL(UNIT_FUNCTIONS, DROP_UNIT_FUNCTIONS)]

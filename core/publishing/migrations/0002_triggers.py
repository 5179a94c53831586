from django.db import migrations

from core.publishing.triggers import DROP_FUNCTIONS, FUNCTIONS


class Migration(migrations.Migration):
    """The rules of publishing that hold whatever statement is sent."""

    dependencies = [("publishing", "0001_initial"), ("feed", "0002_triggers")]

    operations = [migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS)]

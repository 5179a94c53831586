from django.db import migrations

from core.feed.triggers import announce


class Migration(migrations.Migration):
    dependencies = [("simulator", "0001_initial"), ("feed", "0002_triggers")]

    operations = [announce("simulator_scenario", "scenario", touch=True)]

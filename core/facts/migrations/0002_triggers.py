from django.db import migrations

from core.feed.triggers import announce


class Migration(migrations.Migration):
    dependencies = [("facts", "0001_initial"), ("feed", "0002_triggers")]

    operations = [
        announce("facts_source", "source", touch=True),
        announce("facts_fact", "fact", touch=True),
        announce("facts_claim", "fact", id_column="fact_id"),
    ]

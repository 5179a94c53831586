from django.db import migrations

from core.api.history import begin_history


class Migration(migrations.Migration):
    dependencies = [("facts", "0003_history")]

    operations = [begin_history("facts.SourceEvent", "facts.FactEvent", "facts.ClaimEvent")]
